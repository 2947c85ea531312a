//! The first process of the rescue stick: see the library.

#[cfg(target_os = "linux")]
fn main() {
    use preboot::console::Console;
    use preboot::kernel;
    use preboot::settings::Settings;

    // Anywhere else it would restart the computer.
    if std::process::id() != 1 {
        eprintln!("latchkey-rescue is the first process of the rescue stick");
        std::process::exit(2);
    }
    kernel::mount_own();
    kernel::quiet();
    kernel::load_modules();
    #[cfg(feature = "rig")]
    preboot::rig::attach();
    preboot::rescue::run(Console::open(), &Settings::load())
}

#[cfg(not(target_os = "linux"))]
fn main() {}
