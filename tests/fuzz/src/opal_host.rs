//! The host against a drive that answers what it likes: well-formed answers with strange values, packets with
//! strange lengths, bytes. Everything that is asked ends.

use std::time::Duration;

use model::Secret;
use opal::message::{Call, Message};
use opal::packet::{self, Numbers};
use opal::session::{Patience, Tper};
use opal::token::Value;
use opal::{Result, Status, Transport, uid};

use crate::opal_discovery::{descriptor, wrapped};
use crate::script::Script;

/// A drive that does as it should, and one that goes wrong at each step.
pub fn seeds() -> Vec<Vec<u8>> {
    let good = [0; 24];
    let mut seeds = vec![good.to_vec()];
    for at in 0..good.len() {
        for kind in 1..8 {
            let mut seed = good.to_vec();
            seed[at] = kind;
            seed.extend([3, 1, 2, 3, 4, 5, 6, 7]);
            seeds.push(seed);
        }
    }
    seeds
}

/// One input: what the drive does.
pub fn run(data: &[u8]) {
    let drive = Drive { script: Script::new(data), numbers: Numbers::default(), asked: None };
    let patience = Patience { pause: Duration::ZERO, looks: 3 };
    let Ok(mut tper) = Tper::open_with(drive, patience) else { return };
    let _ = tper.protocols();
    let _ = tper.exchange_properties();
    let _ = tper.reset_stack();
    let secret = Secret::from("secret");
    for who in [None, Some((uid::SID, &secret))] {
        let Ok(mut session) = tper.session(uid::ADMIN_SP, who) else { continue };
        let _ = session.get(uid::C_PIN_MSID, 3..=3);
        let _ = session.rows(uid::C_PIN_MSID);
        let _ = session.table_size(uid::C_PIN_MSID);
        let _ = session.read_bytes(uid::C_PIN_MSID, 0, 5000);
        let _ = session.authenticate(uid::SID, &secret);
        let _ = session.set(uid::C_PIN_MSID, vec![(3, Value::bytes(b"x"))]);
        let _ = session.end();
    }
    let _ = tper.refresh();
}

struct Drive<'a> {
    script: Script<'a>,
    /// Those of the session that was opened last.
    numbers: Numbers,
    /// What the host said last.
    asked: Option<Message>,
}

impl Transport for Drive<'_> {
    fn send(&mut self, _: u8, _: u16, data: &[u8]) -> Result<()> {
        assert!(data.len().is_multiple_of(self.unit()) && data.len() <= self.largest());
        self.asked = packet::unwrap(data).ok().and_then(|sent| Message::decode(sent.content?.1).ok());
        if self.script.u8() == 1 { Err(opal::Error::NotSupported) } else { Ok(()) }
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        buffer.fill(0);
        let answer = match self.script.u8() % 8 {
            1 => return Err(opal::Error::NotSupported),
            2 => {
                let length = usize::from(self.script.u8());
                self.script.bytes(length).to_vec()
            }
            3 => packet::empty(0x07fe, self.script.u32(), self.script.u32()),
            kind => {
                let mut answer = self.answer(protocol, specific, kind);
                if kind == 5 {
                    // One byte of the envelopes is another.
                    let at = usize::from(self.script.u8());
                    let value = self.script.u8();
                    if let Some(byte) = answer.get_mut(at) {
                        *byte = value;
                    }
                }
                answer
            }
        };
        let length = answer.len().min(buffer.len());
        buffer[..length].copy_from_slice(&answer[..length]);
        Ok(())
    }
}

impl Drive<'_> {
    /// What fits to what was asked; with kind 4 and 6 with values and a status of the input's own.
    fn answer(&mut self, protocol: u8, specific: u16, kind: u8) -> Vec<u8> {
        if protocol == 0 {
            return vec![0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 2];
        }
        if (protocol, specific) == (1, 1) {
            return wrapped(&[descriptor(1), descriptor(2), descriptor(0x203)].concat());
        }
        let status = if kind == 6 { Status::from_number(self.script.u8().into()) } else { None };
        let mut values = Vec::new();
        if kind == 4 {
            for _ in 0..self.script.u8() % 8 {
                values.push(self.value(0));
            }
        }
        let message = match self.asked.take() {
            Some(Message::Call(call)) if call.method == uid::method::START_SESSION => {
                let host = call.parameters.first().and_then(Value::as_uint).unwrap_or(0);
                self.numbers = Numbers { tper: 0x1000, host: u32::try_from(host).unwrap_or(0) };
                let numbers = vec![Value::Uint(host), Value::Uint(0x1000)];
                let parameters = if kind == 4 { values } else { numbers };
                let answer = Call { status, ..Call::new(call.object, uid::method::SYNC_SESSION, parameters) };
                return packet::wrap(0x07fe, Numbers::default(), &Message::Call(answer).encode(), 4).to_vec();
            }
            Some(Message::Call(call)) if call.method == uid::method::PROPERTIES => {
                if kind != 4 {
                    values.push(Value::List(vec![Value::property("MaxComPacketSize", 2048)]));
                }
                let answer = Call { status, ..Call::new(call.object, call.method, values) };
                return packet::wrap(0x07fe, Numbers::default(), &Message::Call(answer).encode(), 4).to_vec();
            }
            Some(Message::EndOfSession) => Message::EndOfSession,
            _ => Message::Results { values, status },
        };
        packet::wrap(0x07fe, self.numbers, &message.encode(), 4).to_vec()
    }

    fn value(&mut self, depth: u8) -> Value {
        match self.script.u8() % 6 {
            0 => Value::Uint(self.script.u8().into()),
            1 => Value::Uint(self.script.u64()),
            2 => Value::Int(self.script.u64().cast_signed()),
            3 => {
                let length = usize::from(self.script.u8() % 64);
                Value::bytes(self.script.bytes(length))
            }
            4 if depth < 4 => (0..self.script.u8() % 4).map(|_| self.value(depth + 1)).collect::<Vec<_>>().into(),
            5 if depth < 4 => {
                let name = self.value(depth + 1);
                Value::Named(Box::new(name), Box::new(self.value(depth + 1)))
            }
            _ => Value::bytes(&[0; 8]),
        }
    }
}
