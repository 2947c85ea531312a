//! A file is the administrator's when the group of administrators or the system owns it: nobody else can give a file
//! away to them.
#![allow(unsafe_code)]

use std::fs::File;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use windows::Win32::Foundation::{ERROR_SUCCESS, HANDLE, HLOCAL, LocalFree};
use windows::Win32::Security::Authorization::{GetSecurityInfo, SE_FILE_OBJECT};
use windows::Win32::Security::{
    IsWellKnownSid, OWNER_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID, WinBuiltinAdministratorsSid,
    WinLocalSystemSid,
};
use windows::Win32::System::Com::CoTaskMemFree;
use windows::Win32::UI::Shell::{FOLDERID_ProgramData, KF_FLAG_DEFAULT, SHGetKnownFolderPath};

use crate::Why;

/// Whose a file has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The administrator's.
    Administrators,
    /// That, or of whoever runs this program.
    OrMine,
}

/// Where this computer's policy lies. Windows is asked: a variable of the environment is the person's own.
pub fn policy_path() -> Option<PathBuf> {
    // SAFETY: the folder's name is a constant, and the text that comes back is freed below.
    let text = unsafe { SHGetKnownFolderPath(&FOLDERID_ProgramData, KF_FLAG_DEFAULT, None) }.ok()?;
    // SAFETY: it ends with a zero, and stays until it is freed.
    let folder = unsafe { text.to_string() };
    // SAFETY: this call alone frees it, and nobody looks at it any more.
    unsafe { CoTaskMemFree(Some(text.0.cast())) };
    Some(PathBuf::from(folder.ok()?).join("Latchkey").join("policy.json"))
}

/// What is wrong with an open file, if anything is.
pub fn wrong_with(_: &Path, file: &File, whose: Whose) -> Option<Why> {
    (whose == Whose::Administrators && !is_administrators(file)).then_some(Why::Owner)
}

/// What is wrong with an open file that holds a secret: who can read it, its folder says on Windows.
pub fn wrong_with_secret(_: &File) -> Option<Why> {
    None
}

fn is_administrators(file: &File) -> bool {
    let (mut owner, mut descriptor) = (PSID::default(), PSECURITY_DESCRIPTOR::default());
    // SAFETY: the handle is open as long as `file` is; both places are written by the call.
    let told = unsafe {
        GetSecurityInfo(
            HANDLE(file.as_raw_handle()),
            SE_FILE_OBJECT,
            OWNER_SECURITY_INFORMATION,
            Some(&raw mut owner),
            None,
            None,
            None,
            Some(&raw mut descriptor),
        )
    };
    if told != ERROR_SUCCESS {
        return false;
    }
    // SAFETY: the owner lies in the descriptor, which is freed below.
    let known = unsafe {
        IsWellKnownSid(owner, WinBuiltinAdministratorsSid).as_bool()
            || IsWellKnownSid(owner, WinLocalSystemSid).as_bool()
    };
    // SAFETY: the call above has made it, and nobody looks at it any more.
    unsafe { LocalFree(Some(HLOCAL(descriptor.0))) };
    known
}
