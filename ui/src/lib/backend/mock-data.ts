import type {
  BenchFigures,
  Check,
  Compared,
  Comparison,
  Condition,
  Conditions,
  ManageState,
  RecoveryPlace,
  Report,
  SheetCode,
  Target,
  TestFigure,
  View,
} from "../bindings";
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
  system: false,
  judged: OPEN,
};

/** A drive of the computer, chosen. */
export const BUILT_IN: Target = {
  id: "/dev/sda1",
  name: "SanDisk Extreme Portable",
  size: 500_106_813_440,
  content: "ext4",
  practice: false,
  system: false,
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

const NOTHING_SEEN: Conditions = {
  when: 1_796_169_600,
  kernel: "6.12.57",
  drive: "Samsung SSD 980 PRO",
  disk: "/dev/nvme0n1",
  device: "nvme0n1p3",
  rotating: false,
  file_system: "ext4",
  fill: 0.61,
  temperature_c: 38,
  power: "mains",
  governor: "schedutil",
  scheduler: "none",
  discard: true,
  trimmed: false,
  idle: null,
  load: 0.21,
  crypt: null,
};

/** The same scatter each time. */
const wave = (index: number) => Math.sin(index * 12.9898) * 0.5 + Math.sin(index * 4.1414) * 0.5;

const figures = (tests: [TestFigure["name"], number, number][], spread: number, us: number): BenchFigures => {
  const bounds = (rate: number) => ({ rate, low: rate * (1 - spread), high: rate * (1 + spread) });
  return {
    tests: tests.map(([name, rate]) => ({ name, ...bounds(rate) })),
    cipher_rate: 4_210_000_000,
    kdf_seconds: 1.9,
    report: {
      version: 2,
      access: "direct",
      encrypted: false,
      file_size: 1 << 26,
      written: 531_000_000,
      seconds: 10.4,
      tests: tests.map(([name, rate, cpu]) => ({
        name,
        ...bounds(rate),
        rounds: [rate],
        latency: { p50_us: us, p99_us: 3 * us },
        cpu_seconds_per_gib: cpu,
        joules_per_gib: null,
      })),
      conditions: NOTHING_SEEN,
      dots: Array.from({ length: 120 }, (_, index) => ({ place: (index * 0.618) % 1, us: us * (1.1 + wave(index) / 3) })),
      curve: Array.from({ length: 50 }, (_, index) => ({ place: index / 49, rate: 3_100_000_000 * (1 + wave(index) / 20) })),
      cipher_rate: 4_210_000_000,
      prediction: {
        brake: "drive",
        tests: tests.map(([name]) => ({ name, low: name.startsWith("rnd") ? 0.74 : 0.93, high: 0.99 })),
      },
    },
  };
};

/** Measured before. */
export const BENCH_BEFORE = figures(
  [
    ["seq1m-q8t1-read", 3_120_000_000, 0.12],
    ["seq1m-q8t1-write", 2_010_000_000, 0.16],
    ["seq1m-q1t1-read", 1_840_000_000, 0.14],
    ["seq1m-q1t1-write", 1_210_000_000, 0.18],
    ["rnd4k-q32t1-read", 812_000_000, 1.3],
    ["rnd4k-q32t1-write", 640_000_000, 1.6],
    ["rnd4k-q1t1-read", 61_000_000, 3.1],
    ["rnd4k-q1t1-write", 142_000_000, 3.4],
  ],
  0.06,
  67,
);

/** Measured after: nothing that could be told from chance. */
export const BENCH_AFTER = figures(
  [
    ["seq1m-q8t1-read", 3_060_000_000, 0.35],
    ["seq1m-q8t1-write", 1_990_000_000, 0.41],
    ["seq1m-q1t1-read", 1_790_000_000, 0.38],
    ["seq1m-q1t1-write", 1_190_000_000, 0.43],
    ["rnd4k-q32t1-read", 801_000_000, 1.9],
    ["rnd4k-q32t1-write", 633_000_000, 2.2],
    ["rnd4k-q1t1-read", 58_000_000, 4.0],
    ["rnd4k-q1t1-write", 144_000_000, 4.2],
  ],
  0.06,
  70,
);

/** As the engine compares, with an interval of the same width for each. */
export function compared(before: BenchFigures, after: BenchFigures): Compared {
  const comparisons = before.tests.map((test, index): Comparison => {
    const now = after.tests[index]?.rate ?? test.rate;
    const ratio = now / test.rate;
    const [ratio_low, ratio_high] = [ratio * 0.94, ratio * 1.06];
    const change = ratio_high < 1 ? "slower" : ratio_low > 1 ? "faster" : "same";
    const name = test.name as Comparison["name"];
    const predicted = before.report?.prediction?.tests.find((line) => line.name === name);
    return {
      name,
      before: test.rate,
      after: now,
      ratio,
      ratio_low,
      ratio_high,
      change,
      sure: change !== "same",
      predicted: predicted ? [predicted.low, predicted.high] : null,
    };
  });
  const overall = comparisons.some(({ change }) => change === "slower") ? "slower" : "same";
  return {
    version: 2,
    comparisons,
    differences: [{ what: "temperature", before: "38.0", after: "52.0" }],
    overall,
  };
}

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

/** The practice drive, looked after. */
export const MANAGE: ManageState = {
  target: { ...TARGET, content: "luks2", judged: CLOSED },
  uuid: REPORT.uuid,
  opened: null,
  keys: [
    { keyslot: 0, kind: "password" },
    { keyslot: 1, kind: "recovery" },
    { keyslot: 2, kind: "password" },
  ],
  copies: [
    {
      key_id: "K7QF",
      copy: { kind: "stick", place: "KINGSTON" },
      made: "2026-12-02",
      proven: "2026-12-02",
      remind: null,
    },
    {
      key_id: "K7QF",
      copy: { kind: "paper", place: "" },
      made: "2025-03-14",
      proven: "2025-03-14",
      remind: { code: "copy-not-tried", args: { day: "2025-03-14" } },
    },
  ],
  key_id: null,
  places: PLACES,
  chips: ["tpm2", "fido2"],
  turning_off: null,
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
  system: null,
  check: null,
  space: null,
  sleep: null,
  method: null,
  methods: [],
  before: { backup_confirmed: false, conditions: [], estimate_s: null },
  password: { set: false },
  recovery: { key_id: null, groups: null, group_checks: null, code: null, copies: [], places: [] },
  rescue: { written: null, verified: false, skipped: false },
  bench_before: null,
  test_start: { passed: false, wrong: 0, power_off: false },
  encrypt: { begun: false, finished: false, progress: null, needs_password: false, power_off: false },
  bench_after: null,
  bench_compared: null,
  bench_writes: 537_000_000,
  bench_saved: null,
  report: null,
  manage: null,
  native: null,
};

/** Not a real code: enough to see where it stands. */
export const CODE: SheetCode = { width: 21, path: "M0 0h7v1h-7zM0 6h7v1h-7zM14 0h7v1h-7zM0 20h7v1h-7zM9 9h3v3h-3z" };
