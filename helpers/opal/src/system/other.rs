//! Systems on which no way is made.

use std::path::Path;

use model::Secret;

use crate::{Error, Result, Transport};

pub fn open(_: &Path) -> Result<Box<dyn Transport + Send>> {
    Err(Error::NoWay)
}

pub fn save_for_resume(_: &Path, _: &Secret, _: u8) -> Result<()> {
    Err(Error::NoWay)
}
