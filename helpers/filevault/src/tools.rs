use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use zeroize::Zeroizing;

use crate::{Error, Result};

/// FileVault's own tool.
pub const FDESETUP: &str = "/usr/bin/fdesetup";
/// Volumes.
pub const DISKUTIL: &str = "/usr/sbin/diskutil";
/// Accounts and their secure tokens.
pub const SYSADMINCTL: &str = "/usr/sbin/sysadminctl";
/// What the computer is.
pub const SYSCTL: &str = "/usr/sbin/sysctl";

/// Longest wait for a tool: a key that is never printed must not hold everything up for ever.
const PATIENCE: Duration = Duration::from_secs(120);
/// More than this is no answer.
const MOST: u64 = 16 << 20;

/// What a tool said.
#[derive(Clone, Default)]
pub struct Output {
    /// Its exit code. `None`: it was ended because it did not answer.
    pub code: Option<i32>,
    /// Standard output, which may hold a key.
    pub out: Zeroizing<Vec<u8>>,
    /// Standard error.
    pub err: String,
}

impl Output {
    /// An answer.
    pub fn new(code: i32, out: impl Into<Vec<u8>>) -> Self {
        Self { code: Some(code), out: Zeroizing::new(out.into()), err: String::new() }
    }

    /// The answer as text.
    pub fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(String::from_utf8_lossy(&self.out).into_owned())
    }
}

/// Runs tools of macOS.
pub trait Tools {
    /// Runs one by its full path. `input` goes to its standard input.
    ///
    /// # Errors
    /// [`Error::NoTool`]. How it ended is in the output.
    fn run(&mut self, program: &str, words: &[&str], input: Option<&[u8]>) -> Result<Output>;
}

/// Those of this computer, with nothing of the caller's environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Real;

impl Tools for Real {
    fn run(&mut self, program: &str, words: &[&str], input: Option<&[u8]>) -> Result<Output> {
        let no_tool = |error: std::io::Error| Error::NoTool(format!("{program}: {error}"));
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        let mut command = Command::new(program);
        command.args(words).env_clear().stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(no_tool)?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let out = std::thread::spawn(move || read(out));
        let err = std::thread::spawn(move || read(err));
        if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
            // It may end without reading all of it, and says why.
            let _ = pipe.write_all(input);
        }
        let begun = Instant::now();
        let code = loop {
            match child.try_wait().map_err(no_tool)? {
                Some(status) => break status.code().or(Some(-1)),
                None if begun.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        Ok(Output { code, out, err: String::from_utf8_lossy(&err).into_owned() })
    }
}

fn read(pipe: Option<impl Read>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(64 << 10));
    if let Some(pipe) = pipe {
        let _ = pipe.take(MOST).read_to_end(&mut bytes);
    }
    bytes
}
