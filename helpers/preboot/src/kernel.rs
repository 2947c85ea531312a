//! What the first process of a Linux has to do before anything else, and its last word.

use std::ffi::CString;
use std::fs;
use std::io;
use std::path::Path;

use rustix::mount::{MountFlags, mount};
use rustix::system::{RebootCommand, finit_module, reboot};

use crate::settings::MODULES;

/// Mounts what the kernel shows of itself.
pub fn mount_own() {
    for (kind, place) in [("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"), ("tmpfs", "/run")] {
        let _ = fs::create_dir_all(place);
        // What is mounted already is as good.
        let _ = mount(kind, place, kind, MountFlags::NOSUID | MountFlags::NOEXEC, None);
    }
}

/// Loads all modules of the image, in the order of their names. They are few, and chosen when the image
/// was built: to load them all is quicker than to ask which devices there are, and a keyboard that is
/// plugged in later works as well. Returns how many were loaded.
pub fn load_modules() -> usize {
    let entries = fs::read_dir(MODULES).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    // One that this computer has no use for says so; the others are loaded all the same.
    paths.iter().filter(|path| load_module(path).is_ok()).count()
}

fn load_module(path: &Path) -> io::Result<()> {
    let file = fs::File::open(path)?;
    finit_module(&file, &CString::default(), 0).map_err(Into::into)
}

/// Less of the kernel's own words on the console, so that the page stays as it is.
pub fn quiet() {
    let _ = fs::write("/proc/sys/kernel/printk", "1 4 1 7");
}

/// A word of the kernel's command line: the value behind `NAME=`, or an empty one for `NAME`.
pub fn word(name: &str) -> Option<String> {
    let line = fs::read_to_string("/proc/cmdline").ok()?;
    line.split_whitespace().find_map(|word| {
        let (left, right) = word.split_once('=').unwrap_or((word, ""));
        (left == name).then(|| right.to_owned())
    })
}

/// Starts the computer anew. The drives keep their power, and with it what was opened.
pub fn restart() -> ! {
    end(RebootCommand::Restart)
}

/// Switches the computer off.
pub fn power_off() -> ! {
    end(RebootCommand::PowerOff)
}

fn end(command: RebootCommand) -> ! {
    rustix::fs::sync();
    let _ = reboot(command);
    // Process 1 must not end. There is nothing left to do.
    loop {
        std::thread::park();
    }
}
