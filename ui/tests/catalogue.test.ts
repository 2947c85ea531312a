import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { catalogue, keysFile, messages } from "../scripts/keys.mjs";
import type { Bus, Method, Outcome, StepId, Verdict } from "../src/lib/bindings";
import { Catalogue, type Locale } from "../src/lib/texts/catalogue";
import { Texts } from "../src/lib/texts/texts.svelte";

const LOCALES: Locale[] = ["en", "de"];

const FILES = import.meta.glob<string>("../../helpers/texts/i18n/*/*.ftl", {
  query: "?raw",
  import: "default",
  eager: true,
});

const SOURCES = import.meta.glob<string>(["../src/**/*.svelte", "../src/**/*.ts", "!../src/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

function all(locale: Locale): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [path, source] of Object.entries(FILES)) {
    if (!path.includes(`/${locale}/`)) continue;
    for (const [key, names] of messages(source) as Map<string, string[]>) {
      expect(found.has(key), `${key} stands twice, the second time in ${path}`).toBe(false);
      found.set(key, names);
    }
  }
  return found;
}

describe("the catalogue", () => {
  it("has the same keys with the same variables in both languages", () => {
    const [english, german] = [all("en"), all("de")];
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, names] of english) expect(german.get(key), key).toEqual(names);
  });

  it("has a type that is up to date", () => {
    expect(readFileSync("src/lib/texts/keys.ts", "utf8")).toBe(keysFile(catalogue("../helpers/texts/i18n/en")));
  });

  it("has every key that the window names, and names every key of the window", () => {
    const texts = Object.entries(SOURCES)
      .filter(([path]) => !path.endsWith("/keys.ts"))
      .map(([, text]) => text)
      .join("\n");
    const known = [...all("en").keys()].filter((key) => key.startsWith("window-"));
    const named = new Set(texts.match(/(?<=["'`])window-[a-z0-9-]+(?=["'`])/g));
    const has = (key: string) => known.includes(key) || all("en").has(`fault-${key}`);
    expect([...named].filter((key) => !has(key))).toEqual([]);

    // `window-bus-${bus}` names all that begin so.
    const families = [...texts.matchAll(/`(window-[a-z-]*)\$\{/g)].map(([, start]) => start ?? "");
    const unused = known.filter((key) => !named.has(key) && !families.some((start) => key.startsWith(start)));
    expect(unused).toEqual([]);
  });

  const VERDICTS: Record<Verdict, true> = {
    protected: true,
    not_protected: true,
    partly_protected: true,
    suspended: true,
    converting: true,
    locked: true,
    unknown: true,
  };
  const OUTCOMES: Record<Outcome, true> = { pass: true, warn: true, fail: true, unknown: true };
  const METHODS: Record<Method, true> = { software: true, hardware: true, both: true };
  const WORK: Record<StepId, true> = {
    check: true,
    make_room: true,
    derive_key: true,
    header: true,
    encrypt: true,
    decrypt: true,
    benchmark: true,
    write: true,
    verify: true,
  };
  const BUSES: Record<Bus, true> = {
    nvme: true,
    ata: true,
    usb: true,
    mmc: true,
    virtual: true,
    image: true,
    unknown: true,
  };

  it.each(LOCALES)("has a word for each value of the border: %s", (locale) => {
    const texts = new Texts(locale);
    const keys = [
      ...Object.keys(VERDICTS).map((verdict) => `verdict-${verdict}`),
      ...Object.keys(OUTCOMES).map((outcome) => `window-outcome-${outcome}`),
      ...Object.keys(METHODS).map((method) => `window-check-method-${method}`),
      ...Object.keys(WORK).map((work) => `window-work-${work}`),
      ...Object.keys(BUSES).map((bus) => `window-bus-${bus}`),
      ...["small", "large"].flatMap((kind) => ["read", "write"].map((way) => `window-bench-${kind}-${way}`)),
      ...[0, 1, 2, 3, 4].map((score) => `window-password-strength-${score}`),
    ];
    expect(keys.filter((key) => texts.find(key) === null)).toEqual([]);
  });
});

describe("a sentence", () => {
  const catalogue = (source: string, locale: Locale = "en") => new Catalogue(locale, [source]);

  it("shows bytes in a unit, in the language's own way", () => {
    const source = "room = { $needed } of { $size }\n";
    const values = { needed: "1200000000", size: "512" };
    expect(catalogue(source).find("room", values)).toBe("1.2\u00a0GB of 512\u00a0bytes");
    expect(catalogue(source, "de").find("room", values)).toBe("1,2\u00a0GB of 512\u00a0Byte");
  });

  it("shows rates and times by their names too", () => {
    const source = "speed = { $rate }, { $seconds }\n";
    expect(catalogue(source).find("speed", { rate: "182400000", seconds: "200" })).toBe("182\u00a0MB/s, 3 min 20 sec");
  });

  it("chooses the plural by a number that came as text", () => {
    const source = "copies = { $count ->\n    [one] one copy\n   *[other] { $count } copies\n}\n";
    expect(catalogue(source).find("copies", { count: "1" })).toBe("one copy");
    expect(catalogue(source).find("copies", { count: "2048" })).toBe("2048 copies");
  });

  it("is missed without a crash, and so is a value", () => {
    const texts = new Texts("en");
    expect(texts.say("window-no-such-key")).toBe("window-no-such-key");
    expect(texts.reason({ code: "no-such-reason", args: { size: "1" } })).toBe("no-such-reason");
    expect(texts.fault({ code: "no-such-fault", kind: "failed", args: {}, detail: null })).toBe("no-such-fault");
    expect(catalogue("gap = a { $missing } b\n").find("gap")).toContain("b");
  });
});
