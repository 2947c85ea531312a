//! Blocks on their way in a thread each: macOS, and Linux where io_uring is forbidden.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use blockdev::Buffer;

use super::{Queue, Way};

/// What goes to a thread, and comes back with its result.
struct Work {
    slot: usize,
    way: Way,
    offset: u64,
    memory: Buffer,
    result: io::Result<()>,
}

pub(super) struct Pool {
    file: Arc<File>,
    slots: Vec<Slot>,
    arrived: Receiver<Work>,
    arrives: Sender<Work>,
    in_flight: usize,
}

struct Slot {
    /// Empty while it is on its way.
    memory: Buffer,
    /// `None` only while it is being dropped.
    to: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

impl Pool {
    pub(super) fn new(file: File) -> Self {
        let (arrives, arrived) = channel();
        Self { file: Arc::new(file), slots: Vec::new(), arrived, arrives, in_flight: 0 }
    }

    fn slot(&self) -> Slot {
        let (to, work) = channel::<Work>();
        let (file, back) = (Arc::clone(&self.file), self.arrives.clone());
        let thread = std::thread::spawn(move || {
            for mut work in work {
                work.result = match work.way {
                    Way::Read => file.read_exact_at(&mut work.memory, work.offset),
                    Way::Write => file.write_all_at(&work.memory, work.offset),
                };
                if back.send(work).is_err() {
                    return;
                }
            }
        });
        Slot { memory: Buffer::default(), to: Some(to), thread: Some(thread) }
    }

    fn take_back(&mut self, work: Work, done: &mut Vec<usize>) -> io::Result<()> {
        self.in_flight -= 1;
        self.slots[work.slot].memory = work.memory;
        work.result.map(|()| done.push(work.slot))
    }
}

impl Queue for Pool {
    fn prepare(&mut self, slots: usize, block: usize) -> io::Result<()> {
        if self.in_flight > 0 {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        while self.slots.len() < slots {
            self.slots.push(self.slot());
        }
        self.slots.iter_mut().take(slots).for_each(|slot| slot.memory = Buffer::new(block));
        Ok(())
    }

    fn block(&mut self, slot: usize) -> &mut [u8] {
        &mut self.slots[slot].memory
    }

    fn start(&mut self, slot: usize, way: Way, offset: u64) -> io::Result<()> {
        let place = &mut self.slots[slot];
        let memory = std::mem::take(&mut place.memory);
        let work = Work { slot, way, offset, memory, result: Ok(()) };
        let sent = place.to.as_ref().is_some_and(|to| to.send(work).is_ok());
        if !sent {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.in_flight += 1;
        Ok(())
    }

    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()> {
        if self.in_flight == 0 {
            return Ok(());
        }
        let first = self.arrived.recv().map_err(io::Error::other)?;
        let mut result = self.take_back(first, done);
        while let Ok(work) = self.arrived.try_recv() {
            let next = self.take_back(work, done);
            result = result.and(next);
        }
        result
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for slot in &mut self.slots {
            slot.to = None;
            if let Some(thread) = slot.thread.take() {
                let _ = thread.join();
            }
        }
    }
}
