//! The virtual drive against a host that sends what it likes: bytes, packets with strange lengths, methods that
//! make no sense. It stays a drive, and whoever shows no secret gets nothing and changes nothing.

use std::sync::Arc;

use blockdev::{Device, Memory};
use opal::device::{Drive, IoError, Local, Options, Profile};
use opal::message::{Call, Message};
use opal::packet::{self, Numbers};
use opal::session::{Patience, Tper};
use opal::token::Value;
use opal::uid::{self, ace, half, method};
use opal::{Uid, host};

use crate::script::Script;

const MIB: u64 = 1 << 20;
const PIN: &[u8] = b"owner";
const BLOCK: usize = 512;

/// Each kind of step, for a stranger and for the owner.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for who in 0..2 {
        for step in 0..8 {
            for choice in 0..12 {
                let mut seed = vec![who, step, choice, 0, choice, 0, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8];
                seed.extend([step, choice, 1, choice, 0, 1, 1, 1, 0, 0, 0, 0]);
                seeds.push(seed);
            }
        }
    }
    seeds
}

/// One input: who it is, and what they do.
pub fn run(data: &[u8]) {
    let mut script = Script::new(data);
    let owner = script.u8() % 2 == 1;
    let profile = Profile {
        shadow_mbr_size: MIB,
        data_store_size: 64 << 10,
        ranges: 3,
        users: 4,
        max_com_packet: 4096,
        ..Profile::default()
    };
    let comid = profile.comid;
    let size = usize::try_from(Drive::overhead(&profile) + MIB).expect("a few mebibytes");
    let device = Arc::new(Memory::new(vec![0; size]));
    let options = Options { profile, serial: "FUZZ0001".into() };
    let drive = Arc::new(Drive::create(Arc::clone(&device) as Arc<dyn Device>, options).expect("a drive"));
    let written = [0x5a; 4 * BLOCK];
    drive.write(1000, &written).expect("nothing is locked yet");
    lock(&drive);

    let mut guest = Guest { drive: &drive, comid, numbers: Numbers::default(), host: 1 };
    if owner {
        guest.start(uid::LOCKING_SP, Some((uid::admin(1), PIN)));
    }
    while !script.is_empty() {
        guest.step(&mut script);
        if !owner {
            assert!(matches!(drive.read(1000, &mut [0; BLOCK]), Err(IoError::Denied)), "a stranger has opened it");
            assert!(drive.write(1000, &[1; BLOCK]).is_err(), "a stranger has opened it");
        }
    }
    drop(drive);
    // The next power-on: whatever was done, what lies in the file is a drive.
    let drive = Arc::new(Drive::open(device as Arc<dyn Device>).expect("it is still a drive"));
    let mut tper = tper(&drive);
    tper.session(uid::ADMIN_SP, None).and_then(opal::Session::end).expect("it still answers");
    if owner {
        return;
    }
    host::unlock(&mut tper, &model::Secret::new(PIN.to_vec()), 0).expect("the owner's PIN is still the owner's");
    let mut found = [0; 4 * BLOCK];
    drive.read(1000, &mut found).expect("it is open");
    assert_eq!(found, written, "a stranger has changed what lies on it");
}

fn tper(drive: &Arc<Drive>) -> Tper<Local> {
    let patience = Patience { pause: std::time::Duration::ZERO, looks: 20 };
    Tper::open_with(Local(Arc::clone(drive)), patience).expect("a drive answers")
}

/// Owned, with the Global Range locked.
fn lock(drive: &Arc<Drive>) {
    let pin = model::Secret::new(PIN.to_vec());
    let mut tper = tper(drive);
    host::set_up(&mut tper, &pin).expect("a new drive");
    host::locking(&mut tper, &pin, 0, true).expect("an owner");
    host::lock(&mut tper, &pin, 0).expect("an owner");
}

/// Somebody who talks to the drive in packets of their own.
struct Guest<'a> {
    drive: &'a Arc<Drive>,
    comid: u16,
    numbers: Numbers,
    host: u32,
}

impl Guest<'_> {
    fn step(&mut self, script: &mut Script<'_>) {
        match script.u8() % 8 {
            // Bytes, to any protocol.
            0 => {
                let (protocol, specific) = (script.u8() % 4, *script.one(&[self.comid, 0, 1, 4, 5, 0xffff]));
                let count = usize::from(script.u16());
                self.drive.security_send(protocol, specific, script.bytes(count));
                let length = usize::from(script.u16());
                let answer = self.drive.security_receive(protocol, specific, length);
                assert!(answer.is_none_or(|answer| answer.len() == length));
            }
            1 => {
                let sp = *script.one(&[uid::ADMIN_SP, uid::LOCKING_SP, uid::THIS_SP]);
                self.start(sp, None);
            }
            // A PIN that they make up.
            2 => {
                let sp = *script.one(&[uid::ADMIN_SP, uid::LOCKING_SP]);
                let authority = *script.one(&[uid::SID, uid::PSID, uid::admin(1), uid::admin(2), uid::user(1)]);
                let count = usize::from(script.u8() % 40);
                self.start(sp, Some((authority, script.bytes(count))));
            }
            3 | 4 => {
                let message = self.call(script);
                self.say(&message, &[]);
            }
            // A call with a few bytes that are others: lengths, numbers, tokens.
            5 => {
                let message = self.call(script);
                let flips: Vec<(usize, u8)> =
                    (0..script.u8() % 6).map(|_| (usize::from(script.u8()), script.u8())).collect();
                self.say(&message, &flips);
            }
            6 => {
                self.say(&Message::EndOfSession, &[]);
                self.numbers = Numbers::default();
            }
            _ => match script.u8() % 4 {
                0 => drop(self.drive.hardware_reset()),
                1 => drop(self.drive.power_cycle()),
                2 => self.drive.interface_reset(),
                _ => {
                    let mut buffer = [0; BLOCK];
                    let _ = self.drive.read(script.u64(), &mut buffer);
                    let _ = self.drive.trim(script.u64(), script.u64());
                }
            },
        }
    }

    fn start(&mut self, sp: Uid, who: Option<(Uid, &[u8])>) {
        self.host += 1;
        let mut parameters = vec![Value::Uint(self.host.into()), sp.into(), true.into()];
        if let Some((authority, pin)) = who {
            parameters.extend([Value::named(0, pin), Value::named(3, authority)]);
        }
        self.numbers = Numbers::default();
        let call = Call::new(uid::SESSION_MANAGER, method::START_SESSION, parameters);
        if let Some(Message::Call(Call { parameters, status: None, .. })) = self.say(&Message::Call(call), &[])
            && let Some(number) = parameters.get(1).and_then(Value::as_uint)
        {
            self.numbers = Numbers { tper: u32::try_from(number).unwrap_or(0), host: self.host };
        }
    }

    fn say(&mut self, message: &Message, flips: &[(usize, u8)]) -> Option<Message> {
        let mut packet = packet::wrap(self.comid, self.numbers, &message.encode(), 4);
        for (at, bits) in flips {
            let at = at % packet.len();
            packet[at] ^= bits;
        }
        self.drive.security_send(1, self.comid, &packet);
        let answer = self.drive.security_receive(1, self.comid, 4096)?;
        Message::decode(packet::unwrap(&answer).expect("what a drive says is well formed").content?.1).ok()
    }

    fn call(&self, script: &mut Script<'_>) -> Message {
        let object = *script.one(&[
            uid::THIS_SP,
            uid::ADMIN_SP,
            uid::LOCKING_SP,
            uid::GLOBAL_RANGE,
            uid::range(1),
            uid::key(0),
            uid::key(1),
            uid::MBR,
            uid::MBR_CONTROL,
            uid::data_store(0),
            uid::C_PIN_SID,
            uid::C_PIN_MSID,
            uid::admin(1),
            uid::admin(2),
            uid::user(1),
            uid::c_pin(uid::admin(1)),
            uid::c_pin(uid::user(1)),
            ace::read_locked(0),
            ace::MBR_DONE,
            uid::LOCKING_INFO,
            uid::table_row(uid::MBR),
            uid::LOCKING_TABLE,
            uid::SESSION_MANAGER,
            uid::TPER_INFO,
        ]);
        let method = *script.one(&[
            method::GET,
            method::SET,
            method::NEXT,
            method::GEN_KEY,
            method::REVERT_SP,
            method::REVERT,
            method::ACTIVATE,
            method::RANDOM,
            method::AUTHENTICATE,
            method::ERASE,
            method::REACTIVATE,
            method::GET_ACL,
            method::PROPERTIES,
            method::START_SESSION,
        ]);
        // Most methods take a list of cells.
        let parameters = match script.u8() % 4 {
            0 => {
                let cells = vec![Value::named((script.u8() % 16).into(), value(script, 2))];
                vec![Value::named(1, Value::List(cells))]
            }
            1 => vec![Value::List(vec![Value::named(3, u64::from(script.u8())), Value::named(4, script.u64())])],
            2 => vec![Value::named(0, script.u64()), Value::named(1, value(script, 2))],
            _ => (0..script.u8() % 5).map(|_| value(script, 0)).collect(),
        };
        Message::Call(Call::new(object, method, parameters))
    }
}

fn value(script: &mut Script<'_>, depth: u8) -> Value {
    match script.u8() % 9 {
        0 => Value::Uint((script.u8() % 3).into()),
        1 => Value::Uint(script.u64()),
        2 => Value::Int(script.u64().cast_signed()),
        3 => {
            let length = usize::from(script.u16() % 2048);
            Value::bytes(script.bytes(length))
        }
        4 if depth < 4 => (0..script.u8() % 5).map(|_| value(script, depth + 1)).collect::<Vec<_>>().into(),
        5 if depth < 4 => {
            let name = value(script, depth + 1);
            Value::Named(Box::new(name), Box::new(value(script, depth + 1)))
        }
        // Terms of an expression, as an access control element has them.
        6 => {
            let authority = *script.one(&[uid::ANYBODY, uid::ADMINS, uid::user(1)]);
            Value::Named(Box::new(Value::bytes(&half::AUTHORITY)), Box::new(authority.into()))
        }
        7 => Value::Named(Box::new(Value::bytes(&half::BOOLEAN)), Box::new(Value::Uint((script.u8() % 4).into()))),
        _ => Value::named(0x06_0000 + u64::from(script.u8() % 3), u64::from(script.u8() % 2)),
    }
}
