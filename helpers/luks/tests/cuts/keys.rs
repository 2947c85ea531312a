//! Changes to a header that exists: keys, tokens, a backup put back.

use std::ops::Range;
use std::sync::LazyLock;

use blockdev::Device;
use blockdev::simulated::{Image, Simulated};
use luks::kdf::Kdf;
use luks::{Error, FormatOptions, Header};
use model::Secret;

use crate::common::{MIB, options, pattern};
use crate::life::Life;

const TEAR: u32 = 512;
const FIRST: &str = "the first password";

/// A volume with a short keyslots area, and its key.
struct Volume {
    image: Image,
    key: Secret,
    data: Vec<u8>,
}

/// Keys of 256 bits: seven keyslots have room. Of 512: three.
static VOLUMES: LazyLock<Vec<Volume>> = LazyLock::new(|| [256, 512].into_iter().map(Volume::make).collect());

impl Volume {
    fn make(key_bits: u32) -> Self {
        let data = pattern(64 * 1024, key_bits.into());
        let device = Simulated::new(vec![0; MIB as usize + data.len()], TEAR);
        let options = FormatOptions { key_bits, label: "label".into(), ..options(512) };
        let (_, unlocked) = luks::format(&device, &options, &Secret::from(FIRST)).unwrap();
        device.write_at(MIB, &data).unwrap();
        Self { image: device.snapshot(), key: unlocked.volume_key, data }
    }
}

/// What is known of the volume now.
struct State {
    volume: &'static Volume,
    image: Image,
    /// Passwords that open it.
    open: Vec<String>,
    /// Those of them whose keyslot stands in one copy of the header alone, because the change was cut and
    /// nobody was told that it is done. Where that copy cannot be read at the next change, the other one
    /// counts: as with cryptsetup.
    unsure: Vec<String>,
    /// Passwords that once did.
    dead: Vec<String>,
    /// A backup, and the passwords that opened the volume then.
    backup: Option<(Vec<u8>, Vec<String>)>,
    made: u32,
}

/// Several changes, one after the other, most of them cut.
pub fn changed(life: &mut Life) {
    let volume = &VOLUMES[life.dice.below(VOLUMES.len() as u64) as usize];
    let mut state = State {
        volume,
        image: volume.image.clone(),
        open: vec![FIRST.into()],
        unsure: Vec::new(),
        dead: Vec::new(),
        backup: None,
        made: 0,
    };
    for _ in 0..10 {
        match life.dice.below(10) {
            0..3 => state.add(life),
            3..6 => state.change(life),
            6..8 => state.remove(life),
            8 => state.note(life),
            _ => state.back_up_or_restore(life),
        }
    }
}

impl State {
    fn new_password(&mut self) -> String {
        self.made += 1;
        format!("password {}", self.made)
    }

    /// One that opens for certain.
    fn any(&self, life: &mut Life) -> Option<String> {
        let sure: Vec<&String> = self.open.iter().filter(|password| !self.unsure.contains(password)).collect();
        (!sure.is_empty()).then(|| sure[life.dice.below(sure.len() as u64) as usize].clone())
    }

    /// Does something to the header under a cut; whether it came to its end.
    fn cut<T>(
        &mut self,
        life: &mut Life,
        what: &'static str,
        most: u64,
        work: impl FnOnce(&dyn Device, Header) -> luks::Result<T>,
    ) -> Option<T> {
        let call = (life.dice.below(8) > 0).then(|| life.up_to(most));
        let end = life.cut(what, (&mut self.image, TEAR), true, call, |device| {
            let loaded = Header::load(device)?;
            // As a careful program does it; a careless one must not lose anything either.
            if let Some(damage) = loaded.damage.filter(|_| call.is_some_and(|call| call % 2 == 0)) {
                loaded.header.repair(device, damage)?;
            }
            let header = Header::load(device)?.header;
            work(device, header)
        });
        let data = self.image.read_vec(MIB, self.volume.data.len()).unwrap();
        assert!(data == self.volume.data, "{what}: the data changed");
        let header = Header::load(&self.image).unwrap().header;
        assert_eq!(header.label(), "label", "{what}");
        match end {
            crate::life::End::Done(value) => Some(value),
            crate::life::End::Cut => None,
        }
    }

    /// Whether a password gives the volume key. Another key would be worse than none.
    fn opens(&self, password: &str) -> bool {
        let header = Header::load(&self.image).unwrap().header;
        match header.unlock(&self.image, &Secret::from(password)) {
            Ok(unlocked) => {
                assert!(unlocked.volume_key == self.volume.key, "{password}: another volume key");
                true
            }
            Err(Error::WrongSecret) => false,
            Err(error) => panic!("{password}: {error}"),
        }
    }

    fn assert_open(&mut self, life: &Life, what: &str) {
        if life.hides_copies() {
            let mut back = self.dead.clone();
            back.retain(|password| self.unsure.contains(password) && self.opens(password));
            self.dead.retain(|password| !back.contains(password));
            self.open.extend(back);
        }
        for password in self.open.clone() {
            if life.hides_copies() && self.unsure.contains(&password) && !self.opens(&password) {
                self.open.retain(|open| *open != password);
                continue;
            }
            assert!(self.opens(&password), "{what}: {password} does not open any more");
        }
        if Header::load(&self.image).unwrap().damage.is_none() {
            self.unsure.clear();
        }
    }

    /// That a password of old does not open; one of them, since each trial costs a key derivation for
    /// each keyslot.
    fn assert_dead(&self, what: &str) {
        if let Some(password) = self.dead.last() {
            assert!(!self.opens(password), "{what}: {password} opens still");
        }
    }

    fn add(&mut self, life: &mut Life) {
        if self.open.len() > 3 {
            return;
        }
        let Some(old) = self.any(life) else { return };
        let new = self.new_password();
        let mut full = false;
        let done = self.cut(life, "key added", 6, |device, mut header| {
            let unlocked = header.unlock(device, &Secret::from(old.as_str()))?;
            match header.add_key(device, &unlocked, &Secret::from(new.as_str()), &Kdf::cheapest()) {
                Err(Error::KeyslotsFull) => full = true,
                other => _ = other?,
            }
            Ok(())
        });
        self.assert_open(life, "add");
        if done.is_some() && !full {
            assert!(self.opens(&new), "added, and does not open");
        }
        if !full && self.opens(&new) {
            self.open.push(new.clone());
            self.note_unsure(new);
        }
    }

    fn change(&mut self, life: &mut Life) {
        let Some(old) = self.any(life) else { return };
        let new = self.new_password();
        let before = self.image.clone();
        let area = self.area_of(&old);
        let mut full = false;
        let done = self.cut(life, "key changed", 12, |device, mut header| {
            let unlocked = header.unlock(device, &Secret::from(old.as_str()))?;
            match header.change_key(device, &unlocked, &Secret::from(new.as_str()), &Kdf::cheapest()) {
                Err(Error::KeyslotsFull) => full = true,
                other => _ = other?,
            }
            Ok(())
        });
        if full {
            return self.assert_open(life, "no room for a change");
        }
        self.open.retain(|password| *password != old);
        self.assert_open(life, "change, the others");
        let (old_opens, new_opens) = (self.opens(&old), self.opens(&new));
        assert!(old_opens || new_opens, "neither the old nor the new password opens");
        if done.is_some() {
            assert!(new_opens && !old_opens, "changed, and old {old_opens}, new {new_opens}");
            self.assert_gone(&before, area);
        }
        for (password, opens) in [(old, old_opens), (new, new_opens)] {
            if opens {
                self.open.push(password.clone())
            } else {
                self.dead.push(password.clone())
            }
            self.note_unsure(password);
        }
    }

    fn remove(&mut self, life: &mut Life) {
        let Some(old) = self.any(life) else { return };
        let last = self.open.len() == 1;
        let before = self.image.clone();
        let area = self.area_of(&old);
        let done = self.cut(life, "key removed", 6, |device, mut header| {
            let unlocked = header.unlock(device, &Secret::from(old.as_str()))?;
            match header.remove_keyslot(device, unlocked.keyslot) {
                Err(Error::LastKeyslot) if last => Ok(false),
                other => other.map(|()| true),
            }
        });
        if done == Some(false) {
            return self.assert_open(life, "the last key");
        }
        let opens = self.opens(&old);
        assert!(opens || !last, "the last key was removed");
        if done.is_some() {
            assert!(!opens, "removed, and opens still");
            self.assert_gone(&before, area);
        }
        if !opens {
            self.open.retain(|password| *password != old);
            self.dead.push(old);
        }
        self.assert_open(life, "remove, the others");
    }

    /// A token, or nothing but a new sequence number.
    fn note(&mut self, life: &mut Life) {
        let token = life.dice.below(2) == 0;
        let sequence = Header::load(&self.image).unwrap().header.sequence();
        let done = self.cut(life, "header written", 4, |device, mut header| {
            if token && header.metadata().tokens.len() < 8 {
                let slot = header.keyslots()[0].id;
                header.add_recovery_token(device, slot)
            } else {
                header.store(device)
            }
        });
        let found = Header::load(&self.image).unwrap().header.sequence();
        let counted = found == sequence + 1 || (done.is_none() && found == sequence) || life.hides_copies();
        assert!(counted, "{sequence} became {found}");
        self.assert_open(life, "header");
        self.assert_dead("header");
    }

    fn back_up_or_restore(&mut self, life: &mut Life) {
        let Some((backup, open)) = self.backup.clone() else {
            self.backup = Some((luks::backup(&self.image).unwrap(), self.open.clone()));
            return;
        };
        let uuid = Header::load(&self.image).unwrap().header.uuid().to_owned();
        // In the middle of it the keyslots are those of neither; the backup is there, and is put back again.
        while self.cut(life, "backup restored", 6, |device, _| luks::restore(device, &backup, Some(&uuid))).is_none() {}
        self.dead.extend(self.open.iter().filter(|password| !open.contains(password)).cloned());
        self.dead.retain(|password| !open.contains(password));
        self.open = open;
        self.assert_open(life, "restored");
        self.assert_dead("restored");
    }

    /// Whether it opens or not may depend on which copy of the header is read.
    fn note_unsure(&mut self, password: String) {
        if Header::load(&self.image).unwrap().damage.is_some() {
            self.unsure.push(password);
        }
    }

    /// Where the keyslot of a password lies.
    fn area_of(&self, password: &str) -> Range<u64> {
        let header = Header::load(&self.image).unwrap().header;
        let slot = header.unlock(&self.image, &Secret::from(password)).unwrap().keyslot;
        let area = &header.metadata().keyslots.iter().find(|(id, _)| id.0 == slot).unwrap().1.area;
        area.offset.0..area.offset.0 + area.size.0
    }

    /// Nothing of a removed keyslot's area is left.
    fn assert_gone(&self, before: &Image, area: Range<u64>) {
        let length = (area.end - area.start) as usize;
        let read = |image: &Image| image.read_vec(area.start, length).unwrap();
        let (old, new) = (read(before), read(&self.image));
        let mut sectors = old.chunks(512).zip(new.chunks(512));
        // The rest behind the stripes is zero and may be anything.
        assert!(sectors.all(|(old, new)| old != new || old.iter().all(|byte| *byte == 0)), "key material is left");
    }
}
