import type { BenchFigures, Check, Condition, RecoveryPlace, Report, Target, View } from "../bindings";
import { CLOSED, DRIVES, OPEN, overview } from "./mock-drives";

export { DRIVES };

/** What the mock takes for the password where a run begins in the middle. */
export const PASSWORD = "tundra jelly brick";

/** What the mock suggests. */
export const PASSPHRASE = "hefty lunch birder unlit shrub";

/** The mock's recovery key. */
export const GROUPS = [
  "cbdefghi",
  "jklnrtuv",
  "vutrnlkj",
  "ihgfedbc",
  "bcdfghjk",
  "nrtuvcbd",
  "ehgknlru",
  "ttbgfcve",
];

/** Its check letters. */
export const CHECKS = ["hk", "tr", "bn", "vd", "cl", "ju", "ef", "gi"];

/** The practice drive. */
export const TARGET: Target = {
  id: "/home/anna/.local/share/latchkey/practice/practice.img",
  name: "practice.img",
  size: 268_435_456,
  content: "vfat",
  practice: true,
  judged: OPEN,
};

/** A drive of the computer, chosen. */
export const BUILT_IN: Target = {
  id: "/dev/sda1",
  name: "SanDisk Extreme Portable",
  size: 500_106_813_440,
  content: "ext4",
  practice: false,
  judged: OPEN,
};

const PROCESSOR = "AMD Ryzen 7 7840U";

/** Everything is well. */
export const CHECK: Check = {
  conditions: [
    { code: "readable", outcome: "pass", reason: { code: "can-be-read", args: {} } },
    { code: "not-in-use", outcome: "pass", reason: { code: "free", args: {} } },
    { code: "writable", outcome: "pass", reason: { code: "can-be-written", args: {} } },
    { code: "one-volume", outcome: "pass", reason: { code: "one-volume", args: {} } },
    { code: "not-encrypted", outcome: "pass", reason: { code: "no-encryption-found", args: {} } },
    { code: "file-system-known", outcome: "pass", reason: { code: "file-system-known", args: { content: "vfat" } } },
    { code: "large-enough", outcome: "pass", reason: { code: "large-enough", args: { size: `${TARGET.size}` } } },
    { code: "room", outcome: "pass", reason: { code: "room-grow", args: { needed: "16777216" } } },
    { code: "aes-instructions", outcome: "pass", reason: { code: "aes-there", args: { processor: PROCESSOR } } },
    { code: "memory", outcome: "pass", reason: { code: "memory-enough", args: { size: "16000000000" } } },
    {
      code: "hardware-encryption",
      outcome: "unknown",
      reason: { code: "hardware-not-asked", args: {} },
      evidence: "no security command was sent",
    },
  ],
  method: "software",
  reasons: [
    { code: "software-everywhere", args: {} },
    { code: "software-fast", args: { processor: PROCESSOR } },
  ],
  room: { code: "room-grow", args: { needed: "16777216" } },
  able: [],
};

/** What a drive was asked that could encrypt by itself. */
export const ABLE: Condition[] = [
  { code: "security-commands", outcome: "pass", reason: { code: "can-be-read", args: {} }, evidence: "OACS bit 0" },
  { code: "opal-2", outcome: "unknown", reason: { code: "could-not-look", args: {} } },
  { code: "uefi", outcome: "fail", reason: { code: "could-not-look", args: {} } },
];

/** It is mounted. */
export const CHECK_FAILED: Check = {
  ...CHECK,
  conditions: CHECK.conditions.map((condition) =>
    condition.code === "not-in-use"
      ? { ...condition, outcome: "fail", reason: { code: "mounted", args: { place: "/media/anna/Photos" } } }
      : condition,
  ),
  method: null,
  reasons: [],
};

/** Looked at before anything happens. */
export const CONDITIONS: Condition[] = [
  { code: "power", outcome: "pass", reason: { code: "power-mains", args: {} } },
];

/** Where a copy may be put. */
export const PLACES: RecoveryPlace[] = [{ path: "/media/anna/KINGSTON", name: "KINGSTON", free: 15_400_000_000 }];

const figures = (tests: [string, number][], spread: number): BenchFigures => ({
  tests: tests.map(([name, rate]) => ({ name, rate, low: rate * (1 - spread), high: rate * (1 + spread) })),
  cipher_rate: 4_210_000_000,
  kdf_seconds: 1.9,
});

/** Measured before. */
export const BENCH_BEFORE = figures(
  [
    ["seq1m-q1t1-read", 1_840_000_000],
    ["seq1m-q1t1-write", 1_210_000_000],
    ["rnd4k-q1t1-read", 61_000_000],
    ["rnd4k-q1t1-write", 142_000_000],
  ],
  0.06,
);

/** Measured after: nothing that could be told from chance. */
export const BENCH_AFTER = figures(
  [
    ["seq1m-q1t1-read", 1_790_000_000],
    ["seq1m-q1t1-write", 1_190_000_000],
    ["rnd4k-q1t1-read", 58_000_000],
    ["rnd4k-q1t1-write", 144_000_000],
  ],
  0.06,
);

/** The end of a practice run. */
export const REPORT: Report = {
  judged: CLOSED,
  method: "software",
  cipher: "aes-xts-plain64",
  key_bits: 512,
  sector_size: 4096,
  seconds: 6.4,
  bytes: TARGET.size,
  key_id: "K7QF",
  copies: [{ kind: "stick", place: "KINGSTON" }],
  rescue: "/media/anna/KINGSTON/latchkey-rescue-K7QF.img",
  uuid: "7a1e8a1c-5f7b-4f4e-8d55-8a3f6c7b9e10",
  files: { total: 24, same: 24 },
};

/** Before anything has been done. */
export const START: View = {
  step: "drives",
  done: [],
  can_go_back: false,
  can_go_on: false,
  blocked: null,
  fault: null,
  notice: null,
  job: null,
  overview: overview(DRIVES),
  target: null,
  check: null,
  space: null,
  method: null,
  methods: [],
  before: { backup_confirmed: false, conditions: [], estimate_s: null },
  password: { set: false },
  recovery: { key_id: null, groups: null, group_checks: null, copies: [], places: [] },
  rescue: { written: null, verified: false, skipped: false },
  bench_before: null,
  test_start: { passed: false, wrong: 0, power_off: false },
  encrypt: { begun: false, finished: false, progress: null, needs_password: false, power_off: false },
  bench_after: null,
  report: null,
};
