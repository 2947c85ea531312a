//! Methods and their results (Core 3.2.4.1 and 3.2.4.2) as tokens.

use zeroize::Zeroizing;

use crate::token::{CALL, END_OF_DATA, END_OF_SESSION, Reader, START_LIST, Value};
use crate::{Garbage, Result, Status, Uid};

/// One thing that one side says to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A method is called. Also the form in which the session manager answers.
    Call(Call),
    /// What a method gave back.
    Results {
        /// The values.
        values: Vec<Value>,
        /// How it ended; `None` is well.
        status: Option<Status>,
    },
    /// The session is over.
    EndOfSession,
}

/// The call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The object that it is called on.
    pub object: Uid,
    /// The method.
    pub method: Uid,
    /// Parameters, the ones with a name last.
    pub parameters: Vec<Value>,
    /// Success from a host; how it ended in the answers of the session manager.
    pub status: Option<Status>,
}

impl Call {
    /// A call as a host makes it.
    pub fn new(object: Uid, method: Uid, parameters: Vec<Value>) -> Self {
        Self { object, method, parameters, status: None }
    }

    /// The parameter with this name.
    pub fn named(&self, name: u64) -> Option<&Value> {
        named(&self.parameters, name)
    }
}

/// The value of this name in a list.
pub fn named(values: &[Value], name: u64) -> Option<&Value> {
    values.iter().filter_map(Value::as_named).find(|(found, _)| *found == name).map(|(_, value)| value)
}

impl Message {
    /// As tokens. They may hold a PIN.
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        // Room from the start: a buffer that grows leaves copies of a PIN behind.
        let mut tokens = Zeroizing::new(Vec::with_capacity(self.room()));
        match self {
            Self::Call(call) => {
                tokens.push(CALL);
                Value::from(call.object).encode(&mut tokens);
                Value::from(call.method).encode(&mut tokens);
                encode_list(&call.parameters, &mut tokens);
                encode_status(call.status, &mut tokens);
            }
            Self::Results { values, status } => {
                encode_list(values, &mut tokens);
                encode_status(*status, &mut tokens);
            }
            Self::EndOfSession => tokens.push(END_OF_SESSION),
        }
        tokens
    }

    /// From tokens. Zeros behind the end are padding.
    ///
    /// # Errors
    /// [`Garbage`] for anything that is not one of the three.
    pub fn decode(tokens: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(tokens);
        // Whatever follows: the Linux kernel puts an empty status list behind it.
        if reader.take(END_OF_SESSION) {
            return Ok(Self::EndOfSession);
        }
        if reader.take(CALL) {
            let object = reader.value()?.as_uid().ok_or(Garbage::Token)?;
            let method = reader.value()?.as_uid().ok_or(Garbage::Token)?;
            reader.expect(START_LIST)?;
            let parameters = reader.list()?;
            let status = decode_status(&mut reader)?;
            return Ok(Self::Call(Call { object, method, parameters, status }));
        }
        reader.expect(START_LIST)?;
        let values = reader.list()?;
        let status = decode_status(&mut reader)?;
        Ok(Self::Results { values, status })
    }

    fn room(&self) -> usize {
        fn size(value: &Value) -> usize {
            match value {
                Value::Uint(_) | Value::Int(_) => 9,
                Value::Bytes(bytes) => bytes.len() + 4,
                Value::List(values) => 2 + values.iter().map(size).sum::<usize>(),
                Value::Named(name, value) => 2 + size(name) + size(value),
            }
        }
        let values = match self {
            Self::Call(call) => &call.parameters,
            Self::Results { values, .. } => values,
            Self::EndOfSession => return 4,
        };
        64 + values.iter().map(size).sum::<usize>()
    }
}

fn encode_list(values: &[Value], to: &mut Vec<u8>) {
    to.push(START_LIST);
    values.iter().for_each(|value| value.encode(to));
    to.push(crate::token::END_LIST);
}

fn encode_status(status: Option<Status>, to: &mut Vec<u8>) {
    to.push(END_OF_DATA);
    let number = status.map_or(0, Status::number);
    Value::List(vec![Value::Uint(number), Value::Uint(0), Value::Uint(0)]).encode(to);
}

fn decode_status(reader: &mut Reader<'_>) -> Result<Option<Status>> {
    reader.expect(END_OF_DATA)?;
    reader.expect(START_LIST)?;
    let list = reader.list()?;
    let number = list.first().and_then(Value::as_uint).ok_or(Garbage::Token)?;
    Ok(Status::from_number(number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::uid;

    /// The answer of a Crucial M550 to a StartSession with a wrong PIN, as it was recorded.
    #[test]
    fn a_refused_session_of_a_real_drive() {
        let tokens = [
            0xf8, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xa8, 0, 0, 0, 0, 0, 0, 0xff, 0x03, 0xf0, 0x84, 0, 0, 0, 0x69, 0x84,
            0, 0, 0, 0, 0xf1, 0xf9, 0xf0, 0x01, 0, 0, 0xf1,
        ];
        let Message::Call(call) = Message::decode(&tokens).unwrap() else { panic!() };
        assert_eq!((call.object, call.method), (uid::SESSION_MANAGER, uid::method::SYNC_SESSION));
        assert_eq!(call.parameters, [Value::Uint(0x69), Value::Uint(0)]);
        assert_eq!(call.status, Some(Status::NotAuthorized));
    }

    #[test]
    fn the_kernels_end_of_session_is_one() {
        let tokens = [0xfa, 0xf1, 0xf9, 0xf0, 0, 0, 0, 0xf1];
        assert_eq!(Message::decode(&tokens).unwrap(), Message::EndOfSession);
    }

    #[test]
    fn a_get_as_it_stands_in_the_specification() {
        let cells = Value::List(vec![Value::named(3, 3), Value::named(4, 3)]);
        let call = Call::new(uid::C_PIN_MSID, uid::method::GET, vec![cells]);
        let tokens = Message::Call(call.clone()).encode();
        let expected = [
            0xf8, 0xa8, 0, 0, 0, 0x0b, 0, 0, 0x84, 0x02, 0xa8, 0, 0, 0, 0x06, 0, 0, 0, 0x16, 0xf0, 0xf0, 0xf2, 3, 3,
            0xf3, 0xf2, 4, 3, 0xf3, 0xf1, 0xf1, 0xf9, 0xf0, 0, 0, 0, 0xf1,
        ];
        assert_eq!(tokens[..], expected);
        assert_eq!(Message::decode(&tokens).unwrap(), Message::Call(call));
    }

    #[test]
    fn the_room_is_enough() {
        let values = vec![Value::bytes(&[7; 3000]), Value::List(vec![Value::named(1, u64::MAX); 50])];
        let message = Message::Results { values, status: None };
        assert!(message.encode().len() <= message.room());
    }

    proptest! {
        #[test]
        fn no_tokens_are_too_bad(mut tokens in proptest::collection::vec(any::<u8>(), 0..200), kind in 0u8..3) {
            if let (Some(first), 1..) = (tokens.first_mut(), kind) {
                *first = [0, CALL, START_LIST][usize::from(kind)];
            }
            let _ = Message::decode(&tokens);
        }
    }
}
