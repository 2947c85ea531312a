//! Images of other projects, judged from their raw bytes: every one of them, with its right answer.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use drives::inspect;
use model::Verdict;
use model::Verdict::{Converting, NotProtected, Protected, Suspended, Unknown};
use tempfile::TempDir;

/// Part of an image's name, its content, the verdict and the code of the reason. The first line whose
/// part is in the name counts.
type Line = (&'static str, &'static str, Verdict, &'static str);

fn archive(name: &str) -> Option<(TempDir, Vec<PathBuf>)> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/luks/archives").join(name);
    if !packed.exists() {
        eprintln!("left out: ../shared/data/luks/archives/{name} is not here");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    if name.ends_with(".tar.xz") {
        let done = Command::new("tar").arg("-xJf").arg(&packed).arg("-C").arg(folder.path()).status().unwrap();
        assert!(done.success(), "{name}");
    } else {
        let output = std::fs::File::create(folder.path().join(packed.file_stem().unwrap())).unwrap();
        assert!(Command::new("xz").arg("-dc").arg(&packed).stdout(output).status().unwrap().success());
    }
    let mut files = Vec::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Some((folder, files))
}

/// Looks at every file of an archive, and holds it against the table.
#[track_caller]
fn judged(name: &str, table: &[Line]) {
    let Some((_folder, files)) = archive(name) else { return };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in &files {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some((_, content, verdict, reason)) = table.iter().find(|(part, ..)| file.contains(part)) else { continue };
        let drive = inspect(path).unwrap().drive;
        let found = (drive.volumes[0].content.0.as_str(), drive.judged.verdict, drive.judged.reason.code.as_str());
        if found != (*content, *verdict, *reason) {
            wrong.push(format!("{file}: {found:?} instead of {:?}", (content, verdict, reason)));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    assert!(seen > 0, "{name}: nothing of it is in the table");
}

#[test]
fn bitlocker() {
    judged(
        "bitlk-images.tar.xz",
        &[
            (".BEK", "unknown", Unknown, "nothing-known"),
            (".conf", "unknown", Unknown, "nothing-known"),
            ("eow", "BitLocker", Converting, "bitlocker-converting"),
            ("partially", "BitLocker", Converting, "bitlocker-converting"),
            ("clearkey", "BitLocker", Suspended, "bitlocker-clear-key"),
            (".img", "BitLocker", Protected, "bitlocker-whole"),
        ],
    );
}

#[test]
fn luks1() {
    judged(
        "luks1-images.tar.xz",
        &[
            ("keyfile", "unknown", Unknown, "looks-random"),
            ("README", "unknown", Unknown, "nothing-known"),
            ("", "luks1", Protected, "luks1"),
        ],
    );
    judged("compatimage.img.xz", &[("", "luks1", Protected, "luks1")]);
    judged("compatv10image.img.xz", &[("", "luks1", Protected, "luks1")]);
    // A header as it is before the first password.
    judged("valid_header_file.xz", &[("", "luks1", Unknown, "luks-no-keyslot")]);
    judged("evil_hdr-small_luks_device.xz", &[("", "luks1", Unknown, "luks-no-keyslot")]);
    for evil in ["keyslot_overlap", "luks_hdr_damage", "payload_overwrite", "stripes_payload_dmg"] {
        judged(&format!("evil_hdr-{evil}.xz"), &[("", "luks1", Unknown, "luks-damaged")]);
    }
    judged(
        "LUKS-d238e48a-0ed3-4169-b841-f26b44693134.tar.xz",
        &[
            (".log", "unknown", Unknown, "nothing-known"),
            // The header that the data were going to have, and the one that they had.
            (".new", "luks1", NotProtected, "null-cipher"),
            (".org", "luks1", Protected, "luks-header-only"),
        ],
    );
}

#[test]
fn luks2() {
    judged("luks2_mda_images.tar.xz", &[("", "luks2", Protected, "luks2")]);
    judged(
        "luks2_header_requirements.tar.xz",
        &[("free", "luks2", Protected, "luks-header-only"), ("", "luks2", Unknown, "luks-newer")],
    );
    judged("compatimage2.img.xz", &[("", "luks2", Protected, "luks2")]);
    judged("luks2_invalid_cipher.img.xz", &[("", "luks2", Protected, "luks2")]);
    judged("luks2_keyslot_unassigned.img.xz", &[("", "luks2", Protected, "luks2")]);
    judged("luks2_valid_hdr.img.xz", &[("", "luks2", Protected, "luks2")]);
    judged("blkid-luks2-pv.img.xz", &[("", "luks2", Unknown, "luks-damaged")]);
}

#[test]
fn filevault2() {
    judged("fvault2-images.tar.xz", &[("", "CoreStorage", Protected, "filevault-whole")]);
}

#[test]
fn truecrypt_and_veracrypt() {
    judged(
        "tcrypt-images.tar.xz",
        &[
            ("README", "unknown", Unknown, "nothing-known"),
            ("keyfile", "unknown", Unknown, "nothing-known"),
            // The first partition is blank there, and another one is encrypted.
            ("sys_vc_1_gpt", "empty", Unknown, "looks-random"),
            ("", "unknown", Unknown, "looks-random"),
        ],
    );
}

#[test]
fn plain_file_systems() {
    judged("img_fs_ext4.img.xz", &[("", "ext4", NotProtected, "plain")]);
    judged("img_fs_vfat.img.xz", &[("", "vfat", NotProtected, "plain")]);
    for name in ["img_fs_xfs.img.xz", "img_fs_xfs5.img.xz", "xfs_512_block_size.img.xz"] {
        judged(name, &[("", "xfs", NotProtected, "plain")]);
    }
}
