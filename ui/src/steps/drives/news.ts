import type { Drive, Verdict } from "../../lib/bindings";

/** Something that happened while the page was open. */
export interface News {
  kind: "in" | "out" | "now";
  /** The drive as a person knows it. */
  name: string;
  verdict: Verdict;
}

/** What is different from one look to the next. Another drive at the same place is another drive. */
export function news(before: Drive[], after: Drive[]): News[] {
  const known = new Map(before.map((drive) => [keyOf(drive), drive]));
  const there = new Set(after.map(keyOf));
  const told = (kind: News["kind"], { name, judged }: Drive): News => ({ kind, name, verdict: judged.verdict });
  return [
    ...before.filter((drive) => !there.has(keyOf(drive))).map((drive) => told("out", drive)),
    ...after.flatMap((drive) => {
      const earlier = known.get(keyOf(drive));
      if (!earlier) return [told("in", drive)];
      return earlier.judged.verdict === drive.judged.verdict ? [] : [told("now", drive)];
    }),
  ];
}

/** Names a drive among all that were ever plugged in while the page is open. */
export function keyOf({ path, name, size }: Drive): string {
  return `${path} ${name} ${size}`;
}
