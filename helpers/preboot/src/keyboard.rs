//! The keyboard's layout, and Caps Lock.
//!
//! The tables are made from the system's own settings when the image is built (`loadkeys --bkeymap` of what
//! `console-setup` or `vconsole.conf` say) and put into the kernel one key at a time (`KDSKBENT`). So the
//! prompt needs no program and no parser of layouts, and has exactly the layout that the system's console
//! has. Dead keys come from the kernel's own list.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::raw;
use crate::settings::KEYMAPS;
use crate::tables::entries;

/// The names of the layouts in this image.
pub fn layouts() -> Vec<String> {
    let entries = fs::read_dir(KEYMAPS).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Loads a layout of this image.
///
/// # Errors
/// There is none of that name, or the console refuses it.
pub fn load(console: &File, layout: &str) -> io::Result<()> {
    let tables = fs::read(Path::new(KEYMAPS).join(layout))?;
    raw::unicode(console)?;
    let mut refused = None;
    for (table, index, value) in entries(&tables).ok_or(io::ErrorKind::InvalidData)? {
        // One key that is refused is no reason to do without the others.
        refused = raw::set_entry(console, table, index, value).err().or(refused);
    }
    refused.map_or(Ok(()), Err)
}

/// Whether Caps Lock is on. Layouts of other scripts than Latin lock another modifier in its stead, which
/// only its light shows: see [`follow_caps_lock`].
pub fn caps_lock(console: &File) -> bool {
    raw::caps_lock(console).unwrap_or(false) || lights().any(|light| number(&light.join("brightness")) > 0)
}

/// Makes the lights follow that other modifier, where the layout uses it.
pub fn follow_caps_lock(layout: &str) {
    /// What `CtrlL_Lock` is in a table: `K(KT_LOCK, KG_CTRLL)`.
    const OTHER: u16 = 0x0706;
    let uses = |values: Vec<(u8, u8, u16)>| values.iter().any(|(_, _, value)| *value == OTHER);
    let Ok(tables) = fs::read(Path::new(KEYMAPS).join(layout)) else { return };
    if !entries(&tables).is_some_and(uses) {
        return;
    }
    for light in lights() {
        // Lights that cannot do it are of keyboards that have none.
        let _ = fs::write(light.join("trigger"), "kbd-ctrlllock");
    }
}

fn lights() -> impl Iterator<Item = std::path::PathBuf> {
    let entries = fs::read_dir("/sys/class/leds").into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with("::capslock"))
}

fn number(path: &Path) -> u32 {
    fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}
