//! `/proc/self/mountinfo` (proc_pid_mountinfo(5)), `/proc/swaps` and the output of `dmsetup table`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::{Mount, Number, Swap};

/// All lines that can be understood; a line that cannot is left out.
pub(super) fn mounts(text: &str) -> Vec<Mount> {
    text.lines().filter_map(mount).collect()
}

fn mount(line: &str) -> Option<Mount> {
    // Any number of optional fields stands before the lone dash; an empty source is an empty field.
    let (place, what) = line.split_once(" - ")?;
    let mut place = place.split(' ');
    let mut what = what.split(' ');
    let (id, parent, number) = (place.next()?, place.next()?, place.next()?);
    let (root, point, options) = (place.next()?, place.next()?, place.next()?);
    let (file_system, source, of_file_system) = (what.next()?, what.next()?, what.next().unwrap_or_default());
    let may_write = |options: &str| options.split(',').any(|option| option == "rw");
    let upper = of_file_system.split(',').find_map(|option| option.strip_prefix("upperdir="));
    Some(Mount {
        id: id.parse().ok()?,
        parent: parent.parse().ok()?,
        number: number.parse::<Number>().ok()?,
        root: unescape(root),
        point: PathBuf::from(unescape(point)),
        file_system: unescape(file_system),
        source: unescape(source),
        writable: may_write(options) && may_write(of_file_system),
        upper: upper.map(|path| PathBuf::from(unescape(path))),
        devices: BTreeSet::new(),
    })
}

/// All active swap areas.
pub(super) fn swaps(text: &str) -> Vec<Swap> {
    text.lines().skip(1).filter_map(swap).collect()
}

fn swap(line: &str) -> Option<Swap> {
    let mut fields = line.split_whitespace();
    let (path, sort) = (fields.next()?, fields.next()?);
    Some(Swap { path: PathBuf::from(unescape(path)), file: sort == "file" })
}

/// The cipher in the line of `dmsetup table` for this mapping. The name may hold spaces, `#` and `:`.
pub(super) fn cipher_of(table: &str, name: &str) -> Option<String> {
    let mut words = targets(table, name).next()?;
    (words.next()? == "crypt").then(|| words.next().map(str::to_owned))?
}

/// Whether a part of this mapping is `crypt`. `None`: the table does not have it.
pub(super) fn encrypts(table: &str, name: &str) -> Option<bool> {
    let mut kinds = targets(table, name).filter_map(|mut words| words.next()).peekable();
    kinds.peek()?;
    Some(kinds.any(|kind| kind == "crypt"))
}

/// The words of each line of a mapping, from its target's kind on: start and length come before it.
fn targets<'a>(table: &'a str, name: &'a str) -> impl Iterator<Item = impl Iterator<Item = &'a str>> {
    let lines = table.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(": "));
    lines.map(|line| line.split(' ').skip(2))
}

/// Undoes the kernel's `\040`: three octal digits for a byte that would break the line.
fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|digits| digits.iter().all(|digit| (b'0'..=b'7').contains(digit)));
        match digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()) {
            Some(byte) if first == b'\\' => {
                bytes.push(byte);
                rest = &after[3..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_with_spaces_optional_fields_and_no_options() {
        let line = r"98 27 8:17 / /media/eva/My\040Stick\011\134 rw,nosuid shared:50 master:2 - vfat /dev/sdb1 rw,utf8";
        let mount = mount(line).unwrap();
        assert_eq!(mount.point, PathBuf::from("/media/eva/My Stick\t\\"));
        assert_eq!(mount.number, Number { major: 8, minor: 17 });
        assert!(mount.writable);
        let bare = super::mount("22 27 0:21 / /x ro - proc  ro").unwrap();
        assert_eq!((bare.source.as_str(), bare.writable), ("", false));
    }

    #[test]
    fn an_overlay_names_the_folder_it_writes_to() {
        let line = r"30 1 0:40 / / rw - overlay overlay rw,lowerdir=/ro,upperdir=/data/up\040per,workdir=/data/work";
        assert_eq!(mount(line).unwrap().upper, Some(PathBuf::from("/data/up per")));
    }

    #[test]
    fn lines_that_make_no_sense_are_left_out() {
        assert!(mounts("\n - \nx y z\n1 2 3:4 / /a\n1 2 x:4 / /a rw - a b\n\\ \\777").is_empty());
        assert_eq!(unescape(r"a\04"), r"a\04");
        assert_eq!(unescape(r"\777é"), r"\777é");
    }

    #[test]
    fn swap_with_a_space_in_its_path() {
        let text = "Filename\tType\tSize\tUsed\tPriority\n/my\\040swap file 1 0 -2\n/dev/dm-2 partition 9 0 -3\n";
        let seen = swaps(text);
        assert_eq!(seen[0], Swap { path: "/my swap".into(), file: true });
        assert_eq!(seen[1], Swap { path: "/dev/dm-2".into(), file: false });
        assert!(swaps("").is_empty());
    }

    #[test]
    fn the_cipher_of_a_mapping_with_an_odd_name() {
        let table = "cr #1: 0 2093056 crypt aes-xts-plain64 00 0 8:17 4096\ncr: 0 1 linear 8:1 0\n";
        assert_eq!(cipher_of(table, "cr #1").as_deref(), Some("aes-xts-plain64"));
        assert_eq!(cipher_of(table, "cr"), None);
        assert_eq!(cipher_of("", "cr"), None);
        assert_eq!(encrypts(table, "cr #1"), Some(true));
        assert_eq!(encrypts(table, "cr"), Some(false));
        assert_eq!(encrypts(table, "c"), None);
    }
}
