//! The JSON area (specification 1.1.4, §3), as types. Members that are not known here are kept as
//! they are, so that a header that a newer tool wrote loses nothing when we write it back.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::{Error, Result};

/// At most this many keyslots, tokens, segments (LUKS2_KEYSLOTS_MAX and friends).
pub const OBJECTS_MAX: u32 = 32;

/// The keyslots area is never larger (LUKS2_MAX_KEYSLOTS_SIZE).
const KEYSLOTS_AREA_MAX: u64 = 128 * 1024 * 1024;
/// No place and no length in a header is further than this (1 EiB): no medium is so large, and a few of them can be
/// added up in 64 bits wherever they are used.
pub(crate) const FARTHEST: u64 = 1 << 60;

/// Cipher specification of a segment or keyslot area that this program can read and write.
pub const AES_XTS: &str = "aes-xts-plain64";

/// Names of `config.requirements.mandatory` that this program understands.
const KNOWN_REQUIREMENTS: [&str; 2] = [ONLINE_REENCRYPT_V2, ONLINE_REENCRYPT_V3];
/// A conversion is under way (encrypting, or with a detached header).
pub const ONLINE_REENCRYPT_V2: &str = "online-reencrypt-v2";
/// A decryption with data shift is under way.
pub const ONLINE_REENCRYPT_V3: &str = "online-reencrypt-v3";

/// The number of an object, a member name in decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Id).map_err(|_| de::Error::custom(format!("object number {text:?}")))
    }
}

/// A 64-bit number, which JSON holds as a decimal string (§3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct U64(pub u64);

impl Serialize for U64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for U64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(U64).map_err(|_| de::Error::custom(format!("number {text:?}")))
    }
}

/// How long a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// To the end of the device.
    Dynamic,
    /// So many bytes.
    Bytes(u64),
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Dynamic => serializer.serialize_str("dynamic"),
            Self::Bytes(bytes) => serializer.collect_str(bytes),
        }
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "dynamic" {
            return Ok(Self::Dynamic);
        }
        text.parse().map(Self::Bytes).map_err(|_| de::Error::custom(format!("size {text:?}")))
    }
}

/// The whole JSON area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Ways to the volume key, and the place where a conversion keeps its state.
    pub keyslots: BTreeMap<Id, Keyslot>,
    /// Notes of other programs that belong to keyslots.
    pub tokens: BTreeMap<Id, Value>,
    /// What lies where on the data device.
    pub segments: BTreeMap<Id, Segment>,
    /// How a volume key is recognised.
    pub digests: BTreeMap<Id, Digest>,
    /// Sizes, flags, requirements.
    pub config: Config,
}

/// One keyslot (§3.2); type `luks2` or `reencrypt`, others are kept and not used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyslot {
    /// `luks2` or `reencrypt`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Bytes of the stored key; 1 for `reencrypt`.
    pub key_size: u32,
    /// 0: never tried unless named; 1: normal; 2: first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Where its binary part lies.
    pub area: Area,
    /// Key derivation; `luks2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kdf: Option<KdfRecord>,
    /// Anti-forensic splitter; `luks2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub af: Option<Af>,
    /// `encrypt`, `decrypt`, `reencrypt`; `reencrypt` only (§5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// `forward`, `backward`; `reencrypt` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// What this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Binary area of a keyslot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// `raw`; for `reencrypt`: `none`, `checksum`, `journal`, `datashift`, `datashift-checksum`,
    /// `datashift-journal`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Bytes from the start of the header.
    pub offset: U64,
    /// Bytes.
    pub size: U64,
    /// Cipher; `raw` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encryption: Option<String>,
    /// Bytes of the area's key; `raw` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_size: Option<u32>,
    /// Hash of the checksums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Bytes under one checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector_size: Option<u32>,
    /// Bytes by which data move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift_size: Option<U64>,
    /// What this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Key derivation of a keyslot (§3.2.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KdfRecord {
    /// `pbkdf2`, `argon2i`, `argon2id`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Base64.
    pub salt: String,
    /// PBKDF2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// PBKDF2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// Argon2: passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u32>,
    /// Argon2: KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u32>,
    /// Argon2: lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u32>,
    /// What this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Anti-forensic splitter (§2.4 of LUKS1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Af {
    /// `luks1`.
    #[serde(rename = "type")]
    pub kind: String,
    /// 4000.
    pub stripes: u32,
    /// Hash of the diffuser.
    pub hash: String,
}

/// A stretch of the data device (§3.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// `crypt` or `linear`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Bytes from the start of the data device.
    pub offset: U64,
    /// How long.
    pub size: Length,
    /// Added to the sector number (512-byte units) for the IV; `crypt` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iv_tweak: Option<U64>,
    /// Cipher; `crypt` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encryption: Option<String>,
    /// Bytes of an encryption sector; `crypt` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector_size: Option<u32>,
    /// `in-reencryption`, `backup-previous`, `backup-final`, `backup-moved-segment`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What this program does not know (`integrity`, `opal_*`).
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Segment {
    /// Plain data.
    pub fn linear(offset: u64, size: Length) -> Self {
        Self {
            kind: "linear".into(),
            offset: U64(offset),
            size,
            iv_tweak: None,
            encryption: None,
            sector_size: None,
            flags: Vec::new(),
            other: Map::new(),
        }
    }

    /// Data encrypted with `aes-xts-plain64`; `iv_tweak` in 512-byte units.
    pub fn crypt(offset: u64, size: Length, iv_tweak: u64, sector_size: u32) -> Self {
        Self {
            kind: "crypt".into(),
            iv_tweak: Some(U64(iv_tweak)),
            encryption: Some(AES_XTS.into()),
            sector_size: Some(sector_size),
            ..Self::linear(offset, size)
        }
    }

    /// The same segment with a flag.
    #[must_use]
    pub fn flagged(mut self, flag: &str) -> Self {
        self.flags.push(flag.into());
        self
    }

    /// Whether it has this flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|own| own == flag)
    }

    /// Whether it is one of the copies of the old and new layout that a conversion keeps.
    pub fn is_backup(&self) -> bool {
        self.flags.iter().any(|flag| flag.starts_with("backup-"))
    }

    /// Whether its data are encrypted.
    pub fn is_crypt(&self) -> bool {
        self.kind == "crypt"
    }

    /// Bytes, on a data device of this size.
    pub fn length(&self, device_size: u64) -> u64 {
        match self.size {
            Length::Bytes(bytes) => bytes,
            Length::Dynamic => device_size.saturating_sub(self.offset.0),
        }
    }
}

/// How a volume key (or a conversion's metadata) is recognised (§3.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// `pbkdf2`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Keyslots that hold this key.
    pub keyslots: Vec<Id>,
    /// Segments that are encrypted with it.
    pub segments: Vec<Id>,
    /// Hash of PBKDF2.
    pub hash: String,
    /// Iterations of PBKDF2.
    pub iterations: u32,
    /// Base64.
    pub salt: String,
    /// Base64.
    pub digest: String,
    /// What this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Sizes, flags, requirements (§3.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Bytes of the JSON area.
    pub json_size: U64,
    /// Bytes of the keyslots area, which begins after the second header.
    pub keyslots_size: U64,
    /// Flags for activation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What must be understood by whoever uses the header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Requirements>,
    /// What this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Requirements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Requirements {
    /// Whoever does not know one of these must neither open nor write.
    #[serde(default)]
    pub mandatory: Vec<String>,
}

impl Metadata {
    /// Reads and checks a JSON area: the text ends at the first NUL byte.
    pub fn parse(area: &[u8], header_size: u64) -> Result<Self> {
        let end = area.iter().position(|byte| *byte == 0).unwrap_or(area.len());
        let metadata: Self = serde_json::from_slice(&area[..end]).map_err(|error| Error::Invalid(error.to_string()))?;
        metadata.check(header_size)?;
        Ok(metadata)
    }

    /// Requirements that the header names.
    pub fn requirements(&self) -> &[String] {
        self.config.requirements.as_ref().map_or(&[], |requirements| &requirements.mandatory)
    }

    /// An error for the first requirement that this program does not know.
    pub fn known_requirements(&self) -> Result<()> {
        match self.requirements().iter().find(|name| !KNOWN_REQUIREMENTS.contains(&name.as_str())) {
            Some(name) => Err(Error::UnknownRequirement(name.clone())),
            None => Ok(()),
        }
    }

    /// The keyslot of type `reencrypt`, if a conversion is under way.
    pub fn reencrypt_keyslot(&self) -> Option<(Id, &Keyslot)> {
        self.keyslots.iter().find(|(_, slot)| slot.kind == "reencrypt").map(|(id, slot)| (*id, slot))
    }

    /// Segments in use now, in order, without the backups.
    pub fn active_segments(&self) -> impl Iterator<Item = (Id, &Segment)> {
        self.segments.iter().filter(|(_, segment)| !segment.is_backup()).map(|(id, segment)| (*id, segment))
    }

    /// The segment with this flag.
    pub fn segment_by_flag(&self, flag: &str) -> Option<&Segment> {
        self.segments.values().find(|segment| segment.has(flag))
    }

    /// First number that is not taken.
    pub fn free_id<T>(taken: &BTreeMap<Id, T>) -> Result<Id> {
        (0..OBJECTS_MAX).map(Id).find(|id| !taken.contains_key(id)).ok_or(Error::KeyslotsFull)
    }

    /// A stretch of at least `size` bytes in the keyslots area that no keyslot uses: the first that
    /// is large enough, aligned to 4096.
    pub fn free_area(&self, header_size: u64, size: u64) -> Option<u64> {
        self.gaps(header_size).into_iter().find(|(_, length)| *length >= size).map(|(offset, _)| offset)
    }

    /// The largest stretch of the keyslots area that no keyslot uses.
    pub fn largest_gap(&self, header_size: u64) -> Option<(u64, u64)> {
        self.gaps(header_size).into_iter().max_by_key(|(_, length)| *length).filter(|(_, length)| *length > 0)
    }

    fn gaps(&self, header_size: u64) -> Vec<(u64, u64)> {
        let mut areas: Vec<(u64, u64)> =
            self.keyslots.values().map(|slot| (slot.area.offset.0, slot.area.size.0)).collect();
        areas.sort_unstable();
        let mut gaps = Vec::new();
        let mut at = 2 * header_size;
        let end = at + self.config.keyslots_size.0;
        for (offset, size) in areas {
            if offset > at {
                gaps.push((at, offset - at));
            }
            at = at.max(offset.saturating_add(size).next_multiple_of(4096));
        }
        if end > at {
            gaps.push((at, end - at));
        }
        gaps
    }

    fn check(&self, header_size: u64) -> Result<()> {
        let invalid = |what: String| Err(Error::Invalid(what));
        if self.config.json_size.0 != header_size - 4096 {
            return invalid(format!("json_size {} in a header of {header_size}", self.config.json_size.0));
        }
        if !self.config.keyslots_size.0.is_multiple_of(4096) || self.config.keyslots_size.0 > KEYSLOTS_AREA_MAX {
            return invalid(format!("keyslots_size {}", self.config.keyslots_size.0));
        }
        let many = |count: usize| count > OBJECTS_MAX as usize;
        if many(self.keyslots.len()) || many(self.tokens.len()) || many(self.segments.len()) || many(self.digests.len())
        {
            return invalid("too many objects".into());
        }
        self.check_areas(header_size)?;
        self.check_digests()?;
        self.check_segments()
    }

    fn check_areas(&self, header_size: u64) -> Result<()> {
        let first = 2 * header_size;
        let mut areas = Vec::new();
        for (id, slot) in &self.keyslots {
            let (offset, size) = (slot.area.offset.0, slot.area.size.0);
            let end = offset.checked_add(size).filter(|end| *end <= FARTHEST);
            let shift = slot.area.shift_size.map_or(0, |size| size.0);
            if offset < first || end.is_none() || shift > FARTHEST {
                return Err(Error::Invalid(format!("area of keyslot {} at {offset}+{size}", id.0)));
            }
            // A size of 0 is allowed for the area only where nothing is known of the keyslots area.
            let limit = first.saturating_add(self.config.keyslots_size.0);
            if self.config.keyslots_size.0 > 0 && end.is_some_and(|end| end > limit) {
                return Err(Error::Invalid(format!("area of keyslot {} crosses {limit}", id.0)));
            }
            areas.push((offset, size));
        }
        areas.sort_unstable();
        match areas.windows(2).find(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
            Some(pair) => Err(Error::Invalid(format!("keyslot areas overlap at {}", pair[1].0))),
            None => Ok(()),
        }
    }

    fn check_digests(&self) -> Result<()> {
        for (id, digest) in &self.digests {
            if let Some(missing) = digest.keyslots.iter().find(|slot| !self.keyslots.contains_key(slot)) {
                return Err(Error::Invalid(format!("digest {} names keyslot {}", id.0, missing.0)));
            }
            if let Some(missing) = digest.segments.iter().find(|segment| !self.segments.contains_key(segment)) {
                return Err(Error::Invalid(format!("digest {} names segment {}", id.0, missing.0)));
            }
        }
        Ok(())
    }

    fn check_segments(&self) -> Result<()> {
        if self.segments.is_empty() {
            return Err(Error::Invalid("no segment".into()));
        }
        let mut backups = false;
        for (expected, (id, segment)) in self.segments.iter().enumerate() {
            if id.0 as usize != expected {
                return Err(Error::Invalid(format!("segment {} is missing", expected)));
            }
            if backups && !segment.is_backup() {
                return Err(Error::Invalid(format!("segment {} follows a backup", id.0)));
            }
            backups |= segment.is_backup();
            if segment.is_crypt() {
                let sector = segment.sector_size.unwrap_or(0);
                if ![512, 1024, 2048, 4096].contains(&sector) {
                    return Err(Error::Invalid(format!("sector size {sector}")));
                }
                if segment.encryption.is_none() || segment.iv_tweak.is_none() {
                    return Err(Error::Invalid(format!("segment {} has no cipher", id.0)));
                }
            }
            if segment.offset.0 > FARTHEST {
                return Err(Error::Invalid(format!("segment {} at {}", id.0, segment.offset.0)));
            }
            // Sectors are numbered on from here, and the last one has a number, too.
            if let Some(first) = segment.iv_tweak.map(|tweak| tweak.0).filter(|first| *first > FARTHEST) {
                return Err(Error::Invalid(format!("segment {} with sector numbers from {first}", id.0)));
            }
            if !segment.is_crypt() && segment.kind != "linear" {
                continue;
            }
            if let Length::Bytes(size) = segment.size
                && (size == 0 || !size.is_multiple_of(512) || size > FARTHEST)
            {
                return Err(Error::Invalid(format!("segment {} of {size} bytes", id.0)));
            }
            if !segment.offset.0.is_multiple_of(512) {
                return Err(Error::Invalid(format!("segment {} at {}", id.0, segment.offset.0)));
            }
        }
        if self.active_segments().next().is_none() {
            return Err(Error::Invalid("only backup segments".into()));
        }
        Ok(())
    }
}
