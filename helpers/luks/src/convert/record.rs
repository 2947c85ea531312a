//! A conversion's entry in the header (specification 1.1.4, §5): the keyslot `reencrypt`, the digest
//! over it, the backup segments, the requirement.

use std::collections::BTreeMap;

use crate::header::Header;
use crate::keyslot::{self, Unlocked};
use crate::metadata::{
    Area, Id, Keyslot, Length, Metadata, ONLINE_REENCRYPT_V2, ONLINE_REENCRYPT_V3, Requirements, Segment, U64,
};
use crate::{Error, Result};

/// Iterations of the digest over the metadata: what it protects is checked by the volume key, which
/// nobody can guess; so the least that cryptsetup accepts is enough.
const ITERATIONS: u32 = 1000;

/// The three backup segments.
pub(super) struct Backups {
    pub moved: Segment,
    pub previous: Segment,
    pub last: Segment,
}

/// What the keyslot `reencrypt` says.
pub(super) struct Job {
    pub mode: &'static str,
    pub direction: &'static str,
    /// `datashift` or `datashift-checksum`.
    pub resilience: &'static str,
    pub shift: u64,
    pub sector_size: u32,
    pub requirement: &'static str,
}

impl Header {
    /// Enters a conversion: keyslot, backups, active segments, digest, requirement. Nothing is written.
    pub(super) fn enter(
        &mut self,
        unlocked: &Unlocked,
        job: &Job,
        active: Vec<Segment>,
        backups: Backups,
    ) -> Result<()> {
        let checksums = job.resilience.ends_with("checksum");
        let (offset, size) = if checksums {
            self.metadata.largest_gap(self.size).ok_or(Error::KeyslotsFull)?
        } else {
            (self.metadata.free_area(self.size, 4096).ok_or(Error::KeyslotsFull)?, 4096)
        };
        let id = Metadata::free_id(&self.metadata.keyslots)?;
        let area = Area {
            kind: job.resilience.into(),
            offset: U64(offset),
            size: U64(size),
            encryption: None,
            key_size: None,
            hash: checksums.then(|| "sha256".into()),
            sector_size: checksums.then_some(job.sector_size),
            shift_size: Some(U64(job.shift)),
            other: serde_json::Map::new(),
        };
        let slot = Keyslot {
            kind: "reencrypt".into(),
            key_size: 1,
            // Never tried when a password is given.
            priority: Some(0),
            area,
            kdf: None,
            af: None,
            mode: Some(job.mode.into()),
            direction: Some(job.direction.into()),
            other: serde_json::Map::new(),
        };
        self.metadata.keyslots.insert(id, slot);
        let backups = vec![
            backups.previous.flagged("backup-previous"),
            backups.last.flagged("backup-final"),
            backups.moved.flagged("backup-moved-segment"),
        ];
        self.put_segments(unlocked.digest, active, backups);
        self.metadata.config.requirements = Some(Requirements { mandatory: vec![job.requirement.into()] });
        let message = message(&self.metadata, unlocked)?;
        let mut digest = keyslot::digest_of(&message, ITERATIONS)?;
        digest.keyslots.push(id);
        let digest_id = Metadata::free_id(&self.metadata.digests)?;
        self.metadata.digests.insert(digest_id, digest);
        Ok(())
    }

    /// Other active segments, the same backups. Nothing is written.
    pub(super) fn advance(&mut self, volume_digest: Id, active: Vec<Segment>) {
        let backups = self.metadata.segments.values().filter(|segment| segment.is_backup()).cloned().collect();
        self.put_segments(volume_digest, active, backups);
    }

    /// Ends a conversion: only the active segments stay. Nothing is written.
    pub(super) fn leave(&mut self, volume_digest: Id, active: Vec<Segment>) {
        self.put_segments(volume_digest, active, Vec::new());
        let Some((id, _)) = self.metadata.reencrypt_keyslot() else { return };
        self.metadata.keyslots.remove(&id);
        self.metadata.digests.retain(|_, digest| digest.keyslots != [id]);
        for digest in self.metadata.digests.values_mut() {
            digest.keyslots.retain(|slot| *slot != id);
        }
        self.metadata.config.requirements = None;
    }

    /// Whether the conversion's metadata were made by somebody who has the volume key
    /// (CVE-2021-4122).
    pub(super) fn verify_conversion(&self, unlocked: &Unlocked) -> Result<()> {
        let (id, _) = self.metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let message = message(&self.metadata, unlocked)?;
        for digest in self.metadata.digests.values() {
            if digest.keyslots.contains(&id) && keyslot::recognises(digest, &message)? {
                return Ok(());
            }
        }
        Err(Error::ConversionForged)
    }

    fn put_segments(&mut self, volume_digest: Id, active: Vec<Segment>, backups: Vec<Segment>) {
        let segments: BTreeMap<Id, Segment> = (0..).map(Id).zip(active.into_iter().chain(backups)).collect();
        let encrypted: Vec<Id> = segments.iter().filter(|(_, segment)| segment.is_crypt()).map(|(id, _)| *id).collect();
        self.metadata.segments = segments;
        for digest in self.metadata.digests.values_mut() {
            digest.segments.clear();
        }
        if let Some(digest) = self.metadata.digests.get_mut(&volume_digest) {
            digest.segments = encrypted;
        }
    }
}

/// The bytes under the digest: version, keys, keyslot, backup segments, one after another without any
/// separator; numbers big-endian.
fn message(metadata: &Metadata, unlocked: &Unlocked) -> Result<zeroize::Zeroizing<Vec<u8>>> {
    let (_, slot) = metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
    let version: &[u8] = match metadata.requirements() {
        [one] if one == ONLINE_REENCRYPT_V2 => b"v2",
        [one] if one == ONLINE_REENCRYPT_V3 => b"v3",
        other => return Err(Error::ConversionForeign(other.join(" "))),
    };
    let mut bytes = zeroize::Zeroizing::new(Vec::with_capacity(1024));
    bytes.extend_from_slice(version);
    bytes.extend_from_slice(unlocked.volume_key.expose());
    let area = &slot.area;
    for text in [&slot.mode, &slot.direction] {
        bytes.extend_from_slice(text.as_deref().unwrap_or_default().as_bytes());
    }
    bytes.extend_from_slice(area.kind.as_bytes());
    bytes.extend_from_slice(&area.offset.0.to_be_bytes());
    bytes.extend_from_slice(&area.size.0.to_be_bytes());
    if area.kind == "checksum" || area.kind == "datashift-checksum" {
        bytes.extend_from_slice(area.hash.as_deref().unwrap_or_default().as_bytes());
        bytes.extend_from_slice(&area.sector_size.unwrap_or(0).to_be_bytes());
    }
    if area.kind.starts_with("datashift") {
        bytes.extend_from_slice(&area.shift_size.map_or(0, |size| size.0).to_be_bytes());
    }
    for flag in ["backup-previous", "backup-final", "backup-moved-segment"] {
        let Some(segment) = metadata.segment_by_flag(flag) else {
            if flag == "backup-moved-segment" {
                continue;
            }
            return Err(Error::Invalid(format!("no segment {flag}")));
        };
        bytes.extend_from_slice(segment.kind.as_bytes());
        bytes.extend_from_slice(&segment.offset.0.to_be_bytes());
        match segment.size {
            Length::Dynamic => bytes.extend_from_slice(b"dynamic"),
            Length::Bytes(size) => bytes.extend_from_slice(&size.to_be_bytes()),
        }
        if segment.is_crypt() {
            bytes.extend_from_slice(&segment.iv_tweak.map_or(0, |tweak| tweak.0).to_be_bytes());
            bytes.extend_from_slice(segment.encryption.as_deref().unwrap_or_default().as_bytes());
            bytes.extend_from_slice(&segment.sector_size.unwrap_or(0).to_be_bytes());
        }
    }
    Ok(bytes)
}
