import type { Fault, Judged, Reason, Target } from "../bindings";
import { Catalogue, type Locale, sourcesOf, type Values } from "./catalogue";
import { duration, humanBytes, humanRate, number } from "./format";
import type { Variables } from "./keys";

/** A key of the window's own texts. */
export type Key = keyof Variables;

/** A key whose sentence has no variables. */
export type PlainKey = { [K in Key]: [Variables[K]] extends [never] ? K : never }[Key];

/** What a key needs beside itself: nothing, or a value for each variable of its sentence. */
type Needs<K extends Key> = [Variables[K]] extends [never]
  ? []
  : [values: Record<Variables[K], string | number>];

/** The texts of the window in the language that is chosen. */
export class Texts {
  /** The language. Setting it draws the window anew. */
  locale: Locale = $state("en");
  /** What came with pages that are fetched later. */
  private learnt: ((locale: Locale) => string[])[] = $state.raw([]);
  private readonly catalogue = $derived(
    new Catalogue(this.locale, [...sourcesOf(this.locale), ...this.learnt.flatMap((sources) => sources(this.locale))]),
  );

  constructor(locale: Locale) {
    this.locale = locale;
  }

  /** Speaks these sentences, too. */
  learn(sources: (locale: Locale) => string[]): void {
    if (!this.learnt.includes(sources)) this.learnt = [...this.learnt, sources];
  }

  /** A sentence of the window. */
  t<K extends Key>(key: K, ...[values]: Needs<K>): string {
    return this.say(key, values ?? {});
  }

  /** Any sentence of the catalogue. Where it is missing, the key is shown: never nothing. */
  say(key: string, values: Values = {}): string {
    return this.find(key, values) ?? key;
  }

  /** Any sentence of the catalogue, or nothing. */
  find(key: string, values: Values = {}): string | null {
    return this.catalogue.find(key, values) ?? this.catalogue.find(key.replaceAll("_", "-"), values);
  }

  /** The sentence of a reason; its code where the sentence is missing. */
  reason(reason: Reason): string {
    return this.find(`reason-${reason.code}`, this.named(reason.args)) ?? reason.code;
  }

  /** What to do next, by the code of a verdict. */
  next(code: string): string | null {
    return code === "" ? null : (this.find(`next-${code}`) ?? code);
  }

  /** What somebody gets who has the drive in hand. `null`: that was not asked. */
  gets({ gets, reason }: Judged): string | null {
    return gets ? this.find(`gets-${gets}`, this.named(reason.args)) : null;
  }

  /** What happened; the code where the sentence is missing. */
  fault(fault: Fault): string {
    return this.find(`fault-${fault.code}`, this.named(fault.args)) ?? fault.code;
  }

  /** What to do next after a fault. */
  faultNext(fault: Fault): string | null {
    return this.find(`fault-${fault.code}.next`, this.named(fault.args));
  }

  /** What lies on a volume, as a person knows it. */
  content(name: string): string {
    return this.find(`content-${name}`) ?? name;
  }

  /** What is encrypted, as a person knows it: at the beginning of a sentence or within one. */
  target({ name, practice }: Target, place: "first" | "within" = "within"): string {
    if (!practice) return name;
    const words = this.t("window-practice-name");
    return place === "first" ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  }

  /** Bytes with a unit. */
  bytes(bytes: number): string {
    return humanBytes(bytes, this.locale);
  }

  /** Bytes a second with a unit. */
  rate(rate: number): string {
    return humanRate(rate, this.locale);
  }

  /** A number. */
  number(value: number, places = 0): string {
    return number(value, this.locale, places);
  }

  /** A duration in words: "about 4 minutes". */
  duration(seconds: number): string {
    const { unit, count } = duration(seconds);
    return this.t(`window-duration-${unit}`, { count });
  }

  /** Values in which names of the formats are replaced by the words for them. */
  private named(values: { [key in string]?: string }): Values {
    const named: Values = {};
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      named[name] = name === "content" ? this.content(value) : value;
    }
    return named;
  }
}
