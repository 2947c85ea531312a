import { describe, expect, it } from "vitest";

import { compared } from "./backend/mock-data";
import { changed, pairs } from "./bench";
import type { BenchFigure, Comparison } from "./bindings";

const figure = (rate: number, name = "seq1m-q1t1-read"): BenchFigure => ({ name, rate, low: rate, high: rate });
const run = (...tests: BenchFigure[]) => ({ tests, cipher_rate: 1, kdf_seconds: null, report: null });
const line = (change: Comparison["change"], ratio: number) =>
  changed({ ...compared(run(figure(1)), run(figure(ratio))).comparisons[0], change, ratio } as Comparison);

describe("before and after", () => {
  it("says what the engine says, and how much", () => {
    expect(line("same", 0.95)).toEqual({ said: "none" });
    expect(line("slower", 0.8)).toEqual({ said: "slower", percent: 20 });
    expect(line("faster", 1.5)).toEqual({ said: "faster", percent: 50 });
  });

  it("pairs tests by their names", () => {
    const [before, after] = [run(figure(1)), run(figure(2), figure(3, "rnd4k-q32t1-write-wide"))];
    const [large, small] = pairs(before, after, compared(before, after));
    expect(large).toMatchObject({ kind: "large", write: false, change: { said: "faster", percent: 100 } });
    expect(small).toMatchObject({ kind: "small", write: true, before: null, change: null });
  });

  it("begins with what people feel most", () => {
    const names = ["seq1m-q8t1-read", "rnd4k-q32t1-read", "rnd4k-q1t1-read", "rnd4k-q1t1-write"];
    const all = pairs(run(...names.map((name) => figure(1, name))), null, null);
    expect(all.map(({ name }) => name)).toEqual([...names.slice(2), ...names.slice(0, 2)]);
  });
});
