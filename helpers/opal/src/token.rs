//! Tokens (Core 3.2.2): the alphabet in which methods and their results are written.

use std::fmt;

use zeroize::Zeroizing;

use crate::{Error, Garbage, Result, Uid};

pub(crate) const START_LIST: u8 = 0xf0;
pub(crate) const END_LIST: u8 = 0xf1;
pub(crate) const START_NAME: u8 = 0xf2;
pub(crate) const END_NAME: u8 = 0xf3;
pub(crate) const CALL: u8 = 0xf8;
pub(crate) const END_OF_DATA: u8 = 0xf9;
pub(crate) const END_OF_SESSION: u8 = 0xfa;
pub(crate) const EMPTY: u8 = 0xff;

/// Lists in lists in lists: nothing real goes deeper than six.
const DEPTH: usize = 16;

/// A value of a method's parameter or result.
///
/// Bytes may be a PIN: they are cleared when dropped, and `Debug` shows no more than their length,
/// unless they are as long as a UID.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// A number that is not negative.
    Uint(u64),
    /// A signed number.
    Int(i64),
    /// Bytes.
    Bytes(Zeroizing<Vec<u8>>),
    /// A list of values.
    List(Vec<Value>),
    /// A name (a number, or bytes in Enterprise and in properties) and its value.
    Named(Box<Value>, Box<Value>),
}

impl Value {
    /// Bytes.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(Zeroizing::new(bytes.to_vec()))
    }

    /// A value with a number for a name.
    pub fn named(name: u64, value: impl Into<Self>) -> Self {
        Self::Named(Box::new(Self::Uint(name)), Box::new(value.into()))
    }

    /// A value with a text for a name.
    pub fn property(name: &str, value: u64) -> Self {
        Self::Named(Box::new(Self::bytes(name.as_bytes())), Box::new(Self::Uint(value)))
    }

    /// The number, if it is one.
    pub fn as_uint(&self) -> Option<u64> {
        match self {
            Self::Uint(number) => Some(*number),
            Self::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// A truth, if it is 0 or 1.
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_uint() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        }
    }

    /// The bytes, if they are some.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// A UID, if it is eight bytes.
    pub fn as_uid(&self) -> Option<Uid> {
        Some(Uid(self.as_bytes()?.try_into().ok()?))
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(values) => Some(values),
            _ => None,
        }
    }

    /// Name and value, if it has a name that is a number.
    pub fn as_named(&self) -> Option<(u64, &Self)> {
        match self {
            Self::Named(name, value) => Some((name.as_uint()?, value)),
            _ => None,
        }
    }

    /// Writes the value.
    pub fn encode(&self, to: &mut Vec<u8>) {
        match self {
            Self::Uint(number) => encode_uint(*number, to),
            Self::Int(number) => encode_int(*number, to),
            Self::Bytes(bytes) => encode_bytes(bytes, to),
            Self::List(values) => {
                to.push(START_LIST);
                values.iter().for_each(|value| value.encode(to));
                to.push(END_LIST);
            }
            Self::Named(name, value) => {
                to.push(START_NAME);
                name.encode(to);
                value.encode(to);
                to.push(END_NAME);
            }
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uint(number) => write!(f, "{number}"),
            Self::Int(number) => write!(f, "{number}i"),
            Self::Bytes(bytes) if bytes.len() == 8 => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Bytes(bytes) => write!(f, "<{} bytes>", bytes.len()),
            Self::List(values) => f.debug_list().entries(values).finish(),
            Self::Named(name, value) => write!(f, "{name:?}={value:?}"),
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Uint(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Uint(u64::from(truth))
    }
}

impl From<Uid> for Value {
    fn from(uid: Uid) -> Self {
        Self::bytes(&uid.0)
    }
}

impl From<Vec<Self>> for Value {
    fn from(values: Vec<Self>) -> Self {
        Self::List(values)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::bytes(bytes)
    }
}

fn encode_uint(number: u64, to: &mut Vec<u8>) {
    if number < 64 {
        to.push(number.to_le_bytes()[0]);
        return;
    }
    let bytes = number.to_be_bytes();
    let skipped = (number.leading_zeros() / 8) as usize;
    // At most eight: fits into the four bits of a short atom.
    to.push(0x80 | (bytes.len() - skipped).to_le_bytes()[0]);
    to.extend(&bytes[skipped..]);
}

fn encode_int(number: i64, to: &mut Vec<u8>) {
    let bytes = number.to_be_bytes();
    if (-32..32).contains(&number) {
        to.push(0x40 | bytes[7] & 0x3f);
        return;
    }
    to.push(0x80 | 0x10 | 8);
    to.extend(bytes);
}

fn encode_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    let length = bytes.len().to_be_bytes();
    let [.., high, middle, low] = length;
    match bytes.len() {
        0..=15 => to.push(0xa0 | low),
        16..=2047 => to.extend([0xd0 | middle, low]),
        _ => to.extend([0xe2, high, middle, low]),
    }
    to.extend(bytes);
}

/// Reads values one after the other. Never reads beyond its bytes, and allocates no more than they are.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next byte that means something, left where it is. Empty atoms mean nothing.
    pub fn peek(&mut self) -> Option<u8> {
        while let [EMPTY, rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.first().copied()
    }

    /// Steps over a control token if it is the next one.
    pub fn take(&mut self, token: u8) -> bool {
        let is = self.peek() == Some(token);
        if is {
            self.rest = &self.rest[1..];
        }
        is
    }

    /// Steps over a control token.
    pub fn expect(&mut self, token: u8) -> Result<()> {
        if self.take(token) { Ok(()) } else { Err(Garbage::Token.into()) }
    }

    /// The next value.
    pub fn value(&mut self) -> Result<Value> {
        self.nested(DEPTH)
    }

    /// Values up to the end of the list that has begun.
    pub fn list(&mut self) -> Result<Vec<Value>> {
        self.list_nested(DEPTH)
    }

    fn list_nested(&mut self, depth: usize) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        while !self.take(END_LIST) {
            values.push(self.nested(depth)?);
        }
        Ok(values)
    }

    fn nested(&mut self, depth: usize) -> Result<Value> {
        let depth = depth.checked_sub(1).ok_or(Error::Garbage(Garbage::Depth))?;
        match self.peek() {
            Some(START_LIST) => {
                self.expect(START_LIST)?;
                Ok(Value::List(self.list_nested(depth)?))
            }
            Some(START_NAME) => {
                self.expect(START_NAME)?;
                let name = self.nested(depth)?;
                let value = self.nested(depth)?;
                self.expect(END_NAME)?;
                Ok(Value::Named(Box::new(name), Box::new(value)))
            }
            Some(_) => self.atom(),
            None => Err(Garbage::Short.into()),
        }
    }

    fn atom(&mut self) -> Result<Value> {
        let first = self.byte()?;
        let (bytes, signed, length) = match first {
            0x00..=0x3f => return Ok(Value::Uint(u64::from(first))),
            // Six bits with a sign.
            0x40..=0x7f => return Ok(Value::Int(i64::from((first << 2).cast_signed() >> 2))),
            0x80..=0xbf => (first & 0x20 != 0, first & 0x10 != 0, usize::from(first & 0x0f)),
            0xc0..=0xdf => {
                let low = self.byte()?;
                (first & 0x10 != 0, first & 0x08 != 0, usize::from(first & 0x07) << 8 | usize::from(low))
            }
            0xe0..=0xe3 => {
                let length = [self.byte()?, self.byte()?, self.byte()?];
                let length = length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
                (first & 0x02 != 0, first & 0x01 != 0, length)
            }
            _ => return Err(Garbage::Token.into()),
        };
        let content = self.bytes(length)?;
        // A sign on bytes means that they go on in the next atom. Nobody does that, and neither do we.
        match (bytes, signed) {
            (true, false) => Ok(Value::bytes(content)),
            (true, true) => Err(Garbage::Token.into()),
            (false, false) => unsigned(content).map(Value::Uint),
            (false, true) => self::signed(content).map(Value::Int),
        }
    }

    fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or(Error::Garbage(Garbage::Short))?;
        self.rest = rest;
        Ok(*first)
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Error::Garbage(Garbage::Short))?;
        self.rest = rest;
        Ok(taken)
    }
}

fn unsigned(bytes: &[u8]) -> Result<u64> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    if bytes.len() - zeros > 8 {
        return Err(Garbage::Number.into());
    }
    Ok(bytes[zeros..].iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

fn signed(bytes: &[u8]) -> Result<i64> {
    if bytes.len() > 8 {
        return Err(Garbage::Number.into());
    }
    let begin = if bytes.first().is_some_and(|first| first & 0x80 != 0) { -1 } else { 0 };
    Ok(bytes.iter().fold(begin, |sum: i64, byte| sum << 8 | i64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        value.encode(&mut bytes);
        bytes
    }

    fn decoded(bytes: &[u8]) -> Result<Value> {
        let mut reader = Reader::new(bytes);
        let value = reader.value()?;
        assert!(reader.peek().is_none());
        Ok(value)
    }

    #[test]
    fn atoms_have_their_shortest_form() {
        assert_eq!(encoded(&Value::Uint(0)), [0]);
        assert_eq!(encoded(&Value::Uint(63)), [63]);
        assert_eq!(encoded(&Value::Uint(64)), [0x81, 64]);
        assert_eq!(encoded(&Value::Uint(0x1234)), [0x82, 0x12, 0x34]);
        assert_eq!(encoded(&Value::Uint(u64::MAX))[0], 0x88);
        assert_eq!(encoded(&Value::Int(-1)), [0x7f]);
        assert_eq!(encoded(&Value::bytes(&[1; 15]))[0], 0xaf);
        assert_eq!(encoded(&Value::bytes(&[1; 16]))[..2], [0xd0, 16]);
        assert_eq!(encoded(&Value::bytes(&[1; 2047]))[..2], [0xd7, 0xff]);
        assert_eq!(encoded(&Value::bytes(&[1; 2048]))[..4], [0xe2, 0, 8, 0]);
    }

    #[test]
    fn longer_forms_are_read_too() {
        // sedutil pads its numbers; 0x84 0 0 0 0x69 is its session number in the answer of a Crucial M550.
        assert_eq!(decoded(&[0x84, 0, 0, 0, 0x69]).unwrap(), Value::Uint(0x69));
        assert_eq!(decoded(&[0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]).unwrap(), Value::Uint(7));
        assert_eq!(decoded(&[0xff, 0xff, 5, 0xff]).unwrap(), Value::Uint(5));
        assert_eq!(decoded(&[0xc0, 1, 9]).unwrap(), Value::Uint(9));
        assert_eq!(decoded(&[0x91, 0xfe]).unwrap(), Value::Int(-2));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for bytes in [
            &[][..],
            &[0xa4, 1, 2],
            &[0xd0],
            &[0xe2, 0xff, 0xff, 0xff, 1],
            &[0xf1],
            &[0xf8],
            &[0xe7],
            &[0x8a, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7],
            &[0xf2, 1, 2],
            &[0xf2, 1, 2, 3],
            &[0xf0, 1],
            &[0xf0; 64],
        ] {
            let mut reader = Reader::new(bytes);
            assert!(matches!(reader.value(), Err(Error::Garbage(_))), "{bytes:02x?}");
        }
    }

    #[test]
    fn no_pin_is_shown() {
        let shown = format!("{:?}", Value::named(3, Value::bytes(b"a secret PIN")));
        assert_eq!(shown, "3=<12 bytes>");
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<u64>().prop_map(Value::Uint),
            any::<i64>().prop_map(Value::Int),
            proptest::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| Value::bytes(&bytes)),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::List),
                (inner.clone(), inner).prop_map(|(name, value)| Value::Named(Box::new(name), Box::new(value))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(value in values()) {
            prop_assert_eq!(decoded(&encoded(&value)).unwrap(), value);
        }

        #[test]
        fn no_bytes_are_too_bad(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut reader = Reader::new(&bytes);
            while reader.value().is_ok() {}
        }
    }
}
