use std::path::Path;
use std::time::{Duration, Instant};

use blockdev::Buffer;
use model::{Control, Meter, Signal, Sink, StepId, Unit};
use xts::Xts;

use crate::target::{Target, TestFile, free};
use crate::{Error, Figures, Result, Test, TestFigure};

const MIB: u64 = 1 << 20;

/// Smaller files lie in the drive's own cache, and say nothing.
const SMALLEST: u64 = MIB;

/// Left free beside the test file, so that nothing else runs out of room meanwhile.
const TO_SPARE: u64 = 32 * MIB;

/// Parts of the progress that the laying out of the file counts for.
const LAYOUT_STEPS: u64 = 4;

/// How a drive is measured. The default takes about six seconds and writes about 260 MiB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskOptions {
    /// Bytes of the test file, rounded up to whole MiB. A slow drive gets a smaller one, so that the
    /// time is kept.
    pub size: u64,
    /// How often each test has its turn; at least one.
    pub rounds: u32,
    /// Time for everything. A very slow drive may take longer, because each test reads or writes a
    /// few blocks in any case.
    pub budget: Duration,
    /// Whether the program encrypts on the way.
    pub layer: Layer,
}

/// What lies between the test and the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Nothing of ours: the file is measured as it is. On a volume that is encrypted by the system
    /// that includes the system's encryption.
    Plain,
    /// Each block is encrypted before it is written and decrypted after it is read, in sectors of
    /// 4096 bytes, with a key that is thrown away. This is what an encrypted volume costs where none
    /// can be mounted, as with the practice drive.
    Encrypted,
}

impl Default for DiskOptions {
    fn default() -> Self {
        Self { size: 64 * MIB, rounds: 5, budget: Duration::from_secs(6), layer: Layer::Plain }
    }
}

impl DiskOptions {
    /// The most that will be written, in bytes: to be said before it begins.
    pub fn will_write(&self) -> u64 {
        let each_round = self.most_written(Test::Seq1mQ1t1Write) + self.most_written(Test::Rnd4kQ1t1Write);
        self.file_size() + each_round * u64::from(self.rounds.max(1))
    }

    fn file_size(&self) -> u64 {
        self.size.next_multiple_of(MIB)
    }

    /// Bytes that one turn of a writing test may write: a drive's life is not for us to spend.
    fn most_written(&self, test: Test) -> u64 {
        let share = if test.random() { self.file_size() / 8 } else { self.file_size() / 2 };
        share.next_multiple_of(test.block() as u64)
    }
}

/// Measures the drive that `folder` lies on, with a file that is gone afterwards whatever happens.
///
/// `control` pauses it between two turns and stops it between two blocks.
///
/// # Errors
/// [`Error::FolderMissing`], [`Error::NotAFolder`], [`Error::ReadOnly`], [`Error::Denied`],
/// [`Error::NoSpace`], [`Error::TooSmall`] before anything is written; [`Error::Io`] and
/// [`Error::NoSpace`] in the middle; [`Error::Stopped`].
pub fn disk(folder: &Path, options: &DiskOptions, control: &Control, sink: &mut dyn Sink) -> Result<Figures> {
    if options.size < SMALLEST {
        return Err(Error::TooSmall { smallest: SMALLEST });
    }
    let needed = options.file_size() + TO_SPARE;
    let failed = |error| Error::from_io(folder, needed, error);
    if !std::fs::metadata(folder).map_err(failed)?.is_dir() {
        return Err(Error::NotAFolder { folder: folder.to_owned() });
    }
    if let Some(free) = free(folder).map_err(failed)?
        && free < needed
    {
        return Err(Error::NoSpace { folder: folder.to_owned(), needed, free: Some(free) });
    }
    let mut file = TestFile::new(folder).map_err(failed)?;
    measure(&mut file, options, control, sink).map_err(|stop| match stop {
        Stop::Asked => Error::Stopped,
        Stop::Io(error) => failed(error),
    })
}

/// Why a measurement ended early.
#[derive(Debug)]
pub enum Stop {
    /// The person stopped it.
    Asked,
    /// The drive failed.
    Io(std::io::Error),
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// [`disk`] on any target; it must be empty and may grow to the size asked for.
///
/// # Errors
/// The first error of the target, or that it was stopped.
pub fn measure(
    target: &mut dyn Target,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> std::result::Result<Figures, Stop> {
    let slices = u64::from(options.rounds.max(1)) * Test::ALL.len() as u64;
    let mut run = Run {
        target,
        options,
        control,
        meter: Meter::new(sink, StepId::Benchmark, LAYOUT_STEPS + slices, Unit::Steps),
        memory: Buffer::new(Test::Seq1mQ1t1Write.block()),
        random: fastrand::Rng::new(),
        xts: layer_key(options.layer),
        started: Instant::now(),
        paused: Duration::ZERO,
        size: 0,
        next: [0; 2],
        written: 0,
    };
    run.lay_out()?;
    let mut results = Test::ALL.map(|test| (test, Vec::new(), Vec::new()));
    for slice in 0..slices {
        run.wait_while_paused(LAYOUT_STEPS + slice)?;
        let count = Test::ALL.len() as u64;
        // Each round begins with another test, so that none always comes first or always comes after
        // the same one's writing.
        let index = usize::try_from((slice / count + slice % count) % count).unwrap_or_default();
        let (test, rates, latencies) = &mut results[index];
        let time = run.left() / u32::try_from(slices - slice).unwrap_or(u32::MAX);
        rates.push(run.turn(*test, time, latencies)?);
        run.meter.at(LAYOUT_STEPS + slice + 1);
    }
    Ok(Figures {
        version: 1,
        access: run.target.access(),
        encrypted: run.xts.is_some(),
        file_size: run.size,
        written: run.written,
        seconds: run.started.elapsed().as_secs_f64(),
        tests: results.map(|(test, rates, latencies)| TestFigure::new(test, rates, latencies)).to_vec(),
    })
}

/// A key that nobody keeps; any two halves that differ will do.
fn layer_key(layer: Layer) -> Option<Xts> {
    let mut random = fastrand::Rng::new();
    match layer {
        Layer::Plain => None,
        Layer::Encrypted => Xts::new(&std::array::from_fn::<u8, 64, _>(|_| random.u8(..))).ok(),
    }
}

struct Run<'a> {
    target: &'a mut dyn Target,
    options: &'a DiskOptions,
    control: &'a Control,
    meter: Meter<'a>,
    memory: Buffer,
    random: fastrand::Rng,
    xts: Option<Xts>,
    started: Instant,
    paused: Duration,
    /// Bytes of the file that can be measured.
    size: u64,
    /// Where the sequential tests go on: reading, writing.
    next: [u64; 2],
    written: u64,
}

impl Run<'_> {
    /// Writes the whole file once: a block that was never written is read without the drive, and its
    /// first writing costs the file system more than any later one.
    fn lay_out(&mut self) -> std::result::Result<(), Stop> {
        let (size, most) = (self.options.file_size(), self.options.budget / 4);
        let mut reported = 0;
        while self.size < size {
            self.check_stop()?;
            self.write_block(Test::Seq1mQ1t1Write.block(), self.size)?;
            self.size += MIB;
            // How much the drive really takes is known only when it is flushed now and then.
            if self.size.is_multiple_of(8 * MIB) {
                self.target.flush()?;
                if self.started.elapsed() > most {
                    break;
                }
            }
            let step = LAYOUT_STEPS * self.size / size;
            if step > reported {
                reported = step;
                self.meter.at(step);
            }
        }
        Ok(self.target.flush()?)
    }

    /// One turn of a test: its rate in bytes a second. Each block's nanoseconds go to `latencies`.
    fn turn(&mut self, test: Test, time: Duration, latencies: &mut Vec<u64>) -> std::result::Result<f64, Stop> {
        let block = test.block() as u64;
        let most = if test.writes() { self.options.most_written(test) } else { u64::MAX };
        let least = if test.random() { 16 } else { 2 }.min(most / block);
        let (mut spent, mut blocks) = (Duration::ZERO, 0);
        let began = Instant::now();
        if !test.writes() {
            self.target.forget();
        }
        while blocks < least || began.elapsed() < time && (blocks + 1) * block <= most {
            self.check_stop()?;
            let offset = self.place(test);
            let took = match test.writes() {
                true => self.write_block(test.block(), offset)?,
                false => self.read_block(test.block(), offset)?,
            };
            latencies.push(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
            spent += took;
            blocks += 1;
        }
        if test.writes() {
            let began = Instant::now();
            self.target.flush()?;
            spent += began.elapsed();
        }
        Ok((blocks * block) as f64 / spent.as_secs_f64().max(1e-9))
    }

    fn place(&mut self, test: Test) -> u64 {
        let block = test.block() as u64;
        if test.random() {
            return self.random.u64(..self.size / block) * block;
        }
        let next = &mut self.next[usize::from(test.writes())];
        let place = *next;
        *next = if place + 2 * block <= self.size { place + block } else { 0 };
        place
    }

    /// Writes a block of new random data. Making the data is not part of the time.
    fn write_block(&mut self, length: usize, offset: u64) -> std::result::Result<Duration, Stop> {
        let block = &mut self.memory[..length];
        self.random.fill(block);
        let began = Instant::now();
        if let Some(xts) = &self.xts {
            xts.encrypt_sectors(block, offset / 512, 4096).map_err(std::io::Error::other)?;
        }
        self.target.write(block, offset)?;
        self.written += length as u64;
        Ok(began.elapsed())
    }

    fn read_block(&mut self, length: usize, offset: u64) -> std::result::Result<Duration, Stop> {
        let block = &mut self.memory[..length];
        let began = Instant::now();
        self.target.read(block, offset)?;
        if let Some(xts) = &self.xts {
            xts.decrypt_sectors(block, offset / 512, 4096).map_err(std::io::Error::other)?;
        }
        Ok(began.elapsed())
    }

    fn left(&self) -> Duration {
        (self.options.budget + self.paused).saturating_sub(self.started.elapsed())
    }

    fn check_stop(&self) -> std::result::Result<(), Stop> {
        if self.control.signal() == Signal::Stop { Err(Stop::Asked) } else { Ok(()) }
    }

    fn wait_while_paused(&mut self, done: u64) -> std::result::Result<(), Stop> {
        if self.control.signal() != Signal::Pause {
            return self.check_stop();
        }
        let began = Instant::now();
        self.meter.paused(done);
        while self.control.signal() == Signal::Pause {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.paused += began.elapsed();
        self.check_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use model::{Progress, Silent};

    use super::*;
    use crate::Access;

    /// A drive in memory with a fixed time for each block, and a fault after so many writes.
    struct Simulated {
        bytes: Vec<u8>,
        read: Duration,
        write: Duration,
        /// Writes that succeed before `error`.
        good: u64,
        error: i32,
        writes: u64,
    }

    impl Simulated {
        fn new(read: u64, write: u64) -> Self {
            let (read, write) = (Duration::from_micros(read), Duration::from_micros(write));
            Self { bytes: Vec::new(), read, write, good: u64::MAX, error: 5, writes: 0 }
        }
    }

    impl Target for Simulated {
        fn read(&mut self, block: &mut [u8], offset: u64) -> io::Result<()> {
            std::thread::sleep(self.read);
            let offset = usize::try_from(offset).unwrap();
            block.copy_from_slice(&self.bytes[offset..][..block.len()]);
            Ok(())
        }

        fn write(&mut self, block: &[u8], offset: u64) -> io::Result<()> {
            std::thread::sleep(self.write);
            if self.writes >= self.good {
                return Err(io::Error::from_raw_os_error(self.error));
            }
            self.writes += 1;
            let offset = usize::try_from(offset).unwrap();
            self.bytes.resize(self.bytes.len().max(offset + block.len()), 0);
            self.bytes[offset..][..block.len()].copy_from_slice(block);
            Ok(())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn forget(&mut self) {}

        fn access(&self) -> Access {
            Access::Direct
        }
    }

    fn quick() -> DiskOptions {
        DiskOptions { size: 4 * MIB, rounds: 3, budget: Duration::from_millis(400), layer: Layer::Plain }
    }

    #[test]
    fn a_drive_of_known_speed_is_measured_right() {
        let mut drive = Simulated::new(500, 1000);
        let figures = measure(&mut drive, &quick(), &Control::new(), &mut Silent).unwrap();
        let latency = figures.test(Test::Rnd4kQ1t1Read).unwrap().latency.p50_us;
        // Sleeping takes a little longer than asked for, never less; on a busy machine much longer.
        assert!((500.0..1500.0).contains(&latency), "{latency}");
        let written = figures.test(Test::Rnd4kQ1t1Write).unwrap();
        assert!(written.rate <= 4096.0 / 0.001 && written.low <= written.rate && written.rate <= written.high);
        assert_eq!(written.rounds.len(), 3);
        assert!(figures.written <= quick().will_write());
        assert_eq!(figures.file_size, 4 * MIB);
    }

    #[test]
    fn a_slow_drive_gets_a_smaller_file_and_keeps_the_time() {
        let mut drive = Simulated::new(2000, 5000);
        let options = DiskOptions { size: 512 * MIB, ..quick() };
        let figures = measure(&mut drive, &options, &Control::new(), &mut Silent).unwrap();
        assert!(figures.file_size < 512 * MIB, "{}", figures.file_size);
        assert!(figures.seconds < 4.0, "{}", figures.seconds);
    }

    #[test]
    fn the_data_cannot_be_compressed_and_is_new_each_time() {
        let mut drive = Simulated::new(0, 0);
        measure(&mut drive, &quick(), &Control::new(), &mut Silent).unwrap();
        let mut blocks: Vec<&[u8]> = drive.bytes.chunks(4096).collect();
        let all = blocks.len();
        blocks.sort_unstable();
        blocks.dedup();
        assert_eq!(blocks.len(), all);
        let mut counts = [0_u32; 256];
        drive.bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        assert!(counts.iter().all(|count| (15_000..18_000).contains(count)), "{counts:?}");
    }

    #[test]
    fn never_writes_more_than_it_said() {
        for size in [MIB, 3 * MIB, 16 * MIB] {
            let options = DiskOptions { size, ..quick() };
            let figures = measure(&mut Simulated::new(0, 0), &options, &Control::new(), &mut Silent).unwrap();
            assert!(figures.written <= options.will_write(), "{size}");
        }
        assert!(DiskOptions::default().will_write() < 300 * MIB);
    }

    #[test]
    fn a_fault_or_a_full_drive_in_the_middle_ends_it() {
        for (error, good) in [(5, 2), (28, 2), (28, 6)] {
            let mut drive = Simulated { good, error, ..Simulated::new(0, 0) };
            let stop = measure(&mut drive, &quick(), &Control::new(), &mut Silent).unwrap_err();
            assert!(matches!(&stop, Stop::Io(cause) if cause.raw_os_error() == Some(error)), "{stop:?}");
        }
    }

    #[test]
    fn a_pause_waits_and_a_stop_ends() {
        let control = Control::new();
        let (mut last, mut paused) = (0, 0);
        let switch = control.clone();
        let mut sink = |progress: &Progress| {
            assert_eq!(progress.unit, Unit::Steps);
            last = progress.done;
            if progress.paused {
                paused += 1;
                let switch = switch.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(50));
                    switch.resume();
                });
            } else if progress.done > LAYOUT_STEPS && paused == 0 {
                switch.pause();
            } else if paused == 1 && progress.done < progress.total {
                switch.stop();
            }
        };
        let options = DiskOptions { budget: Duration::from_secs(3), ..quick() };
        let stop = measure(&mut Simulated::new(200, 200), &options, &control, &mut sink).unwrap_err();
        assert!(matches!(stop, Stop::Asked));
        assert_eq!(paused, 1);
        assert!(last < LAYOUT_STEPS + 12, "{last}");
    }

    #[test]
    fn progress_ends_at_the_end() {
        let mut last = None;
        let mut sink = |progress: &Progress| last = Some((progress.done, progress.total));
        measure(&mut Simulated::new(0, 0), &quick(), &Control::new(), &mut sink).unwrap();
        assert_eq!(last, Some((16, 16)));
    }

    #[test]
    fn the_encrypted_layer_costs_and_is_marked() {
        let options = DiskOptions { layer: Layer::Encrypted, ..quick() };
        let figures = measure(&mut Simulated::new(0, 0), &options, &Control::new(), &mut Silent).unwrap();
        assert!(figures.encrypted);
    }
}
