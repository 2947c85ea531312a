//! The wizard: raw answers become a checked plan, and the plan's steps are carried out and
//! journalled. Knows no window and no terminal.

pub mod copies;
pub mod engine;
mod error;
pub mod hardware;
mod journal;
mod machine;
pub mod native;
pub mod operations;
mod overview;
pub mod password;
pub mod place;
pub mod practice;
mod program;
mod rescue;
pub mod running;
mod space;
pub mod system;
pub mod view;
pub mod watch;

pub use error::{Error, Result};
#[doc(hidden)]
pub use machine::reread;
pub use machine::{Event, Options, Wizard};
