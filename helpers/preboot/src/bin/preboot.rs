//! The first process: see the library.

#[cfg(target_os = "linux")]
fn main() {
    let (console, settings) = preboot::first::begin("latchkey-preboot");
    preboot::unlock::Page::new(console, &settings).run()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
