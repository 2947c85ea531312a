/// Memory that begins at an address that direct input and output accepts.
pub(crate) struct Aligned {
    room: Vec<u8>,
    start: usize,
    length: usize,
}

/// No drive has larger sectors, and no system larger pages that matter here.
const ALIGNMENT: usize = 4096;

impl Aligned {
    pub(crate) fn new(length: usize) -> Self {
        let room = vec![0; length + ALIGNMENT];
        let start = room.as_ptr().align_offset(ALIGNMENT);
        Self { room, start, length }
    }

    pub(crate) fn bytes(&mut self, length: usize) -> &mut [u8] {
        &mut self.room[self.start..][..length.min(self.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_on_a_page() {
        for length in [1, 4096, 1 << 20] {
            let mut memory = Aligned::new(length);
            assert_eq!(memory.bytes(length).as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(memory.bytes(length).len(), length);
        }
    }
}
