//! Swap partitions: what was in memory must not lie in plain beside an encrypted root.
//!
//! In the end they are encrypted with a key that is made anew at each start, as Debian's installer offers it. Such a
//! swap cannot hold a hibernated system; a swap file on the root could.

use std::path::Path;

use crate::facts::Facts;
use crate::fstab::Table;
use crate::parts::Part;
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
    for part in facts.own_swaps() {
        let Some(partuuid) = &part.partuuid else { continue };
        let name = mapping(part);
        changed |= enter(&mut fstab, &mut crypttab, &name, partuuid, &part.names());
    }
    if changed {
        files::replace(Path::new(CRYPTTAB), crypttab.text().as_bytes(), 0o644)?;
        files::replace(Path::new(FSTAB), fstab.text().as_bytes(), 0o644)?;
    }
    // What was swapped out is not to be read any more, and nothing may take it for swap in plain. One that is still
    // in use is overwritten from the next start on. What crypttab does not name is not ours.
    for part in facts.plain_swaps().filter(|part| !part.is_swapped_to() && is_entered(&crypttab, part)) {
        tool::run("wipefs", ["--quiet", "--all", "--types", "swap", &part.name])?;
        // Not every drive can; it is gone with the first use as well.
        let _ = tool::run("blkdiscard", [&part.name]);
    }
    Ok(())
}

fn mapping(part: &Part) -> String {
    format!("{}_crypt", part.name.rsplit('/').next().unwrap_or_default())
}

fn source(partuuid: &str) -> String {
    format!("/dev/disk/by-partuuid/{partuuid}")
}

/// Whether crypttab has made this partition ours.
fn is_entered(crypttab: &Table, part: &Part) -> bool {
    let source = part.partuuid.as_deref().map(source);
    crypttab
        .row(0, &mapping(part))
        .is_some_and(|row| source.as_deref().is_some_and(|source| row.get(1) == Some(&source)))
}

/// No start looks for a hibernated system any more.
///
/// # Errors
/// [`Error::File`].
pub fn forget_resume() -> Result<()> {
    let path = Path::new("/etc/initramfs-tools/conf.d/resume");
    if path.exists() { files::replace(path, b"RESUME=none\n", 0o644) } else { Ok(()) }
}

fn enter(fstab: &mut Table, crypttab: &mut Table, name: &str, partuuid: &str, names: &[String]) -> bool {
    let Some(used) = names.iter().find(|name| fstab.row(0, name).is_some_and(|row| row.get(2) == Some(&"swap"))) else {
        return false;
    };
    let mapped = format!("/dev/mapper/{name}");
    fstab.set(0, used, &format!("{mapped} none swap sw 0 0"));
    let source = source(partuuid);
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
    let plain: Vec<String> = swaps.filter(|name| facts.plain_swaps().any(|part| part.names().contains(name))).collect();
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
        assert!(enter(&mut fstab, &mut crypttab, "vda3_crypt", part.partuuid.as_deref().unwrap(), &part.names()));
        assert_eq!(fstab.row(2, "swap").unwrap()[0], "/dev/mapper/vda3_crypt");
        assert_eq!(
            crypttab.text(),
            "vda3_crypt /dev/disk/by-partuuid/c975fe71-1ac6-7f49-841d-a93f46ed2225 /dev/urandom \
             swap,plain,cipher=aes-xts-plain64,size=512,discard\n"
        );
        // Done again, nothing changes.
        assert!(!enter(&mut fstab, &mut crypttab, "vda3_crypt", part.partuuid.as_deref().unwrap(), &part.names()));
        assert!(prove(&crate::facts::Facts { fstab, ..facts }).is_ok());
    }

    /// Another system's swap partition may hold that system, asleep.
    #[test]
    fn what_is_not_this_systems_is_left_alone() {
        let mut facts = facts();
        let mut other = facts.parts[0].children[2].clone();
        other.name = "/dev/vda9".into();
        (other.uuid, other.partuuid, other.mountpoints) = (Some("other".into()), Some("other".into()), Vec::new());
        facts.parts[0].children.push(other.clone());
        let own: Vec<&str> = facts.own_swaps().map(|part| &*part.name).collect();
        assert_eq!(own, ["/dev/vda3"]);
        let part = facts.own_swaps().next().unwrap();
        let mut crypttab = facts.crypttab.clone();
        assert!(!is_entered(&crypttab, part));
        let name = mapping(part);
        assert!(enter(
            &mut facts.fstab.clone(),
            &mut crypttab,
            &name,
            part.partuuid.as_deref().unwrap(),
            &part.names()
        ));
        assert!(is_entered(&crypttab, part) && !is_entered(&crypttab, &other));
    }
}
