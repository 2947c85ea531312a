//! Properties (Core 5.2.2.1): how much each side takes at once.

use serde::{Deserialize, Serialize};

use crate::token::Value;

/// What the drive takes. Values it did not name have the least that Opal demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties {
    /// Bytes in a ComPacket to the drive.
    pub max_com_packet: u32,
    /// Bytes in a ComPacket from the drive.
    pub max_response_com_packet: u32,
    /// Bytes in a Packet.
    pub max_packet: u32,
    /// Bytes in one value.
    pub max_ind_token: u32,
    /// Sessions at once.
    pub max_sessions: u32,
    /// Milliseconds after which a silent session is ended; 0 is never.
    pub session_timeout: u32,
}

impl Default for Properties {
    fn default() -> Self {
        Self {
            max_com_packet: 2048,
            max_response_com_packet: 2048,
            max_packet: 2028,
            max_ind_token: 1992,
            max_sessions: 1,
            session_timeout: 0,
        }
    }
}

impl Properties {
    /// From the list of named values that the drive sent. What is not understood is left out.
    pub(crate) fn from_values(values: &[Value]) -> Self {
        let mut properties = Self::default();
        for value in values {
            let Value::Named(name, value) = value else { continue };
            let (Some(name), Some(number)) = (name.as_bytes(), value.as_uint()) else { continue };
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            match name {
                b"MaxComPacketSize" => properties.max_com_packet = number,
                b"MaxResponseComPacketSize" => properties.max_response_com_packet = number,
                b"MaxPacketSize" => properties.max_packet = number,
                b"MaxIndTokenSize" => properties.max_ind_token = number,
                b"MaxSessions" => properties.max_sessions = number,
                b"DefSessionTimeout" => properties.session_timeout = number,
                _ => {}
            }
        }
        // A drive that offers less than the least is not believed.
        properties.max_com_packet = properties.max_com_packet.max(1024);
        properties.max_response_com_packet = properties.max_response_com_packet.max(1024);
        properties.max_packet = properties.max_packet.max(1004);
        properties.max_ind_token = properties.max_ind_token.max(968);
        properties
    }

    /// As the list that is sent.
    pub(crate) fn to_values(self) -> Vec<Value> {
        [
            ("MaxComPacketSize", self.max_com_packet),
            ("MaxResponseComPacketSize", self.max_response_com_packet),
            ("MaxPacketSize", self.max_packet),
            ("MaxIndTokenSize", self.max_ind_token),
            ("MaxPackets", 1),
            ("MaxSubpackets", 1),
            ("MaxMethods", 1),
            ("MaxSessions", self.max_sessions),
            ("MaxReadSessions", 0),
            ("MaxAuthentications", 5),
            ("MaxTransactionLimit", 1),
            ("DefSessionTimeout", self.session_timeout),
        ]
        .into_iter()
        .map(|(name, value)| Value::property(name, u64::from(value)))
        .collect()
    }
}
