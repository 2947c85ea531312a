use std::io::{Read, Seek, SeekFrom, Write};

/// A disk of any size in memory: its beginning and its end are kept, the rest is zero and stays so.
#[derive(Debug)]
pub struct Disk {
    /// What lies at the beginning.
    pub head: Vec<u8>,
    /// What lies at the end.
    pub tail: Vec<u8>,
    size: u64,
    at: u64,
}

impl Disk {
    /// Bytes that are kept at the beginning and at the end, and of the whole.
    pub fn new(head: u64, tail: u64, size: u64) -> std::io::Result<Self> {
        let length = |bytes: u64| usize::try_from(bytes).map_err(std::io::Error::other);
        Ok(Self { head: vec![0; length(head)?], tail: vec![0; length(tail)?], size, at: 0 })
    }

    /// The kept bytes from here on, and how far it is to the next kept ones where there are none.
    fn here(&mut self) -> std::result::Result<&mut [u8], u64> {
        let tail = self.size - self.tail.len() as u64;
        match usize::try_from(self.at) {
            Ok(at) if at < self.head.len() => Ok(&mut self.head[at..]),
            _ if self.at < tail => Err(tail - self.at),
            _ => {
                let at = usize::try_from(self.at - tail).unwrap_or(usize::MAX).min(self.tail.len());
                Ok(&mut self.tail[at..])
            }
        }
    }
}

impl Read for Disk {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = match self.here() {
            Ok(kept) => {
                let count = kept.len().min(buffer.len());
                buffer[..count].copy_from_slice(&kept[..count]);
                count
            }
            Err(gap) => {
                let count = usize::try_from(gap).unwrap_or(usize::MAX).min(buffer.len());
                buffer[..count].fill(0);
                count
            }
        };
        self.at += count as u64;
        Ok(count)
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let Ok(kept) = self.here() else { return Err(std::io::ErrorKind::StorageFull.into()) };
        let count = kept.len().min(bytes.len());
        kept[..count].copy_from_slice(&bytes[..count]);
        self.at += count as u64;
        Ok(count)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.filter(|at| *at <= self.size).ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
