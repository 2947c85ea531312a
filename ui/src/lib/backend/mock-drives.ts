import type { Computer, DataPlace, Drive, Judged, Offer, Overview, Verdict } from "../bindings";

const judged = (verdict: Verdict, code: string, gets: string, next: string, args = {}): Judged => ({
  verdict,
  reason: { code, args },
  gets,
  next,
});

export const OPEN = judged("not_protected", "plain", "everything", "encrypt");
export const CLOSED = judged("protected", "luks2", "nothing", "keep-key", { cipher: "aes-xts-plain64" });
const READABLE = judged("not_protected", "drive-readable", "everything", "look-at-volumes");
const STARTING = judged("not_protected", "for-starting", "start-files", "nothing");
const SYSTEM = judged("not_protected", "plain", "everything", "encrypt-system");
const HIDDEN = judged("unknown", "needs-rights-noted", "unknown", "as-administrator", { content: "ext4" });
const HALF = judged("converting", "converting-encrypt", "rest", "resume", { percent: "42" });
const CLEAR_KEY = judged("suspended", "bitlocker-clear-key", "key-beside", "bitlocker-resume");
const LOCKED = judged("locked", "bitlocker", "unknown", "ask-windows");

type Kind = Pick<Drive, "bus" | "removable" | "rotational" | "system">;
const BUILT_IN: Kind = { bus: "nvme", removable: false, rotational: false, system: true };
const STICK: Kind = { bus: "usb", removable: true, rotational: false, system: false };

const CIPHER = { cipher: { value: "aes-xts-plain64", origin: "the header at byte 0" } };

interface Part {
  id: string;
  size: number;
  content: string;
  label?: string;
  mounts?: string[];
  judged: Judged;
}

function drive(path: string, name: string, size: number, kind: Kind, parts: Part[], whole?: Judged): Drive {
  return {
    path,
    name,
    size,
    ...kind,
    volumes: parts.map(({ id, size, content, label, mounts = [], judged }) => ({
      id,
      size,
      content,
      label: label ?? null,
      uuid: null,
      mounts,
      in_use: mounts.length > 0,
      judged,
      ...(content === "luks2" ? { facts: CIPHER } : {}),
    })),
    judged: whole ?? parts[0]?.judged ?? READABLE,
  };
}

/** A drive without partitions. */
function bare(path: string, name: string, size: number, content: string, verdict: Judged, kind = STICK): Drive {
  return drive(path, name, size, kind, [{ id: path, size, content, judged: verdict }], verdict);
}

const efi = (id: string): Part => ({ id, size: 536_870_912, content: "vfat", label: "EFI", mounts: ["/boot/efi"], judged: STARTING });

/** The drive that the system runs from. */
function builtIn(content: string, system: Judged, whole: Judged): Drive {
  const root = { id: "/dev/nvme0n1p2", size: 999_667_000_000, content, mounts: ["/"], judged: system };
  return drive("/dev/nvme0n1", "Samsung SSD 990 PRO", 1_000_204_886_016, BUILT_IN, [efi("/dev/nvme0n1p1"), root], whole);
}

/** What the computer of the mock has. */
export const DRIVES: Drive[] = [
  builtIn("ext4", SYSTEM, READABLE),
  drive(
    "/dev/sda",
    "SanDisk Extreme Portable",
    500_107_862_016,
    STICK,
    [{ id: "/dev/sda1", size: 500_106_813_440, content: "ext4", label: "Photos", judged: OPEN }],
    READABLE,
  ),
  bare("/dev/sdb", "WD My Passport", 2_000_365_289_472, "luks2", CLOSED, { ...STICK, rotational: true }),
];

/** A stick that is plugged in later. */
export const LATER = drive(
  "/dev/sdc",
  "Kingston DataTraveler",
  15_500_000_000,
  STICK,
  [{ id: "/dev/sdc1", size: 15_499_000_000, content: "vfat", label: "KINGSTON", judged: OPEN }],
  READABLE,
);

const LONG = "A portable drive whose maker, reseller and owner have each added something to its name in turn";

const NINE: Drive[] = [
  ...DRIVES,
  LATER,
  bare("/dev/sdd", "Crucial X9", 1_000_204_886_016, "luks2", HALF),
  bare("/dev/sde", "Intenso cs-ultra", 64_000_000_000, "BitLocker", CLEAR_KEY),
  bare("/dev/sdf", "Toshiba Canvio", 4_000_787_030_016, "BitLocker", LOCKED),
  drive("/dev/sdg", "Seagate Expansion", 5_000_981_078_016, STICK, [
    { id: "/dev/sdg1", size: 2_500_000_000_000, content: "ext4", label: "Films", judged: OPEN },
    { id: "/dev/sdg2", size: 2_500_000_000_000, content: "ext4", label: "Music", mounts: ["/media/anna/Music"], judged: { ...OPEN, next: "unmount-and-encrypt" } },
  ], READABLE),
  bare("/dev/mmcblk0", "SD card", 32_000_000_000, "ext4", HIDDEN, { ...STICK, bus: "mmc" }),
];

const places = (...found: [DataPlace["kind"], string, string, Judged][]): DataPlace[] =>
  found.map(([kind, place, content, judged]) => ({ kind, place, content, volumes: [], judged }));

const PLAIN_PLACES = places(
  ["system", "/", "ext4", SYSTEM],
  ["swap", "/swapfile", "swap", judged("not_protected", "swap", "memory", "encrypt-swap")],
  ["removable", "/dev/sda1", "ext4", OPEN],
  ["removable", "/dev/sdb", "luks2", CLOSED],
);

const OPEN_COMPUTER: Computer = {
  judged: judged("not_protected", "computer-open", "everything", "look-at-places", { open: "3", count: "4" }),
  places: PLAIN_PLACES,
};

const FOR_STARTING = judged("protected", "drive-protected-starting", "nothing", "keep-key");

const SAFE: Drive[] = [builtIn("luks2", CLOSED, FOR_STARTING)];

const UNSEEN: Drive[] = [builtIn("ext4", HIDDEN, judged("unknown", "drive-unknown", "unknown", "look-at-volumes"))];

const UNSEEN_COMPUTER: Computer = {
  judged: judged("unknown", "computer-needs-rights", "unknown", "as-administrator"),
  places: places(["system", "/", "ext4", HIDDEN]),
};

/** Puts drives together with what can be done about them, as the program does. */
export function overview(drives: Drive[], computer: Computer | null = OPEN_COMPUTER): Overview {
  const offers: { [key in string]: Offer } = {};
  const all: Offer[] = [];
  for (const drive of drives) {
    const found = drive.volumes.flatMap(({ id, judged }): Offer[] => {
      if (drive.system || !["encrypt", "unmount-and-encrypt", "resume"].includes(judged.next)) return [];
      const offer: Offer = { kind: judged.next === "resume" ? "resume" : "encrypt", path: id };
      offers[id] = offer;
      return [offer];
    });
    for (const { id, content, judged } of drive.volumes) {
      if (!drive.system && content === "luks2" && judged.verdict === "protected") offers[id] = { kind: "manage", path: id };
    }
    const [only, ...more] = found;
    if (only) offers[drive.path] = more.length > 0 ? { kind: "look" } : only;
    all.push(...found);
  }
  const hidden = drives.flatMap(({ volumes }) => volumes).filter(({ judged }) => judged.next === "as-administrator");
  const [only, ...more] = all;
  return {
    computer,
    drives,
    offer: only ? (more.length > 0 ? { kind: "look" } : only) : null,
    offers,
    reminders: {},
    rights: { hidden: hidden.length, can_ask: hidden.length > 0, granted: false },
    fault: null,
  };
}

/** What the page can look like, by name. `null`: the first look is not over. */
export const OVERVIEWS: Record<string, Overview | null> = {
  looking: null,
  none: overview([], null),
  one: overview(DRIVES.slice(1, 2), null),
  nine: overview(NINE),
  long: overview(
    [
      { ...DRIVES[1]!, name: LONG },
      { ...DRIVES[2]!, name: LONG.replaceAll(" ", "-") },
    ],
    null,
  ),
  safe: overview(SAFE, {
    judged: judged("protected", "computer-protected", "nothing", "keep-key"),
    places: places(["system", "/", "ext4", CLOSED], ["swap", "/swapfile", "swap", CLOSED], ["start", "/boot/efi", "vfat", STARTING]),
  }),
  partly: overview([...SAFE, LATER], {
    judged: judged("partly_protected", "computer-removable-open", "removable", "look-at-places"),
    places: places(["system", "/", "ext4", CLOSED], ["removable", "/dev/sdc1", "vfat", OPEN]),
  }),
  rights: overview(UNSEEN, UNSEEN_COMPUTER),
  "rights-not-here": {
    ...overview(UNSEEN, UNSEEN_COMPUTER),
    rights: { hidden: 1, can_ask: false, granted: false },
  },
  unreadable: {
    ...overview([], null),
    fault: {
      code: "drives-unreadable",
      kind: "failed",
      args: { path: "/proc/self/mountinfo" },
      detail: "Permission denied (os error 13)",
    },
  },
};

/** After the right to look at everything was given. */
export const LOOKED: Overview = {
  ...overview(SAFE, OVERVIEWS["safe"]?.computer ?? null),
  rights: { hidden: 0, can_ask: false, granted: true },
};
