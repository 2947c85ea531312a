//! Which life it is.

use crate::life::Life;
use crate::{conversions, foreign, keys};

/// One of all kinds.
pub fn any(life: &mut Life) {
    match life.dice.below(9) {
        0..3 => conversions::there_and_back(life),
        3 => conversions::begun_and_undone(life),
        4..6 => conversions::begun(life),
        6..8 => keys::changed(life),
        _ => foreign::left_by_cryptsetup(life),
    }
}
