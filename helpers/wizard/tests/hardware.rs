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
use opal::preboot::{Closed, Door, Turn};
use opal::protect::Secrets;
use recovery::RecoveryKey;
use wizard::hardware::{self, OwnDrive, Sight, Trial};

/// As cheap as it can be: what it costs is not what is tested.
const COST: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
const MIB: u64 = 1 << 20;

/// A drive and what is in its cells.
struct Chip {
    memory: Arc<Memory>,
    drive: Arc<Drive>,
}

impl Chip {
    /// Another one, in the state in which this one is when its power goes and comes back.
    fn after_power_cut(&self) -> Arc<Drive> {
        let size = usize::try_from(self.memory.size()).unwrap();
        let copy = Memory::new(self.memory.read_vec(0, size).unwrap());
        Arc::new(Drive::open(Arc::new(copy)).unwrap())
    }
}

fn drive(name: &str) -> Arc<Drive> {
    chip(name).drive
}

fn chip(name: &str) -> Chip {
    // Small in everything that is not looked at here, so that each of a thousand cuts is quick.
    let small = Profile { shadow_mbr_size: MIB, data_store_size: 64 << 10, ..Profile::named(name).unwrap() };
    let profile = Profile { ranges: small.ranges.min(1), users: 1, ..small };
    let size = usize::try_from(Drive::overhead(&profile) + 2 * MIB).unwrap();
    let options = Options { profile, serial: "TEST0001".into() };
    let memory = Arc::new(Memory::new(vec![0; size]));
    let drive = Arc::new(Drive::create(Arc::clone(&memory) as Arc<dyn Device>, options).unwrap());
    Blocks(Arc::clone(&drive)).write_at(0, &data()).unwrap();
    Chip { memory, drive }
}

/// A way that takes little at once. Otherwise a thousand ways consist of clearing buffers.
struct Narrow(Local);

impl opal::Transport for Narrow {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> opal::Result<()> {
        self.0.send(protocol, specific, data)
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> opal::Result<()> {
        self.0.receive(protocol, specific, buffer)
    }

    fn largest(&self) -> usize {
        8192
    }
}

fn data() -> Vec<u8> {
    (0..=u8::MAX).cycle().take(16 << 10).collect()
}

fn own(drive: &Arc<Drive>) -> wizard::Result<OwnDrive> {
    let way: Box<dyn opal::Transport + Send> = Box::new(Narrow(Local(Arc::clone(drive))));
    Ok(OwnDrive {
        tper: Tper::open(way)?,
        path: Path::new("virtual").into(),
        device: Some(Arc::clone(drive)),
        by_person: false,
    })
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

/// Cuts the power after every number of commands that `work` may take, from the state that `before` made; and
/// from each of these states goes on to the end on one drive, and back on another. Returns how many cuts there are.
fn cut_everywhere(
    before: impl Fn(&Chip),
    work: impl Fn(&Arc<Drive>) -> wizard::Result<()>,
    on: impl Fn(&Arc<Drive>, u64) -> wizard::Result<()>,
    back: impl Fn(&Arc<Drive>, u64) -> wizard::Result<()>,
) -> u64 {
    for commands in 0.. {
        let chip = chip("default");
        before(&chip);
        chip.drive.unplug_after(Some(commands));
        let whole = work(&chip.drive);
        let gone = chip.drive.is_unplugged();
        if let Err(error) = &whole {
            assert_eq!(error.fault().code, "opal-drive-gone", "{commands}: {error:?}");
        }
        on(&chip.after_power_cut(), commands).unwrap_or_else(|error| panic!("on from {commands}: {error:?}"));
        back(&chip.after_power_cut(), commands).unwrap_or_else(|error| panic!("back from {commands}: {error:?}"));
        if whole.is_ok() && !gone {
            return commands;
        }
    }
    0
}

/// The whole way and the way back: from every cut it goes on to the end, and it goes back; the data are the same,
/// whatever happened.
#[test]
fn cut_off_between_any_two_commands() {
    let people = People::new();
    let image = Some(&[7; 512][..]);
    let on = |drive: &Arc<Drive>, commands: u64| {
        people.whole_way(drive, image)?;
        assert_locked_and_opens(
            drive,
            &people,
            if commands.is_multiple_of(2) { WayIn::Password } else { WayIn::Recovery },
        );
        Ok(())
    };
    let back = |drive: &Arc<Drive>, _| {
        people.back(drive)?;
        assert_free(drive);
        Ok(())
    };
    let cuts = cut_everywhere(|_| {}, |drive| people.whole_way(drive, image), on, back);
    println!("{cuts} cuts on the way there");
    assert!(cuts > 100, "{cuts}");
    let there = |chip: &Chip| {
        people.whole_way(&chip.drive, image).unwrap();
        chip.drive.power_cycle().unwrap();
    };
    let cuts = cut_everywhere(there, |drive| people.back(drive), on, back);
    println!("{cuts} cuts on the way back");
    assert!(cuts > 20, "{cuts}");
}

/// A computer whose system lies on the drive.
struct Laptop<'a> {
    people: &'a People,
    /// What the drive may show while it is closed.
    images: &'a [&'a [u8]],
}

impl Laptop<'_> {
    /// Only a person takes the drive's power.
    fn own(drive: &Arc<Drive>) -> wizard::Result<OwnDrive> {
        Ok(OwnDrive { by_person: true, ..own(drive)? })
    }

    /// It is switched off and on. It starts from what the drive shows: the program there, which asks, or the system.
    /// Never is there neither.
    fn starts(&self, drive: &Arc<Drive>) -> wizard::Result<()> {
        drive.power_cycle().unwrap();
        let facts = Self::own(drive)?.tper.discovery().facts();
        assert!(!facts.locked || facts.mbr_shadow_active, "it is closed, and nothing asks");
        if facts.mbr_shadow_active {
            let shown = |image: &&[u8]| Blocks(Arc::clone(drive)).read_vec(0, image.len()).unwrap() == **image;
            assert!(self.images.iter().any(shown), "half an image is shown");
            let closed = Closed::look("the drive".into(), Narrow(Local(Arc::clone(drive))))?;
            let mut door = Door::new(closed.into_iter().collect());
            if door.turn(WayIn::Password, &self.people.password) != Turn::Open {
                return Err(door.trouble().unwrap().into());
            }
            // It restarts: the drive keeps its power, and shows the system.
            drive.hardware_reset().unwrap();
            assert!(!Self::own(drive)?.tper.discovery().facts().mbr_shadow_active);
        }
        assert_eq!(content(drive), data());
        Ok(())
    }

    /// As the wizard does it, which is opened again after each start: it looks at the drive, and goes on.
    fn whole_way(&self, drive: &Arc<Drive>, image: &[u8]) -> wizard::Result<()> {
        let secrets = Secrets { password: &self.people.password, recovery: &self.people.key };
        for _ in 0..6 {
            let mut own = Self::own(drive)?;
            let lock = hardware::look(&mut own.tper)?;
            if lock.seen_locked {
                return Ok(());
            }
            if !lock.started {
                hardware::prepare(&mut own, secrets, None, COST)?;
                let trial = hardware::try_start(&mut own, &self.people.password, Some(image), &mut |_| {})?;
                assert_eq!(trial, Trial::PowerOff);
            } else {
                hardware::switch_on(&mut own, &self.people.password)?;
                assert_eq!(hardware::see_locked(&mut own, &self.people.password)?, Sight::PowerOff);
            }
            self.starts(drive)?;
        }
        panic!("it does not come to an end")
    }
}

/// The drive that the system lies on: image, test start by a person, lock, power-off by a person. From every cut
/// the computer starts, and it goes on to the end and back.
#[test]
fn the_system_drive_cut_off_between_any_two_commands() {
    let people = People::new();
    let images = [&[7_u8; 512][..], &[9; 512]];
    let laptop = Laptop { people: &people, images: &images };
    let on = |drive: &Arc<Drive>, commands: u64| {
        laptop.starts(drive)?;
        laptop.whole_way(drive, images[1])?;
        assert_locked_and_opens(
            drive,
            &people,
            if commands.is_multiple_of(2) { WayIn::Password } else { WayIn::Recovery },
        );
        Ok(())
    };
    let back = |drive: &Arc<Drive>, commands: u64| {
        // Before a start, or from the rescue stick: then it is closed still.
        if commands.is_multiple_of(2) {
            laptop.starts(drive)?;
        }
        people.back(drive)?;
        assert_free(drive);
        Ok(())
    };
    let there = cut_everywhere(|_| {}, |drive| laptop.whole_way(drive, images[0]), on, back);
    println!("{there} cuts on the way there");
    let again = |chip: &Chip| {
        laptop.whole_way(&chip.drive, images[0]).unwrap();
    };
    let way_back = cut_everywhere(again, |drive| people.back(drive), on, back);
    println!("{way_back} cuts on the way back");
    assert!(there > 100 && way_back > 20);
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
