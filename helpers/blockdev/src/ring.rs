//! One read or write in many pieces at once, with io_uring. The only place that hands memory to the
//! kernel and goes on meanwhile; it returns when the kernel has given all of it back.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use io_uring::{IoUring, opcode, types};

/// A queue of the kernel's.
pub(crate) struct Ring(IoUring);

/// What is to be done with the bytes.
pub(crate) enum Work<'a> {
    /// They are filled.
    Read(&'a mut [u8]),
    /// They are written.
    Write(&'a [u8]),
}

/// Pieces in flight.
const DEPTH: usize = 8;
/// Bytes of a piece: as much as drives take in one command, or a multiple of it.
const PIECE: usize = 1 << 20;

/// A piece that is not done yet: where it begins, from the start of the memory, and its length.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    length: usize,
}

impl Ring {
    /// # Errors
    /// The kernel has no io_uring, or does not allow it to this program.
    pub(crate) fn new() -> io::Result<Self> {
        IoUring::new(8).map(Self)
    }

    /// Reads or writes all of it at `offset` of `file`.
    ///
    /// # Errors
    /// The first error of a piece. Other pieces may be done then.
    pub(crate) fn transfer(&mut self, file: &File, offset: u64, work: Work<'_>) -> io::Result<()> {
        let (memory, total, write) = match work {
            Work::Read(bytes) => (bytes.as_mut_ptr(), bytes.len(), false),
            // Only ever read by the kernel.
            Work::Write(bytes) => (bytes.as_ptr().cast_mut(), bytes.len(), true),
        };
        let fd = types::Fd(file.as_raw_fd());
        let mut next = 0;
        let mut again: Vec<Piece> = Vec::new();
        let mut slots: [Option<Piece>; DEPTH] = [None; DEPTH];
        let mut failed: Option<io::Error> = None;
        loop {
            while failed.is_none()
                && let Some(slot) = slots.iter().position(Option::is_none)
            {
                let piece = match again.pop() {
                    Some(piece) => piece,
                    None if next < total => {
                        let length = PIECE.min(total - next);
                        next += length;
                        Piece { start: next - length, length }
                    }
                    None => break,
                };
                let length = u32::try_from(piece.length).map_err(io::Error::other)?;
                let at = offset + piece.start as u64;
                // SAFETY: the piece lies within the memory (start + length <= total).
                let pointer = unsafe { memory.add(piece.start) };
                let entry = if write {
                    opcode::Write::new(fd, pointer, length).offset(at).build()
                } else {
                    opcode::Read::new(fd, pointer, length).offset(at).build()
                };
                // SAFETY: the memory is borrowed until this function returns, and it does not return before
                // every entry has been completed (`slots` is empty), nor can it unwind between.
                let pushed = unsafe { self.0.submission().push(&entry.user_data(slot as u64)) };
                if pushed.is_err() {
                    // More than the queue holds: it will have room after the next completion.
                    again.push(piece);
                    break;
                }
                slots[slot] = Some(piece);
            }
            if slots.iter().all(Option::is_none) {
                return failed.map_or(Ok(()), Err);
            }
            self.wait();
            let done: Vec<(u64, i32)> = self.0.completion().map(|entry| (entry.user_data(), entry.result())).collect();
            for (slot, result) in done {
                let slot = usize::try_from(slot).ok().and_then(|slot| slots.get_mut(slot));
                let Some(piece) = slot.and_then(Option::take) else { continue };
                match after(piece, result, write) {
                    Ok(Some(rest)) => again.push(rest),
                    Ok(None) => {}
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
        }
    }

    /// Waits for at least one completion. There is no way on without: memory is lent to the kernel.
    fn wait(&mut self) {
        for _ in 0..100_000 {
            match self.0.submit_and_wait(1) {
                Ok(_) => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // EAGAIN and EBUSY: the kernel is short of memory for the moment.
                Err(_) => std::thread::sleep(std::time::Duration::from_millis(1)),
            }
        }
        std::process::abort();
    }
}

/// What is left of a piece after the kernel's answer.
fn after(piece: Piece, result: i32, write: bool) -> io::Result<Option<Piece>> {
    match usize::try_from(result) {
        Err(_) => {
            let error = io::Error::from_raw_os_error(-result);
            match error.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock => Ok(Some(piece)),
                _ => Err(error),
            }
        }
        Ok(0) if write => Err(io::ErrorKind::WriteZero.into()),
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(count) if count < piece.length => {
            Ok(Some(Piece { start: piece.start + count, length: piece.length - count }))
        }
        Ok(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let Ok(mut ring) = Ring::new() else {
            println!("left out: io_uring is not allowed here");
            return;
        };
        let file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..5 * PIECE + 4096).map(|index| (index / 7).to_le_bytes()[0]).collect();
        ring.transfer(&file, 8192, Work::Write(&bytes)).unwrap();
        let mut back = vec![0; bytes.len()];
        ring.transfer(&file, 8192, Work::Read(&mut back)).unwrap();
        assert!(bytes == back);
    }

    #[test]
    fn the_end_and_a_closed_way_are_errors() {
        let Ok(mut ring) = Ring::new() else {
            println!("left out: io_uring is not allowed here");
            return;
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(2 * PIECE as u64).unwrap();
        let mut bytes = vec![0; 3 * PIECE];
        let error = ring.transfer(file.as_file(), 0, Work::Read(&mut bytes)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        let read_only = File::open(file.path()).unwrap();
        assert!(ring.transfer(&read_only, 0, Work::Write(&bytes)).is_err());
        // And it still works.
        ring.transfer(file.as_file(), 0, Work::Write(&bytes)).unwrap();
    }

    #[test]
    fn a_short_answer_leaves_the_rest() {
        let piece = Piece { start: 10, length: 100 };
        let rest = after(piece, 40, false).unwrap().unwrap();
        assert_eq!((rest.start, rest.length), (50, 60));
        assert!(after(piece, 100, true).unwrap().is_none());
        assert!(after(piece, -libc::EINTR, true).unwrap().is_some());
        assert!(after(piece, -libc::EIO, true).is_err());
        assert!(after(piece, 0, false).is_err());
    }
}
