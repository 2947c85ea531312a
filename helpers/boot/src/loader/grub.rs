//! GRUB: `grub-reboot` chooses an entry for one start; GRUB itself clears the choice before it starts it, where it
//! can write its environment block. The entry lies in `custom.cfg`, which GRUB's own configuration reads.

use std::path::Path;

use super::{Once, test_line};
use crate::job::Job;
use crate::parts::{self, Part};
use crate::{Result, files, tool};

const CONFIGURATION: &str = "/boot/grub/grub.cfg";
const CUSTOM: &str = "/boot/grub/custom.cfg";
const BEGIN: &str = "# Latchkey: begin of the test start's entry\n";
const END: &str = "# Latchkey: end of the test start's entry\n";
const ENTRY: &str = "latchkey-test";

/// GRUB 2.
pub struct Grub;

impl Once for Grub {
    fn name(&self) -> &'static str {
        "grub"
    }

    fn is_usable(&self) -> bool {
        let reads = files::text_or_empty(Path::new(CONFIGURATION))
            .is_ok_and(|text| text.contains("/custom.cfg") && text.contains("next_entry") && text.contains("save_env"));
        reads && tool::find("grub-reboot").is_ok() && carrier().is_some_and(|part| can_be_cleared(&part))
    }

    fn arm(&self, job: &Job, cmdline: &str, kernel: &str) -> Result<()> {
        let part = carrier().ok_or_else(|| crate::Error::odd("/boot", "lies on nothing"))?;
        let folder = if part.is_mounted_at("/boot") { "" } else { "/boot" };
        let entry =
            entry(job, &part, &format!("{folder}/vmlinuz-{kernel}"), &format!("{folder}/initrd.img-{kernel}"), cmdline);
        let path = Path::new(CUSTOM);
        let kept = without_entry(&files::text_or_empty(path)?);
        files::replace(path, format!("{kept}{BEGIN}{entry}{END}").as_bytes(), 0o644)?;
        tool::run("grub-reboot", [ENTRY]).map(|_| ())
    }

    fn is_armed(&self) -> Result<bool> {
        let chosen = tool::run("grub-editenv", ["/boot/grub/grubenv", "list"])?;
        Ok(chosen.lines().any(|line| line == format!("next_entry={ENTRY}")))
    }

    fn disarm(&self) -> Result<()> {
        let path = Path::new(CUSTOM);
        let text = files::text_or_empty(path)?;
        let kept = without_entry(&text);
        match (kept == text, kept.is_empty()) {
            (true, _) => {}
            (false, true) => files::remove(path)?,
            (false, false) => files::replace(path, kept.as_bytes(), 0o644)?,
        }
        // Somebody else's choice is left alone.
        if self.is_armed()? {
            tool::run("grub-editenv", ["/boot/grub/grubenv", "unset", "next_entry"])?;
        }
        Ok(())
    }
}

/// Installs GRUB anew, as the system's package does it: its address changes when `/boot` moves.
///
/// # Errors
/// Those of `grub-install` and `update-grub`.
pub fn install(disk: &str) -> Result<()> {
    if Path::new("/sys/firmware/efi").is_dir() {
        tool::run("grub-install", ["--no-nvram"])?;
    } else {
        tool::run("grub-install", [disk])?;
    }
    tool::run("grub-mkconfig", ["-o", CONFIGURATION]).map(|_| ())
}

fn carrier() -> Option<Part> {
    let parts = parts::load().ok()?;
    let at = |point: &str| parts::path_to(&parts, &|part| part.is_mounted_at(point));
    at("/boot").or_else(|| at("/")).and_then(|path| path.last().map(|part| (*part).clone()))
}

/// GRUB writes into a file's own blocks: not through LVM or RAID, and not into btrfs or XFS (manual, "Environment
/// block"). Where it cannot clear the choice, the test start would be started again and again.
fn can_be_cleared(part: &Part) -> bool {
    part.kind == "part" && matches!(part.fstype.as_deref(), Some("ext4" | "ext3" | "ext2" | "vfat"))
}

fn entry(job: &Job, part: &Part, kernel: &str, initramfs: &str, cmdline: &str) -> String {
    let uuid = part.uuid.as_deref().unwrap_or_default();
    format!(
        "menuentry 'Latchkey: test start' --id {ENTRY} {{\n\
         \tinsmod part_gpt\n\tinsmod part_msdos\n\tinsmod ext2\n\tinsmod gzio\n\
         \tsearch --no-floppy --fs-uuid --set=root {uuid}\n\
         \tlinux {kernel} {}\n\
         \tinitrd {initramfs}\n}}\n",
        test_line(job, cmdline)
    )
}

fn without_entry(text: &str) -> String {
    match (text.find(BEGIN), text.find(END)) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to + END.len()..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::job;

    #[test]
    fn the_entry_comes_and_goes_and_what_somebody_wrote_stays() {
        let part = Part { uuid: Some("1234".into()), kind: "part".into(), ..Part::default() };
        let entry = entry(&job(), &part, "/vmlinuz-6", "/initrd.img-6", "root=UUID=1 ro");
        assert!(entry.contains("\tlinux /vmlinuz-6 root=UUID=1 ro latchkey.test=5f0e panic=30\n"));
        assert!(entry.contains("--set=root 1234\n"));
        let text = format!("# mine\n{BEGIN}{entry}{END}# also mine\n");
        assert_eq!(without_entry(&text), "# mine\n# also mine\n");
        assert_eq!(without_entry("# mine\n"), "# mine\n");
    }

    #[test]
    fn a_choice_that_grub_cannot_clear_is_not_made() {
        let part =
            |kind: &str, fstype: &str| Part { kind: kind.into(), fstype: Some(fstype.into()), ..Part::default() };
        assert!(can_be_cleared(&part("part", "ext4")));
        assert!(!can_be_cleared(&part("lvm", "ext4")));
        assert!(!can_be_cleared(&part("raid1", "ext4")));
        assert!(!can_be_cleared(&part("part", "btrfs")));
    }
}
