//! Where the service is found on the system bus.

/// Its name on the bus.
pub const BUS: &str = "io.github.latchkey.Service1";
/// Its one object.
pub const PATH: &str = "/io/github/latchkey/Service1";
/// The object's interface.
pub const INTERFACE: &str = "io.github.latchkey.Service1";
/// The error that carries a [`model::Fault`] as JSON.
pub const FAULT: &str = "io.github.latchkey.Service1.Fault";
