//! The registry, and what a drive answers to questions that need no rights.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;

use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::IO::DeviceIoControl;
use windows::Win32::System::Ioctl::{IOCTL_STORAGE_GET_DEVICE_NUMBER, IOCTL_STORAGE_QUERY_PROPERTY};
use windows::Win32::System::Registry::{
    HKEY, HKEY_LOCAL_MACHINE, KEY_READ, REG_DWORD, RRF_RT_REG_DWORD, RegCloseKey, RegDeleteKeyValueW, RegEnumKeyExW,
    RegGetValueW, RegOpenKeyExW, RegSetKeyValueW,
};
use windows::core::{HSTRING, PWSTR};

use super::found;
use crate::{DriveFacts, Result};

/// A number below `HKEY_LOCAL_MACHINE`. `None`: there is no such value.
pub fn number(key: &str, name: &str) -> Result<Option<u32>> {
    let (key, name) = (HSTRING::from(key), HSTRING::from(name));
    let mut value = 0_u32;
    let mut size = 4_u32;
    // SAFETY: `value` has the four bytes that `size` says, and both live through the call.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            &key,
            &name,
            RRF_RT_REG_DWORD,
            None,
            Some((&raw mut value).cast()),
            Some(&raw mut size),
        )
    };
    Ok(found(status)?.then_some(value))
}

/// Sets a number, or takes it away.
pub fn set(key: &str, name: &str, value: Option<u32>) -> Result<()> {
    let (key, name) = (HSTRING::from(key), HSTRING::from(name));
    let status = match value {
        // SAFETY: the four bytes of `value` live through the call.
        Some(value) => unsafe {
            RegSetKeyValueW(HKEY_LOCAL_MACHINE, &key, &name, REG_DWORD.0, Some((&raw const value).cast()), 4)
        },
        // SAFETY: both texts end in a zero and live through the call.
        None => unsafe { RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, &key, &name) },
    };
    found(status).map(drop)
}

/// `PEFirmwareType`: 1 BIOS, 2 UEFI. What `GetFirmwareType` reads, too.
pub fn firmware_is_uefi() -> Option<bool> {
    number(r"SYSTEM\CurrentControlSet\Control", "PEFirmwareType").ok().flatten().map(|kind| kind == 2)
}

/// Whether a key has a subkey whose name begins so. `None`: it cannot be read.
pub fn has_key_beginning(key: &str, beginning: &str) -> Option<bool> {
    let mut open = HKEY::default();
    // SAFETY: `open` is written by the call and closed below.
    let status = unsafe { RegOpenKeyExW(HKEY_LOCAL_MACHINE, &HSTRING::from(key), None, KEY_READ, &raw mut open) };
    if !found(status).ok()? {
        return None;
    }
    let mut there = false;
    for index in 0..4096 {
        let mut name = [0_u16; 256];
        let mut length = 256_u32;
        // SAFETY: `name` has the room that `length` says; the key is open.
        let status = unsafe {
            RegEnumKeyExW(open, index, Some(PWSTR(name.as_mut_ptr())), &raw mut length, None, None, None, None)
        };
        if status.is_err() {
            break;
        }
        let length = usize::try_from(length).unwrap_or(0).min(name.len());
        there |= String::from_utf16_lossy(&name[..length]).starts_with(beginning);
    }
    // SAFETY: it was opened above and is used no more.
    let _ = unsafe { RegCloseKey(open) };
    Some(there)
}

/// What the drive of a volume says, without rights. What it does not say is `None`.
pub fn drive_of(volume: &str) -> DriveFacts {
    let mut facts = DriveFacts::default();
    // The path without its last backslash is the volume itself, with it the folder on it.
    let Some(volume) = open(volume.trim_end_matches('\\')) else { return facts };
    let Some(about) = ask(&volume, IOCTL_STORAGE_GET_DEVICE_NUMBER, &[], 12) else { return facts };
    let Some(number) = word(&about, 4) else { return facts };
    let Some(drive) = open(&format!(r"\\.\PhysicalDrive{number}")) else { return facts };
    if let Some(about) = property(&drive, 0, 4096) {
        super::describe(&about, &mut facts);
    }
    // STORAGE_DEVICE_SELF_ENCRYPTION_PROPERTY, version 2: 1 eDrive, 2 TCG Opal. Windows 11 has it.
    if let Some(about) = property(&drive, 64, 16) {
        match (about.get(8), word(&about, 12)) {
            (Some(0), _) => (facts.opal2, facts.edrive) = (Some(false), Some(false)),
            (Some(_), Some(1)) => (facts.opal2, facts.edrive) = (Some(true), Some(true)),
            (Some(_), Some(2)) => (facts.opal2, facts.edrive) = (Some(true), Some(false)),
            _ => {}
        }
    }
    facts
}

/// Opens a device to be asked, not read: that needs no rights.
fn open(path: &str) -> Option<File> {
    OpenOptions::new().access_mode(0).share_mode(3).open(path).ok()
}

fn property(drive: &File, id: u32, room: usize) -> Option<Vec<u8>> {
    // STORAGE_PROPERTY_QUERY: id, PropertyStandardQuery, one byte of parameters and its padding.
    let mut query = [0_u8; 12];
    query[..4].copy_from_slice(&id.to_le_bytes());
    ask(drive, IOCTL_STORAGE_QUERY_PROPERTY, &query, room)
}

fn ask(device: &File, code: u32, query: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut answer = vec![0_u8; room];
    let mut length = 0_u32;
    let (ins, outs) = (u32::try_from(query.len()).ok()?, u32::try_from(room).ok()?);
    let query = (!query.is_empty()).then_some(query.as_ptr().cast());
    // SAFETY: both buffers have the lengths that are said and live through the call, which is synchronous.
    let done = unsafe {
        DeviceIoControl(
            HANDLE(device.as_raw_handle()),
            code,
            query,
            ins,
            Some(answer.as_mut_ptr().cast()),
            outs,
            Some(&raw mut length),
            None,
        )
    };
    done.ok()?;
    answer.truncate(usize::try_from(length).ok()?);
    Some(answer)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    const KEY: &str = r"SOFTWARE\Policies\Microsoft\FVE";

    /// Under Wine and on any Windows whose user may: set, read back, taken away, and put back as it was.
    #[test]
    fn a_policy_is_set_read_back_and_taken_away() {
        let name = "LatchkeyTest";
        match set(KEY, name, Some(1)) {
            Err(Error::NoRights) => return eprintln!("left out: no administrator rights"),
            done => done.unwrap(),
        }
        assert_eq!(number(KEY, name).unwrap(), Some(1));
        set(KEY, name, None).unwrap();
        assert_eq!(number(KEY, name).unwrap(), None);
        set(KEY, name, None).unwrap();
    }

    #[test]
    fn what_is_not_there_is_not_known() {
        assert_eq!(number(r"SOFTWARE\No\Such\Key", "x").unwrap(), None);
        assert_eq!(has_key_beginning(r"SOFTWARE\No\Such\Key", "x"), None);
        assert_eq!(has_key_beginning(r"SOFTWARE", "Micro"), Some(true));
        assert_eq!(drive_of(r"\\?\Volume{00000000-0000-0000-0000-000000000000}\"), DriveFacts::default());
    }
}
