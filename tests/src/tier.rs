//! How much is tested: `LATCHKEY_TIER`, which `cargo xtask test` sets.

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Small volumes.
    Quick,
    /// What every change passes.
    Usual,
    /// The sizes that the promises name.
    Full,
}

impl Tier {
    /// The tier of this run; quick, if nobody has said.
    pub fn now() -> Self {
        match std::env::var("LATCHKEY_TIER").as_deref() {
            Ok("full") => Self::Full,
            Ok("usual") => Self::Usual,
            _ => Self::Quick,
        }
    }
}
