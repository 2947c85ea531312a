//! Telling a drive, or a file system, that bytes are not needed any more (Linux).
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::ioctl::{Setter, ioctl, opcode};

/// `false`: it cannot be done here. What is read there afterwards is undefined.
pub(crate) fn discard(file: &File, regular: bool, offset: u64, length: u64) -> io::Result<bool> {
    let done = if regular {
        fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, offset, length)
    } else {
        const BLKDISCARD: u32 = opcode::none(0x12, 119);
        // SAFETY: BLKDISCARD (linux/fs.h) reads two 64-bit numbers, start and length in bytes, from the
        // address that it is given, and writes nothing.
        unsafe { ioctl(file, Setter::<BLKDISCARD, [u64; 2]>::new([offset, length])) }
    };
    match done {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTTY) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
