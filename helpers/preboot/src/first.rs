//! What the first process of an image does before anything else.

use crate::console::Console;
use crate::kernel;
use crate::settings::Settings;

/// Makes the system ready to ask somebody. Ends a program that is not the first process: anywhere else it would
/// restart the computer.
pub fn begin(name: &str) -> (Console, Settings) {
    if std::process::id() != 1 {
        eprintln!("{name} is the first process of its own image");
        std::process::exit(2);
    }
    kernel::mount_own();
    kernel::quiet();
    kernel::load_modules();
    #[cfg(feature = "rig")]
    crate::rig::attach();
    (Console::open(), Settings::load())
}
