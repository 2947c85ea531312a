//! Which tools' output a text holds.

use drives::judge::Report;

use crate::text::Text;
use crate::{
    Item, diskutil_apfs_text, diskutil_plist, documents, drive, fdesetup, get_bitlocker_volume, linux, manage_bde, wmi,
};

/// The largest text that is read, in bytes. A recording of a whole computer has a hundred kilobytes.
pub const LARGEST: usize = 4 << 20;

/// Everything that a text tells. There is always at least one item.
pub fn explain(source: &str, bytes: &[u8]) -> Vec<Item> {
    let mut items = read(bytes);
    if items.is_empty() {
        items.push(Item::report("", Report::NotRecognised));
    }
    for item in &mut items {
        source.clone_into(&mut item.source);
    }
    items
}

fn read(bytes: &[u8]) -> Vec<Item> {
    if bytes.len() > LARGEST {
        return vec![Item::report("", Report::CutOff)];
    }
    if bytes.starts_with(b"bplist00") {
        return diskutil_plist::from_bytes(bytes);
    }
    let text = Text::new(bytes);
    let mut items = manage_bde::items(&text);
    items.extend(get_bitlocker_volume::items(&text));
    items.extend(wmi::items(&text));
    items.extend(fdesetup::items(&text));
    items.extend(diskutil_plist::items(&text.whole));
    items.extend(diskutil_apfs_text::items(&text));
    items.extend(linux::items(&text));
    items.extend(drive::items(&text));
    if items.is_empty() && documents::cut_off(&text) {
        items.push(Item::report("", Report::CutOff));
    }
    items
}
