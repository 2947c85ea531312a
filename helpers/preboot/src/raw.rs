//! Calls of the console driver that no library has: its keyboard tables and its lights.

// `ioctl` is unsafe by its nature: the kernel reads and writes through the address that it is given.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// `KDSKBMODE`
const SET_MODE: u32 = 0x4b45;
/// `K_UNICODE`
const UNICODE: libc::c_ulong = 3;
/// `KDSKBENT`
const SET_ENTRY: u32 = 0x4b47;
/// `KDGKBLED`
const READ_FLAGS: u32 = 0x4b64;
/// `K_CAPSLOCK`
const CAPS_LOCK: libc::c_char = 0x04;

/// `struct kbentry`
#[repr(C)]
struct Entry {
    table: u8,
    index: u8,
    value: u16,
}

/// Keys are given as UTF-8.
pub fn unicode(console: &File) -> io::Result<()> {
    // SAFETY: this call takes a number and no address.
    answer(unsafe { libc::ioctl(console.as_raw_fd(), SET_MODE as _, UNICODE) })
}

/// Sets what one key means in one table.
pub fn set_entry(console: &File, table: u8, index: u8, value: u16) -> io::Result<()> {
    let mut entry = Entry { table, index, value };
    // SAFETY: the structure is laid out as the kernel's and lives until the call returns, which only reads it.
    answer(unsafe { libc::ioctl(console.as_raw_fd(), SET_ENTRY as _, &raw mut entry) })
}

/// Whether Caps Lock is on, as the console sees it.
pub fn caps_lock(console: &File) -> io::Result<bool> {
    let mut flags: libc::c_char = 0;
    // SAFETY: the kernel writes one byte, and `flags` is one that lives until the call returns.
    answer(unsafe { libc::ioctl(console.as_raw_fd(), READ_FLAGS as _, &raw mut flags) })?;
    Ok(flags & CAPS_LOCK != 0)
}

fn answer(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
