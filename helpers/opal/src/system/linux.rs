//! Security commands on Linux.

// The only way to send them is `ioctl`, which is unsafe by its nature: the kernel reads and writes through
// the addresses that are in a structure. All three calls are here, and each says why it is sound.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use model::Secret;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::commands::{
    CHECK_CONDITION, LARGEST, NVME_RECEIVE, NVME_SEND, NVME_STATUS, TIMEOUT_MS, UNKNOWN_COMMAND, Way, nvme_dwords,
    security_protocol, sense_code, too_large,
};
use crate::{Error, Result, Transport};

/// `_IOWR('N', 0x41, struct nvme_passthru_cmd)`
const NVME_ADMIN: u32 = 0xc048_4e41;
/// `SG_IO`
const SG_IO: u32 = 0x2285;
/// `_IOW('p', 220, struct opal_lock_unlock)`
const OPAL_SAVE: u32 = 0x4118_70dc;
pub fn open(path: &Path) -> Result<Box<dyn Transport + Send>> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.starts_with("nvme") || name.starts_with("ng") {
        let file = OpenOptions::new().read(true).open(path).map_err(opening)?;
        // A drive has several nodes; who wants it for themselves asks for the controller's.
        let lock = controller(&name).and_then(|name| File::open(path.with_file_name(name)).ok());
        return Ok(Box::new(Nvme { file, lock }));
    }
    // Not to wait for a medium.
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(libc::O_NONBLOCK);
    let file = options.open(path).map_err(opening)?;
    Ok(Box::new(Scsi { file, ata: false }))
}

/// NVMe controllers by their own list; of the block devices those that SCSI made, ATA and USB among them.
pub fn nodes() -> Vec<PathBuf> {
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let mut names: Vec<String> = names("/sys/class/nvme")
        .into_iter()
        .chain(names("/sys/block").into_iter().filter(|name| name.starts_with("sd")))
        .collect();
    names.sort();
    names.into_iter().map(|name| Path::new("/dev").join(name)).collect()
}

/// Whether the running kernel was built with `BLK_SED_OPAL`. Distributions keep what it was built with beside
/// it; a recorded system has it in `kernel/config`.
pub fn kernel_keeps_keys(sys: &Path) -> bool {
    const BUILT: &str = "CONFIG_BLK_SED_OPAL=y";
    let has = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(|line| line == BUILT));
    let running = || {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
        Some(has(Path::new(&format!("/boot/config-{}", release.trim()))))
    };
    has(&sys.join("kernel/config")) || sys == Path::new("/sys") && running().unwrap_or(false)
}

fn opening(source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::PermissionDenied => Error::NoRights,
        io::ErrorKind::NotFound => Error::DriveGone,
        _ => Error::Transport { source },
    }
}

fn system(source: io::Error) -> Error {
    match source.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => Error::NoRights,
        Some(libc::ENODEV | libc::ENXIO | libc::ESHUTDOWN) => Error::DriveGone,
        Some(libc::ENOTTY | libc::EOPNOTSUPP) => Error::NoWay,
        _ => Error::Transport { source },
    }
}

struct Nvme {
    file: File,
    /// What is held while a session is open, instead of `file`.
    lock: Option<File>,
}

/// The controller of a namespace: `nvme0` of `nvme0n1` and of `ng0n1`.
fn controller(name: &str) -> Option<String> {
    let rest = name.strip_prefix("nvme").or_else(|| name.strip_prefix("ng"))?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| format!("nvme{}", &rest[..digits]))
}

/// The lock of `flock(2)`, by which programs of one system agree who has a device. `udev` looks at no drive that is
/// held, which is what its own documentation asks of whoever changes one.
fn hold(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// `struct nvme_passthru_cmd`
#[repr(C)]
#[derive(Default)]
struct PassThrough {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    dword2: u32,
    dword3: u32,
    metadata: u64,
    address: u64,
    metadata_length: u32,
    data_length: u32,
    dwords: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

impl Nvme {
    fn command(&self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        let length = u32::try_from(data.len()).map_err(|_| too_large(data.len()))?;
        let mut command = PassThrough {
            opcode: if way == Way::ToDrive { NVME_SEND } else { NVME_RECEIVE },
            address: data.as_mut_ptr() as u64,
            data_length: length,
            timeout_ms: TIMEOUT_MS,
            ..PassThrough::default()
        };
        (command.dwords[0], command.dwords[1]) = nvme_dwords(protocol, specific, length);
        // SAFETY: the structure is laid out as the kernel's, and lives until the call returns. The address
        // and length in it are those of `data`, which is borrowed mutably for as long; the kernel touches
        // no more than that many bytes and keeps no address.
        let result = unsafe { libc::ioctl(self.file.as_raw_fd(), NVME_ADMIN as _, &raw mut command) };
        match result {
            0 => Ok(()),
            ..0 => Err(system(io::Error::last_os_error())),
            status => Err(Error::CommandRefused { status: u32::try_from(status).unwrap_or(0) & NVME_STATUS }),
        }
    }
}

impl Transport for Nvme {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        let mut copy = zeroize::Zeroizing::new(data.to_vec());
        self.command(Way::ToDrive, protocol, specific, &mut copy)
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        self.command(Way::FromDrive, protocol, specific, buffer)
    }

    fn hold(&mut self) -> bool {
        hold(self.lock.as_ref().unwrap_or(&self.file))
    }

    fn release(&mut self) {
        let _ = self.lock.as_ref().unwrap_or(&self.file).unlock();
    }

    fn largest(&self) -> usize {
        LARGEST
    }
}

/// SCSI, and SATA behind libata.
struct Scsi {
    file: File,
    /// ATA TRUSTED commands, because the other ones were not known.
    ata: bool,
}

/// `struct sg_io_hdr`
#[repr(C)]
struct SgHeader {
    interface: i32,
    direction: i32,
    command_length: u8,
    sense_room: u8,
    segments: u16,
    data_length: u32,
    data: *mut u8,
    command: *const u8,
    sense: *mut u8,
    timeout_ms: u32,
    flags: u32,
    pack_id: i32,
    user: *mut u8,
    status: u8,
    masked_status: u8,
    message_status: u8,
    sense_written: u8,
    host_status: u16,
    driver_status: u16,
    residual: i32,
    duration: u32,
    info: u32,
}

impl Scsi {
    fn command(&mut self, way: Way, protocol: u8, specific: u16, data: &mut [u8]) -> Result<()> {
        let blocks = u32::try_from(data.len() / 512).map_err(|_| too_large(data.len()))?;
        if !data.len().is_multiple_of(512) {
            return Err(too_large(data.len()));
        }
        if !self.ata {
            match self.run(way, &security_protocol(way, protocol, specific, blocks), data) {
                // Not known to this way: the other one may be.
                Err(Error::CommandRefused { status: UNKNOWN_COMMAND }) => {}
                result => return result,
            }
        }
        let result = self.run(way, &trusted(way, protocol, specific, blocks), data);
        self.ata |= result.is_ok();
        result
    }

    fn run(&self, way: Way, command: &[u8; 12], data: &mut [u8]) -> Result<()> {
        let mut sense = [0_u8; 64];
        let mut header = SgHeader {
            interface: i32::from(b'S'),
            // SG_DXFER_TO_DEV, SG_DXFER_FROM_DEV
            direction: if way == Way::ToDrive { -2 } else { -3 },
            command_length: 12,
            sense_room: 64,
            segments: 0,
            data_length: u32::try_from(data.len()).map_err(|_| too_large(data.len()))?,
            data: data.as_mut_ptr(),
            command: command.as_ptr(),
            sense: sense.as_mut_ptr(),
            timeout_ms: TIMEOUT_MS,
            flags: 0,
            pack_id: 0,
            user: std::ptr::null_mut(),
            status: 0,
            masked_status: 0,
            message_status: 0,
            sense_written: 0,
            host_status: 0,
            driver_status: 0,
            residual: 0,
            duration: 0,
            info: 0,
        };
        // SAFETY: the structure is laid out as the kernel's, and lives until the call returns. Its addresses
        // are those of `data` (borrowed mutably), `command` and `sense`, each with its true length beside
        // it; the kernel writes into no other, and keeps none.
        let result = unsafe { libc::ioctl(self.file.as_raw_fd(), SG_IO as _, &raw mut header) };
        if result < 0 {
            return Err(system(io::Error::last_os_error()));
        }
        if header.status == CHECK_CONDITION && header.sense_written > 0 {
            return Err(Error::CommandRefused { status: sense_code(&sense) });
        }
        if header.host_status != 0 || header.status & 0x3e != 0 {
            let status = u32::from(header.host_status) << 8 | u32::from(header.status);
            return Err(Error::CommandRefused { status });
        }
        Ok(())
    }
}

/// ATA PASS-THROUGH (12) with TRUSTED SEND or RECEIVE (ACS-3 7.55, 7.57).
fn trusted(way: Way, protocol: u8, specific: u16, blocks: u32) -> [u8; 12] {
    let [high, low] = specific.to_be_bytes();
    let [_, _, many, few] = blocks.to_be_bytes();
    // PIO, in blocks, as many as the sector count says.
    let (pio, direction, command) = if way == Way::ToDrive { (5, 0, 0x5e) } else { (4, 0x08, 0x5c) };
    [0xa1, pio << 1, direction | 0x04 | 0x02, protocol, few, many, low, high, 0x40, command, 0, 0]
}

impl Transport for Scsi {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        let mut copy = zeroize::Zeroizing::new(data.to_vec());
        self.command(Way::ToDrive, protocol, specific, &mut copy)
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        self.command(Way::FromDrive, protocol, specific, buffer)
    }

    fn hold(&mut self) -> bool {
        hold(&self.file)
    }

    fn release(&mut self) {
        let _ = self.file.unlock();
    }

    fn largest(&self) -> usize {
        LARGEST
    }
}

/// `struct opal_lock_unlock`
#[repr(C)]
#[derive(Zeroize, ZeroizeOnDrop)]
struct LockUnlock {
    single_user: u32,
    /// OPAL_ADMIN1
    who: u32,
    range: u8,
    key_length: u8,
    /// OPAL_INCLUDED
    key_type: u8,
    padding: [u8; 5],
    key: [u8; 256],
    /// OPAL_RW
    state: u32,
    flags: u16,
    end: [u8; 2],
}

const OPAL_RW: u32 = 2;

pub fn save_for_resume(path: &Path, pin: &Secret, range: u8) -> Result<()> {
    let bytes = pin.expose();
    let length = u8::try_from(bytes.len()).ok().filter(|length| (1..=32).contains(length));
    let key_length = length.ok_or(Error::PinLength { bytes: bytes.len() })?;
    let mut key = [0; 256];
    key[..bytes.len()].copy_from_slice(bytes);
    let mut command = LockUnlock {
        single_user: 0,
        who: 0,
        range,
        key_length,
        key_type: 0,
        padding: [0; 5],
        key,
        state: OPAL_RW,
        flags: 0,
        end: [0; 2],
    };
    key.zeroize();
    let file = OpenOptions::new().read(true).open(path).map_err(opening)?;
    // SAFETY: the structure is laid out as the kernel's, holds no address, and lives until the call returns.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), OPAL_SAVE as _, &raw mut command) };
    if result < 0 { Err(system(io::Error::last_os_error())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the calls hold the sizes of the structures.
    #[test]
    fn the_structures_have_the_kernels_sizes() {
        assert_eq!(size_of::<PassThrough>(), usize::try_from(NVME_ADMIN >> 16 & 0x3fff).unwrap());
        assert_eq!(size_of::<LockUnlock>(), usize::try_from(OPAL_SAVE >> 16 & 0x3fff).unwrap());
        #[cfg(target_pointer_width = "64")]
        assert_eq!(size_of::<SgHeader>(), 88);
    }

    /// As two programs do it: the lock is that of an open file, not of a process.
    #[test]
    fn a_drive_is_held_by_one_at_a_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let (mut first, mut second) = (open(file.path()).unwrap(), open(file.path()).unwrap());
        assert!(first.hold() && !second.hold());
        first.release();
        assert!(second.hold() && !first.hold());
        drop(second);
        assert!(first.hold(), "a program that died holds nothing");
    }

    #[test]
    fn all_nodes_of_a_drive_are_held_by_its_controller() {
        for (name, expected) in [("nvme0", "nvme0"), ("nvme12n1", "nvme12"), ("ng3n2", "nvme3"), ("nvme0n1p2", "nvme0")]
        {
            assert_eq!(controller(name).as_deref(), Some(expected));
        }
        assert_eq!(controller("nvme-fabrics"), None);
    }

    #[test]
    fn the_commands_of_ata() {
        assert_eq!(trusted(Way::FromDrive, 1, 0x1004, 4), [0xa1, 8, 0x0e, 1, 4, 0, 4, 0x10, 0x40, 0x5c, 0, 0]);
        assert_eq!(trusted(Way::ToDrive, 1, 0x07fe, 0x0102), [0xa1, 10, 0x06, 1, 2, 1, 0xfe, 7, 0x40, 0x5e, 0, 0]);
    }

    #[test]
    fn what_is_no_drive_is_refused() {
        assert!(matches!(open(Path::new("/dev/no-such-drive")).map(drop), Err(Error::DriveGone)));
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut plain = open(file.path()).unwrap();
        assert!(plain.receive(1, 1, &mut [0; 512]).is_err());
        assert!(matches!(plain.receive(1, 1, &mut [0; 500]), Err(Error::TooLarge { .. })));
        assert!(save_for_resume(file.path(), &Secret::from("pin"), 0).is_err());
        assert!(matches!(save_for_resume(file.path(), &Secret::from(""), 0), Err(Error::PinLength { bytes: 0 })));
    }
}
