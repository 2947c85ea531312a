//! Secrets between two processes: through a pipe of their own, which nobody else can read, and never in a message,
//! which the bus's administrator could.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use model::{Fault, FaultKind, Secret};
use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use zeroize::Zeroizing;

/// Longest secret, in bytes. All of a message fits into a pipe at once, so that sending never waits.
const LONGEST: usize = 1024;
/// How long the other side may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Puts secrets into a pipe and returns the end to read from.
///
/// # Errors
/// `service-pipe`; one that is too long.
pub fn send(secrets: &[&Secret]) -> Result<OwnedFd, Fault> {
    let (reader, mut writer) = std::io::pipe().map_err(odd)?;
    for secret in secrets {
        let length = u32::try_from(secret.expose().len()).map_err(odd)?;
        if secret.expose().len() > LONGEST {
            return Err(odd("too long"));
        }
        writer.write_all(&length.to_le_bytes()).and_then(|()| writer.write_all(secret.expose())).map_err(odd)?;
    }
    Ok(reader.into())
}

/// Takes up to so many secrets out of a pipe, and believes nothing of it: it must be a pipe, be written within a few
/// seconds, and hold whole secrets only.
///
/// # Errors
/// `service-pipe`.
pub fn receive(pipe: &OwnedFd, most: usize) -> Result<Vec<Secret>, Fault> {
    let about = fstat(pipe).map_err(odd)?;
    if FileType::from_raw_mode(about.st_mode) != FileType::Fifo {
        return Err(odd("not a pipe"));
    }
    // An open file of our own: the other side could make its own one wait for ever.
    let own = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let own = open(own, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).map_err(odd)?;
    let bytes = read_all(&own, most * (LONGEST + 4))?;
    let mut rest = &bytes[..];
    let mut secrets = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(|| odd("cut off"))?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(odd)?;
        if length > LONGEST || length > after.len() || secrets.len() == most {
            return Err(odd("not whole secrets"));
        }
        let (secret, after) = after.split_at(length);
        secrets.push(Secret::new(secret.to_vec()));
        rest = after;
    }
    Ok(secrets)
}

fn read_all(pipe: &OwnedFd, most: usize) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let mut file = File::from(pipe.try_clone().map_err(odd)?);
    let end = Instant::now() + PATIENCE;
    let mut bytes = Zeroizing::new(vec![0; most + 1]);
    let mut length = 0;
    while length <= most {
        match file.read(&mut bytes[length..]) {
            Ok(0) => {
                bytes.truncate(length);
                return Ok(bytes);
            }
            Ok(read) => length += read,
            Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(odd(error)),
        }
    }
    Err(odd("too much"))
}

fn odd(error: impl ToString) -> Fault {
    Fault::new("service-pipe", FaultKind::Failed).because(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let (one, two) = (Secret::from("correct horse"), Secret::from(""));
        let pipe = send(&[&one, &two]).unwrap();
        assert_eq!(receive(&pipe, 2).unwrap(), [one.clone(), two]);
        assert!(receive(&send(&[]).unwrap(), 1).unwrap().is_empty());
        assert!(receive(&send(&[&one, &one]).unwrap(), 1).is_err());
        assert!(send(&[&Secret::new(vec![0; LONGEST + 1])]).is_err());
    }

    /// Something that is no pipe is not read: it could be a disk, or a file that only root may read.
    #[test]
    fn what_is_no_pipe_is_refused() {
        let file = File::open("/proc/self/cmdline").unwrap();
        assert!(receive(&OwnedFd::from(file), 1).is_err());
        let (socket, _other) = std::os::unix::net::UnixStream::pair().unwrap();
        assert!(receive(&OwnedFd::from(socket), 1).is_err());
    }

    #[test]
    fn nonsense_and_silence_are_refused() {
        let raw = |bytes: &[u8]| {
            let (reader, mut writer) = std::io::pipe().unwrap();
            writer.write_all(bytes).unwrap();
            OwnedFd::from(reader)
        };
        for bytes in [&[1, 0, 0][..], &[5, 0, 0, 0, b'a'], &[255, 255, 255, 255], &[0; 4096]] {
            assert!(receive(&raw(bytes), 2).is_err(), "{bytes:?}");
        }
        // Held open and never written to.
        let (reader, _writer) = std::io::pipe().unwrap();
        let begun = Instant::now();
        assert!(receive(&reader.into(), 1).is_err());
        assert!(begun.elapsed() < 2 * PATIENCE);
    }
}
