//! The kernel's own ciphers, asked through AF_ALG (the kernel's `Documentation/crypto/userspace-if.rst`),
//! as `cryptsetup benchmark` does it: requests of 64 KiB, in memory. Many kernels are built without it.

use std::io::{self, IoSlice};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use nix::sys::socket::sockopt::AlgSetKey;
use nix::sys::socket::{
    AddressFamily, AlgAddr, ControlMessage, MsgFlags, SockFlag, SockType, accept4, bind, sendmsg, setsockopt, socket,
};

use crate::CipherFigure;

/// What is asked at once.
const REQUEST: usize = 64 * 1024;

/// The table of `cryptsetup benchmark`: cipher, mode, bytes of the IV, bits of the keys.
const CIPHERS: [(&str, &str, usize, [usize; 2]); 6] = [
    ("aes", "cbc", 16, [128, 256]),
    ("serpent", "cbc", 16, [128, 256]),
    ("twofish", "cbc", 16, [128, 256]),
    ("aes", "xts", 16, [256, 512]),
    ("serpent", "xts", 16, [256, 512]),
    ("twofish", "xts", 16, [256, 512]),
];

/// Every line that this kernel has.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] and the like if the kernel cannot be asked at all.
pub(crate) fn table(each: Duration) -> io::Result<Vec<CipherFigure>> {
    socket(AddressFamily::Alg, SockType::SeqPacket, SockFlag::SOCK_CLOEXEC, None)?;
    let lines = CIPHERS.iter().flat_map(|(cipher, mode, iv, keys)| keys.map(|bits| (cipher, mode, *iv, bits)));
    Ok(lines
        .filter_map(|(cipher, mode, iv, bits)| {
            let asked = Asked::new(&format!("{mode}({cipher})"), bits / 8, iv).ok()?;
            Some(CipherFigure {
                cipher: format!("{cipher}-{mode}"),
                key_bits: u32::try_from(bits).ok()?,
                sector_size: u32::try_from(REQUEST).ok()?,
                kernel: "linux".to_owned(),
                encrypt: asked.rate(libc::ALG_OP_ENCRYPT, each / 2).ok()?,
                decrypt: asked.rate(libc::ALG_OP_DECRYPT, each / 2).ok()?,
            })
        })
        .collect())
}

/// One cipher with its key.
struct Asked {
    /// Where requests go.
    operations: OwnedFd,
    /// The algorithm lives as long as this.
    _algorithm: OwnedFd,
    iv: Vec<u8>,
}

impl Asked {
    fn new(name: &str, key: usize, iv: usize) -> io::Result<Self> {
        let algorithm = socket(AddressFamily::Alg, SockType::SeqPacket, SockFlag::SOCK_CLOEXEC, None)?;
        bind(algorithm.as_raw_fd(), &AlgAddr::new("skcipher", name))?;
        // Both halves of an XTS key must differ where the kernel wants to be strict (FIPS).
        let key: Vec<u8> = (0..key).map(|_| fastrand::u8(..)).collect();
        setsockopt(&algorithm, AlgSetKey::default(), &key)?;
        let operations = own(accept4(algorithm.as_raw_fd(), SockFlag::SOCK_CLOEXEC)?);
        Ok(Self { operations, _algorithm: algorithm, iv: vec![0; iv] })
    }

    /// Bytes a second.
    fn rate(&self, operation: libc::c_int, time: Duration) -> io::Result<f64> {
        let mut area = vec![0x5a; REQUEST];
        let began = Instant::now();
        let mut passes = 0.0;
        loop {
            let control = [ControlMessage::AlgSetIv(&self.iv), ControlMessage::AlgSetOp(&operation)];
            let sent =
                sendmsg::<()>(self.operations.as_raw_fd(), &[IoSlice::new(&area)], &control, MsgFlags::empty(), None)?;
            let read = nix::unistd::read(&self.operations, &mut area)?;
            if sent != REQUEST || read != REQUEST {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            passes += 1.0;
            let spent = began.elapsed();
            if spent >= time {
                return Ok(passes * REQUEST as f64 / spent.as_secs_f64());
            }
        }
    }
}

#[allow(unsafe_code)]
fn own(fd: RawFd) -> OwnedFd {
    // SAFETY: the number has just come from `accept4`, and nobody else knows it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_answers_or_says_that_it_cannot() {
        match table(Duration::from_millis(20)) {
            Ok(lines) => {
                assert!(lines.iter().any(|line| line.cipher == "aes-xts" && line.key_bits == 512), "{lines:?}");
                assert!(lines.iter().all(|line| line.encrypt > 1e6 && line.decrypt > 1e6));
            }
            Err(error) => println!("left out: this kernel has no AF_ALG ({error})"),
        }
    }
}
