import type { Condition, Fault, NativeAction, NativeKey, NativeSeen, NativeState, Reason, View } from "../bindings";
import { PLACES } from "./mock-data";

/** As `bitlocker::WITH_A_WAY_OUT`. */
const WITH_A_WAY_OUT = [
  "bitlocker-state-known",
  "bitlocker-edition",
  "bitlocker-recovery-allowed",
  "bitlocker-tpm",
  "bitlocker-uefi",
  "bitlocker-unlock-allowed",
];

const reason = (code: string): Reason => ({ code, args: {} });
const pass = (code: string): Condition => ({ code, outcome: "pass", reason: reason("bitlocker-condition-met") });
const not = (code: string, outcome: "fail" | "warn" = "fail"): Condition => ({
  code,
  outcome,
  reason: reason(outcome === "warn" ? "bitlocker-condition-not-ideal" : WITH_A_WAY_OUT.includes(code) ? `${code}-not-met` : "bitlocker-condition-not-met"),
});

const CONDITIONS = [
  "bitlocker-state-known",
  "bitlocker-edition",
  "bitlocker-recovery-allowed",
  "bitlocker-directory",
  "bitlocker-sticks-writable",
  "bitlocker-tpm",
  "bitlocker-uefi",
  "bitlocker-secure-boot",
  "bitlocker-unlock-allowed",
].map(pass);

const PLAIN: NativeSeen = {
  judged: { verdict: "not_protected", reason: reason("bitlocker-off"), gets: "", next: "bitlocker-begin" },
  stand: "plain",
  share: null,
  conditions: CONDITIONS,
  able: [not("bitlocker-edrive-opal"), not("bitlocker-edrive-1667"), pass("bitlocker-edrive-uefi")],
  reasons: [reason("bitlocker-off")],
  method: "software",
  hardware: false,
  asks: "nothing",
  asks_off: "nothing",
  can_pause: true,
  can_restart: true,
};

/** As it stands otherwise: there is nothing to be begun. */
function stands(
  stand: NativeSeen["stand"],
  verdict: NativeSeen["judged"]["verdict"],
  code: string,
  next: string,
  share: number | null = null,
): NativeSeen {
  const none = { conditions: [], able: [], reasons: [], method: null };
  return { ...PLAIN, ...none, stand, share, judged: { verdict, reason: reason(code), gets: "", next } };
}

const RESTART = stands("restart", "not_protected", "bitlocker-test-pending", "bitlocker-restart");
const ENCRYPTING = stands("encrypting", "converting", "bitlocker-encrypting", "bitlocker-wait", 420_000);
const PAUSED = stands("paused", "converting", "bitlocker-paused", "bitlocker-resume", 420_000);
const DECRYPTING = stands("decrypting", "converting", "bitlocker-decrypting", "bitlocker-wait", 420_000);
const SUSPENDED = stands("suspended", "suspended", "bitlocker-suspended", "bitlocker-resume-protection");
const OPEN = stands("open", "suspended", "bitlocker-not-activated", "bitlocker-activate");
const PROTECTED = stands("protected", "protected", "bitlocker-on", "bitlocker-nothing");
const UNCLEAR = stands("unclear", "unknown", "bitlocker-unknown", "bitlocker-ask");
// What the reasons of a conversion are given.
for (const { judged } of [ENCRYPTING, DECRYPTING]) judged.reason.args = { percent: "42" };

/** Fits no drive. */
export const NATIVE_KEY: NativeKey = {
  id: "4A2B9C1D-0000-4000-8000-000000000000",
  groups: ["236687", "095975", "421234", "640233", "178651", "365013", "522929", "088044"],
};

const BITLOCKER: NativeState = {
  name: "C:",
  by: "bitlocker",
  practice: true,
  seen: PLAIN,
  wish: { pin: false, used_space_only: false, hardware: false },
  key: null,
  proven: false,
  copies: [],
  places: PLACES,
};

const REAL: NativeState = { ...BITLOCKER, practice: false };
const COPIES = [{ kind: "stick", place: "KINGSTON" }];
const PROVEN: NativeState = { ...BITLOCKER, proven: true, copies: COPIES };
const EDITION = CONDITIONS.map((one) => (one.code === "bitlocker-edition" ? not(one.code) : one));
const TPM = CONDITIONS.map((one) =>
  one.code === "bitlocker-tpm" ? not(one.code) : one.code === "bitlocker-secure-boot" ? not(one.code, "warn") : one,
);
const MAC: NativeState = {
  ...REAL,
  name: "/",
  by: "filevault",
  seen: {
    ...PLAIN,
    judged: { verdict: "not_protected", reason: reason("filevault-at-rest"), gets: "", next: "filevault-begin" },
    conditions: ["filevault-software", "filevault-off", "filevault-token"].map((code) => ({
      code,
      outcome: "pass" as const,
      reason: reason("filevault-condition-met"),
    })),
    able: [],
    reasons: [reason("filevault-at-rest")],
    asks: "login",
    asks_off: "login",
    can_pause: false,
    can_restart: false,
  },
};
const macStands = (seen: NativeSeen): NativeState => ({ ...MAC, seen: { ...seen, asks_off: "login", can_pause: false, can_restart: false } });

const FAILED: Fault = { code: "bitlocker-test-failed", kind: "failed", args: { code: "0x8031003F" }, detail: null };
const STALE: Fault = {
  code: "bitlocker-stale-key",
  kind: "wrong_secret",
  args: { keyid: "4A2B9C1D-0000-4000-8000-000000000000" },
  detail: null,
};

const at = (state: NativeState, seen: Partial<NativeSeen> = {}): Partial<View> => ({
  native: { ...state, seen: state.seen && { ...state.seen, ...seen } },
});

/** Each state of the page, before the first step. */
const STATES: Record<string, Partial<View>> = {
  native: at(BITLOCKER),
  "native-key": at({ ...BITLOCKER, key: NATIVE_KEY }),
  "native-proven": at(PROVEN),
  "native-pin": at({ ...PROVEN, wish: { ...PROVEN.wish, pin: true } }, { asks: "new_pin" }),
  "native-hardware": at(REAL, { hardware: true }),
  "native-home": at(REAL, { conditions: EDITION, method: null }),
  "native-no-tpm": at(REAL, { conditions: TPM, method: null }),
  "native-restart": at(PROVEN, RESTART),
  "native-restart-by-hand": at(REAL, { ...RESTART, can_restart: false }),
  "native-encrypting": at(PROVEN, ENCRYPTING),
  "native-paused": at(PROVEN, PAUSED),
  "native-decrypting": at(REAL, DECRYPTING),
  "native-suspended": at(REAL, SUSPENDED),
  "native-open": at(REAL, OPEN),
  "native-protected": at({ ...PROVEN, proven: false }, PROTECTED),
  "native-unclear": at(REAL, UNCLEAR),
  "native-look": at({ ...REAL, seen: null }),
  "native-failed": {
    ...at(BITLOCKER, { judged: { ...PLAIN.judged, reason: { code: "bitlocker-test-failed", args: { code: "0x8031003F" } } } }),
    fault: FAILED,
  },
  "native-stale": { ...at({ ...REAL, copies: COPIES }, PROTECTED), fault: STALE },
  "native-mac": at(MAC),
  "native-mac-protected": at(
    macStands(stands("protected", "protected", "filevault-is-on", "filevault-nothing")),
  ),
  "native-apfs": at({ ...MAC, name: "disk4s1", by: "apfs" }, { asks: "new_password" }),
};

/** All states of this page. */
export const NATIVE_STATES = Object.keys(STATES);

/** The change for a state of this page; `null`: it is one of the others. */
export function nativeState(state: string): Partial<View> | null {
  return STATES[state] ?? null;
}

/** A practice computer, just made. */
export const PRACTICE_NATIVE = BITLOCKER;

/** What an action comes to: a change of the page, a fault, or a notice. */
export function nativeDoes(state: NativeState, action: NativeAction): { native?: Partial<NativeState>; fault?: Fault; notice?: string } {
  const fault = (code: string, args = {}): { fault: Fault } => ({ fault: { code, kind: "wrong_secret", args, detail: null } });
  const saved = (folder: string) => {
    const place = PLACES.find(({ path }) => path === folder);
    return { kind: place ? "stick" : "folder", place: place?.name ?? folder };
  };
  switch (action.what) {
    case "look":
      return { native: { seen: state.seen ?? PROTECTED } };
    case "wish":
      return { native: { wish: action.wish, seen: state.seen && { ...state.seen, asks: action.wish.pin ? "new_pin" : "nothing" } } };
    case "show_key":
      return { native: { key: NATIVE_KEY } };
    case "save_key":
      return { native: { proven: true, key: null, copies: [...state.copies, saved(action.folder)] } };
    case "type_key":
      if (action.digits.replace(/\D/g, "") !== NATIVE_KEY.groups.join("")) {
        return fault("wizard-recovery-typed-wrong", { groups: "3", count: "1" });
      }
      return { native: { proven: true, key: null, copies: [...state.copies, { kind: "paper", place: "" }] } };
    case "begin":
      if (state.by === "filevault" && action.secret !== "secret") return fault("filevault-wrong-password");
      if (state.by === "bitlocker" && state.seen?.stand === "plain") return { native: { seen: RESTART, key: null } };
      return { native: { seen: PROTECTED, copies: action.folder ? [saved(action.folder)] : state.copies } };
    case "restart":
      return { native: { seen: ENCRYPTING } };
    case "pause":
      return { native: { seen: PAUSED } };
    case "resume":
      return { native: { seen: state.seen?.stand === "suspended" ? PROTECTED : ENCRYPTING } };
    case "check_sheet":
      return { notice: "notice-native-key-opens" };
    case "new_key":
      return { native: { copies: [saved(action.folder)] } };
    case "turn_off":
      return { native: { seen: state.seen?.stand === "restart" ? PLAIN : DECRYPTING, proven: false, copies: [] } };
  }
}
