//! The host's end: ComID, properties, sessions and methods over a [`Transport`].

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use model::Secret;
use zeroize::Zeroizing;

use crate::discovery::{self, Discovery};
use crate::message::{Call, Message};
use crate::packet::{self, HEADERS, Numbers};
use crate::properties::Properties;
use crate::protocols::{self, Protocols};
use crate::token::Value;
use crate::uid::{self, method};
use crate::{Error, Garbage, Result, Transport, Uid};

const TCG: u8 = 0x01;
const COMID_MANAGEMENT: u8 = 0x02;
/// Stands in the place of a ComID (Opal 3.2.3).
const TPER_RESET: u16 = 0x0004;
/// Stands in the place of a ComID (Block SID Authentication 4.2).
const BLOCK_SID: u16 = 0x0005;
const STACK_RESET: u32 = 0x0000_0002;
/// Command Sequence Error: how a drive refuses to be asked again before it was listened to (SIIS 5.2.4, 6.2.4).
const NVME_SEQUENCE: u32 = 0x0c;
/// The same in SCSI's words.
const SCSI_SEQUENCE: u32 = 0x05_2c00;
/// No answer is longer, whatever the drive says. In bytes.
const MOST: usize = 1 << 20;

/// How long a drive may take to answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Time between two looks.
    pub pause: Duration,
    /// Looks before it is given up.
    pub looks: u32,
}

impl Default for Patience {
    /// A minute.
    fn default() -> Self {
        Self { pause: Duration::from_millis(10), looks: 6000 }
    }
}

/// A drive's security part, seen from the host.
pub struct Tper<T> {
    transport: T,
    discovery: Discovery,
    comid: u16,
    properties: Properties,
    patience: Patience,
    sessions: u32,
}

impl<T: Transport> Tper<T> {
    /// Reads the discovery and takes the ComID from it.
    ///
    /// # Errors
    /// [`Error::NoDiscovery`] and its like; [`Error::NotSupported`] if no subsystem class is named.
    pub fn open(transport: T) -> Result<Self> {
        Self::open_with(transport, Patience::default())
    }

    /// As [`Tper::open`], with other patience.
    ///
    /// # Errors
    /// As [`Tper::open`].
    pub fn open_with(mut transport: T, patience: Patience) -> Result<Self> {
        let discovery = discover(&mut transport)?;
        let comid = discovery.comid().ok_or(Error::NotSupported)?;
        Ok(Self { transport, discovery, comid, properties: Properties::default(), patience, sessions: 0x4c00 })
    }

    /// The discovery as it was read last.
    pub fn discovery(&self) -> &Discovery {
        &self.discovery
    }

    /// Reads the discovery again: what was changed shows there.
    ///
    /// # Errors
    /// As [`Tper::open`].
    pub fn refresh(&mut self) -> Result<&Discovery> {
        self.discovery = discover(&mut self.transport)?;
        Ok(&self.discovery)
    }

    /// The ComID in use.
    pub fn comid(&self) -> u16 {
        self.comid
    }

    /// What the drive takes, as far as it was asked.
    pub fn properties(&self) -> Properties {
        self.properties
    }

    /// How long the drive may take from now on.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// The way to the drive.
    pub fn transport(&mut self) -> &mut T {
        &mut self.transport
    }

    /// Gives the way to the drive back.
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// Which security protocols the drive speaks.
    ///
    /// # Errors
    /// [`Error::ProtocolsDamaged`], or the command was refused.
    pub fn protocols(&mut self) -> Result<Protocols> {
        let mut buffer = vec![0; 512];
        self.transport.receive(protocols::PROTOCOL, 0, &mut buffer)?;
        protocols::parse(&buffer)
    }

    /// Tells the drive what the host takes, and learns what the drive takes. A drive that does not answer
    /// is talked to in the smallest pieces.
    ///
    /// # Errors
    /// The drive is gone or refuses the command itself.
    pub fn exchange_properties(&mut self) -> Result<Properties> {
        let ours = Properties {
            max_com_packet: 61_440,
            max_response_com_packet: 61_440,
            max_packet: 61_420,
            max_ind_token: 61_384,
            ..Properties::default()
        };
        let ours = Value::named(0, Value::List(ours.to_values()));
        let call = Call::new(uid::SESSION_MANAGER, method::PROPERTIES, vec![ours]);
        self.hold()?;
        let answer = self.ask(Numbers::default(), &Message::Call(call));
        self.release();
        match answer {
            Ok(Message::Call(answer)) if answer.method == method::PROPERTIES && answer.status.is_none() => {
                if let Some(values) = answer.parameters.first().and_then(Value::as_list) {
                    self.properties = Properties::from_values(values);
                }
            }
            Ok(_) | Err(Error::EmptyReply | Error::Garbage(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(self.properties)
    }

    /// Ends whatever hangs on the ComID: sessions of a program that died (Core 3.3.4.7.5).
    ///
    /// # Errors
    /// The drive refused the command or did not answer.
    pub fn reset_stack(&mut self) -> Result<()> {
        let mut request = vec![0; self.transport.unit().max(8)];
        request[..2].copy_from_slice(&self.comid.to_be_bytes());
        request[4..8].copy_from_slice(&STACK_RESET.to_be_bytes());
        self.transport.send(COMID_MANAGEMENT, self.comid, &request)?;
        for _ in 0..self.patience.looks {
            let mut answer = vec![0; self.transport.unit().max(64)];
            self.transport.receive(COMID_MANAGEMENT, self.comid, &mut answer)?;
            let head = crate::bytes::Bytes(&answer);
            // Available data and, behind it, success or not.
            if head.u32(4) == STACK_RESET && head.u16(10) >= 4 {
                return if head.u32(12) == 0 { Ok(()) } else { Err(Error::Busy) };
            }
            std::thread::sleep(self.patience.pause);
        }
        Err(Error::EmptyReply)
    }

    /// Resets the drive's security part, if its owner has allowed that (Opal 3.2.3).
    ///
    /// # Errors
    /// The drive refused the command.
    pub fn reset_tper(&mut self) -> Result<()> {
        let nothing = vec![0; self.transport.unit()];
        self.transport.send(COMID_MANAGEMENT, TPER_RESET, &nothing)
    }

    /// Blocks SID until the next power cycle, as firmware does at its start.
    ///
    /// # Errors
    /// The drive refused the command: it does not know it, or SID is blocked already.
    pub fn block_sid(&mut self, cleared_by_hardware_reset: bool) -> Result<()> {
        let mut request = vec![0; self.transport.unit()];
        request[0] = u8::from(cleared_by_hardware_reset);
        self.transport.send(COMID_MANAGEMENT, BLOCK_SID, &request)
    }

    /// Opens a session that may write. With nobody's name if `who` is `None`.
    ///
    /// # Errors
    /// The status as the drive gave it; [`Error::Busy`] while another session is open.
    pub fn session(&mut self, sp: Uid, who: Option<(Uid, &Secret)>) -> Result<Session<'_, T>> {
        self.hold()?;
        match self.start(sp, who) {
            Ok(numbers) => Ok(self.attach(numbers)),
            Err(error) => {
                self.release();
                Err(error)
            }
        }
    }

    /// Waits until no other program of ours talks to the drive, as long as an answer would be waited for.
    ///
    /// # Errors
    /// [`Error::InUse`].
    pub(crate) fn hold(&mut self) -> Result<()> {
        for _ in 0..self.patience.looks.max(1) {
            if self.transport.hold() {
                return Ok(());
            }
            std::thread::sleep(self.patience.pause);
        }
        Err(Error::InUse)
    }

    /// Lets other programs talk to the drive.
    pub(crate) fn release(&mut self) {
        self.transport.release();
    }

    /// Opens a session, while the drive is held. The caller turns the numbers into a [`Session`], which lets go of
    /// the drive at its end.
    pub(crate) fn start(&mut self, sp: Uid, who: Option<(Uid, &Secret)>) -> Result<Numbers> {
        self.sessions = self.sessions.wrapping_add(1).max(1);
        let host = self.sessions;
        let mut parameters = vec![Value::Uint(u64::from(host)), sp.into(), true.into()];
        if let Some((authority, pin)) = who {
            parameters.push(Value::named(0, pin.expose()));
            parameters.push(Value::named(3, authority));
        }
        let call = Call::new(uid::SESSION_MANAGER, method::START_SESSION, parameters);
        let answer = self.ask(Numbers::default(), &Message::Call(call))?;
        let Message::Call(answer) = answer else { return Err(Garbage::Unexpected.into()) };
        if answer.method != method::SYNC_SESSION {
            return Err(Garbage::Unexpected.into());
        }
        if let Some(status) = answer.status {
            return Err(status.into());
        }
        let numbers = match answer.parameters.as_slice() {
            [theirs, ours, ..] if theirs.as_uint() == Some(u64::from(host)) => ours.as_uint(),
            _ => None,
        };
        let tper = numbers.and_then(|number| u32::try_from(number).ok()).ok_or(Garbage::Unexpected)?;
        Ok(Numbers { tper, host })
    }

    pub(crate) fn attach(&mut self, numbers: Numbers) -> Session<'_, T> {
        Session { tper: self, numbers, open: true }
    }

    /// How long the drive may take.
    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    /// Bytes that one value in a method may have.
    fn room(&self) -> usize {
        let properties = &self.properties;
        let com_packet = (properties.max_com_packet as usize).min(self.transport.largest());
        let packet = properties.max_packet as usize + 20;
        // The method around the value takes less than 64 bytes.
        (com_packet.min(packet) - HEADERS - 64).min(properties.max_ind_token as usize - 4)
    }

    fn ask(&mut self, numbers: Numbers, message: &Message) -> Result<Message> {
        let tokens = message.encode();
        let packet = packet::wrap(self.comid, numbers, &tokens, self.transport.unit());
        let limit = (self.properties.max_com_packet as usize).max(2048);
        if tokens.len() + HEADERS > limit {
            return Err(Error::TooLarge { bytes: tokens.len() + HEADERS, limit });
        }
        match self.transport.send(TCG, self.comid, &packet) {
            // Another program's answer has not been fetched yet.
            Err(Error::CommandRefused { status: NVME_SEQUENCE | SCSI_SEQUENCE }) => return Err(Error::Busy),
            result => result?,
        }
        self.answer(numbers)
    }

    /// Looks for the answer until it is whole. A drive that has none yet says so with an empty ComPacket,
    /// or with zeros.
    fn answer(&mut self, numbers: Numbers) -> Result<Message> {
        let size = (self.properties.max_response_com_packet as usize).min(self.transport.largest());
        let mut size = size.max(2048).next_multiple_of(self.transport.unit());
        let mut whole = Zeroizing::new(Vec::new());
        for look in 0..self.patience.looks.max(1) {
            let mut buffer = Zeroizing::new(vec![0; size]);
            self.transport.receive(TCG, self.comid, &mut buffer)?;
            let unwrapped = packet::unwrap(&buffer)?;
            let (outstanding, min_transfer) = (unwrapped.outstanding, unwrapped.min_transfer as usize);
            if let Some((found, tokens)) = unwrapped.content {
                // Something that waited for another session: thrown away, as there is nobody else here. Some
                // drives leave the numbers out.
                let other = numbers != Numbers::default() && found != numbers && found.tper != 0;
                if other && !is_session_end(tokens) {
                    continue;
                }
                if whole.len() + tokens.len() > MOST {
                    return Err(Garbage::Length.into());
                }
                whole.extend_from_slice(tokens);
                if outstanding == 0 {
                    return Message::decode(&whole);
                }
                continue;
            }
            if min_transfer > size && min_transfer <= MOST {
                size = min_transfer.next_multiple_of(self.transport.unit());
                continue;
            }
            // The first looks come quickly: most answers are there at once.
            std::thread::sleep(if look < 10 { self.patience.pause / 10 } else { self.patience.pause });
        }
        Err(Error::EmptyReply)
    }
}

fn is_session_end(tokens: &[u8]) -> bool {
    match Message::decode(tokens) {
        Ok(Message::EndOfSession) => true,
        Ok(Message::Call(call)) => call.method == method::CLOSE_SESSION,
        _ => false,
    }
}

/// Reads the discovery. Asks with the room that everybody asks with, and again if it is too small.
fn discover(transport: &mut impl Transport) -> Result<Discovery> {
    let mut buffer = vec![0; discovery::BUFFER];
    transport.receive(discovery::PROTOCOL, discovery::COMID, &mut buffer)?;
    let found = discovery::parse(&buffer)?;
    let room = transport.largest() as u64;
    if found.announced > buffer.len() as u64 && found.announced <= room {
        let needed = usize::try_from(found.announced).unwrap_or(discovery::BUFFER);
        buffer = vec![0; needed.next_multiple_of(transport.unit())];
        transport.receive(discovery::PROTOCOL, discovery::COMID, &mut buffer)?;
        return discovery::parse(&buffer);
    }
    Ok(found)
}

/// An open session. It is ended when dropped, so that a failed operation leaves nothing behind.
pub struct Session<'a, T: Transport> {
    tper: &'a mut Tper<T>,
    numbers: Numbers,
    open: bool,
}

impl<T: Transport> Session<'_, T> {
    /// Calls a method and gives back its values.
    ///
    /// # Errors
    /// The method's status; [`Error::SessionClosed`] if the drive ended the session.
    pub fn call(&mut self, object: Uid, method: Uid, parameters: Vec<Value>) -> Result<Vec<Value>> {
        let call = Message::Call(Call::new(object, method, parameters));
        match self.tper.ask(self.numbers, &call)? {
            Message::Results { values, status: None } => Ok(values),
            Message::Results { status: Some(status), .. } => Err(status.into()),
            Message::EndOfSession => {
                self.open = false;
                Err(Error::SessionClosed)
            }
            Message::Call(call) if call.method == uid::method::CLOSE_SESSION => {
                self.open = false;
                Err(Error::SessionClosed)
            }
            Message::Call(_) => Err(Garbage::Unexpected.into()),
        }
    }

    /// As [`Session::call`], for a method after which the drive ends the session by itself.
    ///
    /// # Errors
    /// As [`Session::call`]. The session is gone on success.
    pub fn last_call(mut self, object: Uid, method: Uid, parameters: Vec<Value>) -> Result<()> {
        match self.call(object, method, parameters) {
            Ok(_) | Err(Error::SessionClosed) => {
                self.open = false;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Reads cells of an object. Cells that this authority may not see are left out by the drive.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn get(&mut self, object: Uid, columns: RangeInclusive<u64>) -> Result<BTreeMap<u64, Value>> {
        let cells = Value::List(vec![Value::named(3, *columns.start()), Value::named(4, *columns.end())]);
        let values = self.call(object, method::GET, vec![cells])?;
        let row = match values.as_slice() {
            [] => return Ok(BTreeMap::new()),
            [first, ..] => first.as_list().ok_or(Garbage::Unexpected)?,
        };
        let cells = row.iter().filter_map(Value::as_named).filter(|(column, _)| columns.contains(column));
        Ok(cells.map(|(column, value)| (column, value.clone())).collect())
    }

    /// Reads one cell. `None` if the drive leaves it out.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn get_one(&mut self, object: Uid, column: u64) -> Result<Option<Value>> {
        Ok(self.get(object, column..=column)?.remove(&column))
    }

    /// Writes cells of an object.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn set(&mut self, object: Uid, cells: Vec<(u64, Value)>) -> Result<()> {
        let cells = cells.into_iter().map(|(column, value)| Value::named(column, value)).collect();
        self.call(object, method::SET, vec![Value::named(1, Value::List(cells))]).map(|_| ())
    }

    /// Reads bytes of a byte table (shadow MBR, DataStore) in pieces that the drive takes.
    ///
    /// # Errors
    /// As [`Session::call`]; [`Garbage::Unexpected`] if the drive gives another number of bytes.
    pub fn read_bytes(&mut self, table: Uid, offset: u64, length: usize) -> Result<Zeroizing<Vec<u8>>> {
        let piece = self.tper.room().min(self.tper.properties.max_response_com_packet as usize - HEADERS - 64);
        let mut bytes = Zeroizing::new(Vec::new());
        while bytes.len() < length {
            let at = offset + bytes.len() as u64;
            let count = piece.min(length - bytes.len());
            let cells = Value::List(vec![Value::named(1, at), Value::named(2, at + count as u64 - 1)]);
            let values = self.call(table, method::GET, vec![cells])?;
            let found = values.first().and_then(Value::as_bytes).ok_or(Garbage::Unexpected)?;
            if found.len() != count {
                return Err(Garbage::Unexpected.into());
            }
            bytes.extend_from_slice(found);
        }
        Ok(bytes)
    }

    /// Writes bytes of a byte table in pieces that the drive takes. `progress` is told how many are
    /// written. Where the drive wants whole units (`MandatoryWriteGranularity`), what stands beside the
    /// bytes in the first and the last one is read and written again.
    ///
    /// # Errors
    /// As [`Session::call`]; [`Error::TooLarge`] if a unit is larger than what the drive takes at once. What
    /// was written before the error is written.
    pub fn write_bytes(&mut self, table: Uid, offset: u64, bytes: &[u8], progress: &mut dyn FnMut(u64)) -> Result<()> {
        let room = self.tper.room();
        let unit = self.write_granularity(table)?;
        let piece = match usize::try_from(unit) {
            Ok(unit) if unit <= room => room / unit * unit,
            _ => return Err(Error::TooLarge { bytes: usize::try_from(unit).unwrap_or(usize::MAX), limit: room }),
        };
        let (before, whole) = self.in_whole_units(table, offset, bytes, unit)?;
        let whole = whole.as_deref().map_or(bytes, Vec::as_slice);
        let mut written = 0_u64;
        for piece in whole.chunks(piece) {
            let parameters = vec![Value::named(0, offset - before + written), Value::named(1, piece)];
            self.call(table, method::SET, parameters)?;
            written += piece.len() as u64;
            progress(written.saturating_sub(before).min(bytes.len() as u64));
        }
        Ok(())
    }

    /// The bytes with what stands beside them, and how much of it comes before. `None`: they are whole units
    /// already.
    fn in_whole_units(
        &mut self,
        table: Uid,
        offset: u64,
        bytes: &[u8],
        unit: u64,
    ) -> Result<(u64, Option<Zeroizing<Vec<u8>>>)> {
        let before = offset % unit;
        let end = offset.checked_add(bytes.len() as u64).ok_or(Error::Garbage(Garbage::Number))?;
        let after = (unit - end % unit) % unit;
        if before == 0 && after == 0 {
            return Ok((0, None));
        }
        let mut whole = match before {
            0 => Zeroizing::new(Vec::new()),
            _ => self.read_bytes(table, offset - before, usize::try_from(before).unwrap_or(0))?,
        };
        whole.extend_from_slice(bytes);
        if after > 0 {
            whole.extend_from_slice(&self.read_bytes(table, end, usize::try_from(after).unwrap_or(0))?);
        }
        Ok((before, Some(whole)))
    }

    /// What must be written at once, in bytes; 1 where the drive does not say.
    fn write_granularity(&mut self, table: Uid) -> Result<u64> {
        match self.get_one(uid::table_row(table), uid::column::WRITE_GRANULARITY) {
            Ok(value) => Ok(value.and_then(|value| value.as_uint()).unwrap_or(1).max(1)),
            Err(Error::Status(_)) => Ok(1),
            Err(error) => Err(error),
        }
    }

    /// How many bytes a byte table has, if the drive says.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn table_size(&mut self, table: Uid) -> Result<Option<u64>> {
        Ok(self.get_one(uid::table_row(table), uid::column::ROWS)?.and_then(|rows| rows.as_uint()))
    }

    /// Shows one more secret. Whether it was right.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn authenticate(&mut self, authority: Uid, pin: &Secret) -> Result<bool> {
        let parameters = vec![authority.into(), Value::named(0, pin.expose())];
        let values = self.call(uid::THIS_SP, method::AUTHENTICATE, parameters)?;
        Ok(values.first().and_then(Value::as_bool).unwrap_or(false))
    }

    /// The names of the rows of a table.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn rows(&mut self, table: Uid) -> Result<Vec<Uid>> {
        let values = self.call(table, method::NEXT, Vec::new())?;
        let list = values.first().and_then(Value::as_list).unwrap_or(&[]);
        Ok(list.iter().filter_map(Value::as_uid).collect())
    }

    /// Ends the session and waits until the drive has said so.
    ///
    /// # Errors
    /// The drive is gone. The session is over all the same.
    pub fn end(mut self) -> Result<()> {
        self.close()
    }

    fn close(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.open) {
            return Ok(());
        }
        // Whatever it answers: the end was taken.
        self.tper.ask(self.numbers, &Message::EndOfSession).map(|_| ())
    }
}

impl<T: Transport> Drop for Session<'_, T> {
    fn drop(&mut self) {
        let _ = self.close();
        self.tper.release();
    }
}
