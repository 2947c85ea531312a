//! Any bytes at all, and recorded outputs that were cut, mixed and mutated: nothing panics, nothing
//! takes longer than its length, and what was cut off is never green.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::LazyLock;

use common::data;
use model::Verdict::{NotProtected, Protected, Unknown};
use proptest::prelude::*;

/// Bytes of a long file.
const LONG: usize = 24 << 10;

static RECORDED: LazyLock<Vec<(String, Vec<u8>)>> =
    LazyLock::new(|| ["status", "opal", "status-bugs", "cases"].into_iter().filter_map(data).flatten().collect());

/// Lines that steer every parser, to be put together in any way.
const LINES: &[&str] = &[
    "Volume C: [X]",
    "[OS Volume]",
    "    Conversion Status:    Fully Encrypted",
    "    Percentage Encrypted: 100%",
    "    Protection Status:    Protection On",
    "    Key Protectors:",
    "        TPM",
    "",
    "NAME MAJ:MIN RM SIZE RO TYPE FSTYPE MOUNTPOINT",
    "sda 8:0 0 1G 0 disk",
    "└─sda1 8:1 0 1G 0 part ext4 /",
    "  └─a 253:0 0 1G 0 crypt ext4 /",
    "a: 0 100 crypt aes-xts-plain64 0 0 253:0 0",
    "b: 0 100 linear 253:0 0",
    "/dev/mapper/a: UUID=\"u\" TYPE=\"btrfs\"",
    "/dev/sda1: UUID=\"u\" TYPE=\"btrfs\"",
    "$ dmsetup table",
    "$ blkid -p x",
    "LUKS header information",
    "Version: 2",
    "Data segments:",
    "  0: crypt",
    "\tcipher: aes-xts-plain64",
    "Keyslots:",
    "  0: luks2",
    "{",
    "}",
    "[",
    "{\"blockdevices\": [",
    "<plist version=\"1.0\">",
    "<dict>",
    "</plist>",
    "<array>",
    "FileVault is On.",
    "    +-> Volume disk1s1 X",
    "    |   FileVault: Yes (Unlocked)",
    "| disk1 | Yes (Unlocked) |",
    "0000: 00000060 00000001 00000000 00000000",
    "Locking function (0x0002)",
    "    Locked = Y, LockingEnabled = Y",
    "DRIVE: X",
    "CORRECT DECISION:",
    "FEATURES:",
    "MountPoint : C:",
    "VolumeStatus : FullyEncrypted",
    "N: dm-0",
    "E: DM_NAME=a",
    "E: DM_UUID=CRYPT-LUKS2-x",
    "Label: none  uuid: u",
    "\tdevid 1 size 1 path /dev/sda1",
    "DEVICE OFFSET TYPE",
];

fn green(bytes: &[u8]) -> usize {
    explain::explain("x", bytes).iter().filter(|item| item.verdict() == Protected).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..4096)) {
        prop_assert!(!explain::explain("x", &bytes).is_empty());
        let _ = explain::explain("x", &[b"bplist00", bytes.as_slice()].concat());
    }

    #[test]
    fn any_lines(lines in proptest::collection::vec(proptest::sample::select(LINES), 0..60)) {
        prop_assert!(!explain::explain("x", lines.join("\n").as_bytes()).is_empty());
    }

    #[test]
    fn any_text(text in "\\PC{0,400}") {
        prop_assert!(!explain::explain("x", text.as_bytes()).is_empty());
    }

    /// Bytes changed, lines doubled, files put one behind the other.
    #[test]
    fn mutated_recordings(
        at in any::<proptest::sample::Index>(),
        other in any::<proptest::sample::Index>(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<proptest::sample::Index>(),
    ) {
        if RECORDED.is_empty() {
            return Ok(());
        }
        let mut bytes = at.get(&RECORDED).1.clone();
        bytes.truncate(cut.index(bytes.len() + 1));
        bytes.extend(&other.get(&RECORDED).1);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        prop_assert!(!explain::explain("x", &bytes).is_empty());
    }

    /// Whatever lines are missing: a volume that is not protected does not become protected.
    #[test]
    fn missing_lines_are_never_green(at in any::<proptest::sample::Index>(), seed in any::<u64>(), keep in 1_u64..20) {
        if RECORDED.is_empty() {
            return Ok(());
        }
        let (name, bytes) = at.get(&RECORDED);
        let whole = explain::explain("x", bytes);
        let text = String::from_utf8_lossy(bytes);
        let mut state = seed | 1;
        let kept: Vec<&str> = text
            .lines()
            .filter(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % 20 < keep
            })
            .collect();
        for item in explain::explain("x", kept.join("\n").as_bytes()) {
            if item.verdict() != Protected {
                continue;
            }
            let before = whole.iter().find(|one| one.subject == item.subject);
            let was_open = before.is_some_and(|one| matches!(one.verdict(), NotProtected));
            prop_assert!(!was_open, "{}: {} became green:\n{}", name, item.subject, kept.join("\n"));
        }
    }
}

/// Cut off at every line: a recording without anything green never turns green.
#[test]
fn cut_off_recordings_are_never_greener() {
    for (name, bytes) in RECORDED.iter() {
        let text = String::from_utf8_lossy(bytes);
        let whole = green(bytes);
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            end += line.len();
            if whole == 0 {
                assert_eq!(green(&text.as_bytes()[..end]), 0, "{name} at {end}");
            }
        }
        // And begun at every line.
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            begin += line.len();
            if whole == 0 {
                assert_eq!(green(&text.as_bytes()[begin..]), 0, "{name} from {begin}");
            }
        }
    }
}

/// The worst that a long file can do to each parser. A parser that looked back over the whole text for
/// each line would be seen here by its time.
#[test]
fn long_files_are_read_in_one_go() {
    let repeated = |part: &str| part.repeat(LONG / part.len().max(1)).into_bytes();
    for part in [
        "[",
        "{",
        "{\n",
        "[\n",
        "{\"a\":\n",
        "<plist>",
        "<dict>",
        "<plist><array>",
        "\n",
        "a",
        "a: ",
        "    a: b\n",
        "=",
        "a=b ",
        "Volume C: [X]\n",
        "    Size: 1\n",
        "manage-bde -status C:\n",
        "FileVault is On.\n",
        "| a | b |\n",
        "00 00 00 01 ",
        "├─",
        "sda\n",
        "$ \n",
        "$ blkid -p x\n",
        "Cryptographic users for disk1\n",
        "    +-> Volume disk1s1\n",
        "0x8",
        "\\",
        "UUID=\"",
        "\"",
        "N: a\n",
        "E: DM_NAME=b\n",
        "Label: a uuid: b\n",
        "Locked = Y, ",
        "F8 A8 ",
        "0000: 00\n",
        "\u{1f512}",
    ] {
        assert!(!explain::explain("x", &repeated(part)).is_empty(), "{part:?}");
    }
    for line in LINES {
        assert!(!explain::explain("x", &repeated(&format!("{line}\n"))).is_empty(), "{line:?}");
    }
    let numbered = |make: &dyn Fn(usize) -> String| -> Vec<u8> { (0..2000).map(make).collect::<String>().into_bytes() };
    for bytes in [
        numbered(&|at| format!("/dev/sd{at}: UUID=\"{at}\" TYPE=\"btrfs\"\n")),
        numbered(&|at| format!("/dev/mapper/a{at}: UUID=\"u\" TYPE=\"btrfs\"\n")),
        numbered(&|at| format!("a{at}: 0 100 linear /dev/mapper/a{} 0\n", at + 1)),
        numbered(&|at| format!("a: 0 100 linear /dev/mapper/b{at} 0\n")),
        numbered(&|at| format!("Volume \\\\?\\Volume{{{at}}}\\ [x]\n[OS Volume]\n\n    Size: 1\n\n")),
        numbered(&|at| format!("Cryptographic users for disk{at}s1\n    +-> Volume disk{at}s1\n")),
        [b"NAME TYPE MOUNTPOINT\n".to_vec(), numbered(&|at| format!("{}a{at} part /\n", " ".repeat(at % 200)))]
            .concat(),
    ] {
        assert!(!explain::explain("x", &bytes).is_empty());
    }
    let too_long = vec![b'a'; explain::LARGEST + 1];
    assert_eq!(explain::explain("x", &too_long)[0].verdict(), Unknown);
}

/// Nested deeper than a stack: JSON, XML and binary lists.
#[test]
fn deep_documents() {
    for depth in [100, 10_000, 200_000] {
        for (open, close) in [("[", "]"), ("{\"children\":[", "]}"), ("{\"a\":", "}")] {
            let text = format!("{{\"blockdevices\":{}1{}}}", open.repeat(depth), close.repeat(depth));
            assert!(!explain::explain("x", text.as_bytes()).is_empty());
        }
        let list = format!("<plist version=\"1.0\">{}{}</plist>", "<array>".repeat(depth), "</array>".repeat(depth));
        assert_eq!(explain::explain("x", list.as_bytes())[0].verdict(), Unknown);
    }
}
