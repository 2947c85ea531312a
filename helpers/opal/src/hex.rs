//! Hexadecimal digits, small letters.

/// Two digits for each byte.
pub fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value & 0x0f)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// The reverse. `None` for anything that [`encode`] does not make.
pub fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let value = |digit: &u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits.chunks_exact(2).map(|pair| Some(value(&pair[0])? << 4 | value(&pair[1])?)).collect()
}

/// For `#[serde(with = "crate::hex::text")]`: bytes as one short string.
pub mod text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: impl AsRef<[u8]>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::encode(bytes.as_ref()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: TryFrom<Vec<u8>>>(from: D) -> Result<T, D::Error> {
        let digits = String::deserialize(from)?;
        let bytes = super::decode(digits.as_bytes()).ok_or_else(|| D::Error::custom("no hexadecimal digits"))?;
        T::try_from(bytes).map_err(|_| D::Error::custom("another number of bytes"))
    }
}
