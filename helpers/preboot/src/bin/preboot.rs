//! The first process: see the library.

#[cfg(target_os = "linux")]
fn main() {
    use preboot::console::Console;
    use preboot::kernel;
    use preboot::settings::Settings;
    use preboot::unlock::Page;

    // Anywhere else it would restart the computer.
    if std::process::id() != 1 {
        eprintln!("latchkey-preboot is the first process of its own image");
        std::process::exit(2);
    }
    kernel::mount_own();
    kernel::quiet();
    kernel::load_modules();
    #[cfg(feature = "rig")]
    preboot::rig::attach();
    Page::new(Console::open(), &Settings::load()).run()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
