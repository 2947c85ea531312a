import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from "@fluent/bundle";

import { humanBytes, humanRate, humanSeconds } from "./format";

/** The languages of the catalogue. */
export type Locale = "en" | "de";

/** Values for a sentence, as they come from the engines: text, sizes as decimal bytes. */
export type Values = Record<string, string | number>;

/** Without what only a terminal and the program before the system say, and without what comes with the page for BitLocker and FileVault. */
const SOURCES = import.meta.glob<string>(
  [
    "../../../../helpers/texts/i18n/*/*.ftl",
    "!../../../../helpers/texts/i18n/*/cli.ftl",
    "!../../../../helpers/texts/i18n/*/package.ftl",
    "!../../../../helpers/texts/i18n/*/preboot.ftl",
    "!../../../../helpers/texts/i18n/*/prompt.ftl",
    "!../../../../helpers/texts/i18n/*/escrow.ftl",
    "!../../../../helpers/texts/i18n/*/terminal.ftl",
    "!../../../../helpers/texts/i18n/*/explain.ftl",
    "!../../../../helpers/texts/i18n/*/bitlocker.ftl",
    "!../../../../helpers/texts/i18n/*/filevault.ftl",
    "!../../../../helpers/texts/i18n/*/native.ftl",
  ],
  { query: "?raw", import: "default", eager: true },
);

/** A variable whose name ends so is shown with a unit. The terminal's catalogue has the same rules. */
const BYTES = /(?:size|bytes|length|offset|needed|free|total|done|room)$/;
const RATE = /rate$/;
const SECONDS = /(?:seconds|^eta_s)$/;
const DAY = /(?:^|_)day$/;

/** All sentences of one language. */
export class Catalogue {
  readonly locale: Locale;
  private readonly bundle: FluentBundle;

  constructor(locale: Locale, sources: Iterable<string> = sourcesOf(locale)) {
    this.locale = locale;
    // Both languages run from left to right: the invisible marks around values are not needed, and
    // would be copied along with a path or a key.
    this.bundle = new FluentBundle(locale, { useIsolating: false });
    for (const source of sources) this.bundle.addResource(new FluentResource(source));
  }

  /** The sentence of a key, or of its attribute (`key.attribute`). `null`: there is none. */
  find(key: string, values: Values = {}): string | null {
    const [id = "", attribute] = key.split(".");
    const message = this.bundle.getMessage(id);
    const pattern = attribute === undefined ? message?.value : message?.attributes[attribute];
    if (!pattern) return null;
    // Errors are collected rather than thrown: a sentence with a gap is better than no window.
    return this.bundle.formatPattern(pattern, this.variables(values), []);
  }

  private variables(values: Values): Record<string, FluentVariable> {
    const made: Record<string, FluentVariable> = {};
    for (const [name, value] of Object.entries(values)) made[name] = this.variable(name, value);
    return made;
  }

  /** A day (`2026-12-02`) in words; what is none as it is. */
  private day(text: string): string {
    const [, year, month, number] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
    const word = month && this.find(`month-${month}`);
    return (word && this.find("date-of", { year: year ?? 0, month: word, number: number ?? 0 })) || text;
  }

  private variable(name: string, value: string | number): FluentVariable {
    if (typeof value === "string" && DAY.test(name)) return this.day(value);
    if (typeof value === "string" && !/^\d{1,15}(\.\d+)?$/.test(value)) return value;
    if (BYTES.test(name)) return humanBytes(Number(value), this.locale);
    if (RATE.test(name)) return humanRate(Number(value), this.locale);
    if (SECONDS.test(name)) return humanSeconds(Number(value), this.locale);
    // A number for the plural, without separators: it may as well be a year or a version.
    return new FluentNumber(Number(value), { useGrouping: false });
  }
}

/** The text of all files of one language. */
export function sourcesOf(locale: Locale): string[] {
  return Object.entries(SOURCES)
    .filter(([path]) => path.includes(`/i18n/${locale}/`))
    .map(([, source]) => source);
}
