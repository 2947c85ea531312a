//! What went wrong for people with other programs, as tests of the flow. Each names its report in
//! `data/status-bugs`.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::io;
use std::path::Path;

use bitlocker::flow::{self, Copy};
use bitlocker::keys::{self, Sheet, SheetWords};
use bitlocker::{Cipher, DriveFacts, Error, Simulated, SimulatedVolume, State, Step, Unlock, Volume, Wish, check};
use model::{Outcome, Verdict};
use recovery::{Kind, Medium, SameDrive, Stored};

/// A stick that fails at one thing.
#[derive(Default)]
struct Failing {
    reads: bool,
    writes: bool,
    other: bool,
}

impl Medium for Failing {
    fn kind(&mut self, path: &Path) -> io::Result<Kind> {
        recovery::System.kind(path)
    }
    fn file_system(&mut self, folder: &Path) -> io::Result<u64> {
        recovery::System.file_system(folder)
    }
    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.writes { Err(io::ErrorKind::StorageFull.into()) } else { recovery::System.write_new(path, bytes) }
    }
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        recovery::System.rename(from, to)
    }
    fn read_stored(&mut self, path: &Path) -> io::Result<Stored> {
        let mut stored = recovery::System.read_stored(path)?;
        if self.other {
            let at = stored.bytes.len() - 4;
            stored.bytes[at] ^= 1;
        }
        if self.reads { Err(io::ErrorKind::InvalidData.into()) } else { Ok(stored) }
    }
    fn remove(&mut self, path: &Path) -> io::Result<()> {
        recovery::System.remove(path)
    }
}

fn prepared(folder: &Path) -> (Simulated, Sheet, Vec<u8>, std::path::PathBuf) {
    let mut machine = Simulated::laptop();
    let plan = check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap();
    let words = SheetWords::default();
    let mut copy = Copy { folder, same_drive: SameDrive::No, words: &words, medium: &mut recovery::System };
    let saved = flow::prepare(&mut machine, &plan, &Unlock::Tpm, &mut copy, &mut |_| {}).unwrap();
    let bytes = std::fs::read(&saved.path).unwrap();
    (machine, Sheet::read(&bytes).unwrap(), bytes, saved.path)
}

/// 06: an error on the way to another copy leaves the copy that is there.
#[test]
fn bug_06_an_error_never_takes_a_saved_key_away() {
    for medium in [Failing { reads: true, ..Default::default() }, Failing { writes: true, ..Default::default() }] {
        let stick = tempfile::tempdir().unwrap();
        let (mut machine, sheet, bytes, path) = prepared(stick.path());
        let id = machine.volumes[0].protectors[0].0.clone();
        let mut medium = medium;
        let mut volume = Volume::find(&mut machine, "C:").unwrap();
        let words = SheetWords { above: "another language".into(), ..SheetWords::default() };
        let again = keys::save(&mut volume, &id, stick.path(), SameDrive::No, &words, &mut medium);
        assert!(again.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        keys::compare(&mut volume, &sheet).unwrap();
    }
}

/// 20: a copy is saved when it was read back and is the same, not when writing it succeeded.
#[test]
fn bug_20_what_reads_back_differently_is_not_saved() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    let plan = check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap();
    let (words, mut medium) = (SheetWords::default(), Failing { other: true, ..Default::default() });
    let mut copy = Copy { folder: stick.path(), same_drive: SameDrive::No, words: &words, medium: &mut medium };
    let refused = flow::prepare(&mut machine, &plan, &Unlock::Tpm, &mut copy, &mut |_| {});
    assert_eq!(refused.err(), Some(Error::OtherRecoveryPassword));
    assert_eq!(flow::begin(&mut machine, &plan), Err(Error::NotNow), "nothing begins on it");
}

/// 36: after some upgrades Windows no longer finds the way into an eDrive. Software is what comes without being
/// asked for, and who lets the drive do it is told of upgrades first.
#[test]
fn bug_36_upgrades_are_told_of_before_hardware_is_chosen() {
    let mut machine = Simulated::laptop();
    machine.volumes[0].drive = DriveFacts {
        model: "EXAMPLE SSD 1".into(),
        firmware: "1.0".into(),
        opal2: Some(true),
        edrive: Some(true),
        raid: Some(false),
    };
    assert_eq!(check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap().method, Cipher::Software);
    let checked = check(&mut machine, "C:", Wish { consent: true, ..Wish::default() }).unwrap();
    assert_eq!(checked.plan.unwrap().method, Cipher::Hardware);
    let told: Vec<&str> = checked.reasons.iter().map(|reason| reason.code.as_str()).collect();
    assert!(told.contains(&"bitlocker-hardware-upgrades") && told.contains(&"bitlocker-hardware-not-audited"));
    machine.facts.upgraded = Some(true);
    let checked = check(&mut machine, "C:", Wish { consent: true, ..Wish::default() }).unwrap();
    assert_eq!(checked.plan.unwrap().method, Cipher::Software, "a system that was upgraded in place");
    let failed: Vec<_> = checked.hardware.iter().filter(|one| one.outcome == Outcome::Fail).collect();
    assert_eq!(failed[0].code, "bitlocker-edrive-clean-install");
}

/// 38: suspending is no decrypting. A suspended volume is encrypted, is not green, and is neither begun on anew nor
/// called plain; only the way back makes it plain.
#[test]
fn bug_38_suspended_is_not_decrypted() {
    let mut machine = Simulated::laptop();
    let mut volume = SimulatedVolume::clear_key(1, "C:");
    volume.suspended = true;
    volume.protectors = vec![("{A}".into(), 1, Default::default()), ("{B}".into(), 3, Default::default())];
    machine.volumes[0] = volume;
    let checked = check(&mut machine, "C:", Wish::default()).unwrap();
    assert_eq!(checked.state.judged().verdict, Verdict::Suspended);
    assert_eq!(checked.state.step(), Step::ResumeProtection);
    assert!(checked.plan.is_none());
    assert_eq!(flow::clear(&mut machine, "C:"), Err(Error::NotNow), "its protectors are not taken away");
    let mut still = Still;
    flow::undo(&mut machine, "C:", None, &model::Control::new(), &mut still, &mut model::Silent).unwrap();
    assert_eq!(State::of(&Volume::find(&mut machine, "C:").unwrap().numbers()), State::Off);
}

struct Still;

impl flow::Clock for Still {
    fn tick(&mut self) {}
}

/// A key file as Windows' own dialog writes it: UTF-16 with a mark, compared with the drive.
#[test]
fn a_file_of_windows_own_dialog_is_compared_with_the_drive() {
    let stick = tempfile::tempdir().unwrap();
    let (mut machine, sheet, _, _) = prepared(stick.path());
    let text = format!(
        "Wiederherstellungsschlüssel für die BitLocker-Laufwerkverschlüsselung\r\n\r\nBezeichner:\r\n\r\n\t{}\r\n\r\n\
         Wiederherstellungsschlüssel:\r\n\r\n\t{}\r\n",
        sheet.id,
        sheet.password.expose()
    );
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let read = Sheet::read(&utf16).unwrap();
    assert_eq!(read, sheet);
    keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &read).unwrap();
    machine.volumes[0].protectors.clear();
    let stale = keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &read);
    assert!(matches!(stale, Err(Error::StaleKey { .. })));
}
