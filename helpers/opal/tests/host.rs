//! What the host does with a drive, and with drives that err, die and lie.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Ends, MIB, PIN, drive, drive_of, pattern, read, secret, tper};
use model::Describe;
use opal::device::{Drive, Faults, IoError, Local, Profile};
use opal::host::{self, Access, Confirmation, Ownership, Psid};
use opal::uid;
use opal::{Error, Patience, Result, Tper, Transport};
use proptest::prelude::*;

const RECOVERY: &str = "recovery";

fn confirmed() -> Confirmation {
    Confirmation::typed("Virtual drive", " virtual DRIVE ").unwrap()
}

#[test]
fn the_whole_way_there_and_back_with_the_data_kept() {
    let drive = drive();
    let data = pattern(2048 * 512, 1);
    drive.write(0, &data).unwrap();
    let mut tper = tper(&drive);
    let (pin, recovery) = (secret(PIN), secret(RECOVERY));
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
    host::set_up(&mut tper, &pin).unwrap();
    assert_eq!(host::ownership(&mut tper, Some(&pin)).unwrap(), Ownership::Ours);
    host::add_admin(&mut tper, &pin, 2, &recovery).unwrap();
    let image = pattern(200_000, 2);
    let mut last = 0;
    host::load_shadow_mbr(&mut tper, &pin, &image, &mut |done| last = done).unwrap();
    assert_eq!(last, 400_000);
    host::set_shadow_mbr(&mut tper, &pin, true).unwrap();
    host::locking(&mut tper, &pin, 0, true).unwrap();
    // Nothing is seen of it until the power was off.
    assert_eq!(read(&drive, 0, 2048).unwrap(), data);
    drive.power_cycle().unwrap();
    assert_eq!(read(&drive, 0, 64).unwrap(), image[..64 * 512]);
    assert!(matches!(read(&drive, 3000, 1), Err(IoError::Denied)));

    // Either way in opens it.
    host::lock_with(&mut tper, uid::admin(2), &recovery, 0, Access::ReadWrite).unwrap();
    host::shadow_mbr_done(&mut tper, uid::admin(2), &recovery, true).unwrap();
    assert_eq!(read(&drive, 0, 2048).unwrap(), data);
    host::lock(&mut tper, &pin, 0).unwrap();
    assert!(read(&drive, 0, 1).is_err());
    assert!(matches!(host::revert_keeping_data(&mut tper, &pin), Err(Error::RangeLocked)));
    host::unlock(&mut tper, &pin, 0).unwrap();
    host::lock_with(&mut tper, uid::admin(1), &pin, 0, Access::ReadOnly).unwrap();
    assert!(read(&drive, 0, 1).is_ok() && drive.write(0, &data[..512]).is_err());
    host::unlock(&mut tper, &pin, 0).unwrap();

    host::revert_keeping_data(&mut tper, &pin).unwrap();
    assert_eq!(read(&drive, 0, 2048).unwrap(), data);
    drive.power_cycle().unwrap();
    assert_eq!(read(&drive, 0, 2048).unwrap(), data);
    assert_eq!(host::ownership(&mut tper, Some(&pin)).unwrap(), Ownership::Free);
    // Done already is done.
    assert!(matches!(host::revert_keeping_data(&mut tper, &pin), Ok(())));
}

/// Eight tebibytes, of which next to nothing is there: no step looks at the data.
#[test]
fn the_size_of_the_drive_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let file = std::fs::File::create(&path).unwrap();
    if file.set_len(8 << 40).is_err() {
        eprintln!("left out: no file of 8 TiB in {}", folder.path().display());
        return;
    }
    let device = Arc::new(blockdev::FileDevice::open(&path, blockdev::Access::Exclusive).unwrap());
    let drive = Arc::new(Drive::create(device, opal::device::Options::default()).unwrap());
    let last = drive.blocks() - 64;
    let data = pattern(64 * 512, 12);
    drive.write(last, &data).unwrap();
    let mut tper = tper(&drive);
    let pin = secret(PIN);
    host::set_up(&mut tper, &pin).unwrap();
    host::locking(&mut tper, &pin, 0, true).unwrap();
    assert_eq!(read(&drive, last, 64).unwrap(), data);
    drive.power_cycle().unwrap();
    assert!(read(&drive, last, 64).is_err());
    host::unlock(&mut tper, &pin, 0).unwrap();
    host::revert_keeping_data(&mut tper, &pin).unwrap();
    assert_eq!(read(&drive, last, 64).unwrap(), data);
}

#[test]
fn pins_are_changed_together() {
    let drive = drive();
    let mut tper = tper(&drive);
    let (old, new) = (secret(PIN), secret("new"));
    host::set_up(&mut tper, &old).unwrap();
    host::change_pins(&mut tper, &old, &new).unwrap();
    assert!(host::proves(&mut tper, uid::admin(1), &new).unwrap());
    assert!(!host::proves(&mut tper, uid::admin(1), &old).unwrap());
    assert_eq!(host::ownership(&mut tper, Some(&new)).unwrap(), Ownership::Ours);
    assert_eq!(host::ownership(&mut tper, Some(&old)).unwrap(), Ownership::Other);
    assert!(matches!(host::change_pins(&mut tper, &old, &secret("x")), Err(Error::WrongPin)));
    // A drive that does not take SID's new PIN gets Admin1's old one back.
    drive.set_faults(Faults { forgets_pin: true, ..Faults::default() }).unwrap();
    assert!(matches!(host::change_pins(&mut tper, &new, &secret("x")), Err(Error::NotKept { what: "C_PIN_SID" })));
    assert!(host::proves(&mut tper, uid::admin(1), &new).unwrap());
    for pin in [secret(""), secret(&"x".repeat(33))] {
        assert!(matches!(host::change_pins(&mut tper, &new, &pin), Err(Error::PinLength { .. })));
    }
}

#[test]
fn who_may_not_is_told_why() {
    // A wrong PIN, and the lockout after five.
    let drive = drive();
    let mut tper = tper(&drive);
    let pin = secret(PIN);
    assert!(matches!(host::unlock(&mut tper, &pin, 0), Err(Error::NotActivated)));
    host::set_up(&mut tper, &pin).unwrap();
    for _ in 0..5 {
        assert!(matches!(host::unlock(&mut tper, &secret("wrong"), 0), Err(Error::WrongPin)));
    }
    let locked_out = host::unlock(&mut tper, &pin, 0).unwrap_err();
    assert!(matches!(locked_out, Error::LockedOut) && locked_out.wants_power_cycle());
    drive.power_cycle().unwrap();
    host::unlock(&mut tper, &pin, 0).unwrap();
    assert!(matches!(host::take_ownership(&mut tper, &pin), Err(Error::AlreadyOurs)));
    // Other PINs are somebody else's.
    assert!(matches!(host::take_ownership(&mut tper, &secret("mine")), Err(Error::OwnedByOther)));
    let psid = Psid::parse(&"A".repeat(32)).unwrap();
    assert!(matches!(host::revert_with_psid(&mut tper, &psid, &confirmed()), Err(Error::WrongPsid)));

    // Blocked by the firmware.
    let drive = drive_of(Profile::named("sid-blocked").unwrap());
    let mut tper = common::tper(&drive);
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Blocked);
    let blocked = host::set_up(&mut tper, &pin);
    assert!(matches!(blocked, Err(Error::SidBlocked { hardware_reset: true })));
    drive.hardware_reset().unwrap();
    host::set_up(&mut tper, &pin).unwrap();

    // Taken by Windows: every range in Single User Mode, nothing locked.
    let drive = common::drive();
    let mut tper = common::owned(&drive);
    let all = opal::token::Value::named(0x06_0000, uid::LOCKING_TABLE);
    common::admin(&mut tper).last_call(uid::THIS_SP, uid::method::REACTIVATE, vec![all]).unwrap();
    assert!(matches!(host::set_up(&mut tper, &secret("mine")), Err(Error::TakenByWindows)));

    // What is no drive for us.
    let mut pyrite = common::tper(&drive_of(Profile::named("pyrite").unwrap()));
    assert!(matches!(host::set_up(&mut pyrite, &pin), Err(Error::NoEncryption)));
    let mut enterprise = common::tper(&drive_of(Profile::named("enterprise").unwrap()));
    assert!(matches!(host::set_up(&mut enterprise, &pin), Err(Error::NotSupported)));
    let without = Profile { psid: false, ..Profile::default() };
    let mut tper = common::tper(&drive_of(without));
    assert!(host::revert_with_psid(&mut tper, &psid, &confirmed()).is_err());
}

#[test]
fn what_destroys_wants_the_name_of_the_drive() {
    assert!(Confirmation::typed("Samsung SSD", "samsung ssd").is_ok());
    for typed in ["", "yes", "Samsung"] {
        assert!(matches!(Confirmation::typed("Samsung SSD", typed), Err(Error::NotConfirmed)));
    }
    assert!(Confirmation::typed(" ", " ").is_err());
}

#[test]
fn destroying() {
    let drive = drive();
    let data = pattern(512 * 64, 3);
    let pin = secret(PIN);
    let mut tper = tper(&drive);
    host::set_up(&mut tper, &pin).unwrap();
    drive.write(64, &data).unwrap();
    host::gen_key(&mut tper, &pin, 0, &confirmed()).unwrap();
    assert_ne!(read(&drive, 64, 64).unwrap(), data);

    drive.write(64, &data).unwrap();
    assert!(matches!(
        host::place_range(&mut tper, &pin, 1, 61, 64, &confirmed()),
        Err(Error::RangeNotAligned { granularity: 8 })
    ));
    assert!(matches!(
        host::place_range(&mut tper, &pin, 1, 64, 1 << 40, &confirmed()),
        Err(Error::RangeNotAligned { .. })
    ));
    assert!(matches!(host::place_range(&mut tper, &pin, 20, 64, 64, &confirmed()), Err(Error::NoSuchRange(20))));
    host::place_range(&mut tper, &pin, 1, 64, 64, &confirmed()).unwrap();
    assert_ne!(read(&drive, 64, 64).unwrap(), data);
    let all = host::ranges(&mut tper, &pin).unwrap();
    assert_eq!(all.len(), 9);
    assert_eq!((all[1].start, all[1].length, all[2].in_use()), (64, 64, false));
    // Its data would be lost by going back, so that is refused.
    assert!(matches!(host::revert_keeping_data(&mut tper, &pin), Err(Error::NoSuchRange(1))));
    // A range that is not in use cannot be locked, though some drives say so.
    assert!(matches!(host::lock(&mut tper, &pin, 2), Err(Error::NoSuchRange(2))));
    assert!(matches!(host::lock(&mut tper, &pin, 1), Err(Error::NotKept { .. })));
    host::locking(&mut tper, &pin, 1, true).unwrap();
    host::lock(&mut tper, &pin, 1).unwrap();
    assert!(read(&drive, 64, 1).is_err() && read(&drive, 0, 1).is_ok());

    host::revert_erasing(&mut tper, &pin, &confirmed()).unwrap();
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
    host::set_up(&mut tper, &pin).unwrap();
    let psid = Psid::parse(&drive.label().psid.to_lowercase()).unwrap();
    host::revert_with_psid(&mut tper, &psid, &confirmed()).unwrap();
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
}

#[test]
fn users_open_their_ranges_and_say_done() {
    let drive = drive();
    let mut tper = tper(&drive);
    let (pin, theirs) = (secret(PIN), secret("user"));
    host::set_up(&mut tper, &pin).unwrap();
    host::add_user(&mut tper, &pin, 1, &theirs, &[0]).unwrap();
    // Done again changes nothing.
    host::add_user(&mut tper, &pin, 1, &theirs, &[0]).unwrap();
    assert!(matches!(host::add_user(&mut tper, &pin, 99, &theirs, &[0]), Err(Error::NoSuchAuthority)));
    assert!(matches!(host::add_admin(&mut tper, &pin, 5, &theirs), Err(Error::NoSuchAuthority)));
    assert!(matches!(host::add_admin(&mut tper, &pin, 1, &theirs), Err(Error::NoSuchAuthority)));
    host::locking(&mut tper, &pin, 0, true).unwrap();
    host::set_shadow_mbr(&mut tper, &pin, true).unwrap();
    drive.power_cycle().unwrap();
    host::lock_with(&mut tper, uid::user(1), &theirs, 0, Access::ReadWrite).unwrap();
    host::shadow_mbr_done(&mut tper, uid::user(1), &theirs, true).unwrap();
    assert!(read(&drive, 0, 1).is_ok());
    host::change_own_pin(&mut tper, uid::user(1), &theirs, &secret("other")).unwrap();
    assert!(host::proves(&mut tper, uid::user(1), &secret("other")).unwrap());
}

#[test]
fn the_data_store_keeps_what_it_is_given() {
    let drive = drive();
    let mut tper = tper(&drive);
    let pin = secret(PIN);
    host::set_up(&mut tper, &pin).unwrap();
    assert_eq!(host::store_size(&mut tper, &pin).unwrap(), 256 << 10);
    let note = pattern(100_000, 4);
    host::write_store(&mut tper, &pin, 70_000, &note).unwrap();
    assert_eq!(host::read_store(&mut tper, &pin, 70_000, 100_000).unwrap()[..], note);
    drive.power_cycle().unwrap();
    assert_eq!(host::read_store(&mut tper, &pin, 69_999, 2).unwrap()[..], [0, note[0]]);
    assert!(matches!(host::write_store(&mut tper, &pin, 200_000, &note), Err(Error::DataStoreSmall { .. })));
}

#[test]
fn tables_that_are_written_in_whole_units() {
    let drive = drive_of(Profile::named("write-granularity").unwrap());
    let mut tper = tper(&drive);
    let pin = secret(PIN);
    host::set_up(&mut tper, &pin).unwrap();
    // Not before it is known that the drive takes as much at once.
    let mut session = tper.session(uid::LOCKING_SP, Some((uid::admin(1), &pin))).unwrap();
    let refused = session.write_bytes(uid::data_store(0), 0, &[1; 10], &mut |_| {});
    assert!(matches!(refused, Err(Error::TooLarge { bytes: 4096, .. })));
    session.end().unwrap();
    let whole = pattern(30_000, 20);
    host::write_store(&mut tper, &pin, 1000, &whole).unwrap();
    host::write_store(&mut tper, &pin, 5000, &[9; 100]).unwrap();
    let found = host::read_store(&mut tper, &pin, 1000, 30_000).unwrap();
    assert_eq!((&found[..4000], &found[4000..4100]), (&whole[..4000], &[9; 100][..]));
    assert_eq!(found[4100..], whole[4100..]);
    let image = pattern(200_001, 21);
    let mut last = 0;
    host::load_shadow_mbr(&mut tper, &pin, &image, &mut |done| last = done).unwrap();
    assert_eq!(last, 400_002);
    let plain = tper.session(uid::LOCKING_SP, Some((uid::admin(1), &pin))).unwrap().call(
        uid::MBR,
        uid::method::SET,
        vec![opal::token::Value::named(0, 1), opal::token::Value::named(1, &[1; 8][..])],
    );
    assert!(matches!(plain, Err(Error::Status(opal::Status::InvalidParameter))));
}

#[test]
fn the_shadow_mbr_that_is_none_and_the_one_that_sticks() {
    let pin = secret(PIN);
    for name in ["no-shadow-mbr", "shadow-mbr-claimed"] {
        let mut tper = tper(&drive_of(Profile::named(name).unwrap()));
        host::set_up(&mut tper, &pin).unwrap();
        assert!(matches!(host::shadow_mbr(&mut tper, &pin), Err(Error::NoShadowMbr)), "{name}");
        assert!(matches!(host::load_shadow_mbr(&mut tper, &pin, &[1], &mut |_| {}), Err(Error::NoShadowMbr)));
        // Users are made all the same.
        host::add_user(&mut tper, &pin, 1, &secret("user"), &[0]).unwrap();
    }
    let mut tper = tper(&drive_of(Profile::named("shadow-mbr-sticks").unwrap()));
    host::set_up(&mut tper, &pin).unwrap();
    host::set_shadow_mbr(&mut tper, &pin, true).unwrap();
    let stuck = host::set_shadow_mbr(&mut tper, &pin, false);
    assert!(matches!(stuck, Err(Error::NotKept { what: "MBRControl.Enable" })));
    let large = vec![0; usize::try_from(MIB).unwrap() + 1];
    let result = host::load_shadow_mbr(&mut tper, &pin, &large, &mut |_| {});
    assert!(matches!(result, Err(Error::ShadowMbrSmall { .. })));
}

#[test]
fn a_drive_that_says_yes_and_does_nothing_is_caught() {
    let pin = secret(PIN);
    let drive = drive_of(Profile::named("forgets-locks").unwrap());
    let mut tper = tper(&drive);
    host::set_up(&mut tper, &pin).unwrap();
    host::locking(&mut tper, &pin, 0, true).unwrap();
    assert!(matches!(host::lock(&mut tper, &pin, 0), Err(Error::NotKept { what: "ReadLocked" })));

    let drive = drive_of(Profile { faults: Faults { forgets_pin: true, ..Faults::default() }, ..Profile::default() });
    let mut tper = common::tper(&drive);
    assert!(matches!(host::take_ownership(&mut tper, &pin), Err(Error::NotKept { what: "C_PIN_SID" })));

    // The odd but honest ones work.
    for name in ["late", "comid-7ffe", "granularity-16", "opal-1-and-2", "blocks-4096", "block-size-520"] {
        let mut tper = common::tper(&drive_of(Profile::named(name).unwrap()));
        host::set_up(&mut tper, &pin).unwrap();
        host::locking(&mut tper, &pin, 0, true).unwrap();
        host::lock(&mut tper, &pin, 0).unwrap();
        assert!(tper.refresh().unwrap().facts().locked, "{name}");
    }
    let mut tper = common::tper(&drive_of(Profile::named("msid-unanswered").unwrap()));
    assert!(matches!(host::set_up(&mut tper, &pin), Err(Error::EmptyReply)));
}

#[test]
fn what_is_larger_than_the_drive_takes_is_not_sent() {
    let drive = drive();
    let mut tper = common::owned(&drive);
    let bytes = opal::token::Value::bytes(&[0; 3000]);
    let large = || vec![opal::token::Value::named(0, 0), opal::token::Value::named(1, bytes.clone())];
    let mut session = common::admin(&mut tper);
    let refused = session.call(uid::MBR, uid::method::SET, large());
    assert!(matches!(refused, Err(Error::TooLarge { limit: 2048, .. })), "{refused:?}");
    session.end().unwrap();
    // Known to take more, it is given more; and what is too large for its answer it says itself.
    tper.exchange_properties().unwrap();
    let mut session = common::admin(&mut tper);
    session.call(uid::MBR, uid::method::SET, large()).unwrap();
    let cells = opal::token::Value::List(vec![opal::token::Value::named(1, 0), opal::token::Value::named(2, 65_530)]);
    let overflow = session.call(uid::MBR, uid::method::GET, vec![cells]);
    assert!(matches!(overflow, Err(Error::Status(opal::Status::ResponseOverflow))), "{overflow:?}");
}

#[test]
fn the_session_of_a_dead_program_is_cleared_away() {
    let drive = drive();
    let mut tper = tper(&drive);
    host::set_up(&mut tper, &secret(PIN)).unwrap();
    std::mem::forget(tper.session(uid::LOCKING_SP, None).unwrap());
    let mut other = common::tper(&drive);
    host::locking(&mut other, &secret(PIN), 0, true).unwrap();
}

/// A way to the drive that a program has opened for itself, as a system's is: it can be held.
struct OfProgram {
    inner: Local,
    node: std::fs::File,
}

impl Transport for OfProgram {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        self.inner.send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        // Time for the other one to come in between.
        std::thread::yield_now();
        self.inner.receive(protocol, specific, buffer)
    }
    fn hold(&mut self) -> bool {
        self.node.try_lock().is_ok()
    }
    fn release(&mut self) {
        self.node.unlock().unwrap();
    }
}

#[test]
fn two_programs_at_once_wait_for_each_other() {
    let drive = drive();
    host::set_up(&mut tper(&drive), &secret(PIN)).unwrap();
    let node = tempfile::NamedTempFile::new().unwrap();
    let program = |looks| {
        let inner = Local(Arc::clone(&drive));
        let transport = OfProgram { inner, node: std::fs::File::open(node.path()).unwrap() };
        Tper::open_with(transport, Patience { pause: Duration::from_millis(1), looks }).unwrap()
    };
    std::thread::scope(|scope| {
        for number in 0..3_u8 {
            let mut tper = program(60_000);
            scope.spawn(move || {
                for round in 0..10 {
                    // Every one of them gets its own answers, whole.
                    assert_eq!(host::ranges(&mut tper, &secret(PIN)).unwrap().len(), 9);
                    let bytes = [number + 1, round];
                    host::write_store(&mut tper, &secret(PIN), 512 * u64::from(number), &bytes).unwrap();
                }
            });
        }
    });
    // One that never ends is told from one that died: nothing of it is broken off.
    let (mut first, mut second) = (program(5), program(5));
    let session = first.session(uid::LOCKING_SP, None).unwrap();
    let waited = host::ranges(&mut second, &secret(PIN));
    assert!(matches!(waited, Err(Error::InUse)), "{waited:?}");
    assert_eq!(Error::InUse.fault().code, "opal-in-use");
    session.end().unwrap();
    assert_eq!(host::ranges(&mut second, &secret(PIN)).unwrap().len(), 9);
}

fn flow<T: Transport>(tper: &mut Tper<T>, image: &[u8]) -> Result<()> {
    let (pin, recovery) = (secret(PIN), secret(RECOVERY));
    host::set_up(tper, &pin)?;
    host::add_admin(tper, &pin, 2, &recovery)?;
    // After a power cut behind the last step.
    host::unlock(tper, &pin, 0)?;
    host::load_shadow_mbr(tper, &pin, image, &mut |_| {})?;
    host::set_shadow_mbr(tper, &pin, true)?;
    host::locking(tper, &pin, 0, true)
}

/// The way to the drive breaks, and then the power, behind every single command. From there the flow goes
/// on, and it goes back, and the data are always there.
#[test]
fn a_cut_between_any_two_commands() {
    let image = pattern(3000, 5);
    let data = pattern(64 * 512, 6);
    let mut commands = 0;
    loop {
        let drive = drive();
        drive.write(0, &data).unwrap();
        let cut = Ends { inner: Local(Arc::clone(&drive)), left: commands };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        let whole = Tper::open_with(cut, patience).and_then(|mut tper| flow(&mut tper, &image));
        drive.power_cycle().unwrap();
        let forward = commands % 2 == 0;
        let mut tper = tper(&drive);
        if forward {
            flow(&mut tper, &image).unwrap();
            assert_eq!(read(&drive, 0, 64).unwrap(), data, "{commands}");
            drive.power_cycle().unwrap();
            assert!(tper.refresh().unwrap().facts().locked, "{commands}");
        }
        back(&mut tper, &drive, &data, commands);
        match whole {
            Ok(()) => break,
            Err(Error::DriveGone) => commands += 1,
            Err(error) => panic!("{commands}: {error:?}"),
        }
    }
    println!("{commands} commands");
    assert!(commands > 60);
}

/// Whatever state it is in: opened if it is locked, and given back.
fn back(tper: &mut Tper<Local>, drive: &Arc<Drive>, data: &[u8], cut: u32) {
    let pin = secret(PIN);
    match host::ownership(tper, Some(&pin)).unwrap() {
        Ownership::Free => {}
        Ownership::Ours => {
            if tper.refresh().unwrap().facts().locked {
                host::unlock(tper, &pin, 0).unwrap();
            }
            host::revert_keeping_data(tper, &pin).unwrap();
        }
        other => panic!("{cut}: {other:?}"),
    }
    assert_eq!(host::ownership(tper, None).unwrap(), Ownership::Free, "{cut}");
    assert_eq!(read(drive, 0, data.len() / 512).unwrap(), data, "{cut}");
}

#[test]
fn going_back_is_cut_anywhere_and_goes_on() {
    let data = pattern(64 * 512, 7);
    let mut commands = 0;
    loop {
        let drive = drive();
        drive.write(0, &data).unwrap();
        let pin = secret(PIN);
        host::set_up(&mut tper(&drive), &pin).unwrap();
        let cut = Ends { inner: Local(Arc::clone(&drive)), left: commands };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        let whole = Tper::open_with(cut, patience).and_then(|mut tper| host::revert_keeping_data(&mut tper, &pin));
        drive.power_cycle().unwrap();
        host::revert_keeping_data(&mut tper(&drive), &pin).unwrap();
        assert_eq!(host::ownership(&mut tper(&drive), None).unwrap(), Ownership::Free);
        assert_eq!(read(&drive, 0, 64).unwrap(), data, "{commands}");
        match whole {
            Ok(()) => break,
            Err(Error::DriveGone) => commands += 1,
            Err(error) => panic!("{commands}: {error:?}"),
        }
    }
}

#[test]
fn a_change_of_pins_is_cut_anywhere_and_goes_on() {
    let (old, new) = (secret(PIN), secret("new"));
    let mut commands = 0;
    loop {
        let drive = drive();
        host::set_up(&mut tper(&drive), &old).unwrap();
        let cut = Ends { inner: Local(Arc::clone(&drive)), left: commands };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        let whole = Tper::open_with(cut, patience).and_then(|mut tper| host::change_pins(&mut tper, &old, &new));
        drive.power_cycle().unwrap();
        let mut tper = tper(&drive);
        host::change_pins(&mut tper, &old, &new).unwrap();
        assert!(host::proves(&mut tper, uid::admin(1), &new).unwrap(), "{commands}");
        assert_eq!(host::ownership(&mut tper, Some(&new)).unwrap(), Ownership::Ours, "{commands}");
        match whole {
            Ok(()) => break,
            Err(Error::DriveGone) => commands += 1,
            Err(error) => panic!("{commands}: {error:?}"),
        }
    }
}

/// A way to the drive that changes answers.
struct Lies {
    inner: Local,
    countdown: u32,
    flips: Vec<(usize, u8)>,
    zeros: bool,
}

impl Transport for Lies {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        self.inner.send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        self.inner.receive(protocol, specific, buffer)?;
        if self.countdown == 0 {
            if self.zeros {
                buffer.fill(0);
            }
            for (at, bits) in &self.flips {
                if let Some(byte) = buffer.get_mut(*at) {
                    *byte ^= bits;
                }
            }
        }
        self.countdown = self.countdown.wrapping_sub(1);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// One answer of the whole flow is another one: an error at worst, never a panic, never lost data.
    #[test]
    fn answers_that_lie(
        countdown in 0u32..80, flips in proptest::collection::vec((0usize..160, any::<u8>()), 0..5), zeros: bool,
    ) {
        let drive = drive();
        let data = pattern(8 * 512, 8);
        drive.write(0, &data).unwrap();
        let lies = Lies { inner: Local(Arc::clone(&drive)), countdown, flips, zeros };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        if let Ok(mut tper) = Tper::open_with(lies, patience)
            && let Err(error) = flow(&mut tper, &pattern(600, 9))
        {
            prop_assert!(!error.fault().code.is_empty());
        }
        drive.power_cycle().unwrap();
        back(&mut tper(&drive), &drive, &data, countdown);
    }

    /// The same on the way back.
    #[test]
    fn answers_that_lie_on_the_way_back(
        countdown in 0u32..40, flips in proptest::collection::vec((56usize..120, any::<u8>()), 0..3), zeros: bool,
    ) {
        let drive = drive();
        let data = pattern(8 * 512, 8);
        drive.write(0, &data).unwrap();
        host::set_up(&mut tper(&drive), &secret(PIN)).unwrap();
        let lies = Lies { inner: Local(Arc::clone(&drive)), countdown, flips, zeros };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        if let Ok(mut tper) = Tper::open_with(lies, patience) {
            let _ = host::revert_keeping_data(&mut tper, &secret(PIN));
        }
        drive.power_cycle().unwrap();
        back(&mut tper(&drive), &drive, &data, countdown);
    }
}
