import type { Locale } from "./catalogue";

const NO_BREAK_SPACE = "\u00a0";
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** Below this the exact number is shown, because there it is a limit or a sector's size. */
const EXACT = 10_000;

/**
 * Bytes as drive makers print them: powers of a thousand, one digit behind the point below a
 * hundred, none above.
 */
export function humanBytes(bytes: number, locale: Locale): string {
  if (bytes < EXACT) {
    const name = locale === "de" ? "Byte" : bytes === 1 ? "byte" : "bytes";
    return `${number(bytes, locale, 0)}${NO_BREAK_SPACE}${name}`;
  }
  let unit = 0;
  let value = bytes;
  // 999.96 would be rounded to 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${number(value, locale, value < 99.95 ? 1 : 0)}${NO_BREAK_SPACE}${UNITS[unit]}`;
}

/** Bytes a second. */
export function humanRate(rate: number, locale: Locale): string {
  return `${humanBytes(rate, locale)}/s`;
}

const SECONDS_IN = { day: 86_400, hour: 3600, minute: 60, second: 1 } as const;

/** A length of time in short, with its two largest units: "3 min 20 s". */
export function humanSeconds(seconds: number, locale: Locale): string {
  const shown: string[] = [];
  let rest = Math.round(seconds);
  for (const [unit, length] of Object.entries(SECONDS_IN)) {
    const count = Math.floor(rest / length);
    rest %= length;
    if (count === 0 && (unit !== "second" || shown.length > 0)) continue;
    const style = { style: "unit", unit, unitDisplay: "short" } as const;
    shown.push(new Intl.NumberFormat(locale, style).format(count));
  }
  return shown.slice(0, 2).join(" ");
}

/** A number with at most so many places behind the point or comma. */
export function number(value: number, locale: Locale, places: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: places }).format(value);
}

/** A duration as one rounded unit, for a sentence to name. */
export function duration(seconds: number): { unit: "seconds" | "minutes" | "hours"; count: number } {
  if (seconds < 50) return { unit: "seconds", count: seconds < 10 ? Math.max(1, Math.round(seconds)) : 5 * Math.ceil(seconds / 5) };
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return { unit: "minutes", count: Math.max(1, minutes) };
  return { unit: "hours", count: Math.round(seconds / 3600) };
}
