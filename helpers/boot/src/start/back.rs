//! The way back to plain, by our own engine, before the root is mounted.

use std::path::Path;

use blockdev::{Access, Device, FileDevice};
use luks::convert;
use model::{Control, Secret};

use super::{Outcome, Person, prompt};
use crate::job::Job;
use crate::{Error, Result};

/// The way back, before the root is mounted. With `tries`, the system is still whole and starts encrypted if no try
/// opens it; without, there is no other way than on.
pub fn decrypt(job: &Job, path: &Path, person: &mut dyn Person, tries: Option<u32>) -> Result<Outcome> {
    let mut left = tries;
    let secret = loop {
        if left == Some(0) {
            return Ok(Outcome::WrongPassword);
        }
        let Some(secret) = prompt::ask(job, person)? else {
            if tries.is_some() {
                return Ok(Outcome::NothingTyped);
            }
            continue;
        };
        match begin_decrypt(path, &secret) {
            Ok(()) => break secret,
            Err(Error::Luks(error)) if prompt::is_slip(&error) => person.wrong(),
            Err(error) => return Err(error),
        }
        left = left.map(|left| left - 1);
    };
    person.working();
    to_the_end(path, &secret, job.size, &mut |percent| person.decrypting(percent))?;
    Ok(Outcome::Decrypted)
}

/// Goes on from whatever state it is in. Says each twentieth, and the end.
fn to_the_end(path: &Path, secret: &Secret, size: u64, say: &mut dyn FnMut(u64)) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    let mut last = 0;
    let mut sink = |progress: &model::Progress| {
        let percent = progress.done.saturating_mul(100) / progress.total.max(1);
        if percent >= last + 5 || (percent == 100 && last < 100) {
            last = percent;
            say(percent);
        }
    };
    convert::Conversion::open(&device, secret)?.run(&Control::new(), &mut sink)?;
    drop(device);
    // All of the partition is the file system's again; if that fails, it is whole all the same.
    let found = filesystems::probe(&FileDevice::open(path, Access::Read)?)?;
    if let Some(found) = found {
        let _ = filesystems::grow(path, &found, size, &Control::new());
    }
    Ok(())
}

/// Puts the header aside, unless that has been done. Nothing is written before the password has opened it.
fn begin_decrypt(path: &Path, secret: &Secret) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    let place = convert::locate(&device)?;
    if convert::state(&place, device.size()).is_some() {
        // Opening it takes up what was begun.
        convert::Conversion::open(&device, secret)?;
        return Ok(());
    }
    let header = place.header();
    let unlocked = header.unlock(&device, secret)?;
    if let convert::Place::Front(luks::Loaded { damage: Some(damage), .. }) = &place {
        header.repair(&device, *damage)?;
    }
    let found = filesystems::probe(&luks::Plain::new(header, &device, &unlocked)?)?;
    let used = found.ok_or(filesystems::Error::Changed)?.size;
    convert::begin_decrypt(&device, header, &unlocked, &convert::Decryption { used })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use luks::FormatOptions;
    use luks::convert::{Encryption, Space};

    use super::*;
    use crate::job::tests::job;
    use crate::state::{OnDisk, look};

    const MIB: u64 = 1 << 20;

    /// An ext4 file system on a volume as the test start and the encryption leave it. `None`: no `mke2fs` here.
    fn encrypted(path: &Path, job: &Job, secret: &Secret) -> Option<()> {
        let file = fs::File::create(path).unwrap();
        file.set_len(64 * MIB).unwrap();
        let made = Command::new("/usr/sbin/mke2fs").args(["-q", "-F", "-t", "ext4", "-b", "4096"]).arg(path).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("left out: e2fsprogs is not installed");
            return None;
        }
        let found = filesystems::probe(&FileDevice::open(path, Access::Read).unwrap()).unwrap().unwrap();
        let found = filesystems::shrink(path, &found, 62 * MIB, &Control::new()).unwrap();
        let staged = blockdev::Memory::new(vec![0; 1 << 20]);
        let options = FormatOptions {
            data_offset: MIB,
            uuid: Some(job.volume.clone()),
            digest_iterations: Some(1000),
            ..FormatOptions::default()
        };
        let (_, unlocked) = luks::format(&staged, &options, secret).unwrap();
        let device = FileDevice::open(path, Access::Exclusive).unwrap();
        let what = Encryption { used: found.size, original_size: 64 * MIB, grown: false, space: Space::All };
        convert::begin_encrypt(&device, &staged, &unlocked, &what).unwrap();
        convert::Conversion::open(&device, secret).unwrap().run(&Control::new(), &mut model::Silent).unwrap();
        Some(())
    }

    #[test]
    fn an_encrypted_root_becomes_plain_and_has_its_size_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.img");
        let (job, secret) = (job(), Secret::from("secret"));
        if encrypted(&path, &job, &secret).is_none() {
            return;
        }
        let wrong = begin_decrypt(&path, &Secret::from("wrong"));
        assert!(matches!(wrong, Err(Error::Luks(luks::Error::WrongSecret))));
        // Whoever only presses Enter may try again, too.
        for slip in ["wrong", ""] {
            let refused = begin_decrypt(&path, &Secret::from(slip));
            assert!(matches!(&refused, Err(Error::Luks(error)) if prompt::is_slip(error)), "{refused:?}");
        }
        let state = || look(&FileDevice::open(&path, Access::Read).unwrap(), &job).unwrap();
        assert_eq!(state(), OnDisk::Encrypted);
        begin_decrypt(&path, &secret).unwrap();
        // The power goes here: the next start finds what was begun, and a slip changes nothing.
        assert!(matches!(state(), OnDisk::Converting { mode: luks::convert::Mode::Decrypt, .. }));
        assert!(begin_decrypt(&path, &Secret::from("wrong")).is_err());
        begin_decrypt(&path, &secret).unwrap();
        let mut said = Vec::new();
        to_the_end(&path, &secret, 64 * MIB, &mut |percent| said.push(percent)).unwrap();
        assert_eq!(said.last(), Some(&100));
        assert_eq!(state(), OnDisk::Plain);
        let found = filesystems::probe(&FileDevice::open(&path, Access::Read).unwrap()).unwrap().unwrap();
        assert_eq!(found.size, 64 * MIB);
        let checked = Command::new("/usr/sbin/e2fsck").args(["-f", "-n"]).arg(&path).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
}
