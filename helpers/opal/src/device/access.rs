//! Access control elements (Core 5.1.4.3): who must have shown a secret for what.

use serde::{Deserialize, Serialize};

use crate::token::Value;
use crate::uid::{self, half};
use crate::{Status, Uid};

/// An expression over authorities, in the order of a stack machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Expression(Vec<Term>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Term {
    Authority([u8; 8]),
    And,
    Or,
    Not,
}

/// Terms that an expression can have, more than any drive offers.
const MOST: usize = 64;

impl Expression {
    /// One of these.
    pub fn any(authorities: &[Uid]) -> Self {
        let mut terms = Vec::new();
        for (number, authority) in authorities.iter().enumerate() {
            terms.push(Term::Authority(authority.0));
            if number > 0 {
                terms.push(Term::Or);
            }
        }
        Self(terms)
    }

    /// From the cell of an ACE.
    pub fn decode(value: &Value) -> Result<Self, Status> {
        let list = value.as_list().ok_or(Status::InvalidParameter)?;
        if list.len() > MOST {
            return Err(Status::InsufficientSpace);
        }
        let mut terms = Vec::new();
        for value in list {
            let Value::Named(kind, value) = value else { return Err(Status::InvalidParameter) };
            terms.push(match (kind.as_bytes(), value.as_uid(), value.as_uint()) {
                (Some(kind), Some(uid), _) if kind == half::AUTHORITY => Term::Authority(uid.0),
                (Some(kind), _, Some(0)) if kind == half::BOOLEAN => Term::And,
                (Some(kind), _, Some(1)) if kind == half::BOOLEAN => Term::Or,
                (Some(kind), _, Some(2)) if kind == half::BOOLEAN => Term::Not,
                _ => return Err(Status::InvalidParameter),
            });
        }
        let expression = Self(terms);
        // One value must be left. Without an authority in it nobody satisfies it.
        expression.evaluate(|_| true).ok_or(Status::InvalidParameter)?;
        Ok(expression)
    }

    /// As the cell of an ACE.
    pub fn encode(&self) -> Value {
        let named = |kind: [u8; 4], value| Value::Named(Box::new(Value::bytes(&kind)), Box::new(value));
        let terms = self.0.iter().map(|term| match term {
            Term::Authority(uid) => named(half::AUTHORITY, Value::bytes(uid)),
            Term::And => named(half::BOOLEAN, Value::Uint(0)),
            Term::Or => named(half::BOOLEAN, Value::Uint(1)),
            Term::Not => named(half::BOOLEAN, Value::Uint(2)),
        });
        Value::List(terms.collect())
    }

    /// Whether those who have shown their secrets satisfy it.
    pub fn allows(&self, shown: &[Uid]) -> bool {
        self.evaluate(|wanted| satisfies(shown, wanted)).unwrap_or(false)
    }

    fn evaluate(&self, holds: impl Fn(Uid) -> bool) -> Option<bool> {
        if self.0.is_empty() {
            return Some(false);
        }
        let mut stack: Vec<bool> = Vec::new();
        for term in &self.0 {
            let value = match term {
                Term::Authority(uid) => holds(Uid(*uid)),
                Term::And => stack.pop()? & stack.pop()?,
                Term::Or => stack.pop()? | stack.pop()?,
                Term::Not => !stack.pop()?,
            };
            stack.push(value);
        }
        match stack.as_slice() {
            [value] => Some(*value),
            _ => None,
        }
    }
}

/// Whether one of them is the one that is wanted, or in the class that is wanted.
pub(super) fn satisfies(shown: &[Uid], wanted: Uid) -> bool {
    let class = match wanted {
        uid::ANYBODY => return true,
        uid::ADMINS => 0x0001_0000,
        uid::USERS => 0x0003_0000,
        _ => return shown.contains(&wanted),
    };
    // The PSID's row looks like an administrator's, and is none.
    shown.iter().any(|uid| uid.table() == wanted.table() && uid.row() & 0xffff_0000 == class && *uid != uid::PSID)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(list: &[Term]) -> Value {
        Expression(list.to_vec()).encode()
    }

    #[test]
    fn the_expression_that_cryptsetup_sets() {
        let (admin, user) = (uid::admin(1), uid::user(2));
        let value = terms(&[Term::Authority(admin.0), Term::Authority(user.0), Term::Or]);
        let expression = Expression::decode(&value).unwrap();
        assert!(expression.allows(&[admin]) && expression.allows(&[user]));
        assert!(!expression.allows(&[uid::user(1)]) && !expression.allows(&[]));
        assert_eq!(expression.encode(), value);
        assert_eq!(expression, Expression::any(&[admin, user]));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let user = Term::Authority(uid::user(1).0);
        for list in [&[Term::Or][..], &[user, Term::And], &[user, user], &[Term::Not]] {
            assert!(Expression::decode(&terms(list)).is_err(), "{list:?}");
        }
        assert!(Expression::decode(&Value::List(vec![Value::Uint(1)])).is_err());
        assert!(Expression::decode(&Value::Uint(1)).is_err());
        assert!(Expression::decode(&Value::List(vec![terms(&[user]); 65])).is_err());
    }

    #[test]
    fn classes_hold_their_members() {
        assert!(satisfies(&[uid::admin(3)], uid::ADMINS));
        assert!(!satisfies(&[uid::user(3), uid::SID, uid::PSID], uid::ADMINS));
        assert!(satisfies(&[uid::user(3)], uid::USERS));
        assert!(satisfies(&[], uid::ANYBODY));
        // And and Not, which nobody uses.
        let both =
            Expression(vec![Term::Authority(uid::user(1).0), Term::Authority(uid::user(2).0), Term::Not, Term::And]);
        assert!(both.allows(&[uid::user(1)]) && !both.allows(&[uid::user(1), uid::user(2)]));
    }
}
