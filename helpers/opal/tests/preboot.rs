//! Drives that are opened at a computer's start.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{drive, drive_of, pattern, read, secret, tper};
use opal::Error;
use opal::device::{Drive, Local, Profile};
use opal::pin::{Cost, WayIn};
use opal::preboot::{Closed, Door, FIRST_PAUSE, LONGEST_PAUSE, TRIES, Turn};
use opal::protect::{self, Secrets};
use opal::ticket::{self, Start};

const COST: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

/// Set up with this password, locked at power-off, with something in its shadow MBR if it has one.
fn locked(drive: &Arc<Drive>, password: &str) {
    let mut tper = tper(drive);
    let (password, recovery) = (secret(password), secret("recovery"));
    protect::prepare(&mut tper, Secrets { password: &password, recovery: &recovery }, COST).unwrap();
    if protect::room_for_image(&mut tper, &password).is_ok() {
        protect::load_image(&mut tper, &password, &[7; 4096], &mut |_| {}).unwrap();
        protect::show_image(&mut tper, &password, true).unwrap();
    }
    protect::switch_on(&mut tper, &password, true).unwrap();
    drive.power_cycle().unwrap();
}

fn closed(drive: &Arc<Drive>) -> Closed<Local> {
    Closed::of("drive".into(), tper(drive)).unwrap().unwrap()
}

#[test]
fn one_password_opens_all_drives_of_ours_and_leaves_the_others_alone() {
    let (first, second) = (drive(), drive_of(Profile::named("no-shadow-mbr").unwrap()));
    let data = pattern(64 * 512, 1);
    for drive in [&first, &second] {
        drive.write(0, &data).unwrap();
        locked(drive, "Käsekuchen 7");
    }
    // Somebody else's: locked, and without our note.
    let others = drive();
    let mut theirs = common::owned(&others);
    opal::host::locking(&mut theirs, &secret(common::PIN), 0, true).unwrap();
    others.power_cycle().unwrap();

    let mut door = Door::new(vec![closed(&first), closed(&second), closed(&others)]);
    assert_eq!(door.drives().len(), 2);
    assert_eq!(door.turn(WayIn::Password, &secret("wrong")), Turn::Wrong { left: 2 });
    assert!(!door.is_open() && read(&second, 0, 1).is_err());
    assert_eq!(door.turn(WayIn::Password, &secret("Käsekuchen 7")), Turn::Open);
    assert!(door.is_open());
    assert_eq!(read(&first, 0, 64).unwrap(), data);
    assert_eq!(read(&second, 0, 64).unwrap(), data);
    // Nothing is left to open, and nothing counted at the stranger's.
    assert!(Closed::of("drive".into(), tper(&first)).unwrap().is_none());
    assert!(opal::host::proves(&mut tper(&others), opal::uid::admin(1), &secret(common::PIN)).unwrap());
}

#[test]
fn the_recovery_key_is_a_way_in_too() {
    let drive = drive();
    locked(&drive, "password");
    let mut door = Door::new(vec![closed(&drive)]);
    assert_eq!(door.turn(WayIn::Recovery, &secret("recovery")), Turn::Open);
    assert!(read(&drive, 0, 1).is_ok());
}

#[test]
fn two_passwords_one_after_the_other() {
    let (first, second) = (drive(), drive());
    locked(&first, "one");
    locked(&second, "two");
    let mut door = Door::new(vec![closed(&first), closed(&second)]);
    assert_eq!(door.turn(WayIn::Password, &secret("two")), Turn::Partly);
    assert_eq!(door.drives().iter().map(|drive| drive.open).collect::<Vec<_>>(), [false, true]);
    assert_eq!(door.turn(WayIn::Password, &secret("one")), Turn::Open);
}

#[test]
fn three_tries_then_a_pause_and_at_last_the_drive_wants_its_power_off() {
    let drive = drive();
    locked(&drive, "right");
    let mut door = Door::new(vec![closed(&drive)]);
    let wrong = secret("wrong");
    for left in (1..TRIES).rev() {
        assert_eq!(door.turn(WayIn::Password, &wrong), Turn::Wrong { left });
    }
    assert_eq!(door.turn(WayIn::Password, &wrong), Turn::Wait(FIRST_PAUSE));
    // The drive counts to five.
    assert_eq!(door.turn(WayIn::Password, &wrong), Turn::Wrong { left: 2 });
    let mut last = door.turn(WayIn::Password, &wrong);
    if last != Turn::PowerOff {
        last = door.turn(WayIn::Password, &secret("right"));
    }
    assert_eq!(last, Turn::PowerOff);
    assert!(matches!(door.drives()[0].trouble, Some(Error::LockedOut)));
    assert_eq!(door.turn(WayIn::Password, &secret("right")), Turn::PowerOff);
    drive.power_cycle().unwrap();
    let mut door = Door::new(vec![closed(&drive)]);
    assert_eq!(door.turn(WayIn::Password, &secret("right")), Turn::Open);
}

/// A drive that never looks away: the pauses grow, and not without end.
#[test]
fn pauses_grow() {
    let drive = drive_of(Profile { try_limit: 0, ..Profile::default() });
    locked(&drive, "right");
    let mut door = Door::new(vec![closed(&drive)]);
    let mut pauses = Vec::new();
    for _ in 0..TRIES * 8 {
        if let Turn::Wait(pause) = door.turn(WayIn::Password, &secret("wrong")) {
            pauses.push(pause);
        }
    }
    assert_eq!(pauses.len(), 8);
    assert!(pauses.is_sorted() && pauses[0] == FIRST_PAUSE && pauses[1] == 2 * FIRST_PAUSE);
    assert_eq!(*pauses.last().unwrap(), LONGEST_PAUSE);
    assert!(LONGEST_PAUSE > Duration::from_secs(60));
}

#[test]
fn a_start_writes_on_the_ticket_how_the_drive_was_found() {
    let drive = drive();
    let (password, recovery) = (secret("password"), secret("recovery"));
    let mut tper = tper(&drive);
    assert_eq!(ticket::read(&mut tper).unwrap(), None);
    protect::prepare(&mut tper, Secrets { password: &password, recovery: &recovery }, COST).unwrap();
    assert_eq!(ticket::read(&mut tper).unwrap(), None);

    // The test start: the image is shown, and nothing is locked.
    let first = ticket::leave(&mut tper, WayIn::Password, &password).unwrap();
    protect::load_image(&mut tper, &password, &[7; 512], &mut |_| {}).unwrap();
    protect::show_image(&mut tper, &password, true).unwrap();
    // Nothing is closed before the power was off.
    assert!(Closed::of("drive".into(), common::tper(&drive)).unwrap().is_none());
    assert_eq!(ticket::read(&mut tper).unwrap(), Some(first));
    drive.power_cycle().unwrap();
    assert_eq!(Door::new(vec![closed(&drive)]).turn(WayIn::Password, &password), Turn::Open);
    let read = ticket::read(&mut tper).unwrap().unwrap();
    assert_eq!(read.nonce, first.nonce);
    assert_eq!(read.start, Some(Start { locked: false, shown: true, way: WayIn::Password }));

    // The power-off test: it is locked, too. The first start counts.
    protect::switch_on(&mut tper, &password, true).unwrap();
    let second = ticket::leave(&mut tper, WayIn::Recovery, &recovery).unwrap();
    assert_ne!(second.nonce, first.nonce);
    for way in [WayIn::Recovery, WayIn::Password] {
        drive.power_cycle().unwrap();
        let right = if way == WayIn::Password { &password } else { &recovery };
        assert_eq!(Door::new(vec![closed(&drive)]).turn(way, right), Turn::Open);
    }
    let start = ticket::read(&mut tper).unwrap().unwrap().start;
    assert_eq!(start, Some(Start { locked: true, shown: true, way: WayIn::Recovery }));
    // It goes with the Locking SP.
    protect::give_back(&mut tper, WayIn::Password, &password).unwrap();
    assert_eq!(ticket::read(&mut tper).unwrap(), None);
}

/// A password with umlauts, set on a German keyboard and typed at the start: by one that sends letters and dots apart
/// it opens; by one that has other signs on those keys it is wrong, counts as any other, and opens when the layout has
/// been changed.
#[test]
fn umlauts_typed_by_other_keyboards() {
    let drive = drive();
    locked(&drive, "Übergröße für Käse");
    let mut door = Door::new(vec![closed(&drive)]);
    // The same keys on an American layout.
    assert_eq!(door.turn(WayIn::Password, &secret("{bergr;-e f[r K'se")), Turn::Wrong { left: 2 });
    assert_eq!(door.turn(WayIn::Password, &secret("Ubergrosse fur Kase")), Turn::Wrong { left: 1 });
    let decomposed = "U\u{308}bergro\u{308}ße fu\u{308}r Ka\u{308}se";
    assert_eq!(door.turn(WayIn::Password, &secret(decomposed)), Turn::Open);
}
