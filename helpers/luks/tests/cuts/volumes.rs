//! The volumes that are cut: small ones of several shapes, made once.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use blockdev::simulated::{Dice, Image, Simulated};
use blockdev::{Allocation, Device, Memory};
use luks::convert::{self, Conversion, Encryption, Outcome, Space};
use luks::{Error, FormatOptions, Header, Unlocked};
use model::{Control, Secret, Silent};

use crate::common::{MIB, PASSWORD, options, pattern, staged};
use crate::life::Life;

/// Everything about a volume that all its lives share.
pub struct Volume {
    /// What its owner had on it.
    pub original: Vec<u8>,
    /// The device before anything happened: the file as it was, the partition with its free room.
    pub before: Image,
    /// A partition, whose size stays; otherwise a file.
    pub fixed: bool,
    /// Bytes that a cut does not tear.
    pub tear: u32,
    /// The header to be, with its keyslots.
    pub header: Memory,
    pub unlocked: Unlocked,
    /// Whether all of it is encrypted, and which parts hold nothing.
    pub space: Space,
    free: Vec<Range<u64>>,
    /// The first bytes of each sector in use: none of them may be left.
    sectors: HashSet<[u8; 16]>,
    /// Writes, flushes and resizes that beginning takes, and that encrypting takes in all.
    pub begin_calls: u64,
    pub run_calls: u64,
    /// Encryption begun, nothing encrypted yet.
    pub begun: Image,
    /// All encrypted.
    pub encrypted: Image,
}

/// Data bytes, encryption sector, tear, fixed size, space.
const SHAPES: [(u64, u32, u32, bool, Space); 8] = [
    (2 * MIB, 512, 512, false, Space::All),
    (2 * MIB + 512, 512, 512, false, Space::All),
    (3 * MIB + 4096, 4096, 512, false, Space::All),
    (2 * MIB + 8192, 4096, 4096, true, Space::All),
    (4 * MIB, 512, 512, true, Space::All),
    (2 * MIB + 1536, 512, 512, true, Space::All),
    (5 * MIB, 4096, 512, false, Space::Used),
    (4 * MIB + 4096, 4096, 512, true, Space::UsedAndOverwrite),
];

static VOLUMES: LazyLock<Vec<Volume>> = LazyLock::new(|| SHAPES.into_iter().map(Volume::make).collect());

impl Volume {
    /// One of them.
    pub fn any(life: &mut Life) -> &'static Self {
        &VOLUMES[life.dice.below(VOLUMES.len() as u64) as usize]
    }

    fn make((size, sector, tear, fixed, space): (u64, u32, u32, bool, Space)) -> Self {
        let free = if space == Space::All { Vec::new() } else { free(size) };
        let original = pattern(size, size);
        let mut before = Image::from(original.as_slice());
        if fixed {
            before.set_len((size + 2 * MIB) as usize);
        }
        // The shorter key opens in half the time.
        let key_bits = if sector == 512 { 256 } else { 512 };
        let (header, unlocked) = staged(&FormatOptions { key_bits, ..options(sector) });
        let nothing = || Image::from(Vec::new());
        let (begin_calls, run_calls, begun, encrypted) = (0, 0, nothing(), nothing());
        let used = |at: usize| !free.iter().any(|free| free.contains(&(at as u64 * 512)));
        let sectors = original.chunks(512).enumerate().filter(|(at, _)| used(*at));
        let sectors = sectors.map(|(_, sector)| sector[..16].try_into().unwrap()).collect();
        let mut volume = Self {
            original,
            before,
            fixed,
            tear,
            header,
            unlocked,
            space,
            free,
            sectors,
            begin_calls,
            run_calls,
            begun,
            encrypted,
        };
        let device = Simulated::new(volume.before.clone(), tear);
        volume.begin(&device).unwrap();
        (volume.begin_calls, volume.begun) = (device.calls(), device.snapshot());
        volume.resume(&device).unwrap();
        (volume.run_calls, volume.encrypted) = (device.calls() - volume.begin_calls, device.snapshot());
        volume
    }

    /// Bytes of data.
    pub fn size(&self) -> u64 {
        self.original.len() as u64
    }

    /// What beginning means: room is made, where it is a file, and the header is put in place.
    pub fn begin(&self, device: &dyn Device) -> luks::Result<()> {
        let wanted = self.size() + 2 * MIB;
        if device.size() < wanted {
            device.resize(wanted)?;
            device.flush()?;
        }
        let what = Encryption {
            used: self.size(),
            original_size: self.before.len() as u64,
            grown: !self.fixed,
            space: self.space,
        };
        convert::begin_encrypt(device, &self.header, &self.unlocked, &what)
    }

    /// Goes on with whatever is under way, to its end.
    pub fn resume(&self, device: &dyn Device) -> luks::Result<()> {
        let mut conversion = Conversion::open(device, &Secret::from(PASSWORD))?;
        conversion.leave_out(self);
        assert_eq!(conversion.run(&Control::new(), &mut Silent)?, Outcome::Finished);
        Ok(())
    }

    /// Its data through whatever segments there are.
    pub fn plain(&self, device: &dyn Device) -> Vec<u8> {
        let header = convert::locate(device).unwrap().header().clone();
        let view = luks::Plain::new(&header, device, &self.unlocked).unwrap();
        self.used(view.read_vec(0, self.original.len()).unwrap())
    }

    /// Its data, whether they are encrypted or not.
    pub fn contents(&self, device: &dyn Device) -> Vec<u8> {
        match convert::locate(device) {
            Ok(_) => self.plain(device),
            Err(Error::NotLuks) => self.used(device.read_vec(0, self.original.len()).unwrap()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether nothing is at this byte.
    pub fn is_free(&self, at: u64) -> bool {
        self.free.iter().any(|free| free.contains(&at))
    }

    /// What is free may be anything: here it is what it was.
    fn used(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        for free in &self.free {
            let free = free.start as usize..free.end as usize;
            bytes[free.clone()].copy_from_slice(&self.original[free]);
        }
        bytes
    }

    /// Nothing of what is used lies anywhere in plain text.
    pub fn assert_no_plain_text(&self, image: &Image) {
        for (at, sector) in image.to_vec().chunks_exact(512).enumerate() {
            assert!(!self.sectors.contains(&sector[..16]), "plain text at {}", at * 512);
        }
    }

    /// The whole device is again what it was: the same bytes; of a partition, the data alone. A cut at
    /// the end may leave a file its longer length.
    pub fn assert_original(&self, image: &Image, what: &str) {
        let same = image.begins_with(&self.original)
            || self.used(image.read_vec(0, self.original.len()).unwrap()) == self.original;
        assert!(same, "{what}: data differ");
        assert!(image.len() >= self.before.len(), "{what}: {} bytes", image.len());
    }
}

impl Allocation for Volume {
    fn free_within(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let cut = |free: &Range<u64>| free.start.max(range.start)..free.end.min(range.end);
        self.free.iter().map(cut).filter(|free| free.start < free.end).collect()
    }
}

/// About half of it, in stretches of 4 KiB to 400 KiB; some are at the same place of two chunks.
fn free(size: u64) -> Vec<Range<u64>> {
    let mut dice = Dice::new(size);
    let mut free = Vec::new();
    let mut at = 0;
    while at < size {
        at += 4096 * (1 + dice.below(80));
        let end = (at + 4096 * (1 + dice.below(100))).min(size);
        if at < end {
            free.push(at..end);
        }
        at = end;
    }
    free
}

/// Begins to decrypt.
pub fn begin_back(device: &dyn Device, used: u64) -> luks::Result<()> {
    let header = Header::load(device)?.header;
    let unlocked = header.unlock(device, &Secret::from(PASSWORD))?;
    convert::begin_decrypt(device, &header, &unlocked, &convert::Decryption { used })
}
