//! What a locked practice drive shows in place of its first sectors. On a computer's own drive the preboot
//! program stands here; a practice drive starts no computer, so it shows what it is.

use std::io::{Cursor, Write};

/// Bytes of the image.
const SIZE: usize = 512 << 10;

/// A small FAT file system with one text in it.
///
/// # Errors
/// Only if the file system cannot be put together in memory.
pub(crate) fn shown() -> std::io::Result<Vec<u8>> {
    let mut image = Cursor::new(vec![0; SIZE]);
    fatfs::format_volume(&mut image, fatfs::FormatVolumeOptions::new().volume_label(*b"LOCKED     "))?;
    {
        let system = fatfs::FileSystem::new(&mut image, fatfs::FsOptions::new())?;
        // No sentence: whoever finds it finds a name to look for.
        let text = concat!("latchkey ", env!("CARGO_PKG_VERSION"), "\r\nTCG Opal: locked\r\n");
        system.root_dir().create_file("LOCKED.TXT")?.write_all(text.as_bytes())?;
    }
    Ok(image.into_inner())
}
