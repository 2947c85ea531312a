//! `latchkey opal` as it is typed.

use std::path::PathBuf;

use clap::Subcommand;

use super::{KeySource, Sleep};

/// A drive's own encryption. A drive is a device node, or a file with a practice drive that was kept.
#[derive(Debug, Subcommand)]
pub enum Opal {
    /// What drives say of their own encryption; all drives of this computer if none is given
    Discover {
        /// One JSON document instead of names and values
        #[arg(long)]
        json: bool,
        /// Drives
        #[arg(value_name = "DRIVE")]
        drives: Vec<PathBuf>,
    },
    /// Print the PIN that opens a drive with stock tools: `sedutil-cli -n --setLockingRange 0 RW PIN DRIVE`
    ///
    /// The PIN is as good as the password: whoever sees it opens the drive. How it comes about is told in
    /// the documentation of the crate `opal`.
    Pin {
        /// The drive
        #[arg(required_unless_present_any = ["image", "msid", "salt"], conflicts_with_all = ["image", "msid", "salt"])]
        drive: Option<PathBuf>,
        /// A rescue image, or a preboot image as it was read from the drive, instead of the drive
        #[arg(long, value_name = "FILE", conflicts_with_all = ["msid", "salt"])]
        image: Option<PathBuf>,
        /// The drive's MSID, as any tool prints it, instead of the drive
        #[arg(long, conflicts_with = "salt")]
        msid: Option<String>,
        /// The salt as 32 hexadecimal digits, instead of the drive
        #[arg(long, value_name = "DIGITS")]
        salt: Option<String>,
        /// Memory of the derivation, with --msid or --salt
        #[arg(long, value_name = "KIB")]
        memory: Option<u32>,
        /// Passes over it
        #[arg(long, value_name = "N")]
        passes: Option<u32>,
        /// Lanes
        #[arg(long, value_name = "N")]
        lanes: Option<u32>,
        #[command(flatten)]
        key: KeySource,
    },
    /// Write what a drive shows while it is locked into a file, as `encrypt --method hardware` loads it
    ///
    /// For looking at it, and for loading it with other tools: `sedutil-cli --loadpbaimage PASSWORD FILE DRIVE`. It is
    /// made of this system's shim, GRUB and kernel, which are signed for Secure Boot, and of the program that asks.
    /// No secret is in it.
    Image {
        /// The new file
        file: PathBuf,
        /// How much room the drive has for it
        #[arg(long, value_name = "SIZE", default_value = "128M")]
        size: String,
    },
    /// Lock a drive now
    Lock {
        /// The drive
        drive: PathBuf,
        #[command(flatten)]
        key: KeySource,
    },
    /// Open drives until their power is off, as the preboot program does
    Unlock {
        /// The drives; all that this program has set up if none is given
        #[arg(value_name = "DRIVE")]
        drives: Vec<PathBuf>,
        /// File with the password, on an encrypted drive, for a service
        #[arg(long, value_name = "FILE", conflicts_with_all = ["password_file", "recovery_file"])]
        key_file: Option<PathBuf>,
        #[command(flatten)]
        key: KeySource,
    },
    /// Take the drive's own encryption off again; every file on it stays
    GiveBack {
        /// The drive
        drive: PathBuf,
        #[command(flatten)]
        key: KeySource,
        /// Do not ask before beginning
        #[arg(long)]
        yes: bool,
    },
    /// Set a drive back with the PSID on its label: ERASES EVERYTHING ON IT
    ///
    /// For a drive whose password and recovery key are lost. The name of the drive has to be typed.
    Revert {
        /// The drive
        drive: PathBuf,
        /// File with the PSID; `-` for standard input
        #[arg(long, value_name = "FILE")]
        psid_file: PathBuf,
        /// The name of the drive, where nobody can type it
        #[arg(long, value_name = "NAME")]
        erase_drive_named: Option<String>,
    },
    /// Have the running system open a data drive at each start, and sleep so that the drive stays open
    ///
    /// With a key file on the system drive where that is encrypted itself; where it is not, the password is asked
    /// for. Encrypting a data drive does this by itself, and giving the drive back takes it away.
    AtStart {
        /// The drive
        drive: PathBuf,
        /// Ask for the password even where a key file could be kept
        #[arg(long, conflicts_with = "off")]
        ask: bool,
        /// Take it back: the drive stays closed at each start until "latchkey opal unlock"
        #[arg(long)]
        off: bool,
        /// How the computer sleeps from then on, where deep sleep would lock the drive with nobody to open it
        #[arg(long, value_enum, value_name = "HOW", conflicts_with = "off")]
        sleep: Option<Sleep>,
        #[command(flatten)]
        key: KeySource,
    },
    /// Give the kernel what opens the drive when the computer wakes up
    SaveForSleep {
        /// The drive's block device
        drive: PathBuf,
        /// File with the password, on an encrypted drive, for a service
        #[arg(long, value_name = "FILE", conflicts_with_all = ["password_file", "recovery_file"])]
        key_file: Option<PathBuf>,
        #[command(flatten)]
        key: KeySource,
    },
}
