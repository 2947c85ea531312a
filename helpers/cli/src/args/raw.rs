//! The command line as it is typed. `latchkey help COMMAND` is made of these comments.

// The program that makes the manual has this file under another name.
#[path = "raw/hardware.rs"]
mod hardware;
#[path = "raw/prompt.rs"]
mod prompt;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use hardware::Opal;
pub use prompt::{Prompt, PromptSet};

/// Encrypts a drive or an image in place, and says of every drive whether it is protected.
///
/// Passwords are read from files, from standard input (`-`) or typed at the terminal; never from
/// the command line. One line break at the end of a password file is not part of the password.
///
/// Exit codes: 0 done; 1 it failed; 2 wrong usage; 3 refused, a condition is not met; 4 wrong
/// password or key; 5 a newer or damaged format; 10 not protected (from `status` with one target);
/// 130 stopped, can be resumed.
#[derive(Debug, Parser)]
#[command(name = "latchkey", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say of each drive or image whether it is protected, and why
    Status {
        /// One JSON document instead of sentences
        #[arg(long)]
        json: bool,
        /// Drives, partitions or image files; all drives of this computer if none is given
        #[arg(value_name = "DRIVE|IMAGE")]
        targets: Vec<PathBuf>,
    },
    /// Look at all drives, and again whenever something changes: a line of JSON each time
    ///
    /// It ends when standard input does. The window starts it where looking needs administrator rights.
    Watch,
    /// Show each condition, the method that would be chosen, and the reasons
    Check {
        /// One JSON document instead of sentences
        #[arg(long)]
        json: bool,
        /// The drive, partition or image file
        #[arg(value_name = "DRIVE|IMAGE")]
        target: PathBuf,
    },
    /// Say what the output of another tool means: manage-bde, lsblk, luksDump, diskutil, sedutil, …
    ///
    /// For helping somebody from afar. Reads files with what `manage-bde -status` (in any language),
    /// `Get-BitLockerVolume | fl`, WMI, `fdesetup status`, `diskutil` (text and plist), `lsblk`,
    /// `blkid`, `cryptsetup luksDump`, `dmsetup table`, `sedutil-cli`, `nvme sed discover` or `hdparm
    /// -I` printed, or a hex dump of a drive's Level 0 discovery. One file may hold several of them.
    Explain {
        /// One JSON document instead of sentences
        #[arg(long)]
        json: bool,
        /// Files with what was printed; `-` for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Encrypt a volume or an image in place; every file on it stays
    ///
    /// Before anything is changed, a recovery key is written to the folder given with
    /// `--recovery-dir`, read back from there, and tried. The folder must be on another drive.
    Encrypt(Encrypt),
    /// Go on with a conversion that was stopped
    Resume {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the password or recovery key; `-` for standard input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Put zeros in the place of sectors that cannot be read, instead of stopping before them
        #[arg(long)]
        give_up_unreadable: bool,
        #[command(flatten)]
        progress: Progress,
    },
    /// Take back an encryption of which nothing has been encrypted yet
    Undo {
        /// The drive, partition or image file
        target: PathBuf,
        /// Do not ask before beginning
        #[arg(long)]
        yes: bool,
    },
    /// Ask a conversion that runs in another terminal or in the window to come to a stop that resumes
    Pause {
        /// The drive, partition or image file
        target: PathBuf,
    },
    /// Take the encryption away again; every file on the volume stays
    Decrypt {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the password or recovery key; `-` for standard input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        progress: Progress,
        /// Do not ask before beginning
        #[arg(long)]
        yes: bool,
    },
    /// Try whether a password or recovery key opens it; changes nothing
    Prove {
        /// The drive, partition or image file
        target: PathBuf,
        #[command(flatten)]
        key: KeySource,
    },
    /// Change the password
    Passwd {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the password as it is now; `-` for standard input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// File with the new password
        #[arg(long, value_name = "FILE")]
        new_password_file: Option<PathBuf>,
        #[command(flatten)]
        kdf: Kdf,
    },
    /// Passwords and keys of a drive: list them, let a second person in, take one away, use a chip
    #[command(subcommand)]
    Key(KeyCommand),
    /// Destroy all passwords, recovery keys and the header, for ever: before selling or throwing away
    Erase {
        /// The drive, partition or image file
        target: PathBuf,
        /// The target again, for scripts; otherwise it is asked for
        #[arg(long, value_name = "TARGET")]
        erase_drive_named: Option<String>,
    },
    /// Recovery keys: make a new one, make another copy, check a copy
    #[command(subcommand)]
    Recovery(Recovery),
    /// Backup, restoring and repair of the header, without which nobody opens the volume
    #[command(subcommand)]
    Header(Header),
    /// The rescue stick: it starts this computer, repairs, and gets files off
    #[command(subcommand)]
    Rescue(Rescue),
    /// Measure the processor or a disk, or compare two measurements
    #[command(subcommand)]
    Bench(Bench),
    /// The prompt before the running system starts: its words, and what is shown of the password
    #[command(subcommand)]
    Prompt(Prompt),
    /// For the initramfs and for the service of systemd
    #[command(subcommand, hide = true)]
    System(System),
    /// A drive's own encryption (TCG Opal) without the wizard
    #[command(subcommand)]
    Opal(Opal),
    /// The whole way on a practice drive: no rights needed, nothing at risk
    Practice {
        /// Folder for the practice drive and its recovery key; a new temporary one if not given
        #[arg(long)]
        dir: Option<PathBuf>,
        /// Size of the practice drive
        #[arg(long, value_name = "SIZE", default_value = "64M")]
        size: String,
        /// A practice drive that encrypts by itself
        #[arg(long)]
        opal: bool,
        /// What sort of drive that is: `default`, `no-shadow-mbr`, …
        #[arg(long, value_name = "NAME", default_value = "default", requires = "opal", hide = true)]
        profile: String,
        /// A practice Windows with BitLocker instead of a drive
        #[arg(long, conflicts_with = "opal")]
        windows: bool,
        /// Do not ask between the steps; make up a password
        #[arg(long)]
        yes: bool,
        /// Keep the practice drive at the end, encrypted
        #[arg(long)]
        keep: bool,
        #[command(flatten)]
        kdf: Kdf,
    },
}

/// Encrypting in place.
#[derive(Debug, Args)]
pub struct Encrypt {
    /// The drive, partition or image file
    pub target: PathBuf,
    /// File with the new password; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Folder for the recovery key: a stick, not the drive that is being encrypted
    #[arg(long, value_name = "DIR")]
    pub recovery_dir: PathBuf,
    /// Say that the folder is on another drive, where the program cannot see it
    #[arg(long)]
    pub recovery_dir_is_elsewhere: bool,
    /// Encrypt only the parts that hold files; faster, but what was deleted earlier may stay readable
    #[arg(long)]
    pub used_space_only: bool,
    /// Overwrite the free parts instead of reading and encrypting them
    #[arg(long, conflicts_with = "used_space_only")]
    pub overwrite_free_space: bool,
    /// Let a file system that is not in order be checked and put in order first; no file is decided about
    #[arg(long)]
    pub mend_file_system: bool,
    /// Who encrypts
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    /// How the computer sleeps from then on, where deep sleep would lock the drive with nobody to open it
    #[arg(long, value_enum, value_name = "HOW")]
    pub sleep: Option<Sleep>,
    #[command(flatten)]
    pub kdf: Kdf,
    #[command(flatten)]
    pub progress: Progress,
    /// Do not ask before beginning
    #[arg(long)]
    pub yes: bool,
}

/// How the computer sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sleep {
    /// Lightly: the drive keeps its power, and the battery lasts less long
    Light,
    /// Not at all; it can still hibernate
    Never,
}

/// How long a guess at the password takes.
#[derive(Clone, Copy, Debug, Args)]
pub struct Kdf {
    /// Milliseconds that opening with the password takes on this computer: an attacker needs as
    /// long for each guess
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    pub iter_time: u64,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, Args)]
pub struct Progress {
    /// JSON lines on standard output, at most five a second
    #[arg(long, value_enum, value_name = "FORM")]
    pub progress: Option<ProgressForm>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressForm {
    /// JSON lines.
    Json,
}

/// Who encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// What fits this drive
    Auto,
    /// This computer's processor
    Software,
    /// The drive itself
    Hardware,
    /// Both, one above the other
    Both,
}

/// A password or a recovery key.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct KeySource {
    /// File with the password; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// File with the recovery key, such as the exported sheet; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub recovery_file: Option<PathBuf>,
}

/// The ways into a volume.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// List what opens it; needs no password
    List {
        /// One JSON document instead of sentences
        #[arg(long)]
        json: bool,
        /// The drive, partition or image file
        target: PathBuf,
    },
    /// Let a second person in, with a password of their own
    Add {
        /// The drive, partition or image file
        target: PathBuf,
        #[command(flatten)]
        key: KeySource,
        /// File with the new password
        #[arg(long, value_name = "FILE")]
        new_password_file: Option<PathBuf>,
        #[command(flatten)]
        kdf: Kdf,
    },
    /// Take one away; another one has to open the drive first
    Remove {
        /// The drive, partition or image file
        target: PathBuf,
        #[command(flatten)]
        key: KeySource,
        /// Its number, as `latchkey key list` has it
        #[arg(long, value_name = "N")]
        keyslot: u32,
    },
    /// Open it with this computer's TPM or a FIDO2 security key as well, by systemd-cryptenroll
    Enroll {
        /// What it is tied to
        #[arg(value_enum)]
        chip: Chip,
        /// The drive or partition
        target: PathBuf,
        #[command(flatten)]
        key: KeySource,
        /// TPM: ask for a PIN as well
        #[arg(long)]
        pin: bool,
    },
}

/// What a volume can be tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Chip {
    /// This computer's TPM
    Tpm2,
    /// A security key that is plugged in
    Fido2,
}

/// Recovery keys.
#[derive(Debug, Subcommand)]
pub enum Recovery {
    /// Make a new recovery key, write it to a folder, read it back and try it
    New {
        /// The drive, partition or image file
        target: PathBuf,
        #[command(flatten)]
        key: KeySource,
        /// Folder for the recovery key
        #[arg(long, value_name = "DIR")]
        recovery_dir: PathBuf,
        /// Say that the folder is on another drive, where the program cannot see it
        #[arg(long)]
        recovery_dir_is_elsewhere: bool,
    },
    /// Write another copy of a recovery key to a folder, read it back and try it
    Export {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the recovery key that there is; `-` for standard input
        #[arg(long, value_name = "FILE")]
        recovery_file: Option<PathBuf>,
        /// What sort of file
        #[arg(long, value_enum, default_value = "sheet")]
        form: CopyForm,
        /// Folder for the copy
        #[arg(long, value_name = "DIR")]
        recovery_dir: PathBuf,
        /// Say that the folder is on another drive, where the program cannot see it
        #[arg(long)]
        recovery_dir_is_elsewhere: bool,
    },
    /// Make the page for paper: a PDF with the key, its check letters and a QR code
    ///
    /// To print it without leaving a file behind: `latchkey recovery paper … --file - | lp`
    Paper {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the recovery key that there is; `-` for standard input
        #[arg(long, value_name = "FILE")]
        recovery_file: Option<PathBuf>,
        /// A file that is not there yet, on another drive; `-` for standard output
        #[arg(long, value_name = "PDF")]
        file: PathBuf,
        /// Size of the paper; if not given, Letter where the language of the system is that of a
        /// country that uses it, otherwise A4
        #[arg(long, value_enum)]
        size: Option<PaperSize>,
        /// Say that the file is on another drive, where the program cannot see it
        #[arg(long)]
        file_is_elsewhere: bool,
    },
    /// List the copies that this computer remembers (never the key), and which are to be tried again
    List {
        /// The drive, partition or image file; if not given, all
        target: Option<PathBuf>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Check that a copy holds a whole recovery key, and which drive it belongs to
    ///
    /// The copy may be a text file, a PDF, a scan or a photo of the page (PNG, JPEG). With a target it is
    /// tried on that; otherwise the drive that the sheet names is looked for in this computer.
    Verify {
        /// The copy
        file: PathBuf,
        /// The drive, partition or image file that it should open
        target: Option<PathBuf>,
    },
}

/// What sort of file a copy of a recovery key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CopyForm {
    /// A text with the key, its check letters and what it is for
    Sheet,
    /// The key and nothing else, for `cryptsetup --key-file` and crypttab
    KeyFile,
    /// The page for paper, as PDF
    Page,
}

/// Sizes of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PaperSize {
    /// 210 mm by 297 mm
    A4,
    /// 8.5 in by 11 in
    Letter,
}

/// The rescue stick.
#[derive(Debug, Subcommand)]
pub enum Rescue {
    /// Make it, as an image file or on a stick, and read every byte back
    Make {
        /// An image file that is not there yet
        #[arg(long, required_unless_present = "stick", conflicts_with = "stick")]
        file: Option<PathBuf>,
        /// A stick, as `latchkey rescue sticks` lists it; everything on it is lost
        #[arg(long)]
        stick: Option<PathBuf>,
        /// The stick's name, for scripts; otherwise it is asked for
        #[arg(long, requires = "stick")]
        confirm: Option<String>,
        /// A volume whose header is put on it; may be given several times
        #[arg(long = "header", value_name = "TARGET")]
        headers: Vec<PathBuf>,
        /// The system whose signed parts are taken
        #[arg(long, default_value = "/")]
        root: PathBuf,
    },
    /// Is it whole, and are the headers on it still those of the volumes?
    Verify {
        /// The stick or the image file
        image: PathBuf,
        /// Volumes whose headers should be on it
        targets: Vec<PathBuf>,
    },
    /// List the sticks that are plugged in
    Sticks,
}

/// The header of an encrypted volume.
#[derive(Debug, Subcommand)]
pub enum Header {
    /// Copy the header into a file
    Backup {
        /// The drive, partition or image file
        target: PathBuf,
        /// A file that is not there yet
        file: PathBuf,
    },
    /// Put a copied header back; a copy from another volume is refused
    Restore {
        /// The drive, partition or image file
        target: PathBuf,
        /// The file
        file: PathBuf,
        /// UUID of the volume, where its own header does not tell it any more
        #[arg(long)]
        uuid: Option<String>,
        /// Do not ask before beginning
        #[arg(long)]
        yes: bool,
    },
    /// Mend a damaged header from its other copy, or from what is left of both
    Repair {
        /// The drive, partition or image file
        target: PathBuf,
        /// File with the password or recovery key; needed only when both copies are damaged, to
        /// prove what was put together. `-` for standard input
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// UUID of the volume, where neither copy tells it any more
        #[arg(long)]
        uuid: Option<String>,
        /// Do not ask before beginning
        #[arg(long)]
        yes: bool,
    },
}

/// What an encryption of the running system starts by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum System {
    /// In the initramfs, before the root is mounted
    Start,
    /// In the running system, in the background
    Run,
}

/// Measuring.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// How fast this processor encrypts, in memory
    Cipher {
        /// One JSON document instead of a table
        #[arg(long)]
        json: bool,
    },
    /// How fast the disk under a folder reads and writes: about a minute
    Disk {
        /// A folder that can be written; with `--read-only` a device or a large file
        dir: PathBuf,
        /// One JSON document instead of a table
        #[arg(long)]
        json: bool,
        /// Size of the test file
        #[arg(long, value_name = "SIZE")]
        size: Option<String>,
        /// About ten minutes: a file of up to 8 GiB, and data that can be compressed beside data that cannot
        #[arg(long, conflicts_with = "read_only")]
        full: bool,
        /// Write nothing: read a device (as an administrator) or a large file that exists
        #[arg(long)]
        read_only: bool,
        /// Reading speed over the whole drive, too (as an administrator)
        #[arg(long)]
        curve: bool,
        /// Tell the drive first what is free (`fstrim`, as an administrator), and give it a moment
        #[arg(long, conflicts_with = "read_only")]
        trim: bool,
        /// Keep the report in this folder, under today's date
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
    },
    /// The measurements that were kept, the oldest first
    List {
        /// A folder that `--keep` named; without one, those of the window
        folder: Option<PathBuf>,
        /// One JSON document instead of lines
        #[arg(long)]
        json: bool,
    },
    /// Compare two measurements that were saved with `--json` or `--keep`
    Compare {
        /// The earlier one
        before: PathBuf,
        /// The later one
        after: PathBuf,
        /// One JSON document instead of a table
        #[arg(long)]
        json: bool,
        /// Write the report as a page with pictures, too
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// The strongest comparison: read an open encrypted volume and the device under it in turns (Linux, as
    /// an administrator)
    Mapping {
        /// What stands behind /dev/mapper/
        name: String,
        /// One JSON document instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Try the kernel's faster way (no_read_workqueue, no_write_workqueue) on an open volume, and keep it
    /// only where it helps (Linux, as an administrator)
    Tune {
        /// What stands behind /dev/mapper/
        name: String,
        /// File with the password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// One JSON document instead of a table
        #[arg(long)]
        json: bool,
    },
}
