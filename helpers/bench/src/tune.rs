//! Measurements on a mapping that is open: what encryption costs in this minute, and whether passing the
//! kernel's queues by pays.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use model::{Control, Secret, Sink};

use crate::disk::Stop;
use crate::{
    Comparison, Crypt, DiskOptions, Error, Layer, Result, Switch, Test, TestFile, Tuned, crypt, mapping, side_by_side,
    try_out,
};

/// Reads the device under a mapping and the mapping itself in turns. Nothing is written.
///
/// # Errors
/// [`Error::NoMapping`]; [`Error::DeviceDenied`] without the right to read both; [`Error::Io`],
/// [`Error::Stopped`].
pub fn under_and_through(
    name: &str,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<Vec<Comparison>> {
    let crypt = found(name)?;
    let below = crypt.below.clone().unwrap_or_default();
    let (mut under, mut through) = (open(Path::new(&below))?, open(&path(name))?);
    let length = through.length().and_then(|length| Ok(length.min(under.length()?)));
    let length = length.map_err(|error| Error::from_io(&path(name), 0, error))?;
    let options = fitting(options, length)?;
    side_by_side(&mut under, &mut through, &options, control, sink).map_err(|stop| of_stop(name, stop))
}

/// Tries `no_read_workqueue` and `no_write_workqueue` on an open LUKS2 mapping, each by itself, and keeps each, also in
/// the header, only where it helps. Writes go to a file on the mounted volume that is gone afterwards.
///
/// # Errors
/// [`Error::NoMapping`]; [`Error::DeviceDenied`]; [`Error::Tune`] if `cryptsetup` refuses (a wrong
/// password, LUKS1); [`Error::Io`], [`Error::Stopped`]. The mapping is as it was then.
pub fn queues(
    name: &str,
    password: &Secret,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<Tuned> {
    let crypt = found(name)?;
    let mut through = open(&path(name))?;
    let length = through.length().map_err(|error| Error::from_io(&path(name), 0, error))?;
    let reading = DiskOptions { tests: &Test::READS, writes: 0, ..fitting(options, length)? };
    let before = Queues::of(&crypt);
    let failed = |source| Error::Tune { name: name.to_owned(), source };
    let set = |queues, persistent| refresh(&crypt, password, queues, persistent);
    // Once before anything is measured: a wrong password shows here.
    set(before, false).map_err(failed)?;
    let mut tried = || {
        let mut switch = Refreshed(&|on| set(Queues { read: on, ..before }, false));
        let reads = try_out(&mut through, &mut switch, &reading, control, sink)?;
        let after = Queues { read: reads.kept, ..before };
        let Some(mut file) = crypt::mounted_at(name).and_then(|folder| file_on(&folder)) else {
            return Ok((reads, None, after));
        };
        let mut switch = Refreshed(&|on| set(Queues { write: on, ..after }, false));
        let writes = try_out(&mut file, &mut switch, &WRITING, control, sink)?;
        let after = Queues { write: writes.kept, ..after };
        Ok((reads, Some(writes), after))
    };
    let (reads, writes, after) = tried().map_err(|stop| {
        let _ = set(before, false);
        of_stop(name, stop)
    })?;
    set(after, true).map_err(failed)?;
    Ok(Tuned { version: 1, reads, writes })
}

/// How writes are tried out.
const WRITING: DiskOptions = DiskOptions {
    size: 64 << 20,
    rounds: 12,
    budget: Duration::from_secs(30),
    layer: Layer::Plain,
    tests: &Test::WRITES,
    writes: 1 << 30,
    until_narrow: true,
    settle: Duration::ZERO,
};

/// A file on a mounted volume, if one can be written there and leaves room for others.
fn file_on(folder: &Path) -> Option<TestFile> {
    let free = crate::target::room(folder).ok()?.free;
    (free >= 4 * WRITING.size).then(|| TestFile::new(folder).ok()).flatten()
}

/// Which of the two queues are passed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Queues {
    read: bool,
    write: bool,
}

impl Queues {
    fn of(crypt: &Crypt) -> Self {
        let has = |flag: &str| crypt.flags.iter().any(|has| has == flag);
        Self { read: has("no_read_workqueue"), write: has("no_write_workqueue") }
    }
}

struct Refreshed<'a>(&'a dyn Fn(bool) -> io::Result<()>);

impl Switch for Refreshed<'_> {
    fn set(&mut self, on: bool) -> io::Result<()> {
        (self.0)(on)
    }
}

/// Changes the flags of an active mapping by `cryptsetup refresh`; the password goes through a pipe.
fn refresh(crypt: &Crypt, password: &Secret, queues: Queues, persistent: bool) -> io::Result<()> {
    // By its full path: another program of this name in the search path must not get the password.
    let tool = ["/usr/sbin/cryptsetup", "/sbin/cryptsetup"].iter().find(|tool| Path::new(tool).is_file());
    let mut command = Command::new(tool.ok_or(io::ErrorKind::NotFound)?);
    command.args(refresh_words(crypt, queues, persistent)).env("LC_ALL", "C").env_remove("LD_LIBRARY_PATH");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(password.expose())?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

/// A refresh forgets every flag that is not named again.
fn refresh_words(crypt: &Crypt, queues: Queues, persistent: bool) -> Vec<String> {
    let mut words = vec!["refresh", "--batch-mode", "--key-file", "-"];
    for (flag, word) in [
        ("allow_discards", "--allow-discards"),
        ("same_cpu_crypt", "--perf-same_cpu_crypt"),
        ("submit_from_crypt_cpus", "--perf-submit_from_crypt_cpus"),
        ("high_priority", "--perf-high_priority"),
    ] {
        if crypt.flags.iter().any(|has| has == flag) {
            words.push(word);
        }
    }
    words.extend(queues.read.then_some("--perf-no_read_workqueue"));
    words.extend(queues.write.then_some("--perf-no_write_workqueue"));
    if persistent {
        words.push("--persistent");
    }
    words.push(&crypt.name);
    words.into_iter().map(ToOwned::to_owned).collect()
}

fn found(name: &str) -> Result<Crypt> {
    mapping(name).ok_or_else(|| Error::NoMapping { name: name.to_owned() })
}

fn path(name: &str) -> std::path::PathBuf {
    Path::new("/dev/mapper").join(name)
}

fn open(device: &Path) -> Result<TestFile> {
    TestFile::existing(device).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => Error::DeviceDenied { device: device.to_owned() },
        _ => Error::from_io(device, 0, error),
    })
}

fn fitting(options: &DiskOptions, length: u64) -> Result<DiskOptions> {
    const SMALLEST: u64 = 4 << 20;
    match length {
        ..SMALLEST => Err(Error::TooSmall { smallest: SMALLEST }),
        length => Ok(DiskOptions { size: options.size.min(length) >> 20 << 20, ..*options }),
    }
}

fn of_stop(name: &str, stop: Stop) -> Error {
    match stop {
        Stop::Asked => Error::Stopped,
        Stop::Io(error) => Error::from_io(&path(name), 0, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_keeps_the_other_flags() {
        let crypt = Crypt {
            name: "vault".into(),
            flags: vec!["allow_discards".into(), "no_read_workqueue".into()],
            ..Crypt::default()
        };
        let words = |read, write| refresh_words(&crypt, Queues { read, write }, write).join(" ");
        assert_eq!(words(false, false), "refresh --batch-mode --key-file - --allow-discards vault");
        assert_eq!(
            words(true, true),
            "refresh --batch-mode --key-file - --allow-discards --perf-no_read_workqueue \
             --perf-no_write_workqueue --persistent vault"
        );
        assert_eq!(Queues::of(&crypt), Queues { read: true, write: false });
    }

    #[test]
    fn a_mapping_that_is_not_there() {
        let options = DiskOptions::default();
        let error = under_and_through("no-such-mapping", &options, &Control::new(), &mut model::Silent).unwrap_err();
        assert!(matches!(error, Error::NoMapping { .. }));
    }
}
