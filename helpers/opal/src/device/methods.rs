//! The methods that both SPs share, and what they leave behind.

use std::sync::Arc;

use blockdev::Device;

use super::state::{State, random};
use crate::message::{Call, named};
use crate::token::Value;
use crate::uid::{self, method};
use crate::{Status, Uid};

/// What a method did beside its values.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The state is another one, and is to be kept.
    pub changed: bool,
    /// The drive ends the session.
    pub ends_session: bool,
    /// The firmware crashed.
    pub crashed: bool,
    /// Nothing can be read or written any more.
    pub dead: bool,
}

/// A method that is being carried out, on a copy of the state.
pub(super) struct Context<'a> {
    pub state: &'a mut State,
    pub device: &'a Arc<dyn Device>,
    pub sp: Uid,
    pub shown: &'a [Uid],
    write: bool,
    pub outcome: Outcome,
}

impl<'a> Context<'a> {
    pub fn new(state: &'a mut State, device: &'a Arc<dyn Device>, sp: Uid, write: bool, shown: &'a [Uid]) -> Self {
        Self { state, device, sp, shown, write, outcome: Outcome::default() }
    }

    pub fn call(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        let writes = !matches!(call.method, method::GET | method::NEXT | method::RANDOM | method::GET_ACL);
        if writes && !self.write {
            return Err(Status::NotAuthorized);
        }
        match call.method {
            method::GET => self.get(call),
            method::SET => self.set(call),
            method::NEXT => self.next(call),
            method::RANDOM if call.object == uid::THIS_SP => self.random(call),
            _ if self.sp == uid::ADMIN_SP => self.admin_call(call),
            _ => self.locking_call(call),
        }
    }

    /// Who has shown a secret.
    pub fn is(&self, authority: Uid) -> bool {
        super::access::satisfies(self.shown, authority)
    }

    pub fn require(&self, allowed: bool) -> Result<(), Status> {
        if allowed { Ok(()) } else { Err(Status::NotAuthorized) }
    }

    fn get(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        let cells = call.parameters.first().and_then(Value::as_list).ok_or(Status::InvalidParameter)?;
        let number = |name| match named(cells, name) {
            None => Ok(None),
            Some(value) => value.as_uint().map(Some).ok_or(Status::InvalidParameter),
        };
        if let Some(table) = self.byte_table(call.object) {
            return self.read_table(table, number(1)?, number(2)?);
        }
        let (first, last) = (number(3)?.unwrap_or(0), number(4)?.unwrap_or(u64::MAX));
        if first > last {
            return Err(Status::InvalidParameter);
        }
        let row = match self.sp {
            uid::ADMIN_SP => self.admin_row(call.object),
            _ => self.locking_row(call.object),
        };
        let row = row.ok_or(Status::NotAuthorized)?;
        let asked = row.into_iter().filter(|(column, _)| (first..=last).contains(column));
        let cells: Vec<Value> = asked.map(|(column, value)| Value::named(column, value)).collect();
        Ok(vec![Value::List(cells)])
    }

    fn set(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        let values = call.named(1);
        if let Some(table) = self.byte_table(call.object) {
            let offset = match call.named(0) {
                None => 0,
                Some(value) => value.as_uint().ok_or(Status::InvalidParameter)?,
            };
            let bytes = values.and_then(Value::as_bytes).ok_or(Status::InvalidParameter)?;
            return self.write_table(table, offset, bytes);
        }
        // To set nothing is allowed.
        let Some(values) = values else { return Ok(Vec::new()) };
        let list = values.as_list().ok_or(Status::InvalidParameter)?;
        let cells: Vec<(u64, &Value)> =
            list.iter().map(|value| value.as_named().ok_or(Status::InvalidParameter)).collect::<Result<_, _>>()?;
        match self.sp {
            uid::ADMIN_SP => self.admin_set(call.object, &cells)?,
            _ => self.locking_set(call.object, &cells)?,
        }
        self.outcome.changed = true;
        Ok(Vec::new())
    }

    /// The names of the rows of a table (Core 5.3.3.8).
    fn next(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        let all = match self.sp {
            uid::ADMIN_SP => self.admin_rows(call.object),
            _ => self.locking_rows(call.object),
        };
        let all = all.ok_or(Status::NotAuthorized)?;
        let from = match call.named(0) {
            None => 0,
            Some(value) => {
                let at = value.as_uid().ok_or(Status::InvalidParameter)?;
                all.iter().position(|uid| *uid == at).ok_or(Status::InvalidParameter)? + 1
            }
        };
        let count = call.named(1).and_then(Value::as_uint).and_then(|count| usize::try_from(count).ok());
        let rows = all.into_iter().skip(from).take(count.unwrap_or(usize::MAX)).map(Value::from);
        Ok(vec![Value::List(rows.collect())])
    }

    fn random(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        let count = call.parameters.first().and_then(Value::as_uint).ok_or(Status::InvalidParameter)?;
        let count = usize::try_from(count).ok().filter(|count| *count <= 1024).ok_or(Status::InvalidParameter)?;
        let mut bytes = vec![0; count];
        random(&mut bytes).map_err(|_| Status::TperMalfunction)?;
        Ok(vec![Value::bytes(&bytes)])
    }
}

/// A cell of text.
pub(super) fn text(text: &str) -> Value {
    Value::bytes(text.as_bytes())
}

/// A list of numbers.
pub(super) fn numbers(numbers: &[u64]) -> Value {
    Value::List(numbers.iter().map(|number| Value::Uint(*number)).collect())
}

/// From a list of numbers.
pub(super) fn to_numbers(value: &Value) -> Result<Vec<u64>, Status> {
    let list = value.as_list().filter(|list| list.len() <= 8).ok_or(Status::InvalidParameter)?;
    list.iter().map(|value| value.as_uint().ok_or(Status::InvalidParameter)).collect()
}

/// From a truth.
pub(super) fn to_bool(value: &Value) -> Result<bool, Status> {
    value.as_bool().ok_or(Status::InvalidParameter)
}

/// From a PIN: at most 32 bytes (Opal 4.2.1.8).
pub(super) fn to_pin(value: &Value) -> Result<&[u8], Status> {
    value.as_bytes().filter(|pin| pin.len() <= 32).ok_or(Status::InvalidParameter)
}
