//! The verdict: from facts to one of seven words, a reason and a next step.
//!
//! All rules stand in two tables, [`VOLUME_RULES`] and [`DRIVE_RULES`]. The first rule whose words fit
//! counts. The last rule of each table fits everything and says "unknown": green is only ever the
//! result of a rule that names what was seen.

use model::{Args, Judged, Reason, Verdict};

/// What was seen on one volume, as far as the rules ask for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether it could be read.
    pub sight: Sight,
    /// What lies on it.
    pub format: Format,
    /// The name of what lies on it, for the sentence (`ext4`).
    pub content: String,
    /// In what state an encryption header is.
    pub header: Health,
    /// Keyslots that a password or key opens. `None`: not to be seen.
    pub keyslots: Option<usize>,
    /// The cipher of the data. `None`: not to be seen.
    pub cipher: Option<String>,
    /// A conversion that is under way.
    pub conversion: Option<Conversion>,
    /// Whether the key lies openly beside the data. `None`: not to be seen.
    pub clear_key: Option<bool>,
    /// Whether the rest of an older encryption header is still there beside what lies here now.
    pub leftover: bool,
    /// Whether something opened it as plain dm-crypt, which leaves no trace on the medium.
    pub opened_plain: bool,
    /// Verdicts of what is made of it: logical volumes, arrays.
    pub inside: Vec<Verdict>,
    /// Whether anything holds it.
    pub in_use: bool,
    /// Whether the running system lies on it.
    pub system: bool,
    /// Whether it is only there for starting the computer (EFI, `/boot`) and holds nobody's data.
    pub for_starting: bool,
}

/// Whether a volume could be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Yes.
    #[default]
    Full,
    /// The system did not permit it.
    NoRights,
    /// The drive reported an error, or another program locks it.
    Failed,
}

/// What lies on a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// LUKS2.
    Luks2,
    /// LUKS1.
    Luks1,
    /// BitLocker.
    BitLocker,
    /// Another encryption that only its own system opens (FileVault, CoreStorage, …).
    OtherEncryption,
    /// A file system.
    FileSystem,
    /// A file system that may encrypt by itself (ZFS, APFS, bcachefs).
    SelfEncrypting,
    /// Swap.
    Swap,
    /// Swap with the memory of a system that sleeps.
    Hibernated,
    /// A member of LVM, an array or a cache: what counts is what is made of it.
    Member,
    /// A drive with partitions, not yet looked into.
    Partitions,
    /// Traces of more than one format, or a damaged one.
    Unclear,
    /// Zeros.
    Blank,
    /// Nothing that is known.
    #[default]
    Unknown,
}

/// In what state an encryption header is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// Whole.
    #[default]
    Good,
    /// One of its copies is damaged; the other one is whole.
    OneCopy,
    /// No copy is whole.
    Damaged,
    /// Whole, but made by something newer than this program.
    Newer,
}

/// A conversion that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Which way.
    pub way: Way,
    /// How much is done, 0 to 100, rounded down.
    pub percent: u8,
    /// Whether this program can go on with it.
    pub ours: bool,
}

/// Which way a conversion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From plain to encrypted.
    Encrypt,
    /// From encrypted to plain.
    Decrypt,
    /// From one key to another.
    Reencrypt,
}

/// One line of a table.
struct Rule<T: 'static> {
    /// For whoever reads the table.
    words: &'static str,
    fits: fn(&T) -> bool,
    verdict: Verdict,
    /// `reason-…` in the catalogue.
    reason: &'static str,
    /// `next-…` in the catalogue.
    next: &'static str,
}

use Verdict::{Converting, Locked, NotProtected, PartlyProtected, Protected, Suspended, Unknown};

#[rustfmt::skip] // A table is read by its columns.
static VOLUME_RULES: &[Rule<Facts>] = &[
    // What could not be seen stays unknown, whatever is known from hearsay.
    Rule { words: "reading was not permitted, but the system noted earlier what is there",
           fits: |f| f.sight == Sight::NoRights && !f.content.is_empty(), verdict: Unknown, reason: "needs-rights-noted", next: "as-administrator" },
    Rule { words: "reading was not permitted",
           fits: |f| f.sight == Sight::NoRights, verdict: Unknown, reason: "needs-rights", next: "as-administrator" },
    Rule { words: "reading failed",
           fits: |f| f.sight == Sight::Failed, verdict: Unknown, reason: "not-readable", next: "check-drive" },

    // LUKS2, from the worst to the best.
    Rule { words: "a LUKS2 header without a whole copy",
           fits: |f| is(f, Format::Luks2) && f.header == Health::Damaged, verdict: Unknown, reason: "luks-damaged", next: "repair-header" },
    Rule { words: "a LUKS2 header that demands something newer",
           fits: |f| is(f, Format::Luks2) && f.header == Health::Newer, verdict: Unknown, reason: "luks-newer", next: "newer-program" },
    Rule { words: "LUKS2 on the way from plain to encrypted",
           fits: |f| goes(f, Way::Encrypt), verdict: Converting, reason: "converting-encrypt", next: "resume" },
    Rule { words: "LUKS2 on the way from encrypted to plain",
           fits: |f| goes(f, Way::Decrypt), verdict: Converting, reason: "converting-decrypt", next: "resume" },
    Rule { words: "LUKS2 on the way from one key to another",
           fits: |f| goes(f, Way::Reencrypt), verdict: Converting, reason: "converting-reencrypt", next: "resume-cryptsetup" },
    Rule { words: "LUKS1 on the way to another key or cipher",
           fits: |f| is(f, Format::Luks1) && f.conversion.is_some(), verdict: Converting, reason: "luks1-converting", next: "resume-cryptsetup" },
    Rule { words: "LUKS with a cipher that does nothing",
           fits: |f| luks(f) && null_cipher(f), verdict: NotProtected, reason: "null-cipher", next: "backup-and-encrypt" },
    Rule { words: "LUKS that no password opens",
           fits: |f| luks(f) && f.keyslots == Some(0), verdict: Unknown, reason: "luks-no-keyslot", next: "restore-header" },
    Rule { words: "LUKS2, one copy of the header damaged",
           fits: |f| is(f, Format::Luks2) && f.cipher.is_some() && f.keyslots.is_some() && f.header == Health::OneCopy,
           verdict: Protected, reason: "luks2-one-copy", next: "repair-header" },
    Rule { words: "LUKS2, every part encrypted, a keyslot that opens it",
           fits: |f| is(f, Format::Luks2) && f.cipher.is_some() && f.keyslots.is_some(), verdict: Protected, reason: "luks2", next: "keep-key" },
    Rule { words: "LUKS1 with a cipher",
           fits: |f| is(f, Format::Luks1) && f.cipher.is_some(), verdict: Protected, reason: "luks1", next: "keep-key" },
    Rule { words: "LUKS of which too little could be read",
           fits: luks, verdict: Unknown, reason: "luks-unclear", next: "look-with-cryptsetup" },

    // What other systems encrypt.
    Rule { words: "BitLocker whose key lies openly beside the data",
           fits: |f| is(f, Format::BitLocker) && f.clear_key == Some(true), verdict: Suspended, reason: "bitlocker-clear-key", next: "bitlocker-resume" },
    Rule { words: "BitLocker",
           fits: |f| is(f, Format::BitLocker), verdict: Locked, reason: "bitlocker", next: "ask-windows" },
    Rule { words: "another encryption",
           fits: |f| is(f, Format::OtherEncryption), verdict: Locked, reason: "other-encryption", next: "ask-its-system" },

    // Plain dm-crypt has no header: what lies under it looks like nothing.
    Rule { words: "opened as plain dm-crypt with a cipher that does nothing",
           fits: |f| f.opened_plain && null_cipher(f), verdict: NotProtected, reason: "null-cipher", next: "backup-and-encrypt" },
    Rule { words: "opened as plain dm-crypt with a cipher",
           fits: |f| f.opened_plain && f.cipher.is_some(), verdict: Protected, reason: "plain-dm-crypt", next: "nothing" },
    Rule { words: "opened as plain dm-crypt, the cipher not to be seen",
           fits: |f| f.opened_plain, verdict: Unknown, reason: "plain-dm-crypt-unseen", next: "as-administrator" },

    // Not encrypted.
    Rule { words: "plain swap with the memory of a system that sleeps",
           fits: |f| is(f, Format::Hibernated), verdict: NotProtected, reason: "hibernated", next: "wake-and-shut-down" },
    Rule { words: "plain swap",
           fits: |f| is(f, Format::Swap), verdict: NotProtected, reason: "swap", next: "encrypt-swap" },
    Rule { words: "a plain file system with the rest of an older encryption header",
           fits: |f| is(f, Format::FileSystem) && f.leftover, verdict: NotProtected, reason: "plain-leftover", next: "clear-leftover" },
    Rule { words: "a plain file system that is there for starting",
           fits: |f| is(f, Format::FileSystem) && f.for_starting, verdict: NotProtected, reason: "for-starting", next: "nothing" },
    Rule { words: "a plain file system of the running system",
           fits: |f| is(f, Format::FileSystem) && f.system, verdict: NotProtected, reason: "plain", next: "encrypt-system" },
    Rule { words: "a plain file system in use",
           fits: |f| is(f, Format::FileSystem) && f.in_use, verdict: NotProtected, reason: "plain", next: "unmount-and-encrypt" },
    Rule { words: "a plain file system",
           fits: |f| is(f, Format::FileSystem), verdict: NotProtected, reason: "plain", next: "encrypt" },
    Rule { words: "a file system that may encrypt by itself",
           fits: |f| is(f, Format::SelfEncrypting), verdict: Unknown, reason: "self-encrypting", next: "ask-its-system" },

    // Members of something larger: what was made of them decides.
    Rule { words: "a member of which nothing is active",
           fits: |f| is(f, Format::Member) && f.inside.is_empty(), verdict: Unknown, reason: "member-inactive", next: "activate-member" },
    Rule { words: "everything that is made of the member is protected",
           fits: |f| is(f, Format::Member) && all(&f.inside, &[Protected]), verdict: Protected, reason: "member-protected", next: "keep-key" },
    Rule { words: "nothing that is made of the member is protected",
           fits: |f| is(f, Format::Member) && all(&f.inside, &[NotProtected]), verdict: NotProtected, reason: "member-plain", next: "encrypt-member" },
    Rule { words: "a part of what is made of the member is converting",
           fits: |f| is(f, Format::Member) && any(&f.inside, &[Converting]), verdict: Converting, reason: "member-converting", next: "look-inside" },
    Rule { words: "some of what is made of the member is readable",
           fits: |f| is(f, Format::Member) && any(&f.inside, &[NotProtected, PartlyProtected, Suspended]), verdict: PartlyProtected, reason: "member-partly", next: "look-inside" },
    Rule { words: "what is made of the member is closed or not to be seen",
           fits: |f| is(f, Format::Member), verdict: Unknown, reason: "member-unclear", next: "look-inside" },

    Rule { words: "a drive or image with partitions",
           fits: |f| is(f, Format::Partitions), verdict: Unknown, reason: "partitions", next: "choose-partition" },
    Rule { words: "traces of several formats, or a damaged one",
           fits: |f| is(f, Format::Unclear), verdict: Unknown, reason: "unclear", next: "check-file-system" },
    Rule { words: "zeros",
           fits: |f| is(f, Format::Blank), verdict: Unknown, reason: "blank", next: "encrypt" },
    Rule { words: "anything else",
           fits: |_| true, verdict: Unknown, reason: "nothing-known", next: "think-of-veracrypt" },
];

/// What the volumes of a drive turned out to be. Volumes that are only there for starting are left
/// out, unless there is nothing else.
struct Volumes {
    verdicts: Vec<Verdict>,
    starting: usize,
}

#[rustfmt::skip]
static DRIVE_RULES: &[Rule<Volumes>] = &[
    Rule { words: "nothing on it that could be judged",
           fits: |v| v.verdicts.is_empty(), verdict: Unknown, reason: "drive-empty", next: "nothing" },
    Rule { words: "everything protected, apart from what is needed for starting",
           fits: |v| all(&v.verdicts, &[Protected]) && v.starting > 0, verdict: Protected, reason: "drive-protected-starting", next: "keep-key" },
    Rule { words: "everything protected",
           fits: |v| all(&v.verdicts, &[Protected]), verdict: Protected, reason: "drive-protected", next: "keep-key" },
    Rule { words: "a conversion on one of them",
           fits: |v| any(&v.verdicts, &[Converting]), verdict: Converting, reason: "drive-converting", next: "look-at-volumes" },
    Rule { words: "one of them suspended",
           fits: |v| any(&v.verdicts, &[Suspended]), verdict: Suspended, reason: "drive-suspended", next: "look-at-volumes" },
    Rule { words: "some readable, some not",
           fits: |v| any(&v.verdicts, &[NotProtected, PartlyProtected]) && any(&v.verdicts, &[Protected, Locked, PartlyProtected]),
           verdict: PartlyProtected, reason: "drive-partly", next: "look-at-volumes" },
    Rule { words: "some readable, the others unknown",
           fits: |v| any(&v.verdicts, &[NotProtected]), verdict: NotProtected, reason: "drive-readable", next: "look-at-volumes" },
    Rule { words: "everything closed",
           fits: |v| all(&v.verdicts, &[Locked, Protected]), verdict: Locked, reason: "drive-locked", next: "look-at-volumes" },
    Rule { words: "anything else",
           fits: |_| true, verdict: Unknown, reason: "drive-unknown", next: "look-at-volumes" },
];

fn is(facts: &Facts, format: Format) -> bool {
    facts.format == format
}

fn luks(facts: &Facts) -> bool {
    is(facts, Format::Luks2) || is(facts, Format::Luks1)
}

fn goes(facts: &Facts, way: Way) -> bool {
    is(facts, Format::Luks2) && facts.conversion.is_some_and(|conversion| conversion.way == way)
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

/// The verdict on one volume.
pub fn volume(facts: &Facts) -> Judged {
    let mut args = Args::new();
    if !facts.content.is_empty() {
        args.insert("content".to_owned(), facts.content.clone());
    }
    if let Some(conversion) = facts.conversion {
        args.insert("percent".to_owned(), conversion.percent.to_string());
    }
    if let Some(cipher) = &facts.cipher {
        args.insert("cipher".to_owned(), cipher.clone());
    }
    first(VOLUME_RULES, facts, args)
}

/// The verdict on a drive, from the verdicts on its volumes, each with whether it is only there for
/// starting. A drive with one volume is what that volume is.
pub fn drive(volumes: &[(Judged, bool)]) -> Judged {
    let data: Vec<&Judged> = volumes.iter().filter(|(_, starting)| !starting).map(|(judged, _)| judged).collect();
    let (counted, starting) = match data.is_empty() {
        true => (volumes.iter().map(|(judged, _)| judged).collect(), 0),
        false => (data, volumes.iter().filter(|(_, starting)| *starting).count()),
    };
    if let [only] = counted.as_slice()
        && (starting == 0 || only.verdict != Protected)
    {
        return (*only).clone();
    }
    let verdicts: Vec<Verdict> = counted.iter().map(|judged| judged.verdict).collect();
    let mut args = Args::new();
    args.insert("count".to_owned(), verdicts.len().to_string());
    args.insert("protected".to_owned(), verdicts.iter().filter(|verdict| **verdict == Protected).count().to_string());
    first(DRIVE_RULES, &Volumes { verdicts, starting }, args)
}

fn first<T>(rules: &[Rule<T>], facts: &T, args: Args) -> Judged {
    let unknown = Judged { verdict: Unknown, reason: Reason::new("nothing-known"), next: String::new() };
    rules.iter().find(|rule| (rule.fits)(facts)).map_or(unknown, |rule| Judged {
        verdict: rule.verdict,
        reason: Reason { code: rule.reason.to_owned(), args },
        next: rule.next.to_owned(),
    })
}

/// All rules in words: what was seen, the verdict, the code of the reason and of the next step.
pub fn rules() -> Vec<(&'static str, Verdict, &'static str, &'static str)> {
    let volumes = VOLUME_RULES.iter().map(|rule| (rule.words, rule.verdict, rule.reason, rule.next));
    let drives = DRIVE_RULES.iter().map(|rule| (rule.words, rule.verdict, rule.reason, rule.next));
    volumes.chain(drives).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luks2() -> Facts {
        Facts { format: Format::Luks2, keyslots: Some(1), cipher: Some("aes-xts-plain64".into()), ..Facts::default() }
    }

    fn verdict(facts: Facts) -> Verdict {
        volume(&facts).verdict
    }

    #[test]
    fn nothing_seen_is_unknown_and_never_green() {
        assert_eq!(verdict(Facts::default()), Unknown);
        assert_eq!(verdict(Facts { sight: Sight::NoRights, ..luks2() }), Unknown);
        assert_eq!(verdict(Facts { sight: Sight::NoRights, format: Format::FileSystem, ..Facts::default() }), Unknown);
        assert_eq!(verdict(Facts { sight: Sight::Failed, ..luks2() }), Unknown);
        assert_eq!(verdict(Facts { cipher: None, ..luks2() }), Unknown);
        assert_eq!(verdict(Facts { keyslots: None, ..luks2() }), Unknown);
        assert_eq!(verdict(Facts { opened_plain: true, ..Facts::default() }), Unknown);
    }

    #[test]
    fn luks2_is_green_only_when_whole() {
        assert_eq!(
            volume(&luks2()),
            Judged {
                verdict: Protected,
                reason: Reason::new("luks2").with("cipher", "aes-xts-plain64"),
                next: "keep-key".into(),
            }
        );
        let half = Conversion { way: Way::Encrypt, percent: 41, ours: true };
        let judged = volume(&Facts { conversion: Some(half), header: Health::OneCopy, ..luks2() });
        assert_eq!((judged.verdict, judged.reason.args["percent"].as_str()), (Converting, "41"));
        assert_eq!(verdict(Facts { cipher: Some("cipher_null-ecb".into()), ..luks2() }), NotProtected);
        assert_eq!(verdict(Facts { keyslots: Some(0), ..luks2() }), Unknown);
        let damaged = volume(&Facts { header: Health::Damaged, ..luks2() });
        assert_eq!((damaged.verdict, damaged.next.as_str()), (Unknown, "repair-header"));
        let one = volume(&Facts { header: Health::OneCopy, ..luks2() });
        assert_eq!((one.verdict, one.next.as_str()), (Protected, "repair-header"));
    }

    #[test]
    fn bitlocker_is_never_green_here() {
        let bitlocker = Facts { format: Format::BitLocker, ..Facts::default() };
        assert_eq!(verdict(bitlocker.clone()), Locked);
        assert_eq!(verdict(Facts { clear_key: Some(true), ..bitlocker }), Suspended);
    }

    #[test]
    fn a_mixed_volume_group_is_partly_protected() {
        let member =
            |inside: &[Verdict]| verdict(Facts { format: Format::Member, inside: inside.to_vec(), ..Facts::default() });
        assert_eq!(member(&[]), Unknown);
        assert_eq!(member(&[Protected, Protected]), Protected);
        assert_eq!(member(&[Protected, NotProtected]), PartlyProtected);
        assert_eq!(member(&[Protected, Unknown]), Unknown);
        assert_eq!(member(&[NotProtected]), NotProtected);
    }

    #[test]
    fn a_drive_is_the_worst_of_its_volumes_and_the_part_for_starting_does_not_count() {
        let judged = |verdict| Judged { verdict, reason: Reason::new("x"), next: String::new() };
        let of = |verdicts: &[(Verdict, bool)]| {
            let volumes: Vec<_> = verdicts.iter().map(|(verdict, starting)| (judged(*verdict), *starting)).collect();
            drive(&volumes).verdict
        };
        assert_eq!(of(&[]), Unknown);
        assert_eq!(of(&[(Protected, false), (NotProtected, true)]), Protected);
        assert_eq!(of(&[(NotProtected, true)]), NotProtected);
        assert_eq!(of(&[(Protected, false), (NotProtected, false)]), PartlyProtected);
        assert_eq!(of(&[(Protected, false), (Unknown, false)]), Unknown);
        assert_eq!(of(&[(NotProtected, false), (Unknown, false)]), NotProtected);
        assert_eq!(of(&[(Protected, false), (Converting, false)]), Converting);
        assert_eq!(of(&[(Protected, false), (Locked, false)]), Locked);
        assert_eq!(of(&[(Suspended, false), (Protected, false), (NotProtected, true)]), Suspended);
        assert_eq!(of(&[(NotProtected, false), (NotProtected, false)]), NotProtected);
    }

    #[test]
    fn green_needs_a_named_format() {
        let green: Vec<_> = VOLUME_RULES.iter().filter(|rule| rule.verdict == Protected).collect();
        for rule in green {
            assert!(!(rule.fits)(&Facts::default()), "{}", rule.words);
        }
    }
}
