//! Everything foreign on a device: recognising it, and asking about what was recognised.

use foreign::recognise;

use crate::image::Image;
use crate::mend;

/// Places, signatures and numbers by which each format is known.
const SIGNATURES: &[&[(usize, &[u8])]] = &[
    &[(0, b"LUKS\xba\xbe\0\x01aes"), (40, b"xts-plain64"), (72, b"sha256"), (108, &[0, 0, 0, 64])],
    &[(0, b"LUKS\xba\xbe\0\x02"), (0x4000, b"SKUL\xba\xbe\0\x02"), (0x4000 + 256, &[0, 0, 0, 0, 0, 0, 0x40, 0])],
    &[(0, b"\xeb\x58\x90-FVE-FS-"), (160, &FVE), (176, &[0, 0, 1]), (0x1_0000, b"-FVE-FS-")],
    &[(0, b"\xeb\x52\x90-FVE-FS-"), (11, &[0, 2, 8]), (56, &[4]), (0x4000, b"-FVE-FS-")],
    &[(0, b"\xeb\x58\x90MSWIN4.1"), (424, &FVE), (440, &[0, 0, 1]), (0x1_0000, b"-FVE-FS-")],
    &[(88, b"CS\x01\0\0\0"), (8, &[1]), (96, &[0, 0x10]), (304, &[7; 16])],
    &[(32, b"NXSB\0\x10"), (40, &[0, 1]), (72, &[7; 16])],
    &[(512, b"LABELONE\x01"), (512 + 20, &[32]), (512 + 24, b"LVM2 001"), (512 + 32, &[b'a'; 32])],
    &[(4096, &[0xfc, 0x4e, 0x2b, 0xa9, 1]), (4096 + 144, &[8]), (4096 + 32, b"host:0")],
    &[(0, &[0xfc, 0x4e, 0x2b, 0xa9, 1]), (32, b"host:0")],
    &[(0xf_0000, &[0xfc, 0x4e, 0x2b, 0xa9, 0, 0, 0, 0, 90])],
    &[
        (0x2_0000, &[0x0c, 0xb1, 0xba]),
        (0x2_0400, &[0x0c, 0xb1, 0xba]),
        (0x2_0800, &[0x0c, 0xb1, 0xba]),
        (0x2_0c00, &[0x0c, 0xb1, 0xba]),
    ],
    &[
        (4096 + 8, &[8]),
        (4096 + 24, &[0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f, 0x48, 0xba, 0x6d, 0x81]),
    ],
    &[(4096 - 10, b"S1SUSPEND")],
    &[(0, b"integrt\0")],
    &[(0, b"dmvdo001")],
    &[((1 << 20) - 1024, b"Intel Raid ISM Cfg Sig. ")],
];

/// `4967d63b-2e29-4ad8-8399-f6a339e3d001`.
const FVE: [u8; 16] = [0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e, 0xd8, 0x4a, 0x83, 0x99, 0xf6, 0xa3, 0x39, 0xe3, 0xd0, 0x01];

/// One of each.
pub fn seeds() -> Vec<Vec<u8>> {
    SIGNATURES
        .iter()
        .map(|pieces| {
            let mut bytes = vec![0; 1 << 20];
            for (at, piece) in *pieces {
                bytes[*at..at + piece.len()].copy_from_slice(piece);
            }
            let seed = Image::seed(0, &bytes, 1 << 20);
            let found = recognise(&Image::read(&seed));
            assert!(found.as_ref().is_ok_and(|found| !found.is_empty()), "{pieces:?}: {found:?}");
            seed
        })
        .collect()
}

/// One input.
pub fn run(data: &[u8]) {
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::gpt(&mut image);
    }
    let Ok(found) = recognise(&image) else { return };
    for one in &found {
        assert!(!one.name().is_empty());
        let _ = (one.is_encryption(), one.uuid(), format!("{one:?}"));
    }
}
