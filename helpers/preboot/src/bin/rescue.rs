//! The first process of the rescue stick: see the library.

#[cfg(target_os = "linux")]
fn main() {
    let (console, settings) = preboot::first::begin("latchkey-rescue");
    preboot::rescue::run(console, &settings)
}

#[cfg(not(target_os = "linux"))]
fn main() {}
