//! What makes the initramfs, and how our parts get into it and out of it again.

mod initramfs_tools;
mod others;

use crate::Result;
use crate::job::Job;

/// A program that makes the initramfs.
pub trait Builder {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether this system is started by what it makes.
    fn is_used(&self) -> bool;

    /// Packages that are missing for a root that is encrypted.
    fn missing(&self) -> Vec<&'static str>;

    /// Puts the hook for a test start and a started encryption in place.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    fn install(&self, job: &Job) -> Result<()>;

    /// Takes the hook away.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    fn uninstall(&self) -> Result<()>;

    /// Makes the initramfs of every kernel anew.
    ///
    /// # Errors
    /// Those of the program.
    fn rebuild(&self) -> Result<()>;

    /// Looks into what was made for this kernel: whether everything for the test start is in it.
    ///
    /// # Errors
    /// [`Error::NotInInitramfs`](crate::Error::NotInInitramfs).
    fn prove_staged(&self, kernel: &str, job: &Job, keymap: bool) -> Result<()>;

    /// Whether it opens the volume by itself, by crypttab, and nothing of ours is left in it.
    ///
    /// # Errors
    /// [`Error::NotInInitramfs`](crate::Error::NotInInitramfs).
    fn prove_end(&self, kernel: &str, job: &Job) -> Result<()>;

    /// Whether the volume with this name is asked for by this script, at this path; `None`: by the distribution's own
    /// prompt.
    ///
    /// # Errors
    /// [`Error::NotInInitramfs`](crate::Error::NotInInitramfs).
    fn prove_prompt(&self, kernel: &str, mapping: &str, script: Option<(&str, &[u8])>) -> Result<()>;
}

/// The one that this system uses.
pub fn used() -> Option<Box<dyn Builder>> {
    let all: [Box<dyn Builder>; 3] = [
        Box::new(initramfs_tools::InitramfsTools::default()),
        Box::new(others::Other { name: "dracut", program: "/usr/bin/dracut" }),
        Box::new(others::Other { name: "mkinitcpio", program: "/usr/bin/mkinitcpio" }),
    ];
    all.into_iter().find(|builder| builder.is_used())
}
