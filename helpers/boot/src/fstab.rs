//! `/etc/fstab` and `/etc/crypttab`: lines are changed one by one, and everything else stays as somebody wrote it.

/// A table of the system, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    lines: Vec<String>,
}

impl Table {
    /// Takes a file's text.
    pub fn parse(text: &str) -> Self {
        Self { lines: text.lines().map(str::to_owned).collect() }
    }

    /// The fields of each line that is no comment.
    pub fn rows(&self) -> impl Iterator<Item = Vec<&str>> {
        self.lines.iter().map(|line| fields(line)).filter(|fields| !fields.is_empty())
    }

    /// The row whose field with this index is this.
    pub fn row(&self, index: usize, value: &str) -> Option<Vec<&str>> {
        self.rows().find(|fields| fields.get(index) == Some(&value))
    }

    /// Replaces the lines whose field with this index is this; adds the line where there was none.
    pub fn set(&mut self, index: usize, value: &str, line: &str) {
        match self.lines.iter().position(|line| fields(line).get(index) == Some(&value)) {
            Some(at) => self.lines[at] = line.to_owned(),
            None => self.lines.push(line.to_owned()),
        }
    }

    /// Puts a line before the first whose field with this index begins so; at the end where there is none.
    pub fn insert_before(&mut self, index: usize, beginning: &str, line: &str) {
        let before = |line: &String| fields(line).get(index).is_some_and(|field| field.starts_with(beginning));
        let at = self.lines.iter().position(before).unwrap_or(self.lines.len());
        self.lines.insert(at, line.to_owned());
    }

    /// Takes out the lines whose field with this index is this.
    pub fn remove(&mut self, index: usize, value: &str) {
        self.lines.retain(|line| fields(line).get(index) != Some(&value));
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn fields(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    if line.starts_with('#') { Vec::new() } else { line.split_whitespace().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FSTAB: &str =
        "# a comment\nUUID=1 / ext4 defaults 0 1\n\nUUID=2\t/boot/efi vfat umask=0077 0 1\nUUID=3 none swap sw 0 0\n";

    #[test]
    fn what_is_not_changed_stays_as_it_is() {
        assert_eq!(Table::parse(FSTAB).text(), FSTAB);
    }

    #[test]
    fn a_separate_boot_comes_before_what_is_mounted_in_it() {
        let mut table = Table::parse(FSTAB);
        table.insert_before(1, "/boot/", "UUID=4 /boot ext4 defaults 0 2");
        assert_eq!(table.row(1, "/boot").unwrap()[0], "UUID=4");
        assert!(table.text().find("/boot ext4").unwrap() < table.text().find("/boot/efi").unwrap());
        table.remove(1, "/boot");
        assert_eq!(table.text(), FSTAB);
    }

    #[test]
    fn a_row_is_set_once() {
        let mut table = Table::parse(FSTAB);
        table.set(0, "UUID=3", "/dev/mapper/vda3_crypt none swap sw 0 0");
        table.set(0, "/dev/mapper/vda3_crypt", "/dev/mapper/vda3_crypt none swap sw 0 0");
        assert_eq!(table.rows().count(), 3);
    }
}
