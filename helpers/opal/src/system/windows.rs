//! Security commands on Windows, as administrator: SCSI pass-through, which the system's drivers translate for
//! NVMe drives; ATA TRUSTED commands for SATA behind drivers that do not; and NVMe commands by themselves where
//! a driver lets them through.

// `DeviceIoControl` is unsafe by its nature: the system reads and writes through the addresses that are in a
// structure. Every call is in `control`, and each structure says why it is sound.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::{File, OpenOptions};
use std::io;
use std::mem::{offset_of, size_of};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use blockdev::Buffer;
use model::Secret;
use windows::Win32::Foundation::HANDLE;
use windows::Win32::Storage::IscsiDisc::{
    ATA_PASS_THROUGH_DIRECT, IOCTL_ATA_PASS_THROUGH_DIRECT, IOCTL_SCSI_PASS_THROUGH_DIRECT, SCSI_PASS_THROUGH_DIRECT,
};
use windows::Win32::System::IO::DeviceIoControl;
use windows::Win32::System::Ioctl::{
    IOCTL_STORAGE_PROTOCOL_COMMAND, ProtocolTypeNvme, STORAGE_PROTOCOL_COMMAND,
    STORAGE_PROTOCOL_COMMAND_FLAG_ADAPTER_REQUEST, STORAGE_PROTOCOL_COMMAND_LENGTH_NVME,
    STORAGE_PROTOCOL_SPECIFIC_NVME_ADMIN_COMMAND, STORAGE_PROTOCOL_STATUS_SUCCESS, STORAGE_PROTOCOL_STRUCTURE_VERSION,
};
use zeroize::Zeroize;

use super::commands::{
    CHECK_CONDITION, LARGEST, NVME_RECEIVE, NVME_SEND, NVME_STATUS, TIMEOUT_MS, UNKNOWN_COMMAND, Way, nvme_dwords,
    security_protocol, sense_code, too_large,
};
use crate::{Error, Result, Transport};

/// Windows numbers its drives, and leaves out those that were pulled out.
const MOST_DRIVES: u32 = 64;
const TIMEOUT_S: u32 = TIMEOUT_MS / 1000;

pub fn open(path: &Path) -> Result<Box<dyn Transport + Send>> {
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(opening)?;
    Ok(Box::new(Drive { file, carrier: Carrier::Scsi }))
}

/// Opened without the right to read or write, which takes no rights.
pub fn nodes() -> Vec<PathBuf> {
    let paths = (0..MOST_DRIVES).map(|number| PathBuf::from(format!(r"\\.\PhysicalDrive{number}")));
    paths.filter(|path| OpenOptions::new().access_mode(0).open(path).is_ok()).collect()
}

/// The kernel of Windows keeps keys of its own eDrives only.
pub fn kernel_keeps_keys(_: &Path) -> bool {
    false
}

pub fn save_for_resume(_: &Path, _: &Secret, _: u8) -> Result<()> {
    Err(Error::NoWay)
}

fn opening(source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::PermissionDenied => Error::NoRights,
        io::ErrorKind::NotFound => Error::DriveGone,
        _ => Error::Transport { source },
    }
}

/// Of WinError.h.
mod code {
    pub const INVALID_FUNCTION: i32 = 1;
    pub const ACCESS_DENIED: i32 = 5;
    pub const NOT_READY: i32 = 21;
    pub const GEN_FAILURE: i32 = 31;
    pub const NOT_SUPPORTED: i32 = 50;
    pub const INVALID_PARAMETER: i32 = 87;
    pub const IO_DEVICE: i32 = 1117;
    pub const DEVICE_NOT_CONNECTED: i32 = 1167;
    pub const NO_SUCH_DEVICE: i32 = 433;
}

fn system(source: io::Error) -> Error {
    match source.raw_os_error() {
        Some(code::ACCESS_DENIED) => Error::NoRights,
        Some(code::NOT_READY | code::DEVICE_NOT_CONNECTED | code::NO_SUCH_DEVICE) => Error::DriveGone,
        Some(code::INVALID_FUNCTION | code::NOT_SUPPORTED) => Error::NoWay,
        _ => Error::Transport { source },
    }
}

/// Whether a driver or the drive does not know what was asked, so that another way may do.
fn is_unknown(error: &Error) -> bool {
    match error {
        Error::NoWay | Error::CommandRefused { status: UNKNOWN_COMMAND } => true,
        Error::Transport { source } => {
            matches!(source.raw_os_error(), Some(code::INVALID_PARAMETER | code::GEN_FAILURE | code::IO_DEVICE))
        }
        _ => false,
    }
}

/// What carries a drive's security commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carrier {
    Scsi,
    Ata,
    Nvme,
}

struct Drive {
    file: File,
    /// The one that worked last; the first one until then.
    carrier: Carrier,
}

impl Drive {
    fn command(&mut self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        if !data.len().is_multiple_of(512) || data.len() > LARGEST {
            return Err(too_large(data.len()));
        }
        let mut first = None;
        for carrier in [self.carrier, Carrier::Scsi, Carrier::Ata, Carrier::Nvme] {
            if first.is_some() && carrier == self.carrier {
                continue;
            }
            let result = match carrier {
                Carrier::Scsi => self.scsi(way, protocol, specific, data),
                Carrier::Ata => self.ata(way, protocol, specific, data),
                Carrier::Nvme => self.nvme(way, protocol, specific, data),
            };
            match result {
                Ok(()) => {
                    self.carrier = carrier;
                    return Ok(());
                }
                Err(error) if is_unknown(&error) => first = first.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        // What the usual way said says more than the fall-backs do.
        Err(first.unwrap_or(Error::NoWay))
    }

    /// SECURITY PROTOCOL IN and OUT.
    fn scsi(&self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        let length = length_of(data)?;
        let mut cdb = [0; 16];
        cdb[..12].copy_from_slice(&security_protocol(way, protocol, specific, length / 512));
        let mut request = ScsiRequest {
            header: SCSI_PASS_THROUGH_DIRECT {
                Length: u16::try_from(size_of::<SCSI_PASS_THROUGH_DIRECT>()).unwrap_or(0),
                CdbLength: 12,
                SenseInfoLength: 64,
                // SCSI_IOCTL_DATA_OUT, SCSI_IOCTL_DATA_IN
                DataIn: if way == Way::ToDrive { 0 } else { 1 },
                DataTransferLength: length,
                TimeOutValue: TIMEOUT_S,
                DataBuffer: data.as_mut_ptr().cast(),
                SenseInfoOffset: u32::try_from(offset_of!(ScsiRequest, sense)).unwrap_or(0),
                Cdb: cdb,
                ..SCSI_PASS_THROUGH_DIRECT::default()
            },
            sense: [0; 64],
        };
        // SAFETY: the structure is laid out as the system's (`SCSI_PASS_THROUGH_DIRECT` with room for sense behind
        // it). The address in it is that of `data`, borrowed mutably for as long, with its length beside it.
        unsafe { self.control(IOCTL_SCSI_PASS_THROUGH_DIRECT, &mut request) }?;
        match request.header.ScsiStatus {
            0 => Ok(()),
            CHECK_CONDITION => Err(Error::CommandRefused { status: sense_code(&request.sense) }),
            status => Err(Error::CommandRefused { status: u32::from(status) }),
        }
    }

    /// TRUSTED SEND and RECEIVE (ACS-3 7.55, 7.57), PIO.
    fn ata(&self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        const DRDY_REQUIRED: u16 = 1;
        const DATA_IN: u16 = 2;
        const DATA_OUT: u16 = 4;
        let length = length_of(data)?;
        let [_, _, many, few] = (length / 512).to_be_bytes();
        let [high, low] = specific.to_be_bytes();
        let command = if way == Way::ToDrive { 0x5e } else { 0x5c };
        let mut request = ATA_PASS_THROUGH_DIRECT {
            Length: u16::try_from(size_of::<ATA_PASS_THROUGH_DIRECT>()).unwrap_or(0),
            AtaFlags: DRDY_REQUIRED | if way == Way::ToDrive { DATA_OUT } else { DATA_IN },
            DataTransferLength: length,
            TimeOutValue: TIMEOUT_S,
            DataBuffer: data.as_mut_ptr().cast(),
            // Features, count, LBA low, middle, high, device, command.
            CurrentTaskFile: [protocol, few, many, low, high, 0x40, command, 0],
            ..ATA_PASS_THROUGH_DIRECT::default()
        };
        // SAFETY: the structure is the system's own. The address in it is that of `data`, borrowed mutably for as
        // long, with its length beside it.
        unsafe { self.control(IOCTL_ATA_PASS_THROUGH_DIRECT, &mut request) }?;
        // The drive's status is in the place of the command: ERR, DF.
        let (status, error) = (request.CurrentTaskFile[6], request.CurrentTaskFile[0]);
        if status & 0x21 != 0 {
            return Err(Error::CommandRefused { status: u32::from(status) << 8 | u32::from(error) });
        }
        Ok(())
    }

    /// NVMe security send and receive.
    fn nvme(&self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        let length = length_of(data)?;
        let (dword10, dword11) = nvme_dwords(protocol, specific, length);
        let mut request = Box::new(NvmeRequest { data: [0; LARGEST], ..NvmeRequest::default() });
        let data_at = u32::try_from(offset_of!(NvmeRequest, data)).unwrap_or(0);
        let error_at = u32::try_from(offset_of!(NvmeRequest, error)).unwrap_or(0);
        request.header = Header {
            version: STORAGE_PROTOCOL_STRUCTURE_VERSION,
            length: u32::try_from(size_of::<STORAGE_PROTOCOL_COMMAND>()).unwrap_or(0),
            protocol: ProtocolTypeNvme.0,
            flags: STORAGE_PROTOCOL_COMMAND_FLAG_ADAPTER_REQUEST,
            command_length: STORAGE_PROTOCOL_COMMAND_LENGTH_NVME,
            error_length: 64,
            timeout_s: TIMEOUT_S,
            error_at,
            specific: STORAGE_PROTOCOL_SPECIFIC_NVME_ADMIN_COMMAND,
            ..Header::default()
        };
        if way == Way::ToDrive {
            (request.header.to_drive, request.header.to_drive_at) = (length, data_at);
            request.data[..data.len()].copy_from_slice(data);
        } else {
            (request.header.from_drive, request.header.from_drive_at) = (length, data_at);
        }
        request.command[0] = u32::from(if way == Way::ToDrive { NVME_SEND } else { NVME_RECEIVE });
        (request.command[10], request.command[11]) = (dword10, dword11);
        // SAFETY: the structure is laid out as the system's (`STORAGE_PROTOCOL_COMMAND`, with command, error and
        // data behind it, at the offsets that it names) and holds no address.
        let result = unsafe { self.control(IOCTL_STORAGE_PROTOCOL_COMMAND, &mut *request) };
        let refused = request.header.status != STORAGE_PROTOCOL_STATUS_SUCCESS;
        // The status field of the completion; its lowest bit is the phase.
        let status = request.header.error_code >> 1 & NVME_STATUS;
        if result.is_ok() && !refused && way == Way::FromDrive {
            data.copy_from_slice(&request.data[..data.len()]);
        }
        request.data.zeroize();
        result?;
        if refused { Err(Error::CommandRefused { status }) } else { Ok(()) }
    }

    /// Hands a structure to the driver and takes it back.
    ///
    /// # Safety
    /// `T` is laid out as the structure of this code, and every address in it is of memory that is ours to write,
    /// with its true length beside it.
    unsafe fn control<T>(&self, code: u32, request: &mut T) -> Result<()> {
        let handle = HANDLE(self.file.as_raw_handle());
        let size = u32::try_from(size_of::<T>()).unwrap_or(0);
        let pointer: *mut T = request;
        let mut returned = 0;
        // SAFETY: both addresses are those of `request`, which lives until the call returns, with its size beside
        // them; it is no overlapped call, so that the system keeps none of them. The rest is the caller's promise.
        let result = unsafe {
            DeviceIoControl(
                handle,
                code,
                Some(pointer.cast_const().cast()),
                size,
                Some(pointer.cast()),
                size,
                Some(&raw mut returned),
                None,
            )
        };
        result.map_err(|_| system(io::Error::last_os_error()))
    }
}

fn length_of(data: &[u8]) -> Result<u32> {
    u32::try_from(data.len()).map_err(|_| too_large(data.len()))
}

#[repr(C)]
struct ScsiRequest {
    header: SCSI_PASS_THROUGH_DIRECT,
    sense: [u8; 64],
}

/// `STORAGE_PROTOCOL_COMMAND` up to its command.
#[repr(C)]
#[derive(Default)]
struct Header {
    version: u32,
    length: u32,
    protocol: i32,
    flags: u32,
    status: u32,
    error_code: u32,
    command_length: u32,
    error_length: u32,
    to_drive: u32,
    from_drive: u32,
    timeout_s: u32,
    error_at: u32,
    to_drive_at: u32,
    from_drive_at: u32,
    specific: u32,
    reserved: u32,
    returned: u32,
    more_reserved: [u32; 3],
}

#[repr(C)]
struct NvmeRequest {
    header: Header,
    command: [u32; 16],
    error: [u8; 64],
    data: [u8; LARGEST],
}

impl Default for NvmeRequest {
    fn default() -> Self {
        Self { header: Header::default(), command: [0; 16], error: [0; 64], data: [0; LARGEST] }
    }
}

impl Transport for Drive {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        // Adapters want the address to be a multiple of something: a page is one of everything.
        let mut copy = Buffer::new(data.len());
        copy.copy_from_slice(data);
        let result = self.command(Way::ToDrive, protocol, specific, &mut copy);
        copy.zeroize();
        result
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        let mut copy = Buffer::new(buffer.len());
        self.command(Way::FromDrive, protocol, specific, &mut copy)?;
        buffer.copy_from_slice(&copy);
        Ok(())
    }

    fn largest(&self) -> usize {
        LARGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the structures of the system say of themselves.
    #[test]
    fn the_structures_have_the_systems_layout() {
        assert_eq!(size_of::<Header>(), offset_of!(STORAGE_PROTOCOL_COMMAND, Command));
        assert_eq!(offset_of!(Header, returned), offset_of!(STORAGE_PROTOCOL_COMMAND, FixedProtocolReturnData));
        assert_eq!(offset_of!(Header, from_drive_at), offset_of!(STORAGE_PROTOCOL_COMMAND, DataFromDeviceBufferOffset));
        assert_eq!(offset_of!(NvmeRequest, command), offset_of!(STORAGE_PROTOCOL_COMMAND, Command));
        #[cfg(target_pointer_width = "64")]
        assert_eq!((size_of::<SCSI_PASS_THROUGH_DIRECT>(), size_of::<ATA_PASS_THROUGH_DIRECT>()), (56, 48));
    }

    #[test]
    fn what_is_no_drive_is_refused() {
        assert!(matches!(open(Path::new(r"\\.\PhysicalDrive63")).map(drop), Err(Error::DriveGone | Error::NoRights)));
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut plain = open(file.path()).unwrap();
        assert!(plain.receive(1, 1, &mut [0; 512]).is_err());
        assert!(matches!(plain.receive(1, 1, &mut [0; 500]), Err(Error::TooLarge { .. })));
    }
}
