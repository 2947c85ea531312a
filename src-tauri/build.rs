//! Puts the window's configuration, permissions and icons into the program.

fn main() {
    println!("cargo::rerun-if-changed=../ui/dist");
    if !std::path::Path::new("../ui/dist/index.html").exists() {
        println!("cargo::error=the front end is not built yet: `cargo xtask run` builds it and starts the program");
        std::process::exit(1);
    }
    tauri_build::build();
}
