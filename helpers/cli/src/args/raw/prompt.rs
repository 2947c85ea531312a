//! The prompt before the system starts.

use clap::{Args, Subcommand, ValueEnum};

/// The prompt before the system starts.
#[derive(Debug, Subcommand)]
pub enum Prompt {
    /// Say what it says and shows
    Show {
        /// One JSON document instead of sentences
        #[arg(long)]
        json: bool,
    },
    /// Set what it says and shows from the next start on
    ///
    /// On Debian and Ubuntu with cryptsetup-initramfs. What each kernel starts from is made anew and looked into; when
    /// the setting is not found there, all is put back. Whatever goes wrong at a start, the distribution's own prompt
    /// asks. What is not named here is as the distribution has it.
    Set(PromptSet),
}

/// What the prompt says and shows.
#[derive(Debug, Args)]
pub struct PromptSet {
    /// A line of your own above the question, such as a telephone number for whoever finds the computer
    #[arg(
        long,
        required_unless_present_any = ["decoy", "default", "silent"],
        conflicts_with_all = ["decoy", "default"]
    )]
    pub text: Option<String>,
    /// What firmware says that finds no system, instead of the question; Enter alone brings the usual question
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "default")]
    pub decoy: Option<DecoyName>,
    /// As the distribution has it
    #[arg(long, conflicts_with = "silent")]
    pub default: bool,
    /// Show nothing of what is typed, not even dots
    #[arg(long)]
    pub silent: bool,
    /// Do not ask before beginning
    #[arg(long)]
    pub yes: bool,
}

/// What firmware says that finds no system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DecoyName {
    /// Operating System not found
    NoSystem,
    /// Missing operating system
    MissingSystem,
    /// No bootable device -- insert boot disk and press any key
    NoBootDevice,
    /// DISK BOOT FAILURE, INSERT SYSTEM DISK AND PRESS ENTER
    DiskFailure,
    /// Reboot and Select proper Boot device
    SelectDevice,
}
