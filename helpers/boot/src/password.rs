//! The password between the initramfs and the service: in the kernel's own key store, which is never swapped out,
//! never in a file.

use linux_keyutils::{KeyPermissionsBuilder, KeyRing, KeyRingIdentifier, Permission};
use model::Secret;
use zeroize::Zeroizing;

use crate::job::Job;
use crate::{Error, Result};

/// Longest that the kernel takes.
const MOST: usize = 32767;

/// Keeps it for the service of this start.
///
/// # Errors
/// [`Error::NotUnderstood`] with what the kernel says.
pub fn keep(job: &Job, secret: &Secret) -> Result<()> {
    let key = ring()?.add_key(&name(job), secret.expose()).map_err(odd)?;
    // The service is another session of the administrator's: it reads as the owner and not as the possessor.
    let rights = KeyPermissionsBuilder::builder().posessor(Permission::ALL).user(Permission::ALL).build();
    key.set_perms(rights).map_err(odd)
}

/// The password that was typed in this start, if it was.
pub fn kept(job: &Job) -> Option<Secret> {
    let key = ring().ok()?.search(&name(job)).ok()?;
    let mut bytes = Zeroizing::new(vec![0; MOST]);
    let length = key.read(&mut *bytes).ok()?;
    Some(Secret::new(bytes.get(..length)?.to_vec()))
}

/// Forgets it.
pub fn forget(job: &Job) {
    if let Ok(ring) = ring()
        && let Ok(key) = ring.search(&name(job))
    {
        let _ = ring.unlink_key(key);
        let _ = key.invalidate();
    }
}

fn ring() -> Result<KeyRing> {
    KeyRing::from_special_id(KeyRingIdentifier::User, true).map_err(odd)
}

fn name(job: &Job) -> String {
    format!("latchkey:{}", job.volume)
}

fn odd(error: linux_keyutils::KeyError) -> Error {
    Error::odd("the kernel's key store", format!("{error:?}"))
}
