//! The Admin SP (Opal 4.2): who owns the drive, and what sets it back.

use super::methods::{Context, text, to_bool, to_pin};
use super::state::{Key, LockingSp, Pin};
use crate::message::Call;
use crate::token::Value;
use crate::uid::{self, column, life_cycle, method};
use crate::{Status, Uid};

const SP_TABLE: Uid = Uid::new(0x205, 0);
const C_PIN_TABLE: Uid = Uid::new(0xb, 0);
const AUTHORITY_TABLE: Uid = Uid::new(9, 0);
const C_PIN_PSID: Uid = Uid::new(0xb, 0x0001_ff01);
/// Parameters of `Activate` and its like.
pub(super) const SELECTION: u64 = 0x06_0000;
pub(super) const POLICY: u64 = 0x06_0001;

impl Context<'_> {
    pub(super) fn admin_row(&self, object: Uid) -> Option<Vec<(u64, Value)>> {
        let uid = (0, object.into());
        let owner = self.is(uid::SID);
        Some(match object {
            uid::ADMIN_SP => {
                vec![uid, (1, text("Admin")), (column::LIFE_CYCLE, life_cycle::MANUFACTURED.into()), (7, false.into())]
            }
            uid::LOCKING_SP => {
                let active = self.state.locking.active;
                let cycle = if active { life_cycle::MANUFACTURED } else { life_cycle::MANUFACTURED_INACTIVE };
                vec![uid, (1, text("Locking")), (column::LIFE_CYCLE, cycle.into()), (7, false.into())]
            }
            // Everybody may read it: it is what the drive comes with.
            uid::C_PIN_MSID => vec![uid, (1, text("C_PIN_MSID")), (column::PIN, text(&self.state.msid))],
            uid::C_PIN_SID => {
                let mut row = vec![uid, (1, text("C_PIN_SID"))];
                if owner {
                    row.extend(pin_cells(&self.state.sid));
                }
                row
            }
            C_PIN_PSID if self.state.profile.psid => {
                let mut row = vec![uid, (1, text("C_PIN_PSID"))];
                if owner {
                    row.extend(pin_cells(&self.state.psid_pin));
                }
                row
            }
            uid::ANYBODY => vec![uid, (1, text("Anybody")), (column::ENABLED, true.into())],
            uid::SID => vec![
                uid,
                (1, text("SID")),
                (3, false.into()),
                (column::ENABLED, true.into()),
                (9, 1.into()),
                (10, uid::C_PIN_SID.into()),
            ],
            uid::PSID if self.state.profile.psid => {
                vec![uid, (1, text("PSID")), (column::ENABLED, true.into()), (9, 1.into()), (10, C_PIN_PSID.into())]
            }
            uid::TPER_INFO => vec![
                uid,
                (2, Value::bytes(self.state.serial.as_bytes())),
                (4, text("1.0")),
                (5, 1.into()),
                (7, Value::List(vec![text("Opal")])),
                (column::PROGRAMMATIC_RESET, self.state.programmatic_reset.into()),
            ],
            uid::DATA_REMOVAL => vec![uid, (1, self.state.data_removal.into())],
            _ => return None,
        })
    }

    pub(super) fn admin_rows(&self, table: Uid) -> Option<Vec<Uid>> {
        let psid = self.state.profile.psid;
        Some(match table {
            SP_TABLE => vec![uid::ADMIN_SP, uid::LOCKING_SP],
            C_PIN_TABLE => [uid::C_PIN_SID, uid::C_PIN_MSID].into_iter().chain(psid.then_some(C_PIN_PSID)).collect(),
            AUTHORITY_TABLE => [uid::ANYBODY, uid::SID].into_iter().chain(psid.then_some(uid::PSID)).collect(),
            _ => return None,
        })
    }

    pub(super) fn admin_set(&mut self, object: Uid, cells: &[(u64, &Value)]) -> Result<(), Status> {
        self.require(self.is(uid::SID))?;
        for (column, value) in cells {
            match (object, *column) {
                (uid::C_PIN_SID, column::PIN) => {
                    let pin = to_pin(value)?;
                    if !self.state.profile.faults.forgets_pin {
                        self.state.sid.change(pin).map_err(|_| Status::TperMalfunction)?;
                    }
                }
                (uid::TPER_INFO, column::PROGRAMMATIC_RESET) => self.state.programmatic_reset = to_bool(value)?,
                (uid::DATA_REMOVAL, 1) => {
                    // Destroying the keys is the only way that this drive knows.
                    self.state.data_removal =
                        value.as_uint().filter(|way| *way == 2).ok_or(Status::InvalidParameter)?;
                }
                _ => return Err(Status::NotAuthorized),
            }
        }
        Ok(())
    }

    pub(super) fn admin_call(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        match (call.object, call.method) {
            (uid::ADMIN_SP | uid::THIS_SP, method::REVERT) => self.revert(),
            (uid::LOCKING_SP, method::REVERT) => {
                self.require(self.is(uid::SID) || self.is(uid::PSID))?;
                self.revert_locking(None)?;
                Ok(Vec::new())
            }
            (uid::LOCKING_SP, method::ACTIVATE) => self.activate(call),
            _ => Err(Status::NotAuthorized),
        }
    }

    /// Sets the whole drive back, with new keys.
    fn revert(&mut self) -> Result<Vec<Value>, Status> {
        self.require(self.is(uid::SID) || self.is(uid::PSID))?;
        let faults = self.state.profile.faults;
        if faults.crash_in_revert {
            self.outcome.crashed = true;
            return Err(Status::Fail);
        }
        // Where the Locking SP sleeps, no key is touched (Opal 5.1.2.2): nothing was protected by it.
        let asleep = !self.state.locking.active;
        let global = self.state.locking.ranges.first().map(|range| range.key.clone());
        self.revert_locking(global.filter(|_| asleep))?;
        let failed = |_| Status::TperMalfunction;
        let limit = self.state.profile.try_limit;
        self.state.sid = Pin::new(self.state.msid.as_bytes(), limit).map_err(failed)?;
        self.state.psid_pin.tries = 0;
        self.state.programmatic_reset = false;
        self.state.profile.faults.msid_unanswered = false;
        self.outcome.ends_session = true;
        self.outcome.dead = faults.dead_after_revert;
        Ok(Vec::new())
    }

    /// Sets the Locking SP back. The Global Range keeps `key`, or gets a new one.
    pub(super) fn revert_locking(&mut self, key: Option<Key>) -> Result<(), Status> {
        let key = if self.state.profile.faults.keeps_nothing { None } else { key };
        self.state.locking = LockingSp::new(&self.state.profile, key).map_err(|_| Status::TperMalfunction)?;
        self.outcome.changed = true;
        Ok(())
    }

    /// Brings the Locking SP to life (Opal 5.1.1). The keys stay, so the data do.
    fn activate(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        self.require(self.is(uid::SID))?;
        if self.state.locking.active {
            // To activate what is active changes nothing.
            return Ok(Vec::new());
        }
        let selection = call.named(SELECTION).map(|value| self.selection(value)).transpose()?;
        if let Some(policy) = call.named(POLICY) {
            self.state.locking.admins_set_ranges = to_bool(policy)?;
        }
        let mut sid = self.state.sid.clone();
        sid.tries = 0;
        let locking = &mut self.state.locking;
        locking.active = true;
        if let Some(admin) = locking.authorities.get_mut(&uid::admin(1).row()) {
            // A copy of this moment: later changes of the one are none of the other.
            admin.pin = sid;
        }
        if let Some(selection) = selection {
            self.single_user(selection)?;
        }
        self.outcome.changed = true;
        Ok(Vec::new())
    }
}

/// The cells of a C_PIN that may be read: never the PIN itself.
pub(super) fn pin_cells(pin: &Pin) -> Vec<(u64, Value)> {
    vec![
        (column::TRY_LIMIT, u64::from(pin.limit).into()),
        (column::TRIES, u64::from(pin.tries).into()),
        (column::PERSISTENCE, pin.persistent.into()),
    ]
}
