//! CoreStorage, which carries FileVault 2 before APFS (Choudary, Gröbert, Metz: "Infiltrate the
//! Vault: Security Analysis and Decryption of Lion Full Disk Encryption", tables 3 to 8).

use aes::Aes128;
use aes::cipher::KeyInit;
use blockdev::{Device, Result};
use filesystems::raw::{Block, crc32c};
use xts_mode::Xts128;

const METADATA_BLOCK: usize = 8192;
/// The metadata lie near the start of the physical volume.
const FARTHEST: u64 = 1 << 30;
/// More blocks than a volume of any size was seen to fill; the rest is zero.
const MOST_BLOCKS: u64 = 4096;

/// A physical volume of CoreStorage. Its contents are encrypted when FileVault 2 is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreStorage {
    /// UUID of the physical volume.
    pub uuid: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// What its metadata say about encryption. `None`: they could not be read.
    pub vault: Option<FileVault2>,
}

/// What the metadata of CoreStorage say about encryption. They are encrypted with a key that stands in
/// the volume's header, so that no secret is needed to read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVault2 {
    /// The cipher of the newest volume key, as the metadata name it: `AES-XTS`, `None`.
    pub cipher: String,
    /// How many users (passwords, the recovery key) can open it.
    pub users: usize,
    /// How far the conversion is, as the metadata name it: `Complete`, `Converting`.
    pub conversion: Option<String>,
}

impl FileVault2 {
    /// Whether all data are encrypted and a secret is needed to open them.
    pub fn is_whole(&self) -> bool {
        self.cipher == "AES-XTS" && self.users > 0 && self.conversion.as_deref() == Some("Complete")
    }
}

pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<CoreStorage>> {
    let Some(header) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let signed = header.has(88, b"CS") && header.le16(8) == 1 && header.le32(90) == 1;
    if !signed || !matches!(header.le32(96), 512..=65536) {
        return Ok(None);
    }
    Ok(Some(CoreStorage { uuid: header.uuid(304), size: header.le64(64), vault: vault(dev, &header)? }))
}

/// From the header to the disk label, from there to the descriptor of the volume group, and from there
/// to the encrypted metadata, of which the newest description counts.
fn vault(dev: &dyn Device, header: &Block) -> Result<Option<FileVault2>> {
    const OF_A_KEY: u32 = 16;
    if !checksum_fits(header.bytes()) || header.le32(168) != OF_A_KEY {
        return Ok(None);
    }
    let unit = u64::from(header.le32(96));
    let Some(label_at) = place(header.le64(104), unit) else { return Ok(None) };
    let Some(label) = Block::read(dev, label_at, METADATA_BLOCK)? else { return Ok(None) };
    if !checksum_fits(label.bytes()) {
        return Ok(None);
    }
    let Some(descriptor) = Block::read(dev, label_at + u64::from(label.le32(220)), 40)? else { return Ok(None) };
    let Some(start) = place(descriptor.le64(32), unit) else { return Ok(None) };
    let (key, tweak_key) = (header.slice(176, 16), header.slice(304, 16));
    let (Ok(key), Ok(tweak_key)) = (Aes128::new_from_slice(key), Aes128::new_from_slice(tweak_key)) else {
        return Ok(None);
    };
    let cipher = Xts128::new(key, tweak_key);
    let mut newest = None;
    for number in 0..descriptor.le64(8).min(MOST_BLOCKS) {
        let block = Block::read(dev, start + number * METADATA_BLOCK as u64, METADATA_BLOCK)?;
        let Some(block) = block.filter(|block| !block.is_zero(0, METADATA_BLOCK)) else { break };
        let mut plain = block.bytes().to_vec();
        cipher.decrypt_sector(&mut plain, u128::from(number).to_le_bytes().into());
        if !checksum_fits(&plain) {
            break;
        }
        let plain = Block::new(plain);
        // Block type 0x19 describes the family of logical volumes, its encryption among other things.
        if plain.le16(10) == 0x19 {
            newest = family(&plain).or(newest);
        }
    }
    Ok(newest)
}

/// `None` where the description is compressed or is none of encryption.
fn family(block: &Block) -> Option<FileVault2> {
    let (at, length) = (usize::try_from(block.le32(112)).ok()?, usize::try_from(block.le32(116)).ok()?);
    let text = String::from_utf8_lossy(block.slice(at, length)).into_owned();
    let context = text.split_once("com.apple.corestorage.lvf.encryption.context")?.1;
    let algorithm = context.rsplit_once("<key>BlockAlgorithm</key>").and_then(|(_, after)| string(after));
    Some(FileVault2 {
        cipher: algorithm.unwrap_or_default(),
        users: context.matches("<key>PassphraseWrappedKEKStruct</key>").count(),
        conversion: context.split_once("<key>ConversionStatus</key>").and_then(|(_, after)| string(after)),
    })
}

/// The text of the element that comes first: `<string ID="24">Complete</string>`.
fn string(xml: &str) -> Option<String> {
    let inner = xml.strip_prefix("<string")?.split_once('>')?.1;
    Some(inner.split_once("</string>")?.0.to_owned())
}

fn place(block: u64, unit: u64) -> Option<u64> {
    block.checked_mul(unit).filter(|place| *place <= FARTHEST)
}

/// A checksum and its seed stand before what they are about. It is CRC-32C without the last inversion.
fn checksum_fits(bytes: &[u8]) -> bool {
    let block = Block::new(bytes.get(..8).unwrap_or_default().to_vec());
    block.le32(4) == u32::MAX && bytes.get(8..).is_some_and(|body| !crc32c(&[body]) == block.le32(0))
}
