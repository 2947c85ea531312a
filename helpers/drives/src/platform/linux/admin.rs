//! One command that only reads, sent to an NVMe controller through the kernel's own interface
//! (include/uapi/linux/nvme_ioctl.h).

#![allow(unsafe_code)] // A call into the kernel with a structure: this module is where it is kept.

use std::fs::File;
use std::os::fd::AsRawFd;

/// `struct nvme_passthru_cmd`.
#[repr(C)]
#[derive(Default)]
struct Command {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    words_2_3: [u32; 2],
    metadata: u64,
    address: u64,
    metadata_length: u32,
    data_length: u32,
    words_10_15: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

const LENGTH: usize = 4096;
const _: () = assert!(size_of::<Command>() == 72);

/// Identify Controller (opcode 06h, CNS 01h) of the controller that a namespace belongs to; `None`
/// where it may not be asked or does not answer.
pub(super) fn identify_controller(namespace: &str) -> Option<Vec<u8>> {
    const IDENTIFY: u8 = 0x06;
    const CONTROLLER: u32 = 1;
    /// `_IOWR('N', 0x41, struct nvme_passthru_cmd)`
    const ADMIN: libc::Ioctl = 0xc048_4e41_u32 as libc::Ioctl;
    const TIMEOUT_MS: u32 = 2000;
    let file = File::open(format!("/dev/{namespace}")).ok()?;
    let mut data = vec![0_u8; LENGTH];
    let mut command = Command {
        opcode: IDENTIFY,
        address: data.as_mut_ptr() as u64,
        data_length: u32::try_from(LENGTH).ok()?,
        words_10_15: [CONTROLLER, 0, 0, 0, 0, 0],
        timeout_ms: TIMEOUT_MS,
        ..Command::default()
    };
    // SAFETY: the structure has the kernel's layout (its size is checked above) and outlives the call;
    // `address` points to `data_length` bytes that outlive it, too, and that nothing else uses meanwhile.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), ADMIN, &raw mut command) };
    (status == 0).then_some(data)
}
