//! Windows: image files work; the list of drives comes with the Windows flow.

use std::path::Path;

use blockdev::{Access, Device, FileDevice};

use crate::platform::{Platform, Power};
use crate::{Error, Located, Node, Result, Stack};

/// The system that this program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct This;

impl Platform for This {
    fn stack(&self) -> Result<Stack> {
        Err(Error::NotYet { system: "Windows" })
    }

    fn locate(&self, path: &Path, _: &Stack) -> Result<Located> {
        let fail = |error| {
            let shown = path.display().to_string();
            blockdev::Error::from_io(blockdev::Operation::Open, 0, &shown, error)
        };
        Ok(Located::File(std::fs::canonicalize(path).map_err(fail)?))
    }

    fn open(&self, node: &Node) -> blockdev::Result<Box<dyn Device>> {
        Ok(Box::new(FileDevice::open(Path::new(&node.path), Access::Read)?))
    }

    fn free(&self, _: &Path) -> Option<u64> {
        None
    }

    fn may_write(&self, _: &Path) -> Option<bool> {
        None
    }

    fn power(&self) -> Power {
        Power::Unknown
    }
}
