//! What a window or a terminal draws, and what it may answer. Everything that crosses the border
//! between the wizard and whoever shows it is here; the TypeScript types are made from it.

use std::collections::BTreeMap;

use model::{Computer, Condition, Drive, Fault, Judged, Method, Progress, Reason, Secret, VolumeId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use zeroize::Zeroizing;

use crate::system::{Standing, Stick};

mod manage;
mod native;

pub use manage::{Care, CopySeen, KeySeen, ManageState};
pub use native::{NativeAction, NativeKey, NativeSeen, NativeState, NativeWish};

/// The steps in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// All drives with their verdict; choose one, an image, or the practice drive.
    Drives,
    /// Conditions, method and reasons.
    Check,
    /// Backup, power, space.
    Before,
    /// Choosing the password.
    Password,
    /// The recovery key, to a stick or to paper, proven.
    Recovery,
    /// The rescue stick.
    Rescue,
    /// Measuring before.
    BenchBefore,
    /// The password is asked for as at start-up and must open the staged header.
    TestStart,
    /// The conversion.
    Encrypt,
    /// Measuring after.
    BenchAfter,
    /// What was done, and what to keep.
    Report,
}

/// The whole state that is shown. It holds no password; the recovery key is in it only while the
/// recovery step shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct View {
    /// Where the person is.
    pub step: Step,
    /// Steps that can be gone back to.
    pub done: Vec<Step>,
    /// Whether "Back" works.
    pub can_go_back: bool,
    /// Whether "Next" works; if not, `blocked` says why.
    pub can_go_on: bool,
    /// Why not (`reason-…`): shown beside the button, never a dead button without a word.
    pub blocked: Option<Reason>,
    /// What went wrong with the last action, until the next one.
    pub fault: Option<Fault>,
    /// Something to tell that is no fault (`reason-notice-…`): that the wizard goes on where it was
    /// closed, for instance. Until the next action.
    pub notice: Option<Reason>,
    /// A job that runs now (encryption, benchmark, writing).
    pub job: Option<Job>,
    /// For [`Step::Drives`]. `None`: nobody has looked yet.
    pub overview: Option<Overview>,
    /// The target, once chosen.
    pub target: Option<Target>,
    /// The running system's own drive, where that is the target.
    pub system: Option<SystemState>,
    /// For [`Step::Check`].
    pub check: Option<Check>,
    /// For [`Step::Check`]: what of the target is encrypted. `None`: there is nothing to choose.
    pub space: Option<SpaceChoice>,
    /// For [`Step::Check`]: how the computer is to sleep with a drive that locks itself. `None`: it sleeps as it does.
    pub sleep: Option<SleepQuestion>,
    /// Who encrypts. `None`: nothing is chosen yet.
    pub method: Option<Method>,
    /// For [`Step::Check`]: methods that the person can choose between. Empty: there is nothing to choose.
    pub methods: Vec<Method>,
    /// For [`Step::Before`].
    pub before: Before,
    /// For [`Step::Password`].
    pub password: PasswordState,
    /// For [`Step::Recovery`].
    pub recovery: RecoveryState,
    /// For [`Step::Rescue`].
    pub rescue: RescueState,
    /// Figures before.
    pub bench_before: Option<BenchFigures>,
    /// For [`Step::TestStart`].
    pub test_start: TestStartState,
    /// For [`Step::Encrypt`].
    pub encrypt: EncryptState,
    /// Figures after.
    pub bench_after: Option<BenchFigures>,
    /// Both side by side, once there are both.
    pub bench_compared: Option<bench::Compared>,
    /// For [`Step::BenchBefore`] and [`Step::BenchAfter`]: bytes that a measurement writes at most.
    #[ts(type = "number")]
    pub bench_writes: u64,
    /// Where the report was saved, by [`Action::SaveBench`].
    pub bench_saved: Option<String>,
    /// For [`Step::Report`].
    pub report: Option<Report>,
    /// A protected drive that is looked after, in front of the step.
    pub manage: Option<ManageState>,
    /// A volume that its own system encrypts, in front of the step.
    pub native: Option<NativeState>,
}

/// What is in the computer, as it was last seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Overview {
    /// The computer as a whole. `None`: that cannot be told on this system yet.
    pub computer: Option<Computer>,
    /// All drives, the system's first.
    pub drives: Vec<Drive>,
    /// What a button about the computer as a whole would do, if there is something to do from here.
    pub offer: Option<Offer>,
    /// The same for each drive and each volume, by its path.
    pub offers: BTreeMap<String, Offer>,
    /// Copies of recovery keys that somebody is to be reminded of (`reason-copy-…`), by the volume's path.
    pub reminders: BTreeMap<String, Reason>,
    /// What only an administrator may look at.
    pub rights: Rights,
    /// Why the system's list of drives could not be read.
    pub fault: Option<Fault>,
}

/// What can be done about a verdict from this page. The sentence for it is the verdict's `next-…`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Offer {
    /// Encrypt this volume: [`Action::Choose`].
    Encrypt {
        /// The volume.
        path: String,
    },
    /// Go on with its conversion: [`Action::Choose`].
    Resume {
        /// The volume.
        path: String,
    },
    /// Look after this volume, which is protected: [`Action::Manage`].
    Manage {
        /// The volume.
        path: String,
    },
    /// Have its own system encrypt this volume, or look after that: [`Action::OpenNative`].
    Native {
        /// The volume.
        path: String,
    },
    /// There is more than one thing to do: look at what is in it.
    Look,
}

/// What only an administrator may look at. Until then it is "unknown", and the rest is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rights {
    /// Volumes that could not be looked at without rights.
    pub hidden: u32,
    /// Whether the system can be asked for them: [`Action::LookAsAdministrator`].
    pub can_ask: bool,
    /// Whether they were given in this run.
    pub granted: bool,
}

/// A job in the background.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Job {
    /// How far it is.
    pub progress: Progress,
    /// Whether it can be paused.
    pub can_pause: bool,
}

/// What is going to be encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Target {
    /// Its name while the computer runs.
    pub id: VolumeId,
    /// As a person knows it.
    pub name: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// What lies on it (`ext4`…).
    pub content: String,
    /// Whether it is the practice drive.
    pub practice: bool,
    /// Whether the running system lies on it: it is encrypted by the service, after a test start.
    #[serde(default)]
    pub system: bool,
    /// Is it protected?
    pub judged: Judged,
}

/// The running system's own drive, as its service has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct SystemState {
    /// How it stands. `None`: nobody has answered yet.
    pub standing: Option<Standing>,
    /// Why nobody answers, or may be asked: what is missing, and what to do. It is asked again by
    /// [`Action::AskAgain`].
    pub missing: Option<Fault>,
    /// Codes of the warnings that the person has read and accepted.
    pub accepted: Vec<String>,
    /// For [`Step::Rescue`]: what may become a rescue stick.
    pub sticks: Vec<Stick>,
    /// To go on, the password is asked for: nobody has typed it since the computer was started.
    pub needs_password: bool,
    /// Whether one click takes back what was done so far.
    pub can_undo: bool,
    /// The next start puts everything back, as the person wished.
    pub undone: bool,
}

/// The checklist and the choice that follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Check {
    /// Each condition.
    pub conditions: Vec<Condition>,
    /// The method that the program picks; `None`: it cannot go on.
    pub method: Option<Method>,
    /// Why this one (`reason-…`).
    pub reasons: Vec<Reason>,
    /// How room for the header is made (`reason-room-…`).
    pub room: Reason,
    /// What this computer and this drive can do, for the drive's own encryption and for starting an
    /// encrypted system. None of it stands in the way of the method.
    pub able: Vec<Condition>,
}

/// What of a volume is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Space {
    /// Every byte.
    #[default]
    All,
    /// What is used. What was deleted earlier may still lie in the free space, in plain text.
    Used,
    /// What is used; what is free is overwritten.
    UsedAndOverwrite,
}

/// The choice of what is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpaceChoice {
    /// What will be encrypted as it stands.
    pub chosen: Space,
    /// What the program would choose for somebody who does not know.
    pub advised: Space,
    /// Bytes that no file uses.
    #[ts(type = "number")]
    pub free: u64,
}

/// How a computer sleeps whose drive would lock itself in deep sleep, and could be opened by nobody afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SleepChoice {
    /// Lightly (s2idle): the drive keeps its power, and the battery lasts less long.
    Light,
    /// Not at all. It can still hibernate, which is a power-off.
    Never,
}

/// The question how the computer is to sleep. Nothing is gone on with until it is answered: sleep is changed by
/// nobody but the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SleepQuestion {
    /// What the person has chosen.
    pub chosen: Option<SleepChoice>,
}

/// Confirmations before anything happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Before {
    /// "I have a backup."
    pub backup_confirmed: bool,
    /// Power, free space, health: looked at by the program.
    pub conditions: Vec<Condition>,
    /// Estimated seconds for the encryption, from the measured speed where there is one.
    #[ts(type = "number | null")]
    pub estimate_s: Option<u64>,
}

/// How good a password is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Strength {
    /// 0 (bad) to 4 (very good), by zxcvbn.
    pub score: u8,
    /// Guesses, as a power of ten.
    pub guesses_log10: f64,
    /// What is weak about it (`reason-password-…`), at most two.
    pub weaknesses: Vec<Reason>,
    /// Characters that a start-up keyboard may not be able to type, or that lie on other keys there
    /// (`reason-password-layout-…`).
    pub typing: Vec<Reason>,
    /// Whether the wizard accepts it.
    pub acceptable: bool,
}

/// For [`Step::Password`]. The password itself never comes back out of the wizard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PasswordState {
    /// Whether one has been set in this run.
    pub set: bool,
}

/// For [`Step::Recovery`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecoveryState {
    /// Short name of the key, printed on the sheet and part of the file's name.
    pub key_id: Option<String>,
    /// The key in its eight groups, while it is shown.
    pub groups: Option<Vec<String>>,
    /// The check letters of each group, printed on the sheet.
    pub group_checks: Option<Vec<String>>,
    /// The QR code for the printed sheet, while the key is shown.
    pub code: Option<SheetCode>,
    /// Copies that were read back and opened the header.
    pub copies: Vec<RecoveryCopy>,
    /// Places where a copy may be put: mounted sticks that are not the target.
    pub places: Vec<RecoveryPlace>,
}

/// The QR code of the recovery sheet, to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SheetCode {
    /// Squares on a side, without the quiet zone.
    pub width: u32,
    /// The dark squares as an SVG path whose unit is a square.
    pub path: String,
}

/// A copy of the recovery key that has been proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecoveryCopy {
    /// `stick`, `folder` or `paper`.
    pub kind: String,
    /// Where, as a person knows it; empty for paper.
    pub place: String,
}

impl RecoveryCopy {
    /// A copy on paper.
    pub fn paper() -> Self {
        Self { kind: "paper".into(), place: String::new() }
    }

    /// A copy in a folder: on one of these sticks, or elsewhere.
    pub fn in_folder(folder: &std::path::Path, places: &[RecoveryPlace]) -> Self {
        match places.iter().find(|place| folder.starts_with(&place.path)) {
            Some(place) => Self { kind: "stick".into(), place: place.name.clone() },
            None => Self { kind: "folder".into(), place: folder.display().to_string() },
        }
    }

    /// The copy that is kept, where this is the way that it was read back by: a scan is one of paper.
    pub(crate) fn kept(&self) -> Self {
        match self.kind.as_str() {
            "scan" => Self::paper(),
            "file" => {
                let folder = std::path::Path::new(&self.place).parent().unwrap_or(std::path::Path::new("."));
                Self { kind: "folder".into(), place: folder.display().to_string() }
            }
            _ => self.clone(),
        }
    }
}

/// Where the key may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecoveryPlace {
    /// Folder.
    pub path: String,
    /// As a person knows it.
    pub name: String,
    /// Bytes free.
    #[ts(type = "number")]
    pub free: u64,
}

/// For [`Step::Rescue`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RescueState {
    /// File that was written.
    pub written: Option<String>,
    /// Whether every byte was read back and the header backup in it opened.
    pub verified: bool,
    /// "Without a rescue stick", said by the person.
    pub skipped: bool,
}

/// What was measured. Rates in bytes a second, times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct BenchFigures {
    /// Name of each test (`bench-…` in the catalogue) and its figure.
    pub tests: Vec<BenchFigure>,
    /// AES-XTS in memory, bytes a second.
    pub cipher_rate: f64,
    /// Real time of one key derivation, seconds.
    pub kdf_seconds: Option<f64>,
    /// The whole report, if a drive was measured.
    #[serde(default)]
    pub report: Option<bench::Figures>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct BenchFigure {
    /// `seq1m-q1t1-read` and so on, as CrystalDiskMark names them.
    pub name: String,
    /// Bytes a second: the median.
    pub rate: f64,
    /// Smallest and largest of the rounds.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

/// For [`Step::TestStart`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TestStartState {
    /// Whether the password opened the staged header.
    pub passed: bool,
    /// Wrong tries in a row.
    pub wrong: u32,
    /// The computer has to be switched off and on for it.
    pub power_off: bool,
}

/// For [`Step::Encrypt`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct EncryptState {
    /// Whether the conversion has been begun, in this run or an earlier one.
    pub begun: bool,
    /// Whether it is finished.
    pub finished: bool,
    /// Last progress seen, also after closing and reopening.
    pub progress: Option<Progress>,
    /// After reopening the password is needed again to go on.
    pub needs_password: bool,
    /// The computer has to be switched off and on, so that the drive is seen locked.
    pub power_off: bool,
}

/// For [`Step::Report`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Report {
    /// Is it protected now, as read from the medium again?
    pub judged: Judged,
    /// Who encrypts.
    #[serde(default = "software")]
    pub method: Method,
    /// Cipher as the format spells it (`aes-xts-plain64`).
    pub cipher: String,
    /// Bits of the key.
    pub key_bits: u32,
    /// Bytes of a sector.
    pub sector_size: u32,
    /// Seconds that the conversion took, without pauses.
    pub seconds: f64,
    /// Bytes that were encrypted.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Key ID of the recovery key.
    pub key_id: String,
    /// Where its copies are.
    pub copies: Vec<RecoveryCopy>,
    /// Where the rescue image is, if one was made.
    pub rescue: Option<String>,
    /// The volume's UUID.
    pub uuid: String,
    /// What became of the files, where the wizard can tell: it can on the practice drive, whose files
    /// it made itself.
    pub files: Option<FilesCheck>,
}

/// Files that were compared with what they were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FilesCheck {
    /// How many there were before.
    pub total: u32,
    /// How many are there and the same, read back through the encryption.
    pub same: u32,
}

/// What a person can do. Secrets come in here and nowhere else.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Action {
    /// Look at all drives again.
    Refresh,
    /// Ask the system for the right to look at everything, to read only and until the program ends.
    LookAsAdministrator,
    /// Choose a volume or an image by its path.
    Choose {
        /// Device node or file.
        path: String,
    },
    /// Make a practice drive and choose it.
    Practice,
    /// Make a practice drive that encrypts by itself, and choose it.
    PracticeHardware,
    /// Encrypt by this method.
    ChooseMethod {
        /// One of the view's `methods`.
        method: Method,
    },
    /// Give a drive that encrypts by itself back as it was, with its data.
    GiveBack {
        /// Password or recovery key; needed only after reopening.
        #[ts(type = "string | null")]
        password: Option<Typed>,
    },
    /// Encrypt this much of the target.
    ChooseSpace {
        /// Other than everything only where the view has a [`SpaceChoice`].
        space: Space,
    },
    /// Have the computer sleep like this from when the drive is locked until it is given back.
    ChooseSleep {
        /// Only where the view has a [`SleepQuestion`].
        sleep: SleepChoice,
    },
    /// Go back one step.
    Back,
    /// Go on.
    Next,
    /// "I have a backup", or not.
    ConfirmBackup {
        /// Yes or no.
        confirmed: bool,
    },
    /// "I have read this warning, and go on", or not.
    Accept {
        /// Code of the condition.
        code: String,
        /// Yes or no.
        accepted: bool,
    },
    /// Ask the system's service again, after it was missing.
    AskAgain,
    /// Set the password.
    SetPassword {
        /// Twice the same.
        #[ts(type = "string")]
        password: Typed,
        /// See `password`.
        #[ts(type = "string")]
        repeated: Typed,
    },
    /// Write the recovery key to this folder, read it back, open the header with it.
    ExportRecovery {
        /// A folder that is not on the target.
        folder: String,
    },
    /// The same as a page for paper: a PDF.
    ExportPage {
        /// A folder that is not on the target.
        folder: String,
    },
    /// Read the key from a scan, a photo or a file of the sheet, and open the header with it.
    ReadRecovery {
        /// The file.
        file: String,
    },
    /// The key as the person typed it back from paper.
    TypeRecovery {
        /// 64 letters, groups and case as they come.
        #[ts(type = "string")]
        key: Typed,
    },
    /// Write the rescue image to this folder and read it back.
    WriteRescue {
        /// A folder that is not on the target.
        folder: String,
    },
    /// Make a rescue stick for the running system, and read it back. Everything on it is lost.
    WriteStick {
        /// The id of one of the view's `sticks`.
        stick: String,
        /// Its name, typed by the person.
        typed: String,
    },
    /// Go on without a rescue stick.
    SkipRescue,
    /// Measure, before or after by the step that it is in.
    Measure,
    /// Go on without measuring.
    SkipMeasure,
    /// Write the report of the measurements to this folder, as a page and as data.
    SaveBench {
        /// Any folder.
        folder: String,
    },
    /// The password as typed at the simulated start.
    TestStart {
        /// As typed.
        #[ts(type = "string")]
        password: Typed,
    },
    /// Begin or go on with the conversion. The password is needed only after reopening.
    Encrypt {
        /// As typed, after reopening.
        #[ts(type = "string | null")]
        password: Option<Typed>,
    },
    /// Pause the running job.
    Pause,
    /// Let it go on.
    Resume,
    /// Start the computer anew: for the test start, or for what the next start does.
    Restart,
    /// Switch the computer off, so that its next start is from power-off.
    PowerOff,
    /// Take back what was done for the running system's drive, as long as nothing is encrypted.
    TakeBack,
    /// Prepare the way back to plain for the running system's drive, at the next start.
    Decrypt {
        /// As typed.
        #[ts(type = "string")]
        password: Typed,
    },
    /// Start again with another drive, after the report.
    StartOver,
    /// Look after a protected drive.
    Manage {
        /// Device node or file.
        path: String,
    },
    /// Do something with the drive that is looked after.
    Care {
        /// What.
        care: Care,
    },
    /// Have its own system encrypt this volume, or look after that.
    OpenNative {
        /// The volume, or the file of a practice computer.
        path: String,
    },
    /// Make a practice computer whose own system encrypts.
    PracticeNative,
    /// Do something with the volume that its own system encrypts.
    Native {
        /// What.
        native: NativeAction,
    },
    /// Back from looking after a drive, or from the system's own encryption.
    Leave,
}

/// What reports were about before there was a choice.
const fn software() -> Method {
    Method::Software
}

/// What a person typed where a secret is asked for: cleared when dropped, and not shown by `Debug`.
#[derive(Clone, Deserialize)]
#[serde(from = "String")]
pub struct Typed(Zeroizing<String>);

impl Typed {
    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text's bytes as a secret.
    pub fn secret(&self) -> Secret {
        Secret::from(self.expose())
    }
}

impl From<String> for Typed {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl From<&str> for Typed {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl std::fmt::Debug for Typed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Typed(..)")
    }
}
