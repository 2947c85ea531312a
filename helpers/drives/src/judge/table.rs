//! The tables of rules, and nothing else. They are read from above: the first line whose words are true
//! decides. Each line has what was seen, in words; the same as a condition; the verdict; and the codes of
//! three sentences: why, what somebody with the drive in hand gets, and what to do next. The sentences
//! themselves are in the catalogue (`reason-…`, `gets-…`, `next-…`).

use Verdict::{Converting, Locked, NotProtected, PartlyProtected, Protected, Suspended, Unknown};
use model::Verdict;

use super::{Beneath, ByDrive, Facts, Format, Health, Own, Places, Report, Rule, Sight, Volumes, Way};

/// One volume: a partition, a drive without partitions, an image.
#[rustfmt::skip] // A table is read by its columns.
pub(super) static VOLUME_RULES: &[Rule<Facts>] = &[
    // What could not be seen stays unknown, whatever is known from hearsay.
    Rule { words: "reading was not permitted, but the system noted earlier what is there",
           fits: |f| f.sight == Sight::NoRights && !f.content.is_empty(),
           verdict: Unknown, reason: "needs-rights-noted", gets: "unknown", next: "as-administrator" },
    Rule { words: "reading was not permitted",
           fits: |f| f.sight == Sight::NoRights,
           verdict: Unknown, reason: "needs-rights", gets: "unknown", next: "as-administrator" },
    Rule { words: "reading failed",
           fits: |f| f.sight == Sight::Failed,
           verdict: Unknown, reason: "not-readable", gets: "unknown", next: "check-drive" },

    // LUKS, from the worst to the best.
    Rule { words: "a LUKS header that is damaged in every copy",
           fits: |f| luks(f) && f.header == Health::Damaged,
           verdict: Unknown, reason: "luks-damaged", gets: "unknown", next: "repair-header" },
    Rule { words: "a LUKS header that demands something newer",
           fits: |f| luks(f) && f.header == Health::Newer,
           verdict: Unknown, reason: "luks-newer", gets: "unknown", next: "newer-program" },
    Rule { words: "LUKS2 on the way from plain to encrypted",
           fits: |f| is(f, Format::Luks2) && goes(f, Way::Encrypt),
           verdict: Converting, reason: "converting-encrypt", gets: "rest", next: "resume" },
    Rule { words: "LUKS2 on the way from encrypted to plain",
           fits: |f| is(f, Format::Luks2) && goes(f, Way::Decrypt),
           verdict: Converting, reason: "converting-decrypt", gets: "rest", next: "resume" },
    Rule { words: "LUKS2 on the way from one key to another",
           fits: |f| is(f, Format::Luks2) && goes(f, Way::Reencrypt),
           verdict: Converting, reason: "converting-reencrypt", gets: "old-key", next: "resume-cryptsetup" },
    Rule { words: "LUKS1 on the way to another key or cipher",
           fits: |f| is(f, Format::Luks1) && f.conversion.is_some(),
           verdict: Converting, reason: "luks1-converting", gets: "old-key", next: "resume-cryptsetup" },
    Rule { words: "LUKS with a cipher that does nothing",
           fits: |f| luks(f) && null_cipher(f),
           verdict: NotProtected, reason: "null-cipher", gets: "everything", next: "backup-and-encrypt" },
    Rule { words: "LUKS that no password opens",
           fits: |f| luks(f) && f.keyslots == Some(0),
           verdict: Unknown, reason: "luks-no-keyslot", gets: "unknown", next: "restore-header" },
    Rule { words: "a LUKS header whose data lie elsewhere, and all of them have a cipher",
           fits: |f| luks(f) && f.header_only && sealed(f),
           verdict: Protected, reason: "luks-header-only", gets: "header", next: "keep-header" },
    Rule { words: "LUKS2 that leaves encrypting to the drive alone, a keyslot that opens it",
           fits: |f| is(f, Format::Luks2) && f.by_drive == Some(ByDrive::Alone) && f.keyslots.is_some(),
           verdict: Protected, reason: "luks2-by-drive", gets: "nothing-by-drive", next: "keep-key" },
    Rule { words: "LUKS2, every part encrypted, by the drive as well",
           fits: |f| is(f, Format::Luks2) && f.by_drive == Some(ByDrive::Also) && sealed(f),
           verdict: Protected, reason: "luks2-both", gets: "nothing", next: "keep-key" },
    Rule { words: "LUKS2, one copy of the header damaged",
           fits: |f| is(f, Format::Luks2) && sealed(f) && f.header == Health::OneCopy,
           verdict: Protected, reason: "luks2-one-copy", gets: "nothing", next: "repair-header" },
    Rule { words: "LUKS2, every part encrypted, a keyslot that opens it",
           fits: |f| is(f, Format::Luks2) && sealed(f),
           verdict: Protected, reason: "luks2", gets: "nothing", next: "keep-key" },
    Rule { words: "LUKS1 with a cipher",
           fits: |f| is(f, Format::Luks1) && f.cipher.is_some(),
           verdict: Protected, reason: "luks1", gets: "nothing", next: "keep-key" },
    Rule { words: "LUKS of which too little could be read",
           fits: luks,
           verdict: Unknown, reason: "luks-unclear", gets: "unknown", next: "look-with-cryptsetup" },

    // BitLocker (Windows).
    Rule { words: "BitLocker on the way from plain to encrypted, how far is seen",
           fits: |f| is(f, Format::BitLocker) && goes(f, Way::Encrypt) && percent(f),
           verdict: Converting, reason: "bitlocker-encrypting", gets: "rest", next: "bitlocker-wait" },
    Rule { words: "BitLocker on the way from encrypted to plain, how far is seen",
           fits: |f| is(f, Format::BitLocker) && goes(f, Way::Decrypt) && percent(f),
           verdict: Converting, reason: "bitlocker-decrypting", gets: "rest", next: "bitlocker-wait" },
    Rule { words: "BitLocker on its way",
           fits: |f| is(f, Format::BitLocker) && f.conversion.is_some(),
           verdict: Converting, reason: "bitlocker-converting", gets: "rest", next: "bitlocker-wait" },
    Rule { words: "BitLocker whose data are plain",
           fits: |f| is(f, Format::BitLocker) && f.whole == Some(false),
           verdict: NotProtected, reason: "bitlocker-plain", gets: "everything", next: "bitlocker-on" },
    Rule { words: "BitLocker whose key lies openly beside the data",
           fits: |f| is(f, Format::BitLocker) && f.clear_key == Some(true),
           verdict: Suspended, reason: "bitlocker-clear-key", gets: "key-beside", next: "bitlocker-resume" },
    Rule { words: "BitLocker, all encrypted by a method that is known, and every key needs a secret",
           fits: |f| is(f, Format::BitLocker) && f.whole == Some(true) && f.cipher.is_some(),
           verdict: Protected, reason: "bitlocker-whole", gets: "nothing", next: "keep-key" },
    Rule { words: "BitLocker",
           fits: |f| is(f, Format::BitLocker),
           verdict: Locked, reason: "bitlocker", gets: "unknown", next: "ask-windows" },

    // FileVault (macOS).
    Rule { words: "FileVault 2 on its way",
           fits: |f| is(f, Format::OtherEncryption) && f.conversion.is_some(),
           verdict: Converting, reason: "filevault-converting", gets: "rest", next: "mac-wait" },
    Rule { words: "a CoreStorage volume whose data are plain",
           fits: |f| is(f, Format::OtherEncryption) && f.whole == Some(false),
           verdict: NotProtected, reason: "corestorage-plain", gets: "everything", next: "mac-filevault" },
    Rule { words: "FileVault 2, all encrypted, and it needs a secret",
           fits: |f| is(f, Format::OtherEncryption) && f.whole == Some(true),
           verdict: Protected, reason: "filevault-whole", gets: "nothing", next: "keep-key" },
    Rule { words: "a CoreStorage volume of which too little could be read",
           fits: |f| is(f, Format::OtherEncryption),
           verdict: Locked, reason: "other-encryption", gets: "unknown", next: "ask-its-system" },
    Rule { words: "an APFS volume on its way",
           fits: |f| is(f, Format::SelfEncrypting) && f.own == Some(Own::Converting),
           verdict: Converting, reason: "apfs-converting", gets: "rest", next: "mac-wait" },
    Rule { words: "APFS whose volumes with data are all encrypted; a Mac that opens by itself looks the same",
           fits: |f| is(f, Format::SelfEncrypting) && f.own == Some(Own::All),
           verdict: Locked, reason: "apfs-encrypted", gets: "unknown", next: "ask-its-system" },
    Rule { words: "APFS with an encrypted and a plain volume",
           fits: |f| is(f, Format::SelfEncrypting) && f.own == Some(Own::Some),
           verdict: PartlyProtected, reason: "apfs-partly", gets: "some", next: "mac-filevault" },
    Rule { words: "APFS without an encrypted volume",
           fits: |f| is(f, Format::SelfEncrypting) && f.own == Some(Own::Nothing),
           verdict: NotProtected, reason: "apfs-plain", gets: "everything", next: "mac-filevault" },
    Rule { words: "a folder whose files are encrypted one by one, on something that is not",
           fits: |f| is(f, Format::SelfEncrypting) && f.own == Some(Own::Folders),
           verdict: PartlyProtected, reason: "encrypted-folder", gets: "names", next: "encrypt-whole" },
    Rule { words: "a file system that may encrypt by itself",
           fits: |f| is(f, Format::SelfEncrypting),
           verdict: Unknown, reason: "self-encrypting", gets: "unknown", next: "ask-its-system" },

    // Encryption without a header of its own: what lies under it looks like nothing.
    Rule { words: "opened without a header on it, with a cipher that does nothing",
           fits: |f| (f.opened_plain || f.opened_detached) && null_cipher(f),
           verdict: NotProtected, reason: "null-cipher", gets: "everything", next: "backup-and-encrypt" },
    Rule { words: "opened with a header that lies elsewhere, with a cipher",
           fits: |f| f.opened_detached && f.cipher.is_some(),
           verdict: Protected, reason: "detached-header", gets: "nothing", next: "keep-header" },
    Rule { words: "opened as plain dm-crypt with a cipher",
           fits: |f| f.opened_plain && f.cipher.is_some(),
           verdict: Protected, reason: "plain-dm-crypt", gets: "nothing", next: "nothing" },
    Rule { words: "opened without a header on it, the cipher not to be seen",
           fits: |f| f.opened_plain || f.opened_detached,
           verdict: Unknown, reason: "plain-dm-crypt-unseen", gets: "unknown", next: "as-administrator" },

    // Not encrypted.
    Rule { words: "plain swap with the memory of a system that sleeps",
           fits: |f| is(f, Format::Hibernated),
           verdict: NotProtected, reason: "hibernated", gets: "memory", next: "wake-and-shut-down" },
    Rule { words: "plain swap",
           fits: |f| is(f, Format::Swap),
           verdict: NotProtected, reason: "swap", gets: "memory", next: "encrypt-swap" },
    Rule { words: "a plain file system with the rest of an older encryption header",
           fits: |f| is(f, Format::FileSystem) && f.leftover,
           verdict: NotProtected, reason: "plain-leftover", gets: "everything", next: "clear-leftover" },
    Rule { words: "a plain Windows file system with the memory of a Windows that sleeps",
           fits: |f| is(f, Format::FileSystem) && f.windows_sleeps,
           verdict: NotProtected, reason: "windows-hibernated", gets: "everything-and-memory", next: "wake-and-shut-down" },
    Rule { words: "a file system with folders that may be encrypted one by one",
           fits: |f| is(f, Format::FileSystem) && f.own == Some(Own::Folders),
           verdict: PartlyProtected, reason: "plain-folders", gets: "outside-folders", next: "encrypt-whole" },
    Rule { words: "a plain file system that is there for starting",
           fits: |f| is(f, Format::FileSystem) && f.for_starting,
           verdict: NotProtected, reason: "for-starting", gets: "start-files", next: "nothing" },
    Rule { words: "a plain file system of the running system",
           fits: |f| is(f, Format::FileSystem) && f.system,
           verdict: NotProtected, reason: "plain", gets: "everything", next: "encrypt-system" },
    Rule { words: "a plain file system in use",
           fits: |f| is(f, Format::FileSystem) && f.in_use,
           verdict: NotProtected, reason: "plain", gets: "everything", next: "unmount-and-encrypt" },
    Rule { words: "a plain file system",
           fits: |f| is(f, Format::FileSystem),
           verdict: NotProtected, reason: "plain", gets: "everything", next: "encrypt" },

    // Members of something larger: what was made of them decides.
    Rule { words: "a member of which nothing is active",
           fits: |f| is(f, Format::Member) && f.inside.is_empty(),
           verdict: Unknown, reason: "member-inactive", gets: "unknown", next: "activate-member" },
    Rule { words: "everything that is made of the member is protected",
           fits: |f| is(f, Format::Member) && all(&f.inside, &[Protected]),
           verdict: Protected, reason: "member-protected", gets: "nothing", next: "keep-key" },
    Rule { words: "nothing that is made of the member is protected",
           fits: |f| is(f, Format::Member) && all(&f.inside, &[NotProtected]),
           verdict: NotProtected, reason: "member-plain", gets: "everything", next: "encrypt-member" },
    Rule { words: "a part of what is made of the member is converting",
           fits: |f| is(f, Format::Member) && any(&f.inside, &[Converting]),
           verdict: Converting, reason: "member-converting", gets: "rest", next: "look-inside" },
    Rule { words: "some of what is made of the member is readable",
           fits: |f| is(f, Format::Member) && any(&f.inside, READABLE),
           verdict: PartlyProtected, reason: "member-partly", gets: "some", next: "look-inside" },
    Rule { words: "what is made of the member is closed or not to be seen",
           fits: |f| is(f, Format::Member),
           verdict: Unknown, reason: "member-unclear", gets: "unknown", next: "look-inside" },

    Rule { words: "a drive or image with partitions",
           fits: |f| is(f, Format::Partitions),
           verdict: Unknown, reason: "partitions", gets: "unknown", next: "choose-partition" },
    Rule { words: "traces of several formats, or a damaged one",
           fits: |f| is(f, Format::Unclear),
           verdict: Unknown, reason: "unclear", gets: "unknown", next: "check-file-system" },
    Rule { words: "zeros",
           fits: |f| is(f, Format::Blank),
           verdict: Unknown, reason: "blank", gets: "nothing-there", next: "encrypt" },
    Rule { words: "nothing that is known, and it looks like noise",
           fits: |f| f.looks_random,
           verdict: Unknown, reason: "looks-random", gets: "unknown", next: "think-of-veracrypt" },
    Rule { words: "anything else",
           fits: |_| true,
           verdict: Unknown, reason: "nothing-known", gets: "unknown", next: "think-of-veracrypt" },
];

/// A drive, from its volumes.
#[rustfmt::skip]
pub(super) static DRIVE_RULES: &[Rule<Volumes>] = &[
    Rule { words: "nothing on it that could be judged",
           fits: |v| v.verdicts.is_empty(),
           verdict: Unknown, reason: "drive-empty", gets: "nothing-there", next: "nothing" },
    Rule { words: "everything protected, apart from what is needed for starting",
           fits: |v| all(&v.verdicts, &[Protected]) && v.starting > 0,
           verdict: Protected, reason: "drive-protected-starting", gets: "nothing", next: "keep-key" },
    Rule { words: "everything protected",
           fits: |v| all(&v.verdicts, &[Protected]),
           verdict: Protected, reason: "drive-protected", gets: "nothing", next: "keep-key" },
    Rule { words: "a conversion on one of them",
           fits: |v| any(&v.verdicts, &[Converting]),
           verdict: Converting, reason: "drive-converting", gets: "rest", next: "look-at-volumes" },
    Rule { words: "one of them suspended",
           fits: |v| any(&v.verdicts, &[Suspended]),
           verdict: Suspended, reason: "drive-suspended", gets: "key-beside", next: "look-at-volumes" },
    Rule { words: "some readable, some not",
           fits: |v| any(&v.verdicts, &[NotProtected, PartlyProtected]) && any(&v.verdicts, &[Protected, Locked, PartlyProtected]),
           verdict: PartlyProtected, reason: "drive-partly", gets: "some", next: "look-at-volumes" },
    Rule { words: "some readable, the others unknown",
           fits: |v| any(&v.verdicts, &[NotProtected]),
           verdict: NotProtected, reason: "drive-readable", gets: "everything", next: "look-at-volumes" },
    Rule { words: "everything closed",
           fits: |v| all(&v.verdicts, &[Locked, Protected]),
           verdict: Locked, reason: "drive-locked", gets: "unknown", next: "look-at-volumes" },
    Rule { words: "anything else",
           fits: |_| true,
           verdict: Unknown, reason: "drive-unknown", gets: "unknown", next: "look-at-volumes" },
];

/// A place (what is mounted, swap) that lies on several devices, some of which are encrypted.
#[rustfmt::skip]
pub(super) static PLACE_RULES: &[Rule<Beneath>] = &[
    Rule { words: "every device beneath it protected",
           fits: |b| b.verdicts.iter().all(|verdict| *verdict == Some(Protected)),
           verdict: Protected, reason: "beneath-protected", gets: "nothing", next: "keep-key" },
    Rule { words: "a device beneath it converting",
           fits: |b| beneath(b, Converting),
           verdict: Converting, reason: "beneath-converting", gets: "rest", next: "look-at-volumes" },
    Rule { words: "a device beneath it suspended",
           fits: |b| beneath(b, Suspended),
           verdict: Suspended, reason: "beneath-suspended", gets: "key-beside", next: "look-at-volumes" },
    Rule { words: "a device beneath it plain, another protected",
           fits: |b| readable_beneath(b) && (beneath(b, Protected) || beneath(b, PartlyProtected)),
           verdict: PartlyProtected, reason: "beneath-partly", gets: "some", next: "encrypt-rest" },
    Rule { words: "a device beneath it plain",
           fits: readable_beneath,
           verdict: NotProtected, reason: "beneath-plain", gets: "everything", next: "encrypt-rest" },
    Rule { words: "anything else",
           fits: |_| true,
           verdict: Unknown, reason: "beneath-unknown", gets: "unknown", next: "look-at-volumes" },
];

/// The computer, from every place where a person's data can lie. What is only there for starting does
/// not count.
#[rustfmt::skip]
pub(super) static COMPUTER_RULES: &[Rule<Places>] = &[
    Rule { words: "no place that could be judged",
           fits: |p| p.own().is_empty(),
           verdict: Unknown, reason: "computer-nothing", gets: "unknown", next: "as-administrator" },
    Rule { words: "a conversion under way",
           fits: |p| any(&p.own(), &[Converting]),
           verdict: Converting, reason: "computer-converting", gets: "rest", next: "look-at-places" },
    Rule { words: "protection suspended somewhere",
           fits: |p| any(&p.own(), &[Suspended]),
           verdict: Suspended, reason: "computer-suspended", gets: "key-beside", next: "look-at-places" },
    Rule { words: "the files protected, but swap or the memory of a sleeping system readable",
           fits: |p| all(&p.files, &[Protected]) && any(&p.memory, READABLE),
           verdict: PartlyProtected, reason: "computer-memory-open", gets: "memory", next: "encrypt-swap" },
    Rule { words: "some places readable, others protected",
           fits: |p| any(&p.own(), READABLE) && any(&p.own(), &[Protected, PartlyProtected]),
           verdict: PartlyProtected, reason: "computer-partly", gets: "some", next: "look-at-places" },
    Rule { words: "places readable, and none protected",
           fits: |p| any(&p.own(), READABLE),
           verdict: NotProtected, reason: "computer-open", gets: "everything", next: "look-at-places" },
    Rule { words: "its own drives protected, but one that can be pulled out readable",
           fits: |p| all(&p.own(), &[Protected]) && any(&p.removable, READABLE_OR_OPEN),
           verdict: PartlyProtected, reason: "computer-removable-open", gets: "removable", next: "look-at-places" },
    Rule { words: "its own drives protected, but of one that can be pulled out nothing is known",
           fits: |p| all(&p.own(), &[Protected]) && any(&p.removable, &[Unknown]),
           verdict: Unknown, reason: "computer-removable-unknown", gets: "unknown", next: "look-at-places" },
    Rule { words: "every place protected",
           fits: |p| all(&p.own(), &[Protected]),
           verdict: Protected, reason: "computer-protected", gets: "nothing", next: "keep-key" },
    Rule { words: "every place protected or closed",
           fits: |p| all(&p.own(), &[Protected, Locked]),
           verdict: Locked, reason: "computer-locked", gets: "unknown", next: "look-at-places" },
    Rule { words: "a place that could not be read for want of rights",
           fits: |p| p.without_rights > 0,
           verdict: Unknown, reason: "computer-needs-rights", gets: "unknown", next: "as-administrator" },
    Rule { words: "anything else",
           fits: |_| true,
           verdict: Unknown, reason: "computer-unknown", gets: "unknown", next: "look-at-places" },
];

/// What a public tool printed, where that is not told by a volume's facts.
#[rustfmt::skip]
pub(super) static REPORT_RULES: &[Rule<Report>] = &[
    Rule { words: "nothing in it is the output of a known tool",
           fits: |r| *r == Report::NotRecognised,
           verdict: Unknown, reason: "not-recognised", gets: "unknown", next: "use-known-tool" },
    Rule { words: "a document that is not whole",
           fits: |r| *r == Report::CutOff,
           verdict: Unknown, reason: "output-cut-off", gets: "unknown", next: "whole-output" },
    Rule { words: "not enough of it came, or was said",
           fits: |r| *r == Report::TooLittle,
           verdict: Unknown, reason: "output-too-little", gets: "unknown", next: "whole-output" },
    Rule { words: "two of its statements cannot both be true",
           fits: |r| *r == Report::Contradiction,
           verdict: Unknown, reason: "output-contradicts", gets: "unknown", next: "ask-again" },
    Rule { words: "words that are not known",
           fits: |r| *r == Report::UnknownWords,
           verdict: Unknown, reason: "output-words", gets: "unknown", next: "ask-in-english" },
    Rule { words: "words of several languages: no system printed this",
           fits: |r| *r == Report::MixedWords,
           verdict: Unknown, reason: "output-mixed", gets: "unknown", next: "ask-again" },
    Rule { words: "the system had no answer",
           fits: |r| *r == Report::NoAnswer,
           verdict: Unknown, reason: "tool-no-answer", gets: "unknown", next: "ask-its-system" },
    Rule { words: "the system wants administrator rights",
           fits: |r| *r == Report::NeedsRights,
           verdict: Unknown, reason: "needs-rights", gets: "unknown", next: "as-administrator" },
    Rule { words: "listed, and not looked into",
           fits: |r| *r == Report::NotLookedInto,
           verdict: Unknown, reason: "not-looked-into", gets: "unknown", next: "look-with-blkid" },
    Rule { words: "only who can open it was said",
           fits: |r| *r == Report::OnlyProtectors,
           verdict: Unknown, reason: "only-protectors", gets: "unknown", next: "whole-output" },
    Rule { words: "BitLocker waits for a restart before it begins",
           fits: |r| *r == Report::TestPending,
           verdict: NotProtected, reason: "bitlocker-test-pending", gets: "everything", next: "restart" },
    Rule { words: "BitLocker is off",
           fits: |r| *r == Report::BitLockerOff,
           verdict: NotProtected, reason: "bitlocker-off", gets: "everything", next: "bitlocker-on" },
    Rule { words: "FileVault is on, and nothing is left to be encrypted",
           fits: |r| *r == Report::FileVaultOn,
           verdict: Protected, reason: "filevault-on", gets: "nothing", next: "keep-key" },
    Rule { words: "FileVault is off",
           fits: |r| *r == Report::FileVaultOff,
           verdict: NotProtected, reason: "filevault-off", gets: "everything", next: "mac-filevault" },
    Rule { words: "encrypted by the computer without anybody's secret",
           fits: |r| *r == Report::AtRestOnly,
           verdict: NotProtected, reason: "at-rest-only", gets: "everything", next: "mac-filevault" },
    Rule { words: "FileVault is on, and the volume is closed",
           fits: |r| *r == Report::FileVaultLocked,
           verdict: Locked, reason: "filevault-locked", gets: "unknown", next: "ask-its-system" },
    Rule { words: "FileVault was switched on a moment ago",
           fits: |r| *r == Report::JustEnabled,
           verdict: Unknown, reason: "filevault-just-enabled", gets: "unknown", next: "ask-again" },
    Rule { words: "LUKS on its way, and how far was not told",
           fits: |r| *r == Report::LuksConverting,
           verdict: Converting, reason: "luks-converting", gets: "rest", next: "resume-cryptsetup" },
    Rule { words: "a LUKS signature, and nothing about its header",
           fits: |r| *r == Report::LuksSignature,
           verdict: Locked, reason: "luks-signature", gets: "unknown", next: "look-with-cryptsetup" },
    Rule { words: "LUKS2 that leaves encrypting to the drive",
           fits: |r| *r == Report::LuksByDrive,
           verdict: Protected, reason: "luks2-by-drive", gets: "nothing-by-drive", next: "keep-key" },
    Rule { words: "a layer of encryption that is open",
           fits: |r| *r == Report::CryptLayer,
           verdict: Protected, reason: "crypt-layer", gets: "nothing", next: "keep-key" },
    Rule { words: "the drive's own lock is closed",
           fits: |r| *r == Report::OwnLockClosed,
           verdict: Locked, reason: "own-lock-closed", gets: "unknown", next: "own-lock-open-it" },
    Rule { words: "the drive could lock, and nobody has set that up",
           fits: |r| *r == Report::OwnLockUnused,
           verdict: NotProtected, reason: "own-lock-unused", gets: "everything", next: "own-lock-or-software" },
    Rule { words: "the drive's lock is set up, and open now",
           fits: |r| *r == Report::OwnLockOpen,
           verdict: Unknown, reason: "own-lock-open", gets: "unknown", next: "power-off-test" },
    Rule { words: "the drive locks without encrypting",
           fits: |r| *r == Report::OwnLockPyrite,
           verdict: NotProtected, reason: "own-lock-pyrite", gets: "everything", next: "encrypt" },
    Rule { words: "the drive's encryption is known to be weak",
           fits: |r| *r == Report::OwnLockWeak,
           verdict: NotProtected, reason: "own-lock-weak", gets: "everything", next: "encrypt" },
    Rule { words: "the drive has no lock",
           fits: |r| *r == Report::OwnLockNone,
           verdict: NotProtected, reason: "own-lock-none", gets: "everything", next: "encrypt" },
    Rule { words: "whether the drive has a lock could not be seen",
           fits: |r| *r == Report::OwnLockNotSeen,
           verdict: Unknown, reason: "own-lock-not-seen", gets: "unknown", next: "encrypt" },
    Rule { words: "a lock for servers",
           fits: |r| *r == Report::OwnLockEnterprise,
           verdict: Unknown, reason: "own-lock-enterprise", gets: "unknown", next: "encrypt" },
];

/// Whoever has the drive reads at least a part.
pub(super) const READABLE: &[Verdict] = &[NotProtected, PartlyProtected, Suspended];
const READABLE_OR_OPEN: &[Verdict] = &[NotProtected, PartlyProtected, Suspended, Converting];

fn is(facts: &Facts, format: Format) -> bool {
    facts.format == format
}

fn luks(facts: &Facts) -> bool {
    is(facts, Format::Luks2) || is(facts, Format::Luks1)
}

/// Every part has a cipher, and there is a keyslot.
fn sealed(facts: &Facts) -> bool {
    facts.cipher.is_some() && facts.keyslots.is_some()
}

fn goes(facts: &Facts, way: Way) -> bool {
    facts.conversion.is_some_and(|conversion| conversion.way == way)
}

fn percent(facts: &Facts) -> bool {
    facts.conversion.is_some_and(|conversion| conversion.percent.is_some())
}

/// `cipher_null` leaves the data as they are.
fn null_cipher(facts: &Facts) -> bool {
    facts.cipher.as_deref().is_some_and(|cipher| cipher.contains("null"))
}

fn all(verdicts: &[Verdict], of: &[Verdict]) -> bool {
    !verdicts.is_empty() && verdicts.iter().all(|verdict| of.contains(verdict))
}

fn any(verdicts: &[Verdict], of: &[Verdict]) -> bool {
    verdicts.iter().any(|verdict| of.contains(verdict))
}

fn beneath(beneath: &Beneath, verdict: Verdict) -> bool {
    beneath.verdicts.contains(&Some(verdict))
}

/// Nothing encrypts one of the devices, or what does so leaves it readable.
fn readable_beneath(beneath: &Beneath) -> bool {
    beneath.verdicts.iter().any(|verdict| matches!(verdict, None | Some(NotProtected | PartlyProtected)))
}
