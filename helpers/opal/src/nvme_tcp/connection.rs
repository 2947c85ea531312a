//! One queue: commands come, data go either way, completions go back.

use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Write};
use std::net::TcpStream;
use std::sync::Arc;

use super::pdu::{self, MAX_TRANSFER, bad, u16_at, u32_at, u64_at};
use super::{Controller, Shared, identify, lock};
use crate::device::{Drive, IoError};

// Statuses: the type in the third digit, the code below it, without a phase bit.
const OK: u16 = 0;
/// Do not try again.
const DNR: u16 = 0x4000;
const INVALID_OPCODE: u16 = DNR | 0x01;
const INVALID_FIELD: u16 = DNR | 0x02;
const INTERNAL: u16 = 0x06;
const INVALID_NAMESPACE: u16 = DNR | 0x0b;
const OUT_OF_RANGE: u16 = DNR | 0x80;
const CONNECT_INVALID: u16 = DNR | 0x182;
const ACCESS_DENIED: u16 = DNR | 0x286;

/// CAP: 128 entries a queue, contiguous, ten seconds to get ready, the NVM command set.
const CAPABILITIES: u64 = 127 | 1 << 16 | 20 << 24 | 1 << 37;
/// Commands that wait for their data; no queue is deeper.
const MOST_WAITING: usize = 256;

const FABRICS: u8 = 0x7f;
const CONNECT: u8 = 0x01;

/// A submission queue entry.
struct Entry(Vec<u8>);

impl Entry {
    fn opcode(&self) -> u8 {
        self.0.first().copied().unwrap_or(0)
    }
    fn id(&self) -> u16 {
        u16_at(&self.0, 2)
    }
    fn namespace(&self) -> u32 {
        u32_at(&self.0, 4)
    }
    fn fabrics_type(&self) -> u8 {
        self.0.get(4).copied().unwrap_or(0)
    }
    /// Length and type of the one scatter-gather entry.
    fn data(&self) -> (u32, u8) {
        (u32_at(&self.0, 32), self.0.get(39).copied().unwrap_or(0))
    }
    fn dword(&self, number: usize) -> u32 {
        u32_at(&self.0, number * 4)
    }
    /// Whether the host gives data: bit 0 of the opcode, of the type with fabrics commands.
    fn gives(&self) -> bool {
        let bits = if self.opcode() == FABRICS { self.fabrics_type() } else { self.opcode() };
        bits & 3 == 1
    }
}

/// What a command ended with.
enum Done {
    /// Status and the two dwords of the completion.
    Plain(u16, u64),
    /// Well, with data for the host.
    Data(Vec<u8>),
    /// It is held, and never completed (Asynchronous Event Request).
    Held,
}

impl From<u16> for Done {
    fn from(status: u16) -> Self {
        Self::Plain(status, 0)
    }
}

/// Serves a connection until it ends.
pub fn serve(shared: &Shared, stream: TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    let mut queue = Queue {
        shared,
        output: BufWriter::new(stream.try_clone()?),
        controller: None,
        number: 0,
        waiting: BTreeMap::new(),
        next_tag: 1,
    };
    let result = queue.run(&mut BufReader::new(stream));
    if let (Some(controller), 0) = (&queue.controller, queue.number) {
        shared.disconnect(controller.id);
    }
    result
}

struct Queue<'a> {
    shared: &'a Shared,
    output: BufWriter<TcpStream>,
    controller: Option<Arc<Controller>>,
    /// 0 is the admin queue.
    number: u16,
    /// Commands whose data are on their way, by their transfer tags.
    waiting: BTreeMap<u16, (Entry, Vec<u8>)>,
    next_tag: u16,
}

impl Queue<'_> {
    fn run(&mut self, input: &mut BufReader<TcpStream>) -> io::Result<()> {
        let first = pdu::read(input)?;
        if first.kind != pdu::IC_REQUEST {
            return Err(bad());
        }
        pdu::write_ic_response(&mut self.output)?;
        self.output.flush()?;
        loop {
            let pdu = pdu::read(input)?;
            match pdu.kind {
                pdu::COMMAND if pdu.header.len() == 64 => self.command(Entry(pdu.header), pdu.data)?,
                pdu::DATA_TO_CONTROLLER => self.data(&pdu.header, &pdu.data)?,
                _ => return Err(bad()),
            }
            self.output.flush()?;
        }
    }

    fn command(&mut self, entry: Entry, data: Vec<u8>) -> io::Result<()> {
        let (length, kind) = entry.data();
        // Commands without data carry a transport entry, too, with no length.
        if !entry.gives() || length == 0 || kind != 0x5a {
            return self.execute(&entry, &data);
        }
        if length > MAX_TRANSFER || self.waiting.len() >= MOST_WAITING {
            return self.complete(&entry, INVALID_FIELD.into());
        }
        let tag = self.next_tag;
        self.next_tag = self.next_tag.wrapping_add(1);
        pdu::write_ready(&mut self.output, entry.id(), tag, length)?;
        self.waiting.insert(tag, (entry, Vec::new()));
        Ok(())
    }

    fn data(&mut self, header: &[u8], data: &[u8]) -> io::Result<()> {
        let (tag, offset) = (u16_at(header, 2), u32_at(header, 4));
        let (entry, collected) = self.waiting.get_mut(&tag).ok_or_else(bad)?;
        let (length, _) = entry.data();
        if collected.len() as u64 != u64::from(offset) || (collected.len() + data.len()) as u64 > u64::from(length) {
            return Err(bad());
        }
        collected.extend_from_slice(data);
        if (collected.len() as u64) < u64::from(length) {
            return Ok(());
        }
        match self.waiting.remove(&tag) {
            Some((entry, collected)) => self.execute(&entry, &collected),
            None => Ok(()),
        }
    }

    fn execute(&mut self, entry: &Entry, data: &[u8]) -> io::Result<()> {
        let done = match (entry.opcode(), self.controller.clone()) {
            (FABRICS, _) if entry.fabrics_type() == CONNECT => self.connect(entry, data),
            (_, None) => CONNECT_INVALID.into(),
            (FABRICS, Some(controller)) => fabrics(&controller, entry),
            (_, Some(controller)) if self.number == 0 => admin(&controller, entry, data),
            (_, Some(controller)) => input_output(&controller.subsystem.drive, entry, data),
        };
        self.complete(entry, done)
    }

    fn complete(&mut self, entry: &Entry, done: Done) -> io::Result<()> {
        match done {
            Done::Held => Ok(()),
            Done::Plain(status, value) => pdu::write_response(&mut self.output, entry.id(), value, status),
            Done::Data(data) => {
                // Never more than the host has made room for.
                let room = usize::try_from(entry.data().0).unwrap_or(0);
                let data = data.get(..room).unwrap_or(&data);
                if !data.is_empty() {
                    pdu::write_data(&mut self.output, entry.id(), data)?;
                }
                pdu::write_response(&mut self.output, entry.id(), 0, OK)
            }
        }
    }

    fn connect(&mut self, entry: &Entry, data: &[u8]) -> Done {
        let number = u16_at(&entry.0, 42);
        let nqn = data.get(256..512).map(text).unwrap_or_default();
        if self.controller.is_some() {
            return CONNECT_INVALID.into();
        }
        let controller = match number {
            0 => self.shared.connect(&nqn),
            _ => self.shared.controller(u16_at(data, 16), &nqn),
        };
        let Some(controller) = controller else { return CONNECT_INVALID.into() };
        let id = controller.id;
        self.number = number;
        self.controller = Some(controller);
        Done::Plain(OK, u64::from(id))
    }
}

fn text(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// Property Get and Set.
fn fabrics(controller: &Controller, entry: &Entry) -> Done {
    let offset = u32_at(&entry.0, 44);
    match entry.fabrics_type() {
        0x00 if offset == 0x14 => {
            controller.configure(u32_at(&entry.0, 48));
            OK.into()
        }
        0x04 => {
            let registers = *lock(&controller.registers);
            let value = match offset {
                0x00 => CAPABILITIES,
                0x08 => u64::from(identify::VERSION),
                0x14 => u64::from(registers.configuration),
                0x1c => u64::from(registers.status),
                _ => return INVALID_FIELD.into(),
            };
            Done::Plain(OK, value)
        }
        _ => INVALID_FIELD.into(),
    }
}

fn admin(controller: &Controller, entry: &Entry, data: &[u8]) -> Done {
    let subsystem = &controller.subsystem;
    match entry.opcode() {
        // Identify
        0x06 => match (entry.dword(10) & 0xff, entry.namespace()) {
            (0x00, 1) => Done::Data(identify::namespace(subsystem)),
            (0x00, _) => INVALID_NAMESPACE.into(),
            (0x01, _) => Done::Data(identify::controller(controller.id, subsystem)),
            (0x02, _) => Done::Data(identify::namespaces()),
            (0x03, _) => Done::Data(identify::descriptors(subsystem)),
            _ => INVALID_FIELD.into(),
        },
        // Abort: it was not.
        0x08 => Done::Plain(OK, 1),
        // Set Features: the number of queues, as many as were asked for up to four.
        0x09 if entry.dword(10) & 0xff == 0x07 => {
            let queues = u64::from((entry.dword(11) & 0xffff).min(3));
            Done::Plain(OK, queues << 16 | queues)
        }
        0x09 => OK.into(),
        // Asynchronous Event Request: nothing ever happens.
        0x0c => Done::Held,
        // Keep Alive
        0x18 => OK.into(),
        // Security Send
        0x81 => {
            let (protocol, specific) = security(entry);
            let length = usize::try_from(entry.dword(11)).unwrap_or(usize::MAX);
            match data.get(..length) {
                Some(data) if subsystem.drive.security_send(protocol, specific, data) => OK.into(),
                _ => INVALID_FIELD.into(),
            }
        }
        // Security Receive
        0x82 => {
            let (protocol, specific) = security(entry);
            let length = entry.dword(11);
            if length > MAX_TRANSFER {
                return INVALID_FIELD.into();
            }
            let length = usize::try_from(length).unwrap_or(0);
            match subsystem.drive.security_receive(protocol, specific, length) {
                Some(data) => Done::Data(data),
                None => INVALID_FIELD.into(),
            }
        }
        _ => INVALID_OPCODE.into(),
    }
}

fn security(entry: &Entry) -> (u8, u16) {
    let [_, low, high, protocol] = entry.dword(10).to_le_bytes();
    (protocol, u16::from_le_bytes([low, high]))
}

/// Dataset Management: only forgetting blocks changes anything.
fn trim(drive: &Drive, entry: &Entry, data: &[u8]) -> Result<(), IoError> {
    let ranges = usize::try_from(entry.dword(10) & 0xff).unwrap_or(0) + 1;
    if entry.dword(11) & 0x04 == 0 {
        return Ok(());
    }
    for range in data.chunks_exact(16).take(ranges) {
        drive.trim(u64_at(range, 8), u64::from(u32_at(range, 4)))?;
    }
    Ok(())
}

fn input_output(drive: &Drive, entry: &Entry, data: &[u8]) -> Done {
    let block = drive.block_size();
    let (lba, blocks) = (u64_at(&entry.0, 40), (entry.dword(12) & 0xffff) + 1);
    let bytes = u64::from(blocks) * u64::from(block);
    if bytes > u64::from(MAX_TRANSFER) && matches!(entry.opcode(), 0x01 | 0x02) {
        return INVALID_FIELD.into();
    }
    let length = usize::try_from(bytes).unwrap_or(0);
    if entry.namespace() != 1 && entry.opcode() != 0 {
        return INVALID_NAMESPACE.into();
    }
    let result = match entry.opcode() {
        0x00 => drive.flush(),
        0x01 => match data.get(..length) {
            Some(data) => drive.write(lba, data),
            None => return INVALID_FIELD.into(),
        },
        0x02 => {
            let mut buffer = vec![0; length];
            match drive.read(lba, &mut buffer) {
                Ok(()) => return Done::Data(buffer),
                Err(error) => Err(error),
            }
        }
        0x09 => trim(drive, entry, data),
        _ => return INVALID_OPCODE.into(),
    };
    match result {
        Ok(()) => OK,
        Err(IoError::Denied) => ACCESS_DENIED,
        Err(IoError::OutOfRange) => OUT_OF_RANGE,
        Err(IoError::Dead | IoError::Device(_)) => INTERNAL,
    }
    .into()
}
