//! The firmware's own `BootNext`, for a kernel that the firmware starts by itself (EFI stub). Some firmware forgets
//! it or drops entries that are not in the order of start, so it is read back, and it is the last choice.

use super::{Once, test_line};
use crate::job::Job;
use crate::{Error, Result, tool};

const LABEL: &str = "Latchkey test start";

/// UEFI's `BootNext`.
pub struct BootNext;

impl Once for BootNext {
    fn name(&self) -> &'static str {
        "boot-next"
    }

    fn is_usable(&self) -> bool {
        current().is_ok()
    }

    fn arm(&self, job: &Job, cmdline: &str, _: &str) -> Result<()> {
        let (disk, partition, file, options) = current()?;
        self.disarm()?;
        let words = options.split_whitespace().filter(|word| word.starts_with("initrd=")).collect::<Vec<_>>();
        let line = format!("{} {}", words.join(" "), test_line(job, cmdline));
        // At the end of the order: some firmware deletes what is not in it.
        tool::run(
            "efibootmgr",
            [
                "--quiet",
                "--create-only",
                "--disk",
                &disk,
                "--part",
                &partition,
                "--loader",
                &file,
                "--label",
                LABEL,
                "--unicode",
                &line,
            ],
        )?;
        let list = tool::run("efibootmgr", ["-v"])?;
        let number = numbered(&list).ok_or_else(|| Error::odd("efibootmgr", "the new entry was not kept"))?;
        tool::run("efibootmgr", ["--quiet", "--bootnext", &number])?;
        let kept = tool::run("efibootmgr", [] as [&str; 0])?;
        match is_next(&kept, &number) {
            true => Ok(()),
            false => Err(Error::odd("efibootmgr", "BootNext was not kept")),
        }
    }

    fn is_armed(&self) -> Result<bool> {
        let list = tool::run("efibootmgr", ["-v"])?;
        Ok(numbered(&list).is_some_and(|number| is_next(&list, &number)))
    }

    fn disarm(&self) -> Result<()> {
        let list = tool::run("efibootmgr", ["-v"])?;
        let Some(number) = numbered(&list) else { return Ok(()) };
        if is_next(&list, &number) {
            tool::run("efibootmgr", ["--quiet", "--delete-bootnext"])?;
        }
        tool::run("efibootmgr", ["--quiet", "--bootnum", &number, "--delete-bootnum"]).map(|_| ())
    }
}

fn is_next(list: &str, number: &str) -> bool {
    list.lines().any(|line| line == format!("BootNext: {number}"))
}

/// Our entry's number.
fn numbered(list: &str) -> Option<String> {
    let line = list.lines().find(|line| line.contains(LABEL))?;
    Some(line.strip_prefix("Boot")?.get(..4)?.to_owned())
}

/// Disk, partition, file and options of the entry that this start came from, if it is a kernel.
fn current() -> Result<(String, String, String, String)> {
    let list = tool::run("efibootmgr", ["-v"])?;
    let (partuuid, file, options) =
        parse_current(&list).ok_or_else(|| Error::odd("efibootmgr", "the firmware does not start a kernel"))?;
    let parts = crate::parts::load()?;
    let path = crate::parts::path_to(&parts, &|part| part.partuuid.as_deref() == Some(&partuuid))
        .ok_or_else(|| Error::odd("efibootmgr", "the partition is not there"))?;
    let [disk, part] = path[..] else { return Err(Error::odd("efibootmgr", "no partition of a disk")) };
    let number = part.name.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().to_owned();
    Ok((disk.name.clone(), number, file, options))
}

fn parse_current(list: &str) -> Option<(String, String, String)> {
    let current = list.lines().find_map(|line| line.strip_prefix("BootCurrent: "))?.trim();
    let line = list.lines().find(|line| line.starts_with(&format!("Boot{current}")))?;
    let partuuid = line.split_once(",GPT,")?.1.split(',').next()?.to_owned();
    let file = line.split_once("File(")?.1.split(')').next()?.to_owned();
    let options = line.split_once(&format!("File({file})"))?.1.trim().to_owned();
    // A loader has no root= of its own.
    options.contains("root=").then_some((partuuid, file, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_told_from_a_loader() {
        let loader =
            "BootCurrent: 0003\nBoot0003* debian\tHD(1,GPT,e52b,0x800,0x40000)/File(\\EFI\\debian\\shimx64.efi)\n";
        assert_eq!(parse_current(loader), None);
        let kernel =
            "BootCurrent: 0001\nBoot0001* linux\tHD(1,GPT,e52b,0x800,0x40000)/File(\\vmlinuz)root=UUID=1 initrd=\\i\n";
        assert_eq!(parse_current(kernel), Some(("e52b".into(), "\\vmlinuz".into(), "root=UUID=1 initrd=\\i".into())));
        assert_eq!(numbered("Boot0007* Latchkey test start\tHD()"), Some("0007".into()));
        assert_eq!(numbered(""), None);
    }
}
