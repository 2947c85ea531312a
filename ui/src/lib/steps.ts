import type { Step } from "./bindings";
import type { PlainKey } from "./texts/texts.svelte";

/** The steps in their order, in the four parts that a person sees. */
export const PHASES: { name: PlainKey; steps: Step[] }[] = [
  { name: "window-phase-choose", steps: ["drives", "check", "before"] },
  { name: "window-phase-keys", steps: ["password", "recovery", "rescue"] },
  { name: "window-phase-try", steps: ["bench_before", "test_start"] },
  { name: "window-phase-encrypt", steps: ["encrypt", "bench_after", "report"] },
];

/** All steps in their order. */
export const STEPS: Step[] = PHASES.flatMap(({ steps }) => steps);

const NAMES: Record<Step, PlainKey> = {
  drives: "window-step-drives",
  check: "window-step-check",
  before: "window-step-before",
  password: "window-step-password",
  recovery: "window-step-recovery",
  rescue: "window-step-rescue",
  bench_before: "window-step-bench-before",
  test_start: "window-step-test-start",
  encrypt: "window-step-encrypt",
  bench_after: "window-step-bench-after",
  report: "window-step-report",
};

/** The key of a step's short name. */
export function stepName(step: Step): PlainKey {
  return NAMES[step];
}

/** Measuring is no part of the way for the running system's own drive. */
const NOT_FOR_SYSTEM: Step[] = ["bench_before", "bench_after"];

/** The parts with their steps, as they are on this way. */
export function phasesOf(system: boolean): typeof PHASES {
  if (!system) return PHASES;
  return PHASES.map(({ name, steps }) => ({ name, steps: steps.filter((step) => !NOT_FOR_SYSTEM.includes(step)) }));
}
