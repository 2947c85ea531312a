//! Beginning, giving up, encrypting and decrypting.

use blockdev::Device;
use blockdev::simulated::Image;
use luks::convert::{self, Conversion, Outcome, Place};
use luks::{Error, Header};
use model::{Control, Secret, Silent};

use crate::common::{PASSWORD, RECOVERY};
use crate::life::{End, Life};
use crate::volumes::{Volume, begin_back};

/// A whole life: plain, encrypted, plain again.
pub fn there_and_back(life: &mut Life) {
    let volume = Volume::any(life);
    let mut image = volume.before.clone();
    begin(life, volume, &mut image);
    to_the_end(life, volume, "encryption", &mut image);
    assert_encrypted(volume, &image);

    let most = if volume.fixed { 14 } else { 16 };
    for round in 0.. {
        let call = (round < 3).then(|| life.up_to(most));
        let end = life.cut("decryption's start", (&mut image, volume.tear), volume.fixed, call, |device| {
            begin_back(device, volume.size())
        });
        if end.is_done() || matches!(convert::locate(&image), Ok(Place::Back { .. })) {
            break;
        }
        assert!(volume.plain(&image) == volume.original, "touched before the header was safe");
    }
    to_the_end(life, volume, "decryption", &mut image);
    volume.assert_original(&image, "decrypted");
    assert!(matches!(convert::locate(&image), Err(Error::NotLuks)));
}

/// Begun, and nothing more: the moments in which the front is neither plain nor behind a whole header.
pub fn begun(life: &mut Life) {
    let volume = Volume::any(life);
    for _ in 0..4 {
        let mut image = volume.before.clone();
        begin(life, volume, &mut image);
        // Going on puts the header in place again: cut there, several times.
        let mut mended = false;
        for round in 0..5 {
            let most = if round < 3 { 5 } else { 9 };
            let call = life.up_to(most);
            let end = life.cut("start, resumed", (&mut image, volume.tear), volume.fixed, Some(call), |device| {
                volume.resume(device)
            });
            if end.is_done() || is_finished(&image) {
                return assert_encrypted(volume, &image);
            }
            mended |= matches!(convert::locate(&image), Ok(Place::Front(_)));
        }
        assert!(mended || matches!(convert::locate(&image), Ok(Place::Starting { .. })));
        let end = life.cut("", (&mut image, volume.tear), volume.fixed, None, |device| volume.resume(device));
        assert!(end.is_done());
        assert_encrypted(volume, &image);
    }
}

/// Begun, perhaps cut, and given up.
pub fn begun_and_undone(life: &mut Life) {
    let volume = Volume::any(life);
    for _ in 0..8 {
        let mut image = volume.before.clone();
        begin(life, volume, &mut image);
        if life.dice.below(3) == 0 {
            let call = life.up_to(4);
            let end = life.cut("start, resumed", (&mut image, volume.tear), volume.fixed, Some(call), |device| {
                volume.resume(device)
            });
            if end.is_done() || is_finished(&image) {
                return assert_encrypted(volume, &image);
            }
        }
        undo(life, volume, &mut image);
    }
}

/// Until it is given up, or has gone too far for that.
fn undo(life: &mut Life, volume: &Volume, image: &mut Image) {
    for round in 0.. {
        let call = (round < 4).then(|| life.up_to(8));
        let mut refused = false;
        let end = life.cut("undo", (image, volume.tear), volume.fixed, call, |device| match convert::undo(device) {
            Err(Error::Converting | Error::NotConverting) => {
                refused = true;
                Ok(device.size())
            }
            other => other,
        });
        if refused {
            // A chunk was announced already: then it goes on to the end.
            assert!(
                is_finished(image)
                    || life.cut("", (image, volume.tear), volume.fixed, None, |device| volume.resume(device)).is_done()
            );
            return assert_encrypted(volume, image);
        }
        if matches!(convert::locate(image), Err(Error::NotLuks)) {
            volume.assert_original(image, "undone");
            if let End::Done(size) = end {
                assert_eq!(size as usize, image.len());
                assert_eq!(image.len(), volume.before.len(), "undone");
            }
            return;
        }
        assert!(!end.is_done(), "undone, and something is there still");
    }
}

/// Begins, with cuts, until the conversion is entered or at least certain to be.
fn begin(life: &mut Life, volume: &Volume, image: &mut Image) {
    for round in 0.. {
        let call = (round < 3).then(|| life.up_to(volume.begin_calls + 2));
        let end = life.cut("initialisation", (image, volume.tear), volume.fixed, call, |device| volume.begin(device));
        match convert::locate(&*image) {
            // Cut before anything happened to the front.
            Err(Error::NotLuks) => {
                assert!(!end.is_done());
                assert!(image.begins_with(&volume.original), "touched before the point of no return");
            }
            Ok(Place::Starting { .. } | Place::Front(_)) => return,
            other => panic!("{other:?}"),
        }
    }
}

/// Goes on until nothing is under way any more, with cuts and stops on the way.
fn to_the_end(life: &mut Life, volume: &Volume, what: &'static str, image: &mut Image) {
    for round in 0..60 {
        let call = (round < 12).then(|| {
            let most = [4, 12, volume.run_calls][life.dice.below(3) as usize];
            life.up_to(most)
        });
        let stop = (life.dice.below(6) == 0).then(|| life.up_to(volume.run_calls));
        let was_hot = hot(image);
        let mapped = life.dice.below(4) > 0;
        let secret = Secret::from(if life.dice.below(4) == 0 { RECOVERY } else { PASSWORD });
        let end = life.cut(what, (image, volume.tear), volume.fixed, call, |device| {
            let control = Control::new();
            let device = Stopping::new(device, stop, &control);
            let mut conversion = Conversion::open(&device, &secret)?;
            // Without the map everything is encrypted.
            if mapped {
                conversion.leave_out(volume);
            }
            conversion.run(&control, &mut Silent)
        });
        let place = match convert::locate(&*image) {
            Ok(place) => place,
            // Decryption came to its end and the cut took only the tidying up.
            Err(Error::NotLuks) => return,
            Err(error) => panic!("{what}: {error}"),
        };
        let Some(state) = convert::state(&place, image.size()) else { return };
        match end {
            End::Done(Outcome::Finished) => panic!("{what}: finished, and {state:?}"),
            // Every stop is in a state that opens as it is; but one that came before anything was done may
            // leave a chunk that was cut off earlier.
            End::Done(Outcome::Stopped) if state.cut_off => {
                assert!(was_hot == hot(image) && was_hot.is_some(), "{what}: stopped in {state:?}");
            }
            End::Done(Outcome::Stopped) => assert!(volume.plain(image) == volume.original, "{what}: stopped"),
            End::Cut => {}
        }
    }
    panic!("{what}: never comes to an end");
}

/// Whether nothing is under way any more.
fn is_finished(image: &Image) -> bool {
    convert::state(&convert::locate(image).unwrap(), image.size()).is_none()
}

/// How far it is, if a chunk was cut off.
fn hot(image: &Image) -> Option<u64> {
    let place = convert::locate(image).ok()?;
    convert::state(&place, image.size()).filter(|state| state.cut_off).map(|state| state.done)
}

fn assert_encrypted(volume: &Volume, image: &Image) {
    assert!(volume.plain(image) == volume.original, "encrypted");
    let header = Header::load(image).unwrap().header;
    for secret in [PASSWORD, RECOVERY] {
        let unlocked = header.unlock(image, &Secret::from(secret)).unwrap();
        assert!(unlocked.volume_key == volume.unlocked.volume_key);
    }
    volume.assert_no_plain_text(image);
}

/// A device during whose use somebody says stop.
struct Stopping<'a> {
    device: &'a dyn Device,
    left: std::sync::atomic::AtomicU64,
    control: &'a Control,
}

impl<'a> Stopping<'a> {
    fn new(device: &'a dyn Device, call: Option<u64>, control: &'a Control) -> Self {
        Self { device, left: call.unwrap_or(u64::MAX).into(), control }
    }

    fn tick(&self) {
        if self.left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            self.control.stop();
        }
    }
}

impl Device for Stopping<'_> {
    fn size(&self) -> u64 {
        self.device.size()
    }
    fn logical_sector(&self) -> u32 {
        self.device.logical_sector()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        self.device.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        self.tick();
        self.device.write_at(offset, data)
    }
    fn flush(&self) -> blockdev::Result<()> {
        self.tick();
        self.device.flush()
    }
    fn resize(&self, size: u64) -> blockdev::Result<()> {
        self.tick();
        self.device.resize(size)
    }
    fn resizable(&self) -> bool {
        self.device.resizable()
    }
    fn is_memory(&self) -> bool {
        self.device.is_memory()
    }
    fn discard(&self, offset: u64, length: u64) -> blockdev::Result<bool> {
        self.device.discard(offset, length)
    }
}
