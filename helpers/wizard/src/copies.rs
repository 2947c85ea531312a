//! Where and when copies of recovery keys were made, and when each was last proven. Never the key.
//!
//! The book is a file in the state folder, for this user alone. It serves to remind: of a copy that was
//! not proven for a year, and of all of them when the computer's firmware, its TPM or Secure Boot have
//! changed, because that is when a computer asks for the key.
//!
//! Days come from the computer's clock, which may be wrong: an empty battery sets it back by years, a slip
//! of the finger forward. A day that does not follow from the last one that was seen is believed when the
//! clock goes on from it a day later, and until then nobody is reminded of anything.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use model::{Day, Reason};
use serde::{Deserialize, Serialize};

use crate::journal;
use crate::view::{RecoveryCopy, RecoveryPlace};

/// The file's name in the state folder.
const FILE_NAME: &str = "copies.json";
const LOCK_NAME: &str = "copies.lock";

/// Version of the file. A higher one is neither read nor written.
const VERSION: u32 = 1;

/// Days after which a copy is to be tried again.
const YEAR: u32 = 365;

/// Days that nobody may have looked without the clock being doubted.
const LONG: u32 = 800;

/// Days within which a doubted clock has to be seen again to be believed.
const SOON: u32 = 60;

/// No clock that is right says an earlier day: this program is not that old. 1 December 2026.
const LEAST: Day = Day::of(20_788 * 86_400);

/// A copy of a recovery key, as the book has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    /// UUID of the volume that it opens.
    pub uuid: String,
    /// The key's short name.
    pub key_id: String,
    /// Where it is.
    #[serde(flatten)]
    pub copy: RecoveryCopy,
    /// When it was made, or first seen.
    pub made: Day,
    /// When it last opened the volume.
    pub proven: Day,
    /// What the computer was like then.
    #[serde(default)]
    pub around: Around,
}

/// What makes a computer ask for the recovery key when it changes. What could not be seen is `None`, and
/// is never a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// Version and date of the firmware.
    pub firmware: Option<String>,
    /// Version of the TPM; empty: there is none.
    pub tpm: Option<String>,
    /// Whether Secure Boot is on.
    pub secure_boot: Option<bool>,
}

impl Around {
    /// This computer, now.
    pub fn here() -> Self {
        let firmware = drives::firmware();
        Self { firmware: firmware.version.value, tpm: firmware.tpm.value, secure_boot: firmware.secure_boot.value }
    }

    /// What is not as it was (`reason-copy-after-…`).
    fn changed_to(&self, now: &Self) -> Option<&'static str> {
        fn differs<T: PartialEq>(was: Option<&T>, is: Option<&T>) -> bool {
            matches!((was, is), (Some(was), Some(is)) if was != is)
        }
        match () {
            () if differs(self.secure_boot.as_ref(), now.secure_boot.as_ref()) => Some("copy-after-secure-boot"),
            () if differs(self.tpm.as_ref(), now.tpm.as_ref()) => Some("copy-after-tpm"),
            () if differs(self.firmware.as_ref(), now.firmware.as_ref()) => Some("copy-after-firmware"),
            () => None,
        }
    }
}

/// A copy, and what somebody is to be reminded of about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The copy.
    pub copy: Copy,
    /// `reason-copy-…`.
    pub remind: Option<Reason>,
}

/// What lies in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Book {
    version: u32,
    /// The last day that was believed.
    looked: Option<Day>,
    /// A day that did not follow from it.
    #[serde(default)]
    doubted: Option<Day>,
    copies: Vec<Copy>,
}

impl Default for Book {
    fn default() -> Self {
        Self { version: VERSION, looked: None, doubted: None, copies: Vec::new() }
    }
}

impl Book {
    /// Whether this can be today, by all that was seen before.
    fn believes(&mut self, today: Day) -> bool {
        if today < LEAST {
            return false;
        }
        let follows = self.looked.is_none_or(|last| today.since(last).is_some_and(|days| days <= LONG));
        let goes_on = self.doubted.and_then(|day| today.since(day)).is_some_and(|days| (1..=SOON).contains(&days));
        if follows || goes_on {
            (self.looked, self.doubted) = (Some(today), None);
            return true;
        }
        self.doubted = Some(today);
        false
    }

    fn remind(copy: &Copy, today: Option<Day>, around: &Around) -> Option<Reason> {
        if let Some(changed) = copy.around.changed_to(around) {
            return Some(Reason::new(changed).with("day", copy.proven));
        }
        // A day that was written by a wrong clock tells nothing.
        let age = today?.since(copy.proven).filter(|_| copy.proven >= LEAST)?;
        (age >= YEAR).then(|| Reason::new("copy-not-tried").with("day", copy.proven))
    }
}

/// Places where a copy may be put: mounted sticks that are not the target.
pub fn places(target: &Path) -> Vec<RecoveryPlace> {
    let elsewhere = |place: &drives::Place| {
        drives::same_drive(Path::new(&place.path), target).is_ok_and(|same| same != drives::SameDrive::Yes)
    };
    let places = drives::places().unwrap_or_default().into_iter().filter(elsewhere);
    places.map(|place| RecoveryPlace { path: place.path, name: place.name, free: place.free }).collect()
}

/// The book of a state folder.
#[derive(Clone, Debug)]
pub struct Copies {
    folder: PathBuf,
}

impl Copies {
    /// The book in this folder, which need not be there yet.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// All copies that are known, with what to remind of today. What cannot be read is as if it were not
    /// there: nothing depends on it.
    pub fn known(&self) -> Vec<Known> {
        self.known_at(Day::today(), &Around::here())
    }

    fn known_at(&self, today: Day, around: &Around) -> Vec<Known> {
        let Ok(book) = self.load() else { return Vec::new() };
        if book.copies.is_empty() {
            return Vec::new();
        }
        let mut looked = book.clone();
        let believed = looked.believes(today).then_some(today);
        if looked != book {
            // A folder that cannot be written is no reason to forget what is known.
            let _ = self.change(|book| {
                book.believes(today);
            });
        }
        looked.copies.into_iter().map(|copy| Known { remind: Book::remind(&copy, believed, around), copy }).collect()
    }

    /// [`known`](Self::known) of one volume.
    pub fn of(&self, uuid: &str) -> Vec<Known> {
        self.known().into_iter().filter(|known| known.copy.uuid == uuid).collect()
    }

    /// A copy has just opened its volume.
    ///
    /// # Errors
    /// As the system has them; [`io::ErrorKind::InvalidData`] for a book of a newer version.
    pub fn proven(&self, uuid: &str, key_id: &str, copy: &RecoveryCopy) -> io::Result<()> {
        self.proven_at(uuid, key_id, copy, Day::today(), Around::here())
    }

    fn proven_at(&self, uuid: &str, key_id: &str, copy: &RecoveryCopy, today: Day, around: Around) -> io::Result<()> {
        self.change(|book| {
            book.believes(today);
            let same = |known: &&mut Copy| known.uuid == uuid && known.key_id == key_id && known.copy == *copy;
            match book.copies.iter_mut().find(same) {
                Some(known) => (known.proven, known.around) = (today, around),
                None => book.copies.push(Copy {
                    uuid: uuid.to_owned(),
                    key_id: key_id.to_owned(),
                    copy: copy.clone(),
                    made: today,
                    proven: today,
                    around,
                }),
            }
        })
    }

    /// Of this volume only the copies of this key count from now on; `None`: none does.
    ///
    /// # Errors
    /// As [`proven`](Self::proven).
    pub fn keep_only(&self, uuid: &str, key_id: Option<&str>) -> io::Result<()> {
        self.change(|book| book.copies.retain(|copy| copy.uuid != uuid || Some(copy.key_id.as_str()) == key_id))
    }

    fn load(&self) -> io::Result<Book> {
        let bytes = match std::fs::read(self.folder.join(FILE_NAME)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Book::default()),
            bytes => bytes?,
        };
        let book: Book = serde_json::from_slice(&bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        if book.version > VERSION { Err(io::ErrorKind::InvalidData.into()) } else { Ok(book) }
    }

    /// Window and terminal may both be at it.
    fn change(&self, change: impl FnOnce(&mut Book)) -> io::Result<()> {
        journal::make_private_folder(&self.folder)?;
        let _held = self.lock()?;
        let mut book = self.load()?;
        let before = book.clone();
        change(&mut book);
        if book == before {
            return Ok(());
        }
        let bytes = serde_json::to_vec_pretty(&book).map_err(io::Error::other)?;
        journal::replace(&self.folder.join(FILE_NAME), &bytes)
    }

    fn lock(&self) -> io::Result<File> {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(self.folder.join(LOCK_NAME))?;
        lock.lock()?;
        Ok(lock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Day = LEAST.plus(30);

    fn stick(name: &str) -> RecoveryCopy {
        RecoveryCopy { kind: "stick".into(), place: name.into() }
    }

    fn around() -> Around {
        Around { firmware: Some("1.0".into()), tpm: Some("2.0".into()), secure_boot: Some(true) }
    }

    /// A book with one copy, proven on the first day.
    fn book(folder: &Path) -> Copies {
        let copies = Copies::at(folder);
        copies.proven_at("u", "K", &stick("A"), FIRST, around()).unwrap();
        copies
    }

    fn codes(copies: &Copies, today: Day) -> Vec<String> {
        codes_in(copies, today, &around())
    }

    fn codes_in(copies: &Copies, today: Day, around: &Around) -> Vec<String> {
        copies.known_at(today, around).into_iter().filter_map(|known| Some(known.remind?.code)).collect()
    }

    #[test]
    fn after_a_year_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let copies = book(folder.path());
        assert!(codes(&copies, FIRST.plus(364)).is_empty());
        let known = copies.known_at(FIRST.plus(365), &around());
        let reason = known[0].remind.clone().unwrap();
        assert_eq!((reason.code.as_str(), reason.args["day"].as_str()), ("copy-not-tried", &*FIRST.to_string()));
        // Tried again, it is good for another year.
        copies.proven_at("u", "K", &stick("A"), FIRST.plus(366), around()).unwrap();
        assert!(codes(&copies, FIRST.plus(366 + 364)).is_empty());
        let known = copies.known_at(FIRST.plus(366 + 365), &around());
        assert_eq!((known.len(), known[0].copy.made, known[0].remind.is_some()), (1, FIRST, true));
    }

    #[test]
    fn a_wrong_clock_brings_no_alarm() {
        let folder = tempfile::tempdir().unwrap();
        let copies = book(folder.path());
        // An empty battery, and a slip of the finger forward, looked at as often as somebody likes.
        for wrong in [Day::of(0), LEAST.plus(10), FIRST.plus(30_000), FIRST.plus(30_000)] {
            assert!(codes(&copies, wrong).is_empty(), "{wrong}");
        }
        // Right again: doubted for a day, since nobody knows which of the two was wrong, and never an alarm.
        assert!(codes(&copies, FIRST.plus(20)).is_empty());
        assert!(codes(&copies, FIRST.plus(21)).is_empty());
        // And it still reminds when its time has come.
        assert!(codes(&copies, FIRST.plus(300)).is_empty());
        assert_eq!(codes(&copies, FIRST.plus(380)), ["copy-not-tried"]);
    }

    #[test]
    fn who_was_away_for_years_is_reminded_a_day_later() {
        let folder = tempfile::tempdir().unwrap();
        let copies = book(folder.path());
        let back = FIRST.plus(4 * 365);
        assert!(codes(&copies, back).is_empty());
        assert!(codes(&copies, back).is_empty(), "the same day says nothing new");
        assert_eq!(codes(&copies, back.plus(1)), ["copy-not-tried"]);
    }

    #[test]
    fn a_day_that_a_wrong_clock_wrote_tells_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let copies = Copies::at(folder.path());
        copies.proven_at("u", "K", &stick("past"), Day::of(0), around()).unwrap();
        copies.proven_at("u", "K", &stick("future"), FIRST.plus(9000), around()).unwrap();
        for days in [0, 1, 2, 400] {
            assert!(codes(&copies, FIRST.plus(days)).is_empty(), "{days}");
        }
    }

    #[test]
    fn what_makes_a_computer_ask_for_the_key_reminds_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let copies = book(folder.path());
        let (today, same) = (FIRST.plus(3), around());
        for (now, code) in [
            (Around { firmware: Some("1.1".into()), ..same.clone() }, "copy-after-firmware"),
            (Around { tpm: Some(String::new()), ..same.clone() }, "copy-after-tpm"),
            (Around { secure_boot: Some(false), ..same.clone() }, "copy-after-secure-boot"),
        ] {
            assert_eq!(codes_in(&copies, today, &now), [code]);
        }
        // What cannot be seen has not changed.
        assert!(codes_in(&copies, today, &Around::default()).is_empty());
        assert!(codes_in(&copies, today, &same).is_empty());
    }

    #[test]
    fn a_new_key_takes_the_place_of_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let copies = book(folder.path());
        copies.proven_at("other", "X", &stick("A"), FIRST, around()).unwrap();
        copies.proven_at("u", "L", &stick("A"), FIRST, around()).unwrap();
        copies.keep_only("u", Some("L")).unwrap();
        let ids: Vec<String> = copies.known_at(FIRST, &around()).into_iter().map(|known| known.copy.key_id).collect();
        assert_eq!(ids, ["X", "L"]);
        copies.keep_only("u", None).unwrap();
        assert_eq!(copies.known_at(FIRST, &around()).len(), 1);
    }

    #[test]
    fn a_book_that_cannot_be_read_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        for text in [
            "{",
            "{\"version\":2,\"looked\":null,\"copies\":[]}",
            "{\"version\":1,\"looked\":\"2026-02-31\",\"copies\":[]}",
        ] {
            let file = folder.path().join(FILE_NAME);
            std::fs::write(&file, text).unwrap();
            let copies = Copies::at(folder.path());
            assert!(copies.known_at(FIRST, &around()).is_empty());
            assert!(copies.proven_at("u", "K", &stick("A"), FIRST, around()).is_err());
            assert_eq!(std::fs::read_to_string(file).unwrap(), text);
        }
    }

    #[test]
    fn no_key_stands_in_it() {
        let folder = tempfile::tempdir().unwrap();
        book(folder.path());
        let text = std::fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let names: Vec<&String> = value["copies"][0].as_object().unwrap().keys().collect();
        assert_eq!(names, ["around", "key_id", "kind", "made", "place", "proven", "uuid"]);
    }
}
