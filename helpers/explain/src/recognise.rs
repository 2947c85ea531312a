//! Which tools' output a text holds.

use drives::judge::Report;
use model::Verdict;

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
    let mut items = agreed([manage_bde::items(&text), get_bitlocker_volume::items(&text), wmi::items(&text)]);
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

/// What three tools of Windows say. Where two of them contradict each other about the same volume, neither
/// is believed.
fn agreed(tools: [Vec<Item>; 3]) -> Vec<Item> {
    let said: Vec<Vec<(String, Verdict)>> = tools
        .iter()
        .map(|items| items.iter().map(|item| (item.subject.clone(), item.verdict())).take(64).collect())
        .collect();
    let mut all = Vec::new();
    for (at, items) in tools.into_iter().enumerate() {
        for item in items {
            let others = said.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, said)| said);
            let same = others.filter(|(subject, _)| !subject.is_empty() && *subject == item.subject);
            let against = same.clone().any(|(_, verdict)| contradict(*verdict, item.verdict()));
            all.push(if against { contradiction(item) } else { item });
        }
    }
    all
}

fn contradict(left: Verdict, right: Verdict) -> bool {
    let open = |verdict| matches!(verdict, Verdict::NotProtected | Verdict::Suspended | Verdict::Converting);
    left == Verdict::Protected && open(right) || right == Verdict::Protected && open(left)
}

fn contradiction(item: Item) -> Item {
    let judged = Item::report(item.subject.clone(), Report::Contradiction).judged;
    Item { judged, ..item }
}
