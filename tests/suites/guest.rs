//! The kernel and stock tools open, mount and check what we made.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use rigs::files;
use rigs::guest::Guest;
use rigs::program::latchkey;
use rigs::tier::Tier;
use rigs::tool::{Error, find, run};

#[test]
fn the_guest_opens_what_stock_cryptsetup_made() {
    let Some(guest) = guest() else { return };
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("stock.img");
    let file = std::fs::File::create(&image).unwrap();
    file.set_len(64 << 20).unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, "correct horse").unwrap();
    run(Command::new(find("cryptsetup").unwrap())
        .args(["luksFormat", "--batch-mode", "--pbkdf-memory", "65536", "--pbkdf-force-iterations", "4"])
        .arg(&image)
        .arg(&key))
    .unwrap();

    let output = guest
        .disk(&image)
        .run(
            "printf 'correct horse' | cryptsetup open --key-file - \"$1\" plain
             mke2fs -q -t ext4 /dev/mapper/plain
             mount /dev/mapper/plain /mnt
             echo hello > /mnt/file
             umount /mnt
             e2fsck -f -n /dev/mapper/plain
             mount /dev/mapper/plain /mnt
             sha256sum /mnt/file
             umount /mnt
             cryptsetup close plain",
        )
        .unwrap();
    println!("the guest took {:.1} s", output.time.as_secs_f64());
    assert_eq!(output.status, 0, "{:#?}", output.lines);
    let hash = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    assert!(output.lines.iter().any(|line| line.starts_with(hash)), "{:#?}", output.lines);
}

/// Before and after a real encryption: measured, compared, the mapping beside the device under it, the
/// kernel's queues tried and set back as found out. Nothing stays on the volume but its files.
#[test]
fn speed_before_and_after_is_measured_around_a_real_encryption() {
    if Tier::now() != Tier::Full {
        println!("left out: measuring in an emulator takes minutes; the full tier does it");
        return;
    }
    let (Some(latchkey), Some(guest)) = (latchkey(), guest()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = files::program_disk(&folder.path().join("program.img"), latchkey.path()).unwrap();
    let (drive, source) = (folder.path().join("drive.img"), folder.path().join("source"));
    files::write_some(&source, 8 << 20).unwrap();
    files::ext4(&drive, 448 << 20, &source).unwrap();
    let guest = guest.read_only_disk(&program).disk(&drive).patience(std::time::Duration::from_secs(1500));
    let output = guest.run(MEASURED).unwrap();
    println!("the guest took {:.1} s", output.time.as_secs_f64());
    assert_eq!(output.status, 0, "{:#?}", output.lines);
    let between = |name: &str| {
        let (begin, end) = (format!("<<{name}"), format!("{name}>>"));
        let lines = output.lines.iter().skip_while(|line| **line != begin).skip(1).take_while(|line| **line != end);
        lines.cloned().collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    let json = |name: &str| -> serde_json::Value { serde_json::from_str(&between(name)).unwrap() };
    for (name, cipher) in [("before", None), ("after", Some("aes-xts-plain64"))] {
        let report = json(name);
        assert_eq!(report["tests"].as_array().unwrap().len(), 8);
        assert_eq!(report["access"], "direct");
        assert_eq!(report["conditions"]["crypt"]["cipher"].as_str(), cipher);
        assert_eq!(report["prediction"].is_null(), cipher.is_some());
    }
    let compared = json("compared");
    for line in compared["comparisons"].as_array().unwrap() {
        println!(
            "{} {} {:.2} ({:.2} to {:.2})",
            line["name"], line["change"], line["ratio"], line["ratio_low"], line["ratio_high"]
        );
        assert!(line["predicted"].is_array());
    }
    assert_eq!(json("mapping")["comparisons"].as_array().unwrap().len(), 4);
    // What the trial found out is what the kernel does from now on, and what the header says.
    for (way, queue) in [("reads", "no_read_workqueue"), ("writes", "no_write_workqueue")] {
        let tried = &json("tune")[way];
        assert_eq!(tried["comparisons"].as_array().unwrap().len(), 4);
        let kept = tried["kept"].as_bool().unwrap();
        println!("{queue} is kept: {kept}");
        for place in ["table", "dump"] {
            let said = between(place).replace('-', "_");
            assert_eq!(said.contains(queue), kept, "{said}");
        }
    }
    assert_eq!(between("left"), "", "something stayed on the volume");
    let page = between("page");
    assert!(page.starts_with("<!doctype html>") && page.matches("<svg").count() >= 3);
    if let Some(kept) = std::env::var_os("LATCHKEY_BENCH_PAGE") {
        fs::write(kept, page).unwrap();
    }
}

const MEASURED: &str = r#"
    mkdir -p /program
    mount -o ro "$1" /program
    latchkey() { LD_LIBRARY_PATH=/program/lib /program/run "$@"; }
    printf 'levuf guvuf vehul jihec' > /tmp/key
    mount "$2" /mnt
    latchkey bench disk /mnt --size 16M --json > /tmp/before
    umount /mnt
    mkdir /tmp/keys
    latchkey encrypt "$2" --password-file /tmp/key --recovery-dir /tmp/keys --recovery-dir-is-elsewhere --iter-time 100 --yes
    cryptsetup open --key-file /tmp/key "$2" plain
    mount /dev/mapper/plain /mnt
    latchkey bench disk /mnt --size 16M --json > /tmp/after
    latchkey bench compare /tmp/before /tmp/after --json --html /tmp/page > /tmp/compared
    latchkey bench mapping plain --json > /tmp/mapping
    latchkey bench tune plain --password-file /tmp/key --json > /tmp/tune
    find /mnt -name '*bench*' > /tmp/left
    dmsetup table plain > /tmp/table
    cryptsetup luksDump "$2" > /tmp/dump
    umount /mnt
    cryptsetup close plain
    for name in before after compared mapping tune table dump left page; do
        echo "<<$name"; cat "/tmp/$name"; echo; echo "$name>>"
    done
"#;

/// The guest, or `None` where it cannot be: then the test says so and is left out. Where the whole is
/// tested that is no excuse.
fn guest() -> Option<Guest> {
    match Guest::new() {
        Ok(guest) => Some(guest),
        Err(error @ Error::Missing(_)) if Tier::now() == Tier::Quick => {
            println!("left out: {error}");
            None
        }
        Err(error) => panic!("the guest cannot be made: {error}"),
    }
}

#[test]
fn the_guest_opens_what_latchkey_encrypted_and_decrypting_is_exact() {
    let (Some(latchkey), Some(guest)) = (latchkey(), guest()) else { return };
    let size = match Tier::now() {
        Tier::Quick => 96 << 20,
        Tier::Usual => 256 << 20,
        Tier::Full => 1 << 30,
    };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (image, keys, password, source) = (place("drive.img"), place("keys"), place("password"), place("source"));
    fs::create_dir(&keys).unwrap();
    fs::write(&password, PASSWORD).unwrap();
    files::write_some(source.as_ref(), size / 2).unwrap();
    files::ext4(image.as_ref(), size, source.as_ref()).unwrap();
    let before = files::hash(image.as_ref()).unwrap();

    let encrypt = latchkey
        .run([
            "encrypt",
            &image,
            "--password-file",
            &password,
            "--recovery-dir",
            &keys,
            "--recovery-dir-is-elsewhere",
            "--yes",
        ])
        .unwrap();
    assert!(encrypt.status.success(), "{}", String::from_utf8_lossy(&encrypt.stderr));

    // The guest gets a copy: mounting writes to a file system even where nobody writes a file.
    let copy = place("copy.img");
    fs::copy(&image, &copy).unwrap();
    let script = format!(
        "printf %s '{}' | cryptsetup open --key-file - \"$1\" by-key
         cryptsetup close by-key
         printf %s '{PASSWORD}' | cryptsetup open --key-file - \"$1\" plain
         e2fsck -f -n /dev/mapper/plain
         mount /dev/mapper/plain /mnt
         cd /mnt
         find . -type f -exec sha256sum {{}} +
         cd /
         umount /mnt
         cryptsetup close plain",
        recovery_key(keys.as_ref())
    );
    let output = guest.disk(copy.as_ref()).run(&script).unwrap();
    println!("the guest took {:.1} s for {} MiB", output.time.as_secs_f64(), size >> 20);
    assert_eq!(output.status, 0, "{:#?}", output.lines);
    assert_eq!(files::hashes_of_lines(&output.lines), files::hashes(source.as_ref()).unwrap());

    let decrypt = latchkey.run(["decrypt", &image, "--password-file", &password, "--yes"]).unwrap();
    assert!(decrypt.status.success(), "{}", String::from_utf8_lossy(&decrypt.stderr));
    assert_eq!(files::hash(image.as_ref()).unwrap(), before, "decrypting is not exact");
}

/// Live verdicts, held against what `lsblk` and `cryptsetup` say of the same devices: LVM on LUKS, LUKS
/// on LVM, LUKS on an array, btrfs over an encrypted and a plain device, swap of each kind, a header that
/// lies elsewhere. Other programs of the same names in the search path change nothing.
#[test]
fn the_verdicts_in_the_guest_are_those_of_stock_tools() {
    let (Some(latchkey), Some(guest)) = (latchkey(), guest()) else { return };
    for tool in ["lvm", "mdadm", "mkfs.btrfs", "sfdisk", "mkswap"] {
        if let Err(error) = find(tool) {
            assert_eq!(Tier::now(), Tier::Quick, "{error}");
            println!("left out: {error}");
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let program = files::program_disk(&folder.path().join("program.img"), latchkey.path()).unwrap();
    let (drive, apart) = (folder.path().join("drive.img"), folder.path().join("apart.img"));
    files::partitioned(&drive, &[64, 64, 32, 32, 144, 144, 16, 16]).unwrap();
    fs::File::create(&apart).unwrap().set_len(16 << 20).unwrap();
    let output = guest.read_only_disk(&program).disk(&drive).disk(&apart).run(STACKS).unwrap();
    println!("the guest took {:.1} s", output.time.as_secs_f64());
    assert_eq!(output.status, 0, "{:#?}", output.lines);

    let said = |name: &str| section(&output.lines, name);
    let status: serde_json::Value = serde_json::from_str(&said("status")).unwrap();
    let spoofed: serde_json::Value = serde_json::from_str(&said("spoofed")).unwrap();
    assert_eq!(status, spoofed, "another program in the search path changed something");
    println!("{}", said("words"));

    let places = status["computer"]["places"].as_array().unwrap();
    let verdict = |place: &str| {
        let found = places.iter().find(|one| one["place"] == place);
        found.unwrap_or_else(|| panic!("no {place} in {places:#?}"))["judged"]["verdict"].as_str().unwrap()
    };
    for (place, expected) in [
        ("/mnt/lvm-on-luks", "protected"),
        ("/mnt/luks-on-lvm", "protected"),
        ("/mnt/open", "not_protected"),
        ("/mnt/array", "protected"),
        ("/mnt/pool", "partly_protected"),
        ("/mnt/apart", "protected"),
        ("/dev/vdc7", "not_protected"),
        ("/dev/mapper/swap", "protected"),
        ("/dev/mapper/sealed-swap", "protected"),
    ] {
        assert_eq!(verdict(place), expected, "{place}");
    }
    assert_eq!(status["computer"]["judged"]["verdict"], "partly_protected");
    // The same from the tree that lsblk draws, for all that it can tell; of btrfs it knows one device.
    let tree = Tree::parse(&said("lsblk"));
    for (at, expected) in tree.verdicts() {
        if at != "/mnt/pool" && places.iter().any(|one| one["place"] == at.as_str()) {
            assert_eq!(verdict(&at), expected, "lsblk says otherwise of {at}");
        }
    }
    // The graph has every edge of that tree.
    let devices = status["devices"].as_array().unwrap();
    for (upper, lower) in tree.edges() {
        let device = devices.iter().find(|one| one["path"] == upper.as_str());
        let below = &device.unwrap_or_else(|| panic!("no {upper} in {devices:#?}"))["below"];
        assert!(below.as_array().unwrap().contains(&lower.as_str().into()), "{upper} lies on {lower}: {below}");
    }
    let volumes: Vec<&serde_json::Value> =
        status["drives"].as_array().unwrap().iter().flat_map(|drive| drive["volumes"].as_array().unwrap()).collect();
    let volume = |id: &str| volumes.iter().find(|volume| volume["id"] == id).unwrap();
    for (id, verdict) in [
        ("/dev/vdc1", "protected"),
        ("/dev/vdc2", "partly_protected"),
        ("/dev/vdc3", "protected"),
        ("/dev/vdc4", "protected"),
        ("/dev/vdc5", "protected"),
        ("/dev/vdc6", "not_protected"),
        ("/dev/vdc7", "not_protected"),
        ("/dev/vdc8", "protected"),
        ("/dev/vdd", "protected"),
    ] {
        assert_eq!(volume(id)["judged"]["verdict"], verdict, "{id}: {:#}", volume(id));
    }
    // Whatever stock cryptsetup calls LUKS on the medium is LUKS here, and nothing else.
    for line in said("luks").lines() {
        let (id, answer) = line.split_once(' ').unwrap();
        let luks = volume(id)["content"].as_str().unwrap().starts_with("luks");
        assert_eq!(luks, answer == "yes", "{id}: {:#}", volume(id));
    }
}

/// What the guest's script printed between two lines with the section's name.
fn section(lines: &[String], name: &str) -> String {
    let (begin, end) = (format!("<<{name}"), format!("{name}>>"));
    let inside = lines.iter().skip_while(|line| **line != begin).skip(1).take_while(|line| **line != end);
    inside.cloned().collect::<Vec<_>>().join("\n")
}

/// What `lsblk -P -o KNAME,PKNAME,TYPE,MOUNTPOINT,PATH` printed: a line for each way down.
struct Tree {
    /// Kernel name, what it lies on, type, where it is mounted, path.
    lines: Vec<[String; 5]>,
}

impl Tree {
    fn parse(text: &str) -> Self {
        let value = |line: &str, name: &str| {
            line.split_once(&format!("{name}=\""))
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(value, _)| value.to_owned())
        };
        let parse = |line: &str| {
            // PKNAME ends in KNAME: the first one of the line is looked for with the space before it.
            let line = format!(" {line}");
            Some([
                value(&line, " KNAME")?,
                value(&line, " PKNAME")?,
                value(&line, " TYPE")?,
                value(&line, " MOUNTPOINT")?,
                value(&line, " PATH")?,
            ])
        };
        Self { lines: text.lines().filter_map(parse).collect() }
    }

    /// Paths of each device and of one that it lies on.
    fn edges(&self) -> Vec<(String, String)> {
        let path = |name: &str| self.lines.iter().find(|line| line[0] == name).map(|line| line[4].clone());
        self.lines.iter().filter_map(|line| Some((line[4].clone(), path(&line[1])?))).collect()
    }

    /// For each place: protected if every way down meets a crypt device, not protected if none does.
    fn verdicts(&self) -> Vec<(String, &'static str)> {
        let places = self.lines.iter().filter(|line| !line[3].is_empty());
        places
            .map(|line| {
                let ways = self.ways(&line[0]);
                let verdict = match ways.iter().filter(|crypt| **crypt).count() {
                    0 => "not_protected",
                    some if some == ways.len() => "protected",
                    _ => "partly_protected",
                };
                let place = if line[3] == "[SWAP]" { &line[4] } else { &line[3] };
                (place.clone(), verdict)
            })
            .collect()
    }

    /// For each way from a device down to a drive, whether it meets a crypt device.
    fn ways(&self, name: &str) -> Vec<bool> {
        let here: Vec<&[String; 5]> = self.lines.iter().filter(|line| line[0] == name).collect();
        here.iter()
            .flat_map(|line| match (line[2].as_str(), line[1].as_str()) {
                ("crypt", _) => vec![true],
                (_, "") => vec![false],
                (_, below) => self.ways(below),
            })
            .collect()
    }
}

const STACKS: &str = r#"
    format="cryptsetup luksFormat --batch-mode --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --luks2-keyslots-size 1048576 --offset 4096 --key-file /tmp/key"
    open="cryptsetup open --key-file /tmp/key"
    printf 'levuf guvuf' > /tmp/key
    mkdir -p /program
    mount -o ro "$1" /program
    # Nobody tells LVM about devices here.
    lvm() {
        command lvm "$@" --config 'devices { obtain_device_list_from_udev=0 scan="/dev" use_devicesfile=0 } activation { udev_sync=0 udev_rules=0 verify_udev_operations=0 }'
    }
    place() { mkdir -p "/mnt/$2"; mount "$1" "/mnt/$2"; }

    $format "$2"1; $open "$2"1 sealed
    lvm pvcreate -y /dev/mapper/sealed; lvm vgcreate sealed /dev/mapper/sealed
    lvm lvcreate -y -Zn -Wn -L 32M -n data sealed; lvm lvcreate -y -Zn -Wn -L 8M -n swap sealed
    mke2fs -q -t ext4 /dev/mapper/sealed-data; place /dev/mapper/sealed-data lvm-on-luks
    mkswap /dev/mapper/sealed-swap; swapon /dev/mapper/sealed-swap

    lvm pvcreate -y "$2"2; lvm vgcreate mixed "$2"2
    lvm lvcreate -y -Zn -Wn -L 24M -n vault mixed; lvm lvcreate -y -Zn -Wn -L 16M -n open mixed
    $format /dev/mapper/mixed-vault; $open /dev/mapper/mixed-vault vault
    mke2fs -q -t ext4 /dev/mapper/vault; place /dev/mapper/vault luks-on-lvm
    mke2fs -q -t ext4 /dev/mapper/mixed-open; place /dev/mapper/mixed-open open

    mdadm --create /dev/md0 --level=1 --raid-devices=2 --assume-clean --run --metadata=1.2 "$2"3 "$2"4
    $format /dev/md0; $open /dev/md0 array
    mke2fs -q -t ext4 /dev/mapper/array; place /dev/mapper/array array

    $format "$2"5; $open "$2"5 half
    # The kernel learns of the second device from nobody else here, and it listens only with the module.
    modprobe btrfs
    mkfs.btrfs -q --mixed -m single -d single /dev/mapper/half "$2"6
    btrfs device scan /dev/mapper/half "$2"6
    place /dev/mapper/half pool

    mkswap "$2"7; swapon "$2"7
    cryptsetup open --type plain --cipher aes-xts-plain64 --key-size 512 --key-file /dev/urandom "$2"8 swap
    mkswap /dev/mapper/swap; swapon /dev/mapper/swap

    truncate -s 16M /tmp/header
    cryptsetup luksFormat --batch-mode --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --header /tmp/header --key-file /tmp/key "$3"
    $open --header /tmp/header "$3" apart
    mke2fs -q -t ext4 /dev/mapper/apart; place /dev/mapper/apart apart

    export LD_LIBRARY_PATH=/program/lib
    echo '<<status'; /program/run status --json; echo 'status>>'
    echo '<<words'; /program/run status; echo 'words>>'
    mkdir /tmp/other
    for tool in dmsetup lsblk cryptsetup blkid lvm udevadm; do
        printf '#!/bin/sh
echo "swap: 0 1 crypt cipher_null-ecb"
' > "/tmp/other/$tool"
        chmod +x "/tmp/other/$tool"
    done
    echo '<<spoofed'; PATH="/tmp/other:$PATH" /program/run status --json; echo 'spoofed>>'
    unset LD_LIBRARY_PATH
    echo '<<lsblk'; lsblk -P -o KNAME,PKNAME,TYPE,MOUNTPOINT,PATH; echo 'lsblk>>'
    echo '<<luks'
    for device in "$2"1 "$2"2 "$2"3 "$2"4 "$2"5 "$2"6 "$2"7 "$2"8 "$3"; do
        if cryptsetup isLuks "$device"; then echo "$device yes"; else echo "$device no"; fi
    done
    echo 'luks>>'
"#;

const PASSWORD: &str = "levuf guvuf vehul jihec";

/// The key as it stands on the sheet: eight groups of eight letters with hyphens, which is how stock
/// tools take it.
fn recovery_key(folder: &Path) -> String {
    let texts = files::walk(folder).into_iter().filter_map(|path| fs::read_to_string(path).ok());
    let is_key =
        |word: &&str| word.len() == 71 && word.split('-').count() == 8 && word.split('-').all(|group| group.len() == 8);
    texts
        .flat_map(|text| text.split_whitespace().find(is_key).map(str::to_owned))
        .next()
        .expect("no recovery key on the sheet")
}
