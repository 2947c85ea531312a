/// Memory that begins where direct input and output accepts it, to be used again and again.
///
/// A new `Vec` for each piece of a drive costs more than reading the piece: the kernel has to find and to
/// clear every page of it.
#[derive(Debug, Default)]
pub struct Buffer {
    room: Vec<u8>,
    start: usize,
    length: usize,
}

/// No drive has larger sectors, and no system larger pages that matter here.
const ALIGNMENT: usize = 4096;

impl Buffer {
    /// A buffer of `length` bytes, all zero.
    pub fn new(length: usize) -> Self {
        let mut buffer = Self::default();
        buffer.resize(length);
        buffer
    }

    /// Makes it `length` bytes long. What is in them is undefined: the bytes from before, or zeros.
    pub fn resize(&mut self, length: usize) {
        if self.room.len() < length + ALIGNMENT {
            self.room = vec![0; length + ALIGNMENT];
            self.start = self.room.as_ptr().align_offset(ALIGNMENT);
        }
        self.length = length;
    }
}

impl std::ops::Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.room[self.start..self.start + self.length]
    }
}

impl std::ops::DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.start..self.start + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_on_a_page_and_stays_there() {
        let mut buffer = Buffer::new(1);
        for length in [1, 4096, 1 << 20, 5000] {
            buffer.resize(length);
            assert_eq!(buffer.as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(buffer.len(), length);
            buffer.fill(7);
        }
    }
}
