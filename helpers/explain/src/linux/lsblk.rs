//! `lsblk` as a tree, with any columns, and as `NAME="…"` pairs.

use super::{Crypt, Kind, Machine};
use crate::text::{Line, Section, Text};

/// Signs that draw the tree.
const BRANCHES: &[char] = &['├', '└', '─', '│', '|', '`', '-', ' ', '\u{a0}'];

/// Reads every such table.
pub fn read(machine: &mut Machine, text: &Text) {
    let mut table: Option<Table> = None;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        if line.trimmed().starts_with("NAME=\"") {
            pairs(machine, line.trimmed());
            continue;
        }
        if let Some(new) = Table::new(line) {
            table = Some(new);
            continue;
        }
        if line.trimmed().is_empty() || line.command().is_some() {
            if let Some(mut done) = table.take() {
                done.finish(machine);
            }
            continue;
        }
        if let Some(table) = &mut table {
            table.row(machine, &line.text);
        }
    }
    if let Some(mut done) = table {
        done.finish(machine);
    }
}

/// A column: its name and where the name stands.
struct Column {
    name: String,
    begin: usize,
    end: usize,
}

struct Table {
    columns: Vec<Column>,
    /// Devices above the next row, with the column in which their names begin.
    branch: Vec<(usize, usize)>,
    last: Option<usize>,
    /// Rows whose column of contents was blank.
    blank: Vec<usize>,
    /// Whether any row had a content: only then blank means that there is nothing.
    contents: bool,
}

impl Table {
    fn new(line: &Line) -> Option<Self> {
        let words = tokens(&line.text);
        let has = |name: &str| words.iter().any(|(_, _, word)| word == name);
        let ours =
            words.first()?.2 == "NAME" && words.len() >= 3 && !has("PRIO") && !has("ALGORITHM") && !has("BACK-FILE");
        let known = ["MAJ:MIN", "FSTYPE", "MOUNTPOINT", "MOUNTPOINTS", "TYPE"].into_iter().any(has);
        if !ours || !known {
            return None;
        }
        let columns = words.into_iter().map(|(begin, end, name)| Column { name, begin, end }).collect();
        Some(Self { columns, branch: Vec::new(), last: None, blank: Vec::new(), contents: false })
    }

    fn row(&mut self, machine: &mut Machine, text: &str) {
        let words = tokens(text);
        // The tree's signs stand before the name, or alone where only mount points go on.
        let name = words.iter().position(|(_, _, word)| !word.trim_start_matches(BRANCHES).is_empty());
        let Some(first) = name else { return };
        let (begin, end, word) = &words[first];
        let bare = word.trim_start_matches(BRANCHES);
        let offset = begin + word.chars().count() - bare.chars().count();
        let second = self.columns.get(1).map_or(usize::MAX, |column| column.begin);
        if offset >= second && *begin >= second {
            self.more_mounts(machine, &words[first..]);
            return;
        }
        let Some(at) = machine.device(bare) else { return };
        while self.branch.last().is_some_and(|(_, column)| *column >= offset) {
            self.branch.pop();
        }
        if let Some((parent, _)) = self.branch.last() {
            machine.lies_on(at, *parent);
        }
        if self.branch.len() < 64 {
            self.branch.push((at, offset));
        }
        self.last = Some(at);
        let mut values: Vec<String> = vec![String::new(); self.columns.len()];
        for (token_begin, token_end, word) in words.iter().skip(first + 1) {
            let column = self.column(*token_begin, *token_end, *end);
            let value = &mut values[column];
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
        let pairs =
            self.columns.iter().zip(&values).skip(1).map(|(column, value)| (column.name.as_str(), value.as_str()));
        let pairs: Vec<(&str, &str)> = pairs.collect();
        self.contents |= put(machine, at, &pairs);
        if pairs.iter().any(|(name, value)| *name == "FSTYPE" && value.is_empty()) {
            self.blank.push(at);
        }
    }

    /// Which column a value belongs to: the one whose name it overlaps, else the last that begins
    /// before it. The names of right-aligned columns end where their values end.
    fn column(&self, begin: usize, end: usize, name_end: usize) -> usize {
        let overlap = |column: &Column| end.min(column.end).saturating_sub(begin.max(column.begin));
        let best = (1..self.columns.len()).max_by_key(|at| (overlap(&self.columns[*at]), std::cmp::Reverse(*at)));
        match best {
            Some(at) if overlap(&self.columns[at]) > 0 => at,
            _ => {
                let before = self.columns.iter().rposition(|column| column.begin <= begin).unwrap_or(0);
                // A name that is longer than its column pushes nothing: the values keep their places.
                if before == 0 && begin > name_end { 1 } else { before.max(1) }
            }
        }
    }

    fn more_mounts(&self, machine: &mut Machine, words: &[(usize, usize, String)]) {
        let in_mounts = self.columns.last().is_some_and(|column| column.name.starts_with("MOUNTPOINT"));
        let path: Vec<&str> = words.iter().map(|(_, _, word)| word.as_str()).collect();
        let path = path.join(" ");
        if let Some(at) = self.last
            && in_mounts
            && (path.starts_with('/') || path == "[SWAP]")
        {
            mount(machine, at, &path);
        }
    }

    fn finish(&mut self, machine: &mut Machine) {
        for at in self.blank.drain(..) {
            if self.contents && machine.devices[at].content.is_none() {
                machine.devices[at].content = Some(String::new());
            }
        }
    }
}

/// Values of one device by the names of `lsblk`'s columns. Whether there was a content.
pub fn put(machine: &mut Machine, at: usize, pairs: &[(&str, &str)]) -> bool {
    let mut content = false;
    for (name, value) in pairs {
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        let device = &mut machine.devices[at];
        match *name {
            "TYPE" => {
                device.kind = kind(value, device.kind);
                if device.kind == Kind::Crypt {
                    device.crypt.get_or_insert_with(Crypt::default);
                    mapped(&mut device.path);
                }
                if matches!(value, "lvm" | "mpath" | "dm") {
                    mapped(&mut device.path);
                }
            }
            "FSTYPE" => {
                content = true;
                device.content = Some(value.to_owned());
            }
            "FSVER" => device.version = Some(value.to_owned()),
            "UUID" => device.uuid = Some(value.to_owned()),
            "PTTYPE" => device.table = true,
            "PARTTYPE" | "PARTTYPENAME" | "PARTLABEL" => {
                device.part_type.push_str(value);
                device.part_type.push(' ');
            }
            "MOUNTPOINT" | "MOUNTPOINTS" => mount(machine, at, value),
            "MAJ:MIN" => {
                if let Some((major, minor)) = number(value) {
                    machine.number(at, major, minor);
                }
            }
            "KNAME" => machine.alias(at, value),
            "PKNAME" => {
                if let Some(parent) = machine.device(value) {
                    machine.lies_on(at, parent);
                }
            }
            _ => {}
        }
    }
    content
}

/// Devices of device-mapper are opened under `/dev/mapper`.
fn mapped(path: &mut String) {
    if let Some(short) = path.strip_prefix("/dev/")
        && !short.contains('/')
    {
        *path = format!("/dev/mapper/{short}");
    }
}

/// One mount point, or several with line breaks between them as pairs have them.
pub fn mount(machine: &mut Machine, at: usize, places: &str) {
    for place in places.split(['\n', '\x0a']).flat_map(|place| place.split(r"\x0a")).map(str::trim) {
        let mounts = &mut machine.devices[at].mounts;
        if (place.starts_with('/') || place == "[SWAP]") && mounts.len() < 64 {
            mounts.insert(place.to_owned());
        }
    }
}

fn kind(name: &str, otherwise: Kind) -> Kind {
    match name {
        "disk" if otherwise == Kind::Memory => Kind::Memory,
        "disk" => Kind::Disk,
        "part" | "md-part" => Kind::Part,
        "crypt" => Kind::Crypt,
        "loop" => Kind::Loop,
        "rom" => Kind::Reader,
        "lvm" | "mpath" | "dm" | "md" | "linear" | "bcache" => Kind::Made,
        _ if name.starts_with("raid") => Kind::Made,
        _ => otherwise,
    }
}

/// `259:3`.
pub fn number(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().split_once(':')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(major) || !digits(minor) {
        return None;
    }
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Words with the columns in which they begin and end.
fn tokens(text: &str) -> Vec<(usize, usize, String)> {
    let mut words: Vec<(usize, usize, String)> = Vec::new();
    let mut blank = true;
    for (column, sign) in text.chars().enumerate() {
        if sign == ' ' || sign == '\t' || sign == '\u{a0}' {
            blank = true;
            continue;
        }
        if blank {
            words.push((column, column, String::new()));
        }
        blank = false;
        if let Some((_, end, word)) = words.last_mut() {
            *end = column + 1;
            word.push(sign);
        }
    }
    words
}

/// `NAME="sda1" FSTYPE="ext4" MOUNTPOINT="/"`.
fn pairs(machine: &mut Machine, text: &str) {
    let all = quoted(text);
    let Some((_, name)) = all.first() else { return };
    let Some(at) = machine.device(name) else { return };
    let pairs: Vec<(&str, &str)> = all.iter().skip(1).map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let content = put(machine, at, &pairs);
    let blank = all.iter().any(|(name, value)| name == "FSTYPE" && value.is_empty());
    if blank && !content && machine.devices[at].content.is_none() {
        machine.devices[at].content = Some(String::new());
    }
}

/// `KEY="value"` pairs of a line; `\"` is a quote within a value.
pub fn quoted(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while pairs.len() < 64
        && let Some(at) = rest.find("=\"")
    {
        let name = rest[..at].split_whitespace().last().unwrap_or_default().to_owned();
        let mut value = String::new();
        let mut signs = rest[at + 2..].char_indices();
        let mut end = rest.len();
        while let Some((offset, sign)) = signs.next() {
            match sign {
                '"' => {
                    end = at + 2 + offset + 1;
                    break;
                }
                '\\' if rest[at + 2 + offset..].starts_with("\\\"") => {
                    value.push('"');
                    signs.next();
                }
                _ => value.push(sign),
            }
        }
        pairs.push((name, value));
        rest = &rest[end..];
    }
    pairs
}
