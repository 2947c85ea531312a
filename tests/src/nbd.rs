//! A block device for the emulator, over the network protocol that it speaks (NBD, `doc/proto.md` of the
//! project): what the firmware reads is what the device shows at that moment.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use blockdev::Device;

const OPTION: u64 = 0x4948_4156_454f_5054; // IHAVEOPT
const OPTION_REPLY: u64 = 0x0003_e889_0455_65a9;
const REQUEST: u32 = 0x2560_9513;
const REPLY: u32 = 0x6744_6698;
/// `NBD_FLAG_HAS_FLAGS`, `NBD_FLAG_SEND_FLUSH`.
const FLAGS: u16 = 1 | 4;
/// No request is larger.
const LARGEST: u32 = 32 << 20;
const EIO: u32 = 5;

/// Serves a device to whoever connects, until the program ends. Returns what the emulator calls it.
///
/// # Errors
/// There is no port on this computer for it.
pub fn serve(device: Arc<dyn Device>) -> io::Result<PathBuf> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let device = Arc::clone(&device);
            thread::spawn(move || {
                // It ends when the emulator does.
                let _ = greet(&stream, device.size()).and_then(|()| answer(&stream, &*device));
            });
        }
    });
    Ok(format!("nbd:127.0.0.1:{port}").into())
}

fn number<const N: usize>(mut stream: &TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The newstyle negotiation, of which the emulator needs the size and the flags.
fn greet(mut stream: &TcpStream, size: u64) -> io::Result<()> {
    stream.set_nodelay(true)?;
    // Fixed newstyle, and no zeros behind the flags.
    stream.write_all(&[&b"NBDMAGICIHAVEOPT"[..], &3_u16.to_be_bytes()].concat())?;
    number::<4>(stream)?;
    loop {
        if u64::from_be_bytes(number(stream)?) != OPTION {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let option = u32::from_be_bytes(number(stream)?);
        let length = u32::from_be_bytes(number(stream)?);
        io::copy(&mut stream.take(u64::from(length)), &mut io::sink())?;
        let mut reply = |kind: u32, data: &[u8]| {
            let length = u32::try_from(data.len()).unwrap_or(0).to_be_bytes();
            let head = [&OPTION_REPLY.to_be_bytes()[..], &option.to_be_bytes(), &kind.to_be_bytes(), &length];
            stream.write_all(&[&head.concat()[..], data].concat())
        };
        let export = [&size.to_be_bytes()[..], &FLAGS.to_be_bytes()].concat();
        match option {
            // NBD_OPT_EXPORT_NAME
            1 => return stream.write_all(&export),
            // NBD_OPT_INFO, NBD_OPT_GO: NBD_REP_INFO with NBD_INFO_EXPORT, then NBD_REP_ACK.
            6 | 7 => {
                reply(3, &[&0_u16.to_be_bytes()[..], &export].concat())?;
                reply(1, &[])?;
                if option == 7 {
                    return Ok(());
                }
            }
            // NBD_OPT_ABORT
            2 => {
                reply(1, &[])?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            // NBD_REP_ERR_UNSUP
            _ => reply(1 << 31 | 1, &[])?,
        }
    }
}

fn answer(mut stream: &TcpStream, device: &dyn Device) -> io::Result<()> {
    loop {
        let head: [u8; 28] = number(stream)?;
        let kind = u16::from_be_bytes([head[6], head[7]]);
        let offset = u64::from_be_bytes(std::array::from_fn(|at| head[16 + at]));
        let length = u32::from_be_bytes(std::array::from_fn(|at| head[24 + at]));
        if u32::from_be_bytes(std::array::from_fn(|at| head[at])) != REQUEST || length > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut data = vec![0; usize::try_from(length).unwrap_or(0)];
        let done = match kind {
            0 => device.read_at(offset, &mut data),
            1 => {
                stream.read_exact(&mut data)?;
                device.write_at(offset, &data)
            }
            2 => return Ok(()),
            3 => device.flush(),
            _ => Err(blockdev::Error::FixedSize),
        };
        let error = if done.is_ok() { 0 } else { EIO };
        let mut reply = [&REPLY.to_be_bytes()[..], &error.to_be_bytes(), &head[8..16]].concat();
        if kind == 0 && error == 0 {
            reply.append(&mut data);
        }
        stream.write_all(&reply)?;
    }
}
