//! The conversion itself, from any state to the end.

use std::sync::mpsc;
use std::time::Duration;

use blockdev::{Device, Part};
use model::{Control, Meter, Secret, Signal, Sink, StepId, Unit};
use sha2::{Digest as _, Sha256};
use xts::Xts;

use super::geometry::{Chunk, Geometry, Mode, Position, Resilience};
use super::{Place, TOKEN, decrypt, encrypt, length, locate, number, overwrite};
use crate::header::{Damage, Header};
use crate::keyslot::{self, Unlocked};
use crate::{Error, Result, plain};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is converted, and the device holds nothing of the conversion any more.
    Finished,
    /// Asked to stop; it resumes.
    Stopped,
}

/// A conversion that has been begun, by this program or by cryptsetup.
pub struct Conversion<'a> {
    data: &'a dyn Device,
    meta: Meta<'a>,
    header: Header,
    damage: Option<Damage>,
    /// `None` only when all is converted and the keyslots may be gone already.
    unlocked: Option<Unlocked>,
    /// Where the header lies when it was put aside at the end of the device.
    aside: Option<u64>,
}

/// What holds the header.
enum Meta<'a> {
    /// The front of the device itself.
    Front,
    /// The last bytes of the device.
    Back(Part<'a>),
    /// A file of its own (`cryptsetup --header`).
    Detached(&'a dyn Device),
}

/// Bytes at once where the metadata leave it to us.
const STEP: u64 = 16 * 1024 * 1024;

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
                let damage = loaded.damage;
                if super::parked(&header, data.size()).is_some() {
                    return Ok(Self { data, meta: Meta::Front, header, damage, unlocked: None, aside: None });
                }
                let (geometry, position) = Geometry::read(&header, data.size())?;
                // Nothing is encrypted yet: the first moments may have been cut off.
                if geometry.mode == Mode::Encrypt && position.hot.is_none() && position.at == geometry.total {
                    encrypt::complete(data, &header)?;
                }
                let unlocked = header.unlock(data, secret)?;
                Self { data, meta: Meta::Front, header, damage, unlocked: Some(unlocked), aside: None }.checked()
            }
            Place::Starting { header, offset } => {
                let shift = header.data_offset();
                let part = plain::part(data, offset, shift)?;
                let unlocked = header.unlock(&part, secret)?;
                encrypt::place(data, offset, &header, shift)?;
                Self { data, meta: Meta::Front, header, damage: None, unlocked: Some(unlocked), aside: None }.checked()
            }
            Place::Back { loaded, offset } => {
                let part = plain::part(data, offset, data.size() - offset)?;
                let mut header = loaded.header;
                let mut damage = loaded.damage;
                let aside = Some(offset);
                if header.metadata.segments.values().all(|segment| !segment.is_crypt()) {
                    // Finished, and cut off before it was cleared away. The keyslots may be gone.
                    return Ok(Self { data, meta: Meta::Back(part), header, damage, unlocked: None, aside });
                }
                let unlocked = header.unlock(&part, secret)?;
                if header.metadata.reencrypt_keyslot().is_none() {
                    decrypt::enter(data, &part, &mut header, &unlocked)?;
                    damage = None;
                }
                Self { data, meta: Meta::Back(part), header, damage, unlocked: Some(unlocked), aside }.checked()
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
        let meta = Meta::Detached(meta);
        Self { data, meta, header: loaded.header, damage: loaded.damage, unlocked: Some(unlocked), aside: None }
            .checked()
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

    /// Goes on to the end, or until `control` says stop; then the state on the device is one that
    /// cryptsetup goes on with as well. A pause waits in such a state.
    ///
    /// # Errors
    /// Errors of the device. The state on it resumes.
    pub fn run(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Outcome> {
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

    fn meta(&self) -> &dyn Device {
        match &self.meta {
            Meta::Front => self.data,
            Meta::Back(part) => part,
            Meta::Detached(device) => *device,
        }
    }

    /// Everything written so far, on both devices where they are two.
    fn flush(&self) -> Result<()> {
        self.data.flush()?;
        if let Meta::Detached(device) = &self.meta {
            device.flush()?;
        }
        Ok(())
    }

    fn key(&self) -> Result<&Unlocked> {
        self.unlocked.as_ref().ok_or(Error::WrongSecret)
    }

    fn cipher(&self) -> Result<Xts> {
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
        if !moved_is_hot {
            let (end, stopped) = self.run_chunks(geometry, position, control, meter)?;
            at = end;
            if stopped {
                return Ok(Outcome::Stopped);
            }
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

    /// All chunks but the moved one. Returns where it came to and whether it was asked to stop there.
    fn run_chunks(
        &mut self,
        geometry: &Geometry,
        position: Position,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<(u64, bool)> {
        let data = self.data;
        let cipher = self.cipher()?;
        let digest = self.key()?.digest;
        let mut at = position.at;
        let mut last: Option<(u64, Chunk)> = None;
        let mut stopped = false;
        std::thread::scope(|scope| -> Result<()> {
            // One chunk is read and put through the cipher while the one before is written.
            let (sender, receiver) = mpsc::sync_channel::<Result<(Chunk, Vec<u8>)>>(1);
            let first = position.hot.clone();
            scope.spawn(move || read_ahead(data, geometry, &cipher, first, position.at, &sender));
            for item in receiver {
                let (chunk, bytes) = item?;
                if !self.wait(geometry, at, last.as_ref(), control, meter)? {
                    stopped = true;
                    break;
                }
                self.header.advance(digest, geometry.hot(at, &chunk));
                self.header.sequence += 1;
                self.header.store_primary(self.meta())?;
                self.flush()?;
                data.write_at(chunk.dest, &bytes)?;
                self.header.store_secondary(self.meta())?;
                self.flush()?;
                let before = at;
                at = geometry.after(at, &chunk);
                meter.at(geometry.done(&Position { at, hot: None }));
                last = Some((before, chunk));
            }
            Ok(())
        })?;
        if let Some((before, chunk)) = &last
            && !stopped
        {
            self.settle(geometry, *before, chunk)?;
        }
        Ok((at, stopped))
    }

    /// Writes the state between two chunks, which cryptsetup resumes without a repair.
    fn settle(&mut self, geometry: &Geometry, before: u64, chunk: &Chunk) -> Result<()> {
        let digest = self.key()?.digest;
        self.header.advance(digest, geometry.post(before, chunk));
        self.store()
    }

    /// Says in the header that `chunk` is being converted.
    fn announce(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk) -> Result<()> {
        let digest = self.key()?.digest;
        self.header.advance(digest, geometry.hot(at, chunk));
        self.store()
    }

    fn store(&mut self) -> Result<()> {
        let mut header = self.header.clone();
        header.store(self.meta())?;
        self.header = header;
        Ok(())
    }

    /// Does what the switch says before a chunk is begun. `false`: stop.
    fn wait(
        &mut self,
        geometry: &Geometry,
        at: u64,
        last: Option<&(u64, Chunk)>,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<bool> {
        if control.signal() == Signal::Run {
            return Ok(true);
        }
        if let Some((before, chunk)) = last {
            self.settle(geometry, *before, chunk)?;
        }
        while control.signal() == Signal::Pause {
            meter.paused(geometry.done(&Position { at, hot: None }));
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(control.signal() == Signal::Run)
    }

    fn encrypt_moved(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk) -> Result<()> {
        let bytes = convert(self.data, geometry, &self.cipher()?, chunk)?;
        self.announce(geometry, at, chunk)?;
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()
    }

    /// The first piece lies encrypted at the very place where it has to lie plain: checksums of its
    /// sectors tell, after a cut, which of them are encrypted still.
    fn decrypt_moved(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk, hot: bool) -> Result<()> {
        let (_, slot) = self.header.metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let area = slot.area.clone();
        if area.kind == "datashift-journal" {
            return self.decrypt_moved_by_journal(geometry, at, chunk, hot, area.offset.0);
        }
        let block = u64::from(area.sector_size.unwrap_or(512)).max(512);
        let mut bytes = self.data.read_vec(chunk.dest, length(chunk.length)?)?;
        let blocks = length(chunk.length / block)?;
        if blocks as u64 * 32 > area.size.0 || area.hash.as_deref() != Some("sha256") {
            return Err(Error::ConversionForeign("checksums of the moved segment".into()));
        }
        let old: Vec<u8> = if hot {
            self.meta().read_vec(area.offset.0, blocks * 32)?
        } else {
            let sums =
                bytes.chunks(length(block)?).flat_map(|piece| Sha256::digest(piece).to_vec()).collect::<Vec<u8>>();
            self.meta().write_at(area.offset.0, &sums)?;
            self.flush()?;
            self.announce(geometry, at, chunk)?;
            sums
        };
        let cipher = self.cipher()?;
        for (index, piece) in bytes.chunks_mut(length(block)?).enumerate() {
            if Sha256::digest(&*piece)[..] == old[index * 32..index * 32 + 32] {
                let iv = (chunk.at + index as u64 * block) / 512;
                transform(geometry, &cipher, piece, iv)?;
            }
        }
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()?;
        Ok(())
    }

    fn decrypt_moved_by_journal(
        &mut self,
        geometry: &Geometry,
        at: u64,
        chunk: &Chunk,
        hot: bool,
        area: u64,
    ) -> Result<()> {
        let mut bytes = if hot {
            self.meta().read_vec(area, length(chunk.length)?)?
        } else {
            let bytes = self.data.read_vec(chunk.dest, length(chunk.length)?)?;
            self.meta().write_at(area, &bytes)?;
            self.flush()?;
            self.announce(geometry, at, chunk)?;
            bytes
        };
        transform(geometry, &self.cipher()?, &mut bytes, chunk.iv())?;
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()
    }

    /// Everything is converted: takes the conversion out of the header and clears away its traces.
    fn finish(&mut self, geometry: &Geometry) -> Result<()> {
        let digest = self.key()?.digest;
        self.header.leave(digest, geometry.end());
        if geometry.mode == Mode::Encrypt {
            // Finished, as cryptsetup sees it as well. What is left is noted for us alone.
            self.note_origin(Some(geometry.moved.0))?;
        }
        self.store()?;
        self.clear_away()
    }

    /// Of our token only what decryption will want to know stays, and where plain text is left.
    fn note_origin(&mut self, parked: Option<u64>) -> Result<()> {
        let origin = self.header.origin();
        self.header.drop_tokens(TOKEN);
        if origin.is_none() && parked.is_none() {
            return Ok(());
        }
        let origin = origin.unwrap_or_default();
        let mut token = serde_json::json!({ "type": TOKEN, "keyslots": [], "grown": origin.grown });
        if let Some(size) = origin.original_size {
            token["original_size"] = size.to_string().into();
        }
        if let Some(parked) = parked {
            token["parked"] = parked.to_string().into();
        }
        self.header.put_token(token)
    }

    /// What is left to do when all is converted.
    fn clear_away(&mut self) -> Result<()> {
        match (super::parked(&self.header, self.data.size()), &self.meta) {
            (Some((offset, size)), Meta::Front) => {
                overwrite(self.data, offset, size)?;
                self.data.flush()?;
                let ours = self.header.origin().is_some_and(|origin| origin.original_size.is_some());
                self.note_origin(None)?;
                if !ours {
                    self.header.drop_tokens(TOKEN);
                }
                self.store()
            }
            _ => self.clear_back(),
        }
    }

    /// After a decryption: the header at the end goes, and a file gets its old length.
    fn clear_back(&mut self) -> Result<()> {
        let Some(aside) = self.aside else { return Ok(()) };
        let token = self.header.token(TOKEN).cloned().unwrap_or_default();
        // Keyslots first, the header last: it is what finds this state after a cut.
        let first = 2 * self.header.copy_size();
        let rest = self.header.whole_size().saturating_sub(first).min(self.data.size() - aside - first);
        overwrite(self.data, aside + first, rest)?;
        self.data.flush()?;
        let grown = token.get("grown").and_then(serde_json::Value::as_bool).unwrap_or(false);
        let wanted = if grown { number(&token, "original_size") } else { number(&token, "encrypted_size") };
        if let Some(size) = wanted.filter(|size| self.data.resizable() && *size <= aside) {
            self.data.resize(size)?;
        } else {
            self.data.write_at(aside, &vec![0; length(first)?])?;
            if let Some(size) = wanted.filter(|_| self.data.resizable()) {
                self.data.flush()?;
                self.data.resize(size)?;
            }
        }
        self.data.flush()?;
        self.aside = None;
        Ok(())
    }

    /// Checksum or journal, without data shift: conversions that cryptsetup began with a detached
    /// header.
    fn run_in_place(
        &mut self,
        geometry: &Geometry,
        position: Position,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome> {
        let (_, slot) = self.header.metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let area = slot.area.clone();
        let block = u64::from(area.sector_size.unwrap_or(geometry.sector_size)).max(512);
        let journal = geometry.resilience == Resilience::Journal;
        if !journal && area.hash.as_deref() != Some("sha256") {
            return Err(Error::ConversionForeign("checksums by another hash".into()));
        }
        let room = if journal { area.size.0 } else { area.size.0 / 32 * block };
        let limit = room.min(STEP) / block * block;
        if limit == 0 {
            return Err(Error::ConversionForeign("no room for the journal".into()));
        }
        let cipher = self.cipher()?;
        let mut at = position.at;
        let mut hot = position.hot;
        let mut last = None;
        loop {
            let crashed = hot.take();
            let chunk = match crashed.clone().or_else(|| geometry.next(at, limit)) {
                Some(chunk) => chunk,
                None => break,
            };
            if crashed.is_none() && !self.wait(geometry, at, last.as_ref(), control, meter)? {
                return Ok(Outcome::Stopped);
            }
            let mut bytes = self.data.read_vec(chunk.source, length(chunk.length)?)?;
            let record: Vec<u8> = match (&crashed, journal) {
                (Some(_), true) => self.meta().read_vec(area.offset.0, bytes.len())?,
                (Some(_), false) => self.meta().read_vec(area.offset.0, length(chunk.length / block)? * 32)?,
                (None, true) => bytes.clone(),
                (None, false) => {
                    bytes.chunks(length(block)?).flat_map(|piece| Sha256::digest(piece).to_vec()).collect()
                }
            };
            if crashed.is_none() {
                self.meta().write_at(area.offset.0, &record)?;
                self.flush()?;
                self.announce(geometry, at, &chunk)?;
            }
            if journal {
                bytes.copy_from_slice(&record);
                transform(geometry, &cipher, &mut bytes, chunk.iv())?;
            } else {
                for (index, piece) in bytes.chunks_mut(length(block)?).enumerate() {
                    if Sha256::digest(&*piece)[..] == record[index * 32..index * 32 + 32] {
                        transform(geometry, &cipher, piece, (chunk.at + index as u64 * block) / 512)?;
                    }
                }
            }
            self.data.write_at(chunk.dest, &bytes)?;
            self.flush()?;
            self.settle(geometry, at, &chunk)?;
            let before = at;
            at = geometry.after(at, &chunk);
            meter.at(geometry.done(&Position { at, hot: None }));
            last = Some((before, chunk));
        }
        let digest = self.key()?.digest;
        self.header.leave(digest, geometry.end());
        self.store()?;
        meter.at(geometry.total);
        Ok(Outcome::Finished)
    }
}

/// Reads and transforms one chunk after another, one ahead of the writer.
fn read_ahead(
    data: &dyn Device,
    geometry: &Geometry,
    cipher: &Xts,
    mut hot: Option<Chunk>,
    mut at: u64,
    sender: &mpsc::SyncSender<Result<(Chunk, Vec<u8>)>>,
) {
    loop {
        let Some(chunk) = hot.take().or_else(|| geometry.next(at, STEP)) else { return };
        if chunk.moved {
            return;
        }
        let item = convert(data, geometry, cipher, &chunk).map(|bytes| (chunk.clone(), bytes));
        let failed = item.is_err();
        // The writer has gone: it was asked to stop, or it failed.
        if sender.send(item).is_err() || failed {
            return;
        }
        at = geometry.after(at, &chunk);
    }
}

fn convert(data: &dyn Device, geometry: &Geometry, cipher: &Xts, chunk: &Chunk) -> Result<Vec<u8>> {
    let mut bytes = data.read_vec(chunk.source, length(chunk.length)?)?;
    transform(geometry, cipher, &mut bytes, chunk.iv())?;
    Ok(bytes)
}

fn transform(geometry: &Geometry, cipher: &Xts, bytes: &mut [u8], iv: u64) -> Result<()> {
    let sector = geometry.sector_size as usize;
    let result = match geometry.mode {
        Mode::Encrypt => cipher.encrypt_sectors(bytes, iv, sector),
        _ => cipher.decrypt_sectors(bytes, iv, sector),
    };
    result.map_err(|error| Error::Invalid(error.to_string()))
}
