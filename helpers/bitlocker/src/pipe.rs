//! The way between the window and the elevated helper: a named pipe that only the user's own session can open.
//!
//! The window starts the helper by Windows' own question (UAC) and gives it a pipe's random name, its own
//! process ID and the SID of its logon session. The helper makes the pipe, first and only instance, with an
//! access list of that SID, closed to the network; it talks to the process with that ID in its own session and
//! to nobody else. The window, for its part, talks only to the process that Windows started for it.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::time::{Duration, Instant};

use windows::Win32::Foundation::{CloseHandle, ERROR_CANCELLED, ERROR_PIPE_CONNECTED, HANDLE, HLOCAL, LocalFree};
use windows::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows::Win32::Security::{
    GetTokenInformation, PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES, TOKEN_GROUPS, TOKEN_QUERY, TokenLogonSid,
};
use windows::Win32::Storage::FileSystem::{FILE_FLAG_FIRST_PIPE_INSTANCE, PIPE_ACCESS_DUPLEX, SECURITY_IDENTIFICATION};
use windows::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, GetNamedPipeClientProcessId, GetNamedPipeServerProcessId, PIPE_READMODE_BYTE,
    PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
};
use windows::Win32::System::RemoteDesktop::ProcessIdToSessionId;
use windows::Win32::System::Threading::{GetCurrentProcess, GetProcessId, OpenProcessToken};
use windows::Win32::UI::Shell::{SEE_MASK_NOCLOSEPROCESS, SHELLEXECUTEINFOW, ShellExecuteExW};
use windows::Win32::UI::WindowsAndMessaging::SW_HIDE;
use windows::core::{HSTRING, PCWSTR, PWSTR, w};

use crate::{Error, Result};

/// The first argument by which a program knows that it is to be the helper.
pub const HELPER: &str = "bitlocker-helper";
const ROOM: u32 = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(30);

/// A name that nobody can have taken before.
///
/// # Errors
/// [`Error::NoHelper`] if there is no randomness.
pub fn new_name() -> Result<String> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random).map_err(|error| Error::NoHelper(error.to_string()))?;
    let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(r"\\.\pipe\latchkey-{hex}"))
}

/// The SID of this process's logon session: `S-1-5-5-…`.
///
/// # Errors
/// [`Error::NoHelper`] where there is none, as for a service.
pub fn logon_sid() -> Result<String> {
    let mut token = HANDLE::default();
    // SAFETY: the handle is written by the call, and owned below.
    unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) }.map_err(no_helper)?;
    // SAFETY: it was opened above and belongs to nobody else.
    let token = unsafe { OwnedHandle::from_raw_handle(token.0) };
    // Aligned as the structure in it wants to be.
    let mut groups = [0_u64; 128];
    let mut length = 0;
    let room = u32::try_from(size_of_val(&groups)).unwrap_or(0);
    // SAFETY: the buffer has the room that is said.
    unsafe {
        GetTokenInformation(
            HANDLE(token.as_raw_handle()),
            TokenLogonSid,
            Some(groups.as_mut_ptr().cast()),
            room,
            &raw mut length,
        )
    }
    .map_err(no_helper)?;
    // SAFETY: the call filled the buffer with this structure, which is aligned and lives on.
    let groups = unsafe { &*groups.as_ptr().cast::<TOKEN_GROUPS>() };
    if groups.GroupCount == 0 {
        return Err(Error::NoHelper("no logon session".to_owned()));
    }
    let mut text = PWSTR::null();
    // SAFETY: the SID lies in the buffer above; the text is freed below.
    unsafe { ConvertSidToStringSidW(groups.Groups[0].Sid, &raw mut text) }.map_err(no_helper)?;
    // SAFETY: the call made a text that ends in a zero.
    let sid = unsafe { text.to_string() };
    // SAFETY: the call allocated it so.
    unsafe { LocalFree(Some(HLOCAL(text.0.cast()))) };
    sid.map_err(|error| Error::NoHelper(error.to_string()))
}

/// The helper's end.
#[derive(Debug)]
pub struct Listener(OwnedHandle);

impl Listener {
    /// Makes the pipe. `sid`: who may open it.
    ///
    /// # Errors
    /// [`Error::BadOrder`] for a name or a SID of another form; [`Error::NoHelper`] if somebody was first.
    pub fn new(name: &str, sid: &str) -> Result<Self> {
        let random = name.strip_prefix(r"\\.\pipe\latchkey-").ok_or(Error::BadOrder)?;
        let logon = sid.strip_prefix("S-1-5-5-").ok_or(Error::BadOrder)?;
        let hex = random.len() == 32 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex || logon.len() > 40 || !logon.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return Err(Error::BadOrder);
        }
        // Nobody over the network; the session may read and write; the window has no high integrity.
        let access = HSTRING::from(format!("D:P(D;;GA;;;NU)(A;;GRGW;;;{sid})S:(ML;;NW;;;ME)"));
        let mut descriptor = PSECURITY_DESCRIPTOR::default();
        // SAFETY: the descriptor is written by the call and freed below.
        unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(&access, SDDL_REVISION_1, &raw mut descriptor, None)
        }
        .map_err(no_helper)?;
        let attributes = SECURITY_ATTRIBUTES {
            nLength: u32::try_from(size_of::<SECURITY_ATTRIBUTES>()).unwrap_or(0),
            lpSecurityDescriptor: descriptor.0,
            bInheritHandle: false.into(),
        };
        // SAFETY: name and attributes live through the call.
        let handle = unsafe {
            CreateNamedPipeW(
                &HSTRING::from(name),
                PIPE_ACCESS_DUPLEX | FILE_FLAG_FIRST_PIPE_INSTANCE,
                PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                1,
                ROOM,
                ROOM,
                0,
                Some(&raw const attributes),
            )
        };
        let failed = handle.is_invalid().then(windows::core::Error::from_thread);
        // SAFETY: the call above allocated it so, and copied what it needed.
        unsafe { LocalFree(Some(HLOCAL(descriptor.0))) };
        match failed {
            Some(error) => Err(no_helper(error)),
            // SAFETY: the handle is valid and belongs to nobody else.
            None => Ok(Self(unsafe { OwnedHandle::from_raw_handle(handle.0) })),
        }
    }

    /// Waits for the process with this ID, of this session.
    ///
    /// # Errors
    /// [`Error::NoHelper`] if somebody else came.
    pub fn accept(self, client: u32) -> Result<File> {
        let handle = HANDLE(self.0.as_raw_handle());
        // SAFETY: the handle is open; without an overlapped structure the call waits.
        if let Err(error) = unsafe { ConnectNamedPipe(handle, None) }
            && error.code() != ERROR_PIPE_CONNECTED.to_hresult()
        {
            return Err(no_helper(error));
        }
        let mut came = 0;
        // SAFETY: the handle is open, the number is written by the call.
        unsafe { GetNamedPipeClientProcessId(handle, &raw mut came) }.map_err(no_helper)?;
        if came != client || session(came)? != session(std::process::id())? {
            return Err(Error::NoHelper(format!("process {came} is not the window")));
        }
        Ok(File::from(self.0))
    }
}

/// The window's end: opens the pipe, and checks that the helper's process made it.
///
/// # Errors
/// [`Error::NoHelper`] if it does not come within half a minute, or if it is somebody else's.
pub fn connect(name: &str, helper: u32) -> Result<File> {
    let begun = Instant::now();
    let pipe = loop {
        // Whoever has the other end may learn who we are and not act as us.
        let opened = OpenOptions::new().read(true).write(true).security_qos_flags(SECURITY_IDENTIFICATION.0).open(name);
        match opened {
            Ok(pipe) => break pipe,
            Err(error) if begun.elapsed() > PATIENCE => return Err(Error::NoHelper(error.to_string())),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let mut made = 0;
    // SAFETY: the handle is open, the number is written by the call.
    unsafe { GetNamedPipeServerProcessId(HANDLE(pipe.as_raw_handle()), &raw mut made) }.map_err(no_helper)?;
    if made == helper { Ok(pipe) } else { Err(Error::NoHelper(format!("process {made} is not the helper"))) }
}

/// Asks the person by Windows' own question, starts the helper, and returns the pipe to it.
///
/// # Errors
/// [`Error::RightsRefused`], [`Error::NoHelper`].
pub fn start(program: &Path) -> Result<File> {
    let (name, sid) = (new_name()?, logon_sid()?);
    let words = HSTRING::from(format!("{HELPER} {name} {sid} {}", std::process::id()));
    let program = HSTRING::from(program);
    let mut how = SHELLEXECUTEINFOW {
        cbSize: u32::try_from(size_of::<SHELLEXECUTEINFOW>()).unwrap_or(0),
        fMask: SEE_MASK_NOCLOSEPROCESS,
        lpVerb: w!("runas"),
        lpFile: PCWSTR(program.as_ptr()),
        lpParameters: PCWSTR(words.as_ptr()),
        nShow: SW_HIDE.0,
        ..SHELLEXECUTEINFOW::default()
    };
    // SAFETY: all texts live through the call.
    unsafe { ShellExecuteExW(&raw mut how) }.map_err(|error| {
        if error.code() == ERROR_CANCELLED.to_hresult() { Error::RightsRefused } else { no_helper(error) }
    })?;
    // SAFETY: the call gave the handle to us; it is closed once its number is known, as the pipe holds the process.
    let helper = unsafe { GetProcessId(how.hProcess) };
    let pipe = connect(&name, helper);
    // SAFETY: ours, and used no more.
    let _ = unsafe { CloseHandle(how.hProcess) };
    pipe
}

fn session(process: u32) -> Result<u32> {
    let mut session = 0;
    // SAFETY: the number is written by the call.
    unsafe { ProcessIdToSessionId(process, &raw mut session) }.map_err(no_helper)?;
    Ok(session)
}

fn no_helper(error: windows::core::Error) -> Error {
    Error::NoHelper(error.to_string())
}

#[cfg(test)]
mod tests;
