//! The discovery of the virtual drive.

use super::profile::ShadowMbr;
use super::state::{Range, State};
use crate::discovery::Ssc;

pub(super) fn discovery(state: &State, sid_blocked: bool, cleared_by_reset: bool) -> Vec<u8> {
    let profile = &state.profile;
    let mut all = vec![0; 48];
    all[7] = 1;
    let sync = 0x11 | if profile.asynchronous { 0x02 } else { 0 };
    descriptor(&mut all, 0x0001, 1, &padded(&[sync], 12));
    descriptor(&mut all, 0x0002, 2, &padded(&[locking(state)], 12));
    let is = |ssc| profile.ssc.contains(&ssc);
    if !is(Ssc::Pyrite1) && !is(Ssc::Pyrite2) {
        let mut geometry = padded(&[1], 8);
        geometry.extend(profile.geometry_block_size.unwrap_or(profile.block_size).to_be_bytes());
        geometry.extend(profile.granularity.to_be_bytes());
        geometry.extend(profile.lowest_aligned_lba.to_be_bytes());
        descriptor(&mut all, 0x0003, 1, &geometry);
    }
    if is(Ssc::Enterprise) {
        descriptor(&mut all, 0x0100, 1, &padded(&comids(profile.comid), 16));
    }
    if is(Ssc::Opal1) {
        descriptor(&mut all, 0x0200, 1, &padded(&comids(profile.comid), 12));
    }
    if profile.single_user_mode {
        let mut sum = (u32::from(profile.ranges) + 1).to_be_bytes().to_vec();
        let count = state.locking.single_user.len();
        let all_of_them = count == state.locking.ranges.len();
        sum.push(u8::from(count > 0) | u8::from(all_of_them) << 1 | u8::from(state.locking.admins_set_ranges) << 2);
        descriptor(&mut all, 0x0201, 1, &padded(&sum, 12));
    }
    if profile.data_store_size > 0 {
        let mut store = vec![0, 0, 0, 1];
        store.extend(u32::try_from(profile.data_store_size).unwrap_or(u32::MAX).to_be_bytes());
        store.extend(1_u32.to_be_bytes());
        descriptor(&mut all, 0x0202, 1, &store);
    }
    for (ssc, code) in [(Ssc::Opal2, 0x0203), (Ssc::Ruby, 0x0304)] {
        if is(ssc) {
            let mut body = comids(profile.comid).to_vec();
            body.push(0);
            body.extend(4_u16.to_be_bytes());
            body.extend(profile.users.to_be_bytes());
            descriptor(&mut all, code, 1, &padded(&body, 16));
        }
    }
    for (ssc, code) in [(Ssc::Opalite, 0x0301), (Ssc::Pyrite1, 0x0302), (Ssc::Pyrite2, 0x0303)] {
        if is(ssc) {
            descriptor(&mut all, code, 1, &padded(&comids(profile.comid), 16));
        }
    }
    if profile.block_sid {
        let differs = !state.sid.is(state.msid.as_bytes());
        let flags = [u8::from(differs) | u8::from(sid_blocked) << 1, u8::from(cleared_by_reset)];
        descriptor(&mut all, 0x0402, 1, &padded(&flags, 12));
    }
    let mut removal = vec![0, 0, 0x04, 0];
    removal.resize(32, 0);
    descriptor(&mut all, 0x0404, 1, &removal);
    // Does not count its own four bytes.
    let length = u32::try_from(all.len() - 4).unwrap_or(0);
    all[..4].copy_from_slice(&length.to_be_bytes());
    all
}

fn locking(state: &State) -> u8 {
    let (profile, locking) = (&state.profile, &state.locking);
    let locked = |range: &Range| range.denies_reading() || range.denies_writing();
    let enterprise = profile.ssc.contains(&Ssc::Enterprise);
    u8::from(true)
        | u8::from(locking.active || enterprise) << 1
        | u8::from(locking.active && locking.ranges.iter().any(locked)) << 2
        | u8::from(profile.media_encryption) << 3
        | u8::from(locking.mbr_enabled) << 4
        | u8::from(locking.mbr_done) << 5
        | u8::from(profile.shadow_mbr == ShadowMbr::Absent) << 6
}

fn comids(base: u16) -> [u8; 4] {
    let [high, low] = base.to_be_bytes();
    [high, low, 0, 1]
}

fn padded(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(length, 0);
    bytes
}

fn descriptor(to: &mut Vec<u8>, code: u16, version: u8, payload: &[u8]) {
    to.extend(code.to_be_bytes());
    to.push(version << 4);
    to.push(u8::try_from(payload.len()).unwrap_or(0));
    to.extend(payload);
}
