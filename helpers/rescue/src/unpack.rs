//! Kernel modules as they are loaded: distributions keep them compressed. The signature stands behind the
//! module's own bytes and is kept.

use std::io::Read;
use std::path::Path;

use crate::{Error, Result};

/// No module is larger; what says so is damaged.
const LARGEST: u64 = 256 << 20;

/// The bytes of a module file.
pub fn module(path: &Path) -> Result<Vec<u8>> {
    let packed = std::fs::read(path).map_err(Error::at(path))?;
    let damaged = || Error::Module { path: path.to_owned() };
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("xz") => {
            let mut bytes = Limited(Vec::new());
            lzma_rs::xz_decompress(&mut packed.as_slice(), &mut bytes).map_err(|_| damaged())?;
            bytes.0
        }
        Some("zst") => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed.as_slice()).map_err(|_| damaged())?;
            read(decoder).ok_or_else(damaged)?
        }
        Some("gz") => read(flate2::read::GzDecoder::new(packed.as_slice())).ok_or_else(damaged)?,
        _ => packed,
    };
    if bytes.starts_with(b"\x7fELF") { Ok(bytes) } else { Err(damaged()) }
}

fn read(from: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

struct Limited(Vec<u8>);

impl std::io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if (self.0.len() + bytes.len()) as u64 > LARGEST {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn each_way_of_packing_and_none() {
        let folder = tempfile::tempdir().unwrap();
        let module_bytes = [b"\x7fELF".as_slice(), &[3; 5000]].concat();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&module_bytes).unwrap();
        let mut xz = Vec::new();
        lzma_rs::xz_compress(&mut module_bytes.as_slice(), &mut xz).unwrap();
        let zst =
            ruzstd::encoding::compress_to_vec(module_bytes.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
        for (name, packed) in
            [("a.ko", module_bytes.clone()), ("a.ko.gz", gz.finish().unwrap()), ("a.ko.xz", xz), ("a.ko.zst", zst)]
        {
            let path = folder.path().join(name);
            std::fs::write(&path, &packed).unwrap();
            assert_eq!(module(&path).unwrap(), module_bytes, "{name}");
            std::fs::write(&path, &packed[1..]).unwrap();
            assert!(matches!(module(&path), Err(Error::Module { .. })), "{name}");
        }
    }
}
