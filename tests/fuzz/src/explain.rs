//! What public tools print. Every text says something, the same each time, and it can be written as JSON.

use explain::explain;

/// A short output of each tool, one after the other in one file, and in UTF-16.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = OUTPUTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    seeds.push(OUTPUTS.concat().into_bytes());
    let units = [0xfeff].into_iter().chain(OUTPUTS[0].encode_utf16());
    seeds.push(units.flat_map(u16::to_le_bytes).collect());
    seeds.push(
        b"bplist00\xd1\x01\x02QaQb\x08\x0b\x0d\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0f"
            .to_vec(),
    );
    for text in OUTPUTS {
        println!("{:?}", explain("x", text.as_bytes()).iter().map(|item| item.verdict()).collect::<Vec<_>>());
    }
    seeds
}

/// One input.
pub fn run(data: &[u8]) {
    let items = explain("source", data);
    assert!(!items.is_empty() && items.iter().all(|item| item.source == "source"));
    let text = serde_json::to_string(&items).expect("items are plain data");
    assert_eq!(serde_json::to_string(&explain("source", data)).ok(), Some(text));
}

const OUTPUTS: [&str; 14] = [
    "BitLocker Drive Encryption: Configuration Tool version 10.0.19041\r\n\
     Disk volumes that can be protected with\r\nBitLocker Drive Encryption:\r\nVolume C: [Windows]\r\n[OS Volume]\r\n\r\n    \
     Size:                 237.23 GB\r\n    BitLocker Version:    2.0\r\n    Conversion Status:    Used Space Only Encrypted\r\n    \
     Percentage Encrypted: 100.0%\r\n    Encryption Method:    XTS-AES 128\r\n    Protection Status:    Protection On\r\n    \
     Lock Status:          Unlocked\r\n    Identification Field: Unknown\r\n    Key Protectors:\r\n        TPM\r\n        Numerical Password\r\n",
    "BitLocker-Laufwerkverschlüsselung: Konfigurationstool, Version 10.0.19041\nVolume \"D:\" [Daten]\n[Datenvolume]\n\n    \
     Größe:                        Unbekannt GB\n    BitLocker-Version:            2.0\n    Konvertierungsstatus:         Unbekannt\n    \
     Verschlüsselt (Prozent):      Unbekannt%\n    Verschlüsselungsmethode:      XTS-AES 256\n    \
     Schutzstatus:                 Unbekannt\n    Sperrungsstatus:              Gesperrt\n    Schlüsselschutzvorrichtungen:\n        Kennwort\n",
    "ComputerName         : PC\nMountPoint           : C:\nEncryptionMethod     : XtsAes128\nAutoUnlockEnabled    :\n\
     VolumeType           : OperatingSystem\nVolumeStatus         : EncryptionInProgress\nProtectionStatus     : Off\n\
     LockStatus           : Unlocked\nEncryptionPercentage : 42\nKeyProtector         : {Tpm, RecoveryPassword}\n",
    "__CLASS              : Win32_EncryptableVolume\nDriveLetter          : C:\nConversionStatus     : 1\n\
     EncryptionMethod     : 6\nProtectionStatus     : 1\nVolumeType           : 0\n",
    "FileVault is On.\nEncryption in progress: Percent completed = 12\n",
    "APFS Container (1 found)\n|\n+-- Container disk1 8D1D\n    ====================\n    APFS Container Reference:     disk1\n    |\n    \
     +-> Volume disk1s1 AB12\n        ---------------------\n        APFS Volume Disk (Role):   disk1s1 (Data)\n        \
     Name:                      Data (Case-insensitive)\n        FileVault:                 Yes (Unlocked)\n",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict><key>DeviceIdentifier</key><string>disk1s1</string>\
     <key>FileVault</key><true/><key>Encryption</key><true/><key>Locked</key><false/></dict></plist>\n",
    "NAME        MAJ:MIN RM   SIZE RO TYPE  MOUNTPOINTS\nsda           8:0    0 238.5G  0 disk\n├─sda1        8:1    0   512M  0 part  /boot/efi\n\
     └─sda2        8:2    0   238G  0 part\n  └─root    254:0    0   238G  0 crypt /\n",
    "{\"blockdevices\":[{\"name\":\"sda\",\"type\":\"disk\",\"fstype\":null,\"mountpoints\":[null],\"children\":[\
     {\"name\":\"sda2\",\"type\":\"part\",\"fstype\":\"crypto_LUKS\",\"children\":[{\"name\":\"root\",\"type\":\"crypt\",\"mountpoint\":\"/\"}]}]}]}\n",
    "/dev/sda2: UUID=\"0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f\" VERSION=\"2\" TYPE=\"crypto_LUKS\"\n/dev/sda1: UUID=\"12AB-34CD\" TYPE=\"vfat\"\n",
    "LUKS header information\nVersion:       \t2\nEpoch:         \t3\nUUID:          \t0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f\n\
     Requirements:\tonline-reencrypt-v2\n\nData segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\
     \tcipher: aes-xts-plain64\n\tsector: 4096 [bytes]\n\nKeyslots:\n  0: luks2\n\tKey:        512 bits\n\tPBKDF:      argon2id\n",
    "root: 0 498069504 crypt aes-xts-plain64 :64:logon:cryptsetup:0a1b 0 8:2 32768 1 allow_discards\nswap: 0 1024 linear 254:0 2048\n",
    "\n/dev/nvme0 NVMe Samsung SSD 980 PRO 1TB  3B2QGXA7 S5GX\nTPer function (0x0001)\n    ACKNAK = N, ASYNC = N. BufferManagement = N, \
     comIDManagement = N, Streaming = Y, SYNC = Y\nLocking function (0x0002)\n    Locked = N, LockingEnabled = Y, LockingSupported = Y, \
     MBRDone = N, MBREnabled = N, MediaEncrypt = Y\nOPAL 2.0 function (0x0203)\n    Base comID = 0x07fe, Initial PIN = 0x00\n",
    "/dev/sda:\n\nATA device, with non-removable media\n\tModel Number:       Disk\nSecurity: \n\tMaster password revision code = 65534\n\
     \t\tsupported\n\tnot\tenabled\n\tnot\tlocked\n\t\tfrozen\n",
];
