//! The wizard: raw answers become a checked plan, and the plan's steps are carried out and
//! journalled. Knows no window and no terminal.

pub mod engine;
mod error;
mod journal;
mod machine;
pub mod operations;
pub mod password;
pub mod practice;
mod rescue;
pub mod view;

pub use error::{Error, Result};
pub use machine::{Event, Options, Wizard};
