import type { Condition, Fault, Phase, StartOutcome, SystemState, Target, View } from "../bindings";
import { CHECK, REPORT } from "./mock-data";
import { DRIVES } from "./mock-drives";

const DRIVE = DRIVES[0];
const ROOT = DRIVE?.volumes[1];
const TOTAL = 999_667_000_000;

/** The running system's own volume, chosen. */
export const SYSTEM_TARGET: Target = {
  id: ROOT?.id ?? "",
  name: DRIVE?.name ?? "",
  size: TOTAL,
  content: "ext4",
  practice: false,
  system: true,
  judged: { verdict: "not_protected", reason: { code: "plain", args: {} }, gets: "everything", next: "encrypt-system" },
};

const pass = (code: string): Condition => ({ code, outcome: "pass", reason: { code: "boot-in-order", args: {} } });
const warn = (code: string, reason: string, args: Record<string, string>): Condition => ({
  code,
  outcome: "warn",
  reason: { code: reason, args },
});

const PASSED = ["boot-root", "boot-clean", "boot-room", "boot-cryptsetup", "boot-packages", "boot-once", "boot-boot-room"];

const CONDITIONS: Condition[] = [
  ...PASSED.map(pass),
  warn("boot-separate", "boot-will-be-split", { path: "/dev/nvme0n1p3", size: "1073741824" }),
  warn("boot-swap", "boot-swap-plain", { path: "/dev/nvme0n1p3" }),
  warn("boot-hibernation", "boot-no-hibernation", { place: "/dev/nvme0n1p3" }),
  warn("boot-power", "boot-on-battery", { percent: "81" }),
  warn("boot-keyboard", "boot-keyboard-layout", { layout: "de" }),
  warn("boot-other-systems", "boot-stays-plain", { paths: "/dev/nvme0n1p4" }),
];

const SYSTEM_CHECK = { ...CHECK, conditions: CONDITIONS, reasons: [{ code: "method-system", args: {} }], room: { code: "room-system", args: {} } };

const SYSTEM_FAILS = {
  ...SYSTEM_CHECK,
  method: null,
  reasons: [],
  conditions: [
    ...CONDITIONS,
    { code: "boot-initramfs", outcome: "fail" as const, reason: { code: "boot-initramfs-other", args: { name: "dracut" } } },
  ],
};

const NOW: SystemState = {
  standing: { phase: { phase: "untouched" }, last_start: null, progress: null },
  missing: null,
  accepted: [],
  sticks: [],
  needs_password: false,
  can_undo: false,
  undone: false,
};

const STICKS = [
  { id: "sdb@17", name: "Kingston DataTraveler 3.0", size: 15_502_147_584 },
  { id: "sdc@18", name: "SanDisk Ultra Fit", size: 30_752_000_000 },
];

function at(phase: Phase, outcome?: StartOutcome, fault: Fault | null = null): SystemState {
  const last_start = outcome ? { id: "5f0e", outcome, fault } : null;
  const can_undo = ["room_staged", "staged", "placed", "to_be_decrypted"].includes(phase.phase) && (!outcome || outcome === "plain");
  return { ...NOW, standing: { phase, last_start, progress: null }, can_undo };
}

function half(running: boolean, needs_password = false): Partial<View> {
  const done = Math.round(TOTAL * 0.42);
  const progress = { version: 1, step: "encrypt" as const, done, total: TOTAL, unit: "bytes" as const };
  return {
    system: { ...at({ phase: "encrypting", done, total: TOTAL, running }, "passed"), needs_password },
    encrypt: {
      begun: false,
      finished: false,
      progress: { ...progress, rate: running ? 182_000_000 : null, eta_s: running ? 3_190 : null, paused: !running },
      needs_password: false,
      power_off: false,
    },
  };
}

const missing = (code: string): Partial<View> => ({
  check: null,
  system: { ...NOW, standing: null, missing: { code, kind: "refused", args: {}, detail: null } },
});

const NO_ROOM: Fault = { code: "boot-tool-failed", kind: "failed", args: { tool: "resize2fs" }, detail: "exit status: 1" };

/** What the states of the system's way change, at the step of their own. */
const STATES: Record<string, Partial<View>> = {
  system: {},
  "system-fail": { check: SYSTEM_FAILS },
  "system-missing": missing("service-not-there"),
  "system-no-agent": missing("service-no-agent"),
  "system-looking": { system: { ...NOW, standing: null } },
  "system-sticks": { system: { ...NOW, sticks: STICKS } },
  "system-stick": { system: { ...NOW, sticks: STICKS.slice(0, 1) } },
  "system-written": { rescue: { written: "Kingston DataTraveler 3.0", verified: true, skipped: false } },
  "system-staged": { system: at({ phase: "staged" }) },
  "system-room": { system: at({ phase: "room_staged" }) },
  "system-room-made": { system: at({ phase: "room_made" }, "room-made") },
  "system-not-the-test": { system: at({ phase: "staged" }, "plain") },
  "system-tidying": { system: at({ phase: "staged" }, "wrong-password") },
  "system-wrong": { system: at({ phase: "untouched" }, "wrong-password") },
  "system-nothing-typed": { system: at({ phase: "untouched" }, "nothing-typed") },
  "system-taken-back": { system: at({ phase: "untouched" }, "taken-back") },
  "system-failed": { system: at({ phase: "untouched" }, "failed", NO_ROOM) },
  "system-placed": { system: at({ phase: "placed" }) },
  "system-undone": { system: { ...at({ phase: "placed" }), can_undo: false, undone: true } },
  "system-running": half(true),
  "system-paused": half(false),
  "system-password": half(false, true),
  "system-ending": { system: at({ phase: "ending" }) },
  "system-prove": { system: at({ phase: "to_be_proven" }) },
  "system-back": { system: at({ phase: "to_be_decrypted" }) },
  "system-plain": { system: at({ phase: "decrypted" }) },
};

/** The change for a state of this way; `null`: it is one of the others. */
export function systemState(state: string): Partial<View> | null {
  const change = STATES[state];
  if (!change) return null;
  const report = {
    ...REPORT,
    judged: { verdict: "protected" as const, reason: { code: "system-proven", args: {} }, gets: "nothing", next: "keep-key" },
    files: null,
    key_bits: 0,
    sector_size: 0,
    rescue: "Kingston DataTraveler 3.0",
  };
  return { target: SYSTEM_TARGET, check: SYSTEM_CHECK, system: NOW, rescue: { written: null, verified: false, skipped: false }, report, ...change };
}
