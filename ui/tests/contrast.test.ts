import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// jsdom draws nothing, so the colours are read from the style sheet: each pair of text and ground
// that the window uses, in both schemes (WCAG 2.2 AA: 4.5 for text, 3 for edges of controls).

const css = readFileSync("src/app.css", "utf8");

function scheme(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name ?? "", value ?? ""]));
}

const light = scheme(css.slice(0, css.indexOf("@media")));
const dark = scheme(css.slice(css.indexOf("prefers-color-scheme: dark"), css.indexOf("prefers-contrast: more")));

const TEXT: [string, string][] = [
  ["--ink", "--ground"],
  ["--ink", "--surface"],
  ["--ink", "--sunken"],
  ["--ink", "--accent-wash"],
  ["--ink", "--good-wash"],
  ["--ink", "--bad-wash"],
  ["--ink", "--note-wash"],
  ["--soft", "--ground"],
  ["--soft", "--surface"],
  ["--soft", "--sunken"],
  ["--accent", "--ground"],
  ["--accent", "--surface"],
  ["--accent", "--accent-wash"],
  ["--accent-ink", "--accent"],
  ["--accent-ink", "--accent-strong"],
  ["--good", "--surface"],
  ["--good", "--good-wash"],
  ["--bad", "--surface"],
  ["--bad", "--bad-wash"],
  ["--note", "--surface"],
  ["--note", "--note-wash"],
];

const EDGES: [string, string][] = [
  ["--edge", "--surface"],
  ["--edge", "--ground"],
  ["--edge", "--sunken"],
  ["--accent", "--sunken"],
];

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ["light", light],
  ["dark", dark],
])("the colours, %s", (_, colours) => {
  it.each([...TEXT.map((pair) => [...pair, 4.5] as const), ...EDGES.map((pair) => [...pair, 3] as const)])(
    "%s on %s reaches %d",
    (text, ground, least) => {
      expect(contrast(colours.get(text) ?? "", colours.get(ground) ?? "")).toBeGreaterThanOrEqual(least);
    },
  );
});
