//! The virtual drive, method by method.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use blockdev::{Device, Memory};
use common::*;
use opal::device::{Blocks, Drive, Faults, IoError, Options, Profile};
use opal::discovery::Ssc;
use opal::token::Value;
use opal::uid::{self, ace, column, half, method};
use opal::{Error, Status};

fn on(cells: &[u64]) -> Vec<(u64, Value)> {
    cells.iter().map(|column| (*column, true.into())).collect()
}

const LOCKS: [u64; 2] = [column::READ_LOCKED, column::WRITE_LOCKED];
const ENABLES: [u64; 2] = [column::READ_LOCK_ENABLED, column::WRITE_LOCK_ENABLED];

#[test]
fn the_discovery_follows_the_state() {
    let drive = drive();
    let facts = tper(&drive).discovery().facts();
    assert_eq!((facts.ssc.as_slice(), facts.comid), (&[Ssc::Opal2][..], Some(0x1004)));
    assert!(facts.sync && facts.media_encryption && facts.sum && facts.mbr_shadow_supported);
    assert_eq!((facts.owned, facts.locking_enabled, facts.locked), (Some(false), false, false));
    assert_eq!((facts.ranges, facts.users, facts.granularity), (Some(9), Some(9), 8));

    let mut tper = owned(&drive);
    let facts = tper.refresh().unwrap().facts();
    assert_eq!((facts.owned, facts.locking_enabled, facts.locked), (Some(true), true, false));
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&[ENABLES, LOCKS].concat())).unwrap();
    assert!(tper.refresh().unwrap().facts().locked);
    admin(&mut tper).set(uid::MBR_CONTROL, on(&[column::MBR_ENABLE])).unwrap();
    assert!(tper.refresh().unwrap().facts().mbr_shadow_active);
}

#[test]
fn activation_and_locking_keep_the_data_and_a_new_key_destroys_them() {
    let drive = drive();
    let data = pattern(64 * 512, 1);
    drive.write(100, &data).unwrap();
    let mut tper = owned(&drive);
    assert_eq!(read(&drive, 100, 64).unwrap(), data);
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&ENABLES)).unwrap();
    assert_eq!(read(&drive, 100, 64).unwrap(), data);
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&LOCKS)).unwrap();
    assert!(matches!(read(&drive, 100, 64), Err(IoError::Denied)));
    assert!(matches!(drive.write(100, &data), Err(IoError::Denied)));
    assert!(matches!(drive.trim(100, 1), Err(IoError::Denied)));
    let open = LOCKS.map(|column| (column, false.into())).to_vec();
    admin(&mut tper).set(uid::GLOBAL_RANGE, open).unwrap();
    assert_eq!(read(&drive, 100, 64).unwrap(), data);

    admin(&mut tper).call(uid::key(0), method::GEN_KEY, Vec::new()).unwrap();
    let after = read(&drive, 100, 64).unwrap();
    assert!(after.chunks(16).zip(data.chunks(16)).all(|(after, before)| after != before));
    // What was never written is zero, whatever the key.
    assert_eq!(read(&drive, 300, 1).unwrap(), vec![0; 512]);
}

#[test]
fn a_power_cycle_locks_and_a_hardware_reset_does_not() {
    let drive = drive();
    let mut tper = owned(&drive);
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&ENABLES)).unwrap();
    drive.hardware_reset().unwrap();
    assert!(read(&drive, 0, 1).is_ok());
    drive.power_cycle().unwrap();
    assert!(matches!(read(&drive, 0, 1), Err(IoError::Denied)));

    // A range that is to be locked by hardware resets, too.
    let mut session = admin(&mut tper);
    session.set(uid::GLOBAL_RANGE, LOCKS.map(|column| (column, false.into())).to_vec()).unwrap();
    let resets = Value::List(vec![0.into(), 1.into()]);
    session.set(uid::GLOBAL_RANGE, vec![(column::LOCK_ON_RESET, resets)]).unwrap();
    session.end().unwrap();
    drive.hardware_reset().unwrap();
    assert!(matches!(read(&drive, 0, 1), Err(IoError::Denied)));
}

#[test]
fn a_new_range_has_another_key_and_what_crosses_it_is_cut_right() {
    let drive = drive();
    let data = pattern(256 * 512, 2);
    drive.write(0, &data).unwrap();
    let mut tper = owned(&drive);
    let shape = vec![(column::RANGE_START, 64.into()), (column::RANGE_LENGTH, 64.into())];
    admin(&mut tper).set(uid::range(1), shape).unwrap();
    let after = read(&drive, 0, 256).unwrap();
    assert_eq!(after[..64 * 512], data[..64 * 512]);
    assert_ne!(after[64 * 512..65 * 512], data[64 * 512..65 * 512]);
    assert_eq!(after[128 * 512..], data[128 * 512..]);

    let new = pattern(256 * 512, 3);
    drive.write(0, &new).unwrap();
    assert_eq!(read(&drive, 0, 256).unwrap(), new);
    assert_eq!(read(&drive, 60, 100).unwrap(), new[60 * 512..160 * 512]);
    // Locked in the middle: whoever touches it is refused, the rest goes on.
    admin(&mut tper).set(uid::range(1), on(&[ENABLES, LOCKS].concat())).unwrap();
    assert!(matches!(read(&drive, 0, 65), Err(IoError::Denied)));
    assert!(matches!(drive.write(127, &new[..1024]), Err(IoError::Denied)));
    assert_eq!(read(&drive, 0, 64).unwrap(), new[..64 * 512]);
    assert_eq!(read(&drive, 128, 128).unwrap(), new[128 * 512..]);
}

#[test]
fn ranges_are_aligned_inside_and_apart() {
    let drive = drive_of(Profile { granularity: 16, ..Profile::default() });
    let mut tper = owned(&drive);
    let mut session = admin(&mut tper);
    let mut set = |number, start: u64, length: u64| {
        session
            .set(uid::range(number), vec![(column::RANGE_START, start.into()), (column::RANGE_LENGTH, length.into())])
    };
    set(1, 16, 32).unwrap();
    for (start, length) in [(8, 32), (64, 40), (16, 16), (32, 32), (0, 32), (8192, 16), (u64::MAX, 16), (16, u64::MAX)]
    {
        let result = set(2, start, length);
        assert!(matches!(result, Err(Error::Status(Status::InvalidParameter))), "{start} {length}: {result:?}");
    }
    set(2, 48, 16).unwrap();
    set(1, 0, 0).unwrap();
    set(2, 0, 64).unwrap();
    let global = session.set(uid::GLOBAL_RANGE, vec![(column::RANGE_START, 16.into())]);
    assert!(global.is_err());
    assert!(matches!(session.set(uid::range(9), on(&LOCKS)), Err(Error::Status(Status::NotAuthorized))));
}

#[test]
fn wrong_pins_lock_out_until_the_power_was_off() {
    let drive = drive();
    let mut tper = owned(&drive);
    for _ in 0..5 {
        let wrong = session(&mut tper, uid::LOCKING_SP, uid::admin(1), "wrong").map(drop);
        assert!(matches!(wrong, Err(Error::Status(Status::NotAuthorized))), "{wrong:?}");
    }
    let right = session(&mut tper, uid::LOCKING_SP, uid::admin(1), PIN).map(drop);
    assert!(matches!(right, Err(Error::LockedOut)), "{right:?}");
    // Another authority has another count.
    session(&mut tper, uid::ADMIN_SP, uid::SID, PIN).unwrap().end().unwrap();
    drive.power_cycle().unwrap();
    for _ in 0..4 {
        assert!(session(&mut tper, uid::LOCKING_SP, uid::admin(1), "wrong").is_err());
    }
    // A right one sets the count back.
    admin(&mut tper).end().unwrap();
    assert!(session(&mut tper, uid::LOCKING_SP, uid::admin(1), "wrong").is_err());
    admin(&mut tper).end().unwrap();
}

#[test]
fn the_shadow_mbr_is_shown_in_place_of_the_first_sectors() {
    let drive = drive();
    let data = pattern(4096 * 512, 4);
    drive.write(0, &data).unwrap();
    let mut tper = owned(&drive);
    tper.exchange_properties().unwrap();
    let image = pattern(300_000, 5);
    let mut told = 0;
    let mut session = admin(&mut tper);
    assert_eq!(session.table_size(uid::MBR).unwrap(), Some(MIB));
    session.write_bytes(uid::MBR, 0, &image, &mut |done| told = done).unwrap();
    assert_eq!(told, 300_000);
    assert_eq!(session.read_bytes(uid::MBR, 0, 300_000).unwrap()[..], image);
    assert_eq!(read(&drive, 0, 64).unwrap(), data[..64 * 512]);
    session.set(uid::MBR_CONTROL, on(&[column::MBR_ENABLE])).unwrap();
    assert_eq!(read(&drive, 0, 64).unwrap(), image[..64 * 512]);
    // Behind the image the table is zero, behind the table come the data.
    assert_eq!(read(&drive, 2047, 1).unwrap(), vec![0; 512]);
    assert_eq!(read(&drive, 2048, 8).unwrap(), data[2048 * 512..2056 * 512]);
    assert!(matches!(read(&drive, 2040, 16), Err(IoError::Denied)));
    assert!(matches!(drive.write(0, &data[..512]), Err(IoError::Denied)));
    session.set(uid::MBR_CONTROL, on(&[column::MBR_DONE])).unwrap();
    session.end().unwrap();
    assert_eq!(read(&drive, 0, 64).unwrap(), data[..64 * 512]);
    drive.power_cycle().unwrap();
    assert_eq!(read(&drive, 0, 64).unwrap(), image[..64 * 512]);

    let mut session = admin(&mut tper);
    let beyond = session.write_bytes(uid::MBR, MIB - 4, &[1; 8], &mut |_| {});
    assert!(matches!(beyond, Err(Error::Status(Status::InvalidParameter))));
}

#[test]
fn a_user_sees_and_opens_what_it_is_given() {
    let drive = drive();
    let mut tper = owned(&drive);
    let user = uid::user(2);
    let mut session = admin(&mut tper);
    let refused = common::session(&mut common::tper(&drive), uid::LOCKING_SP, user, "").map(drop);
    assert!(refused.is_err());
    session.set(user, on(&[column::ENABLED])).unwrap();
    session.set(uid::c_pin(user), vec![(column::PIN, Value::bytes(b"user"))]).unwrap();
    let shape = vec![(column::RANGE_START, 64.into()), (column::RANGE_LENGTH, 64.into())];
    session.set(uid::range(1), shape).unwrap();
    session.set(uid::range(1), on(&ENABLES)).unwrap();
    let named = |kind: [u8; 4], value: Value| Value::Named(Box::new(Value::bytes(&kind)), Box::new(value));
    let either = Value::List(vec![
        named(half::AUTHORITY, uid::admin(1).into()),
        named(half::AUTHORITY, user.into()),
        named(half::BOOLEAN, 1.into()),
    ]);
    for element in [ace::range_get(1), ace::read_locked(1), ace::write_locked(1)] {
        session.set(element, vec![(column::BOOLEAN_EXPR, either.clone())]).unwrap();
    }
    assert_eq!(session.get_one(ace::read_locked(1), column::BOOLEAN_EXPR).unwrap(), Some(either));
    session.end().unwrap();

    let mut session = common::session(&mut tper, uid::LOCKING_SP, user, "user").unwrap();
    let cells = session.get(uid::range(1), 3..=8).unwrap();
    assert_eq!(cells[&column::RANGE_START], Value::Uint(64));
    // Not of another range: a name, and no cells.
    assert!(session.get(uid::range(2), 3..=8).unwrap().is_empty());
    session.set(uid::range(1), on(&LOCKS)).unwrap();
    assert!(matches!(session.set(uid::range(2), on(&LOCKS)), Err(Error::Status(Status::NotAuthorized))));
    assert!(session.set(uid::range(1), vec![(column::RANGE_LENGTH, 8.into())]).is_err());
    assert!(session.set(uid::c_pin(uid::admin(1)), vec![(column::PIN, Value::bytes(b"x"))]).is_err());
    session.set(uid::c_pin(user), vec![(column::PIN, Value::bytes(b"mine"))]).unwrap();
    session.end().unwrap();
    common::session(&mut tper, uid::LOCKING_SP, user, "mine").unwrap().end().unwrap();
}

#[test]
fn reverting_the_locking_sp_keeps_the_global_range_if_it_is_told_to() {
    let drive = drive();
    let data = pattern(32 * 512, 6);
    drive.write(0, &data).unwrap();
    let mut tper = owned(&drive);
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&[ENABLES, LOCKS].concat())).unwrap();
    let keep = || vec![Value::named(0x06_0000, true)];
    // Nobody may get at locked data by a revert.
    let locked = admin(&mut tper).call(uid::THIS_SP, method::REVERT_SP, keep());
    assert!(matches!(locked, Err(Error::Status(Status::Fail))));
    admin(&mut tper).set(uid::GLOBAL_RANGE, LOCKS.map(|column| (column, false.into())).to_vec()).unwrap();
    admin(&mut tper).last_call(uid::THIS_SP, method::REVERT_SP, keep()).unwrap();
    assert_eq!(read(&drive, 0, 32).unwrap(), data);
    assert!(!tper.refresh().unwrap().facts().locking_enabled);
    assert!(session(&mut tper, uid::LOCKING_SP, uid::admin(1), PIN).map(drop).is_err());
    // Activated again, with the data still there, and without the old PIN of a user.
    let mut sid = session(&mut tper, uid::ADMIN_SP, uid::SID, PIN).unwrap();
    sid.call(uid::LOCKING_SP, method::ACTIVATE, Vec::new()).unwrap();
    sid.end().unwrap();
    assert_eq!(read(&drive, 0, 32).unwrap(), data);
    admin(&mut tper).last_call(uid::THIS_SP, method::REVERT_SP, Vec::new()).unwrap();
    assert_ne!(read(&drive, 0, 32).unwrap(), data);
}

#[test]
fn the_psid_sets_everything_back_and_nothing_is_left() {
    let drive = drive();
    let data = pattern(32 * 512, 7);
    drive.write(0, &data).unwrap();
    let mut tper = owned(&drive);
    let mut session = admin(&mut tper);
    session.set(uid::GLOBAL_RANGE, on(&[ENABLES, LOCKS].concat())).unwrap();
    session.write_bytes(uid::data_store(0), 0, b"a note", &mut |_| {}).unwrap();
    session.end().unwrap();
    let label = drive.label();
    assert_eq!((label.psid.len(), label.serial.as_str()), (32, "TEST0001"));
    let wrong = common::session(&mut tper, uid::ADMIN_SP, uid::PSID, "WRONG").map(drop);
    assert!(matches!(wrong, Err(Error::Status(Status::NotAuthorized))));
    let session = common::session(&mut tper, uid::ADMIN_SP, uid::PSID, &label.psid).unwrap();
    session.last_call(uid::ADMIN_SP, method::REVERT, Vec::new()).unwrap();
    let facts = tper.refresh().unwrap().facts();
    assert_eq!((facts.owned, facts.locking_enabled, facts.locked), (Some(false), false, false));
    assert_ne!(read(&drive, 0, 32).unwrap(), data);
    owned(&drive);
    let mut tper = common::tper(&drive);
    assert_eq!(admin(&mut tper).read_bytes(uid::data_store(0), 0, 6).unwrap()[..], [0; 6]);
}

#[test]
fn sid_can_be_blocked_until_the_next_start() {
    let drive = drive();
    let msid = drive.label().msid;
    let mut tper = tper(&drive);
    tper.block_sid(true).unwrap();
    let facts = tper.refresh().unwrap().facts();
    assert!(facts.sid_blocked && facts.block_cleared_by_hardware_reset);
    let blocked = session(&mut tper, uid::ADMIN_SP, uid::SID, &msid).map(drop);
    assert!(matches!(blocked, Err(Error::Status(Status::NotAuthorized))));
    assert!(matches!(tper.block_sid(true), Err(Error::CommandRefused { .. })));
    // Nobody's session is not touched by it, and a hardware reset ends it.
    tper.session(uid::ADMIN_SP, None).unwrap().end().unwrap();
    drive.hardware_reset().unwrap();
    session(&mut tper, uid::ADMIN_SP, uid::SID, &msid).unwrap().end().unwrap();
    tper.block_sid(false).unwrap();
    drive.hardware_reset().unwrap();
    assert!(tper.refresh().unwrap().facts().sid_blocked);
    drive.power_cycle().unwrap();
    assert!(!tper.refresh().unwrap().facts().sid_blocked);
}

#[test]
fn a_session_that_nobody_ends_stands_in_the_way_until_the_stack_is_reset() {
    let drive = drive();
    let mut tper = owned(&drive);
    std::mem::forget(tper.session(uid::ADMIN_SP, None).unwrap());
    let mut other = common::tper(&drive);
    assert!(matches!(other.session(uid::ADMIN_SP, None).map(drop), Err(Error::Busy)));
    assert!(matches!(session(&mut other, uid::LOCKING_SP, uid::admin(1), PIN).map(drop), Err(Error::Busy)));
    other.reset_stack().unwrap();
    other.session(uid::ADMIN_SP, None).unwrap().end().unwrap();
    std::mem::forget(tper.session(uid::ADMIN_SP, None).unwrap());
    drive.interface_reset();
    other.session(uid::ADMIN_SP, None).unwrap().end().unwrap();
}

#[test]
fn a_tper_reset_must_have_been_allowed() {
    let drive = drive();
    let mut tper = owned(&drive);
    assert!(matches!(tper.reset_tper(), Err(Error::CommandRefused { .. })));
    let mut sid = session(&mut tper, uid::ADMIN_SP, uid::SID, PIN).unwrap();
    sid.set(uid::TPER_INFO, on(&[column::PROGRAMMATIC_RESET])).unwrap();
    sid.end().unwrap();
    let resets = Value::List(vec![0.into(), 3.into()]);
    let mut session = admin(&mut tper);
    session.set(uid::GLOBAL_RANGE, on(&ENABLES)).unwrap();
    session.set(uid::GLOBAL_RANGE, vec![(column::LOCK_ON_RESET, resets)]).unwrap();
    session.end().unwrap();
    tper.reset_tper().unwrap();
    assert!(matches!(read(&drive, 0, 1), Err(IoError::Denied)));
}

#[test]
fn in_single_user_mode_the_administrator_is_shut_out() {
    let drive = drive();
    let mut tper = owned(&drive);
    let selection = Value::named(0x06_0000, Value::List(vec![uid::range(1).into()]));
    // The drive ends the session when it has done it.
    admin(&mut tper).last_call(uid::THIS_SP, method::REACTIVATE, vec![selection]).unwrap();
    assert!(tper.refresh().unwrap().facts().sum_active);
    let user = uid::user(2);
    let mut session = admin(&mut tper);
    assert!(session.set(uid::c_pin(user), vec![(column::PIN, Value::bytes(b"x"))]).is_err());
    assert!(session.set(uid::range(1), on(&LOCKS)).is_err());
    let shape = vec![(column::RANGE_START, 64.into()), (column::RANGE_LENGTH, 64.into())];
    session.set(uid::range(1), shape).unwrap();
    session.end().unwrap();
    drive.write(64, &pattern(512, 8)).unwrap();
    let mut session = common::session(&mut tper, uid::LOCKING_SP, user, "").unwrap();
    session.set(uid::c_pin(user), vec![(column::PIN, Value::bytes(b"mine"))]).unwrap();
    session.set(uid::range(1), on(&LOCKS)).unwrap();
    session.end().unwrap();
    assert!(read(&drive, 64, 1).is_err());
    // Erasing is all that the administrator can do.
    admin(&mut tper).call(uid::range(1), method::ERASE, Vec::new()).unwrap();
    assert_ne!(read(&drive, 64, 1).unwrap(), pattern(512, 8));
    common::session(&mut tper, uid::LOCKING_SP, user, "").unwrap().end().unwrap();
    assert!(matches!(
        admin(&mut tper).call(uid::range(2), method::ERASE, Vec::new()),
        Err(Error::Status(Status::NotAuthorized))
    ));
}

#[test]
fn the_rest_of_the_tables() {
    let drive = drive();
    let mut tper = owned(&drive);
    let mut session = admin(&mut tper);
    assert_eq!(session.rows(uid::LOCKING_TABLE).unwrap().len(), 9);
    assert_eq!(session.get_one(uid::LOCKING_INFO, column::MAX_RANGES).unwrap(), Some(8.into()));
    assert_eq!(session.get_one(uid::range(3), column::ACTIVE_KEY).unwrap(), Some(uid::key(3).into()));
    // Never the PIN itself.
    let pin = session.get(uid::c_pin(uid::admin(1)), 0..=20).unwrap();
    assert!(!pin.contains_key(&column::PIN) && pin.contains_key(&column::TRY_LIMIT));
    let random = session.call(uid::THIS_SP, method::RANDOM, vec![32.into()]).unwrap();
    assert_eq!(random[0].as_bytes().unwrap().len(), 32);
    assert!(session.call(uid::THIS_SP, method::RANDOM, vec![100_000.into()]).is_err());
    assert!(session.authenticate(uid::admin(1), &secret(PIN)).unwrap());
    assert!(!session.authenticate(uid::admin(1), &secret("no")).unwrap());
    // The first administrator stays.
    assert!(session.set(uid::admin(1), vec![(column::ENABLED, false.into())]).is_err());
    session.end().unwrap();
    let mut session = tper.session(uid::ADMIN_SP, None).unwrap();
    assert_eq!(session.get_one(uid::LOCKING_SP, column::LIFE_CYCLE).unwrap(), Some(9.into()));
    assert_eq!(session.get_one(uid::C_PIN_SID, column::PIN).unwrap(), None);
    assert!(session.get_one(uid::C_PIN_MSID, column::PIN).unwrap().is_some());
    assert_eq!(session.rows(uid::Uid::new(0x205, 0)).unwrap(), [uid::ADMIN_SP, uid::LOCKING_SP]);
    assert!(session.call(uid::LOCKING_SP, method::ACTIVATE, Vec::new()).is_err());
    assert!(session.set(uid::C_PIN_SID, vec![(column::PIN, Value::bytes(b"x"))]).is_err());
}

#[test]
fn a_file_holds_the_drive_across_programs() {
    let profile = small(Profile::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive");
    let size = Drive::overhead(&profile) + 8 * MIB;
    std::fs::File::create(&path).unwrap().set_len(size).unwrap();
    let open = || Arc::new(blockdev::FileDevice::open(&path, blockdev::Access::Exclusive).unwrap());
    assert!(matches!(Drive::open(open()).map(drop), Err(Error::NoVirtualDrive)));
    let drive = Arc::new(Drive::create(open(), Options { profile, ..Options::default() }).unwrap());
    let data = pattern(8192, 9);
    drive.write(16, &data).unwrap();
    let label = drive.label();
    let mut tper = owned(&drive);
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&ENABLES)).unwrap();
    drop((tper, drive));

    let drive = Arc::new(Drive::open(open()).unwrap());
    assert_eq!(drive.label(), label);
    assert!(matches!(read(&drive, 16, 16), Err(IoError::Denied)));
    let mut tper = common::tper(&drive);
    admin(&mut tper).set(uid::GLOBAL_RANGE, LOCKS.map(|column| (column, false.into())).to_vec()).unwrap();
    assert_eq!(read(&drive, 16, 16).unwrap(), data);
    // On the medium it is something else, and so is the PIN.
    let raw = std::fs::read(&path).unwrap();
    assert!(!raw.windows(16).any(|window| window == &data[..16]));
    assert!(!raw.windows(PIN.len() + 2).any(|window| window == format!("\"{PIN}\"").as_bytes()));
}

/// Fails at the write or flush with this number, in the middle of it, and from then on.
struct Cut {
    inner: Arc<Memory>,
    left: AtomicU64,
}

impl Cut {
    fn step(&self) -> Option<bool> {
        match self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| Some(left.saturating_sub(1))) {
            Ok(0) => None,
            Ok(1) => Some(false),
            _ => Some(true),
        }
    }

    fn gone(&self) -> blockdev::Error {
        blockdev::Error::Full
    }
}

impl Device for Cut {
    fn size(&self) -> u64 {
        self.inner.size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        self.inner.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        match self.step() {
            Some(true) => self.inner.write_at(offset, data),
            // Torn: what was under way is half there.
            Some(false) => {
                let half = data.len() / 2;
                self.inner.write_at(offset, &data[..half])?;
                Err(self.gone())
            }
            None => Err(self.gone()),
        }
    }
    fn flush(&self) -> blockdev::Result<()> {
        if self.step() == Some(true) { Ok(()) } else { Err(self.gone()) }
    }
    fn resize(&self, _: u64) -> blockdev::Result<()> {
        Err(blockdev::Error::FixedSize)
    }
}

/// Power fails at every single write of a change: the drive comes up with the state before or after.
#[test]
fn a_cut_leaves_the_state_before_or_after() {
    let profile = small(Profile::default());
    let memory = memory(&profile, MIB);
    let drive = Arc::new(
        Drive::create(Arc::clone(&memory) as Arc<dyn Device>, Options { profile, ..Options::default() }).unwrap(),
    );
    let mut tper = owned(&drive);
    let data = pattern(512, 10);
    drive.write(40, &data).unwrap();
    admin(&mut tper).set(uid::GLOBAL_RANGE, on(&ENABLES)).unwrap();
    drop((tper, drive));
    let base = snapshot(&memory);

    let (mut before, mut after) = (0, 0);
    for cut in 1..40 {
        let memory = Arc::new(Memory::new(base.clone()));
        let device = Arc::new(Cut { inner: Arc::clone(&memory), left: AtomicU64::new(u64::MAX) });
        let drive = Arc::new(Drive::open(Arc::clone(&device) as Arc<dyn Device>).unwrap());
        let mut tper = common::tper(&drive);
        device.left.store(cut, Ordering::SeqCst);
        let mut told = 0;
        let mut session = admin(&mut tper);
        let open = LOCKS.map(|column| (column, false.into())).to_vec();
        let other = vec![(column::PIN, Value::bytes(b"other"))];
        for step in 0..4 {
            let result = match step {
                0 => session.set(uid::GLOBAL_RANGE, open.clone()),
                1 => session.write_bytes(uid::MBR, 70_000, &[7; 900], &mut |_| {}),
                2 => session.set(uid::MBR_CONTROL, on(&[column::MBR_ENABLE])),
                _ => session.set(uid::c_pin(uid::admin(1)), other.clone()),
            };
            if result.is_err() {
                break;
            }
            told += 1;
        }
        drop(session);
        drop((tper, drive));

        let drive = Arc::new(Drive::open(memory).unwrap());
        let mut tper = common::tper(&drive);
        let facts = tper.discovery().facts();
        // What was answered with success is there; the one under way may be.
        assert!(told < 3 || facts.mbr_enabled, "{cut}");
        assert!(told >= 2 || !facts.mbr_enabled, "{cut}");
        let pin =
            if common::session(&mut tper, uid::LOCKING_SP, uid::admin(1), "other").is_ok() { "other" } else { PIN };
        assert!(pin == "other" || told < 4, "{cut}");
        let mut session = common::session(&mut tper, uid::LOCKING_SP, uid::admin(1), pin).unwrap();
        let table = session.read_bytes(uid::MBR, 70_000, 900).unwrap();
        if told >= 2 {
            assert_eq!(table[..], [7; 900], "{cut}");
        }
        let open = [column::READ_LOCKED, column::WRITE_LOCKED].map(|column| (column, false.into())).to_vec();
        session.set(uid::GLOBAL_RANGE, open).unwrap();
        session.set(uid::MBR_CONTROL, vec![(column::MBR_ENABLE, false.into())]).unwrap();
        session.end().unwrap();
        assert_eq!(read(&drive, 40, 1).unwrap(), data);
        if told == 4 { after += 1 } else { before += 1 }
    }
    assert!(before > 8 && after > 5, "{before} {after}");
}

#[test]
fn what_is_no_drive_or_a_damaged_one_is_refused() {
    let profile = small(Profile::default());
    let memory = memory(&profile, MIB);
    let drive = Drive::create(
        Arc::clone(&memory) as Arc<dyn Device>,
        Options { profile: profile.clone(), ..Options::default() },
    );
    drop(drive.unwrap());
    let base = snapshot(&memory);
    let refused = |bytes: Vec<u8>| Drive::open(Arc::new(Memory::new(bytes))).map(drop).unwrap_err();
    assert!(matches!(refused(Vec::new()), Error::NoVirtualDrive));
    assert!(matches!(refused(vec![0; base.len()]), Error::NoVirtualDrive));
    assert!(matches!(refused(vec![0xaa; base.len()]), Error::NoVirtualDrive));
    let mut damaged = base.clone();
    let slot = 512 << 10;
    for at in [slot + 100, 100] {
        damaged[at] ^= 1;
    }
    assert!(matches!(refused(damaged), Error::VirtualDriveDamaged(_)));
    // Cut off behind the state.
    assert!(matches!(refused(base[..2 << 20].to_vec()), Error::VirtualDriveDamaged(_)));
    let small = Arc::new(Memory::new(vec![0; 4096]));
    let result = Drive::create(small, Options { profile, ..Options::default() }).map(drop);
    assert!(matches!(result, Err(Error::VirtualDriveSize { .. })));
}

#[test]
fn the_odd_drives() {
    for name in Profile::NAMES {
        let profile = Profile::named(name).unwrap();
        let drive = drive_of(profile.clone());
        let tper = tper(&drive);
        assert_eq!(tper.comid(), profile.comid, "{name}");
        let facts = tper.discovery().facts();
        assert_eq!(facts.media_encryption, profile.media_encryption);
        assert_eq!(facts.ssc, profile.ssc, "{name}");
    }
    assert!(Profile::named("no such").is_none());

    let drive = drive_of(Profile::named("late").unwrap());
    owned(&drive);
    let drive = drive_of(Profile::named("msid-unanswered").unwrap());
    let mut tper = tper(&drive);
    let mut session = tper.session(uid::ADMIN_SP, None).unwrap();
    assert!(matches!(session.get_one(uid::C_PIN_MSID, column::PIN), Err(Error::EmptyReply)));
    drop(session);

    let drive = drive_of(Profile::named("crash-in-revert").unwrap());
    let psid = drive.label().psid;
    let mut tper = common::tper(&drive);
    let session = common::session(&mut tper, uid::ADMIN_SP, uid::PSID, &psid).unwrap();
    assert!(matches!(session.last_call(uid::ADMIN_SP, method::REVERT, Vec::new()), Err(Error::Status(Status::Fail))));
    assert!(matches!(tper.session(uid::ADMIN_SP, None).map(drop), Err(Error::Busy)));
    drive.set_faults(Faults::default()).unwrap();
    drive.power_cycle().unwrap();
    let session = common::session(&mut tper, uid::ADMIN_SP, uid::PSID, &psid).unwrap();
    session.last_call(uid::ADMIN_SP, method::REVERT, Vec::new()).unwrap();

    let drive = drive_of(Profile::named("dead-after-revert").unwrap());
    let psid = drive.label().psid;
    let mut tper = common::tper(&drive);
    let session = common::session(&mut tper, uid::ADMIN_SP, uid::PSID, &psid).unwrap();
    session.last_call(uid::ADMIN_SP, method::REVERT, Vec::new()).unwrap();
    assert!(matches!(read(&drive, 0, 1), Err(IoError::Dead)));
    drive.power_cycle().unwrap();
    assert!(read(&drive, 0, 1).is_ok());
}

/// Drives of which no bytes were recorded, only what a program printed about them: the profile that is made
/// after each has what the recording expects.
#[test]
fn the_profiles_are_the_drives_of_the_recordings() {
    use opal::discovery::Advice;
    for (case, name) in [("14", "enterprise"), ("19", "granularity-16"), ("26", "comid-7ffe"), ("40", "opal-1-and-2")] {
        let Some(path) = data(&format!("opal/{case}.txt")) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix("EXPECT: ")).unwrap();
        let facts = tper(&drive_of(Profile::named(name).unwrap())).discovery().facts();
        for (key, value) in expected.split_whitespace().filter_map(|pair| pair.split_once('=')) {
            let ours = match key {
                "ssc" => facts.ssc.iter().map(|ssc| ssc.name()).collect::<Vec<_>>().join("+"),
                "granularity" => facts.granularity.to_string(),
                "comid" => format!("{:#06x}", facts.comid.unwrap()),
                "tper_async" => if facts.asynchronous { "yes" } else { "no" }.into(),
                "media_encryption" => if facts.media_encryption { "yes" } else { "no" }.into(),
                "action" if value == "software" => {
                    assert_eq!(facts.advice(None), Advice::NotSupported);
                    continue;
                }
                "action" => {
                    assert_eq!(facts.advice(None), Advice::OfferHardware);
                    continue;
                }
                // What other commands say.
                _ => continue,
            };
            assert_eq!(ours, value, "{case}: {key}");
        }
    }
}

#[test]
fn blocks_of_4096_bytes() {
    let drive = drive_of(Profile::named("blocks-4096").unwrap());
    let blocks = Blocks(Arc::clone(&drive));
    assert_eq!((blocks.logical_sector(), blocks.size()), (4096, 4 * MIB));
    let data = pattern(12_288, 11);
    blocks.write_at(4096, &data).unwrap();
    assert_eq!(blocks.read_vec(4096, 12_288).unwrap(), data);
    // Odd pieces can be read, not written.
    assert_eq!(blocks.read_vec(5000, 100).unwrap(), data[904..1004]);
    assert!(blocks.write_at(5000, &data[..100]).is_err());
    assert!(blocks.write_at(4 * MIB, &data).is_err() && blocks.read_vec(4 * MIB - 1, 2).is_err());
    // Only whole blocks.
    assert!(blocks.discard(4095, 2).unwrap());
    assert_eq!(blocks.read_vec(4096, 12_288).unwrap(), data);
    assert!(blocks.discard(4000, 13_000).unwrap());
    assert_eq!(blocks.read_vec(4096, 12_288).unwrap(), vec![0; 12_288]);
}

/// A ComPacket that is larger than what the drive takes is refused with the command; an answer that is larger than
/// what the host asked for waits until it asks for enough.
#[test]
fn packets_that_are_too_large() {
    use opal::message::{Call, Message};
    use opal::packet::{self, Numbers};

    let drive = drive_of(Profile { max_com_packet: 2048, ..Profile::default() });
    let call = Call::new(uid::SESSION_MANAGER, method::PROPERTIES, Vec::new());
    let tokens = Message::Call(call).encode();
    let packet = packet::wrap(0x1004, Numbers::default(), &tokens, 2048);
    assert!(drive.security_send(1, 0x1004, &packet));
    let large = packet::wrap(0x1004, Numbers::default(), &tokens, 2560);
    assert!(!drive.security_send(1, 0x1004, &large));
    // What was asked before still waits, whole, for whoever makes enough room.
    let small = drive.security_receive(1, 0x1004, 64).unwrap();
    let told = packet::unwrap(&small).unwrap();
    assert!(told.content.is_none() && told.outstanding > 64 && told.min_transfer == told.outstanding);
    let whole = drive.security_receive(1, 0x1004, 2048).unwrap();
    assert!(packet::unwrap(&whole).unwrap().content.is_some());
    assert!(packet::unwrap(&drive.security_receive(1, 0x1004, 2048).unwrap()).unwrap().content.is_none());
}

mod hostile {
    use opal::message::{Call, Message};
    use opal::packet::{self, Numbers};
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            (0u64..16).prop_map(Value::Uint),
            any::<u64>().prop_map(Value::Uint),
            proptest::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| Value::bytes(&bytes)),
            object().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
                ((0u64..12), inner).prop_map(|(name, value)| Value::named(name, value)),
            ]
        })
    }

    fn object() -> impl Strategy<Value = opal::Uid> {
        prop_oneof![
            proptest::sample::select(vec![
                uid::THIS_SP,
                uid::ADMIN_SP,
                uid::LOCKING_SP,
                uid::GLOBAL_RANGE,
                uid::range(1),
                uid::key(1),
                uid::MBR,
                uid::MBR_CONTROL,
                uid::data_store(0),
                uid::admin(1),
                uid::user(1),
                uid::c_pin(uid::user(1)),
                ace::read_locked(1),
                uid::LOCKING_INFO,
                uid::table_row(uid::MBR),
                uid::LOCKING_TABLE,
            ]),
            any::<[u8; 8]>().prop_map(opal::Uid),
        ]
    }

    fn a_method() -> impl Strategy<Value = opal::Uid> {
        proptest::sample::select(vec![
            method::GET,
            method::SET,
            method::NEXT,
            method::GEN_KEY,
            method::REVERT_SP,
            method::REVERT,
            method::ACTIVATE,
            method::RANDOM,
            method::AUTHENTICATE,
            method::ERASE,
            method::REACTIVATE,
            method::GET_ACL,
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Methods that make no sense, in an open session of the one who may do everything.
        #[test]
        fn no_method_is_too_bad(
            calls in proptest::collection::vec((object(), a_method(), proptest::collection::vec(value(), 0..4)), 1..12),
        ) {
            let drive = drive();
            let mut tper = owned(&drive);
            let mut session = admin(&mut tper);
            for (object, method, parameters) in calls {
                let _ = session.call(object, method, parameters);
            }
            drop(session);
            drop(tper);
            // It is still a drive.
            tper_works(&drive);
        }

        /// Packets with damaged bytes, and plain noise.
        #[test]
        fn no_packet_is_too_bad(
            noise in proptest::collection::vec(any::<u8>(), 0..200), flips in proptest::collection::vec((0usize..200, any::<u8>()), 0..6),
            protocol in 0u8..4, comid in proptest::sample::select(vec![0u16, 1, 4, 5, 0x1004]), length in 0usize..3000,
        ) {
            let drive = drive();
            let start = Call::new(uid::SESSION_MANAGER, method::START_SESSION, vec![1.into(), uid::ADMIN_SP.into(), true.into()]);
            let mut packet = packet::wrap(0x1004, Numbers::default(), &Message::Call(start).encode(), 1).to_vec();
            for (at, bits) in flips {
                if let Some(byte) = packet.get_mut(at) {
                    *byte ^= bits;
                }
            }
            drive.security_send(1, 0x1004, &packet);
            let _ = drive.security_receive(1, 0x1004, length);
            drive.security_send(protocol, comid, &noise);
            let _ = drive.security_receive(protocol, comid, length);
            drive.power_cycle().unwrap();
            tper_works(&drive);
        }
    }

    fn tper_works(drive: &Arc<Drive>) {
        let mut tper = common::tper(drive);
        tper.reset_stack().unwrap();
        tper.session(uid::ADMIN_SP, None).unwrap().end().unwrap();
        drive.read(0, &mut [0; 512]).map_or_else(|error| assert!(matches!(error, IoError::Denied)), |()| {});
    }
}
