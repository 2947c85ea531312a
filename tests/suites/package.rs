//! The package as people get it: what it holds, and what Debian's own apt makes of it in a guest, from its installation
//! to its removal. `cargo xtask test --only package` builds it and runs this.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rigs::files;
use rigs::firmware::Computer;
use rigs::laptop::Laptop;
use rigs::package::Package;
use rigs::tool::{find, is_administrator, run};

const INSTALL: &str = "apt-get -q -y --no-install-recommends install /media/latchkey.deb";
const ADDRESS: &str = "io.github.latchkey.Service1 /io/github/latchkey/Service1";
/// In a folder that is not looked at when everything has to be as before.
const IMAGE: &str = "/var/tmp/start.img";
/// All that lies on the disk, but for logs, what is somebody's own, and what apt and systemd keep for themselves.
const LIST: &str = "find / -xdev \\( -path /home -o -path /root -o -path /tmp -o -path /run -o -path /var/log \
    -o -path /var/tmp -o -path /var/cache -o -path /var/lib/systemd -o -path /var/lib/apt -o -path '/var/lib/dpkg/*-old' \
    \\) -prune -o -print | sort";

#[test]
fn the_package_is_installed_used_and_removed() {
    let Some(package) = Package::find() else { return };
    if !is_administrator() {
        println!("left out: only the administrator may install a Debian into a folder");
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let mut computer = package.computer(work.path()).unwrap();
    let on = &mut computer;
    on.must(&format!("{LIST} > /var/tmp/files; dpkg-query -W > /var/tmp/packages")).unwrap();

    on.must(INSTALL).unwrap();
    assert_eq!(on.must("dpkg --verify latchkey").unwrap(), "", "what was unpacked is not what was packed");
    programs_answer(on, &package.field("Version").unwrap());
    service_is_started_by_whoever_calls_it(on);
    whoever_has_no_rights_is_asked_by_polkit(on, work.path(), &package);
    there_is_help(on, work.path(), &package);
    start_image_is_made(on);
    removal_waits_for_what_needs_it(on);
    on.must("apt-get -q -y --reinstall install /media/latchkey.deb").unwrap();
    nothing_is_left(on);
    computer.off().unwrap();
    start_image_starts(work.path());
}

fn programs_answer(on: &mut Laptop, version: &str) {
    assert_eq!(on.must("latchkey --version").unwrap(), format!("latchkey {version}"));
    // It is linked with everything that the window needs, and all of that is there.
    assert_eq!(on.must("latchkey-desktop --version").unwrap(), format!("latchkey-desktop {version}"));
    // The system lies on a drive that is not encrypted.
    assert_eq!(on.run("latchkey status /").unwrap().0, 10);
    let document = on.must("latchkey status --json").unwrap();
    let status: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert!(status["version"].is_number() && document.contains("/dev/vda"), "{document}");
    for program in ["preboot", "rescue"] {
        on.must(&format!("test -x /usr/lib/latchkey/latchkey-{program}")).unwrap();
    }
}

fn service_is_started_by_whoever_calls_it(on: &mut Laptop) {
    assert_ne!(on.run("systemctl is-active latchkey-service").unwrap().0, 0, "nobody has called it yet");
    on.must(&format!("busctl call {ADDRESS} org.freedesktop.DBus.Peer Ping")).unwrap();
    on.must("systemctl is-active latchkey-service").unwrap();
    let described = on.must(&format!("busctl introspect {ADDRESS} io.github.latchkey.Service1")).unwrap();
    assert!(described.contains("method"), "{described}");
    on.must("systemd-analyze verify latchkey-service.service").unwrap();
}

fn whoever_has_no_rights_is_asked_by_polkit(on: &mut Laptop, work: &Path, package: &Package) {
    let folder = work.join("policy");
    package.unpack(&folder).unwrap();
    let policy = fs::read_to_string(folder.join("usr/share/polkit-1/actions/io.github.latchkey.policy")).unwrap();
    let known = on.must("pkaction").unwrap();
    let mut actions = policy.split("<action id=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    assert!(
        policy.contains("<action id=") && actions.all(|action| known.lines().any(|line| line == action)),
        "{known}"
    );
    // Nobody is there who could be asked, so the answer is no.
    for command in ["check", "status"] {
        let (code, said) = on.run(&format!("runuser -u me -- latchkey {command} / < /dev/null")).unwrap();
        assert!(code == 3 && said.contains("password is needed, and nothing here can ask"), "{said}");
    }
}

fn there_is_help(on: &mut Laptop, work: &Path, package: &Package) {
    let folder = work.join("help");
    package.unpack(&folder).unwrap();
    let pages = files::walk(&folder.join("usr/share/man"));
    assert!(pages.len() > 10, "{pages:?}");
    // Each command that the help names has a page.
    let help = on.must("latchkey --help | cat").unwrap();
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> = commands.map_while(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(commands.contains(&"status") && commands.contains(&"encrypt"), "{help}");
    for command in commands.iter().filter(|command| **command != "help" && !command.is_empty()) {
        let page = format!("latchkey-{command}.1.gz");
        assert!(pages.iter().any(|path| path.ends_with(&page)), "{page}");
    }
    for page in ["latchkey", "latchkey-desktop", "latchkey-encrypt"] {
        let (code, read) = on.run(&format!("MANWIDTH=120 man {page} | head -n 30")).unwrap();
        assert!(code == 0 && read.contains("NAME") && read.contains(page), "{read}");
    }
    let completed = "bash -c '. /usr/share/bash-completion/completions/latchkey; COMP_WORDS=(latchkey encr); COMP_CWORD=1; \
        _latchkey latchkey encr latchkey; echo ${COMPREPLY[@]}'";
    assert_eq!(on.must(completed).unwrap(), "encrypt");
    for place in ["zsh/vendor-completions/_latchkey", "fish/vendor_completions.d/latchkey.fish"] {
        on.must(&format!("test -s /usr/share/{place}")).unwrap();
    }
}

/// What a drive with the system on it shows while it is locked, made by what was installed and by what the package
/// recommends.
fn start_image_is_made(on: &mut Laptop) {
    on.must(&format!("latchkey opal image {IMAGE}")).unwrap();
    let before = on.must(&format!("sha256sum {IMAGE}")).unwrap();
    let (code, said) = on.run(&format!("latchkey opal image {IMAGE}")).unwrap();
    assert!(code == 3 && said.contains(IMAGE), "it was written over: {said}");
    assert_eq!(on.must(&format!("sha256sum {IMAGE}")).unwrap(), before);
    let (code, said) = on.run("latchkey opal image --size 8M /var/tmp/small").unwrap();
    assert!(code == 3 && on.run("test -e /var/tmp/small").unwrap().0 != 0, "{said}");
}

/// A computer with Secure Boot on starts it, and its program runs. Only the kernel's words are the rig's: it looks at
/// the serial line.
fn start_image_starts(work: &Path) {
    let image = work.join("start.img");
    Package::taken_out(work, IMAGE, &image).unwrap();
    let partition = format!("{}@@1M", image.display());
    let settings = work.join("grub.cfg");
    let copy = |from: &Path, to: &Path| {
        let mut mcopy = Command::new(find("mcopy").unwrap());
        run(mcopy.args(["-o", "-i", &partition]).arg(from).arg(to)).unwrap();
    };
    copy(Path::new("::/EFI/debian/grub.cfg"), &settings);
    let text = fs::read_to_string(&settings).unwrap();
    let heard = text.replace("panic=30", "panic=30 console=tty0 console=ttyS0");
    assert_ne!(heard, text);
    fs::write(&settings, heard).unwrap();
    copy(&settings, Path::new("::/EFI/debian/grub.cfg"));
    let mut computer = Computer::start(&[(&image, true)], 1024).unwrap();
    computer.wait_for("No locked drive was found.", Duration::from_secs(300)).unwrap();
    println!("{}", computer.picture("package-start-image.png").unwrap().display());
    computer.press(&["f5"]).unwrap();
    assert!(computer.ended(Duration::from_secs(60)), "{}", computer.said());
}

/// A refusal leaves everything as it was, says why in the person's language, and ends with what it waited for.
fn removal_waits_for_what_needs_it(on: &mut Laptop) {
    let refused = |on: &mut Laptop, language: &str, words: &str| {
        let (code, said) = on.run(&format!("LC_ALL={language} apt-get -q -y remove latchkey")).unwrap();
        assert!(code != 0 && said.contains(words), "{said}");
        assert_eq!(on.must("dpkg-query -W -f '${db:Status-Status}' latchkey").unwrap(), "installed");
        on.must("latchkey --version").unwrap();
    };
    let job = "/var/lib/latchkey/system/job.json";
    on.must(&format!("mkdir -p /var/lib/latchkey/system && echo {{}} > {job}")).unwrap();
    refused(on, "C.UTF-8", "system drive is prepared or under way");
    refused(on, "de_DE.UTF-8", "Latchkey wurde nicht entfernt");
    // A newer version may come at any time.
    on.must("apt-get -q -y --reinstall install /media/latchkey.deb").unwrap();
    on.must(&format!("test -e {job} && rm -r /var/lib/latchkey/system")).unwrap();

    let unit = "/etc/systemd/system/local-fs.target.wants/latchkey-unlock@1.service";
    on.must(&format!("mkdir -p $(dirname {unit}) && ln -s /dev/null {unit}")).unwrap();
    refused(on, "C.UTF-8", "at each start it opens an encrypted drive");
    on.must(&format!("rm {unit} && rmdir $(dirname {unit})")).unwrap();

    window_opens(on);
    refused(on, "C.UTF-8", "it is running");
    on.must(&format!("pkill -x {WINDOW} && until ! pgrep -x {WINDOW}; do sleep 1; done; pkill -x Xvfb")).unwrap();
}

/// The kernel cuts a program's name after fifteen letters.
const WINDOW: &str = "latchkey-deskto";

/// On a display that nobody looks at, as the person who sits there.
fn window_opens(on: &mut Laptop) {
    on.must("Xvfb :9 -screen 0 1280x800x24 > /tmp/display 2>&1 & sleep 5").unwrap();
    on.must(
        "runuser -u me -- env DISPLAY=:9 HOME=/home/me dbus-run-session latchkey-desktop > /tmp/window 2>&1 & true",
    )
    .unwrap();
    let look = "for i in $(seq 600); do xwininfo -display :9 -root -tree | grep '\"Latchkey\"' && break; \
        pgrep -x latchkey-deskto > /dev/null || [ $i -lt 30 ] || break; sleep 1; done";
    let seen = on.must(look).unwrap();
    assert!(seen.contains("Latchkey"), "{}", on.run("cat /tmp/display /tmp/window").unwrap().1);
}

fn nothing_is_left(on: &mut Laptop) {
    on.must(
        "echo {} > /var/lib/latchkey/system-report.json || { mkdir -p /var/lib/latchkey && \
        echo {} > /var/lib/latchkey/system-report.json; }",
    )
    .unwrap();
    on.must(&format!("busctl call {ADDRESS} org.freedesktop.DBus.Peer Ping")).unwrap();
    on.must("apt-get -q -y remove latchkey").unwrap();
    assert_ne!(on.run("pgrep -f latchkey-service").unwrap().0, 0, "the service runs on");
    assert_ne!(on.run(&format!("busctl call {ADDRESS} org.freedesktop.DBus.Peer Ping")).unwrap().0, 0);
    assert!(!on.must("pkaction").unwrap().contains("io.github.latchkey"));
    // What it brought along may go now; what an encrypted system needs at each start may not.
    let going = on.must("apt-get -q --dry-run autoremove | sed -n 's/^Remv \\([^ ]*\\) .*/\\1/p'").unwrap();
    let goes = |name: &str| going.lines().any(|line| line == name);
    assert!(goes("libwebkit2gtk-4.1-0"), "{going}");
    for needed in ["cryptsetup-initramfs", "cryptsetup", "cryptsetup-bin", "initramfs-tools", "e2fsprogs"] {
        assert!(!goes(needed), "{needed} would go: {going}");
    }
    on.must("test -e /var/lib/latchkey/system-report.json").unwrap();
    on.must("apt-get -q -y purge latchkey").unwrap();
    on.must(&format!("{LIST} > /var/tmp/files.after; dpkg-query -W > /var/tmp/packages.after")).unwrap();
    assert_eq!(on.run("diff /var/tmp/files /var/tmp/files.after").unwrap(), (0, String::new()));
    assert_eq!(on.run("diff /var/tmp/packages /var/tmp/packages.after").unwrap(), (0, String::new()));
}
