//! What of a volume is encrypted: the engine's word and that of the border, which has TypeScript.

use crate::operations;
use crate::view::Space;

impl From<Space> for operations::Space {
    fn from(space: Space) -> Self {
        match space {
            Space::All => Self::All,
            Space::Used => Self::Used,
            Space::UsedAndOverwrite => Self::UsedAndOverwrite,
        }
    }
}

impl From<operations::Space> for Space {
    fn from(space: operations::Space) -> Self {
        match space {
            operations::Space::All => Self::All,
            operations::Space::Used => Self::Used,
            operations::Space::UsedAndOverwrite => Self::UsedAndOverwrite,
        }
    }
}
