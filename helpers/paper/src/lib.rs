//! The recovery sheet on paper: a page as PDF with the key in groups and as a QR code, and the way
//! back from a PDF, a scan or a photo of the page.
//!
//! A page that nobody can read back is no copy. So what [`pdf`] makes is what [`read`] reads, and the
//! tests let tools that are not ours read it as well.

mod code;
mod error;
mod page;
mod scan;

pub use code::{Code, content};
pub use error::{Error, Result};
pub use page::{Paper, pdf};
pub use scan::{Found, From, LARGEST, is_picture, read, read_bytes};
