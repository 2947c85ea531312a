import type { Locale } from "../lib/texts/catalogue";

/** What only this page says: it is fetched with it. */
const SOURCES = import.meta.glob<string>(
  ["../../../helpers/texts/i18n/*/{native,bitlocker,filevault}.ftl"],
  { query: "?raw", import: "default", eager: true },
);

/** The text of these files in one language. */
export function sourcesOf(locale: Locale): string[] {
  return Object.entries(SOURCES)
    .filter(([path]) => path.includes(`/i18n/${locale}/`))
    .map(([, source]) => source);
}
