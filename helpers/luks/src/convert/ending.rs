//! Everything is converted: what is left to do.

use super::geometry::{Geometry, Mode};
use super::run::{Conversion, Meta};
use super::{TOKEN, length, number, overwrite};
use crate::Result;

impl Conversion<'_> {
    /// Everything is converted: takes the conversion out of the header and clears away its traces.
    pub(super) fn finish(&mut self, geometry: &Geometry) -> Result<()> {
        let digest = self.key()?.digest;
        self.header.leave(digest, geometry.end());
        if geometry.mode == Mode::Encrypt {
            // Finished, as cryptsetup sees it as well. What is left is noted for us alone.
            self.note_origin(Some(geometry.moved.0))?;
        }
        self.store()?;
        self.clear_away()
    }

    /// Of our token only what decryption will want to know stays, and where plain text is left.
    fn note_origin(&mut self, parked: Option<u64>) -> Result<()> {
        let origin = self.header.origin();
        self.header.drop_tokens(TOKEN);
        if origin.is_none() && parked.is_none() {
            return Ok(());
        }
        let origin = origin.unwrap_or_default();
        let mut token = serde_json::json!({ "type": TOKEN, "keyslots": [], "grown": origin.grown });
        if let Some(size) = origin.original_size {
            token["original_size"] = size.to_string().into();
        }
        if let Some(parked) = parked {
            token["parked"] = parked.to_string().into();
        }
        self.header.put_token(token)
    }

    /// What is left to do when all is converted.
    pub(super) fn clear_away(&mut self) -> Result<()> {
        match (super::parked(&self.header, self.data.size()), &self.meta) {
            (Some((offset, size)), Meta::Front) => {
                overwrite(self.data, offset, size)?;
                self.data.flush()?;
                let ours = self.header.origin().is_some_and(|origin| origin.original_size.is_some());
                self.note_origin(None)?;
                if !ours {
                    self.header.drop_tokens(TOKEN);
                }
                self.store()
            }
            _ => self.clear_back(),
        }
    }

    /// After a decryption: the header at the end goes, and a file gets its old length.
    fn clear_back(&mut self) -> Result<()> {
        let Some(aside) = self.aside else { return Ok(()) };
        let token = self.header.token(TOKEN).cloned().unwrap_or_default();
        // Keyslots first, the header last: it is what finds this state after a cut.
        let first = 2 * self.header.copy_size();
        let rest = self.header.whole_size().saturating_sub(first).min(self.data.size() - aside - first);
        overwrite(self.data, aside + first, rest)?;
        self.data.flush()?;
        let grown = token.get("grown").and_then(serde_json::Value::as_bool).unwrap_or(false);
        let wanted = if grown { number(&token, "original_size") } else { number(&token, "encrypted_size") };
        if let Some(size) = wanted.filter(|size| self.data.resizable() && *size <= aside) {
            self.data.resize(size)?;
        } else {
            self.data.write_at(aside, &vec![0; length(first)?])?;
            if let Some(size) = wanted.filter(|_| self.data.resizable()) {
                self.data.flush()?;
                self.data.resize(size)?;
            }
        }
        self.data.flush()?;
        self.aside = None;
        Ok(())
    }
}
