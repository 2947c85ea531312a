//! The conversion itself, from any state to the end.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use blockdev::{Allocation, Buffer, Device, Part};
use model::{Control, Meter, Secret, Signal, Sink, StepId, Unit};
use xts::Xts;

use super::geometry::{Chunk, Geometry, Mode, Position, Resilience};
use super::reading::{BUFFERS, Reader};
use super::space::Space;
use super::writing::Writing;
use super::{Place, STEP, decrypt, encrypt, locate};
use crate::header::{Damage, Header};
use crate::keyslot::{self, Unlocked};
use crate::plain::Plain;
use crate::{Error, Result, plain};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is converted, and the device holds nothing of the conversion any more.
    Finished,
    /// Asked to stop; it resumes.
    Stopped,
}

/// Makes a conversion give way to others on the same disk.
pub trait Pace: Sync {
    /// For how long nothing should be written, now that so many bytes more have been.
    fn rest(&self, bytes: u64) -> Duration;
}

/// A conversion that has been begun, by this program or by cryptsetup.
pub struct Conversion<'a> {
    pub(super) data: &'a dyn Device,
    pub(super) meta: Meta<'a>,
    pub(super) header: Header,
    damage: Option<Damage>,
    /// `None` only when all is converted and the keyslots may be gone already.
    unlocked: Option<Unlocked>,
    /// Where the header lies when it was put aside at the end of the device.
    pub(super) aside: Option<u64>,
    allocation: Option<&'a dyn Allocation>,
    pub(super) pace: Option<&'a dyn Pace>,
    pub(super) give_up: bool,
    pub(super) lost: Vec<Range<u64>>,
    /// A run ended, and not because it was stopped.
    spent: bool,
}

/// What holds the header.
pub(super) enum Meta<'a> {
    /// The front of the device itself.
    Front,
    /// The last bytes of the device.
    Back(Part<'a>),
    /// A file of its own (`cryptsetup --header`).
    Detached(&'a dyn Device),
}

impl<'a> Conversion<'a> {
    /// Takes up a conversion: finds its header, wherever it is, opens it with the password, and checks
    /// that its metadata belong to the volume key. Mends what a cut in the first moments left.
    ///
    /// # Errors
    /// [`Error::NotConverting`], [`Error::WrongSecret`], [`Error::ConversionForged`],
    /// [`Error::ConversionUnprotected`], [`Error::ConversionForeign`].
    pub fn open(data: &'a dyn Device, secret: &Secret) -> Result<Self> {
        match locate(data)? {
            Place::Front(loaded) => {
                let header = loaded.header;
                header.metadata.known_requirements()?;
                let mut this = Self::new(data, Meta::Front, header, loaded.damage);
                if super::parked(&this.header, data.size()).is_some() {
                    return Ok(this);
                }
                let (geometry, position) = Geometry::read(&this.header, data.size())?;
                // Nothing is encrypted yet: the first moments may have been cut off.
                let started = geometry.mode == Mode::Encrypt && position.hot.is_none() && position.at == geometry.total;
                let aside = if started { encrypt::aside(data, &this.header)? } else { None };
                let shift = this.header.data_offset();
                let offset = data.size().saturating_sub(2 * shift);
                // Its keyslots are whole; those at the front may be torn.
                this.unlocked = Some(match &aside {
                    Some(aside) => aside.header.unlock(&plain::part(data, offset, shift)?, secret)?,
                    None => this.header.unlock(data, secret)?,
                });
                let this = this.checked()?;
                // Nothing is written before the password has opened it and the metadata are its own.
                if let Some(aside) = aside {
                    encrypt::place_again(data, offset, &aside)?;
                }
                Ok(this)
            }
            Place::Starting { loaded, offset } => {
                let part = plain::part(data, offset, loaded.header.data_offset())?;
                let mut this = Self::new(data, Meta::Front, loaded.header.clone(), None);
                this.unlocked = Some(this.header.unlock(&part, secret)?);
                let this = this.checked()?;
                encrypt::place_again(data, offset, &loaded)?;
                Ok(this)
            }
            Place::Back { loaded, offset } => {
                let part = plain::part(data, offset, data.size() - offset)?;
                let mut header = loaded.header;
                let mut damage = loaded.damage;
                let finished = header.metadata.segments.values().all(|segment| !segment.is_crypt());
                let mut unlocked = None;
                // Finished, and cut off before it was cleared away: the keyslots may be gone.
                if !finished {
                    let opened = header.unlock(&part, secret)?;
                    if header.metadata.reencrypt_keyslot().is_none() {
                        decrypt::enter(data, &part, &mut header, &opened)?;
                        damage = None;
                    }
                    unlocked = Some(opened);
                }
                let mut this = Self::new(data, Meta::Back(part), header, damage);
                this.unlocked = unlocked;
                this.aside = Some(offset);
                if finished { Ok(this) } else { this.checked() }
            }
        }
    }

    /// Takes up a conversion whose header lies in a file of its own, as `cryptsetup --header` makes it.
    ///
    /// # Errors
    /// As [`Conversion::open`].
    pub fn open_detached(meta: &'a dyn Device, data: &'a dyn Device, secret: &Secret) -> Result<Self> {
        let loaded = Header::load(meta)?;
        loaded.header.metadata.known_requirements()?;
        let unlocked = loaded.header.unlock(meta, secret)?;
        let mut this = Self::new(data, Meta::Detached(meta), loaded.header, loaded.damage);
        this.unlocked = Some(unlocked);
        this.checked()
    }

    fn new(data: &'a dyn Device, meta: Meta<'a>, header: Header, damage: Option<Damage>) -> Self {
        Self {
            data,
            meta,
            header,
            damage,
            unlocked: None,
            aside: None,
            allocation: None,
            pace: None,
            give_up: false,
            lost: Vec::new(),
            spent: false,
        }
    }

    fn checked(self) -> Result<Self> {
        Geometry::read(&self.header, self.data.size())?;
        self.header.verify_conversion(self.key()?)?;
        Ok(self)
    }

    /// Which way it goes.
    pub fn mode(&self) -> Mode {
        Geometry::read(&self.header, self.data.size()).map_or(Mode::Decrypt, |(geometry, _)| geometry.mode)
    }

    /// The volume's header as it stands.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What the person chose to have encrypted when it was begun.
    pub fn space(&self) -> Space {
        self.unlocked.as_ref().map_or(Space::All, |unlocked| Space::read(&self.header, unlocked))
    }

    /// Leaves out what is free, as far as [`Conversion::space`] says so. The map must be of the data as
    /// [`Conversion::plain`] shows them, and nobody may write to them meanwhile.
    pub fn leave_out(&mut self, allocation: &'a dyn Allocation) {
        self.allocation = Some(allocation);
    }

    /// Makes it give way to others.
    pub fn give_way(&mut self, pace: &'a dyn Pace) {
        self.pace = Some(pace);
    }

    /// Whether sectors that cannot be read are given up: zeros take their place. Otherwise they end the run
    /// with [`Error::Unreadable`].
    pub fn give_up_unreadable(&mut self, give_up: bool) {
        self.give_up = give_up;
    }

    /// What could not be read and was given up in this run: bytes of the device as they were before.
    pub fn unreadable(&self) -> &[Range<u64>] {
        &self.lost
    }

    /// The data as they were before, wherever their pieces lie at the moment; to be read only.
    ///
    /// # Errors
    /// [`Error::Converting`] in the middle of a chunk that is converted in its own place.
    pub fn plain(&self) -> Result<Plain<'a>> {
        let unlocked = self.key()?;
        let (geometry, position) = Geometry::read(&self.header, self.data.size())?;
        let mut header = self.header.clone();
        // The source of a chunk is whole until the next one is begun: as if this one had not been.
        let untouched = position.hot.as_ref().is_some_and(|hot| geometry.mode == Mode::Encrypt || !hot.moved);
        if geometry.resilience == Resilience::Shift && untouched {
            header.advance(unlocked.digest, geometry.settled(position.at));
        }
        Plain::new(&header, self.data, unlocked)
    }

    /// Goes on to the end, or until `control` says stop; then the state on the device is one that
    /// cryptsetup goes on with as well. A pause waits in such a state.
    ///
    /// # Errors
    /// Errors of the device, [`Error::Unreadable`], [`Error::LostWrites`]. The state on it resumes, by opening it
    /// again: another run after an error, or after the end, is [`Error::OpenAgain`].
    pub fn run(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Outcome> {
        if self.spent {
            return Err(Error::OpenAgain);
        }
        let done = self.run_once(control, sink);
        self.spent = !matches!(done, Ok(Outcome::Stopped));
        done
    }

    fn run_once(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Outcome> {
        if let Some(damage) = self.damage.take() {
            let header = self.header.clone();
            header.repair(self.meta(), damage)?;
            self.header.only_primary = false;
        }
        if self.header.metadata.reencrypt_keyslot().is_none() {
            self.clear_away()?;
            return Ok(Outcome::Finished);
        }
        let (geometry, position) = Geometry::read(&self.header, self.data.size())?;
        let step = if geometry.mode == Mode::Encrypt { StepId::Encrypt } else { StepId::Decrypt };
        let mut meter = Meter::new(sink, step, geometry.total, Unit::Bytes);
        meter.at(geometry.done(&position));
        match geometry.resilience {
            Resilience::Shift => self.run_shift(&geometry, position, control, &mut meter),
            Resilience::Checksum | Resilience::Journal => self.run_in_place(&geometry, position, control, &mut meter),
        }
    }

    pub(super) fn meta(&self) -> &dyn Device {
        match &self.meta {
            Meta::Front => self.data,
            Meta::Back(part) => part,
            Meta::Detached(device) => *device,
        }
    }

    /// Everything written so far, on both devices where they are two.
    pub(super) fn flush(&self) -> Result<()> {
        self.data.flush()?;
        if let Meta::Detached(device) = &self.meta {
            device.flush()?;
        }
        Ok(())
    }

    pub(super) fn key(&self) -> Result<&Unlocked> {
        self.unlocked.as_ref().ok_or(Error::WrongSecret)
    }

    pub(super) fn cipher(&self) -> Result<Xts> {
        keyslot::cipher(self.key()?.volume_key.expose())
    }

    fn run_shift(
        &mut self,
        geometry: &Geometry,
        position: Position,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome> {
        let mut at = position.at;
        let moved_is_hot = position.hot.as_ref().is_some_and(|chunk| chunk.moved);
        if let Some(hot) = position.hot.as_ref().filter(|hot| !hot.moved && !self.give_up) {
            self.verify_cut_off(geometry, position.at, hot)?;
        }
        if !moved_is_hot {
            let mut writing = Writing::from(at, position.hot.is_some());
            let done = self.run_chunks(geometry, position.hot, &mut writing, control, meter);
            // Also after an error: the source of the chunk that was begun is whole, so the state before it is
            // true, and opens without a repair. Where the device fails, the state on it resumes all the same.
            let settled = if writing.unsettled { self.settle(geometry, writing.at) } else { Ok(()) };
            done?;
            settled?;
            at = writing.at;
            if writing.stopped {
                return Ok(Outcome::Stopped);
            }
        }
        if geometry.mode == Mode::Encrypt {
            self.discard_free(geometry)?;
        }
        // The piece that was moved first; a cryptsetup that crashed after it has left nothing to do.
        if geometry.mode == Mode::Decrypt || at > 0 {
            let chunk = geometry.next(at, STEP).filter(|chunk| chunk.moved).ok_or(Error::NotConverting)?;
            match geometry.mode {
                Mode::Encrypt => self.encrypt_moved(geometry, at, &chunk)?,
                _ => self.decrypt_moved(geometry, at, &chunk, moved_is_hot)?,
            }
        }
        self.finish(geometry)?;
        meter.at(geometry.total);
        Ok(Outcome::Finished)
    }

    /// All chunks but the one that was moved first.
    fn run_chunks(
        &mut self,
        geometry: &Geometry,
        hot: Option<Chunk>,
        writing: &mut Writing,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<()> {
        let cipher = self.cipher()?;
        let quit = AtomicBool::new(false);
        let reader = Reader {
            data: self.data,
            geometry,
            cipher: &cipher,
            space: self.space(),
            allocation: self.allocation,
            give_up: self.give_up,
            control,
            quit: &quit,
        };
        std::thread::scope(|scope| {
            let (back, free) = mpsc::sync_channel(BUFFERS);
            let (sender, receiver) = mpsc::sync_channel(1);
            for _ in 0..BUFFERS {
                let _ = back.send(Buffer::default());
            }
            let at = writing.at;
            let reader = &reader;
            scope.spawn(move || reader.run(at, hot, &free, &sender));
            let _leave = Leave(&quit);
            for item in receiver {
                let mut ready = item?;
                self.lost.extend(ready.lost.iter().cloned());
                if !ready.pieces.is_empty() {
                    while !self.write(geometry, writing, &mut ready, reader, &back)? {
                        if !self.wait(geometry, writing, control, meter)? {
                            writing.stopped = true;
                            return Ok(());
                        }
                    }
                }
                writing.at = geometry.after(writing.at, &ready.chunk);
                // Where all of a chunk is free, the header will say so with the next one.
                writing.unsettled = true;
                meter.at(geometry.done(&Position { at: writing.at, hot: None }));
            }
            // The reader left early when it was asked to.
            writing.stopped = geometry.next(writing.at, STEP).is_some_and(|chunk| !chunk.moved);
            Ok(())
        })
    }

    /// Writes the state between two chunks, which cryptsetup resumes without a repair.
    fn settle(&mut self, geometry: &Geometry, at: u64) -> Result<()> {
        let digest = self.key()?.digest;
        self.header.advance(digest, geometry.settled(at));
        self.store()
    }

    /// Says in the header that `chunk` is being converted.
    pub(super) fn announce(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk) -> Result<()> {
        let digest = self.key()?.digest;
        encrypt::leave_start(&mut self.header);
        self.header.advance(digest, geometry.hot(at, chunk));
        self.store()
    }

    pub(super) fn store(&mut self) -> Result<()> {
        let mut header = self.header.clone();
        header.store(self.meta())?;
        self.header = header;
        Ok(())
    }

    /// Comes to a state that opens, and waits there while the switch says pause. `false`: stop.
    fn wait(
        &mut self,
        geometry: &Geometry,
        writing: &mut Writing,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<bool> {
        if writing.unsettled {
            self.settle(geometry, writing.at)?;
            writing.unsettled = false;
        }
        Ok(waited(control, meter, geometry.done(&Position { at: writing.at, hot: None })))
    }

    /// What was free is given up, where the free space is not encrypted: otherwise a drive of flash memory
    /// would look full to itself, and what was deleted would stay in it.
    fn discard_free(&self, geometry: &Geometry) -> Result<()> {
        let Some(allocation) = self.allocation.filter(|_| self.space() == Space::Used) else { return Ok(()) };
        /// Less is not worth a command.
        const LEAST: u64 = 1 << 20;
        // At most this much is asked for at once: the answer is a list.
        const WINDOW: u64 = 1 << 30;
        let mut at = geometry.shift;
        while at < geometry.total {
            let end = geometry.total.min(at + WINDOW);
            for range in allocation.free_within(at..end) {
                let start = range.start.next_multiple_of(LEAST);
                let end = range.end / LEAST * LEAST;
                // A drive that does not care does not care about the next one either.
                if start < end && !self.data.discard(start + geometry.shift, end - start)? {
                    return Ok(());
                }
            }
            at = end;
        }
        Ok(())
    }
}

/// Tells the reader, however the writer comes to its end.
struct Leave<'a>(&'a AtomicBool);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits while the switch says pause. `false`: stop.
pub(super) fn waited(control: &Control, meter: &mut Meter<'_>, done: u64) -> bool {
    while control.signal() == Signal::Pause {
        meter.paused(done);
        std::thread::sleep(Duration::from_millis(200));
    }
    control.signal() != Signal::Stop
}
