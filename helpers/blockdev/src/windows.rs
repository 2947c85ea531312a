//! Image files on Windows. Whole drives (`\\.\PhysicalDriveN`) come with the Windows flow.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use crate::{Access, Error, Operation, Result};

/// What never changes about an open device, and its size at the time of opening.
#[derive(Debug)]
pub(super) struct Shape {
    pub size: u64,
    pub regular_file: bool,
    pub logical_sector: u32,
    pub physical_sector: u32,
}

pub(super) fn refuse_wrong_kind(path: &Path) -> Result<()> {
    let shown = path.display().to_string();
    let data = std::fs::metadata(path).map_err(|error| Error::from_io(Operation::Open, 0, &shown, error))?;
    if data.is_file() { Ok(()) } else { Err(Error::WrongKind { path: shown }) }
}

pub(super) fn prepare(options: &mut OpenOptions, _path: &Path, access: Access) {
    if access == Access::Exclusive {
        const FILE_SHARE_READ: u32 = 1;
        options.share_mode(FILE_SHARE_READ);
    }
}

/// `None`: somebody else has it open, and one of the two shares it with nobody.
pub(super) fn open(options: &OpenOptions, path: &Path) -> io::Result<Option<File>> {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    match options.open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Opening has kept all other writers out. A lock on top would keep readers from reading, which it does not elsewhere.
pub(super) fn lock(_: &File) -> io::Result<Option<()>> {
    Ok(Some(()))
}

pub(super) fn shape(file: &File, _path: &Path) -> io::Result<Shape> {
    Ok(Shape { size: file.metadata()?.len(), regular_file: true, logical_sector: 512, physical_sector: 4096 })
}

pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match file.seek_read(&mut buffer[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

pub(super) fn write_all_at(file: &File, data: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < data.len() {
        match file.seek_write(&data[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => done += written,
        }
    }
    Ok(())
}

pub(super) fn resize(file: &File, _before: u64, size: u64) -> io::Result<()> {
    file.set_len(size)
}
