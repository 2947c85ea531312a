//! Windows: no buffering, overlapped requests through a completion port. The only place here that
//! lends memory to Windows' kernel.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;

use blockdev::Buffer;
use windows::Win32::Foundation::{ERROR_IO_PENDING, HANDLE, INVALID_HANDLE_VALUE};
use windows::Win32::Storage::FileSystem::{
    FILE_FLAG_DELETE_ON_CLOSE, FILE_FLAG_NO_BUFFERING, FILE_FLAG_OVERLAPPED, GetDiskFreeSpaceExW, ReadFile, WriteFile,
};
use windows::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED, OVERLAPPED_ENTRY};
use windows::core::PCWSTR;

use super::file::name;
use super::{Queue, Room, Way, short};
use crate::Access;

/// `FILE_SHARE_READ | FILE_SHARE_WRITE`: what a mounted volume is opened with.
const SHARED: u32 = 3;
const FLAGS: u32 = FILE_FLAG_NO_BUFFERING.0 | FILE_FLAG_OVERLAPPED.0;

pub(crate) fn room(path: &Path) -> io::Result<Room> {
    let wide: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let (mut free, mut all, mut all_free) = (0, 0, 0);
    let (to_free, to_all, to_all_free) = (&raw mut free, &raw mut all, &raw mut all_free);
    // SAFETY: the path ends in a zero, and the numbers outlive the call.
    unsafe { GetDiskFreeSpaceExW(PCWSTR(wide.as_ptr()), Some(to_free), Some(to_all), Some(to_all_free)) }?;
    Ok(Room { free, used: u64::saturating_sub(all, all_free) })
}

/// An empty file that Windows removes with its last handle, also when the program is ended.
pub(super) fn create(folder: &Path) -> io::Result<(File, Access)> {
    let path = folder.join(name()?);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).share_mode(0);
    Ok((options.custom_flags(FLAGS | FILE_FLAG_DELETE_ON_CLOSE.0).open(path)?, Access::Direct))
}

pub(super) fn open(path: &Path, write: bool) -> io::Result<(File, Access)> {
    Ok((OpenOptions::new().read(true).write(write).share_mode(SHARED).custom_flags(FLAGS).open(path)?, Access::Direct))
}

pub(super) fn queue(file: &File) -> io::Result<Box<dyn Queue>> {
    let file = file.try_clone()?;
    // SAFETY: the file is open; the port is owned from here on.
    let port = unsafe { CreateIoCompletionPort(HANDLE(file.as_raw_handle()), None, 0, 0) }?;
    if port.is_invalid() || port == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: nobody else has this handle.
    let port = unsafe { OwnedHandle::from_raw_handle(port.0) };
    Ok(Box::new(Overlapped { file, port, slots: Vec::new(), in_flight: 0 }))
}

pub(super) fn length(mut file: &File) -> io::Result<u64> {
    file.seek(SeekFrom::End(0))
}

/// Without buffering nothing is in a cache.
pub(super) fn forget(_: &File) {}

struct Overlapped {
    file: File,
    port: OwnedHandle,
    slots: Vec<Slot>,
    in_flight: usize,
}

struct Slot {
    memory: Buffer,
    /// On the heap: its address is what Windows names the request by.
    request: Box<OVERLAPPED>,
    on_its_way: Option<Way>,
}

impl Queue for Overlapped {
    fn prepare(&mut self, slots: usize, block: usize) -> io::Result<()> {
        if self.in_flight > 0 {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        self.slots.clear();
        let slot = || Slot { memory: Buffer::new(block), request: Box::default(), on_its_way: None };
        self.slots.extend((0..slots).map(|_| slot()));
        Ok(())
    }

    fn block(&mut self, slot: usize) -> &mut [u8] {
        let slot = &mut self.slots[slot];
        assert!(slot.on_its_way.is_none(), "Windows has this memory");
        &mut slot.memory
    }

    fn start(&mut self, slot: usize, way: Way, offset: u64) -> io::Result<()> {
        self.block(slot);
        let file = HANDLE(self.file.as_raw_handle());
        let slot = &mut self.slots[slot];
        *slot.request = OVERLAPPED::default();
        // The place is given in two halves.
        #[allow(clippy::cast_possible_truncation)]
        let halves = (offset as u32, (offset >> 32) as u32);
        slot.request.Anonymous.Anonymous.Offset = halves.0;
        slot.request.Anonymous.Anonymous.OffsetHigh = halves.1;
        let request: *mut OVERLAPPED = &raw mut *slot.request;
        // SAFETY: memory and request are on the heap and belong to the slot; they are neither handed out
        // nor freed until the port has named the request (`block`, `prepare` and `drop` see to it).
        let started = unsafe {
            match way {
                Way::Read => ReadFile(file, Some(&mut slot.memory), None, Some(request)),
                Way::Write => WriteFile(file, Some(&slot.memory), None, Some(request)),
            }
        };
        match started {
            Err(error) if error.code() != ERROR_IO_PENDING.to_hresult() => return Err(error.into()),
            // Also what was done at once comes through the port.
            _ => {}
        }
        slot.on_its_way = Some(way);
        self.in_flight += 1;
        Ok(())
    }

    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()> {
        if self.in_flight == 0 {
            return Ok(());
        }
        let mut entries = [OVERLAPPED_ENTRY::default(); 64];
        let mut count = 0;
        // SAFETY: the port is open, entries and count outlive the call.
        unsafe {
            let port = HANDLE(self.port.as_raw_handle());
            GetQueuedCompletionStatusEx(port, &mut entries, &raw mut count, u32::MAX, false)?;
        }
        let mut failed = None;
        for entry in entries.iter().take(count as usize) {
            let is_this = |slot: &Slot| std::ptr::eq(&raw const *slot.request, entry.lpOverlapped);
            let Some(index) = self.slots.iter().position(is_this) else { continue };
            let slot = &mut self.slots[index];
            let Some(way) = slot.on_its_way.take() else { continue };
            self.in_flight -= 1;
            // `Internal` is the request's NTSTATUS: 0 is success, the end of a file is an error.
            match (slot.request.Internal, entry.dwNumberOfBytesTransferred as usize) {
                (0, moved) if moved == slot.memory.len() => done.push(index),
                (0, _) => failed = failed.or(Some(short(way))),
                (status, _) => failed = failed.or(Some(of_status(status))),
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

impl Drop for Overlapped {
    fn drop(&mut self) {
        let mut waits = 0;
        while self.in_flight > 0 && waits < 1000 {
            let _ = self.wait(&mut Vec::new());
            waits += 1;
        }
        if self.in_flight > 0 {
            std::mem::forget(std::mem::take(&mut self.slots));
        }
    }
}

/// The two that have words of their own; any other keeps its number.
fn of_status(status: usize) -> io::Error {
    const END_OF_FILE: usize = 0xC000_0011;
    const DISK_FULL: usize = 0xC000_007F;
    match status & 0xffff_ffff {
        END_OF_FILE => io::ErrorKind::UnexpectedEof.into(),
        DISK_FULL => io::ErrorKind::StorageFull.into(),
        other => io::Error::other(format!("NTSTATUS {other:#010x}")),
    }
}
