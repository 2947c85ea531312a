//! The verdict: from facts to one of seven words, a reason, what an attacker gets, and a next step.
//!
//! All rules stand in five tables in one file, `judge/table.rs`. The first rule whose words fit counts.
//! The last rule of each table fits everything and says "unknown": green is only ever the result of a
//! rule that names what was seen.

mod table;

use model::{Args, Judged, PlaceKind, Reason, Verdict};

use Verdict::{Protected, Unknown};
use table::{COMPUTER_RULES, DRIVE_RULES, PLACE_RULES, REPORT_RULES, VOLUME_RULES};

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
    /// Whether checked metadata of another system's encryption say that all data are encrypted and need
    /// a secret. `None`: not to be seen.
    pub whole: Option<bool>,
    /// What opens it, for the sentence (`TPM, recovery password`). Empty: not to be seen.
    pub protectors: String,
    /// Whether the drive itself takes part in the encryption. `None`: it does not.
    pub by_drive: Option<ByDrive>,
    /// How much of itself a file system encrypts. `None`: not to be seen.
    pub own: Option<Own>,
    /// Whether the header's data lie elsewhere: this is only a header.
    pub header_only: bool,
    /// Whether a Windows that sleeps has left its memory on it.
    pub windows_sleeps: bool,
    /// Whether it looks like noise, as encryption without a signature does.
    pub looks_random: bool,
    /// Whether the rest of an older encryption header is still there beside what lies here now.
    pub leftover: bool,
    /// Whether something opened it as plain dm-crypt (TrueCrypt and VeraCrypt do so, too), which leaves
    /// no trace on the medium.
    pub opened_plain: bool,
    /// Whether something opened it with a header that lies elsewhere.
    pub opened_detached: bool,
    /// Verdicts of what is made of it: logical volumes, arrays.
    pub inside: Vec<Verdict>,
    /// Whether anything holds it.
    pub in_use: bool,
    /// Whether the running system lies on it.
    pub system: bool,
    /// Whether it is only there for starting the computer (EFI, `/boot`) and holds nobody's data.
    pub for_starting: bool,
}

/// What the output of a public tool comes to, where that is not told by a volume's [`Facts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Nothing in it is the output of a known tool.
    NotRecognised,
    /// A document that is not whole.
    CutOff,
    /// Not enough of it came, or was said.
    TooLittle,
    /// Two of its statements cannot both be true.
    Contradiction,
    /// It says something in words that are not known.
    UnknownWords,
    /// Its words are of several languages: no system printed this.
    MixedWords,
    /// The system was asked and had no answer.
    NoAnswer,
    /// The system wants administrator rights for an answer.
    NeedsRights,
    /// The tool listed a device and did not look into it.
    NotLookedInto,
    /// Only who can open it was said, not whether it is encrypted.
    OnlyProtectors,
    /// BitLocker waits for a restart before it begins.
    TestPending,
    /// BitLocker is off.
    BitLockerOff,
    /// FileVault is on, and nothing is left to be encrypted.
    FileVaultOn,
    /// FileVault is off.
    FileVaultOff,
    /// Encrypted by the computer without anybody's secret.
    AtRestOnly,
    /// FileVault is on, and the volume is closed.
    FileVaultLocked,
    /// FileVault was switched on a moment ago.
    JustEnabled,
    /// LUKS on its way, and how far was not told.
    LuksConverting,
    /// A LUKS signature, and nothing about its header.
    LuksSignature,
    /// A LUKS2 header that leaves encrypting to the drive.
    LuksByDrive,
    /// A layer of encryption that is open, its header not shown.
    CryptLayer,
    /// The drive's own lock is closed.
    OwnLockClosed,
    /// The drive could lock, and nobody has set that up.
    OwnLockUnused,
    /// The drive's lock is set up, and open now.
    OwnLockOpen,
    /// The drive locks without encrypting.
    OwnLockPyrite,
    /// The drive's encryption is known to be weak.
    OwnLockWeak,
    /// The drive has no lock.
    OwnLockNone,
    /// Whether the drive has a lock could not be seen.
    OwnLockNotSeen,
    /// The drive has a lock for servers.
    OwnLockEnterprise,
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
    /// CoreStorage, which carries FileVault 2.
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

/// How the drive itself takes part in an encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByDrive {
    /// It encrypts alone.
    Alone,
    /// It encrypts below the computer's own encryption.
    Also,
}

/// How much of itself a file system encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// All that holds a person's data.
    All,
    /// Some of its volumes.
    Some,
    /// Folders, one by one, if anybody has set that up.
    Folders,
    /// Nothing.
    Nothing,
    /// It is on its way.
    Converting,
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
    /// How much is done, 0 to 100, rounded down. `None`: not to be seen.
    pub percent: Option<u8>,
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
    /// What whoever has the drive in hand gets: `gets-…` in the catalogue.
    gets: &'static str,
    /// `next-…` in the catalogue.
    next: &'static str,
}

/// What the volumes of a drive turned out to be. Volumes that are only there for starting are left
/// out, unless there is nothing else.
struct Volumes {
    verdicts: Vec<Verdict>,
    starting: usize,
}

/// What lies beneath a place: for each device down to the drives, the verdict on what encrypts it.
/// `None`: nothing does.
struct Beneath {
    verdicts: Vec<Option<Verdict>>,
}

/// The places of a computer.
#[derive(Debug, Default)]
struct Places {
    /// Where the system and a person's files are, on drives that stay.
    files: Vec<Verdict>,
    /// Swap and hibernation.
    memory: Vec<Verdict>,
    /// On drives that can be pulled out.
    removable: Vec<Verdict>,
    /// How many places could not be read for want of rights.
    without_rights: usize,
}

impl Places {
    fn own(&self) -> Vec<Verdict> {
        self.files.iter().chain(&self.memory).copied().collect()
    }
}

/// The verdict on one volume.
pub fn volume(facts: &Facts) -> Judged {
    let mut args = Args::new();
    if !facts.content.is_empty() {
        args.insert("content".to_owned(), facts.content.clone());
    }
    if let Some(percent) = facts.conversion.and_then(|conversion| conversion.percent) {
        args.insert("percent".to_owned(), percent.to_string());
    }
    if !facts.protectors.is_empty() {
        args.insert("protectors".to_owned(), facts.protectors.clone());
    }
    if let Some(cipher) = &facts.cipher {
        args.insert("cipher".to_owned(), cipher.clone());
    }
    first(VOLUME_RULES, facts, args)
}

/// The verdict on what a public tool printed.
pub fn report(report: Report, args: Args) -> Judged {
    first(REPORT_RULES, &report, args)
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

/// The verdict on a place, from what encrypts each device that it lies on, down to the drives; `None`
/// for a device that nothing encrypts. `plain` is the verdict on what lies there, for the case that
/// nothing encrypts any of them.
pub fn place(beneath: &[Option<Judged>], plain: &Judged) -> Judged {
    if let [Some(only)] = beneath {
        return only.clone();
    }
    if beneath.iter().all(Option::is_none) {
        return plain.clone();
    }
    let verdicts: Vec<Option<Verdict>> =
        beneath.iter().map(|judged| judged.as_ref().map(|judged| judged.verdict)).collect();
    let mut args = Args::new();
    args.insert("count".to_owned(), verdicts.len().to_string());
    args.insert(
        "protected".to_owned(),
        verdicts.iter().filter(|verdict| **verdict == Some(Protected)).count().to_string(),
    );
    first(PLACE_RULES, &Beneath { verdicts }, args)
}

/// The verdict on a mounted file system whose devices cannot be told.
pub fn unseen_beneath(content: &str) -> Judged {
    volume(&Facts { format: Format::SelfEncrypting, content: content.to_owned(), ..Facts::default() })
}

/// The verdict on a folder whose files are encrypted one by one, from that on what it lies on.
pub fn encrypted_folder(beneath: &Judged, content: &str) -> Judged {
    match beneath.verdict {
        Protected | Unknown => beneath.clone(),
        _ => volume(&Facts {
            format: Format::SelfEncrypting,
            own: Some(Own::Folders),
            content: content.to_owned(),
            ..Facts::default()
        }),
    }
}

/// The verdict on swap that nothing encrypts.
pub fn plain_swap() -> Judged {
    volume(&Facts { format: Format::Swap, content: "swap".to_owned(), ..Facts::default() })
}

/// The verdict on a device to which the memory of a sleeping system goes and that nothing encrypts.
pub fn plain_hibernation() -> Judged {
    first(VOLUME_RULES, &Facts { format: Format::Hibernated, ..Facts::default() }, Args::new())
}

/// The verdict on what lies on a device of which nobody can see what is beneath it.
pub fn hidden_beneath() -> Judged {
    first(PLACE_RULES, &Beneath { verdicts: vec![Some(Unknown)] }, Args::from([("count".to_owned(), "1".to_owned())]))
}

/// The verdict on the computer as a whole, from the verdicts on its places. What is only there for
/// starting does not count: it has to be readable.
pub fn computer(places: &[(PlaceKind, &Judged)]) -> Judged {
    let mut sorted = Places::default();
    let mut open = 0;
    for (kind, judged) in places {
        let list = match kind {
            PlaceKind::Start => continue,
            PlaceKind::Swap | PlaceKind::Hibernation => &mut sorted.memory,
            PlaceKind::Removable => &mut sorted.removable,
            _ => &mut sorted.files,
        };
        list.push(judged.verdict);
        open += usize::from(table::READABLE.contains(&judged.verdict));
        sorted.without_rights += usize::from(judged.reason.code.starts_with("needs-rights"));
    }
    let counted = sorted.files.len() + sorted.memory.len() + sorted.removable.len();
    let mut args = Args::new();
    args.insert("count".to_owned(), counted.to_string());
    args.insert("open".to_owned(), open.to_string());
    first(COMPUTER_RULES, &sorted, args)
}

fn first<T>(rules: &[Rule<T>], facts: &T, args: Args) -> Judged {
    let unknown = Judged {
        verdict: Unknown,
        reason: Reason::new("nothing-known"),
        gets: "unknown".to_owned(),
        next: String::new(),
    };
    rules.iter().find(|rule| (rule.fits)(facts)).map_or(unknown, |rule| Judged {
        verdict: rule.verdict,
        reason: Reason { code: rule.reason.to_owned(), args },
        gets: rule.gets.to_owned(),
        next: rule.next.to_owned(),
    })
}

/// A rule in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What was seen.
    pub seen: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Code of the reason.
    pub reason: &'static str,
    /// Code of what an attacker gets.
    pub gets: &'static str,
    /// Code of the next step.
    pub next: &'static str,
}

/// All rules in words.
pub fn rules() -> Vec<Words> {
    fn words<T>(rules: &'static [Rule<T>]) -> impl Iterator<Item = Words> {
        rules.iter().map(|rule| Words {
            seen: rule.words,
            verdict: rule.verdict,
            reason: rule.reason,
            gets: rule.gets,
            next: rule.next,
        })
    }
    words(VOLUME_RULES)
        .chain(words(DRIVE_RULES))
        .chain(words(PLACE_RULES))
        .chain(words(COMPUTER_RULES))
        .chain(words(REPORT_RULES))
        .collect()
}

#[cfg(test)]
mod tests {
    use Verdict::{Converting, Locked, NotProtected, PartlyProtected, Suspended};

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
                gets: "nothing".into(),
                next: "keep-key".into(),
            }
        );
        let half = Conversion { way: Way::Encrypt, percent: Some(41), ours: true };
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
    fn bitlocker_is_green_only_when_its_metadata_prove_it() {
        let bitlocker = Facts { format: Format::BitLocker, ..Facts::default() };
        assert_eq!(verdict(bitlocker.clone()), Locked);
        let suspended = Facts { clear_key: Some(true), whole: Some(true), ..bitlocker.clone() };
        assert_eq!(verdict(suspended.clone()), Suspended);
        let half = Conversion { way: Way::Encrypt, percent: None, ours: false };
        assert_eq!(verdict(Facts { conversion: Some(half), ..suspended }), Converting);
        assert_eq!(verdict(Facts { whole: Some(true), ..bitlocker.clone() }), Locked, "by a method that is not known");
        let whole = Facts { cipher: Some("AES-XTS 128".into()), whole: Some(true), ..bitlocker };
        assert_eq!(verdict(whole.clone()), Protected);
        assert_eq!(verdict(Facts { whole: Some(false), ..whole }), NotProtected);
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
        let judged = |verdict| Judged { verdict, reason: Reason::new("x"), gets: String::new(), next: String::new() };
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
    fn a_place_is_what_encrypts_every_device_beneath_it() {
        let judged = |verdict| Judged { verdict, reason: Reason::new("x"), gets: String::new(), next: String::new() };
        let of = |verdicts: &[Option<Verdict>]| {
            let beneath: Vec<_> = verdicts.iter().map(|verdict| verdict.map(judged)).collect();
            place(&beneath, &judged(NotProtected)).verdict
        };
        assert_eq!(of(&[]), NotProtected);
        assert_eq!(of(&[None]), NotProtected);
        assert_eq!(of(&[Some(Protected)]), Protected);
        assert_eq!(of(&[Some(Protected), Some(Protected)]), Protected);
        assert_eq!(of(&[Some(Protected), None]), PartlyProtected, "btrfs over one encrypted and one plain device");
        assert_eq!(of(&[Some(Unknown), None]), NotProtected);
        assert_eq!(of(&[Some(Unknown), Some(Protected)]), Unknown);
        assert_eq!(of(&[Some(Converting), Some(Protected)]), Converting);
        assert_eq!(of(&[Some(NotProtected), Some(Protected)]), PartlyProtected);
    }

    #[test]
    fn the_computer_is_its_worst_place() {
        let judged = |verdict| Judged { verdict, reason: Reason::new("x"), gets: String::new(), next: String::new() };
        let of = |places: &[(PlaceKind, Verdict)]| {
            let judged: Vec<_> = places.iter().map(|(kind, verdict)| (*kind, judged(*verdict))).collect();
            let places: Vec<_> = judged.iter().map(|(kind, judged)| (*kind, judged)).collect();
            let whole = computer(&places);
            (whole.verdict, whole.reason.code)
        };
        let is =
            |places: &[(PlaceKind, Verdict)], verdict, code: &str| assert_eq!(of(places), (verdict, code.to_owned()));
        use PlaceKind::{Closed, Data, Hibernation, Removable, Start, Swap, System};
        is(&[], Unknown, "computer-nothing");
        is(&[(System, Protected), (Start, NotProtected)], Protected, "computer-protected");
        is(&[(System, Protected), (Swap, NotProtected)], PartlyProtected, "computer-memory-open");
        is(&[(System, Protected), (Hibernation, NotProtected)], PartlyProtected, "computer-memory-open");
        is(&[(System, Protected), (Data, NotProtected)], PartlyProtected, "computer-partly");
        is(&[(System, NotProtected), (Data, NotProtected)], NotProtected, "computer-open");
        is(&[(System, NotProtected), (Closed, Unknown)], NotProtected, "computer-open");
        is(&[(System, Protected), (Removable, NotProtected)], PartlyProtected, "computer-removable-open");
        is(&[(System, Protected), (Removable, Unknown)], Unknown, "computer-removable-unknown");
        is(&[(System, Suspended), (Data, Protected)], Suspended, "computer-suspended");
        is(&[(System, Converting), (Data, NotProtected)], Converting, "computer-converting");
        is(&[(System, Protected), (Closed, Unknown)], Unknown, "computer-unknown");
        is(&[(System, Protected), (Closed, Locked)], Locked, "computer-locked");
    }

    #[test]
    fn green_needs_a_named_format() {
        let green: Vec<_> = VOLUME_RULES.iter().filter(|rule| rule.verdict == Protected).collect();
        for rule in green {
            assert!(!(rule.fits)(&Facts::default()), "{}", rule.words);
        }
    }
}
