import { describe, expect, it } from "vitest";

import { compare, pairs } from "./bench";
import type { BenchFigure } from "./bindings";

const figure = (rate: number, low: number, high: number, name = "seq1m-q1t1-read"): BenchFigure => ({
  name,
  rate,
  low,
  high,
});

describe("before and after", () => {
  it("says nothing where the ranges overlap", () => {
    expect(compare(figure(100, 90, 110), figure(95, 80, 105))).toEqual({ said: "none" });
  });

  it("says how much where they do not", () => {
    expect(compare(figure(100, 95, 105), figure(80, 78, 82))).toEqual({ said: "slower", percent: 20 });
    expect(compare(figure(100, 95, 105), figure(150, 140, 160))).toEqual({ said: "faster", percent: 50 });
  });

  it("does not divide by nothing", () => {
    expect(compare(figure(0, 0, 0), figure(10, 9, 11))).toEqual({ said: "none" });
  });

  it("pairs tests by their names", () => {
    const run = (...tests: BenchFigure[]) => ({ tests, cipher_rate: 1, kdf_seconds: null });
    const [large, small] = pairs(run(figure(1, 1, 1)), run(figure(2, 2, 2), figure(3, 3, 3, "rnd4k-q1t1-write")));
    expect(large).toMatchObject({ kind: "large", write: false, change: { said: "faster", percent: 100 } });
    expect(small).toMatchObject({ kind: "small", write: true, before: null, change: null });
  });
});
