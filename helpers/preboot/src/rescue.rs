//! The program of the rescue stick: a menu that repairs, opens and takes back.
//!
//! Everything that it does to a volume is done by the same engines as in the window. It changes nothing
//! without saying so first; before it writes a header, the password has opened the volume with it.

mod backups;
mod chores;
mod desk;
mod hardware;
mod mend;
mod open;
mod repair;
mod volumes;

use model::{Args, Fault};
use texts::{Key, keys};

use crate::console::Console;
use crate::kernel;
use crate::settings::Settings;

use desk::Desk;
use volumes::{State, Volume};

/// Shows the menu until the computer is switched off or started anew.
pub fn run(console: Console, settings: &Settings) -> ! {
    let mut desk = Desk::new(console, settings);
    desk.wait(keys::RESCUE_LOOKING);
    backups::mount_stick();
    loop {
        desk.wait(keys::RESCUE_LOOKING);
        let volumes = volumes::all();
        let drives = hardware::all();
        let mut items: Vec<String> = volumes.iter().map(|volume| line(&desk, volume)).collect();
        let hardware_at = items.len();
        if !drives.is_empty() {
            items.push(desk.texts.plain(keys::RESCUE_HARDWARE));
        }
        let fixed =
            [keys::RESCUE_KEYBOARD, keys::RESCUE_LANGUAGE, keys::RESCUE_SHELL, keys::RESCUE_RESTART, keys::RESCUE_OFF];
        let fixed_at = items.len();
        items.extend(fixed.iter().map(|key| desk.texts.plain(*key)));
        let chosen = desk.choose(&desk.texts.plain(keys::RESCUE_TITLE), &items);
        if let Some(volume) = volumes.get(chosen) {
            let done = visit(&mut desk, volume);
            desk.answer(done);
        } else if chosen == hardware_at && !drives.is_empty() {
            let done = hardware::visit(&mut desk, drives);
            desk.answer(done);
        } else {
            drop(drives);
            match chosen - fixed_at {
                0 => desk.next_layout(),
                1 => desk.other_language(),
                2 => chores::shell(&mut desk),
                3 => kernel::restart(),
                _ => kernel::power_off(),
            }
        }
    }
}

/// What somebody can do with a volume, for its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Repair,
    Rebuild,
    Restore,
    Resume,
    Undo,
    Open,
    Mend,
    RepairStart,
    Back,
}

impl Task {
    const fn key(self) -> Key {
        match self {
            Self::Repair => keys::RESCUE_DO_REPAIR,
            Self::Rebuild => keys::RESCUE_DO_REBUILD,
            Self::Restore => keys::RESCUE_DO_RESTORE,
            Self::Resume => keys::RESCUE_DO_RESUME,
            Self::Undo => keys::RESCUE_DO_UNDO,
            Self::Open => keys::RESCUE_DO_OPEN,
            Self::Mend => keys::RESCUE_DO_MEND,
            Self::RepairStart => keys::RESCUE_DO_START,
            Self::Back => keys::RESCUE_DO_BACK,
        }
    }

    fn of(volume: &Volume) -> Vec<Self> {
        let mut tasks = match volume.state {
            State::Whole => vec![Self::Open, Self::Mend, Self::RepairStart],
            State::Damaged => vec![Self::Repair, Self::Open],
            State::Lost => vec![Self::Rebuild],
            State::Converting { done, .. } => {
                let mut tasks = vec![Self::Resume];
                if done == 0 {
                    tasks.push(Self::Undo);
                }
                tasks
            }
            State::Plain if mend::is_known(&volume.content) => vec![Self::Open, Self::Mend, Self::RepairStart],
            State::Plain => vec![Self::Open, Self::RepairStart],
            State::Unknown => Vec::new(),
        };
        let may_restore = matches!(volume.state, State::Whole | State::Damaged | State::Lost | State::Unknown);
        if may_restore && !backups::fitting(volume).is_empty() {
            tasks.push(Self::Restore);
        }
        tasks.push(Self::Back);
        tasks
    }
}

/// Asks what to do with a volume and does it. The key of what to say afterwards; `None`: nothing was done.
fn visit(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let tasks = Task::of(volume);
    let items: Vec<String> = tasks.iter().map(|task| desk.texts.plain(task.key())).collect();
    let title = line(desk, volume);
    match tasks[desk.choose(&title, &items)] {
        Task::Repair => repair::repair(desk, volume),
        Task::Rebuild => repair::rebuild(desk, volume),
        Task::Restore => repair::restore(desk, volume),
        Task::Resume => repair::resume(desk, volume),
        Task::Undo => repair::undo(desk, volume),
        Task::Open => open::visit(desk, volume),
        Task::Mend => mend::visit(desk, volume),
        Task::RepairStart => chores::repair_start(desk, volume),
        Task::Back => Ok(None),
    }
}

fn line(desk: &Desk, volume: &Volume) -> String {
    let key = match volume.state {
        State::Whole => keys::RESCUE_STATE_WHOLE,
        State::Damaged => keys::RESCUE_STATE_DAMAGED,
        State::Lost => keys::RESCUE_STATE_LOST,
        State::Converting { .. } => keys::RESCUE_STATE_CONVERTING,
        State::Plain => keys::RESCUE_STATE_PLAIN,
        State::Unknown => keys::RESCUE_STATE_UNKNOWN,
    };
    let percent = match volume.state {
        State::Converting { done, total } => 100 * done / total.max(1),
        _ => 0,
    };
    let args = Args::from([
        ("drive".to_owned(), volume.path.display().to_string()),
        ("size".to_owned(), volume.size.to_string()),
        ("content".to_owned(), volume.content.clone()),
        ("percent".to_owned(), percent.to_string()),
    ]);
    desk.texts.say(key, &args)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(content: &str, state: State) -> Vec<Task> {
        Task::of(&Volume { path: "/dev/x".into(), size: 1 << 30, content: content.into(), state, uuid: None })
    }

    #[test]
    fn a_file_system_is_mended_where_its_program_is_there() {
        assert_eq!(tasks("ext4", State::Plain), [Task::Open, Task::Mend, Task::RepairStart, Task::Back]);
        // What is inside is seen when it is open.
        assert!(tasks("luks2", State::Whole).contains(&Task::Mend));
        for (content, state) in [
            ("ntfs", State::Plain),
            ("vfat", State::Plain),
            ("unknown", State::Unknown),
            ("luks2", State::Lost),
            ("luks2", State::Damaged),
            ("luks2", State::Converting { done: 1, total: 2 }),
        ] {
            assert!(!tasks(content, state).contains(&Task::Mend), "{content} {state:?}");
        }
    }
}
