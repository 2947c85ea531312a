//! What the person typed ([`raw`]) and what the program may rely on ([`checked`]).

pub mod checked;
pub mod raw;
