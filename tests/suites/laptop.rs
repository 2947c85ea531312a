//! The running system is encrypted: a Debian 13 as its installer makes it, by `latchkey`, with everything that
//! happens to a laptop on the way. `cargo xtask test` runs one whole way; its full tier runs the rest.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rigs::laptop::{Disk, Image, Laptop, Layout};
use rigs::program::latchkey;
use rigs::tier::Tier;
use rigs::{files, tool};

const PASSWORD: &str = "correct horse battery";
/// How long the encryption, or the end of it, is waited for.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Between two looks: asking costs the emulated processor more than a real one.
const BETWEEN: Duration = Duration::from_secs(10);

/// A laptop on which the test start is staged, and the stick with the recovery key. Made once for all tests.
struct Staged {
    disk: Disk,
    stick: PathBuf,
    work: tempfile::TempDir,
}

impl Staged {
    fn new(layout: Layout) -> Option<Self> {
        let program = latchkey()?;
        if !Path::new("/usr/share/OVMF/OVMF_CODE_4M.secboot.fd").is_file() || !rigs::tool::is_administrator() {
            println!("left out: it needs ovmf, debootstrap and the administrator's rights");
            return None;
        }
        let image = Image::ready(layout).unwrap();
        let work = tempfile::tempdir().unwrap();
        let stick = make_stick(work.path(), program.path());
        let disk = image.disk(&work.path().join("staged")).unwrap();
        let mut laptop = Laptop::on(&disk, Some(&stick)).unwrap();
        laptop.shell().unwrap();
        laptop.must("mkdir -p /stick && mount /dev/vdb /stick && cd /stick").unwrap();
        laptop.must(PACKAGE).unwrap();
        laptop
            .must("for i in 1 2 3 4 5 6; do dd if=/dev/urandom of=/home/me/f$i bs=1M count=15 status=none; done")
            .unwrap();
        laptop.must("cd /home/me && sha256sum f* > /var/lib/sums && cd / && sync").unwrap();
        // A person without rights, and one whom nobody has allowed anything.
        assert_eq!(laptop.run(&as_person("nobody", "check /")).unwrap().0, 3);
        assert_eq!(laptop.run(&as_person("me", "check /")).unwrap().0, 0);
        assert_eq!(laptop.run(&as_person("me", "status /")).unwrap().0, 10);
        let words = "--password-file /stick/password --recovery-dir /stick/keys --iter-time 200 --yes";
        let (code, said) = laptop.run(&as_person("me", &format!("encrypt / {words}"))).unwrap();
        assert_eq!(code, 0, "{said}\n{}", laptop.run("journalctl -u latchkey-service | tail -n 40").unwrap().1);
        let resident = laptop.must("grep VmRSS /proc/$(pgrep -x latchkey-servic)/status").unwrap();
        println!("the service over D-Bus, after staging: {resident}");
        // Nothing on the root has changed but files.
        assert!(laptop.must("lsblk -no FSTYPE /dev/vda2").unwrap().contains("ext4"));
        // A second try is refused, and a failed one leaves what was staged.
        assert_eq!(laptop.run(&format!("latchkey encrypt / {words}")).unwrap().0, 3);
        let phase = match layout {
            Layout::SwapPartition => "\"staged\"",
            Layout::SwapFile | Layout::SwapFileBios => "\"room_staged\"",
        };
        assert!(laptop.run("latchkey status / --json").unwrap().1.contains(phase));
        laptop.must("sync").unwrap();
        laptop.off().unwrap();
        Some(Self { disk, stick, work })
    }

    fn copy(&self, name: &str) -> Disk {
        self.disk.copy(&self.work.path().join(name)).unwrap()
    }

    fn on(&self, disk: &Disk) -> Laptop {
        Laptop::on(disk, Some(&self.stick)).unwrap()
    }
}

/// What the package does, and a rule of polkit's for one person: there is no desktop here that could ask.
const PACKAGE: &str = "install -m 755 /stick/latchkey /usr/bin/latchkey && \
    install -D -m 755 /stick/latchkey-service /usr/libexec/latchkey-service && \
    install -m 644 /stick/dist/*Service1.conf /usr/share/dbus-1/system.d/ && \
    install -m 644 /stick/dist/*Service1.service /usr/share/dbus-1/system-services/ && \
    install -m 644 /stick/dist/*.policy /usr/share/polkit-1/actions/ && \
    install -m 644 /stick/dist/latchkey-service.service /usr/lib/systemd/system/ && \
    echo 'polkit.addRule(function(action, subject) { if (subject.user == \"me\" && \
    action.id.indexOf(\"io.github.latchkey.\") == 0) return polkit.Result.YES; });' \
    > /etc/polkit-1/rules.d/10-me.rules && chmod 644 /etc/polkit-1/rules.d/10-me.rules && \
    chmod 777 /stick/keys && systemctl daemon-reload && systemctl reload dbus";

/// `latchkey` as somebody without rights, and with nobody who could be asked.
fn as_person(name: &str, words: &str) -> String {
    format!("runuser -u {name} -- latchkey {words} < /dev/null")
}

/// A stick with the programs, the password and a folder for the recovery key.
fn make_stick(work: &Path, program: &Path) -> PathBuf {
    let folder = work.join("stick");
    fs::create_dir_all(folder.join("keys")).unwrap();
    for name in ["latchkey", "latchkey-service"] {
        let copy = folder.join(name);
        fs::copy(program.with_file_name(name), &copy).unwrap();
        // What a debugger wants is larger than the rest.
        tool::run(std::process::Command::new("strip").arg(&copy)).unwrap();
    }
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../helpers/service/dist");
    tool::run(std::process::Command::new("cp").arg("-r").arg(dist).arg(&folder)).unwrap();
    fs::write(folder.join("password"), PASSWORD).unwrap();
    let image = work.join("stick.img");
    files::ext4(&image, 160 << 20, &folder).unwrap();
    image
}

#[test]
fn the_laptop() {
    let Some(staged) = Staged::new(Layout::SwapPartition) else { return };
    let done = the_whole_way(&staged);
    if Tier::now() < Tier::Full {
        println!("left out: `cargo xtask test --full` has the power cuts in the other stages, and what goes wrong");
        return;
    }
    wrong_password_starts_as_ever(&staged);
    a_start_that_does_not_arrive_is_taken_back(&staged);
    cut_while_the_header_is_placed(&staged);
    taken_back_before_the_test(&staged);
    a_test_without_our_script_is_noted(&staged);
    other_words_at_the_prompt(&staged, &done);
    back_to_plain(&staged, &done);
}

/// Nothing but the root could give `/boot` a partition of its own: a start of its own makes the room, and the test
/// start comes after it.
#[test]
fn the_laptop_with_a_swap_file() {
    if Tier::now() < Tier::Full {
        println!("left out: `cargo xtask test --full` has the laptop with a swap file");
        return;
    }
    if let Some(staged) = Staged::new(Layout::SwapFile) {
        cut_while_room_is_made(&staged);
        the_way_over_two_starts(&staged);
    }
}

/// The same without UEFI: GRUB lies in the disk's first sectors.
#[test]
fn the_laptop_with_a_bios() {
    if Tier::now() < Tier::Full {
        println!("left out: `cargo xtask test --full` has the laptop with a BIOS");
        return;
    }
    if let Some(staged) = Staged::new(Layout::SwapFileBios) {
        the_way_over_two_starts(&staged);
    }
}

/// The start that makes room, the test start, some encryption, a power cut, and a start after it.
fn the_way_over_two_starts(staged: &Staged) {
    let disk = staged.copy("swap-file");
    let mut laptop = staged.on(&disk);
    // Nobody is asked for anything.
    laptop.shell().unwrap();
    let size = "lsblk -bno SIZE /dev/vda2";
    assert!(laptop.must(size).unwrap().parse::<u64>().unwrap() < 1500 << 20);
    settled(&mut laptop);
    let staged_now = laptop.run("latchkey status / --json").unwrap().1;
    assert!(staged_now.contains("\"staged\""), "{staged_now}");
    assert!(laptop.must("findmnt -no SOURCE /boot").unwrap().contains("/dev/vda3"));
    if disk.variables().is_some() {
        assert!(laptop.must("findmnt -no SOURCE /boot/efi").unwrap().contains("/dev/vda1"));
    }
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    assert!(laptop.must("lsblk -no TYPE,MOUNTPOINTS /dev/vda2").unwrap().contains("crypt /"));
    assert!(laptop.must("swapon --show --noheadings").unwrap().contains("/swap.img"));
    laptop.must(WRITER).unwrap();
    until(&mut laptop, |done, total| done * 100 / total >= 5);
    // As a new kernel's package does, in the middle of it. In here that takes longer than all of the encryption, so
    // it waits.
    laptop.must("latchkey pause /").unwrap();
    laptop.must("update-initramfs -u -k all").unwrap();
    laptop.must("mkdir -p /stick; mount /dev/vdb /stick; latchkey resume / --password-file /stick/password").unwrap();
    until(&mut laptop, |done, total| done * 100 / total >= 10);
    laptop.cut();
    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    unharmed(&mut laptop);
    laptop.off().unwrap();
}

/// Until the service of this start has done what is to be done: while it prepares or takes back, nobody can switch the
/// computer off without insisting.
fn settled(laptop: &mut Laptop) {
    let end = Instant::now() + PATIENCE;
    while laptop.run("systemctl is-active latchkey-system").unwrap().0 == 0 {
        assert!(Instant::now() < end, "{}", laptop.run("journalctl -u latchkey-system | tail -n 30").unwrap().1);
        thread::sleep(BETWEEN);
    }
}

/// The power goes while the file system or the table is changed: the system starts, all files are there, and what was
/// prepared has been taken back or goes on.
fn cut_while_room_is_made(staged: &Staged) {
    for (number, milliseconds) in [300, 6000].into_iter().enumerate() {
        let disk = staged.copy(&format!("room-{number}"));
        let mut laptop = staged.on(&disk);
        laptop.wait(&["make room for /boot"]).unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        laptop.cut();
        let mut laptop = staged.on(&disk);
        laptop.shell().unwrap();
        laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
        settled(&mut laptop);
        let said = laptop.run("latchkey status / --json").unwrap().1;
        assert!(said.contains("\"untouched\"") || said.contains("\"staged\""), "{said}");
        println!("after the cut {milliseconds} ms into it: {said}");
        laptop.off().unwrap();
    }
}

/// Test start, encryption with files being written, a power cut in the middle, the end, a start from power-off.
fn the_whole_way(staged: &Staged) -> Disk {
    let disk = staged.copy("whole-way");
    let mut laptop = staged.on(&disk);
    laptop.answer_prompt("a slip of the finger").unwrap();
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    assert!(laptop.must("lsblk -no TYPE,MOUNTPOINTS /dev/vda2").unwrap().contains("crypt /"));
    assert!(laptop.must("grub-editenv list").unwrap().ends_with("next_entry="));
    // Nobody may see the password. (The brackets keep the search from finding itself.)
    let all = "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2> /dev/null";
    assert_eq!(laptop.run(&format!("{all} | grep -aq 'correct horse [b]attery'")).unwrap().0, 1);
    laptop.must(WRITER).unwrap();
    until(&mut laptop, |done, total| done * 100 / total >= 20);
    let resident = laptop.must("grep VmRSS /proc/$(pgrep -f 'latchkey system run')/status").unwrap();
    println!("the service while it encrypts: {resident}");
    until(&mut laptop, |done, total| done * 100 / total >= 40);
    laptop.cut();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    unharmed(&mut laptop);
    assert!(laptop.must("cat /run/latchkey/start.json").unwrap().contains("\"opened\""));
    pause_and_resume(&mut laptop);
    laptop.must(WRITER).unwrap();
    thread::sleep(Duration::from_secs(20));
    unharmed(&mut laptop);
    let end = Instant::now() + PATIENCE;
    while !laptop.run("latchkey status / --json").unwrap().1.contains("\"to_be_proven\"") {
        assert!(Instant::now() < end, "{}", laptop.run("journalctl -u latchkey-system | tail -n 30").unwrap().1);
        thread::sleep(BETWEEN);
    }
    unharmed(&mut laptop);
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    unharmed(&mut laptop);
    let end = Instant::now() + PATIENCE;
    while laptop.run("latchkey status /").unwrap().0 != 0 {
        assert!(Instant::now() < end, "{}", laptop.run("journalctl -u latchkey-system | tail -n 30").unwrap().1);
        thread::sleep(BETWEEN);
    }
    as_the_installer_makes_it(&mut laptop);
    laptop.off().unwrap();
    disk
}

/// Writes and flushes for ever; what is called `done` was on the disk.
const WRITER: &str = "rm -f /run/enough; (while test ! -e /run/enough && dd if=/dev/urandom of=/home/me/w bs=1M count=3 conv=fsync status=none; do \
    (cd /home/me && sha256sum w | sed s/w$/done/ > w.sum && sync w.sum && mv w done && mv w.sum done.sum && sync .); \
    done) > /dev/null 2>&1 & true";

/// All files are what they were, and so is what was flushed before a cut.
fn unharmed(laptop: &mut Laptop) {
    laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
    // The writer ends between two rounds. A cut between the two names leaves the new sum under the old one.
    let written = "(sha256sum --status -c done.sum || sha256sum --status -c w.sum)";
    laptop.must(&format!("touch /run/enough; wait; cd /home/me && test -s done && {written} && cd /")).unwrap();
}

/// Waits until it is as far as that; says bytes.
fn until(laptop: &mut Laptop, far: impl Fn(u64, u64) -> bool) {
    let end = Instant::now() + PATIENCE;
    loop {
        let (_, text) = laptop.run("latchkey status / --json").unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let number = |name: &str| document["phase"][name].as_u64().unwrap_or(0);
        if number("total") > 0 && far(number("done"), number("total")) {
            return;
        }
        assert!(!text.contains("\"to_be_proven\""), "it came to its end before that: {text}");
        assert!(Instant::now() < end, "{text}");
        thread::sleep(Duration::from_secs(3));
    }
}

fn pause_and_resume(laptop: &mut Laptop) {
    laptop.must(&as_person("me", "pause /")).unwrap();
    let first = laptop.run("latchkey status / --json").unwrap().1;
    assert!(first.contains("\"running\": false"), "{first}");
    thread::sleep(Duration::from_secs(3));
    assert_eq!(laptop.run("latchkey status / --json").unwrap().1, first);
    // What is half encrypted is not taken back at once.
    assert_eq!(laptop.run("latchkey undo / --yes").unwrap().0, 3);
    assert_eq!(laptop.run("echo wrong | latchkey resume / --password-file -").unwrap().0, 4);
    laptop.must("mount /dev/vdb /stick").unwrap();
    laptop.must(&as_person("me", "resume / --password-file /stick/password")).unwrap();
}

fn as_the_installer_makes_it(laptop: &mut Laptop) {
    let crypttab = laptop.must("cat /etc/crypttab").unwrap();
    assert!(crypttab.lines().any(|line| line.starts_with("vda2_crypt UUID=") && line.ends_with("none luks,discard")));
    assert!(crypttab.lines().any(|line| line.starts_with("vda3_crypt ") && line.contains("/dev/urandom")));
    assert!(laptop.must("swapon --show --noheadings").unwrap().contains("/dev/dm-"));
    for gone in [
        "/etc/initramfs-tools/hooks/latchkey",
        "/etc/initramfs-tools/scripts/local-top/latchkey",
        "/etc/systemd/system/latchkey-system.service",
        "/var/lib/latchkey/system",
        "/usr/local/lib/latchkey/latchkey",
        "/boot/grub/custom.cfg",
    ] {
        assert_eq!(laptop.run(&format!("test -e {gone}")).unwrap().0, 1, "{gone}");
    }
    assert_eq!(laptop.must("systemctl list-units --failed --no-legend").unwrap(), "");
    // Both keyslots, no reencryption, sectors of 4096 bytes.
    let dump = laptop.must("cryptsetup luksDump /dev/vda2").unwrap();
    assert!(!dump.contains("reencrypt") && dump.contains("sector: 4096"), "{dump}");
    laptop.must("mount /dev/vdb /stick; sed -n 's/^    \\([a-z]\\{8\\}-.*\\)/\\1/p' /stick/keys/*.txt | head -n1 | tr -d '\\n' | \
        cryptsetup open --test-passphrase --key-file - /dev/vda2").unwrap();
    laptop.must("e2fsck -fn /dev/mapper/vda2_crypt > /dev/null 2>&1; test $? -lt 8").unwrap();
}

fn wrong_password_starts_as_ever(staged: &Staged) {
    let disk = staged.copy("wrong");
    let mut laptop = staged.on(&disk);
    for slip in ["one", "two", "three"] {
        laptop.answer_prompt(slip).unwrap();
    }
    laptop.shell().unwrap();
    assert!(laptop.must("lsblk -no FSTYPE /dev/vda2").unwrap().contains("ext4"));
    assert!(laptop.run("latchkey status /").unwrap().1.contains("wrong three times"));
    laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
    laptop.off().unwrap();
    // And nobody is asked at the next start.
    let mut laptop = staged.on(&disk);
    laptop.shell().unwrap();
    laptop.off().unwrap();
}

fn a_start_that_does_not_arrive_is_taken_back(staged: &Staged) {
    let disk = staged.copy("not-arrived");
    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    // The root is about to be mounted: the header is in place.
    laptop.wait(&["vda2_crypt: clean"]).unwrap();
    laptop.cut();
    let mut laptop = staged.on(&disk);
    laptop.shell().unwrap();
    assert!(laptop.must("lsblk -no FSTYPE /dev/vda2").unwrap().contains("ext4"));
    assert!(laptop.must("cat /run/latchkey/start.json").unwrap().contains("\"taken-back\""));
    laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
    laptop.off().unwrap();
}

/// The power goes at several moments after the password was typed: while the file system is checked and made
/// smaller, and while the header is put in place.
fn cut_while_the_header_is_placed(staged: &Staged) {
    for (number, milliseconds) in [500, 1500, 2500, 4000].into_iter().enumerate() {
        let disk = staged.copy(&format!("placing-{number}"));
        let mut laptop = staged.on(&disk);
        laptop.answer_prompt(PASSWORD).unwrap();
        laptop.wait(&["made ready"]).unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        laptop.cut();
        let mut laptop = staged.on(&disk);
        laptop.shell().unwrap();
        assert!(laptop.must("lsblk -no FSTYPE /dev/vda2").unwrap().contains("ext4"));
        laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
        laptop.off().unwrap();
    }
}

fn taken_back_before_the_test(staged: &Staged) {
    let disk = staged.copy("undone");
    let mut laptop = staged.on(&disk);
    // Nobody is in front of it when it asks: here, somebody presses enter three times.
    for _ in 0..3 {
        laptop.answer_prompt("").unwrap();
    }
    laptop.shell().unwrap();
    laptop.run("latchkey undo / --yes").unwrap();
    assert_eq!(laptop.run("test -e /etc/initramfs-tools/hooks/latchkey").unwrap().0, 1);
    laptop.off().unwrap();
}

/// Somebody has made the initramfs anew without our part: the test entry starts the system as ever, and it is said.
fn a_test_without_our_script_is_noted(staged: &Staged) {
    let disk = staged.copy("no-script");
    let mut laptop = staged.on(&disk);
    for slip in ["one", "two", "three"] {
        laptop.answer_prompt(slip).unwrap();
    }
    laptop.shell().unwrap();
    // The service has taken the first try back; the second one loses its script before the restart.
    let end = Instant::now() + PATIENCE;
    while laptop
        .run("test -e /etc/systemd/system/latchkey-system.service || systemctl is-active latchkey-system")
        .unwrap()
        .0
        == 0
    {
        assert!(Instant::now() < end);
        thread::sleep(BETWEEN);
    }
    let words = "--password-file /stick/password --recovery-dir /stick/keys --iter-time 200 --yes";
    // /boot, which is a partition of its own by now, has no room.
    laptop.must("fallocate -l $(($(df --output=avail -B1 /boot | tail -n1) - 50000000)) /boot/full").unwrap();
    assert_eq!(laptop.run(&format!("latchkey encrypt / {words}")).unwrap().0, 3);
    laptop.must("rm /boot/full").unwrap();
    laptop.must(&format!("mkdir -p /stick; mount /dev/vdb /stick; latchkey encrypt / {words}")).unwrap();
    laptop.must("rm /etc/initramfs-tools/scripts/local-top/latchkey && update-initramfs -u").unwrap();
    laptop.off().unwrap();
    let mut laptop = staged.on(&disk);
    laptop.shell().unwrap();
    let end = Instant::now() + PATIENCE;
    while !laptop.run("cat /run/latchkey/start.json").unwrap().1.contains("boot-not-in-initramfs") {
        assert!(Instant::now() < end);
        thread::sleep(Duration::from_secs(3));
    }
    laptop.off().unwrap();
}

/// Words of one's own at the prompt with nothing shown, a decoy that gives way, and the distribution's prompt again.
fn other_words_at_the_prompt(staged: &Staged, done: &Disk) {
    let disk = done.copy(&staged.work.path().join("words")).unwrap();
    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    let before = laptop.must("cat /etc/crypttab").unwrap();
    assert_eq!(laptop.run(&as_person("nobody", "prompt set --silent --yes")).unwrap().0, 3);
    // What cannot be made leaves everything as it was, and the start is the usual one.
    laptop.must("fallocate -l $(($(df --output=avail -B1 /boot | tail -n1) - 1000000)) /boot/full").unwrap();
    assert_eq!(laptop.run("latchkey prompt set --decoy no-system --yes").unwrap().0, 1);
    laptop.must("rm /boot/full").unwrap();
    assert_eq!(laptop.must("cat /etc/crypttab").unwrap(), before);
    assert_eq!(laptop.run("test -e /etc/latchkey/prompt").unwrap().0, 1);
    laptop.must("latchkey prompt set --text 'Found? 030 123456' --silent --yes").unwrap();
    assert!(laptop.must("latchkey prompt show").unwrap().contains("Found? 030 123456"));
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    for answer in ["a slip of the finger", PASSWORD] {
        laptop.wait(&["Found? 030 123456\n"]).unwrap();
        laptop.answer_prompt(answer).unwrap();
    }
    laptop.shell().unwrap();
    laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
    assert_eq!(laptop.must("systemctl list-units --failed --no-legend").unwrap(), "");
    // As a new kernel's package does.
    laptop
        .must("update-initramfs -u -k all && lsinitramfs /boot/initrd.img-$(uname -r) | grep -qx etc/latchkey/prompt")
        .unwrap();
    laptop.must("latchkey prompt set --decoy no-system --yes").unwrap();
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.wait(&["Operating System not found\n"]).unwrap();
    thread::sleep(Duration::from_secs(1));
    laptop.type_line("").unwrap();
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.wait(&["Operating System not found\n"]).unwrap();
    thread::sleep(Duration::from_secs(1));
    laptop.type_line(PASSWORD).unwrap();
    laptop.shell().unwrap();
    laptop.must("latchkey prompt set --default --yes").unwrap();
    assert_eq!(laptop.must("cat /etc/crypttab").unwrap(), before);
    assert_eq!(laptop.run("test -e /etc/latchkey/prompt").unwrap().0, 1);
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    laptop.off().unwrap();
}

/// The way back: the next start decrypts, through a power cut, and the system is plain again.
fn back_to_plain(staged: &Staged, done: &Disk) {
    let disk = done.copy(&staged.work.path().join("back")).unwrap();
    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    laptop.must("mkdir -p /stick; mount /dev/vdb /stick").unwrap();
    assert_eq!(laptop.run("echo wrong | latchkey decrypt / --password-file - --yes").unwrap().0, 4);
    laptop.must("latchkey decrypt / --password-file /stick/password --yes").unwrap();
    laptop.off().unwrap();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.wait(&["% decrypted"]).unwrap();
    laptop.cut();

    let mut laptop = staged.on(&disk);
    laptop.answer_prompt("a slip").unwrap();
    laptop.answer_prompt(PASSWORD).unwrap();
    laptop.shell().unwrap();
    assert!(laptop.must("lsblk -no FSTYPE,MOUNTPOINTS /dev/vda2").unwrap().contains("ext4"));
    laptop.must("cd /home/me && sha256sum --quiet -c /var/lib/sums && cd /").unwrap();
    let end = Instant::now() + PATIENCE;
    while !laptop.run("latchkey status / --json").unwrap().1.contains("\"untouched\"") {
        assert!(Instant::now() < end, "{}", laptop.run("journalctl -u latchkey-system | tail -n 30").unwrap().1);
        thread::sleep(BETWEEN);
    }
    assert!(!laptop.must("cat /etc/crypttab").unwrap().contains("vda2_crypt"));
    laptop.off().unwrap();
    let mut laptop = staged.on(&disk);
    laptop.shell().unwrap();
    laptop.off().unwrap();
}
