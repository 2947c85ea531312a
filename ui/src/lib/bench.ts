import type { BenchFigure, BenchFigures } from "./bindings";
import type { PlainKey } from "./texts/texts.svelte";

/** What a test is like in daily life. */
export type Kind = "large" | "small";

/** A test, before and after. */
export interface Pair {
  /** As CrystalDiskMark names it. */
  name: string;
  kind: Kind;
  write: boolean;
  before: BenchFigure | null;
  after: BenchFigure | null;
  change: Change | null;
}

/** What a comparison says. */
export type Change = { said: "none" } | { said: "slower" | "faster"; percent: number };

/** Tests of both runs side by side. `before` and `after` may each be missing. */
export function pairs(before: BenchFigures | null, after: BenchFigures | null): Pair[] {
  const names = new Set([...(before?.tests ?? []), ...(after?.tests ?? [])].map(({ name }) => name));
  return [...names].map((name) => {
    const first = before?.tests.find((test) => test.name === name) ?? null;
    const second = after?.tests.find((test) => test.name === name) ?? null;
    return {
      name,
      kind: name.startsWith("seq") ? "large" : "small",
      write: name.endsWith("write"),
      before: first,
      after: second,
      change: first && second ? compare(first, second) : null,
    };
  });
}

/** Ranges that overlap may be the same speed, measured twice: then nothing is claimed. */
export function compare(before: BenchFigure, after: BenchFigure): Change {
  const overlap = before.low <= after.high && after.low <= before.high;
  const percent = Math.round(Math.abs(after.rate / before.rate - 1) * 100);
  if (overlap || percent === 0 || !Number.isFinite(percent)) return { said: "none" };
  return { said: after.rate < before.rate ? "slower" : "faster", percent };
}

/** The words for a test in the middle of a sentence. */
export function testName({ kind, write }: Pair): PlainKey {
  return `window-bench-${kind}-${write ? "write" : "read"}`;
}
