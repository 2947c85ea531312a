//! Packets, tokens and methods of the storage security protocol. What is understood says the same once more.

use opal::message::{Call, Message};
use opal::packet::{self, Numbers};
use opal::token::Value;
use opal::{Uid, uid};

/// Calls, results and the end, as tokens and in packets.
pub fn seeds() -> Vec<Vec<u8>> {
    let values = vec![
        Value::Uint(0),
        Value::Uint(63),
        Value::Uint(u64::MAX),
        Value::Int(-1),
        Value::bytes(b"short"),
        Value::bytes(&[7; 300]),
        Value::List(vec![Value::named(3, 4), Value::List(Vec::new())]),
        Value::property("MaxComPacketSize", 2048),
    ];
    let call = Call::new(uid::SESSION_MANAGER, uid::method::PROPERTIES, values.clone());
    let messages = [Message::Call(call), Message::Results { values, status: None }, Message::EndOfSession];
    let mut seeds = Vec::new();
    for message in messages {
        let tokens = message.encode().to_vec();
        assert!(Message::decode(&tokens).is_ok_and(|decoded| decoded == message));
        seeds.push(packet::wrap(0x07fe, Numbers { tper: 0x1000, host: 0x41 }, &tokens, 4).to_vec());
        seeds.push(tokens);
    }
    seeds.push(packet::empty(0x07fe, 512, 1024));
    seeds
}

/// One input: tokens, or a packet with tokens in it.
pub fn run(data: &[u8]) {
    message(data);
    let Ok(unwrapped) = packet::unwrap(data) else { return };
    let Some((numbers, tokens)) = unwrapped.content else { return };
    assert!(!tokens.is_empty() && tokens.len() < data.len());
    let again = packet::wrap(unwrapped.comid, numbers, tokens, 512);
    assert_eq!(packet::unwrap(&again).ok().and_then(|again| again.content), Some((numbers, tokens)));
    message(tokens);
}

fn message(tokens: &[u8]) {
    let Ok(message) = Message::decode(tokens) else { return };
    assert_eq!(Message::decode(&message.encode()).ok(), Some(message.clone()));
    let _ = format!("{message:?}");
    let Message::Call(call) = &message else { return };
    let _: (Option<&Value>, Uid) = (call.named(0), call.object);
    for value in &call.parameters {
        let _ = (value.as_uint(), value.as_bool(), value.as_bytes(), value.as_uid(), value.as_list(), value.as_named());
    }
}
