//! What the KV secrets engine of version 2 says, as Vault's and OpenBao's HTTP API have it. Pure, for the tests and
//! the fuzzer: <https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2>.

use serde::Deserialize;

use crate::receipt;

/// An answer to a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvWritten {
    /// The number of the new version, from 1.
    pub version: u64,
    /// When it was written, by Vault's clock (RFC 3339).
    pub created: Option<String>,
}

/// An answer to a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvRead {
    /// The version that this is.
    pub version: u64,
    /// What lies under the name `age`. `None`: nothing, because this version was deleted.
    pub sealed: Option<String>,
}

#[derive(Deserialize)]
struct Written {
    data: WrittenData,
}

#[derive(Deserialize)]
struct WrittenData {
    version: u64,
    #[serde(default)]
    created_time: Option<String>,
}

#[derive(Deserialize)]
struct Read {
    data: ReadData,
}

#[derive(Deserialize)]
struct ReadData {
    #[serde(default)]
    data: Option<ReadSecret>,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct ReadSecret {
    #[serde(default)]
    age: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    version: u64,
}

/// Reads the answer to a write. `None`: it is none.
pub fn written_answer(body: &[u8]) -> Option<KvWritten> {
    let Written { data } = serde_json::from_slice(body).ok()?;
    let created = data.created_time.as_deref().and_then(receipt::plain);
    (data.version > 0).then_some(KvWritten { version: data.version, created })
}

/// Reads the answer to a read, also that of a version that was deleted, which comes with the status 404. `None`: it is
/// none.
pub fn read_answer(body: &[u8]) -> Option<KvRead> {
    let Read { data } = serde_json::from_slice(body).ok()?;
    let sealed = data.data.and_then(|secret| secret.age);
    (data.metadata.version > 0).then_some(KvRead { version: data.metadata.version, sealed })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// From Vault's own documentation of its HTTP API, shortened.
    #[test]
    fn answers_as_they_are_documented() {
        let written = br#"{"request_id":"x","lease_id":"","renewable":false,"data":{"created_time":
            "2018-03-22T02:36:43.986212308Z","custom_metadata":null,"deletion_time":"","destroyed":false,"version":1}}"#;
        let created = Some("2018-03-22T02:36:43.986212308Z".to_owned());
        assert_eq!(written_answer(written), Some(KvWritten { version: 1, created }));
        let read = br#"{"data":{"data":{"age":"x"},"metadata":{"created_time":"t","version":2,"destroyed":false}}}"#;
        assert_eq!(read_answer(read), Some(KvRead { version: 2, sealed: Some("x".into()) }));
        let deleted = br#"{"data":{"data":null,"metadata":{"deletion_time":"t","destroyed":false,"version":3}}}"#;
        assert_eq!(read_answer(deleted), Some(KvRead { version: 3, sealed: None }));
        for nothing in [&b"{\"errors\":[]}"[..], b"", b"null", b"{\"data\":{}}", b"{\"data\":{\"version\":-1}}"] {
            assert_eq!((written_answer(nothing), read_answer(nothing)), (None, None));
        }
        // What is shown in a terminal is plain.
        let colours = br#"{"data":{"version":1,"created_time":"\u001b[31m"}}"#;
        assert_eq!(written_answer(colours), Some(KvWritten { version: 1, created: None }));
    }

    proptest! {
        #[test]
        fn nothing_makes_them_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = (written_answer(&bytes), read_answer(&bytes));
        }
    }
}
