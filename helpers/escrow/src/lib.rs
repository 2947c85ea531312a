//! Recovery keys for people who look after many computers: sealed to an organisation's public keys, and kept in a
//! service that it has already.
//!
//! * [`Policy`]: what the organisation wants, from a file that only the administrator can write.
//! * [`seal`]: a recovery key with what it belongs to, encrypted with [age](https://age-encryption.org/v1) to the
//!   policy's recipients. Nothing here can open it again.
//! * [`Store`]: where it is kept. HashiCorp Vault and OpenBao (KV, version 2), a plain HTTPS endpoint, and
//!   [`Simulated`], which passes the same tests.
//! * [`Organisation`]: the three put together. A key counts as kept when the store has given a receipt **and** has
//!   given back the very bytes that it was sent.
//!
//! There is no server of Latchkey's own. The recovery key in the clear never leaves this computer, and never its
//! memory on the way to the store.

mod answers;
mod error;
mod http;
mod organisation;
mod policy;
mod receipt;
mod seal;
mod store;

pub use answers::{KvRead, KvWritten, read_answer, written_answer};
pub use error::{Error, Result, Why};
pub use organisation::Organisation;
pub use policy::{Https, POLICY_VARIABLE, Policy, Recipient, StoreAt, Vault};
pub use receipt::Receipt;
pub use seal::{Entry, Sealed, seal};
pub use store::{Name, Simulated, Store};
