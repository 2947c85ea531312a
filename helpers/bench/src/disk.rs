use std::path::Path;
use std::time::Duration;

use model::{Control, Meter, Signal, Sink, StepId, Unit};
use xts::Xts;

use crate::costs::{Costs, Counter, Silence};
use crate::data::Noise;
use crate::statistics::is_narrow;
use crate::target::{Target, TestFile, Way, room};
use crate::{Conditions, Dot, Error, Figures, Result, Test, TestFigure};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Smaller files lie in the drive's own cache, and say nothing.
const SMALLEST: u64 = MIB;

/// Left free beside the test file, so that nothing else runs out of room meanwhile.
const TO_SPARE: u64 = 32 * MIB;

/// Parts of the progress that the laying out of the file counts for.
pub(crate) const LAYOUT_STEPS: u64 = 4;

/// Single accesses that are kept to be shown.
const DOTS: usize = 300;

/// How a drive is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskOptions {
    /// Bytes of the test file, rounded up to whole MiB. A slow drive gets a smaller one, so that the
    /// time is kept.
    pub size: u64,
    /// How often each test has its turn at most; at least one.
    pub rounds: u32,
    /// Time for everything. A very slow drive may take longer, because each test reads or writes a
    /// few blocks in any case.
    pub budget: Duration,
    /// Whether the program encrypts on the way.
    pub layer: Layer,
    /// What is measured, in this order.
    pub tests: &'static [Test],
    /// Bytes that all turns together may write, beside the test file: a drive's life is not for us to
    /// spend.
    pub writes: u64,
    /// Whether to end early once the interval of every test is narrow.
    pub until_narrow: bool,
    /// How long to wait at most, before anything else, until nobody else keeps drive and processor busy.
    pub settle: Duration,
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

/// How thorough a measurement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// About a minute.
    Quick,
    /// About ten minutes: a larger file, random writing over all of it, data that can be compressed.
    Full,
    /// About half a minute, and nothing is written: of a device, or of a large file that exists.
    ReadOnly,
}

impl Default for DiskOptions {
    /// For the wizard's practice drive: about ten seconds.
    fn default() -> Self {
        Self {
            size: 64 * MIB,
            rounds: 8,
            budget: Duration::from_secs(10),
            layer: Layer::Plain,
            tests: &Test::EIGHT,
            writes: 448 * MIB,
            until_narrow: true,
            settle: Duration::from_secs(3),
        }
    }
}

impl DiskOptions {
    /// The usual ones of a form.
    pub fn of(form: Form) -> Self {
        let usual = Self { settle: Duration::from_secs(10), ..Self::default() };
        match form {
            Form::Quick => Self { size: GIB, rounds: 12, budget: Duration::from_secs(60), writes: 3 * GIB, ..usual },
            Form::Full => Self {
                size: 8 * GIB,
                rounds: 20,
                budget: Duration::from_mins(10),
                tests: &Test::ALL,
                writes: 16 * GIB,
                ..usual
            },
            Form::ReadOnly => Self {
                size: 8 * GIB,
                rounds: 12,
                budget: Duration::from_secs(30),
                tests: &Test::READS,
                writes: 0,
                ..usual
            },
        }
    }

    /// The most that will be written, in bytes: to be said before it begins.
    pub fn will_write(&self) -> u64 {
        let each_round: u64 = self.tests.iter().filter(|test| test.writes()).map(|test| self.most_written(*test)).sum();
        match each_round {
            0 => 0,
            each_round => self.file_size() + each_round * u64::from(self.rounds.max(1)),
        }
    }

    pub(crate) fn file_size(&self) -> u64 {
        self.size.next_multiple_of(MIB)
    }

    /// Bytes that one turn of a writing test may write. A test that writes faster gets more, so that
    /// its turn does not end at once.
    pub(crate) fn most_written(&self, test: Test) -> u64 {
        let weight = |test: Test| match (test.random(), test.depth()) {
            (false, _) => 4,
            (true, 1) => 1,
            (true, _) => 2,
        };
        let all: u64 = self.tests.iter().filter(|test| test.writes()).map(|test| weight(*test)).sum();
        let share = self.writes / u64::from(self.rounds.max(1)) * weight(test) / all.max(1);
        // Whole blocks, one at least.
        (share / test.block() as u64).max(1) * test.block() as u64
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
    let free = room(folder).map_err(failed)?.free;
    if free < needed {
        return Err(Error::NoSpace { folder: folder.to_owned(), needed, free: Some(free) });
    }
    let conditions = Conditions::settled(folder, options.settle, control);
    let mut file = TestFile::new(folder).map_err(failed)?;
    let mut figures = measure_with(&mut file, Counter::new(), options, control, sink).map_err(|stop| match stop {
        Stop::Asked => Error::Stopped,
        Stop::Io(error) => failed(error),
    })?;
    figures.conditions = conditions;
    Ok(figures)
}

/// Measures a device, or a large file that exists, by reading only.
///
/// # Errors
/// [`Error::FolderMissing`] if there is nothing of this name; [`Error::DeviceDenied`] without the right
/// to read the device; [`Error::TooSmall`] for a small file; [`Error::Io`], [`Error::Stopped`].
pub fn read_only(path: &Path, options: &DiskOptions, control: &Control, sink: &mut dyn Sink) -> Result<Figures> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::PermissionDenied => Error::DeviceDenied { device: path.to_owned() },
        _ => Error::from_io(path, 0, error),
    };
    let mut file = TestFile::existing(path).map_err(failed)?;
    let length = file.length().map_err(failed)?;
    if length < SMALLEST {
        return Err(Error::TooSmall { smallest: SMALLEST });
    }
    let options =
        DiskOptions { size: options.size.min(length) / MIB * MIB, tests: &Test::READS, writes: 0, ..*options };
    let conditions = Conditions::settled(path, options.settle, control);
    let mut figures = measure_with(&mut file, Counter::new(), &options, control, sink).map_err(|stop| match stop {
        Stop::Asked => Error::Stopped,
        Stop::Io(error) => failed(error),
    })?;
    figures.conditions = conditions;
    Ok(figures)
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

/// [`disk`] on any target; it must be empty and may grow to the size asked for, or, if no test writes,
/// have that size.
///
/// # Errors
/// The first error of the target, or that it was stopped.
pub fn measure(
    target: &mut dyn Target,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> std::result::Result<Figures, Stop> {
    measure_with(target, Silence, options, control, sink)
}

/// One turn of a test on a target of `size` bytes, for `time`: bytes a second. For comparing with
/// another tool.
///
/// # Errors
/// The first error of the target.
pub fn once(target: &mut dyn Target, test: Test, size: u64, time: Duration) -> std::result::Result<f64, Stop> {
    let control = Control::new();
    let mut run = Run::new(target, Layer::Plain, &control);
    run.size = size;
    run.turn(test, time, u64::MAX, &mut Silence).map(|turn| turn.rate)
}

fn measure_with(
    target: &mut dyn Target,
    mut costs: impl Costs,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> std::result::Result<Figures, Stop> {
    let count = options.tests.len() as u64;
    let rounds = u64::from(options.rounds.max(1));
    let slices = rounds * count;
    let steps = LAYOUT_STEPS + slices;
    let mut meter = Meter::new(sink, StepId::Benchmark, steps, Unit::Steps);
    let mut run = Run::new(target, options.layer, control);
    if options.tests.iter().any(|test| test.writes()) {
        run.lay_out(options.file_size(), options.budget / 4, &mut meter)?;
    } else {
        run.size = options.file_size();
    }
    let mut results: Vec<Turns> = options.tests.iter().map(|test| Turns::of(*test)).collect();
    for slice in 0..slices {
        run.wait_while_paused(&mut meter, LAYOUT_STEPS + slice)?;
        // Each round begins with another test, so that none always comes first or always comes after
        // the same one's writing.
        let index = usize::try_from((slice / count + slice % count) % count).unwrap_or_default();
        let turns = &mut results[index];
        let time = run.left(options.budget) / u32::try_from(slices - slice).unwrap_or(u32::MAX);
        let most = if turns.test.writes() { options.most_written(turns.test) } else { u64::MAX };
        turns.add(run.turn(turns.test, time, most, &mut costs)?);
        let ended = (slice + 1).is_multiple_of(count)
            && options.until_narrow
            && results.iter().all(|turns| is_narrow(&turns.rates));
        meter.at(if ended { steps } else { LAYOUT_STEPS + slice + 1 });
        if ended {
            break;
        }
    }
    let dots = results.iter().find(|turns| turns.test == Test::Rnd4kQ1t1Read).map(|turns| turns.dots(run.size));
    Ok(Figures {
        version: 2,
        access: run.target.access(),
        encrypted: run.xts.is_some(),
        file_size: run.size,
        written: run.written,
        seconds: run.target.now().saturating_sub(run.started).as_secs_f64(),
        tests: results.into_iter().map(Turns::figure).collect(),
        conditions: Conditions::default(),
        dots: dots.unwrap_or_default(),
        curve: Vec::new(),
        cipher_rate: None,
        prediction: None,
    })
}

/// All turns of one test.
struct Turns {
    test: Test,
    rates: Vec<f64>,
    /// Place and nanoseconds of each block.
    accesses: Vec<(u64, u64)>,
    bytes: u64,
    cpu: Option<Duration>,
    joules: Option<f64>,
}

impl Turns {
    fn of(test: Test) -> Self {
        Self { test, rates: Vec::new(), accesses: Vec::new(), bytes: 0, cpu: None, joules: None }
    }

    fn add(&mut self, turn: Turn) {
        self.rates.push(turn.rate);
        self.accesses.extend(turn.accesses);
        self.bytes += turn.bytes;
        if let Some(cpu) = turn.cpu {
            *self.cpu.get_or_insert_default() += cpu;
        }
        if let Some(joules) = turn.joules {
            *self.joules.get_or_insert_default() += joules;
        }
    }

    /// As many as can be looked at, from all rounds.
    fn dots(&self, size: u64) -> Vec<Dot> {
        let every = self.accesses.len().div_ceil(DOTS).max(1);
        let dot = |(place, nanoseconds): &(u64, u64)| Dot {
            place: *place as f64 / size.max(1) as f64,
            us: *nanoseconds as f64 / 1e3,
        };
        self.accesses.iter().step_by(every).map(dot).collect()
    }

    fn figure(self) -> TestFigure {
        let gib = self.bytes as f64 / GIB as f64;
        let nanoseconds = self.accesses.into_iter().map(|(_, nanoseconds)| nanoseconds).collect();
        let mut figure = TestFigure::new(self.test, self.rates, nanoseconds);
        figure.cpu_seconds_per_gib = self.cpu.map(|cpu| cpu.as_secs_f64() / gib);
        figure.joules_per_gib = self.joules.map(|joules| joules / gib);
        figure
    }
}

/// What one turn of a test gave.
pub(crate) struct Turn {
    /// Bytes a second.
    pub(crate) rate: f64,
    bytes: u64,
    accesses: Vec<(u64, u64)>,
    cpu: Option<Duration>,
    joules: Option<f64>,
}

/// A key that nobody keeps; any two halves that differ will do.
fn layer_key(layer: Layer) -> Option<Xts> {
    let mut random = fastrand::Rng::new();
    match layer {
        Layer::Plain => None,
        Layer::Encrypted => Xts::new(&std::array::from_fn::<u8, 64, _>(|_| random.u8(..))).ok(),
    }
}

/// A measurement that is going on.
pub(crate) struct Run<'a> {
    target: &'a mut dyn Target,
    control: &'a Control,
    random: fastrand::Rng,
    noise: Noise,
    xts: Option<Xts>,
    started: Duration,
    paused: Duration,
    /// Bytes of the file that can be measured.
    pub(crate) size: u64,
    /// Bytes of it that the tests share; more while it is laid out.
    span: u64,
    /// Where the sequential tests go on: reading, writing.
    next: [u64; 2],
    written: u64,
}

/// A slot on its way: where to, and since when.
#[derive(Clone, Copy, Default)]
struct Sent {
    place: u64,
    at: Duration,
}

impl<'a> Run<'a> {
    pub(crate) fn new(target: &'a mut dyn Target, layer: Layer, control: &'a Control) -> Self {
        let started = target.now();
        Self {
            target,
            control,
            random: fastrand::Rng::new(),
            noise: Noise::default(),
            xts: layer_key(layer),
            started,
            paused: Duration::ZERO,
            size: 0,
            span: u64::MAX,
            next: [0; 2],
            written: 0,
        }
    }

    /// Writes the whole file once: a block that was never written is read without the drive, and its
    /// first writing costs the file system more than any later one. Ends early on a slow drive.
    pub(crate) fn lay_out(
        &mut self,
        size: u64,
        most: Duration,
        meter: &mut Meter<'_>,
    ) -> std::result::Result<(), Stop> {
        let test = Test::Seq1mQ8t1Write;
        while self.size < size {
            // How much the drive really takes is known only when it is flushed now and then.
            let piece = (8 * MIB).min(size - self.size);
            self.next = [self.size; 2];
            self.size += piece;
            self.turn(test, Duration::MAX, piece, &mut Silence)?;
            meter.at(LAYOUT_STEPS * self.size / size);
            if self.target.now().saturating_sub(self.started) > most {
                break;
            }
        }
        self.next = [0; 2];
        self.span = GIB;
        Ok(())
    }

    /// One turn of a test: for `time`, but no more than `most` bytes, and a few blocks in any case.
    pub(crate) fn turn(
        &mut self,
        test: Test,
        time: Duration,
        most: u64,
        costs: &mut dyn Costs,
    ) -> std::result::Result<Turn, Stop> {
        let (block, depth) = (test.block() as u64, test.depth());
        let way = if test.writes() { Way::Write } else { Way::Read };
        let least = if test.random() { 16 } else { 2 }.min(most / block);
        // One slot more than are on their way: the next block is made meanwhile, as other programs have theirs
        // ready. A drive that had to wait for it would doze off in between.
        let slots = depth + usize::from(way == Way::Write);
        self.target.prepare(slots, test.block())?;
        if way == Way::Read {
            self.target.forget();
        }
        let mut sent = vec![Sent::default(); slots];
        let mut free: Vec<usize> = (0..slots).collect();
        let mut ready = None;
        let mut accesses = Vec::new();
        let (mut started, mut waiting, mut arrived) = (0, 0, Vec::new());
        // Making the data is our work, not the drive's: it costs no time while nothing is on its way,
        // and no processor time.
        let (mut idle, mut made) = (Duration::ZERO, Duration::ZERO);
        costs.begin();
        let begun = self.target.now();
        loop {
            while (started + 1) * block <= most && (started < least || self.target.now().saturating_sub(begun) < time) {
                if ready.is_none() {
                    ready = free.pop();
                    let took = ready.map_or(Duration::ZERO, |slot| self.fill(slot, test));
                    made += took;
                    idle += if waiting == 0 { took } else { Duration::ZERO };
                }
                let Some(slot) = ready.take_if(|_| waiting < depth) else { break };
                self.check_stop()?;
                let place = self.place(test);
                let at = self.target.now();
                self.seal(slot, way, place)?;
                self.target.start(slot, way, place)?;
                sent[slot] = Sent { place, at };
                started += 1;
                waiting += 1;
            }
            if waiting == 0 {
                break;
            }
            self.target.wait(&mut arrived)?;
            for slot in arrived.drain(..) {
                let Sent { place, at } = sent[slot];
                self.open(slot, way, place)?;
                let took = self.target.now().saturating_sub(at);
                accesses.push((place, u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)));
                free.push(slot);
                waiting -= 1;
            }
        }
        if way == Way::Write {
            self.target.flush()?;
            self.written += started * block;
        }
        let spent = self.target.now().saturating_sub(begun + idle);
        let (cpu, joules) = costs.end();
        Ok(Turn {
            rate: (started * block) as f64 / spent.as_secs_f64().max(1e-9),
            bytes: started * block,
            accesses,
            cpu: cpu.map(|cpu| cpu.saturating_sub(made)),
            joules,
        })
    }

    /// Sequential tests begin here.
    pub(crate) fn begin_at(&mut self, place: u64) {
        self.next = [place.min(self.size.saturating_sub(1)) / MIB * MIB; 2];
    }

    /// Where the next block goes. As in CrystalDiskMark the tests share the first GiB, or all there is.
    fn place(&mut self, test: Test) -> u64 {
        let block = test.block() as u64;
        let size = if test.wide() { self.size } else { self.size.min(self.span) };
        if test.random() {
            return self.random.u64(..size / block) * block;
        }
        let next = &mut self.next[usize::from(test.writes())];
        let place = *next;
        *next = if place + 2 * block <= size { place + block } else { 0 };
        place
    }

    /// New data, if it is to be written. How long it took to make.
    fn fill(&mut self, slot: usize, test: Test) -> Duration {
        if !test.writes() || !self.target.keeps_data() {
            return Duration::ZERO;
        }
        let begun = self.target.now();
        self.noise.fill(self.target.block(slot), test.soft());
        self.target.now().saturating_sub(begun)
    }

    fn seal(&mut self, slot: usize, way: Way, place: u64) -> std::io::Result<()> {
        match (&self.xts, way) {
            (Some(xts), Way::Write) => {
                xts.encrypt_sectors(self.target.block(slot), place / 512, 4096).map_err(std::io::Error::other)
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, slot: usize, way: Way, place: u64) -> std::io::Result<()> {
        match (&self.xts, way) {
            (Some(xts), Way::Read) => {
                xts.decrypt_sectors(self.target.block(slot), place / 512, 4096).map_err(std::io::Error::other)
            }
            _ => Ok(()),
        }
    }

    fn left(&self, budget: Duration) -> Duration {
        (budget + self.paused).saturating_sub(self.target.now().saturating_sub(self.started))
    }

    pub(crate) fn check_stop(&self) -> std::result::Result<(), Stop> {
        if self.control.signal() == Signal::Stop { Err(Stop::Asked) } else { Ok(()) }
    }

    fn wait_while_paused(&mut self, meter: &mut Meter<'_>, done: u64) -> std::result::Result<(), Stop> {
        if self.control.signal() != Signal::Pause {
            return self.check_stop();
        }
        let began = self.target.now();
        meter.paused(done);
        while self.control.signal() == Signal::Pause {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.paused += self.target.now().saturating_sub(began);
        self.check_stop()
    }
}

#[cfg(test)]
mod tests;
