//! The preboot image, started as a locked drive would show it: OVMF with Secure Boot on, the distribution's
//! signed chain, our program; the drive itself is the virtual one, served over NVMe/TCP.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use blockdev::{Access, Buffer, Device, FileDevice, Memory};
use luks::convert::{Conversion, Encryption, Pace, Space};
use luks::kdf::Kdf;
use luks::{FormatOptions, Header, Plain};
use model::{Control, Secret};
use opal::device::{Blocks, Drive, Local, Options, Profile};
use opal::nvme_tcp::{Subsystem, Target};
use opal::pin::Cost;
use opal::{Patience, Tper};
use preboot::settings::Settings;
use rescue::{BackedUp, Contents, Parts, Place, Purpose, keymap::Layout};
use rigs::firmware::Computer;
use rigs::guest::chain;
use rigs::tier::Tier;
use rigs::tool::{Error, find, run};
use texts::Language;

const PASSWORD: &str = "schöne Zeit, Lydia";
const NQN: &str = "nqn.2025-01.org.latchkey:preboot";
/// Software emulation: the firmware, GRUB's check of the kernel, the kernel.
const START: Duration = Duration::from_secs(240);

/// A drive that shows our image, and what serves it.
struct Rig {
    drive: Arc<Drive>,
    target: Target,
    folder: tempfile::TempDir,
}

impl Rig {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let profile = Profile::default();
        let path = folder.path().join("drive");
        fs::File::create(&path).unwrap().set_len(Drive::overhead(&profile) + (256 << 20)).unwrap();
        let device = FileDevice::open(&path, Access::Exclusive).unwrap();
        let options = Options { profile, serial: "LATCHKEY-PREBOOT".into() };
        let drive = Arc::new(Drive::create(Arc::new(device), options).unwrap());
        let subsystem = Subsystem { nqn: NQN.into(), drive: Arc::clone(&drive) };
        let target = Target::start("127.0.0.1:0", vec![subsystem]).unwrap();
        Self { drive, target, folder }
    }

    fn tper(&self) -> Tper<Local> {
        let patience = Patience { pause: Duration::from_millis(1), looks: 100 };
        Tper::open_with(Local(Arc::clone(&self.drive)), patience).unwrap()
    }

    /// The whole way; returns what a computer sees of the drive after a power cycle.
    fn protect(&self, image: &[u8]) -> PathBuf {
        self.protect_over(&[0x77; 4096], image);
        let mut shown = vec![0; 128 << 20];
        self.drive.read(0, &mut shown).unwrap();
        assert_eq!(shown[..image.len()], *image, "the drive shows something else");
        let path = self.folder.path().join("shown");
        fs::write(&path, shown).unwrap();
        path
    }

    /// With this on the drive.
    fn protect_over(&self, data: &[u8], image: &[u8]) {
        self.drive.write(0, data).unwrap();
        let mut tper = self.tper();
        let (password, recovery) = (Secret::from(PASSWORD), Secret::from("recovery-key"));
        let cost = Cost { memory_kib: 8192, passes: 1, lanes: 2 };
        opal::protect::prepare(&mut tper, opal::protect::Secrets { password: &password, recovery: &recovery }, cost)
            .unwrap();
        let begun = Instant::now();
        opal::protect::load_image(&mut tper, &password, image, &mut |_| {}).unwrap();
        println!("the image was loaded and read back in {:.1} s", begun.elapsed().as_secs_f64());
        opal::protect::show_image(&mut tper, &password, true).unwrap();
        opal::protect::switch_on(&mut tper, &password, true).unwrap();
        opal::ticket::leave(&mut tper, opal::pin::WayIn::Password, &password).unwrap();
        self.drive.power_cycle().unwrap();
    }

    /// Locked, and the shadow MBR is shown.
    fn state(&self) -> (bool, bool) {
        let facts = self.tper().discovery().facts();
        (facts.locked, facts.mbr_shadow_active)
    }
}

/// The image of the rig: what people get, and the network beside it.
fn image(rig: &Rig, root: &Path) -> Vec<u8> {
    let layouts = ["de", "us"].map(|name| Layout { layout: name.into(), variant: String::new() });
    let keymaps =
        layouts.iter().map(|layout| (layout.name(), layout.tables().expect("ckbcomp and loadkeys"))).collect();
    let contents = Contents {
        program: rescue::own("latchkey-preboot").unwrap(),
        settings: Settings { language: Language::German, keymap: "de".into() },
        keymaps,
        purpose: Purpose::Preboot,
        more_modules: ["virtio_net", "nvme_tcp"].map(str::to_owned).to_vec(),
        extra: Vec::new(),
        links: Vec::new(),
        beside: Vec::new(),
        words: format!("console=tty0 console=ttyS0 latchkey.rig={},{NQN}", rig.target.address().port()),
    };
    let image = rescue::build(&Parts::find(root).unwrap(), &contents, Place::Within(128 << 20)).unwrap();
    println!("the image has {:.1} MiB", image.size as f64 / 1_048_576.0);
    image.whole()
}

/// The root with the signed chain, or `None` where it or our static programs cannot be had: then the test
/// says so. Where the whole is tested that is no excuse.
fn root() -> Option<PathBuf> {
    let programs =
        std::env::var_os("LATCHKEY_IMAGE_PROGRAMS").ok_or_else(|| Error::Missing("the static programs".into()));
    match programs.and_then(|_| chain::root()) {
        Ok(root) => Some(root),
        Err(error) => {
            assert_ne!(Tier::now(), Tier::Full, "{error}");
            println!("left out: {error}");
            None
        }
    }
}

/// On the keyboard, with a German layout: `z` and `y` change places, `ö` is where the semicolon is.
#[test]
fn starts_with_secure_boot_and_opens_the_drive_for_a_password_typed_on_a_german_keyboard() {
    let Some(root) = root() else { return };
    let rig = Rig::new();
    let shown = rig.protect(&image(&rig, &root));
    assert_eq!(rig.state(), (true, true));
    let begun = Instant::now();
    let mut computer = Computer::start(&[(&shown, true)], 1024).unwrap();
    let asked = computer.wait_for("Passwort:", START);
    println!("the prompt came after {:.1} s", begun.elapsed().as_secs_f64());
    if let Err(error) = asked {
        println!("{}", computer.picture("preboot-stuck.png").unwrap().display());
        panic!("{error}");
    }
    computer.press(&["caps_lock"]).unwrap();
    computer.wait_for("Feststelltaste", Duration::from_secs(20)).unwrap();
    computer.press(&["s", "c"]).unwrap();
    println!("{}", computer.picture("preboot-prompt.png").unwrap().display());
    computer.press(&["caps_lock", "backspace", "backspace"]).unwrap();
    // "schöne Zeit, Lydia": the y of "Lydia" is the z of an American keyboard.
    let keys = "s c h semicolon n e spc shift-y e i t comma spc shift-l z d i a";
    computer.press(&keys.split(' ').collect::<Vec<_>>()).unwrap();
    computer.press(&["ret"]).unwrap();
    assert!(computer.ended(Duration::from_secs(120)), "{}", computer.said());
    assert_eq!(rig.state(), (false, false), "{}", computer.said());
    let mut data = [0; 4096];
    rig.drive.read(0, &mut data).unwrap();
    assert_eq!(data, [0x77; 4096]);
}

/// The whole of a start, on one computer and one drive: the firmware reads what the locked drive shows, the program
/// there opens the drive, the computer restarts, and the same drive shows its own sectors: the system starts.
#[test]
fn the_locked_drive_asks_and_then_its_system_starts() {
    let Some(root) = root() else { return };
    let rig = Rig::new();
    // A system that says when it has started, under Secure Boot as well: the stick's, on the drive.
    let mut contents = rescue::stick_contents(&root, Language::German, &[]).unwrap();
    contents.words = "console=tty0 console=ttyS0".into();
    let system =
        rescue::build(&Parts::find(&root).unwrap(), &contents, Place::Within(rescue::LARGEST_STICK)).unwrap().whole();
    let image = image(&rig, &root);
    rig.protect_over(&system, &image);
    assert_eq!(rig.state(), (true, true));
    // The firmware reads the drive itself, by another way than the program on it.
    let disk = rigs::nbd::serve(Arc::new(Blocks(Arc::clone(&rig.drive)))).unwrap();
    let mut computer = Computer::start_that_restarts(&[(&disk, true)], 1536).unwrap();
    if let Err(error) = computer.wait_for("Passwort:", START) {
        println!("{}", computer.picture("start-stuck.png").unwrap().display());
        panic!("{error}");
    }
    assert!(!computer.said().contains("Rettungsstick"));
    let begun = Instant::now();
    computer.type_serial(&format!("{PASSWORD}\r")).unwrap();
    if let Err(error) = computer.wait_for("Rettungsstick", 2 * START) {
        println!("{}", computer.picture("start-system-stuck.png").unwrap().display());
        panic!("{error}");
    }
    println!("the system was there {:.1} s after the password", begun.elapsed().as_secs_f64());
    println!("{}", computer.picture("start-system.png").unwrap().display());
    assert_eq!(rig.state(), (false, false));
    // What the program wrote for the wizard: it was found locked, and showed the image.
    let ticket = opal::ticket::read(&mut rig.tper()).unwrap().unwrap();
    let start = ticket.start.unwrap();
    assert!(start.locked && start.shown);
    drop(computer);
    // Off and on: it asks again.
    rig.drive.power_cycle().unwrap();
    assert_eq!(rig.state(), (true, true));
}

/// Three wrong ones, and then it takes no more for a while; a drive with nothing behind Secure Boot's back.
#[test]
fn three_wrong_passwords_bring_a_pause_and_the_right_one_opens_afterwards() {
    if Tier::now() != Tier::Full {
        println!("left out: `cargo xtask test --full` types wrong passwords, too");
        return;
    }
    let Some(root) = root() else { return };
    let rig = Rig::new();
    let shown = rig.protect(&image(&rig, &root));
    let mut computer = Computer::start(&[(&shown, true)], 1024).unwrap();
    computer.wait_for("Passwort:", START).unwrap();
    let patience = Duration::from_secs(60);
    for (typed, answer) in [
        ("falsch\r", "noch 2 Versuche"),
        ("noch falscher\r", "noch einen Versuch"),
        ("Schöne Zeit, Lydia\r", "Das war dreimal falsch"),
    ] {
        computer.forget();
        computer.type_serial(typed).unwrap();
        computer.wait_for(answer, patience).unwrap();
    }
    println!("{}", computer.picture("preboot-pause.png").unwrap().display());
    assert_eq!(rig.state(), (true, true));
    // What is typed during the pause counts for nothing.
    computer.type_serial("xx\r").unwrap();
    computer.wait_for("Versuchen Sie es noch einmal", patience).unwrap();
    computer.type_serial(&format!("{PASSWORD}\r")).unwrap();
    assert!(computer.ended(Duration::from_secs(120)), "{}", computer.said());
    assert_eq!(rig.state(), (false, false));
}

/// That the firmware and shim really look: with one bit changed nothing of ours is started.
#[test]
fn what_was_changed_is_not_started() {
    if Tier::now() != Tier::Full {
        println!("left out: `cargo xtask test --full` starts a changed chain, too");
        return;
    }
    let Some(root) = root() else { return };
    let rig = Rig::new();
    let mut image = image(&rig, &root);
    // By this text GRUB knows a kernel, so both have it. GRUB lies first: it is changed on the disk, behind the
    // builder's back.
    let place = image.windows(4).position(|window| window == b"HdrS").unwrap();
    image[place + 0x1000] ^= 1;
    let path = rig.folder.path().join("changed");
    fs::write(&path, &image).unwrap();
    let computer = Computer::start(&[(&path, true)], 1024).unwrap();
    computer.wait_for("Security Violation", START).unwrap();
    assert!(!computer.said().contains("Passwort:"));
    println!("{}", computer.picture("preboot-changed.png").unwrap().display());
}

/// Bytes of the header and the room before the data.
const SHIFT: u64 = 16 << 20;
const DATA: u64 = 48 << 20;

/// Plain bytes that are told apart by their place.
fn plain(seed: u64) -> Vec<u8> {
    (0..DATA / 8).flat_map(|word| (word ^ seed << 48).to_le_bytes()).collect()
}

/// Somebody who stops a conversion at the first occasion after its beginning.
struct StopsSoon<'a>(&'a Control);

impl Pace for StopsSoon<'_> {
    fn rest(&self, _: u64) -> Duration {
        self.0.stop();
        Duration::ZERO
    }
}

/// A volume in a file: encrypted to the end, or stopped before. Returns its UUID.
fn volume(path: &Path, seed: u64, to_the_end: bool) -> String {
    fs::write(path, plain(seed)).unwrap();
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(DATA + 2 * SHIFT).unwrap();
    let device = FileDevice::open(path, Access::Exclusive).unwrap();
    let staged = Memory::new(vec![0; usize::try_from(SHIFT).unwrap()]);
    let options = FormatOptions {
        data_offset: SHIFT,
        kdf: Kdf::cheapest(),
        digest_iterations: Some(1000),
        ..FormatOptions::default()
    };
    let secret = Secret::from(PASSWORD);
    luks::format(&staged, &options, &secret).unwrap();
    let header = Header::load(&staged).unwrap().header;
    let unlocked = header.unlock(&staged, &secret).unwrap();
    let what = Encryption { used: DATA, original_size: DATA + 2 * SHIFT, grown: false, space: Space::All };
    luks::convert::begin_encrypt(&device, &staged, &unlocked, &what).unwrap();
    let control = Control::new();
    let mut conversion = Conversion::open(&device, &secret).unwrap();
    let stop = StopsSoon(&control);
    if !to_the_end {
        conversion.give_way(&stop);
    }
    conversion.run(&control, &mut model::Silent).unwrap();
    header.uuid().to_owned()
}

/// A volume as stock cryptsetup makes it. Returns its UUID.
fn stock_volume(path: &Path, seed: u64) -> String {
    fs::File::create(path).unwrap().set_len(DATA + 2 * SHIFT).unwrap();
    let key = path.with_extension("key");
    fs::write(&key, PASSWORD).unwrap();
    let mut format = std::process::Command::new(find("cryptsetup").unwrap());
    format.args(["luksFormat", "--batch-mode", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"]);
    run(format.arg("--key-file").arg(&key).arg(path)).unwrap();
    let device = FileDevice::open(path, Access::Exclusive).unwrap();
    let header = Header::load(&device).unwrap().header;
    let unlocked = header.unlock(&device, &Secret::from(PASSWORD)).unwrap();
    let mut buffer = Buffer::new(usize::try_from(DATA).unwrap());
    buffer.copy_from_slice(&plain(seed));
    header.write_plain(&device, &unlocked, 0, &mut buffer).unwrap();
    device.flush().unwrap();
    header.uuid().to_owned()
}

/// What a volume holds, opened by its password, without what may have been written over at its end.
fn holds(path: &Path, seed: u64, but: usize) -> bool {
    let device = FileDevice::open(path, Access::Read).unwrap();
    let loaded = Header::load(&device).unwrap();
    assert_eq!(loaded.damage, None, "{}", path.display());
    let unlocked = loaded.header.unlock(&device, &Secret::from(PASSWORD)).unwrap();
    let opened = Plain::new(&loaded.header, &device, &unlocked).unwrap();
    let expected = plain(seed);
    opened.read_vec(0, expected.len() - but).unwrap() == expected[..expected.len() - but]
}

/// An ext4 with a file, in the state that a cut in the middle of resizing leaves: a computer's own check stops at it.
fn file_system_in_disorder(path: &Path) {
    let files = path.with_extension("files");
    fs::create_dir(&files).unwrap();
    fs::write(files.join("letter"), plain(5)).unwrap();
    fs::File::create(path).unwrap().set_len(4 * DATA).unwrap();
    run(std::process::Command::new(find("mkfs.ext4").unwrap()).args(["-q", "-F", "-d"]).arg(&files).arg(path)).unwrap();
    // The inode that keeps room for growing, and the mark.
    for request in ["clri <7>", "set_super_value state 2"] {
        let mut debugfs = std::process::Command::new(find("debugfs").unwrap());
        run(debugfs.args(["-w", "-R", request]).arg(path)).unwrap();
    }
    let copy = path.with_extension("copy");
    fs::copy(path, &copy).unwrap();
    assert!(run(std::process::Command::new(find("e2fsck").unwrap()).args(["-f", "-p"]).arg(&copy)).is_err());
}

/// Chooses by a number, or by a word of the menu that is shown, and waits for an answer.
fn choose(computer: &mut Computer, typed: &str, then: &str) {
    let said = computer.said();
    // What is no number is found in the menu, with its number before it.
    let line = said.lines().rev().find(|line| typed.len() > 1 && line.contains(typed));
    let digit = line.map(|line| line.trim_start_matches(['>', ' '])[..1].to_owned());
    computer.forget();
    computer.type_serial(digit.as_deref().unwrap_or(typed)).unwrap();
    computer.wait_for(then, Duration::from_secs(120)).unwrap();
}

/// From an answer back to the menu.
fn back_to_menu(computer: &mut Computer) {
    computer.forget();
    computer.type_serial("\r").unwrap();
    computer.wait_for("Ausschalten", Duration::from_secs(120)).unwrap();
    computer.wait_for("Eingabetaste:", Duration::from_secs(120)).unwrap();
}

/// One start of the rescue stick repairs: a damaged first header, headers that a partition table was written
/// over, a conversion that was interrupted, a volume whose header is gone, from the stick's own backup, and a file
/// system that was cut off while it was resized.
#[test]
fn the_rescue_stick_repairs() {
    let Some(root) = root() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let [damaged, written_over, interrupted, gone, cut] =
        ["damaged", "written-over", "interrupted", "gone", "cut"].map(place);
    file_system_in_disorder(&cut);
    // Our own headers are so large that the second one survives; those of cryptsetup do not.
    let over_uuid = stock_volume(&written_over, 2);
    volume(&damaged, 1, true);
    volume(&interrupted, 3, false);
    let gone_uuid = volume(&gone, 4, true);
    let backup = luks::backup(&FileDevice::open(&gone, Access::Read).unwrap()).unwrap();
    let over = luks::backup(&FileDevice::open(&written_over, Access::Read).unwrap()).unwrap();
    let headers =
        [BackedUp { uuid: gone_uuid.clone(), bytes: backup }, BackedUp { uuid: over_uuid.clone(), bytes: over }];

    let mut contents = rescue::stick_contents(&root, Language::German, &headers).unwrap();
    contents.words = "console=tty0 console=ttyS0".into();
    let image = rescue::build(&Parts::find(&root).unwrap(), &contents, Place::Within(rescue::LARGEST_STICK)).unwrap();
    println!("the stick has {:.1} MiB", image.size as f64 / 1_048_576.0);
    let stick = place("stick");
    rescue::write_file(&stick, &image).unwrap();
    let seen = rescue::verify(&stick, &[&gone, &written_over, &damaged]).unwrap();
    assert_eq!((seen.headers.len(), seen.missing.len(), seen.stale.len()), (2, 1, 0));

    // The damage.
    FileDevice::open(&damaged, Access::Exclusive).unwrap().write_at(0, &[0x5a; 4096]).unwrap();
    FileDevice::open(&gone, Access::Exclusive).unwrap().write_at(0, &vec![0; 16 << 20]).unwrap();
    let script = place("script");
    fs::write(&script, "label: gpt\nsize=8M\n").unwrap();
    let line = format!(
        "{} -q --wipe never {} < {}",
        find("sfdisk").unwrap().display(),
        written_over.display(),
        script.display()
    );
    run(std::process::Command::new("sh").args(["-c", &line])).unwrap();
    assert!(Header::load(&FileDevice::open(&written_over, Access::Read).unwrap()).is_err());

    let plain_disks = [&damaged, &written_over, &interrupted, &gone, &cut].map(|path| (path.as_path(), false));
    let disks = [&[(stick.as_path(), true)], plain_disks.as_slice()].concat();
    let begun = Instant::now();
    let mut computer = Computer::start(&disks, 1536).unwrap();
    if let Err(error) = computer.wait_for("Rettungsstick", START) {
        println!("{}", computer.picture("rescue-stuck.png").unwrap().display());
        panic!("{error}");
    }
    computer.wait_for("Eingabetaste:", START).unwrap();
    println!("the menu came after {:.1} s", begun.elapsed().as_secs_f64());
    println!("{}", computer.picture("rescue-menu.png").unwrap().display());
    let menu = computer.said();
    for line in ["BESCHÄDIGT", "VERLOREN", "UNTERBROCHEN", "nichts Bekanntes"] {
        assert!(menu.contains(line), "{line} in {menu}");
    }
    // Repair; build again, with the UUID of the backup; go on; put the backup back, and agree.
    let secret = ("1", "Passwort oder");
    let read_back = "Der Kopf wurde zurückgelesen";
    for (number, steps, answer) in [
        ("1", [secret].as_slice(), read_back),
        ("2", &[secret], read_back),
        ("3", &[secret], "am Ende angekommen"),
        ("4", &[("1", "headers/"), (gone_uuid.as_str(), "Ja"), ("2", "Passwort oder")], read_back),
    ] {
        let first = (number, "Zurück");
        for (typed, then) in std::iter::once(&first).chain(steps) {
            choose(&mut computer, typed, then);
        }
        computer.type_serial(&format!("{PASSWORD}\r")).unwrap();
        if let Err(error) = computer.wait_for(answer, Duration::from_secs(240)) {
            println!("{}", computer.picture("rescue-failed.png").unwrap().display());
            panic!("{error}");
        }
        back_to_menu(&mut computer);
    }
    for (typed, then) in [("5", "Zurück"), ("prüfen", "Ja"), ("2", "Fertig. Das Dateisystem")] {
        choose(&mut computer, typed, then);
    }
    back_to_menu(&mut computer);
    println!("{}", computer.picture("rescue-repaired.png").unwrap().display());
    let menu = computer.said();
    let off = menu.lines().find(|line| line.contains("Ausschalten")).unwrap().trim_start_matches(['>', ' ']);
    computer.type_serial(&off[..1]).unwrap();
    assert!(computer.ended(Duration::from_secs(60)), "{}", computer.said());

    assert!(holds(&damaged, 1, 0) && holds(&interrupted, 3, 0) && holds(&gone, 4, 0));
    // The second table lies over the last bytes of the volume, which is behind the data here.
    assert!(holds(&written_over, 2, 0));
    run(std::process::Command::new(find("e2fsck").unwrap()).args(["-f", "-n"]).arg(&cut)).unwrap();
    let mut debugfs = std::process::Command::new(find("debugfs").unwrap());
    let letter = debugfs.args(["-R", "cat letter"]).arg(&cut).output().unwrap().stdout;
    assert!(letter == plain(5));
    let uuid = Header::load(&FileDevice::open(&written_over, Access::Read).unwrap()).unwrap().header.uuid().to_owned();
    assert_eq!(uuid, over_uuid);
    run(std::process::Command::new(find("cryptsetup").unwrap()).arg("luksDump").arg(&damaged)).unwrap();
}
