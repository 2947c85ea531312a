//! From a password to the PIN that a drive is given.
//!
//! A drive compares what it is given with what it has: no more than five tries, but no slow derivation
//! either. So a PIN is derived from the password here, with Argon2id, and is 32 hexadecimal digits:
//!
//! ```text
//! printf %s "$PASSWORD" | argon2 "$SALT" -id -v 13 -t $PASSES -k $MEMORY_KIB -p $LANES -l 16 -r
//! ```
//!
//! The salt is 32 hexadecimal digits, too, taken as text; the password is taken as its bytes in UTF-8, in the
//! form NFKC of Unicode (`uconv -x any-nfkc`), which changes nothing about letters that a keyboard has keys for.
//! The PIN opens the drive with any tool that takes it as it is (`sedutil-cli -n`), without this program.
//!
//! Each way in has a salt of its own: the password, whose PIN `SID` and `Admin1` have, and the recovery
//! key, whose PIN `Admin2` has. A salt is made from the drive's MSID, which every drive has for itself and
//! shows to everybody, also while it is locked:
//!
//! ```text
//! printf %s "latchkey opal password $MSID" | sha256sum | cut -c 1-32
//! printf %s "latchkey opal recovery $MSID" | sha256sum | cut -c 1-32
//! ```
//!
//! So nothing must be kept before the first PIN is set, and a cut behind it loses nothing. What was used is
//! noted in a [`Record`] all the same, for drives whose costs are other ones. It is no secret. It is kept at
//! the beginning of the DataStore, where everybody may read it, and at the end of the shadow MBR.
//!
//! The record can hold the PIN of the password once more, under the recovery key: then the recovery key is
//! not only a way in, but gives the drive back to its owner as a whole (SID has no second PIN).

use argon2::{Algorithm, Argon2, Params, Version};
use model::Secret;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

use crate::{Error, Result, hex};

/// Bytes of a record. The same for all, so that it can be read without knowing anything.
pub const RECORD: usize = 512;

const MAGIC: &[u8; 16] = b"LATCHKEY-PIN\0\0\0\x01";
const SUM: usize = 32;
/// More memory than this no computer of today gives to a prompt, in KiB.
const MOST_MEMORY: u32 = 4 << 20;
const MOST_PASSES: u32 = 1 << 16;

/// Which way in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WayIn {
    /// The password.
    Password,
    /// The recovery key.
    Recovery,
}

/// What the derivation costs whoever tries passwords, and us once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for Cost {
    /// What LUKS2 takes at most, and a preboot program on a small computer can, too.
    fn default() -> Self {
        Self { memory_kib: 512 << 10, passes: 4, lanes: 4 }
    }
}

/// Salts and costs of a drive's PINs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// For both.
    pub cost: Cost,
    /// 32 hexadecimal digits.
    password: String,
    /// 32 hexadecimal digits.
    recovery: String,
    escrow: Option<Escrow>,
}

/// The password's PIN under the recovery key: its 16 bytes, with 16 bytes that Argon2id makes of the
/// recovery key and this salt added (exclusive or). The salt is never used again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Escrow {
    /// 32 hexadecimal digits.
    salt: String,
    covered: [u8; 16],
}

impl Record {
    /// For a drive with this MSID.
    pub fn of_drive(msid: &Secret, cost: Cost) -> Self {
        let salt = |way: &str| {
            let prefix = format!("latchkey opal {way} ");
            hex::encode(&Sha256::new().chain_update(prefix).chain_update(msid.expose()).finalize()[..16])
        };
        Self { cost, password: salt("password"), recovery: salt("recovery"), escrow: None }
    }

    /// With one salt for either way in: for whoever has a salt and wants a PIN.
    ///
    /// # Errors
    /// [`Error::RecordDamaged`] if it is not 32 hexadecimal digits.
    pub fn with_salt(salt: &str, cost: Cost) -> Result<Self> {
        if unhex(salt.as_bytes()).is_none() {
            return Err(Error::RecordDamaged);
        }
        Ok(Self { cost, password: salt.to_owned(), recovery: salt.to_owned(), escrow: None })
    }

    /// Looks for a record in a larger piece: a rescue image, what was read from a shadow MBR or a DataStore.
    /// It begins at a multiple of 512 bytes there.
    ///
    /// # Errors
    /// [`Error::RecordDamaged`] if there are only damaged ones.
    pub fn search(bytes: &[u8]) -> Result<Option<Self>> {
        let mut damaged = false;
        for piece in bytes.chunks_exact(RECORD) {
            match Self::decode(piece) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(_) => damaged = true,
            }
        }
        if damaged { Err(Error::RecordDamaged) } else { Ok(None) }
    }

    /// The same, with the password's PIN under the recovery key. Without one if `recovery` is `None`: an
    /// old one would be of a password that is no more.
    ///
    /// # Errors
    /// [`Error::NoRandomness`], [`Error::Derivation`]; [`Error::RecordDamaged`] if `pin` is none of ours.
    pub fn with_escrow(self, pin: &Secret, recovery: Option<&Secret>) -> Result<Self> {
        let Some(recovery) = recovery else { return Ok(Self { escrow: None, ..self }) };
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| Error::NoRandomness(error.to_string()))?;
        let salt = hex::encode(&random);
        let cover = self.derive(recovery, &salt)?;
        let plain = Zeroizing::new(unhex(pin.expose()).ok_or(Error::RecordDamaged)?);
        let covered = std::array::from_fn(|at| plain[at] ^ cover[at]);
        Ok(Self { escrow: Some(Escrow { salt, covered }), ..self })
    }

    /// The password's PIN, from the recovery key. `None` if the record does not hold it. Whether it is the
    /// right one is for the drive to say.
    ///
    /// # Errors
    /// [`Error::Derivation`].
    pub fn escrowed(&self, recovery: &Secret) -> Result<Option<Secret>> {
        let Some(escrow) = &self.escrow else { return Ok(None) };
        let cover = self.derive(recovery, &escrow.salt)?;
        let plain: Zeroizing<[u8; 16]> = Zeroizing::new(std::array::from_fn(|at| escrow.covered[at] ^ cover[at]));
        Ok(Some(Secret::new(hex::encode(&*plain).into_bytes())))
    }

    /// The salt of a way in, as text.
    pub fn salt(&self, way: WayIn) -> &str {
        match way {
            WayIn::Password => &self.password,
            WayIn::Recovery => &self.recovery,
        }
    }

    /// The PIN that this way in has.
    ///
    /// # Errors
    /// [`Error::Derivation`] if there is not enough memory.
    pub fn pin(&self, way: WayIn, secret: &Secret) -> Result<Secret> {
        let key = self.derive(secret, self.salt(way))?;
        Ok(Secret::new(hex::encode(&*key).into_bytes()))
    }

    fn derive(&self, secret: &Secret, salt: &str) -> Result<Zeroizing<[u8; 16]>> {
        let failed = |why: argon2::Error| Error::Derivation(why.to_string());
        let Cost { memory_kib, passes, lanes } = self.cost;
        let params = Params::new(memory_kib, passes, lanes, Some(16)).map_err(failed)?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut key = Zeroizing::new([0; 16]);
        argon.hash_password_into(&normal(secret), salt.as_bytes(), &mut *key).map_err(failed)?;
        Ok(key)
    }

    /// As it is kept: magic, costs, salts, zeros, and a checksum.
    pub fn encode(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..16].copy_from_slice(MAGIC);
        for (at, number) in [(16, self.cost.memory_kib), (20, self.cost.passes), (24, self.cost.lanes)] {
            bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
        }
        // 32 digits each, by construction.
        for (at, salt) in [(32, &self.password), (64, &self.recovery)] {
            bytes[at..at + 32].copy_from_slice(&salt.as_bytes()[..32]);
        }
        if let Some(escrow) = &self.escrow {
            bytes[28] = 1;
            bytes[96..128].copy_from_slice(&escrow.salt.as_bytes()[..32]);
            bytes[128..144].copy_from_slice(&escrow.covered);
        }
        let sum = Sha256::digest(&bytes[..RECORD - SUM]);
        bytes[RECORD - SUM..].copy_from_slice(&sum);
        bytes
    }

    /// From what was kept. `None` if nothing is there, or something else.
    ///
    /// # Errors
    /// [`Error::RecordDamaged`] if it is one of ours and not whole, or its costs make no sense.
    pub fn decode(bytes: &[u8]) -> Result<Option<Self>> {
        let Some(bytes) = bytes.get(..RECORD).filter(|bytes| bytes[..12] == MAGIC[..12]) else { return Ok(None) };
        let fields = crate::bytes::Bytes(bytes);
        let cost = Cost { memory_kib: fields.u32(16), passes: fields.u32(20), lanes: fields.u32(24) };
        let sane = (8..=MOST_MEMORY).contains(&cost.memory_kib)
            && (1..=MOST_PASSES).contains(&cost.passes)
            && (1..=64).contains(&cost.lanes)
            && cost.memory_kib >= 8 * cost.lanes;
        let salt = |at: usize| {
            let text = std::str::from_utf8(&bytes[at..at + 32]).ok()?;
            hex::decode(text.as_bytes()).map(|_| text.to_owned())
        };
        let whole = bytes[..16] == MAGIC[..] && Sha256::digest(&bytes[..RECORD - SUM])[..] == bytes[RECORD - SUM..];
        let covered = std::array::from_fn(|at| bytes[128 + at]);
        let escrow = match bytes[28] {
            0 => Some(None),
            1 => salt(96).map(|salt| Some(Escrow { salt, covered })),
            _ => None,
        };
        match (salt(32), salt(64), escrow) {
            (Some(password), Some(recovery), Some(escrow)) if whole && sane => {
                Ok(Some(Self { cost, password, recovery, escrow }))
            }
            _ => Err(Error::RecordDamaged),
        }
    }
}

/// The password as it is derived from: in the form NFKC of Unicode, in UTF-8. What is typed as one letter here
/// is two on another keyboard (`ä` is `a` and its dots on some), and both are to open the drive. What is no
/// text is taken as it is.
fn normal(secret: &Secret) -> Zeroizing<Vec<u8>> {
    match std::str::from_utf8(secret.expose()) {
        Ok(text) if !text.is_ascii() => {
            // At most 18 times as long (U+FDFA), so that it never moves: what a growing one leaves is not cleared.
            let mut normal = Zeroizing::new(String::with_capacity(text.len() * 18));
            normal.extend(text.nfkc());
            Zeroizing::new(normal.as_bytes().to_vec())
        }
        _ => Zeroizing::new(secret.expose().to_vec()),
    }
}

fn unhex(digits: &[u8]) -> Option<[u8; 16]> {
    hex::decode(digits)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    fn record() -> Record {
        Record {
            cost: Cost { memory_kib: 1024, passes: 2, lanes: 4 },
            password: "00112233445566778899aabbccddeeff".into(),
            recovery: "ffeeddccbbaa99887766554433221100".into(),
            escrow: None,
        }
    }

    #[test]
    fn a_pin_is_32_digits_and_differs_by_the_way_in() {
        let secret = Secret::from("Käsekuchen");
        let (password, recovery) =
            (record().pin(WayIn::Password, &secret).unwrap(), record().pin(WayIn::Recovery, &secret).unwrap());
        assert_eq!(password.expose().len(), 32);
        assert!(password.expose().iter().all(u8::is_ascii_hexdigit));
        assert_ne!(password, recovery);
        assert_eq!(password, record().pin(WayIn::Password, &secret).unwrap());
    }

    /// The reference program, where it is there.
    #[test]
    fn the_reference_program_gives_the_same() {
        let salt = record().password;
        let mut command = Command::new("argon2");
        command.args([&salt, "-id", "-v", "13", "-t", "2", "-k", "1024", "-p", "4", "-l", "16", "-r"]);
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            eprintln!("left out: argon2 is not there");
            return;
        };
        child.stdin.take().unwrap().write_all("Käsekuchen".as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let theirs = String::from_utf8(output.stdout).unwrap();
        let ours = record().pin(WayIn::Password, &Secret::from("Käsekuchen")).unwrap();
        assert_eq!(theirs.trim().as_bytes(), ours.expose());
    }

    #[test]
    fn a_record_is_read_again_and_a_damaged_one_is_refused() {
        let bytes = record().encode();
        assert_eq!(Record::decode(&bytes).unwrap(), Some(record()));
        assert_eq!(Record::decode(&[0; RECORD]).unwrap(), None);
        assert_eq!(Record::decode(&bytes[..100]).unwrap(), None);
        for at in [13, 17, 40, 70, 200, 500] {
            let mut bytes = bytes;
            bytes[at] ^= 0x41;
            assert!(matches!(Record::decode(&bytes), Err(Error::RecordDamaged)), "{at}");
        }
        for (at, number) in [(16, u32::MAX), (16, 7), (20, 0), (24, 200), (24, 0)] {
            let mut bytes = bytes;
            bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
            let sum = Sha256::digest(&bytes[..RECORD - SUM]);
            bytes[RECORD - SUM..].copy_from_slice(&sum);
            assert!(matches!(Record::decode(&bytes), Err(Error::RecordDamaged)), "{at} {number}");
        }
    }

    /// By `printf %s "latchkey opal password MSID" | sha256sum`.
    #[test]
    fn salts_come_from_the_msid() {
        let record = Record::of_drive(&Secret::from("MSID"), Cost::default());
        assert_eq!(record.salt(WayIn::Password), "b4d72dc20aaf8c7e38cc70cc4515b56a");
        assert_eq!(record.salt(WayIn::Recovery), "ba9dabf1ed9015a0e53b9bd844fd8ef8");
        assert_eq!(Record::decode(&record.encode()).unwrap(), Some(record));
    }

    /// The same letters, as different keyboards send them.
    #[test]
    fn umlauts_are_the_same_however_they_are_typed() {
        let pin = |text: &str| record().pin(WayIn::Password, &Secret::from(text)).unwrap();
        assert_eq!(pin("Käse ﬁne １"), pin("Ka\u{308}se fine 1"));
        assert_ne!(pin("Käse"), pin("Kase"));
        let bytes = Secret::new(vec![0xff, 0xfe]);
        assert_eq!(record().pin(WayIn::Password, &bytes).unwrap().expose().len(), 32);
    }

    #[test]
    fn a_record_is_found_in_an_image() {
        let mut image = vec![7; 4 * RECORD + 100];
        assert_eq!(Record::search(&image).unwrap(), None);
        image[2 * RECORD..3 * RECORD].copy_from_slice(&record().encode());
        assert_eq!(Record::search(&image).unwrap(), Some(record()));
        image[2 * RECORD + 40] ^= 1;
        assert!(matches!(Record::search(&image), Err(Error::RecordDamaged)));
        assert_eq!(Record::search(&[]).unwrap(), None);
        let salted = Record::with_salt(record().salt(WayIn::Password), record().cost).unwrap();
        let secret = Secret::from("secret");
        assert_eq!(salted.pin(WayIn::Password, &secret).unwrap(), record().pin(WayIn::Password, &secret).unwrap());
        assert!(Record::with_salt("short", record().cost).is_err());
    }

    #[test]
    fn the_recovery_key_gives_the_pin_back() {
        let (password, recovery) = (Secret::from("password"), Secret::from("recovery"));
        let pin = record().pin(WayIn::Password, &password).unwrap();
        let with = record().with_escrow(&pin, Some(&recovery)).unwrap();
        let read = Record::decode(&with.encode()).unwrap().unwrap();
        assert_eq!(read, with);
        assert_eq!(read.escrowed(&recovery).unwrap(), Some(pin.clone()));
        assert_ne!(read.escrowed(&password).unwrap(), Some(pin.clone()));
        // Another time it is covered otherwise.
        assert_ne!(record().with_escrow(&pin, Some(&recovery)).unwrap(), with);
        assert_eq!(with.with_escrow(&pin, None).unwrap(), record());
        assert_eq!(record().escrowed(&recovery).unwrap(), None);
        assert!(matches!(record().with_escrow(&password, Some(&recovery)), Err(Error::RecordDamaged)));
        let mut bytes = read.encode();
        bytes[28] = 2;
        assert!(matches!(Record::decode(&bytes), Err(Error::RecordDamaged)));
    }
}
