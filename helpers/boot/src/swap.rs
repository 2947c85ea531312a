//! Swap partitions: what was in memory must not lie in plain beside an encrypted root.
//!
//! In the end they are encrypted with a key that is made anew at each start, as Debian's installer offers it. Such a
//! swap cannot hold a hibernated system; a swap file on the root could.

use std::path::Path;

use crate::facts::Facts;
use crate::fstab::Table;
use crate::{Error, Result, files, tool};

const FSTAB: &str = "/etc/fstab";
const CRYPTTAB: &str = "/etc/crypttab";

/// Turns plain swap partitions off until the next start.
///
/// # Errors
/// Those of `swapoff`: what is in it does not fit into memory.
pub fn turn_off_plain() -> Result<()> {
    for part in Facts::load()?.plain_swaps().filter(|part| part.is_swapped_to()) {
        tool::run("swapoff", [&part.name])?;
    }
    Ok(())
}

/// Enters each plain swap partition into crypttab with a key of its own for each start, and its mapping into fstab.
///
/// # Errors
/// [`Error::File`].
pub fn encrypt(facts: &Facts) -> Result<()> {
    let (mut fstab, mut crypttab) = (
        Table::parse(&files::text_or_empty(Path::new(FSTAB))?),
        Table::parse(&files::text_or_empty(Path::new(CRYPTTAB))?),
    );
    let mut changed = false;
    for part in facts.plain_swaps() {
        let Some(partuuid) = &part.partuuid else { continue };
        let name = format!("{}_crypt", part.name.rsplit('/').next().unwrap_or_default());
        changed |= enter(&mut fstab, &mut crypttab, &name, partuuid, &names(part));
    }
    if changed {
        files::replace(Path::new(CRYPTTAB), crypttab.text().as_bytes(), 0o644)?;
        files::replace(Path::new(FSTAB), fstab.text().as_bytes(), 0o644)?;
    }
    // What was swapped out is not to be read any more, and nothing may take it for swap in plain. One that is still
    // in use is overwritten from the next start on.
    for part in facts.plain_swaps().filter(|part| !part.is_swapped_to()) {
        tool::run("wipefs", ["--quiet", "--all", "--types", "swap", &part.name])?;
        // Not every drive can; it is gone with the first use as well.
        let _ = tool::run("blkdiscard", [&part.name]);
    }
    Ok(())
}

/// No start looks for a hibernated system any more.
///
/// # Errors
/// [`Error::File`].
pub fn forget_resume() -> Result<()> {
    let path = Path::new("/etc/initramfs-tools/conf.d/resume");
    if path.exists() { files::replace(path, b"RESUME=none\n", 0o644) } else { Ok(()) }
}

/// How fstab may name a partition.
fn names(part: &crate::parts::Part) -> Vec<String> {
    let uuid = part.uuid.iter().flat_map(|uuid| [format!("UUID={uuid}"), format!("/dev/disk/by-uuid/{uuid}")]);
    let partuuid =
        part.partuuid.iter().flat_map(|uuid| [format!("PARTUUID={uuid}"), format!("/dev/disk/by-partuuid/{uuid}")]);
    std::iter::once(part.name.clone()).chain(uuid).chain(partuuid).collect()
}

fn enter(fstab: &mut Table, crypttab: &mut Table, name: &str, partuuid: &str, names: &[String]) -> bool {
    let Some(used) = names.iter().find(|name| fstab.row(0, name).is_some_and(|row| row.get(2) == Some(&"swap"))) else {
        return false;
    };
    let mapped = format!("/dev/mapper/{name}");
    fstab.set(0, used, &format!("{mapped} none swap sw 0 0"));
    let source = format!("/dev/disk/by-partuuid/{partuuid}");
    let line = format!("{name} {source} /dev/urandom swap,plain,cipher=aes-xts-plain64,size=512,discard");
    crypttab.set(0, name, &line);
    true
}

/// Whether every file of the system that names swap names an encrypted one.
///
/// # Errors
/// [`Error::NotUnderstood`].
pub fn prove(facts: &Facts) -> Result<()> {
    let swaps = facts.fstab.rows().filter(|row| row.get(2) == Some(&"swap")).map(|row| row[0].to_owned());
    let plain: Vec<String> = swaps.filter(|name| facts.plain_swaps().any(|part| names(part).contains(name))).collect();
    match plain.first() {
        Some(name) => Err(Error::odd(FSTAB, name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;

    #[test]
    fn swap_gets_a_key_of_its_own_for_each_start() {
        let facts = facts();
        let (mut fstab, mut crypttab) = (facts.fstab.clone(), facts.crypttab.clone());
        let part = facts.plain_swaps().next().unwrap();
        assert!(prove(&facts).is_err());
        assert!(enter(&mut fstab, &mut crypttab, "vda3_crypt", part.partuuid.as_deref().unwrap(), &names(part)));
        assert_eq!(fstab.row(2, "swap").unwrap()[0], "/dev/mapper/vda3_crypt");
        assert_eq!(
            crypttab.text(),
            "vda3_crypt /dev/disk/by-partuuid/c975fe71-1ac6-7f49-841d-a93f46ed2225 /dev/urandom \
             swap,plain,cipher=aes-xts-plain64,size=512,discard\n"
        );
        // Done again, nothing changes.
        assert!(!enter(&mut fstab, &mut crypttab, "vda3_crypt", part.partuuid.as_deref().unwrap(), &names(part)));
        assert!(prove(&crate::facts::Facts { fstab, ..facts }).is_ok());
    }
}
