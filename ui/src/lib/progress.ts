import type { Progress } from "./bindings";

/** Whether anything can be said about how far it is. */
export function isKnown({ total }: Progress): boolean {
  return total > 0;
}

/** How much of a job is done, 0 to 1. */
export function shareOf({ done, total }: Progress): number {
  return total > 0 ? Math.min(1, done / total) : 0;
}
