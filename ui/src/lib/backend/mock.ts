import type { Backend } from "../backend";
import type { Action, BenchFigures, Care, Drive, Fault, Judged, ManageState, NativeAction, Progress, Step, StepId, Strength, View } from "../bindings";
import { phasesOf, STEPS } from "../steps";
import type { Locale } from "../texts/catalogue";
import { ABLE, BENCH_AFTER, BENCH_BEFORE, BUILT_IN, CHECK, CHECK_FAILED, compared, CONDITIONS, GROUPS } from "./mock-data";
import { CHECKS, CODE, MANAGE, PASSPHRASE, PASSWORD, PLACES, REPORT, TARGET, START } from "./mock-data";
import { nativeDoes, nativeState, PRACTICE_NATIVE } from "./mock-native";
import { SYSTEM_TARGET, systemState } from "./mock-system";
import { DRIVES, LATER, LOOKED, OVERVIEWS, overview } from "./mock-drives";

/** How the mock begins. */
export interface Start {
  /** At this step, with everything before it done. */
  step?: Step;
  /** A special state of that step; see `special`. */
  state?: string;
  locale?: Locale;
  /** Milliseconds between two reports of a job; 0 in tests. */
  tick?: number;
}

/** Stands in no other file, so that a look at the bundle can tell whether this one is in it. */
export const MARK = "latchkey-mock";

/** The mock as the address wants it: `?step=encrypt&state=paused&lang=de`. */
export function mockOfAddress(address: URL): Mock {
  const asked = (name: string) => address.searchParams.get(name) ?? undefined;
  document.documentElement.dataset["backend"] = MARK;
  const mock = new Mock({
    step: STEPS.find((step) => step === asked("step")),
    state: asked("state"),
    locale: asked("lang") === "de" ? "de" : "en",
    tick: Number(asked("tick") ?? 200),
  });
  // `?stick`: one is plugged in after two seconds.
  if (asked("stick") !== undefined) setTimeout(() => mock.see([...DRIVES, LATER]), 2000);
  return mock;
}

/** A drive that encrypts by itself, and was seen to lock. */
const LOCKS_ITSELF: Judged = {
  verdict: "protected",
  reason: { code: "own-lock-seen", args: {} },
  gets: "nothing-by-drive",
  next: "keep-key",
};

/** A wizard that encrypts nothing: a scripted practice run with the real one's steps and reasons. */
export class Mock implements Backend {
  /** Every action, for tests. Passwords are left out. */
  readonly acts: Action["kind"][] = [];
  /** What was done with a drive that is looked after. */
  readonly cares: Care["what"][] = [];
  /** What was done with a volume that its own system encrypts. */
  readonly natives: NativeAction["what"][] = [];
  private state: View;
  private language: Locale;
  private readonly tick: number;
  private password: string | null = null;
  private viewListener: (view: View) => void = () => {};
  private progressListener: (progress: Progress) => void = () => {};
  private paused = false;
  private broken = false;

  constructor({ step = "drives", state, locale = "en", tick = 200 }: Start = {}) {
    this.language = locale;
    this.tick = tick;
    this.state = at(step);
    if (STEPS.indexOf(step) > STEPS.indexOf("password")) this.password = PASSWORD;
    if (state) this.special(state);
    if (state !== undefined && state in OVERVIEWS) this.change({ overview: OVERVIEWS[state] ?? null });
  }

  view(): Promise<View> {
    return Promise.resolve(this.snapshot());
  }

  act(action: Action): Promise<View> {
    this.acts.push(action.kind);
    this.change({ fault: null, notice: null });
    this.handle(action);
    return Promise.resolve(this.snapshot());
  }

  ratePassword(password: string): Promise<Strength> {
    const score = Math.min(4, Math.floor(password.length / 4));
    return Promise.resolve({
      score,
      guesses_log10: password.length * 0.9,
      weaknesses: score < 3 ? [{ code: "password-guessable", args: {} }] : [],
      typing: /[äöüß]/.test(password) ? [{ code: "password-layout-non-ascii", args: {} }] : [],
      acceptable: score >= 3,
    });
  }

  suggestPassphrase(): Promise<string> {
    return Promise.resolve(PASSPHRASE);
  }

  pickImage(): Promise<string | null> {
    return Promise.resolve("/home/anna/usb-stick.img");
  }

  pickSheet(): Promise<string | null> {
    return Promise.resolve("/home/anna/Scans/scan-0001.pdf");
  }

  pickFolder(): Promise<string | null> {
    return Promise.resolve("/media/anna/BACKUP/latchkey");
  }

  locale(): Promise<Locale> {
    return Promise.resolve(this.language);
  }

  setLocale(locale: Locale): Promise<void> {
    this.language = locale;
    return Promise.resolve();
  }

  onView(listener: (view: View) => void): Promise<void> {
    this.viewListener = listener;
    return Promise.resolve();
  }

  onProgress(listener: (progress: Progress) => void): Promise<void> {
    this.progressListener = listener;
    return Promise.resolve();
  }

  private handle(action: Action): void {
    const { state } = this;
    switch (action.kind) {
      case "refresh":
        return;
      case "look_as_administrator":
        return this.job("check", 2, () => this.change({ overview: LOOKED }));
      case "practice":
        return this.job("write", 8, () => this.chosen(true));
      case "practice_hardware":
        return this.job("write", 8, () => {
          this.chosen(true);
          this.change({ check: { ...CHECK, method: "hardware" }, method: "hardware", methods: [] });
        });
      case "choose_method":
        return this.job("check", 2, () => {
          const check = state.check && { ...state.check, method: action.method };
          this.change({ check, method: action.method, sleep: action.method === "hardware" ? state.sleep : null });
        });
      case "give_back":
        this.state = at("drives");
        return this.change({ notice: { code: "notice-given-back", args: {} } });
      case "choose":
        if (action.path === SYSTEM_TARGET.id || action.path === DRIVES[0]?.path) {
          return this.job("check", 3, () => this.change({ ...systemState("system"), report: null }));
        }
        return this.job("check", 3, () => this.chosen(false));
      case "back":
        return this.go(-1);
      case "next":
        if (state.step === "password" && state.recovery.groups === null) {
          return this.job("derive_key", 6, () => {
            const recovery = { ...state.recovery, key_id: "K7QF", groups: GROUPS, group_checks: CHECKS, code: CODE };
            this.change({ recovery: { ...recovery, places: PLACES } });
            this.go(1);
          });
        }
        if (state.step === "bench_after") {
          return this.job("verify", 3, () => {
            this.change({ report: { ...REPORT, copies: this.state.recovery.copies } });
            this.go(1);
          });
        }
        return this.go(1);
      case "choose_space":
        return this.change({ space: state.space && { ...state.space, chosen: action.space } });
      case "choose_sleep":
        return this.change({ sleep: state.sleep && { chosen: action.sleep } });
      case "confirm_backup":
        return this.change({ before: { ...state.before, backup_confirmed: action.confirmed } });
      case "accept": {
        const accepted = (state.system?.accepted ?? []).filter((code) => code !== action.code);
        if (action.accepted) accepted.push(action.code);
        return this.change({ system: state.system && { ...state.system, accepted } });
      }
      case "ask_again":
        return this.job("check", 3, () => this.change({ ...systemState("system"), report: null }));
      case "write_stick":
        return this.job("write", 10, () => {
          this.change({ rescue: { written: action.typed, verified: true, skipped: false } });
        });
      case "restart":
        return this.change({ notice: { code: "notice-system-restarts", args: {} } });
      case "power_off":
        return this.change({ notice: { code: "notice-system-goes-off", args: {} } });
      case "take_back":
        return this.change({ ...systemState("system"), report: null, step: "check", notice: { code: "notice-system-undone", args: {} } });
      case "decrypt":
        return this.change({ ...systemState("system-back"), report: null, step: "encrypt" });
      case "set_password":
        this.password = action.password;
        return this.change({ password: { set: true } });
      case "export_recovery":
        return this.job("write", 4, () => {
          const place = PLACES.find(({ path }) => path === action.folder);
          this.proven(place ? "stick" : "folder", place?.name ?? action.folder);
        });
      case "export_page":
        return this.job("write", 4, () => {
          const place = PLACES.find(({ path }) => path === action.folder);
          this.proven(place ? "stick" : "folder", place?.name ?? action.folder);
        });
      case "read_recovery":
        return this.job("verify", 4, () => this.proven("scan", action.file));
      case "type_recovery":
        return this.job("derive_key", 4, () => {
          if (action.key === GROUPS.join("-")) this.proven("paper", "");
          else this.failed({ code: "recovery-check", kind: "wrong_secret", args: { groups: "3" }, detail: null });
        });
      case "write_rescue":
        return this.job("write", 10, () => {
          const written = `${action.folder}/latchkey-rescue-K7QF.img`;
          this.change({ rescue: { written, verified: true, skipped: false } });
        });
      case "skip_rescue":
        return this.change({ rescue: { ...state.rescue, skipped: true } });
      case "measure":
        return this.job("benchmark", 20, () => {
          this.change(
            this.state.step === "bench_before"
              ? { bench_before: BENCH_BEFORE }
              : { bench_after: BENCH_AFTER, bench_compared: this.state.bench_before && compared(this.state.bench_before, BENCH_AFTER) },
          );
        });
      case "save_bench":
        return this.change({ bench_saved: `${action.folder}/latchkey-bench-2026-12-02.html` });
      case "skip_measure":
        this.broken = state.job !== null;
        this.skipped.add(state.step);
        return this.change({});
      case "test_start":
        return this.job("derive_key", 4, () => this.tried(action.password));
      case "encrypt":
        return this.encrypt(action.password);
      case "pause":
        this.paused = true;
        if (state.system) this.change(systemState("system-paused") ?? {});
        return;
      case "resume":
        this.paused = false;
        if (state.system) this.change(systemState("system-running") ?? {});
        return;
      case "start_over":
        this.state = at("drives");
        return this.change({});
      case "manage":
        return this.job("check", 2, () => this.change({ manage: MANAGE }));
      case "care":
        return this.care(action.care);
      case "practice_native":
      case "open_native":
        return this.job("check", 3, () => this.change({ native: PRACTICE_NATIVE }));
      case "native":
        return this.native(action.native);
      case "leave":
        return this.change({ manage: null, native: null });
    }
  }

  private readonly skipped = new Set<Step>();

  private care(care: Care): void {
    const done = (code: string, change: Partial<ManageState> = {}, args = {}) =>
      this.change({ manage: this.state.manage && { ...this.state.manage, ...change }, notice: { code: `notice-${code}`, args } });
    const keys = this.state.manage?.keys ?? [];
    const proven = { key_id: "K7QF" };
    this.cares.push(care.what);
    return this.job(care.what === "turn_off" ? "decrypt" : "derive_key", 3, () => {
      switch (care.what) {
        case "open":
          if (care.secret !== PASSWORD) return this.failed({ code: "luks-wrong-secret", kind: "wrong_secret", args: {}, detail: null });
          return this.change({ manage: this.state.manage && { ...this.state.manage, opened: keys[0] ?? null } });
        case "change_password":
          return done("password-changed");
        case "add_password":
          return done("password-added", { keys: [...keys, { keyslot: 3, kind: "password" }] });
        case "remove_key":
          return done("key-removed", { keys: keys.filter(({ keyslot }) => keyslot !== care.keyslot) });
        case "new_recovery":
          return done("new-key", { copies: MANAGE.copies.slice(0, 1), ...proven }, { keyid: "K7QF" });
        case "check_typed":
        case "check_sheet":
          return done("key-opens", proven, { keyid: "K7QF" });
        case "copy_recovery":
          return done("copy-made", {}, { keyid: "K7QF" });
        case "backup_header":
          return done("header-saved", {}, { path: `${care.folder}/latchkey-header-${MANAGE.uuid}-2026-12-02.img` });
        case "enroll":
          return done("enrolled", { keys: [...keys, { keyslot: 4, kind: care.chip }] });
        case "turn_off":
        case "erase":
          this.state = at("drives");
          return this.change({ notice: { code: care.what === "erase" ? "notice-erased" : "notice-turned-off", args: {} } });
      }
    });
  }

  private native(action: NativeAction): void {
    this.natives.push(action.what);
    return this.job(action.what === "turn_off" ? "decrypt" : "check", 2, () => {
      const { native } = this.state;
      if (!native) return;
      const { native: change, fault, notice } = nativeDoes(native, action);
      this.change({ native: { ...native, ...change } });
      if (fault) this.failed(fault);
      if (notice) this.change({ notice: { code: notice, args: {} } });
    });
  }

  /** What the system does meanwhile, as it is seen a second later. */
  nativeStands(state: string): void {
    this.change(nativeState(state) ?? {});
    this.viewListener(this.snapshot());
  }

  private chosen(practice: boolean): void {
    this.change({
      target: practice ? TARGET : BUILT_IN,
      check: CHECK,
      before: { backup_confirmed: false, conditions: CONDITIONS, estimate_s: null },
    });
  }

  private proven(kind: string, place: string): void {
    const { recovery } = this.state;
    this.change({ recovery: { ...recovery, copies: [...recovery.copies, { kind, place }] } });
  }

  private tried(password: string): void {
    const right = password === this.password;
    const wrong = right ? 0 : this.state.test_start.wrong + 1;
    this.change({ test_start: { passed: right, wrong, power_off: false } });
    if (!right) this.failed({ code: "wizard-password-wrong", kind: "wrong_secret", args: { tries: `${wrong}` }, detail: null });
  }

  private encrypt(password: string | null): void {
    if (this.state.system) return this.change(systemState("system-running") ?? {});
    const { encrypt } = this.state;
    if (encrypt.needs_password && password !== this.password) {
      return this.job("derive_key", 3, () => {
        this.failed({ code: "wizard-password-wrong", kind: "wrong_secret", args: { tries: "1" }, detail: null });
      });
    }
    this.change({ encrypt: { ...encrypt, begun: true, needs_password: false } });
    const done = () => this.change({ encrypt: { ...this.state.encrypt, begun: true, finished: true } });
    const first = encrypt.progress?.done ?? 0;
    return this.job("encrypt", 60, done, TARGET.size, first);
  }

  private failed(fault: Fault): void {
    this.change({ fault });
  }

  private go(steps: number): void {
    const { step, system } = this.state;
    const way = phasesOf(system !== null).flatMap(({ steps }) => steps);
    this.change({ step: way[way.indexOf(step) + steps] ?? step });
  }

  /** What happens outside of the window: something is plugged in or pulled out. */
  see(drives: Drive[]): void {
    this.change({ overview: overview(drives) });
    this.viewListener(this.snapshot());
  }

  /** Runs a job of so many reports. The end comes as an event, as in the real program. */
  private job(step: StepId, reports: number, end: () => void, total = 0, first = 0): void {
    const bytes = total > 0;
    let done = first;
    const whole = bytes ? total : reports;
    const chunk = bytes ? Math.ceil(total / reports) : 1;
    const progress = (): Progress => ({
      version: 1,
      step,
      done,
      total: whole,
      unit: bytes ? "bytes" : "steps",
      rate: bytes ? 182_000_000 : null,
      eta_s: bytes && !this.paused ? Math.ceil((whole - done) / 1_820_000) : null,
      paused: this.paused,
    });
    this.broken = false;
    this.change({ job: { progress: progress(), can_pause: step === "encrypt" } });
    const report = () => {
      if (!this.paused) done = Math.min(whole, done + chunk);
      if (done >= whole || this.broken) {
        if (!this.broken) end();
        this.change({ job: null });
        this.viewListener(this.snapshot());
        return;
      }
      const now = progress();
      if (this.state.job) this.state = { ...this.state, job: { ...this.state.job, progress: now } };
      if (step === "encrypt") this.state = { ...this.state, encrypt: { ...this.state.encrypt, progress: now } };
      this.progressListener(now);
      setTimeout(report, this.tick);
    };
    setTimeout(report, this.tick);
  }

  private change(change: Partial<View>): void {
    this.state = { ...this.state, ...change };
  }

  /** What the real program answers: plain data, a copy, with the reason that blocks "Next". */
  private snapshot(): View {
    const code = this.blocked();
    const { state } = this;
    return structuredClone({
      ...state,
      can_go_on: code === null,
      blocked: code === null ? null : { code, args: {} },
      can_go_back:
        state.job === null &&
        state.step !== "drives" &&
        state.step !== "bench_after" &&
        !(state.step === "encrypt" && state.encrypt.begun) &&
        (state.system === null || state.system.can_undo || ["check", "before", "password", "recovery"].includes(state.step)) &&
        !(state.step === "encrypt" && state.system),
      recovery: state.step === "recovery" ? state.recovery : { ...state.recovery, groups: null, group_checks: null, code: null },
    });
  }

  private blocked(): string | null {
    const { state } = this;
    if (state.job) return "blocked-job";
    switch (state.step) {
      case "drives":
        return state.target ? null : "blocked-no-target";
      case "check":
        if (!state.check?.method) return "blocked-check";
        return state.sleep?.chosen === null ? "blocked-sleep" : null;
      case "before":
        if (!state.before.backup_confirmed) return "blocked-backup";
        return this.warned() ? "blocked-accept" : null;
      case "password":
        return state.password.set ? null : "blocked-password";
      case "recovery":
        return state.recovery.copies.length > 0 ? null : "blocked-recovery";
      case "rescue":
        return state.rescue.verified || state.rescue.skipped ? null : "blocked-rescue";
      case "bench_before":
        return state.bench_before || this.skipped.has("bench_before") ? null : "blocked-bench";
      case "test_start":
        if (state.system) return state.system.standing?.phase.phase === "untouched" ? null : "blocked-restart";
        return state.test_start.passed ? null : "blocked-test-start";
      case "encrypt":
        return state.encrypt.finished ? null : "blocked-encrypt";
      case "bench_after":
        return state.bench_after || this.skipped.has("bench_after") ? null : "blocked-bench";
      case "report":
        return "blocked-end";
    }
  }

  /** A warning that nobody has accepted. */
  private warned(): boolean {
    const { system, check } = this.state;
    if (!system || !check) return false;
    return check.conditions.some(({ code, outcome }) => outcome === "warn" && !system.accepted.includes(code));
  }

  /** States that take a while to come to by hand, for pictures and tests. */
  private special(state: string): void {
    const half: Progress = {
      version: 1,
      step: "encrypt",
      done: Math.round(TARGET.size * 0.42),
      total: TARGET.size,
      unit: "bytes",
      rate: 182_000_000,
      eta_s: 190,
      paused: state !== "running",
    };
    const encrypt = { begun: true, finished: false, progress: half, needs_password: false, power_off: false };
    const measured = (figures: BenchFigures) =>
      this.state.step === "bench_before"
        ? { bench_before: figures }
        : { bench_after: figures, bench_compared: compared(BENCH_BEFORE, figures) };
    const states: Record<string, Partial<View>> = {
      done: {
        check: { ...CHECK_FAILED, conditions: CHECK.conditions },
        target: { ...BUILT_IN, judged: REPORT.judged },
      },
      fault: {
        fault: {
          code: "device-io",
          kind: "failed",
          args: { offset: "4096000000", operation: "read" },
          detail: "Input/output error (os error 5)",
        },
      },
      space: { space: { chosen: "used", advised: "used", free: 312_000_000_000 }, target: BUILT_IN },
      able: { check: { ...CHECK, able: ABLE }, target: BUILT_IN },
      fail: { check: CHECK_FAILED, target: BUILT_IN },
      real: { target: BUILT_IN },
      confirmed: { before: { ...this.state.before, backup_confirmed: true } },
      proven: {
        recovery: { ...this.state.recovery, copies: [{ kind: "stick", place: "KINGSTON" }, { kind: "paper", place: "" }] },
      },
      "no-places": { recovery: { ...this.state.recovery, places: [] } },
      written: {
        rescue: { written: "/media/anna/KINGSTON/latchkey-rescue-K7QF.img", verified: true, skipped: false },
      },
      measured: measured(this.state.step === "bench_before" ? BENCH_BEFORE : BENCH_AFTER),
      slower: measured({ ...BENCH_AFTER, tests: BENCH_BEFORE.tests.map(slowed) }),
      wrong: { test_start: { passed: false, wrong: 2, power_off: false } },
      // The drive encrypts by itself.
      hardware: {
        method: "hardware",
        methods: ["hardware", "software"],
        check: { ...CHECK, method: "hardware" },
        report: this.state.report && { ...REPORT, judged: LOCKS_ITSELF, method: "hardware", cipher: "", key_bits: 0, sector_size: 0 },
      },
      // It would lock itself in deep sleep.
      sleep: {
        target: BUILT_IN,
        method: "hardware",
        methods: ["hardware", "software"],
        check: { ...CHECK, method: "hardware" },
        sleep: { chosen: null },
      },
      passed: { test_start: { passed: true, wrong: 0, power_off: false } },
      running: { encrypt, job: { progress: half, can_pause: true } },
      paused: { encrypt, job: { progress: half, can_pause: true } },
      stopped: { encrypt: { ...encrypt, needs_password: true }, notice: { code: "notice-interrupted", args: {} } },
      outside: { encrypt, notice: { code: "notice-paused-outside", args: {} } },
      finished: { encrypt: { ...encrypt, finished: true, progress: { ...half, done: TARGET.size } } },
      manage: { manage: MANAGE },
      "manage-open": { manage: { ...MANAGE, opened: MANAGE.keys[0] ?? null } },
      "manage-recovery": { manage: { ...MANAGE, opened: MANAGE.keys[1] ?? null, key_id: "K7QF", copies: [], chips: [] } },
      "manage-turning": { manage: { ...MANAGE, opened: MANAGE.keys[0] ?? null, turning_off: { ...half, step: "decrypt" } } },
      "manage-fault": {
        manage: MANAGE,
        fault: { code: "luks-wrong-secret", kind: "wrong_secret", args: {}, detail: null },
      },
      remind: {
        overview: {
          ...overview(DRIVES.slice(1, 3), null),
          reminders: { "/dev/sdb": { code: "copy-not-tried", args: { day: "2025-03-14" } } },
        },
      },
    };
    this.change(systemState(state) ?? nativeState(state) ?? states[state] ?? {});
  }
}

function slowed(test: BenchFigures["tests"][number]): BenchFigures["tests"][number] {
  const by = test.name.startsWith("rnd") ? 0.82 : 0.99;
  return { ...test, rate: test.rate * by, low: test.low * by, high: test.high * by };
}

/** The state at a step, with everything before it done. */
function at(step: Step): View {
  const past = (other: Step) => STEPS.indexOf(step) > STEPS.indexOf(other);
  const begun = past("drives");
  return {
    ...START,
    step,
    done: STEPS.slice(0, STEPS.indexOf(step)),
    target: begun ? TARGET : null,
    check: begun ? CHECK : null,
    before: {
      backup_confirmed: past("before"),
      conditions: begun ? CONDITIONS : [],
      estimate_s: past("bench_before") ? 205 : null,
    },
    password: { set: past("password") },
    recovery: past("password")
      ? {
          key_id: "K7QF",
          groups: GROUPS,
          group_checks: CHECKS,
          code: CODE,
          copies: past("recovery") ? [{ kind: "stick", place: "KINGSTON" }] : [],
          places: PLACES,
        }
      : START.recovery,
    rescue: past("rescue")
      ? { written: "/media/anna/KINGSTON/latchkey-rescue-K7QF.img", verified: true, skipped: false }
      : START.rescue,
    bench_before: past("bench_before") ? BENCH_BEFORE : null,
    test_start: { passed: past("test_start"), wrong: 0, power_off: false },
    encrypt: { begun: past("encrypt"), finished: past("encrypt"), progress: null, needs_password: false, power_off: false },
    bench_after: past("bench_after") ? BENCH_AFTER : null,
    bench_compared: past("bench_after") ? compared(BENCH_BEFORE, BENCH_AFTER) : null,
    report: past("bench_after") ? REPORT : null,
  };
}
