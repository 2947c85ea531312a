//! The kernel's three lists and the age of udev's notes: four small reads, whatever the number of
//! drives. Kernel events would be told at once, but not inside a container, and a second is soon enough.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use drives::Survey;
use drives::platform::Linux;

/// Devices with their sizes, mounts of this process, swap.
const LISTS: [&str; 3] = ["proc/partitions", "proc/self/mountinfo", "proc/swaps"];

/// udev puts each note here under a new name, so that the folder is younger afterwards. It also does so
/// when a program that wrote to a device has closed it.
const NOTES: &str = "run/udev/data";

pub(super) fn survey(recorded: Option<&Path>) -> drives::Result<Survey> {
    recorded.map_or_else(drives::survey, |root| drives::survey_on(&Linux::recorded(root)))
}

pub(super) fn pulse(recorded: Option<&Path>) -> Option<u64> {
    pulse_of(recorded.unwrap_or(Path::new("/")))
}

fn pulse_of(root: &Path) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let lists = LISTS.map(|list| fs::read(root.join(list)).ok());
    lists[0].as_ref()?;
    lists.hash(&mut hasher);
    let noted = fs::metadata(root.join(NOTES)).and_then(|folder| folder.modified());
    noted.ok().hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computer() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("proc/self")).unwrap();
        fs::create_dir_all(root.path().join(NOTES)).unwrap();
        for list in LISTS {
            fs::write(root.path().join(list), "as it was\n").unwrap();
        }
        root
    }

    #[test]
    fn it_stays_the_same_while_nothing_happens() {
        let root = computer();
        assert_eq!(pulse_of(root.path()), pulse_of(root.path()));
        assert!(pulse_of(root.path()).is_some());
    }

    #[test]
    fn each_list_counts_and_so_does_a_new_note() {
        for list in LISTS {
            let root = computer();
            let before = pulse_of(root.path());
            fs::write(root.path().join(list), "as it was\nand one more\n").unwrap();
            assert_ne!(pulse_of(root.path()), before, "{list}");
        }
        let root = computer();
        let notes = root.path().join(NOTES);
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
        fs::File::open(&notes).unwrap().set_modified(old).unwrap();
        let before = pulse_of(root.path());
        fs::write(notes.join("b8:17"), "E:ID_FS_TYPE=ext4\n").unwrap();
        assert_ne!(pulse_of(root.path()), before);
    }

    #[test]
    fn without_the_list_of_devices_nothing_is_claimed() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(pulse_of(root.path()), None);
    }
}
