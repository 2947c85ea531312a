//! Every recorded output with its right answer.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use common::{data, told, verdicts};
use model::Verdict::{self, Converting, Locked, NotProtected, Protected, Suspended, Unknown};

/// What a file of `data/status` must give: each subject with its verdict, and facts.
type Answer = (&'static str, &'static [(&'static str, Verdict)], &'static [(&'static str, &'static str, &'static str)]);

#[rustfmt::skip] // A table is read by its columns.
const STATUS: &[Answer] = &[
    ("01-mbde-de-os-decrypted", &[("C:", NotProtected)], &[("C:", "protectors", "none"), ("C:", "volume", "os")]),
    ("02-mbde-de-on-hardware-test-pending", &[("C:", NotProtected)], &[("C:", "protectors", "tpm"), ("C:", "recovery_password", "no")]),
    ("03-mbde-de-encrypting-3-5", &[("C:", Converting)], &[("C:", "percent", "3.5")]),
    ("05-mbde-de-protectors-tpm-only", &[("C:", Unknown)], &[("C:", "protectors", "tpm"), ("C:", "recovery_password", "no")]),
    ("06-mbde-fr-os-decrypted-codepage-damage", &[("C:", NotProtected)], &[("C:", "volume", "os")]),
    ("08-mbde-fr-os-encrypted-dot-decimals", &[("C:", Protected)], &[("C:", "used_space_only", "yes"), ("C:", "recovery_password", "yes")]),
    ("09-mbde-ja-os-decrypted-and-no-protectors", &[("C:", NotProtected)], &[("C:", "protectors", "none")]),
    ("11-mbde-es-data-locked-win81", &[("E:", Locked)], &[("E:", "cipher", "aes-128"), ("E:", "protectors", "password,numerical_password")]),
    ("12-mbde-es-os-encrypted", &[("C:", Protected)], &[("C:", "locked", "no")]),
    ("14-mbde-es-os-decrypted", &[("C:", NotProtected)], &[("C:", "volume", "os")]),
    ("15-mbde-ru-clear-key", &[("C:", Suspended), ("D:", Unknown)], &[("C:", "protectors", "none"), ("C:", "percent", "100")]),
    ("17-mbde-zh-two-volumes-data-first", &[("D:", NotProtected), ("C:", Unknown)], &[("D:", "volume", "data"), ("C:", "volume", "os")]),
    ("18-getblv-zh-element-not-found-then-mbde-error", &[("D:", Unknown)], &[("D:", "code", "0x80070490")]),
    ("20-mbde-en-volume-without-letter", &[("C:", Protected), (r"\\?\Volume{aaaaaaaa-0000-0000-0000-100000000000}\", NotProtected)], &[("C:", "protectors", "external_key,numerical_password")]),
    ("21-mbde-en-data-size-unknown-unlocked", &[("M:", Protected)], &[("M:", "volume", "data")]),
    ("23-mbde-en-personal-vault-locked", &[("F:", Locked)], &[("F:", "helper_volume", "likely")]),
    ("24-mbde-en-comma-decimals-password-only", &[("C:", Protected)], &[("C:", "cipher", "aes-256"), ("C:", "recovery_password", "no")]),
    ("26-mbde-en-hardware-encryption-line", &[("", Unknown)], &[("", "method", "hardware"), ("", "cipher", "1.3.111.2.1619.0.1.2")]),
    ("27-mbde-en-decrypting", &[("", Converting)], &[("", "percent", "27.1")]),
    ("29-mbde-illustrative-wording-drift", &[("", Unknown)], &[]),
    ("30-getblv-fl-decrypted", &[("C:", NotProtected)], &[("C:", "volume", "os")]),
    ("32-wmi-encryptablevolume-two-volumes", &[("C:", NotProtected), ("D:", NotProtected)], &[("C:", "volume", "os"), ("D:", "volume", "data")]),
    ("33-ninjaone-json-lockstatus-contradiction", &[("C:", Protected)], &[("C:", "locked", "no"), ("C:", "cipher", "xts-aes-256")]),
    ("41-apfs-list-plist-fv-on-intel", &[("disk1s1", Protected), ("disk1s5", NotProtected), ("disk1s6", NotProtected)], &[("disk1s5", "filevault", "no")]),
    ("42-apfs-list-text-apple-silicon-fv-off", &[("disk3s1", NotProtected), ("disk3s5", NotProtected)], &[("disk3s1", "mount", "/"), ("disk3s5", "encrypted_at_rest", "yes")]),
    ("44-apfs-listcryptousers-plist", &[("crypto users", Unknown)], &[("crypto users", "personal_recovery_key", "yes"), ("crypto users", "bootstrap_token", "yes")]),
    ("45-apfs-listusers-text-icloud-recovery", &[("disk1s5", Protected)], &[("disk1s5", "recovery", "icloud"), ("disk1s5", "personal_recovery_key", "no")]),
    ("47-fdesetup-enable-outputplist-corestorage", &[("FileVault", Unknown)], &[("FileVault", "recovery_key", "present"), ("FileVault", "core_storage", "yes")]),
    ("48-diskutil-info-plist-sealed-snapshot", &[("disk1s5s1", Protected)], &[("disk1s5s1", "sealed_snapshot", "yes")]),
    ("50-diskutil-info-plist-hfs-usb", &[("disk11s2", NotProtected)], &[]),
    ("51-mac-media-encrypted-counterexamples", &[("disk3s1", Protected), ("disk3s5", Protected), ("disk3s7", NotProtected)], &[]),
    ("60-linux-bitlocker-locked-old-blkid", &[("/dev/sda1", NotProtected), ("/dev/sda2", Locked)], &[]),
    ("62-linux-luks2-aead-integrity", &[("/dev/sda2", NotProtected), ("/dev/sda3", Protected), ("/dev/mapper/crypto", Protected), ("/dev/sda1", NotProtected), ("/dev/mapper/live-base", NotProtected), ("/dev/mapper/live-rw", NotProtected)], &[("/dev/sda3", "cipher", "aegis128-random")]),
    ("63-linux-luks1-xfs-home", &[("/dev/sda1", NotProtected), ("/dev/sda2", Protected), ("/dev/mapper/cr_home", Protected)], &[("/dev/sda2", "luks", "1")]),
    ("65-linux-luks1-name-with-space", &[("/dev/sdb1", Protected), ("/dev/mapper/cr #1", Protected), ("/dev/sda2", NotProtected), ("/dev/sda3", NotProtected), ("/dev/sda1", Unknown)], &[]),
    ("66-linux-lvm-on-luks", &[("/dev/mapper/system-root", Protected), ("/dev/mapper/system-home", Protected), ("/dev/mapper/system-swap", Protected), ("/dev/sda2", Protected), ("/dev/sda1", Unknown)], &[]),
    ("68-linux-bcache-stack", &[("/dev/vda1", Unknown), ("/dev/vda2", NotProtected), ("/dev/vdb", Unknown), ("/dev/vdc", Unknown), ("/dev/vdd2", NotProtected), ("/dev/vdd3", Unknown), ("/dev/bcache0p1", NotProtected), ("/dev/bcache1", Unknown), ("/dev/bcache2p1", NotProtected), ("/dev/mapper/my_vg-bcache2", Unknown)], &[]),
    ("69-linux-btrfs-two-filesystems", &[("/dev/sda1", Unknown), ("/dev/sda2", NotProtected), ("/dev/sda3", NotProtected), ("/dev/sda4", NotProtected)], &[]),
    ("71-linux-plain-dmcrypt", &[("/dev/sdc1", Unknown), ("/dev/sdc2", Unknown), ("/dev/sdc3", Protected), ("/dev/sdc4", Protected), ("/dev/mapper/cr-test3", Protected), ("/dev/mapper/cr-test4", Protected)], &[]),
    ("72-linux-luks-on-multipath", &[("/dev/mapper/36005076305ffc73a00000000000013b4-part1", Protected), ("/dev/mapper/36005076305ffc73a00000000000013b5", Protected), ("/dev/dasda1", NotProtected), ("/dev/dasda2", NotProtected), ("/dev/dasda3", NotProtected), ("/dev/mapper/cr-test1", Protected), ("/dev/mapper/cr-test2", Protected)], &[]),
    ("80-linux-luks1-luksdump", &[("luks1.img", Protected)], &[("luks1.img", "keyslots", "1")]),
    ("81-linux-luks2-argon2-luksdump", &[("luks2a.img", Protected), ("luks2.img", Protected)], &[]),
    ("83-linux-truecrypt-no-signature", &[("tc.img", Unknown), ("plain.img", Unknown)], &[]),
    ("84-linux-lsblk-without-udev-null-fstype", &[("/dev/loop0", Unknown), ("/dev/loop1", Unknown), ("/dev/loop2", Unknown), ("/dev/loop3", Unknown), ("/dev/loop4", Unknown), ("/dev/loop5", Unknown), ("luks1.img", Locked), ("luks2.img", Locked)], &[]),
    ("86-linux-btrfs-raid1-two-devices", &[("/dev/loop1", NotProtected)], &[("/dev/loop1", "devices", "/dev/loop1,/dev/loop2")]),
    ("87-linux-luks2-hw-opal-only", &[("/dev/nvme0n1p3", Protected)], &[("/dev/nvme0n1p3", "by_drive", "yes")]),
    ("89-sedutil-query-opal-active-nvme", &[("/dev/nvme0n1", Unknown)], &[("/dev/nvme0n1", "owned", "yes"), ("/dev/nvme0n1", "mbr_shadow_supported", "yes"), ("/dev/nvme0n1", "media_encryption", "yes")]),
    ("90-sedutil-scan-windows", &[(r"\\.\PhysicalDrive0", Unknown), (r"\\.\PhysicalDrive1", Unknown), (r"\\.\PhysicalDrive2", Unknown), (r"\\.\PhysicalDrive3", Unknown), (r"\\.\PhysicalDrive4", Unknown), (r"\\.\PhysicalDrive5", Unknown)], &[(r"\\.\PhysicalDrive0", "ssc", "unknown"), (r"\\.\PhysicalDrive1", "ssc", "opal1+opal2")]),
    ("92-linux-lsblk-pop-os-luks-lvm", &[("/", Protected), ("/boot/efi", NotProtected), ("/recovery", NotProtected), ("[SWAP]", Protected), ("/dev/nvme0n1p3", Protected), ("/dev/nvme0n1p4", Protected)], &[]),
    ("93-linux-lsblk-json-old-mountpoint-field", &[("/boot/efi", NotProtected), ("/boot", NotProtected)], &[]),
    ("fve_codes", &[("", Unknown)], &[]),
];

#[test]
fn every_status_has_its_answer() {
    let Some(files) = data("status") else { return };
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let Some((_, subjects, facts)) = STATUS.iter().find(|(known, ..)| known == name) else {
            wrong.push(format!("{name}: no answer in the table"));
            continue;
        };
        let items = explain::explain(name, bytes);
        let mut expected: Vec<(String, Verdict)> =
            subjects.iter().map(|(subject, verdict)| ((*subject).to_owned(), *verdict)).collect();
        let mut seen = verdicts(&items);
        expected.sort_by(|left, right| left.0.cmp(&right.0));
        seen.sort_by(|left, right| left.0.cmp(&right.0));
        if seen != expected {
            wrong.push(format!("{name}: {seen:?}, not {expected:?}"));
        }
        for (subject, fact, value) in *facts {
            if told(&items, subject, fact) != Some(value) {
                wrong.push(format!("{name}: {subject} {fact} is {:?}, not {value}", told(&items, subject, fact)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(files.len(), STATUS.len());
}

/// Each drive has an `EXPECT:` line, which the program does not read.
#[test]
fn every_drive_is_as_expected() {
    let Some(files) = data("opal") else { return };
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix("EXPECT: ")).unwrap();
        let items = explain::explain(name, bytes);
        assert_eq!(items.len(), 1, "{name}");
        for pair in expected.split_whitespace() {
            let (fact, value) = pair.split_once('=').unwrap();
            let seen = items[0].facts.get(fact).map(String::as_str);
            if seen != Some(value) {
                wrong.push(format!("{name}: {fact} is {seen:?}, not {value}"));
            }
        }
        for fact in
            ["ssc", "media_encryption", "owned", "locked", "sid_blocked", "mbr_shadow_active", "known_bad", "action"]
        {
            assert!(items[0].facts.contains_key(fact), "{name}: {fact}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() >= 36);
}

/// What is not evidence changes nothing: without its `EXPECT:` line, its decision and its notes, a drive
/// is the same.
#[test]
fn the_answer_in_the_file_is_not_read() {
    let Some(files) = data("opal") else { return };
    for (name, bytes) in &files {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let mut kept = true;
        let stripped: Vec<&str> = text
            .lines()
            .filter(|line| {
                let heading = line.split(':').next().unwrap_or_default();
                if matches!(heading, "CORRECT DECISION" | "EXPECT" | "NOTES" | "SOURCE") {
                    kept = false;
                } else if matches!(heading, "SYMPTOM" | "DRIVE" | "CASE 01" | "FIRMWARE" | "EVIDENCE")
                    || heading.starts_with("FEATURES")
                {
                    kept = true;
                }
                kept
            })
            .collect();
        assert_eq!(explain::explain(name, bytes), explain::explain(name, stripped.join("\n").as_bytes()), "{name}");
    }
}

/// Reports in prose are nobody's output.
#[test]
fn stories_are_not_output() {
    for folder in ["status-bugs", "cases"] {
        let Some(files) = data(folder) else { return };
        for (name, bytes) in &files {
            for item in explain::explain(name, bytes) {
                assert_eq!(item.verdict(), Unknown, "{folder}/{name}: {item:?}");
            }
        }
    }
}
