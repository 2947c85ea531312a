import type { BenchFigure, BenchFigures, Compared, Comparison, Conditions, Figures } from "./bindings";
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
  /** What the engine says about both. */
  line: Comparison | null;
}

/** What a comparison says. */
export type Change = { said: "none" } | { said: "slower" | "faster"; percent: number };

/** What people feel most, one small block at a time, comes first. */
const felt = ({ name }: Pair) => name.startsWith("rnd4k-q1t1");

/** Tests of both runs side by side. `before` and `after` may each be missing. */
export function pairs(before: BenchFigures | null, after: BenchFigures | null, compared: Compared | null): Pair[] {
  const names = new Set([...(before?.tests ?? []), ...(after?.tests ?? [])].map(({ name }) => name));
  const all = [...names].map((name): Pair => {
    const line = compared?.comparisons.find((test) => test.name === name) ?? null;
    return {
      name,
      kind: name.startsWith("seq") ? "large" : "small",
      write: name.includes("write"),
      before: before?.tests.find((test) => test.name === name) ?? null,
      after: after?.tests.find((test) => test.name === name) ?? null,
      change: line && changed(line),
      line,
    };
  });
  return all.toSorted((one, other) => Number(felt(other)) - Number(felt(one)));
}

/** The engine's word, and how much. */
export function changed({ change, ratio }: Comparison): Change {
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  return change === "same" || percent === 0 ? { said: "none" } : { said: change, percent };
}

/** The words for a test in the middle of a sentence. */
export function testName({ kind, write }: Pair): PlainKey {
  return `window-bench-${kind}-${write ? "write" : "read"}`;
}

/** What the processor does while a GiB is read, before and after: energy where it can be told. */
export function battery(before: Figures, after: Figures): { key: string; before: number; after: number } | null {
  const of = (report: Figures) => report.tests.find(({ name }) => name === "seq1m-q8t1-read");
  const [one, other] = [of(before), of(after)];
  if (one?.joules_per_gib != null && other?.joules_per_gib != null) {
    return { key: "bench-battery-energy", before: one.joules_per_gib, after: other.joules_per_gib };
  }
  if (one?.cpu_seconds_per_gib != null && other?.cpu_seconds_per_gib != null) {
    return { key: "bench-battery-processor", before: one.cpu_seconds_per_gib, after: other.cpu_seconds_per_gib };
  }
  return null;
}

/** What was seen of the conditions: key of its name, and the value as a machine has it. */
export function conditions(found: Conditions): [string, string][] {
  const percent = (share: number | null) => share !== null && `${Math.round(share * 100)} %`;
  const rows: [string, string | false | null][] = [
    ["drive", found.drive],
    ["kernel", found.kernel],
    ["file-system", found.file_system],
    ["fill", percent(found.fill)],
    ["temperature", found.temperature_c !== null && `${Math.round(found.temperature_c)} °C`],
    ["governor", found.governor],
    ["scheduler", found.scheduler],
    ["load", found.load !== null && String(found.load)],
    ["cipher", found.crypt && `${found.crypt.cipher}, ${found.crypt.key_bits} bit`],
    ["sector-size", found.crypt && String(found.crypt.sector_size)],
    ["flags", found.crypt && found.crypt.flags.join(" ")],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}
