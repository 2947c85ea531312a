//! The whole hardware way, with a password and a recovery key.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Ends, drive, drive_of, pattern, read, secret, tper};
use model::Secret;
use opal::device::{Drive, Local, Profile};
use opal::host::{self, Ownership};
use opal::message::{Call, Message, named};
use opal::packet;
use opal::pin::{Cost, WayIn};
use opal::preboot::{Closed, Door, Turn};
use opal::protect::{self, Places, Secrets};
use opal::token::Value;
use opal::uid::{self, column, method};
use opal::{Error, Patience, Result, Tper, Transport};

/// As cheap as it can be: what it costs is not what is tested.
const COST: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

struct People {
    password: Secret,
    recovery: Secret,
}

impl People {
    fn new() -> Self {
        Self { password: secret("Käsekuchen 7"), recovery: secret("RECOVERY-KEY-WITH-MANY-LETTERS") }
    }
    fn secrets(&self) -> Secrets<'_> {
        Secrets { password: &self.password, recovery: &self.recovery }
    }
}

fn all<T: Transport>(tper: &mut Tper<T>, people: &People, image: &[u8]) -> Result<()> {
    protect::prepare(tper, people.secrets(), COST)?;
    // Whoever comes back after a power cut may find it locked.
    protect::open(tper, WayIn::Password, &people.password)?;
    protect::load_image(tper, &people.password, image, &mut |_| {})?;
    protect::show_image(tper, &people.password, true)?;
    protect::switch_on(tper, &people.password, true)
}

#[test]
fn from_a_new_drive_to_a_locked_one_and_back() {
    let drive = drive();
    let data = pattern(256 * 512, 1);
    drive.write(0, &data).unwrap();
    let people = People::new();
    let mut tper = tper(&drive);
    let places = protect::prepare(&mut tper, people.secrets(), COST).unwrap();
    assert_eq!(places, Places { data_store: true, shadow_mbr: true });
    let room = protect::room_for_image(&mut tper, &people.password).unwrap();
    assert_eq!(room, common::MIB - 512);
    let image = pattern(usize::try_from(room).unwrap(), 2);
    let large = vec![0; image.len() + 1];
    let refused = protect::load_image(&mut tper, &people.password, &large, &mut |_| {});
    assert!(matches!(refused, Err(Error::ShadowMbrSmall { .. })));
    all(&mut tper, &people, &image).unwrap();
    assert_eq!(read(&drive, 0, 256).unwrap(), data);

    for (way, right) in [(WayIn::Password, &people.password), (WayIn::Recovery, &people.recovery)] {
        drive.power_cycle().unwrap();
        assert_eq!(read(&drive, 0, 16).unwrap(), image[..16 * 512]);
        assert!(matches!(protect::open(&mut tper, way, &secret("wrong")), Err(Error::WrongPin)));
        protect::open(&mut tper, way, right).unwrap();
        assert_eq!(read(&drive, 0, 256).unwrap(), data);
        protect::close(&mut tper, way, right).unwrap();
        assert!(read(&drive, 0, 1).is_err());
    }
    protect::give_back(&mut tper, WayIn::Password, &people.password).unwrap();
    assert_eq!(read(&drive, 0, 256).unwrap(), data);
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
    assert!(matches!(protect::open(&mut tper, WayIn::Password, &people.password), Err(Error::NotActivated)));
}

#[test]
fn the_password_is_changed_and_reset() {
    let drive = drive();
    let people = People::new();
    let mut tper = tper(&drive);
    all(&mut tper, &people, &[7; 512]).unwrap();
    let (second, third) = (secret("second"), secret("third"));
    let wrong = protect::change_password(&mut tper, &people.password, &second, Some(&third));
    assert!(matches!(wrong, Err(Error::WrongPin)));
    protect::change_password(&mut tper, &people.password, &second, Some(&people.recovery)).unwrap();
    protect::open(&mut tper, WayIn::Password, &second).unwrap();
    assert!(protect::open(&mut tper, WayIn::Password, &people.password).is_err());
    // Forgotten.
    protect::reset_password(&mut tper, &people.recovery, &third).unwrap();
    let secrets = Secrets { password: &third, recovery: &people.recovery };
    protect::prove(&mut tper, secrets).unwrap();
    drive.power_cycle().unwrap();
    // Without the recovery key it is a way in, and no more.
    protect::change_password(&mut tper, &third, &second, None).unwrap();
    let reset = protect::reset_password(&mut tper, &people.recovery, &third);
    assert!(matches!(reset, Err(Error::NoSuchAuthority)));
    protect::open(&mut tper, WayIn::Recovery, &people.recovery).unwrap();
    protect::prove(&mut tper, Secrets { password: &second, recovery: &people.recovery }).unwrap();
}

#[test]
fn the_recovery_key_gives_the_drive_back() {
    let drive = drive();
    let data = pattern(64 * 512, 3);
    drive.write(0, &data).unwrap();
    let people = People::new();
    let mut tper = tper(&drive);
    all(&mut tper, &people, &[7; 512]).unwrap();
    drive.power_cycle().unwrap();
    assert!(matches!(protect::give_back(&mut tper, WayIn::Recovery, &secret("no")), Err(Error::WrongPin)));
    protect::give_back(&mut tper, WayIn::Recovery, &people.recovery).unwrap();
    assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
    assert_eq!(read(&drive, 0, 64).unwrap(), data);
}

#[test]
fn one_of_the_notes_is_enough_and_with_the_usual_costs_none_is_needed() {
    let people = People::new();
    // The DataStore's is damaged: the other one is read.
    let drive = drive();
    let mut tper = tper(&drive);
    all(&mut tper, &people, &[7; 512]).unwrap();
    let pin = protect::record(&mut tper).unwrap().pin(WayIn::Password, &people.password).unwrap();
    host::write_store(&mut tper, &pin, 100, b"something else").unwrap();
    protect::open(&mut tper, WayIn::Password, &people.password).unwrap();
    // Repeating puts it right.
    protect::prepare(&mut tper, people.secrets(), COST).unwrap();

    // No shadow MBR.
    let drive = drive_of(Profile::named("no-shadow-mbr").unwrap());
    let mut tper = common::tper(&drive);
    let places = protect::prepare(&mut tper, people.secrets(), COST).unwrap();
    assert_eq!(places, Places { data_store: true, shadow_mbr: false });
    protect::switch_on(&mut tper, &people.password, true).unwrap();
    drive.power_cycle().unwrap();
    protect::open(&mut tper, WayIn::Recovery, &people.recovery).unwrap();

    // Whole units only.
    let drive = drive_of(Profile::named("write-granularity").unwrap());
    let mut tper = common::tper(&drive);
    let places = protect::prepare(&mut tper, people.secrets(), COST).unwrap();
    assert_eq!(places, Places { data_store: true, shadow_mbr: true });

    // Neither: refused with other costs than the usual ones.
    let bare = Profile { data_store_size: 0, ..Profile::named("no-shadow-mbr").unwrap() };
    let drive = common::memory(&bare, common::MIB);
    let options = opal::device::Options { profile: bare, ..opal::device::Options::default() };
    let mut tper = common::tper(&Arc::new(Drive::create(drive, options).unwrap()));
    assert!(matches!(protect::prepare(&mut tper, people.secrets(), COST), Err(Error::RecordDamaged)));
}

#[test]
fn the_pin_is_what_it_says_and_opens_without_us() {
    let drive = drive();
    let people = People::new();
    let mut tper = tper(&drive);
    all(&mut tper, &people, &[7; 512]).unwrap();
    let record = protect::record(&mut tper).unwrap();
    let pin = record.pin(WayIn::Password, &people.password).unwrap();
    assert!(pin.expose().len() == 32 && pin.expose().iter().all(u8::is_ascii_hexdigit));
    // By the plain protocol, as any tool would.
    tper.session(uid::LOCKING_SP, Some((uid::admin(1), &pin))).unwrap().end().unwrap();
    tper.session(uid::ADMIN_SP, Some((uid::SID, &pin))).unwrap().end().unwrap();
}

/// Runs a step with the way to the drive cut behind each command, then the power, and calls `after` each
/// time. Ends when the step came to its end.
fn cut_everywhere(
    start: impl Fn(&Arc<Drive>),
    step: impl Fn(&mut Tper<Ends>) -> Result<()>,
    after: impl Fn(&Arc<Drive>, u32),
) {
    for commands in 0.. {
        let drive = drive();
        start(&drive);
        let cut = Ends { inner: Local(Arc::clone(&drive)), left: commands };
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        let whole = Tper::open_with(cut, patience).and_then(|mut tper| step(&mut tper));
        drive.power_cycle().unwrap();
        after(&drive, commands);
        match whole {
            Ok(()) => {
                println!("{commands} commands");
                return;
            }
            Err(Error::DriveGone) => {}
            Err(error) => panic!("{commands}: {error:?}"),
        }
    }
}

#[test]
fn a_cut_anywhere_on_the_way_there() {
    let people = People::new();
    let data = pattern(8 * 512, 4);
    cut_everywhere(
        |drive| drive.write(0, &data).unwrap(),
        |tper| all(tper, &people, &[7; 512]),
        |drive, cut| {
            let mut tper = tper(drive);
            // On, or back; with one secret or the other.
            if cut % 2 == 0 {
                all(&mut tper, &people, &[7; 512]).unwrap();
                assert_eq!(read(drive, 0, 8).unwrap(), data, "{cut}");
                let (way, secret) = if cut % 4 == 0 {
                    (WayIn::Password, &people.password)
                } else {
                    (WayIn::Recovery, &people.recovery)
                };
                drive.power_cycle().unwrap();
                protect::open(&mut tper, way, secret).unwrap();
                assert_eq!(read(drive, 0, 8).unwrap(), data, "{cut}");
            } else {
                // With costs that are not the usual ones it takes the note, or the secrets and `prepare`.
                let noted = protect::prepare(&mut tper, people.secrets(), COST);
                noted.unwrap();
                protect::give_back(&mut tper, WayIn::Password, &people.password).unwrap();
                assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
                assert_eq!(read(drive, 0, 8).unwrap(), data, "{cut}");
            }
        },
    );
}

#[test]
fn a_cut_anywhere_in_a_change_of_passwords_and_in_giving_back() {
    let people = People::new();
    let data = pattern(8 * 512, 5);
    let start = |drive: &Arc<Drive>| {
        drive.write(0, &data).unwrap();
        all(&mut tper(drive), &people, &[7; 512]).unwrap();
    };
    let new = secret("new");
    let change =
        |tper: &mut Tper<Local>| protect::change_password(tper, &people.password, &new, Some(&people.recovery));
    cut_everywhere(
        start,
        |tper| protect::change_password(tper, &people.password, &new, Some(&people.recovery)),
        |drive, cut| {
            let mut tper = tper(drive);
            // The recovery key opens at every instant.
            protect::open(&mut tper, WayIn::Recovery, &people.recovery).unwrap();
            assert_eq!(read(drive, 0, 8).unwrap(), data, "{cut}");
            change(&mut tper).unwrap();
            protect::prove(&mut tper, Secrets { password: &new, recovery: &people.recovery }).unwrap();
        },
    );
    cut_everywhere(
        start,
        |tper| protect::give_back(tper, WayIn::Password, &people.password),
        |drive, cut| {
            let mut tper = tper(drive);
            if host::ownership(&mut tper, None).unwrap() != Ownership::Free {
                // The note is gone with the Locking SP: the costs are known to whoever began.
                protect::prepare(&mut tper, people.secrets(), COST).unwrap();
                protect::give_back(&mut tper, WayIn::Password, &people.password).unwrap();
            }
            assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free, "{cut}");
            assert_eq!(read(drive, 0, 8).unwrap(), data, "{cut}");
        },
    );
}

/// The drive vanishes in the middle of a session and is there again, with its power on all the while and the session
/// still open on its side: a cable, a controller that resets itself. It goes on, and it goes back.
#[test]
fn a_drive_that_vanishes_in_mid_session_and_comes_back() {
    let people = People::new();
    let data = pattern(8 * 512, 6);
    let mut gone = 0;
    for commands in 0.. {
        let drive = drive();
        drive.write(0, &data).unwrap();
        drive.unplug_after(Some(commands));
        let patience = Patience { pause: Duration::ZERO, looks: 5 };
        let whole = Tper::open_with(Local(Arc::clone(&drive)), patience)
            .and_then(|mut tper| all(&mut tper, &people, &[7; 512]));
        let vanished = drive.is_unplugged();
        drive.unplug_after(None);
        match whole {
            Ok(()) if !vanished => break,
            Ok(()) => {}
            Err(Error::DriveGone) => gone += 1,
            Err(error) => panic!("{commands}: {error:?}"),
        }
        let mut tper = tper(&drive);
        all(&mut tper, &people, &[7; 512]).unwrap_or_else(|error| panic!("{commands}: {error:?}"));
        assert_eq!(read(&drive, 0, 8).unwrap(), data, "{commands}");
        protect::give_back(&mut tper, WayIn::Recovery, &people.recovery).unwrap();
        assert_eq!(read(&drive, 0, 8).unwrap(), data, "{commands}");
        assert_eq!(host::ownership(&mut tper, None).unwrap(), Ownership::Free);
    }
    assert!(gone > 100, "{gone}");
}

/// A way to the drive that reads along.
struct ReadsAlong {
    inner: Local,
    calls: Arc<std::sync::Mutex<Vec<Call>>>,
}

impl Transport for ReadsAlong {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        if protocol == 1
            && let Some((_, tokens)) = packet::unwrap(data).unwrap().content
            && let Message::Call(call) = Message::decode(tokens).unwrap()
        {
            self.calls.lock().unwrap().push(call);
        }
        self.inner.send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        self.inner.receive(protocol, specific, buffer)
    }
}

/// Whether a method makes a new key, or takes an old one away.
fn destroys(call: &Call) -> bool {
    const KEEP_GLOBAL_RANGE_KEY: u64 = 0x06_0000;
    match call.method {
        method::GEN_KEY | method::REVERT | method::ERASE | method::REACTIVATE => true,
        // With a list of ranges it would put them into Single User Mode.
        method::ACTIVATE => !call.parameters.is_empty(),
        method::REVERT_SP => call.named(KEEP_GLOBAL_RANGE_KEY) != Some(&Value::Uint(1)),
        method::SET if call.object.table() == uid::GLOBAL_RANGE.table() => {
            let cells = call.named(1).and_then(Value::as_list).unwrap_or(&[]);
            named(cells, column::RANGE_START).is_some() || named(cells, column::RANGE_LENGTH).is_some()
        }
        _ => false,
    }
}

/// Everything that the default flow does, there and back with either secret, never asks a drive for anything that
/// destroys; and the spy sees it where it is asked for.
#[test]
fn the_default_flow_asks_for_nothing_that_destroys() {
    let people = People::new();
    let calls = Arc::default();
    let drive = drive();
    let spied = || {
        let inner = Local(Arc::clone(&drive));
        Tper::open(ReadsAlong { inner, calls: Arc::clone(&calls) }).unwrap()
    };
    let new = secret("another password");
    for way in [WayIn::Password, WayIn::Recovery] {
        let mut tper = spied();
        all(&mut tper, &people, &[7; 4096]).unwrap();
        drive.power_cycle().unwrap();
        let closed = Closed::look("drive".into(), spied().into_transport()).unwrap().unwrap();
        assert_eq!(Door::new(vec![closed]).turn(WayIn::Password, &people.password), Turn::Open);
        protect::change_password(&mut tper, &people.password, &new, Some(&people.recovery)).unwrap();
        protect::reset_password(&mut tper, &people.recovery, &people.password).unwrap();
        let secret = if way == WayIn::Password { &people.password } else { &people.recovery };
        protect::close(&mut tper, way, secret).unwrap();
        protect::give_back(&mut tper, way, secret).unwrap();
    }
    let seen = std::mem::take(&mut *calls.lock().unwrap());
    assert!(seen.iter().any(|call| call.method == method::REVERT_SP) && seen.len() > 300, "{}", seen.len());
    let found: Vec<_> = seen.iter().filter(|call| destroys(call)).collect();
    assert!(found.is_empty(), "{found:?}");

    // What destroys is seen.
    let name = host::Confirmation::typed("drive", "drive").unwrap();
    let (mut tper, pin) = (spied(), secret("pin"));
    host::set_up(&mut tper, &pin).unwrap();
    host::gen_key(&mut tper, &pin, 0, &name).unwrap();
    host::place_range(&mut tper, &pin, 1, 64, 64, &name).unwrap();
    host::revert_erasing(&mut tper, &pin, &name).unwrap();
    assert_eq!(calls.lock().unwrap().iter().filter(|call| destroys(call)).count(), 3);
}

/// Drives of other classes are recognised and left alone: beyond the discovery nothing is ever said to them, so that no
/// wrong PIN counts there.
#[test]
fn enterprise_and_pyrite_drives_are_never_talked_to() {
    let people = People::new();
    for name in ["enterprise", "pyrite"] {
        let drive = drive_of(Profile::named(name).unwrap());
        let calls: Arc<std::sync::Mutex<Vec<Call>>> = Arc::default();
        let spied = || Tper::open(ReadsAlong { inner: Local(Arc::clone(&drive)), calls: Arc::clone(&calls) }).unwrap();
        let mut tper = spied();
        assert!(!tper.discovery().facts().ssc.is_empty(), "it is recognised");
        assert_eq!(protect::note(&mut tper).unwrap(), None);
        assert!(opal::ticket::read(&mut tper).unwrap().is_none());
        assert!(Closed::of("drive".into(), spied()).unwrap().is_none());
        let refused = [
            protect::prepare(&mut tper, people.secrets(), COST).map(drop),
            protect::open(&mut tper, WayIn::Password, &people.password),
            protect::close(&mut tper, WayIn::Recovery, &people.recovery),
            protect::give_back(&mut tper, WayIn::Password, &people.password),
            host::take_ownership(&mut tper, &people.password),
            host::activate(&mut tper, &people.password),
            host::revert_keeping_data(&mut tper, &people.password),
        ];
        for refused in refused {
            assert!(matches!(refused, Err(Error::NotSupported | Error::NoEncryption)), "{name}: {refused:?}");
        }
        assert!(calls.lock().unwrap().is_empty(), "{name}: {:?}", calls.lock().unwrap());
    }
}
