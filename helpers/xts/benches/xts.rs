//! AES-256-XTS on one thread: each kernel of this processor, `xts-mode` and OpenSSL, in one run.
//!
//! All work through the same buffer, sector by sector, each sector with its own IV. The peers take
//! turns in slices of a millisecond, so that a processor that changes its clock changes it for all of
//! them. A peer's speed is the one that a tenth of its slices reach: in the others, on a busy machine,
//! another program had the processor.
//!
//! OpenSSL is measured twice: with an IV set for each sector, which is what it takes to encrypt
//! sectors, and with one IV for all, which is what `openssl speed` measures. `ratio openssl` is against
//! the faster of the two, `ratio openssl-iv` against the one that does the same as we do.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aes::Aes256;
use aes::cipher::KeyInit;
use xts::{Kernel, Xts};
use xts_mode::{Xts128, get_tweak_default};

/// Small enough for the second-level cache, as a piece of a conversion's queue is.
const BUFFER: usize = 64 * 1024;
const PAGE: usize = 4096;
const SLICE: Duration = Duration::from_millis(1);
const TURNS: usize = 150;
const SECTOR_SIZES: [usize; 2] = [4096, 512];

fn main() {
    println!("AES-256-XTS, one thread, {} KiB in cache, MiB/s", BUFFER / 1024);
    println!("processor: {}, best kernel: {}", processor(), Kernel::best());
    println!("{:<36} {:>9} {:>9} {:>9} {:>9}", "", "4096 enc", "4096 dec", "512 enc", "512 dec");
    let peers = peers();
    let mut columns = Vec::new();
    for sector_size in SECTOR_SIZES {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            columns.push(measure(&peers, sector_size, direction));
        }
    }
    for (i, peer) in peers.iter().enumerate() {
        print!("{:<36}", peer.name);
        for column in &columns {
            print!(" {:>9.0}", column[i]);
        }
        println!();
    }
    let fastest = |column: &[f64], roles: &[Role]| {
        let speeds = peers.iter().zip(column).filter(|(peer, _)| roles.contains(&peer.role)).map(|(_, speed)| *speed);
        speeds.fold(0.0, f64::max)
    };
    for (single, suffix) in [(true, "-single"), (false, "")] {
        for (name, roles) in [
            ("openssl-iv", &[Role::OpenSsl { iv_each_sector: true }][..]),
            ("openssl", &[Role::OpenSsl { iv_each_sector: true }, Role::OpenSsl { iv_each_sector: false }]),
            ("xts-mode", &[Role::XtsMode]),
        ] {
            for (column, case) in columns.iter().zip(["xts-4096", "xts-4096-dec", "xts-512", "xts-512-dec"]) {
                let (ours, theirs) = (fastest(column, &[Role::Best { single }]), fastest(column, roles));
                if theirs > 0.0 {
                    println!("ratio {name} {case}{suffix} {:.2}", ours / theirs);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Encrypt,
    Decrypt,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The kernel that `Xts::new` chooses; `single`: called for each sector, not for the buffer.
    Best {
        single: bool,
    },
    Kernel,
    XtsMode,
    OpenSsl {
        iv_each_sector: bool,
    },
}

struct Peer {
    name: String,
    role: Role,
    pass: Box<dyn Fn(Pass<'_>)>,
}

/// Once through the whole buffer.
struct Pass<'a> {
    buffer: &'a mut [u8],
    sector_size: usize,
    direction: Direction,
}

fn peers() -> Vec<Peer> {
    let key: Vec<u8> = (0..64).map(|i| i * 3 + 1).collect();
    let mut peers = Vec::new();
    for kernel in Kernel::available() {
        let role = if kernel == Kernel::best() { Role::Best { single: false } } else { Role::Kernel };
        peers.push(ours(format!("ours, {kernel}"), role, kernel, &key));
    }
    let name = format!("ours, {}, a call a sector", Kernel::best());
    peers.push(ours(name, Role::Best { single: true }, Kernel::best(), &key));
    peers.push(xts_mode(&key));
    #[cfg(target_os = "linux")]
    peers.extend([openssl(&key, true), openssl(&key, false)]);
    peers
}

#[allow(clippy::unwrap_used, reason = "the key is 64 bytes and the kernel one of the available ones")]
fn ours(name: String, role: Role, kernel: Kernel, key: &[u8]) -> Peer {
    let xts = Xts::with_kernel(key, kernel).unwrap();
    let pass = move |Pass { buffer, sector_size, direction }: Pass<'_>| {
        let piece = if role == (Role::Best { single: true }) { sector_size } else { buffer.len() };
        for (i, piece) in buffer.chunks_exact_mut(piece).enumerate() {
            let iv = (i * sector_size / 512) as u64;
            match direction {
                Direction::Encrypt => xts.encrypt_sectors(piece, iv, sector_size).unwrap(),
                Direction::Decrypt => xts.decrypt_sectors(piece, iv, sector_size).unwrap(),
            }
        }
    };
    Peer { name, role, pass: Box::new(pass) }
}

#[allow(clippy::unwrap_used, reason = "each half of the key is 32 bytes")]
fn xts_mode(key: &[u8]) -> Peer {
    let cipher = |key| Aes256::new_from_slice(key).unwrap();
    let xts = Xts128::new(cipher(&key[..32]), cipher(&key[32..]));
    let pass = move |Pass { buffer, sector_size, direction }: Pass<'_>| match direction {
        Direction::Encrypt => xts.encrypt_area(buffer, sector_size, 0, get_tweak_default),
        Direction::Decrypt => xts.decrypt_area(buffer, sector_size, 0, get_tweak_default),
    };
    Peer { name: "xts-mode".to_owned(), role: Role::XtsMode, pass: Box::new(pass) }
}

#[cfg(target_os = "linux")]
#[allow(clippy::unwrap_used, reason = "key and IV have the lengths of the cipher")]
fn openssl(key: &[u8], iv_each_sector: bool) -> Peer {
    use openssl::cipher::Cipher;
    use openssl::cipher_ctx::CipherCtx;
    use std::cell::RefCell;

    let mut encrypt = CipherCtx::new().unwrap();
    encrypt.encrypt_init(Some(Cipher::aes_256_xts()), Some(key), Some(&[0; 16])).unwrap();
    let mut decrypt = CipherCtx::new().unwrap();
    decrypt.decrypt_init(Some(Cipher::aes_256_xts()), Some(key), Some(&[0; 16])).unwrap();
    let contexts = RefCell::new((encrypt, decrypt));
    let pass = move |Pass { buffer, sector_size, direction }: Pass<'_>| {
        let (encrypt, decrypt) = &mut *contexts.borrow_mut();
        for (i, sector) in buffer.chunks_exact_mut(sector_size).enumerate() {
            let context = match direction {
                Direction::Encrypt => &mut *encrypt,
                Direction::Decrypt => &mut *decrypt,
            };
            if iv_each_sector {
                let iv = u128::from((i * sector_size / 512) as u64).to_le_bytes();
                match direction {
                    Direction::Encrypt => context.encrypt_init(None, None, Some(&iv)).unwrap(),
                    Direction::Decrypt => context.decrypt_init(None, None, Some(&iv)).unwrap(),
                }
            }
            let written = context.cipher_update_inplace(sector, sector_size).unwrap();
            assert_eq!(written, sector_size);
        }
    };
    let version = openssl::version::version().split(' ').take(2).collect::<Vec<_>>().join(" ");
    let name = format!("{version}, {}", if iv_each_sector { "an IV a sector" } else { "one IV" });
    Peer { name, role: Role::OpenSsl { iv_each_sector }, pass: Box::new(pass) }
}

/// MiB/s of each peer.
fn measure(peers: &[Peer], sector_size: usize, direction: Direction) -> Vec<f64> {
    // Direct I/O wants whole pages, so that a conversion's buffers begin with one.
    let mut memory = vec![0x5a; BUFFER + PAGE];
    let offset = memory.as_ptr().align_offset(PAGE);
    let buffer = &mut memory[offset..offset + BUFFER];
    let mut slices = vec![Vec::new(); peers.len()];
    for _ in 0..TURNS {
        for (peer, slices) in peers.iter().zip(&mut slices) {
            // Once unmeasured: caches and clock find their state.
            (peer.pass)(Pass { buffer, sector_size, direction });
            let start = Instant::now();
            let mut passes = 0;
            while start.elapsed() < SLICE {
                (peer.pass)(Pass { buffer: black_box(buffer), sector_size, direction });
                passes += 1;
            }
            slices.push(f64::from(passes) * MIB_A_PASS / start.elapsed().as_secs_f64());
        }
    }
    slices.into_iter().map(reached_by_a_tenth).collect()
}

const MIB_A_PASS: f64 = BUFFER as f64 / 1_048_576.0;

fn reached_by_a_tenth(mut speeds: Vec<f64>) -> f64 {
    speeds.sort_by(f64::total_cmp);
    speeds[speeds.len() * 9 / 10]
}

/// The processor's name and model, where the system tells them.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        line.split(':').nth(1).map(|value| value.trim().to_owned())
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family}, model {model}"),
        _ => std::env::consts::ARCH.to_owned(),
    }
}
