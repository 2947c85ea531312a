//! Running a program of the system, with a secret on its standard input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::Secret;

/// Where programs are looked for: never along `PATH`, which belongs to whoever started us.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Where a program is, if it is installed.
pub fn find(name: &str) -> Option<PathBuf> {
    FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}

/// Runs it to its end. `Ok` and `Err` hold what it printed, by its exit code.
pub fn run_with(program: &Path, arguments: &[&str], target: &Path, secret: &Secret) -> Result<String, String> {
    let child = Command::new(program)
        .args(arguments)
        .arg(target)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // A program that ends before it reads says why by itself.
        let _ = input.write_all(secret.expose());
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() { Ok(said) } else { Err(said) }
}
