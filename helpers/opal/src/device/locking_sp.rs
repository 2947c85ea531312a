//! The Locking SP (Opal 4.3): ranges, their locks and keys, users, the shadow MBR and the DataStore.

use std::collections::BTreeSet;

use super::access::Expression;
use super::admin_sp::{POLICY, SELECTION, pin_cells};
use super::media::{read_table, write_table};
use super::methods::{Context, numbers, text, to_bool, to_numbers, to_pin};
use super::profile::ShadowMbr;
use super::state::{Key, Range};
use crate::message::Call;
use crate::token::Value;
use crate::uid::{self, ace, column, method};
use crate::{Status, Uid};

const ACE_TABLE: u32 = 8;
const AUTHORITY_TABLE: Uid = Uid::new(9, 0);
const C_PIN_TABLE: Uid = Uid::new(0xb, 0);
/// `KeepGlobalRangeKey`.
const KEEP: u64 = 0x06_0000;

/// A table of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Mbr,
    Store,
}

/// What an object of the Locking SP is.
enum Object {
    Info,
    Range(u16),
    Key(u16),
    MbrControl,
    Authority(Uid),
    Pin(Uid),
    Ace(u32),
    Table(u32),
}

impl Context<'_> {
    fn object(&self, object: Uid) -> Option<Object> {
        let ranges = 0..=self.state.profile.ranges;
        let authority = Uid::new(AUTHORITY_TABLE.table(), object.row());
        let known = self.state.locking.authorities.contains_key(&object.row());
        Some(match object {
            uid::LOCKING_INFO => Object::Info,
            uid::MBR_CONTROL if self.state.profile.has_shadow_mbr() => Object::MbrControl,
            _ => match object.table() {
                0x802 => Object::Range(ranges.into_iter().find(|number| uid::range(*number) == object)?),
                0x806 => Object::Key(ranges.into_iter().find(|number| uid::key(*number) == object)?),
                9 if known => Object::Authority(object),
                0xb if known => Object::Pin(authority),
                ACE_TABLE => Object::Ace(object.row()),
                1 => Object::Table(object.row()),
                _ => return None,
            },
        })
    }

    /// Whether the ACE allows it. Where nobody has changed it: administrators, and whom the
    /// specification names beside them.
    fn allowed(&self, ace: Uid, also: &[Uid]) -> bool {
        match self.state.locking.aces.get(&ace.row()) {
            Some(expression) => expression.allows(self.shown),
            None => self.is(uid::ADMINS) || also.iter().any(|authority| self.is(*authority)),
        }
    }

    /// Whose range it is, in Single User Mode.
    fn single_owner(&self, range: u16) -> Option<Uid> {
        self.state.locking.single_user.contains(&range).then(|| uid::user(range + 1))
    }

    fn may_lock(&self, number: u16, ace: Uid) -> bool {
        match self.single_owner(number) {
            Some(user) => self.is(user),
            None => self.allowed(ace, &[]),
        }
    }

    fn may_shape(&self, number: u16) -> bool {
        match self.single_owner(number) {
            Some(user) => self.is(user) || self.state.locking.admins_set_ranges && self.is(uid::ADMINS),
            None => self.allowed(ace::range_set(number), &[]),
        }
    }

    pub(super) fn locking_row(&self, object: Uid) -> Option<Vec<(u64, Value)>> {
        let locking = &self.state.locking;
        let mut row: Vec<(u64, Value)> = vec![(0, object.into())];
        match self.object(object)? {
            Object::Info => row.extend(self.locking_info()),
            Object::Range(number) => {
                row.push((1, text(&range_name(number))));
                let range = locking.ranges.get(usize::from(number))?;
                let visible = match self.single_owner(number) {
                    Some(user) => self.is(user) || self.is(uid::ADMINS),
                    None => self.allowed(ace::range_get(number), &[]),
                };
                if visible {
                    row.extend(range_cells(number, range));
                }
            }
            Object::Key(number) => row.push((1, text(&format!("K_AES_256_{}_Key", range_name(number))))),
            Object::MbrControl => row.extend([
                (1, locking.mbr_enabled.into()),
                (2, locking.mbr_done.into()),
                (3, numbers(&locking.done_on_reset)),
            ]),
            Object::Authority(authority) => {
                row.push((1, text(&authority_name(authority))));
                if self.is(uid::ADMINS) || self.is(authority) {
                    let enabled = locking.authorities.get(&authority.row())?.enabled;
                    row.extend([
                        (3, false.into()),
                        (column::ENABLED, enabled.into()),
                        (9, 1.into()),
                        (10, Uid::new(0xb, authority.row()).into()),
                    ]);
                }
            }
            Object::Pin(authority) => {
                row.push((1, text(&format!("C_PIN_{}", authority_name(authority)))));
                if self.is(uid::ADMINS) || self.is(authority) {
                    row.extend(pin_cells(&locking.authorities.get(&authority.row())?.pin));
                }
            }
            Object::Ace(number) => {
                let expression = match locking.aces.get(&number) {
                    Some(expression) => expression.clone(),
                    None => Expression::any(&[uid::ADMINS]),
                };
                if self.is(uid::ADMINS) {
                    row.push((column::BOOLEAN_EXPR, expression.encode()));
                }
            }
            Object::Table(number) => row.extend(self.table_cells(number)?),
        }
        Some(row)
    }

    fn locking_info(&self) -> Vec<(u64, Value)> {
        let profile = &self.state.profile;
        let block = profile.geometry_block_size.unwrap_or(profile.block_size);
        vec![
            (1, text("LockingInfo")),
            (2, 1.into()),
            (3, 1.into()),
            (column::MAX_RANGES, u64::from(profile.ranges).into()),
            (5, 0.into()),
            (6, 0.into()),
            (7, true.into()),
            (8, u64::from(block).into()),
            (9, profile.granularity.into()),
            (10, profile.lowest_aligned_lba.into()),
        ]
    }

    fn table_cells(&self, number: u32) -> Option<Vec<(u64, Value)>> {
        let profile = &self.state.profile;
        let (name, kind, rows) = match number {
            0x801 => ("LockingInfo", 1, 1),
            0x802 => ("Locking", 1, u64::from(profile.ranges) + 1),
            0x803 => ("MBRControl", 1, 1),
            0x804 if profile.has_shadow_mbr() => ("MBR", 2, profile.shadow_mbr_size),
            0x1001 if profile.data_store_size > 0 => ("DataStore", 2, profile.data_store_size),
            _ => return None,
        };
        Some(vec![
            (1, text(name)),
            (4, kind.into()),
            (column::ROWS, rows.into()),
            (column::WRITE_GRANULARITY, profile.write_granularity.into()),
            (14, 4096.into()),
        ])
    }

    pub(super) fn locking_rows(&self, table: Uid) -> Option<Vec<Uid>> {
        let authorities = self.state.locking.authorities.keys();
        Some(match table {
            uid::LOCKING_TABLE => (0..=self.state.profile.ranges).map(uid::range).collect(),
            AUTHORITY_TABLE => authorities.map(|row| Uid::new(AUTHORITY_TABLE.table(), *row)).collect(),
            C_PIN_TABLE => authorities.map(|row| Uid::new(C_PIN_TABLE.table(), *row)).collect(),
            _ => return None,
        })
    }

    pub(super) fn locking_set(&mut self, object: Uid, cells: &[(u64, &Value)]) -> Result<(), Status> {
        match self.object(object).ok_or(Status::NotAuthorized)? {
            Object::Range(number) => self.set_range(number, cells),
            Object::MbrControl => self.set_mbr_control(cells),
            Object::Authority(authority) => {
                self.require(self.is(uid::ADMINS))?;
                for (column, value) in cells {
                    let enabled = to_bool(value)?;
                    let single = self.single_user_of(authority);
                    let entry = self.state.locking.authorities.get_mut(&authority.row());
                    let entry = entry.filter(|_| *column == column::ENABLED && !single).ok_or(Status::NotAuthorized)?;
                    // Without its first administrator nobody could manage the SP any more.
                    if authority == uid::admin(1) && !enabled {
                        return Err(Status::InvalidParameter);
                    }
                    entry.enabled = enabled;
                }
                Ok(())
            }
            Object::Pin(authority) => self.set_pin(authority, cells),
            Object::Ace(number) => {
                self.require(self.is(uid::ADMINS))?;
                for (column, value) in cells {
                    self.require(*column == column::BOOLEAN_EXPR)?;
                    self.state.locking.aces.insert(number, Expression::decode(value)?);
                }
                // Each may be set, and there are not so many.
                if self.state.locking.aces.len() > 2048 {
                    return Err(Status::InsufficientRows);
                }
                Ok(())
            }
            _ => Err(Status::NotAuthorized),
        }
    }

    fn single_user_of(&self, authority: Uid) -> bool {
        self.state.locking.single_user.iter().any(|range| uid::user(range + 1) == authority)
    }

    fn set_pin(&mut self, authority: Uid, cells: &[(u64, &Value)]) -> Result<(), Status> {
        let own = self.is(authority);
        let user = authority.row() & 0xffff;
        let ace = Uid::new(ACE_TABLE, 0x0003_a800 | user);
        let is_user = authority.row() & 0xffff_0000 == 0x0003_0000;
        let allowed = match (self.single_user_of(authority), is_user) {
            (true, _) => own,
            (false, true) => self.allowed(ace, &[authority]),
            (false, false) => self.is(uid::ADMINS),
        };
        self.require(allowed)?;
        let admin = self.is(uid::ADMINS);
        let entry = self.state.locking.authorities.get_mut(&authority.row()).ok_or(Status::NotAuthorized)?;
        for (column, value) in cells {
            match *column {
                column::PIN => entry.pin.change(to_pin(value)?).map_err(|_| Status::TperMalfunction)?,
                column::TRY_LIMIT if admin => {
                    let limit = value.as_uint().and_then(|limit| u32::try_from(limit).ok());
                    entry.pin.limit = limit.ok_or(Status::InvalidParameter)?;
                }
                column::TRIES if admin && value.as_uint() == Some(0) => entry.pin.tries = 0,
                column::PERSISTENCE if admin => entry.pin.persistent = to_bool(value)?,
                _ => return Err(Status::NotAuthorized),
            }
        }
        Ok(())
    }

    fn set_range(&mut self, number: u16, cells: &[(u64, &Value)]) -> Result<(), Status> {
        let forgets = self.state.profile.faults.forgets_locks;
        let (shape, reading, writing) = (
            self.may_shape(number),
            self.may_lock(number, ace::read_locked(number)),
            self.may_lock(number, ace::write_locked(number)),
        );
        let index = usize::from(number);
        let mut range = self.state.locking.ranges.get(index).ok_or(Status::NotAuthorized)?.clone();
        let mut moved = false;
        for (column, value) in cells {
            let (allowed, size) = match *column {
                column::READ_LOCKED => (reading, false),
                column::WRITE_LOCKED => (writing, false),
                column::RANGE_START | column::RANGE_LENGTH => (shape, true),
                column::READ_LOCK_ENABLED | column::WRITE_LOCK_ENABLED | column::LOCK_ON_RESET => (shape, false),
                _ => (false, false),
            };
            self.require(allowed)?;
            // The Global Range is what is left: it has no size of its own.
            if size && number == 0 {
                return Err(Status::InvalidParameter);
            }
            moved |= size;
            match *column {
                column::RANGE_START => range.start = value.as_uint().ok_or(Status::InvalidParameter)?,
                column::RANGE_LENGTH => range.length = value.as_uint().ok_or(Status::InvalidParameter)?,
                column::READ_LOCK_ENABLED => range.read_lock_enabled = to_bool(value)?,
                column::WRITE_LOCK_ENABLED => range.write_lock_enabled = to_bool(value)?,
                column::READ_LOCKED if forgets => _ = to_bool(value)?,
                column::WRITE_LOCKED if forgets => _ = to_bool(value)?,
                column::READ_LOCKED => range.read_locked = to_bool(value)?,
                column::WRITE_LOCKED => range.write_locked = to_bool(value)?,
                _ => range.lock_on_reset = to_numbers(value)?,
            }
        }
        if moved {
            self.check_shape(number, &range)?;
        }
        self.state.locking.ranges[index] = range;
        Ok(())
    }

    /// Aligned, inside the drive, and over no other range (Opal 4.3.5.2.1).
    fn check_shape(&self, number: u16, range: &Range) -> Result<(), Status> {
        let profile = &self.state.profile;
        if range.length == 0 {
            return if range.start == 0 { Ok(()) } else { Err(Status::InvalidParameter) };
        }
        let end = range.start.checked_add(range.length).filter(|end| *end <= self.state.layout.blocks);
        let end = end.ok_or(Status::InvalidParameter)?;
        let (unit, lowest) = (profile.granularity.max(1), profile.lowest_aligned_lba);
        let aligned = |lba: u64| lba >= lowest && (lba - lowest).is_multiple_of(unit);
        let starts = range.start == 0 || aligned(range.start);
        let ends = if range.start == 0 { aligned(range.length) } else { range.length.is_multiple_of(unit) };
        // The last range may end where the drive does.
        if !starts || !(ends || end == self.state.layout.blocks) {
            return Err(Status::InvalidParameter);
        }
        let others = self.state.locking.ranges.iter().enumerate().skip(1);
        let mut others = others.filter(|(other, range)| *other != usize::from(number) && range.length > 0);
        if others.any(|(_, other)| range.start < other.start + other.length && other.start < end) {
            return Err(Status::InvalidParameter);
        }
        Ok(())
    }

    fn set_mbr_control(&mut self, cells: &[(u64, &Value)]) -> Result<(), Status> {
        let sticks = self.state.profile.shadow_mbr == ShadowMbr::Sticks;
        for (column, value) in cells {
            let admin = self.is(uid::ADMINS);
            let allowed = match *column {
                column::MBR_DONE => self.allowed(ace::MBR_DONE, &[]),
                _ => admin,
            };
            self.require(allowed)?;
            match *column {
                column::MBR_ENABLE => {
                    let enabled = to_bool(value)?;
                    self.state.locking.mbr_enabled = enabled || sticks && self.state.locking.mbr_enabled;
                }
                column::MBR_DONE => self.state.locking.mbr_done = to_bool(value)?,
                column::DONE_ON_RESET => self.state.locking.done_on_reset = to_numbers(value)?,
                _ => return Err(Status::NotAuthorized),
            }
        }
        Ok(())
    }

    pub(super) fn locking_call(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        match (self.object(call.object), call.method) {
            (Some(Object::Key(number)), method::GEN_KEY) => {
                let allowed = match self.single_owner(number) {
                    Some(user) => self.is(user),
                    None => self.allowed(ace::gen_key(number), &[]),
                };
                self.require(allowed)?;
                self.new_key(number)?;
                Ok(Vec::new())
            }
            (Some(Object::Range(number)), method::ERASE) => {
                let user = self.single_owner(number).ok_or(Status::NotAuthorized)?;
                self.require(self.is(user) || self.is(uid::ADMINS))?;
                self.erase(number, user)?;
                Ok(Vec::new())
            }
            (None, method::REVERT_SP) if matches!(call.object, uid::THIS_SP | uid::LOCKING_SP) => self.revert_sp(call),
            (None, method::REACTIVATE) if matches!(call.object, uid::THIS_SP | uid::LOCKING_SP) => {
                self.require(self.is(uid::ADMINS))?;
                let selection = call.named(SELECTION).map(|value| self.selection(value)).transpose()?;
                if let Some(policy) = call.named(POLICY) {
                    self.state.locking.admins_set_ranges = to_bool(policy)?;
                }
                self.single_user(selection.unwrap_or_default())?;
                self.outcome.changed = true;
                self.outcome.ends_session = true;
                Ok(Vec::new())
            }
            _ => Err(Status::NotAuthorized),
        }
    }

    fn new_key(&mut self, number: u16) -> Result<(), Status> {
        let range = self.state.locking.ranges.get_mut(usize::from(number)).ok_or(Status::NotAuthorized)?;
        range.key = Key::random().map_err(|_| Status::TperMalfunction)?;
        self.outcome.changed = true;
        Ok(())
    }

    /// A range of Single User Mode as it was at first: other key, no PIN, nothing locked.
    fn erase(&mut self, number: u16, user: Uid) -> Result<(), Status> {
        self.new_key(number)?;
        if let Some(range) = self.state.locking.ranges.get_mut(usize::from(number)) {
            (range.read_locked, range.write_locked) = (false, false);
            (range.read_lock_enabled, range.write_lock_enabled) = (true, true);
        }
        if let Some(authority) = self.state.locking.authorities.get_mut(&user.row()) {
            authority.pin.change(b"").map_err(|_| Status::TperMalfunction)?;
        }
        Ok(())
    }

    /// Sets the SP back; the data of the Global Range stay if its key does (Opal 5.1.3).
    fn revert_sp(&mut self, call: &Call) -> Result<Vec<Value>, Status> {
        self.require(self.is(uid::ADMINS))?;
        let keep = call.named(KEEP).map(to_bool).transpose()?.unwrap_or(false);
        let global = self.state.locking.ranges.first().ok_or(Status::TperMalfunction)?;
        if keep && global.denies_reading() && global.denies_writing() {
            return Err(Status::Fail);
        }
        let key = keep.then(|| global.key.clone());
        self.revert_locking(key)?;
        self.outcome.ends_session = true;
        Ok(Vec::new())
    }

    /// The ranges that a list of UIDs names, or all.
    pub(super) fn selection(&self, value: &Value) -> Result<BTreeSet<u16>, Status> {
        if !self.state.profile.single_user_mode {
            return Err(Status::InvalidParameter);
        }
        let all = 0..=self.state.profile.ranges;
        if value.as_uid() == Some(uid::LOCKING_TABLE) {
            return Ok(all.collect());
        }
        let list = value.as_list().ok_or(Status::InvalidParameter)?;
        if list.len() == 1 && list.first().and_then(Value::as_uid) == Some(uid::LOCKING_TABLE) {
            return Ok(all.collect());
        }
        let number = |value: &Value| {
            let wanted = value.as_uid()?;
            all.clone().find(|number| uid::range(*number) == wanted)
        };
        list.iter().map(|value| number(value).ok_or(Status::InvalidParameter)).collect()
    }

    /// Brings these ranges into Single User Mode and all others out of it.
    pub(super) fn single_user(&mut self, selection: BTreeSet<u16>) -> Result<(), Status> {
        for number in &selection {
            let user = uid::user(number + 1);
            let authority = self.state.locking.authorities.get_mut(&user.row());
            authority.ok_or(Status::InvalidParameter)?.enabled = true;
            let range = self.state.locking.ranges.get_mut(usize::from(*number));
            let range = range.ok_or(Status::InvalidParameter)?;
            (range.read_lock_enabled, range.write_lock_enabled) = (true, true);
        }
        self.state.locking.single_user = selection;
        Ok(())
    }

    /// Whether the object is a table of bytes in this session.
    pub(super) fn byte_table(&self, object: Uid) -> Option<Table> {
        let profile = &self.state.profile;
        match object {
            _ if self.sp != uid::LOCKING_SP => None,
            uid::MBR if profile.has_shadow_mbr() => Some(Table::Mbr),
            _ if object == uid::data_store(0) && profile.data_store_size > 0 => Some(Table::Store),
            _ => None,
        }
    }

    fn table_size(&self, table: Table) -> u64 {
        match table {
            Table::Mbr => self.state.profile.shadow_mbr_size,
            Table::Store => self.state.profile.data_store_size,
        }
    }

    /// Bytes `first` to `last`, both counted in.
    pub(super) fn read_table(&self, table: Table, first: Option<u64>, last: Option<u64>) -> Result<Vec<Value>, Status> {
        // Everybody may read the shadow MBR: it is what an owner-less start reads.
        self.require(table == Table::Mbr || self.allowed(ace::DATA_STORE_GET, &[]))?;
        let size = self.table_size(table);
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(size - 1));
        if first > last || last >= size {
            return Err(Status::InvalidParameter);
        }
        let count = last - first + 1;
        if count > u64::from(self.state.profile.max_com_packet) {
            return Err(Status::ResponseOverflow);
        }
        let mut bytes = vec![0; usize::try_from(count).map_err(|_| Status::ResponseOverflow)?];
        let (base, written) = match table {
            Table::Mbr => (self.state.layout.mbr, &self.state.locking.mbr),
            Table::Store => (self.state.layout.store, &self.state.locking.store),
        };
        read_table(&**self.device, base, written, first, &mut bytes).map_err(|_| Status::TperMalfunction)?;
        Ok(vec![Value::bytes(&bytes)])
    }

    pub(super) fn write_table(&mut self, table: Table, offset: u64, bytes: &[u8]) -> Result<Vec<Value>, Status> {
        self.require(match table {
            Table::Mbr => self.is(uid::ADMINS),
            Table::Store => self.allowed(ace::DATA_STORE_SET, &[]),
        })?;
        let size = self.table_size(table);
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > size) {
            return Err(Status::InvalidParameter);
        }
        let unit = self.state.profile.write_granularity.max(1);
        if !offset.is_multiple_of(unit) || !(bytes.len() as u64).is_multiple_of(unit) {
            return Err(Status::InvalidParameter);
        }
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let layout = self.state.layout;
        let locking = &mut self.state.locking;
        let (base, written) = match table {
            Table::Mbr => (layout.mbr, &mut locking.mbr),
            Table::Store => (layout.store, &mut locking.store),
        };
        let new =
            write_table(&**self.device, base, size, written, offset, bytes).map_err(|_| Status::TperMalfunction)?;
        self.outcome.changed |= !new.is_empty();
        written.0.extend(new);
        Ok(Vec::new())
    }
}

fn range_cells(number: u16, range: &Range) -> Vec<(u64, Value)> {
    vec![
        (column::RANGE_START, range.start.into()),
        (column::RANGE_LENGTH, range.length.into()),
        (column::READ_LOCK_ENABLED, range.read_lock_enabled.into()),
        (column::WRITE_LOCK_ENABLED, range.write_lock_enabled.into()),
        (column::READ_LOCKED, range.read_locked.into()),
        (column::WRITE_LOCKED, range.write_locked.into()),
        (column::LOCK_ON_RESET, numbers(&range.lock_on_reset)),
        (column::ACTIVE_KEY, uid::key(number).into()),
    ]
}

fn range_name(number: u16) -> String {
    if number == 0 { "GlobalRange".into() } else { format!("Range{number}") }
}

fn authority_name(authority: Uid) -> String {
    let class = if authority.row() & 0xffff_0000 == 0x0001_0000 { "Admin" } else { "User" };
    format!("{class}{}", authority.row() & 0xffff)
}
