//! Blocks on their way through io_uring. The only place that lends memory to the kernel.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::os::fd::AsRawFd;

use blockdev::Buffer;
use io_uring::{IoUring, opcode, types};

use super::{Queue, Way, short};

/// More than any test has on its way, so that there is always room for an entry.
const ENTRIES: u32 = 64;

/// A ring of the kernel's, and the memory that it may use.
pub(super) struct Ring {
    ring: IoUring,
    file: File,
    slots: Vec<Slot>,
    in_flight: usize,
    /// Only the thread that made the ring may use it: the kernel holds it to that.
    one_thread: PhantomData<*const ()>,
}

struct Slot {
    memory: Buffer,
    /// The way that it is on: the memory is the kernel's until then.
    on_its_way: Option<Way>,
}

impl Ring {
    /// # Errors
    /// The kernel has no io_uring, or does not allow it to this program.
    pub(super) fn new(file: File) -> io::Result<Self> {
        // Completions wait until they are asked for and interrupt nothing (Linux 6.1), as fio has it.
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .build(ENTRIES)
            .or_else(|_| IoUring::new(ENTRIES))?;
        Ok(Self { ring, file, slots: Vec::new(), in_flight: 0, one_thread: PhantomData })
    }

    /// Hands all entries over and waits for so many to arrive, however often a signal comes between.
    fn enter(&mut self, arrivals: usize) -> io::Result<()> {
        loop {
            match self.ring.submit_and_wait(arrivals) {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Queue for Ring {
    fn prepare(&mut self, slots: usize, block: usize) -> io::Result<()> {
        if self.in_flight > 0 || slots > ENTRIES as usize {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        self.slots.clear();
        self.slots.extend((0..slots).map(|_| Slot { memory: Buffer::new(block), on_its_way: None }));
        Ok(())
    }

    fn block(&mut self, slot: usize) -> &mut [u8] {
        let slot = &mut self.slots[slot];
        assert!(slot.on_its_way.is_none(), "the kernel has this memory");
        &mut slot.memory
    }

    fn start(&mut self, slot: usize, way: Way, offset: u64) -> io::Result<()> {
        let fd = types::Fd(self.file.as_raw_fd());
        let block = self.block(slot);
        let length = u32::try_from(block.len()).map_err(io::Error::other)?;
        let entry = match way {
            Way::Read => opcode::Read::new(fd, block.as_mut_ptr(), length).offset(offset).build(),
            Way::Write => opcode::Write::new(fd, block.as_ptr(), length).offset(offset).build(),
        };
        // SAFETY: the memory is on the heap and belongs to its slot. It is neither handed out
        // (`block` refuses), nor replaced (`prepare` refuses), nor freed (`drop` waits or leaks)
        // until the kernel has completed the entry. The file is open as long as the ring.
        let pushed = unsafe { self.ring.submission().push(&entry.user_data(slot as u64)) };
        pushed.map_err(|_| io::Error::from(io::ErrorKind::ResourceBusy))?;
        self.slots[slot].on_its_way = Some(way);
        self.in_flight += 1;
        // At once: handed over only when all others are made, the drive would run dry meanwhile (a sixth of
        // the small blocks on a fast drive). When all are on their way nothing can come but the waiting, and
        // the last goes along with that; but beside a writing one the next block is made first.
        if way == Way::Write || self.in_flight < self.slots.len() {
            self.enter(0)?;
        }
        Ok(())
    }

    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()> {
        if self.in_flight == 0 {
            return Ok(());
        }
        self.enter(1)?;
        let mut failed = None;
        for entry in self.ring.completion() {
            let index = usize::try_from(entry.user_data()).unwrap_or(usize::MAX);
            let Some(slot) = self.slots.get_mut(index) else { continue };
            let Some(way) = slot.on_its_way.take() else { continue };
            self.in_flight -= 1;
            match usize::try_from(entry.result()) {
                Ok(moved) if moved == slot.memory.len() => done.push(index),
                Ok(_) => failed = failed.or(Some(short(way))),
                Err(_) => failed = failed.or(Some(io::Error::from_raw_os_error(-entry.result()))),
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let mut waits = 0;
        while self.in_flight > 0 && waits < 1000 {
            // Whether a block arrived or failed, its memory comes back.
            let _ = self.wait(&mut Vec::new());
            waits += 1;
        }
        if self.in_flight > 0 {
            // The kernel may still write there: rather never free it.
            std::mem::forget(std::mem::take(&mut self.slots));
        }
    }
}
