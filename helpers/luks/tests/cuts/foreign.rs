//! Conversions that cryptsetup began and left in the middle: ours finishes them, through cuts as well.

use std::sync::LazyLock;

use blockdev::simulated::Image;
use blockdev::{Device, Part};
use luks::convert::Conversion;
use luks::{Error, Header, Plain};
use model::{Control, Secret, Silent};

use crate::common::{MIB, PASSWORD, data, unxz};
use crate::life::Life;

/// A state as cryptsetup left it.
struct Left {
    /// The data device, and behind it the header where that is a file of its own.
    image: Image,
    /// Bytes of the data device.
    size: u64,
    detached: bool,
    original: &'static [u8],
}

/// `None`, with a word on why, where the recorded states are not there.
static LEFT: LazyLock<Option<Vec<Left>>> = LazyLock::new(|| {
    let state = |name: &str| data(&format!("luks/reencrypt-states/images/{name}.xz")).map(|path| unxz(&path));
    let original: &'static [u8] = &state("plain.img")?.leak()[..3 * MIB as usize];
    let mut all = Vec::new();
    for name in ["s01-init-only", "s04-torn-secondary-hdr", "s05-hot-committed-no-data", "s13-torn-data-chunk1"] {
        let bytes = state(&format!("{name}.img"))?;
        all.push(Left { size: bytes.len() as u64, image: bytes.into(), detached: false, original });
    }
    for name in ["s06-data-written-uncommitted", "s10-moved-seg-hot-no-data"] {
        let bytes = state(&format!("{name}.img"))?;
        all.push(Left { size: bytes.len() as u64, image: bytes.into(), detached: false, original });
    }
    let mut bytes = state("d-checksum-4096.img")?;
    let size = bytes.len() as u64;
    bytes.extend_from_slice(&state("d-checksum-4096.hdr")?);
    all.push(Left { image: bytes.into(), size, detached: true, original: state("plain4k.img")?.leak() });
    Some(all)
});

/// One of those states, finished.
pub fn left_by_cryptsetup(life: &mut Life) {
    let Some(all) = LEFT.as_ref() else { return };
    let left = &all[life.dice.below(all.len() as u64) as usize];
    let mut image = left.image.clone();
    for round in 0.. {
        let most = [4, 12, 30][life.dice.below(3) as usize];
        let call = (round < 10).then(|| life.up_to(most));
        let end = life.cut("begun by cryptsetup", (&mut image, 512), true, call, |device| left.resume(device));
        if end.is_done() || left.is_finished(&image) {
            break;
        }
    }
    let (data, meta) = left.parts(&image);
    let header = Header::load(&meta).unwrap().header;
    let unlocked = header.unlock(&meta, &Secret::from(PASSWORD)).unwrap();
    let view = Plain::new(&header, &data, &unlocked).unwrap();
    assert!(view.read_vec(0, left.original.len()).unwrap() == left.original, "begun by cryptsetup");
}

impl Left {
    fn parts<'a>(&self, device: &'a dyn Device) -> (Part<'a>, Part<'a>) {
        let data = Part::new(device, 0, self.size).unwrap();
        let at = if self.detached { self.size } else { 0 };
        (data, Part::new(device, at, device.size() - at).unwrap())
    }

    fn resume(&self, device: &dyn Device) -> luks::Result<()> {
        let (data, meta) = self.parts(device);
        let secret = Secret::from(PASSWORD);
        let mut conversion = match self.detached {
            true => Conversion::open_detached(&meta, &data, &secret)?,
            false => Conversion::open(&data, &secret)?,
        };
        conversion.run(&Control::new(), &mut Silent).map(|_| ())
    }

    /// Whether only our own tidying up can be left.
    fn is_finished(&self, image: &Image) -> bool {
        let (data, meta) = self.parts(image);
        let secret = Secret::from(PASSWORD);
        let opened = match self.detached {
            true => Conversion::open_detached(&meta, &data, &secret).map(|_| ()),
            false => Conversion::open(&data, &secret).map(|_| ()),
        };
        matches!(opened, Err(Error::NotConverting))
    }
}
