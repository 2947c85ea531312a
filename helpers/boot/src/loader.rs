//! Boot loaders: how one entry is started once, and only once.

mod boot_next;
mod grub;
mod systemd_boot;

use crate::Result;
use crate::job::Job;

pub use grub::install as install_grub;

/// A way to start the test entry at the next start, and never again by itself.
pub trait Once {
    /// Its name, for the job and for details.
    fn name(&self) -> &'static str;

    /// Whether this computer starts that way, and the choice is really cleared by itself.
    fn is_usable(&self) -> bool;

    /// Makes the entry for the kernel that runs and chooses it for the next start.
    ///
    /// # Errors
    /// Those of the system's programs.
    fn arm(&self, job: &Job, cmdline: &str, kernel: &str) -> Result<()>;

    /// Whether the choice is still made: it is gone once a start has begun.
    ///
    /// # Errors
    /// Those of the system's programs.
    fn is_armed(&self) -> Result<bool>;

    /// Takes the choice and the entry away again.
    ///
    /// # Errors
    /// Those of the system's programs.
    fn disarm(&self) -> Result<()>;
}

/// All of them, in the order in which they are tried: the loader that the system has comes before the firmware,
/// which may forget.
fn all() -> [Box<dyn Once>; 3] {
    [Box::new(grub::Grub), Box::new(systemd_boot::SystemdBoot), Box::new(boot_next::BootNext)]
}

/// The first that is usable here.
pub fn usable() -> Option<Box<dyn Once>> {
    all().into_iter().find(|loader| loader.is_usable())
}

/// One by its name.
pub fn named(name: &str) -> Option<Box<dyn Once>> {
    all().into_iter().find(|loader| loader.name() == name)
}

/// The kernel's command line of the test entry: that of now, with the word that asks for the test, and with a
/// restart after a panic, so that a hang in the kernel falls back by itself.
pub(crate) fn test_line(job: &Job, cmdline: &str) -> String {
    const OWN: [&str; 5] = ["BOOT_IMAGE=", "initrd=", "latchkey.test=", "panic=", "splash"];
    let kept = cmdline.split_whitespace().filter(|word| !OWN.iter().any(|own| word.starts_with(own)));
    kept.chain([&*job.word(), "panic=30"]).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::job;

    #[test]
    fn the_test_line_is_that_of_now_and_the_word() {
        let line = test_line(&job(), "BOOT_IMAGE=/vmlinuz root=UUID=1 ro quiet splash panic=0");
        assert_eq!(line, "root=UUID=1 ro quiet latchkey.test=5f0e panic=30");
    }
}
