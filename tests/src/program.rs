//! `latchkey`, started as a person or a script would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tool::{Error, output};

/// The program.
pub struct Latchkey {
    path: PathBuf,
}

impl Latchkey {
    /// The program that `cargo xtask test` has built, or the one beside this test; `None` if there is
    /// none.
    pub fn find() -> Option<Self> {
        let named = std::env::var_os("LATCHKEY_PROGRAM").map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.ancestors().nth(2)?.join("latchkey"));
        named.or_else(beside).filter(|path| path.is_file()).map(|path| Self { path })
    }

    /// Runs it to its end, in English.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run<const N: usize>(&self, words: [&str; N]) -> Result<Output, Error> {
        output(Command::new(&self.path).args(words).env("LC_ALL", "C.UTF-8"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The program, or `None` with a word about it.
pub fn latchkey() -> Option<Latchkey> {
    let found = Latchkey::find();
    if found.is_none() {
        println!("left out: `cargo xtask test` builds `latchkey` and says where it is");
    }
    found
}
