//! TCG Opal and its relatives: what a drive that can encrypt by itself says about itself, and the
//! protocol by which it is owned, locked and opened.
//!
//! "Core" in the comments is the *TCG Storage Architecture Core Specification* 2.01, "Opal" the *Opal
//! SSC* 2.02.

mod bytes;
pub mod device;
pub mod discovery;
mod error;
mod hex;
pub mod host;
pub mod message;
pub mod nvme_tcp;
pub mod packet;
pub mod pin;
pub mod preboot;
pub mod properties;
pub mod protect;
pub mod protocols;
pub mod session;
mod status;
pub mod system;
pub mod ticket;
pub mod token;
mod transport;
pub mod uid;

pub use error::{Error, Garbage, Result};
pub use session::{Patience, Session, Tper};
pub use status::Status;
pub use transport::Transport;
pub use uid::Uid;
