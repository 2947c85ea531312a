//! What the program may rely on, made of [`raw`](super::raw) once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Fault, FaultKind};
use opal::device::Profile;
use wizard::operations::{KdfWish, MethodWish, Space, Unreadable};
use wizard::view::SleepChoice;

pub use self::bench::{Bench, BenchDisk};
pub use self::hardware::{Opal, OpensAtStart, PinFrom};
use super::raw;
pub use super::raw::{Chip, CopyForm};

mod bench;
mod hardware;

/// What to do, checked as far as that goes without touching a drive.
#[derive(Debug)]
pub enum Command {
    /// See [`raw::Command::Status`].
    Status {
        /// As JSON.
        json: bool,
        /// Empty: all drives.
        targets: Vec<PathBuf>,
    },
    /// See [`raw::Command::Check`].
    Check {
        /// As JSON.
        json: bool,
        /// The volume.
        target: PathBuf,
    },
    /// See [`raw::Command::Explain`].
    Explain {
        /// As JSON.
        json: bool,
        /// What was printed; `-`: standard input.
        files: Vec<PathBuf>,
    },
    /// See [`raw::Command::Encrypt`].
    Encrypt(Encrypt),
    /// See [`raw::Command::Undo`].
    Undo {
        /// The volume.
        target: PathBuf,
        /// Whether it may begin.
        consent: Consent,
    },
    /// See [`raw::Command::Resume`].
    Resume {
        /// The volume.
        target: PathBuf,
        /// Password or recovery key.
        secret: Source,
        /// What to do about sectors that cannot be read.
        unreadable: Unreadable,
        /// How progress is shown.
        progress: Shown,
    },
    /// See [`raw::Command::Watch`].
    Watch,
    /// See [`raw::Command::Pause`].
    Pause {
        /// The volume.
        target: PathBuf,
    },
    /// See [`raw::Command::Decrypt`].
    Decrypt {
        /// The volume.
        target: PathBuf,
        /// Password or recovery key.
        secret: Source,
        /// How progress is shown.
        progress: Shown,
        /// Whether to ask.
        consent: Consent,
    },
    /// See [`raw::Command::Prove`].
    Prove {
        /// The volume.
        target: PathBuf,
        /// Password or recovery key.
        key: Key,
    },
    /// See [`raw::Command::Passwd`].
    Passwd {
        /// The volume.
        target: PathBuf,
        /// The password as it is.
        old: Source,
        /// The new one.
        new: Source,
        /// How long a guess takes.
        kdf: KdfWish,
    },
    /// See [`raw::Recovery::New`].
    RecoveryNew {
        /// The volume.
        target: PathBuf,
        /// What opens it now.
        key: Key,
        /// Where the sheet goes.
        place: Place,
    },
    /// See [`raw::Recovery::Export`].
    RecoveryExport {
        /// The volume.
        target: PathBuf,
        /// The recovery key that there is.
        key: Source,
        /// What sort of file.
        form: CopyForm,
        /// Where the copy goes.
        place: Place,
    },
    /// See [`raw::KeyCommand::List`].
    KeyList {
        /// The target.
        target: PathBuf,
        /// JSON instead of sentences.
        json: bool,
    },
    /// See [`raw::KeyCommand::Add`].
    KeyAdd {
        /// The target.
        target: PathBuf,
        /// What opens it now.
        key: Key,
        /// The new password.
        new: Source,
        /// How long a guess takes.
        kdf: KdfWish,
    },
    /// See [`raw::KeyCommand::Remove`].
    KeyRemove {
        /// The target.
        target: PathBuf,
        /// Another one, that opens it.
        key: Key,
        /// What goes.
        keyslot: u32,
    },
    /// See [`raw::KeyCommand::Enroll`].
    KeyEnroll {
        /// The target.
        target: PathBuf,
        /// What opens it now.
        key: Key,
        /// What it is tied to.
        chip: Chip,
        /// Whether a PIN is asked for as well.
        pin: bool,
    },
    /// See [`raw::Command::Erase`].
    Erase {
        /// The target.
        target: PathBuf,
        /// The drive's name as it was typed.
        confirmation: Option<String>,
    },
    /// [`raw::Recovery::Paper`].
    RecoveryPaper {
        /// What the key is for.
        target: PathBuf,
        /// Where the key comes from.
        key: Source,
        /// The new file; `None`: standard output.
        file: Option<PathBuf>,
        /// Size of the paper, if it was said.
        size: Option<paper::Paper>,
        /// "It is on another drive", said by the person.
        forced: bool,
    },
    /// See [`raw::Recovery::List`].
    RecoveryList {
        /// Of this volume alone.
        target: Option<PathBuf>,
        /// As JSON.
        json: bool,
    },
    /// See [`raw::Recovery::Verify`].
    RecoveryVerify {
        /// The sheet.
        file: PathBuf,
        /// What it should open.
        target: Option<PathBuf>,
    },
    /// See [`raw::Header::Backup`].
    HeaderBackup {
        /// The volume.
        target: PathBuf,
        /// A new file.
        file: PathBuf,
    },
    /// See [`raw::Header::Restore`].
    HeaderRestore {
        /// The volume.
        target: PathBuf,
        /// The backup.
        file: PathBuf,
        /// What the volume's UUID was.
        uuid: Option<String>,
        /// Whether to ask.
        consent: Consent,
    },
    /// See [`raw::Header::Repair`].
    HeaderRepair {
        /// The volume.
        target: PathBuf,
        /// Proves a header that was put together.
        secret: Source,
        /// What the volume's UUID was.
        uuid: Option<String>,
        /// Whether to ask.
        consent: Consent,
    },
    /// See [`raw::Command::Bench`].
    Bench(Bench),
    /// See [`raw::Command::System`].
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "the running system is encrypted by its own means there")
    )]
    System(raw::System),
    /// See [`raw::Command::Prompt`].
    Prompt(raw::Prompt),
    /// See [`raw::Command::Rescue`].
    Rescue(raw::Rescue),
    /// See [`raw::Command::Opal`].
    Opal(Opal),
    /// See [`raw::Command::Practice`].
    Practice(Practice),
}

impl Command {
    /// Whether the answer is one JSON document.
    pub fn wants_json(&self) -> bool {
        match self {
            Self::Status { json, .. }
            | Self::KeyList { json, .. }
            | Self::RecoveryList { json, .. }
            | Self::Check { json, .. }
            | Self::Explain { json, .. }
            | Self::Prompt(raw::Prompt::Show { json })
            | Self::Opal(Opal::Discover { json, .. }) => *json,
            Self::Bench(what) => what.wants_json(),
            _ => false,
        }
    }
}

/// What [`raw::Encrypt`] asks for.
#[derive(Debug)]
pub struct Encrypt {
    /// The volume.
    pub target: PathBuf,
    /// The new password.
    pub password: Source,
    /// Where the recovery key goes.
    pub place: Place,
    /// Who encrypts.
    pub method: MethodWish,
    /// What of it is encrypted.
    pub space: Space,
    /// Whether a file system that somebody else has left in disorder may be put in order.
    pub mend: Consent,
    /// How the computer is to sleep; `None`: nothing was said.
    pub sleep: Option<SleepChoice>,
    /// How long a guess takes.
    pub kdf: KdfWish,
    /// How progress is shown.
    pub progress: Shown,
    /// Whether to ask.
    pub consent: Consent,
}

/// What [`raw::Command::Practice`] asks for.
#[derive(Debug)]
pub struct Practice {
    /// Where; `None`: a temporary folder.
    pub dir: Option<PathBuf>,
    /// Bytes of the practice drive.
    pub size: u64,
    /// Whether to ask between the steps.
    pub consent: Consent,
    /// Whether the practice drive stays.
    pub keep: bool,
    /// What sort of drive it is, if it encrypts by itself.
    pub by_drive: Option<Profile>,
    /// A computer with Windows instead.
    pub windows: bool,
    /// How long a guess takes.
    pub kdf: KdfWish,
}

/// Where the recovery key goes.
#[derive(Debug)]
pub struct Place {
    /// The folder.
    pub folder: PathBuf,
    /// "It is on another drive", said by the person.
    pub forced: bool,
}

/// Where a secret comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, to its end.
    Stdin,
    /// Typed at the terminal.
    Terminal,
}

/// What opens a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A password.
    Password(Source),
    /// A recovery key, as a sheet or alone.
    Recovery(Source),
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// For people, on standard error.
    Human,
    /// JSON lines on standard output.
    Json,
}

/// Whether the person has agreed on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// `--yes`.
    Given,
    /// Ask.
    Ask,
}

/// Smallest practice drive.
const LEAST_PRACTICE: u64 = wizard::practice::LEAST_SIZE;

/// Largest practice drive. It is written whole, and somebody who tries things out should not fill
/// a disk by a slip of the finger.
const MOST_PRACTICE: u64 = 4 << 30;

/// Smallest and largest file for measuring a disk.
const DISK_TEST: std::ops::RangeInclusive<u64> = 1 << 20..=64 << 30;

impl TryFrom<raw::Command> for Command {
    type Error = Fault;

    fn try_from(command: raw::Command) -> Result<Self, Fault> {
        Ok(match command {
            raw::Command::Status { json, targets } => Self::Status { json, targets },
            raw::Command::Check { json, target } => Self::Check { json, target },
            raw::Command::Explain { json, files } => Self::Explain { json, files },
            raw::Command::Encrypt(raw) => Self::Encrypt(encrypt(raw)?),
            raw::Command::Resume { target, password_file, give_up_unreadable, progress } => Self::Resume {
                target,
                secret: source(password_file),
                unreadable: if give_up_unreadable { Unreadable::GiveUp } else { Unreadable::Stop },
                progress: shown(progress),
            },
            raw::Command::Undo { target, yes } => Self::Undo { target, consent: consent(yes) },
            raw::Command::Watch => Self::Watch,
            raw::Command::Pause { target } => Self::Pause { target },
            raw::Command::Decrypt { target, password_file, progress, yes } => Self::Decrypt {
                target,
                secret: source(password_file),
                progress: shown(progress),
                consent: consent(yes),
            },
            raw::Command::Prove { target, key } => Self::Prove { target, key: key_of(key) },
            raw::Command::Passwd { target, password_file, new_password_file, kdf } => {
                let (old, new) = (source(password_file), source(new_password_file));
                if old == Source::Stdin && new == Source::Stdin {
                    return Err(usage("cli-stdin-twice"));
                }
                Self::Passwd { target, old, new, kdf: wish(kdf) }
            }
            raw::Command::Key(command) => key_command(command)?,
            raw::Command::Erase { target, erase_drive_named } => {
                Self::Erase { target, confirmation: erase_drive_named }
            }
            raw::Command::Recovery(command) => recovery(command),
            raw::Command::Header(command) => header(command),
            raw::Command::Bench(command) => Self::Bench(command.try_into()?),
            raw::Command::System(what) => Self::System(what),
            raw::Command::Prompt(what) => Self::Prompt(what),
            raw::Command::Rescue(what) => Self::Rescue(what),
            raw::Command::Opal(command) => Self::Opal(hardware::checked(command)?),
            raw::Command::Practice { dir, size, opal, profile, windows, yes, keep, kdf } => {
                let named = || Profile::named(&profile).ok_or_else(|| usage("cli-profile").with("name", &profile));
                let by_drive = opal.then(named).transpose()?;
                let size = size_between(&size, LEAST_PRACTICE..=MOST_PRACTICE)?;
                let (consent, kdf) = (consent(yes), wish(kdf));
                Self::Practice(Practice { dir, size, consent, keep, kdf, by_drive, windows })
            }
        })
    }
}

fn encrypt(raw: raw::Encrypt) -> Result<Encrypt, Fault> {
    let method = match raw.method {
        raw::Method::Auto => MethodWish::Auto,
        raw::Method::Software => MethodWish::Software,
        raw::Method::Hardware => MethodWish::Hardware,
        raw::Method::Both => MethodWish::Both,
    };
    let space = match (raw.used_space_only, raw.overwrite_free_space) {
        (_, true) => Space::UsedAndOverwrite,
        (true, false) => Space::Used,
        (false, false) => Space::All,
    };
    Ok(Encrypt {
        method,
        space,
        mend: consent(raw.mend_file_system),
        sleep: raw.sleep.map(sleep),
        target: raw.target,
        password: source(raw.password_file),
        place: Place { folder: raw.recovery_dir, forced: raw.recovery_dir_is_elsewhere },
        kdf: wish(raw.kdf),
        progress: shown(raw.progress),
        consent: consent(raw.yes),
    })
}

const fn sleep(how: raw::Sleep) -> SleepChoice {
    match how {
        raw::Sleep::Light => SleepChoice::Light,
        raw::Sleep::Never => SleepChoice::Never,
    }
}

fn key_command(command: raw::KeyCommand) -> Result<Command, Fault> {
    Ok(match command {
        raw::KeyCommand::List { json, target } => Command::KeyList { target, json },
        raw::KeyCommand::Add { target, key, new_password_file, kdf } => {
            let (key, new) = (key_of(key), source(new_password_file));
            if new == Source::Stdin && matches!(key, Key::Password(Source::Stdin) | Key::Recovery(Source::Stdin)) {
                return Err(usage("cli-stdin-twice"));
            }
            Command::KeyAdd { target, key, new, kdf: wish(kdf) }
        }
        raw::KeyCommand::Remove { target, key, keyslot } => Command::KeyRemove { target, key: key_of(key), keyslot },
        raw::KeyCommand::Enroll { chip, target, key, pin } => {
            Command::KeyEnroll { target, key: key_of(key), chip, pin }
        }
    })
}

fn recovery(command: raw::Recovery) -> Command {
    match command {
        raw::Recovery::New { target, key, recovery_dir, recovery_dir_is_elsewhere } => Command::RecoveryNew {
            target,
            key: key_of(key),
            place: Place { folder: recovery_dir, forced: recovery_dir_is_elsewhere },
        },
        raw::Recovery::Export { target, recovery_file, form, recovery_dir, recovery_dir_is_elsewhere } => {
            Command::RecoveryExport {
                target,
                form,
                key: source(recovery_file),
                place: Place { folder: recovery_dir, forced: recovery_dir_is_elsewhere },
            }
        }
        raw::Recovery::Paper { target, recovery_file, file, size, file_is_elsewhere } => Command::RecoveryPaper {
            target,
            key: source(recovery_file),
            file: if file == Path::new("-") { None } else { Some(file) },
            size: size.map(|size| match size {
                raw::PaperSize::A4 => paper::Paper::A4,
                raw::PaperSize::Letter => paper::Paper::Letter,
            }),
            forced: file_is_elsewhere,
        },
        raw::Recovery::List { target, json } => Command::RecoveryList { target, json },
        raw::Recovery::Verify { file, target } => Command::RecoveryVerify { file, target },
    }
}

fn header(command: raw::Header) -> Command {
    match command {
        raw::Header::Backup { target, file } => Command::HeaderBackup { target, file },
        raw::Header::Restore { target, file, uuid, yes } => {
            Command::HeaderRestore { target, file, uuid, consent: consent(yes) }
        }
        raw::Header::Repair { target, password_file, uuid, yes } => {
            Command::HeaderRepair { target, secret: source(password_file), uuid, consent: consent(yes) }
        }
    }
}

fn source(file: Option<PathBuf>) -> Source {
    match file {
        None => Source::Terminal,
        Some(path) if path == Path::new("-") => Source::Stdin,
        Some(path) => Source::File(path),
    }
}

fn key_of(raw: raw::KeySource) -> Key {
    match raw.recovery_file {
        Some(file) => Key::Recovery(source(Some(file))),
        None => Key::Password(source(raw.password_file)),
    }
}

fn wish(raw: raw::Kdf) -> KdfWish {
    KdfWish::Calibrated(Duration::from_millis(raw.iter_time))
}

fn shown(progress: raw::Progress) -> Shown {
    match progress.progress {
        Some(raw::ProgressForm::Json) => Shown::Json,
        None => Shown::Human,
    }
}

fn consent(yes: bool) -> Consent {
    if yes { Consent::Given } else { Consent::Ask }
}

fn usage(code: &str) -> Fault {
    Fault::new(code, FaultKind::Usage)
}

fn size_between(text: &str, limits: std::ops::RangeInclusive<u64>) -> Result<u64, Fault> {
    let size = parse_size(text).ok_or_else(|| usage("cli-size").with("text", text))?;
    if limits.contains(&size) {
        return Ok(size);
    }
    Err(usage("cli-size-limits").with("size", size).with("least_size", limits.start()).with("most_size", limits.end()))
}

/// Bytes of a size as the system's own tools read it: `64M` and `64MiB` are 64·2²⁰, `64MB` is
/// 64·10⁶, a number alone is bytes.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let unit: u64 = match text[digits..].trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::raw::Cli;

    fn checked(line: &str) -> Result<Command, Fault> {
        let cli = Cli::try_parse_from(line.split_whitespace()).unwrap_or_else(|error| panic!("{line}: {error}"));
        Command::try_from(cli.command)
    }

    fn refused_by_clap(line: &str) {
        let error = Cli::try_parse_from(line.split_whitespace()).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
    }

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn the_contract_of_the_design_can_be_typed() {
        for line in [
            "latchkey status",
            "latchkey status --json /dev/null a.img",
            "latchkey check --json a.img",
            "latchkey encrypt a.img --password-file p --recovery-dir r --method auto --progress json --yes",
            "latchkey encrypt a.img --password-file - --recovery-dir r --method software",
            "latchkey resume a.img --password-file p --progress json",
            "latchkey resume a.img",
            "latchkey pause a.img",
            "latchkey decrypt a.img --password-file p --progress json --yes",
            "latchkey prove a.img --password-file p",
            "latchkey prove a.img --recovery-file r",
            "latchkey passwd a.img --password-file old --new-password-file new",
            "latchkey recovery new a.img --password-file p --recovery-dir d",
            "latchkey recovery export a.img --recovery-file r --recovery-dir d",
            "latchkey recovery verify r a.img",
            "latchkey recovery paper a.img --recovery-file r --file p.pdf",
            "latchkey recovery paper a.img --file - --size letter",
            "latchkey key list a.img --json",
            "latchkey key add a.img --password-file p --new-password-file n",
            "latchkey key add a.img --recovery-file r",
            "latchkey key remove a.img --keyslot 2",
            "latchkey key enroll tpm2 a.img --pin",
            "latchkey key enroll fido2 a.img --password-file p",
            "latchkey erase a.img --erase-drive-named a.img",
            "latchkey bench disk . --json --size 64M",
            "latchkey bench cipher --json",
            "latchkey bench compare a b --html page.html",
            "latchkey bench disk . --full --curve --trim --keep reports",
            "latchkey bench disk /dev/sda --read-only",
            "latchkey bench mapping vault --json",
            "latchkey bench tune vault --password-file p",
            "latchkey bench list",
            "latchkey bench list reports --json",
            "latchkey practice --dir d --size 64M",
            "latchkey header backup a.img h",
            "latchkey header restore a.img h --uuid u --yes",
            "latchkey header repair a.img",
        ] {
            checked(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        }
    }

    #[test]
    fn what_makes_no_sense_is_usage() {
        refused_by_clap("latchkey");
        refused_by_clap("latchkey encrypt a.img --password-file p");
        refused_by_clap("latchkey prove a.img --password-file p --recovery-file r");
        refused_by_clap("latchkey resume a.img --progress xml");
        refused_by_clap("latchkey encrypt a.img --recovery-dir r --method magic");
        let stdin_twice = checked("latchkey passwd a --password-file - --new-password-file -").unwrap_err();
        assert_eq!((stdin_twice.code.as_str(), stdin_twice.kind), ("cli-stdin-twice", FaultKind::Usage));
    }

    #[test]
    fn a_profile_that_is_not_known_is_named() {
        let line = "latchkey practice --opal --profile no-such-thing";
        let fault = checked(line).unwrap_err();
        assert_eq!((fault.code.as_str(), fault.kind), ("cli-profile", FaultKind::Usage), "{line}");
    }

    #[test]
    fn sources() {
        assert_eq!(source(None), Source::Terminal);
        assert_eq!(source(Some("-".into())), Source::Stdin);
        assert_eq!(source(Some("./-".into())), Source::File("./-".into()));
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", Some(0)),
            ("512", Some(512)),
            ("64M", Some(64 << 20)),
            ("64MiB", Some(64 << 20)),
            ("64 mib", Some(64 << 20)),
            ("64MB", Some(64_000_000)),
            ("1G", Some(1 << 30)),
            ("2TB", Some(2_000_000_000_000)),
            ("", None),
            ("M", None),
            ("-1", None),
            ("1.5G", None),
            ("64Q", None),
            ("99999999999999999999", None),
            ("99999999T", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text:?}");
        }
        for text in ["1M", "5T", "lots"] {
            assert_eq!(checked(&format!("latchkey practice --size {text}")).unwrap_err().kind, FaultKind::Usage);
        }
    }
}
