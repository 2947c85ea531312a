import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { parse } from "@fluent/syntax";
import { describe, expect, it } from "vitest";

import { ours } from "../bundle";
import { Catalogue, sourcesOf } from "../src/lib/texts/catalogue";
import { sourcesOf as laterOf } from "../src/native/native-texts";

const FOLDER = join(import.meta.dirname, "../../helpers/texts/i18n");
const SOURCE = join(import.meta.dirname, "../src");

/** The names of the messages in Fluent text. */
function names(text: string): string[] {
  return parse(text, { withSpans: false }).body.flatMap((entry) => {
    if (entry.type === "Junk") throw new Error(`not Fluent: ${entry.content}`);
    return entry.type === "Message" ? [entry.id.name] : [];
  });
}

/** Beginnings of keys that the window's sources complete with a value: `bench-verdict-${…}`. */
function families(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const written = files.filter((file) => /\.(ts|svelte)$/.test(file) && !/\.test\.ts$|\/backend\/|^test/.test(file));
  const found = written.flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), "utf8");
    return [...text.matchAll(/`((?:[a-z]+-)+)\$\{/g)].map((match) => match[1] ?? "");
  });
  return [...new Set(found)];
}

describe.each(["en", "de"] as const)("what the window is given of the catalogue (%s)", (locale) => {
  const folder = join(FOLDER, locale);
  const files = readdirSync(folder);
  const whole = files.flatMap((file) => names(readFileSync(join(folder, file), "utf8")));

  it("leaves whole messages whole", () => {
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      const kept = names(ours(text));
      expect(kept).toEqual(names(text).filter((name) => kept.includes(name)));
    }
  });

  it("has everything that is the window's own", () => {
    const catalogue = new Catalogue(locale, sourcesOf(locale));
    const window = names(readFileSync(join(folder, "window.ftl"), "utf8"));
    const lost = window.filter((name) => catalogue.find(name) === null);
    // What has attributes alone is found by them.
    expect(lost.filter((name) => catalogue.find(`${name}.title`) === null)).toEqual([]);
  });

  it("has every family that a key is completed from", () => {
    const catalogue = new Catalogue(locale, [...sourcesOf(locale), ...laterOf(locale)]);
    const empty = families().filter((family) => {
      const members = whole.filter((name) => name.startsWith(family));
      return members.length > 0 && !members.some((name) => catalogue.find(name) !== null);
    });
    expect(families().length).toBeGreaterThan(20);
    expect(empty).toEqual([]);
  });
});
