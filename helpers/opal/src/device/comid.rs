//! What arrives at the security protocols: discovery, ComIDs, sessions.

use std::sync::Arc;

use super::describe;
use super::methods::{Context, Outcome};
use super::profile::Profile;
use super::state::State;
use super::{Control, Reset};
use crate::message::{Call, Message, named};
use crate::packet::{self, HEADERS, Numbers};
use crate::properties::Properties;
use crate::token::Value;
use crate::uid::{self, method};
use crate::{Result, Status, Uid, protocols};

const TCG: u8 = 0x01;
const MANAGEMENT: u8 = 0x02;
const DISCOVERY: u16 = 0x0001;
const TPER_RESET: u16 = 0x0004;
const BLOCK_SID: u16 = 0x0005;
/// The least that a host takes, before it has said how much it does.
const LEAST: usize = 2048;

/// What is forgotten without power.
pub(super) struct Volatile {
    session: Option<Open>,
    /// The answer that waits to be fetched, and how many looks for it find nothing.
    pending: Option<(Vec<u8>, u32)>,
    /// The answer on the ComID management protocol.
    management: Option<Vec<u8>>,
    sid_blocked: bool,
    block_cleared_by_reset: bool,
    /// The firmware has crashed: no session any more.
    crashed: bool,
    /// Nothing can be read or written.
    pub dead: bool,
    /// The state has changed, and what reads and writes must be told.
    pub changed: bool,
    sessions: u32,
    /// Bytes that the host takes in a ComPacket.
    host_takes: usize,
}

/// An open session.
struct Open {
    numbers: Numbers,
    sp: Uid,
    write: bool,
    shown: Vec<Uid>,
}

impl Volatile {
    pub fn new(state: &State) -> Self {
        Self {
            session: None,
            pending: None,
            management: None,
            sid_blocked: state.profile.sid_blocked_at_start && state.profile.block_sid,
            block_cleared_by_reset: state.profile.sid_blocked_at_start,
            crashed: false,
            dead: false,
            changed: false,
            // The Linux kernel refuses numbers below 4096.
            sessions: 0x1000,
            host_takes: LEAST,
        }
    }

    pub fn end_sessions(&mut self) {
        self.session = None;
        self.pending = None;
        self.management = None;
        self.host_takes = LEAST;
    }
}

impl Control {
    pub fn power_cycle(&mut self) -> Result<()> {
        self.volatile = Volatile::new(&self.state);
        self.reset(Reset::Power)
    }

    /// What a reset does to sessions, locks and the shadow MBR.
    pub fn reset(&mut self, reset: Reset) -> Result<()> {
        self.volatile.end_sessions();
        if reset == Reset::Hardware && self.volatile.block_cleared_by_reset {
            self.volatile.sid_blocked = false;
        }
        let mut next = self.state.clone();
        let locking = &mut next.locking;
        let number = reset.number();
        if !next.profile.faults.stays_open {
            for range in locking.ranges.iter_mut().filter(|range| range.lock_on_reset.contains(&number)) {
                range.read_locked |= range.read_lock_enabled;
                range.write_locked |= range.write_lock_enabled;
            }
        }
        if locking.done_on_reset.contains(&number) {
            locking.mbr_done = false;
        }
        if reset == Reset::Power {
            let pins = locking.authorities.values_mut().map(|authority| &mut authority.pin);
            for pin in pins.chain([&mut next.sid, &mut next.psid_pin]).filter(|pin| !pin.persistent) {
                pin.tries = 0;
            }
        }
        self.store.commit(&next)?;
        self.state = next;
        Ok(())
    }

    pub fn security_send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> bool {
        let profile = &self.state.profile;
        match (protocol, specific) {
            (TCG, id) if id == profile.comid => {
                if data.len() > profile.max_com_packet as usize {
                    return false;
                }
                self.take_packet(data);
                true
            }
            (MANAGEMENT, TPER_RESET) => {
                if !self.state.programmatic_reset {
                    return false;
                }
                self.volatile.changed = true;
                self.reset(Reset::Tper).is_ok()
            }
            (MANAGEMENT, BLOCK_SID) => self.block_sid(data),
            (MANAGEMENT, id) if id == profile.comid => {
                self.manage(data);
                true
            }
            _ => false,
        }
    }

    fn block_sid(&mut self, data: &[u8]) -> bool {
        // An owner has nothing to fear from programs that would take the drive: not blocked then.
        let owned = !self.state.sid.is(self.state.msid.as_bytes());
        if !self.state.profile.block_sid || owned || self.volatile.sid_blocked {
            return false;
        }
        self.volatile.sid_blocked = true;
        self.volatile.block_cleared_by_reset = data.first().is_some_and(|flags| flags & 1 == 1);
        true
    }

    /// A request about the ComID itself (Core 3.3.4.7).
    fn manage(&mut self, data: &[u8]) {
        let head = crate::bytes::Bytes(data);
        let request = head.u32(4);
        let mut answer = data.get(..8).unwrap_or(&[0; 8]).to_vec();
        match request {
            // Is it valid? It is, and associated with nothing.
            1 => answer.extend([0, 0, 0, 34, 0, 0, 0, 1]),
            // Everything that hangs on it ends.
            2 => {
                self.volatile.end_sessions();
                answer.extend([0, 0, 0, 4, 0, 0, 0, 0]);
            }
            _ => answer.extend([0; 8]),
        }
        self.volatile.management = Some(answer);
    }

    pub fn security_receive(&mut self, protocol: u8, specific: u16, length: usize) -> Option<Vec<u8>> {
        let profile = &self.state.profile;
        let mut answer = match (protocol, specific) {
            (protocols::PROTOCOL, 0) => {
                let mut list = vec![0; 6];
                list.extend(u16::try_from(profile.protocols.len()).unwrap_or(0).to_be_bytes());
                list.extend(&profile.protocols);
                list
            }
            (TCG, DISCOVERY) => {
                let Volatile { sid_blocked, block_cleared_by_reset, .. } = self.volatile;
                describe::discovery(&self.state, sid_blocked, block_cleared_by_reset)
            }
            (TCG, id) if id == profile.comid => self.give_packet(length),
            (MANAGEMENT, 0) => vec![0; 4],
            (MANAGEMENT, id) if id == profile.comid => self.volatile.management.take().unwrap_or_default(),
            _ => return None,
        };
        answer.resize(length, 0);
        Some(answer)
    }

    fn give_packet(&mut self, length: usize) -> Vec<u8> {
        let comid = self.state.profile.comid;
        match &mut self.volatile.pending {
            None => packet::empty(comid, 0, 0),
            Some((_, late @ 1..)) => {
                *late -= 1;
                packet::empty(comid, 1, 0)
            }
            Some((answer, _)) if answer.len() > length => {
                let size = u32::try_from(answer.len()).unwrap_or(u32::MAX);
                packet::empty(comid, size, size)
            }
            Some(_) => self.volatile.pending.take().map(|(answer, _)| answer).unwrap_or_default(),
        }
    }

    /// A ComPacket. One that is no message is dropped, as drives do: there is nobody to complain to.
    fn take_packet(&mut self, data: &[u8]) {
        self.volatile.pending = None;
        let Ok(unwrapped) = packet::unwrap(data) else { return };
        let Some((numbers, tokens)) = unwrapped.content else { return };
        if unwrapped.comid != self.state.profile.comid {
            return;
        }
        let Ok(message) = Message::decode(tokens) else {
            // Garbage in a session ends it.
            if self.volatile.session.as_ref().is_some_and(|open| open.numbers == numbers) {
                self.volatile.session = None;
            }
            return;
        };
        let answer = match message {
            Message::EndOfSession => {
                if self.volatile.session.as_ref().is_some_and(|open| open.numbers == numbers) {
                    self.volatile.session = None;
                }
                Some(Message::EndOfSession)
            }
            Message::Call(call) if numbers == Numbers::default() => self.manager(&call),
            Message::Call(call) => self.in_session(numbers, &call),
            Message::Results { .. } => None,
        };
        let Some(answer) = answer else { return };
        let mut packet = packet::wrap(unwrapped.comid, numbers, &answer.encode(), 1);
        if packet.len() > self.volatile.host_takes {
            let overflow = Message::Results { values: Vec::new(), status: Some(Status::ResponseOverflow) };
            packet = packet::wrap(unwrapped.comid, numbers, &overflow.encode(), 1);
        }
        self.volatile.pending = Some((packet.to_vec(), self.state.profile.faults.late));
    }

    /// The session manager (Core 5.2).
    fn manager(&mut self, call: &Call) -> Option<Message> {
        if call.object != uid::SESSION_MANAGER {
            return None;
        }
        match call.method {
            method::PROPERTIES => Some(Message::Call(self.properties(call))),
            method::START_SESSION => {
                let host =
                    call.parameters.first().and_then(Value::as_uint).and_then(|number| u32::try_from(number).ok())?;
                let (tper, status) = match self.start_session(host, call) {
                    Ok(tper) => (tper, None),
                    Err(status) => (0, Some(status)),
                };
                let parameters = vec![Value::Uint(u64::from(host)), Value::Uint(u64::from(tper))];
                let answer = Call::new(uid::SESSION_MANAGER, method::SYNC_SESSION, parameters);
                Some(Message::Call(Call { status, ..answer }))
            }
            _ => None,
        }
    }

    fn properties(&mut self, call: &Call) -> Call {
        let mut parameters = vec![Value::List(limits(&self.state.profile).to_values())];
        if let Some(Value::List(theirs)) = call.named(0) {
            let host = Properties::from_values(theirs);
            self.volatile.host_takes = (host.max_com_packet as usize).max(LEAST);
            // Told back as they were understood.
            parameters.push(Value::named(0, Value::List(host.to_values())));
        }
        Call::new(uid::SESSION_MANAGER, method::PROPERTIES, parameters)
    }

    fn start_session(&mut self, host: u32, call: &Call) -> std::result::Result<u32, Status> {
        let sp = call.parameters.get(1).and_then(Value::as_uid).ok_or(Status::InvalidParameter)?;
        let write = call.parameters.get(2).and_then(Value::as_bool).ok_or(Status::InvalidParameter)?;
        if self.volatile.crashed {
            return Err(Status::NoSessionsAvailable);
        }
        match &self.volatile.session {
            Some(open) if open.sp == sp => return Err(Status::SpBusy),
            Some(_) => return Err(Status::NoSessionsAvailable),
            None => {}
        }
        if sp == uid::LOCKING_SP && !self.state.locking.active || !matches!(sp, uid::ADMIN_SP | uid::LOCKING_SP) {
            return Err(Status::InvalidParameter);
        }
        let mut shown = Vec::new();
        if let Some(authority) = named(&call.parameters, 3) {
            let authority = authority.as_uid().ok_or(Status::InvalidParameter)?;
            let pin = named(&call.parameters, 0).and_then(Value::as_bytes).unwrap_or(&[]);
            self.verify(sp, authority, pin)?;
            shown.push(authority);
        }
        self.volatile.sessions = self.volatile.sessions.wrapping_add(1).max(0x1000);
        let numbers = Numbers { tper: self.volatile.sessions, host };
        self.volatile.session = Some(Open { numbers, sp, write, shown });
        Ok(numbers.tper)
    }

    /// Holds a PIN against the one of an authority, and counts.
    fn verify(&mut self, sp: Uid, authority: Uid, pin: &[u8]) -> std::result::Result<(), Status> {
        if authority == uid::ANYBODY {
            return Ok(());
        }
        if authority == uid::SID && self.volatile.sid_blocked {
            return Err(Status::NotAuthorized);
        }
        let state = &mut self.state;
        let theirs = match (sp, authority) {
            (uid::ADMIN_SP, uid::SID) => Some(&mut state.sid),
            (uid::ADMIN_SP, uid::PSID) if state.profile.psid => Some(&mut state.psid_pin),
            (uid::LOCKING_SP, authority) if authority.table() == uid::ANYBODY.table() => state
                .locking
                .authorities
                .get_mut(&authority.row())
                .filter(|authority| authority.enabled)
                .map(|authority| &mut authority.pin),
            _ => None,
        };
        let theirs = theirs.ok_or(Status::NotAuthorized)?;
        if theirs.locked_out() {
            return Err(Status::AuthorityLockedOut);
        }
        let right = theirs.is(pin);
        let tries = if right { 0 } else { theirs.tries.saturating_add(1) };
        if std::mem::replace(&mut theirs.tries, tries) != tries && theirs.persistent {
            self.store.commit(state).map_err(|_| Status::TperMalfunction)?;
        }
        if right { Ok(()) } else { Err(Status::NotAuthorized) }
    }

    fn in_session(&mut self, numbers: Numbers, call: &Call) -> Option<Message> {
        // Nobody's session: no answer.
        let open = self.volatile.session.as_ref().filter(|open| open.numbers == numbers)?;
        let (sp, write, shown) = (open.sp, open.write, open.shown.clone());
        if call.method == method::AUTHENTICATE && call.object == uid::THIS_SP {
            return Some(self.authenticate(sp, call));
        }
        // The answer that never comes, on some drives.
        let silent = self.state.profile.faults.msid_unanswered;
        if silent && call.object == uid::C_PIN_MSID && call.method == method::GET {
            return None;
        }
        let mut next = self.state.clone();
        let device = Arc::clone(&self.device);
        let mut context = Context::new(&mut next, &device, sp, write, &shown);
        let mut result = context.call(call);
        let outcome = context.outcome;
        if result.is_ok() && outcome.changed {
            match self.store.commit(&next) {
                Ok(()) => self.state = next,
                Err(_) => result = Err(Status::TperMalfunction),
            }
        }
        self.after(&outcome);
        Some(match result {
            Ok(values) => Message::Results { values, status: None },
            Err(status) => Message::Results { values: Vec::new(), status: Some(status) },
        })
    }

    fn after(&mut self, outcome: &Outcome) {
        self.volatile.changed |= outcome.changed || outcome.dead;
        self.volatile.crashed |= outcome.crashed;
        self.volatile.dead |= outcome.dead;
        if outcome.ends_session || outcome.crashed {
            self.volatile.session = None;
        }
    }

    fn authenticate(&mut self, sp: Uid, call: &Call) -> Message {
        let authority = call.parameters.first().and_then(Value::as_uid);
        let pin = call.named(0).and_then(Value::as_bytes).unwrap_or(&[]);
        let status = match authority {
            None => Some(Status::InvalidParameter),
            Some(authority) => match self.verify(sp, authority, pin) {
                Ok(()) => {
                    if let Some(open) = &mut self.volatile.session {
                        open.shown.push(authority);
                        open.shown.truncate(8);
                    }
                    None
                }
                // Said as a value, not as a failure.
                Err(Status::NotAuthorized) => {
                    return Message::Results { values: vec![false.into()], status: None };
                }
                Err(status) => Some(status),
            },
        };
        let values = if status.is_none() { vec![true.into()] } else { Vec::new() };
        Message::Results { values, status }
    }
}

fn limits(profile: &Profile) -> Properties {
    let size = profile.max_com_packet;
    Properties {
        max_com_packet: size,
        max_response_com_packet: size,
        max_packet: size.saturating_sub(20),
        max_ind_token: size.saturating_sub(u32::try_from(HEADERS).unwrap_or(0)),
        ..Properties::default()
    }
}
