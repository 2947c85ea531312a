//! Keyboard tables for the kernel, made by the system's own tools (`ckbcomp` of `console-setup` knows all
//! layouts of the desktop, `loadkeys` makes tables of them), so that the prompt has the keys of the desktop.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A layout as X and Wayland call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// `de`
    pub layout: String,
    /// `nodeadkeys`, or nothing.
    pub variant: String,
}

impl Layout {
    /// `de` or `de-nodeadkeys`.
    pub fn name(&self) -> String {
        if self.variant.is_empty() { self.layout.clone() } else { format!("{}-{}", self.layout, self.variant) }
    }

    /// The layout that this computer's console has: `/etc/default/keyboard` (Debian and its children), else
    /// `/etc/vconsole.conf`, else the American one.
    pub fn of_system(root: &Path) -> Self {
        let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        Self::parse(&read("etc/default/keyboard"))
            .or_else(|| Self::parse(&read("etc/vconsole.conf")))
            .unwrap_or_else(|| Self { layout: "us".into(), variant: String::new() })
    }

    /// Reads `XKBLAYOUT="de"` and `XKBVARIANT=""`, or `KEYMAP=de-latin1`. Of several the first.
    fn parse(text: &str) -> Option<Self> {
        let value = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix('='));
            let value = values.next_back()?.trim_matches(['"', '\'', ' ']);
            let first = value.split(',').next()?;
            first.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)).then(|| first.to_owned())
        };
        let layout = value("XKBLAYOUT").or_else(|| {
            let keymap = value("KEYMAP")?;
            keymap.split('-').next().map(str::to_owned)
        })?;
        (!layout.is_empty()).then(|| Self { layout, variant: value("XKBVARIANT").unwrap_or_default() })
    }

    /// The tables, in the form of `loadkeys --bkeymap`. `None`: this computer has no such layout, or not
    /// the tools; then the prompt has the kernel's own layout.
    pub fn tables(&self) -> Option<Vec<u8>> {
        let mut compile = Command::new("ckbcomp");
        compile.args(["-compact", "-model", "pc105", &self.layout]);
        if !self.variant.is_empty() {
            compile.arg(&self.variant);
        }
        let compiled = compile.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        if !compiled.status.success() {
            return None;
        }
        let mut make = Command::new("loadkeys");
        make.args(["-q", "--unicode", "--bkeymap", "-"]);
        let mut make = make.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut input = make.stdin.take()?;
        let writer = std::thread::spawn(move || input.write_all(&compiled.stdout));
        let made = make.wait_with_output().ok()?;
        let written = writer.join().is_ok_and(|result| result.is_ok());
        // Read as the prompt will read it.
        (made.status.success() && written && preboot::tables::entries(&made.stdout).is_some()).then_some(made.stdout)
    }
}

/// Layouts that a stick carries beside the computer's own: whoever needs it may sit at another one.
pub fn usual() -> Vec<Layout> {
    let names = ["us", "de", "ch", "at", "gb", "fr", "es", "it", "pt", "pl", "nl", "be", "dk", "se", "no", "fi", "cz"];
    names.iter().map(|name| Layout { layout: (*name).to_owned(), variant: String::new() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_each_kind() {
        let layout = |text| Layout::parse(text).map(|layout| layout.name());
        assert_eq!(layout("# x\nXKBLAYOUT=\"de\"\nXKBVARIANT=\"nodeadkeys\"\n").unwrap(), "de-nodeadkeys");
        assert_eq!(layout("XKBLAYOUT=ch,us\nXKBVARIANT=\",\"").unwrap(), "ch");
        assert_eq!(layout("KEYMAP=de-latin1-nodeadkeys").unwrap(), "de");
        assert_eq!(layout("XKBLAYOUT=\"../x\""), None);
        assert_eq!(layout("XKBLAYOUT=\"\""), None);
    }

    /// `z` and `y` change places, and there is an `ä`.
    #[test]
    fn german_tables() {
        let german = Layout { layout: "de".into(), variant: String::new() };
        let Some(tables) = german.tables() else { return println!("left out: ckbcomp and loadkeys are not here") };
        let entries = preboot::tables::entries(&tables).unwrap();
        let key = |index| entries.iter().find(|entry| (entry.0, entry.1) == (0, index)).unwrap().2 & 0xff;
        assert_eq!((key(21), key(44), key(40)), (u16::from(b'z'), u16::from(b'y'), 0xe4));
        let unknown = Layout { layout: "no-such-layout".into(), variant: String::new() };
        assert_eq!(unknown.tables(), None);
    }
}
