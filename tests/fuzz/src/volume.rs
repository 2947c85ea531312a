//! What the targets of the file systems share.

use std::process::Command;

use blockdev::Device;
use filesystems::{Found, Kind, UsedMap, is_blank, probe, starts_with_boot_sector, used_map};

use crate::image::Image;

/// Looks at a volume in every way. `metadata` says, from the raw bytes, where the file system has what no
/// map may call free, if it is of one of these kinds: an input may well have become another one.
pub(crate) fn look(image: &Image, kinds: &[Kind], metadata: fn(&Image, &Found) -> Vec<(u64, u64)>) {
    let _ = is_blank(image);
    let _ = starts_with_boot_sector(image);
    let Ok(Some(found)) = probe(image) else { return };
    assert!(found.size <= image.size(), "{found:?} on {}", image.size());
    assert!(found.block_size >= 256 && found.max_sector_size() >= 512);
    let Ok(Some(map)) = used_map(image, &found) else { return };
    check(&map, &found);
    if !kinds.contains(&found.kind) {
        return;
    }
    for (start, end) in metadata(image, &found) {
        let mut at = start;
        while at < end.min(found.size) {
            assert!(!map.is_free(at..at + 1), "{at} of {start}..{end} is called free: {found:?} {map:?}");
            at += 256;
        }
    }
}

/// The map's own sums fit.
fn check(map: &UsedMap, found: &Found) {
    assert_eq!(map.size(), found.size);
    assert!(map.used() <= map.size() && map.unit() > 0);
    let (mut used, mut end) = (0, 0);
    for extent in map.extents() {
        assert!(extent.start < extent.end && extent.end <= map.size());
        assert!(extent.start > end || extent.start == 0);
        used += extent.end - extent.start;
        end = extent.end;
    }
    assert_eq!(used, map.used());
}

/// A little-endian number of up to eight bytes.
pub(crate) fn number(image: &Image, at: u64, bytes: usize) -> u64 {
    image.get(at, bytes).unwrap_or_default().iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Seeds by `mkfs`: each line of words with the size in KiB. A tool that is missing leaves out its own.
pub(crate) fn made(lines: &[(&str, u64)]) -> Vec<Vec<u8>> {
    lines.iter().filter_map(|(line, kib)| one(line, kib << 10)).collect()
}

fn one(line: &str, size: u64) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temp folder");
    let path = folder.path().join("image");
    std::fs::File::create(&path).and_then(|file| file.set_len(size)).expect("a sparse file");
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let program = ["/usr/sbin", "/sbin", "/usr/bin"].map(|place| std::path::Path::new(place).join(name));
    let Some(program) = program.iter().find(|program| program.exists()) else {
        eprintln!("left out: {name} is not installed");
        return None;
    };
    let made = Command::new(program).args(words).arg(&path).env("LC_ALL", "C").output().expect("it starts");
    if !made.status.success() {
        eprintln!("left out: {line}: {}", String::from_utf8_lossy(&made.stderr));
        return None;
    }
    let mut bytes = std::fs::read(&path).expect("the image");
    bytes.truncate(64 << 20);
    let seed = Image::seed(1, &bytes, size);
    let image = Image::read(&seed);
    let found = probe(&image);
    assert!(matches!(found, Ok(Some(_))), "{line}: {found:?}");
    println!("{line}: {} bytes, {:?}", seed.len(), found.map(|found| found.map(|found| used_map(&image, &found))));
    Some(seed)
}
