//! Those whose hooks are not there yet: they are told apart, so that the refusal can name them.

use std::path::Path;

use super::Builder;
use crate::job::Job;
use crate::{Error, Result};

/// dracut or mkinitcpio.
pub struct Other {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub program: &'static str,
}

impl Other {
    fn refuse(&self) -> Error {
        Error::odd(self.name, "the preflight refuses it")
    }
}

impl Builder for Other {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_used(&self) -> bool {
        Path::new(self.program).exists()
    }

    fn missing(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn install(&self, _: &Job) -> Result<()> {
        Err(self.refuse())
    }

    fn uninstall(&self) -> Result<()> {
        Err(self.refuse())
    }

    fn rebuild(&self) -> Result<()> {
        Err(self.refuse())
    }

    fn prove_staged(&self, _: &str, _: &Job, _: bool) -> Result<()> {
        Err(self.refuse())
    }

    fn prove_end(&self, _: &str, _: &Job) -> Result<()> {
        Err(self.refuse())
    }

    fn prove_prompt(&self, _: &str, _: &str, _: Option<(&str, &[u8])>) -> Result<()> {
        Err(self.refuse())
    }
}
