//! For the test rig only, and in no image that people get: a drive that is served over NVMe/TCP. The kernel's
//! command line has `latchkey.rig=PORT,NQN`; the rig's network is that of qemu.

// `ioctl` is unsafe by its nature: the kernel reads through the address that it is given.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::UdpSocket;
use std::os::fd::AsRawFd;
use std::thread;
use std::time::Duration;

use crate::kernel;

/// `struct ifreq` with an address, or with flags in its first two bytes.
#[repr(C)]
struct Request {
    name: [u8; 16],
    value: [u8; 24],
}

/// Connects the drive that the command line names, if it names one.
pub fn attach() {
    let Some(words) = kernel::word("latchkey.rig") else { return };
    let Some((port, nqn)) = words.split_once(',') else { return };
    for _ in 0..50 {
        match network().and_then(|()| connect(port, nqn)) {
            Ok(()) => return,
            // The network card is on its way.
            Err(_) => thread::sleep(Duration::from_millis(200)),
        }
    }
}

fn connect(port: &str, nqn: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open("/dev/nvme-fabrics")?;
    let line = format!(
        "transport=tcp,traddr=10.0.2.2,trsvcid={port},nqn={nqn},hostnqn=nqn.2025-01.org.latchkey:preboot,\
         hostid=6ba7b810-9dad-11d1-80b4-00c04fd430c8,nr_io_queues=1,reconnect_delay=1,ctrl_loss_tmo=30"
    );
    file.write_all(line.as_bytes())?;
    file.read_to_end(&mut Vec::new()).map(|_| ())
}

fn network() -> io::Result<()> {
    let address = |last: [u8; 4]| {
        let mut value = [0; 24];
        value[0] = 2; // AF_INET
        value[4..8].copy_from_slice(&last);
        value
    };
    let mut up = [0; 24];
    up[0] = 0x41; // IFF_UP | IFF_RUNNING
    for name in ["lo", "eth0"] {
        if name == "eth0" {
            set(libc::SIOCSIFADDR, name, address([10, 0, 2, 15]))?;
            set(libc::SIOCSIFNETMASK, name, address([255, 255, 255, 0]))?;
        }
        set(libc::SIOCSIFFLAGS, name, up)?;
    }
    Ok(())
}

fn set(call: libc::c_ulong, name: &str, value: [u8; 24]) -> io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let mut request = Request { name: [0; 16], value };
    request.name[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: the structure is laid out as the kernel's (`struct ifreq`, 40 bytes) and lives until the call
    // returns, which only reads it.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), call as _, &raw mut request) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
