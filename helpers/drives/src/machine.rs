//! What is known of the computer's firmware and of the way to a drive: facts with their origin. What
//! nobody could read is unknown.

use model::Finding;

/// The computer's firmware and what starts its system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firmware {
    /// Whether the system was started by UEFI.
    pub uefi: Finding<bool>,
    /// Version of the UEFI specification that the firmware follows: `2.7`.
    pub uefi_version: Finding<String>,
    /// Whether the firmware could do UEFI and imitates an old BIOS instead (CSM).
    pub csm: Finding<bool>,
    /// Whether Secure Boot is on.
    pub secure_boot: Finding<bool>,
    /// Version of the TPM: `2.0`. Empty: there is none.
    pub tpm: Finding<String>,
    /// The firmware's own version and date, as its maker writes them: `1.14.2 07/09/2026`.
    pub version: Finding<String>,
    /// What loads the kernel: `GRUB`, `systemd-boot`.
    pub boot_loader: Finding<String>,
    /// What makes the initramfs: `initramfs-tools`, `dracut`, `mkinitcpio`.
    pub initramfs: Finding<String>,
}

/// A drive and the way to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriveFacts {
    /// Its model.
    pub model: Finding<String>,
    /// Its firmware's revision.
    pub revision: Finding<String>,
    /// What lies between the computer and the drive.
    pub transport: Finding<Transport>,
    /// Whether the drive says that it takes security commands (NVMe OACS bit 0, ATA word 48 bit 0).
    pub security_commands: Finding<bool>,
    /// The older password lock of ATA drives (word 128).
    pub ata_security: Finding<AtaSecurity>,
    /// Bytes in a logical block, as the system sees it.
    pub block_size: Finding<u32>,
    /// Protocols that the drive lists (0x01, 0x02: TCG; 0xEE: IEEE 1667; 0xEF: ATA security).
    pub protocols: Finding<Vec<u8>>,
    /// The drive's answer to Level 0 discovery, as it came.
    pub discovery: Finding<Vec<u8>>,
    /// Bytes a second that were read from it just now.
    pub read_rate: Finding<u64>,
}

/// What lies between the computer and a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Nothing that changes commands: the drive is asked itself.
    Direct,
    /// A bridge from USB, which often answers instead of the drive.
    UsbBridge,
    /// A RAID controller, or a driver that joins drives (VMD, RST).
    Raid,
    /// A virtual machine.
    Virtual,
    /// A network.
    Network,
}

/// State of the password lock of an ATA drive (ACS-3, IDENTIFY DEVICE word 128).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtaSecurity {
    /// The drive has it.
    pub supported: bool,
    /// A password is set.
    pub enabled: bool,
    /// It is locked: nothing can be read, and TCG is hidden.
    pub locked: bool,
    /// Changes are refused until the next power cycle.
    pub frozen: bool,
}

/// What an ATA drive says of itself (ACS-3, IDENTIFY DEVICE data), as far as it is asked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtaIdentify {
    /// Words 27 to 46.
    pub model: String,
    /// Words 23 to 26.
    pub revision: String,
    /// Word 48, bit 0: Trusted Computing commands.
    pub trusted: bool,
    /// Word 128.
    pub security: AtaSecurity,
}

impl AtaIdentify {
    /// Reads the 512 bytes; `None` if they are fewer.
    pub fn parse(data: &[u8]) -> Option<Self> {
        let words: Vec<u16> =
            data.get(..512)?.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        // Letters come in pairs, the first one in the higher half.
        let text = |first: usize, last: usize| {
            let bytes: Vec<u8> = words[first..=last].iter().flat_map(|word| word.to_be_bytes()).collect();
            String::from_utf8_lossy(&bytes)
                .trim_matches(|letter: char| letter.is_whitespace() || letter == '\0')
                .to_owned()
        };
        let bit = |word: usize, bit: u32| words[word] >> bit & 1 == 1;
        Some(Self {
            model: text(27, 46),
            revision: text(23, 26),
            // Bit 14 set and bit 15 clear say that the word means anything.
            trusted: bit(48, 14) && !bit(48, 15) && bit(48, 0),
            security: AtaSecurity {
                supported: bit(128, 0),
                enabled: bit(128, 1),
                locked: bit(128, 2),
                frozen: bit(128, 3),
            },
        })
    }
}

/// Whether an NVMe controller takes Security Send and Receive (NVM Express Base Specification, Identify
/// Controller, OACS bit 0); `None` if these are not its 4096 bytes.
pub fn nvme_takes_security_commands(identify: &[u8]) -> Option<bool> {
    let oacs = identify.get(..4096)?.get(256..258)?;
    Some(oacs[0] & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_ata_drive_says() {
        let mut data = vec![0; 512];
        let mut put = |at: usize, text: &[u8]| {
            for (index, letter) in text.iter().enumerate() {
                data[(at + index) ^ 1] = *letter;
            }
        };
        put(46, b"EMT02B6Q");
        put(54, b"Samsung SSD 860 EVO 500GB               ");
        data[96..98].copy_from_slice(&0x4001_u16.to_le_bytes());
        data[256..258].copy_from_slice(&0b1001_u16.to_le_bytes());
        let seen = AtaIdentify::parse(&data).unwrap();
        assert_eq!((seen.model.as_str(), seen.revision.as_str()), ("Samsung SSD 860 EVO 500GB", "EMT02B6Q"));
        assert!(seen.trusted && seen.security.supported && seen.security.frozen && !seen.security.enabled);
        data[97] = 0xc0;
        assert!(!AtaIdentify::parse(&data).unwrap().trusted, "a word that was never filled");
        assert_eq!(AtaIdentify::parse(&data[..511]), None);
    }

    #[test]
    fn what_an_nvme_controller_says() {
        let mut data = vec![0; 4096];
        assert_eq!(nvme_takes_security_commands(&data), Some(false));
        data[256] = 0x17;
        assert_eq!(nvme_takes_security_commands(&data), Some(true));
        assert_eq!(nvme_takes_security_commands(&data[..4095]), None);
    }
}
