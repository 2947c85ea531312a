//! The drive's own encryption, step by step, cut off between any two commands.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use blockdev::{Device, Memory};
use model::{Describe, Secret};
use opal::Tper;
use opal::device::{Blocks, Drive, Local, Options, Profile};
use opal::host::{self, Ownership};
use opal::pin::{Cost, WayIn};
use opal::protect::Secrets;
use recovery::RecoveryKey;
use wizard::hardware::{self, OwnDrive, Sight, Trial};

/// As cheap as it can be: what it costs is not what is tested.
const COST: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
const MIB: u64 = 1 << 20;

fn drive(name: &str) -> Arc<Drive> {
    // Small in everything that is not looked at here, so that each of a thousand cuts is quick.
    let small = Profile { shadow_mbr_size: MIB, data_store_size: 64 << 10, ..Profile::named(name).unwrap() };
    let profile = Profile { ranges: small.ranges.min(1), users: 1, ..small };
    let size = usize::try_from(Drive::overhead(&profile) + 2 * MIB).unwrap();
    let options = Options { profile, serial: "TEST0001".into() };
    let drive = Arc::new(Drive::create(Arc::new(Memory::new(vec![0; size])), options).unwrap());
    Blocks(Arc::clone(&drive)).write_at(0, &data()).unwrap();
    drive
}

fn data() -> Vec<u8> {
    (0..=u8::MAX).cycle().take(16 << 10).collect()
}

fn own(drive: &Arc<Drive>) -> wizard::Result<OwnDrive> {
    let way: Box<dyn opal::Transport + Send> = Box::new(Local(Arc::clone(drive)));
    Ok(OwnDrive { tper: Tper::open(way)?, path: Path::new("virtual").into(), device: Some(Arc::clone(drive)) })
}

fn content(drive: &Arc<Drive>) -> Vec<u8> {
    Blocks(Arc::clone(drive)).read_vec(0, data().len()).unwrap()
}

struct People {
    password: Secret,
    key: Secret,
}

impl People {
    fn new() -> Self {
        Self { password: Secret::from("Käsekuchen 7"), key: RecoveryKey::generate().unwrap().secret() }
    }

    /// As the wizard does it, from wherever it stands.
    fn whole_way(&self, drive: &Arc<Drive>, image: Option<&[u8]>) -> wizard::Result<()> {
        let mut own = own(drive)?;
        let secrets = Secrets { password: &self.password, recovery: &self.key };
        hardware::prepare(&mut own, secrets, None, COST)?;
        assert_eq!(hardware::try_start(&mut own, &self.password, image, &mut |_| {})?, Trial::Passed);
        hardware::switch_on(&mut own, &self.password)?;
        assert_eq!(hardware::see_locked(&mut own, &self.password)?, Sight::Seen);
        Ok(())
    }

    fn back(&self, drive: &Arc<Drive>) -> wizard::Result<()> {
        hardware::give_back(&mut own(drive)?, WayIn::Password, &self.password, COST)
    }
}

fn assert_locked_and_opens(drive: &Arc<Drive>, people: &People, way: WayIn) {
    drive.power_cycle().unwrap();
    let mut own = own(drive).unwrap();
    assert!(own.tper.refresh().unwrap().facts().locked);
    assert!(Blocks(Arc::clone(drive)).read_vec(0, data().len()).map_or(true, |seen| seen != data()));
    let secret = if way == WayIn::Password { &people.password } else { &people.key };
    opal::protect::open(&mut own.tper, way, secret).unwrap();
    assert_eq!(content(drive), data());
}

fn assert_locked_and_opens_with_both(drive: &Arc<Drive>, people: &People) {
    assert_locked_and_opens(drive, people, WayIn::Password);
    assert_locked_and_opens(drive, people, WayIn::Recovery);
}

fn assert_free(drive: &Arc<Drive>) {
    let mut own = own(drive).unwrap();
    assert_eq!(host::ownership(&mut own.tper, None).unwrap(), Ownership::Free);
    drive.power_cycle().unwrap();
    assert_eq!(content(drive), data());
}

#[test]
fn there_and_back_on_each_sort_of_drive() {
    let people = People::new();
    for (name, image) in [
        ("default", Some(&[7; 4096][..])),
        ("no-shadow-mbr", None),
        ("granularity-16", Some(&[7; 4096][..])),
        ("write-granularity", Some(&[7; 4096][..])),
        ("comid-7ffe", Some(&[7; 4096][..])),
        ("blocks-4096", Some(&[7; 4096][..])),
        ("late", None),
    ] {
        let drive = drive(name);
        people.whole_way(&drive, image).unwrap();
        assert_locked_and_opens_with_both(&drive, &people);
        people.back(&drive).unwrap();
        assert_free(&drive);
    }
}

/// Every number of commands after which the power may go, on the whole way and on the way back: then it goes
/// on to the end, or goes back; the data are the same, whatever happened.
#[test]
fn cut_off_between_any_two_commands() {
    let people = People::new();
    let image = [7; 512];
    let mut cuts = 0;
    for commands in 0.. {
        let drive = drive("default");
        drive.unplug_after(Some(commands));
        let whole = people.whole_way(&drive, Some(&image));
        let gone = drive.is_unplugged();
        drive.unplug_after(None);
        drive.power_cycle().unwrap();
        if let Err(error) = &whole {
            assert_eq!(error.fault().code, "opal-drive-gone", "{commands}: {error:?}");
        }
        // On from one cut, back from the next: the states beside each other are the same ones.
        match commands % 2 {
            0 => {
                people.whole_way(&drive, Some(&image)).unwrap_or_else(|error| panic!("{commands}: {error:?}"));
                assert_locked_and_opens(
                    &drive,
                    &people,
                    if commands % 4 == 0 { WayIn::Password } else { WayIn::Recovery },
                );
            }
            _ => {
                people.back(&drive).unwrap_or_else(|error| panic!("{commands}: {error:?}"));
                assert_free(&drive);
            }
        }
        if whole.is_ok() && !gone {
            break;
        }
        cuts += 1;
    }
    println!("{cuts} cuts on the way there");
    assert!(cuts > 100, "{cuts}");
}

#[test]
fn cut_off_between_any_two_commands_on_the_way_back() {
    let people = People::new();
    let mut cuts = 0;
    for commands in 0.. {
        let drive = drive("default");
        people.whole_way(&drive, Some(&[7; 4096])).unwrap();
        drive.power_cycle().unwrap();
        drive.unplug_after(Some(commands));
        let whole = people.back(&drive);
        let gone = drive.is_unplugged();
        drive.unplug_after(None);
        drive.power_cycle().unwrap();
        if let Err(error) = &whole {
            assert_eq!(error.fault().code, "opal-drive-gone", "{commands}: {error:?}");
        }
        if commands % 2 == 0 {
            people.back(&drive).unwrap_or_else(|error| panic!("{commands}: {error:?}"));
            assert_free(&drive);
        } else {
            people.whole_way(&drive, Some(&[7; 512])).unwrap_or_else(|error| panic!("{commands}: {error:?}"));
            assert_locked_and_opens(&drive, &people, WayIn::Password);
        }
        if whole.is_ok() && !gone {
            break;
        }
        cuts += 1;
    }
    println!("{cuts} cuts on the way back");
}

#[test]
fn drives_that_err_are_never_called_protected() {
    let people = People::new();
    for name in ["stays-open", "forgets-locks", "shadow-mbr-sticks", "shadow-mbr-claimed"] {
        let drive = drive(name);
        let result = people.whole_way(&drive, Some(&[7; 4096]));
        if name == "shadow-mbr-sticks" {
            result.unwrap();
            continue;
        }
        assert!(result.is_err(), "{name}");
        let facts = hardware::look(&mut own(&drive).unwrap().tper).unwrap();
        assert_ne!(hardware::judged(&facts).verdict, model::Verdict::Protected, "{name}");
    }
}

/// Another password after the drive was prepared: the earlier one is needed to take that back.
#[test]
fn a_changed_mind_about_the_password() {
    let people = People::new();
    let drive = drive("default");
    let mut own = own(&drive).unwrap();
    let other = Secret::from("another one");
    let first = Secrets { password: &people.password, recovery: &people.key };
    let second = Secrets { password: &other, recovery: &people.key };
    hardware::prepare(&mut own, first, None, COST).unwrap();
    let refused = hardware::prepare(&mut own, second, None, COST).unwrap_err();
    assert_eq!(refused.fault().code, "hardware-prepared-earlier");
    hardware::prepare(&mut own, second, Some(&people.password), COST).unwrap();
    hardware::prove(&mut own, &other).unwrap();
    hardware::prove(&mut own, &people.key).unwrap();
    assert_eq!(content(&drive), data());
}

#[test]
fn wrong_passwords_to_the_end_and_the_way_out_of_it() {
    let people = People::new();
    let drive = drive("default");
    people.whole_way(&drive, Some(&[7; 4096])).unwrap();
    let mut own = own(&drive).unwrap();
    let codes: Vec<_> =
        (0..6).map(|_| hardware::prove(&mut own, &Secret::from("no")).unwrap_err().fault().code).collect();
    assert_eq!(codes[0], "opal-wrong-pin");
    assert_eq!(codes[5], "opal-locked-out");
    // The other way in is not locked out by that.
    hardware::prove(&mut own, &people.key).unwrap();
    drive.power_cycle().unwrap();
    hardware::prove(&mut own, &people.password).unwrap();
}

#[test]
fn another_programs_session_is_waited_for_and_one_that_died_is_ended() {
    let people = People::new();
    let drive = drive("default");
    people.whole_way(&drive, None).unwrap();
    let mut other = own(&drive).unwrap();
    let session = other.tper.session(opal::uid::LOCKING_SP, None).unwrap();
    // It died with its session open.
    std::mem::forget(session);
    let mut mine = own(&drive).unwrap();
    mine.tper.set_patience(opal::Patience { pause: std::time::Duration::from_millis(1), looks: 5 });
    hardware::prove(&mut mine, &people.password).unwrap();
}
