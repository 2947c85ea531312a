//! NTFS (the documentation of the Linux-NTFS project; version 3.1).

use blockdev::Device;

use crate::raw::Block;
use crate::{Error, Found, Kind, Result, Trouble, UsedMap};

mod attribute;
mod record;

use record::Volume;

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(boot) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let Some(volume) = Volume::parse(&boot) else { return Ok(None) };
    if volume.record(dev, 0)?.is_none() {
        return Err(Error::Damaged { kind: Kind::Ntfs, what: "no master file table where the boot sector has it" });
    }
    // Behind the sectors that the boot sector counts lies one more, its own copy. A volume that was
    // cut short by exactly that sector is still whole in every other way.
    let (counted, with_copy) = (volume.sectors * volume.sector, (volume.sectors + 1) * volume.sector);
    let size = if dev.size() >= counted && dev.size() < with_copy { counted } else { with_copy };
    let mut found = Found::new(Kind::Ntfs, size, u32::try_from(volume.sector).unwrap_or(512));
    found.uuid = Some(format!("{:016X}", boot.le64(0x48)));
    let Some(information) = volume.record(dev, 3)? else { return Ok(Some(found)) };
    found.label = information.resident(0x60).and_then(|name| name.utf16(0, name.bytes().len() / 2));
    let Some(flags) = information.resident(0x70).map(|information| information.le16(10)) else {
        return Ok(Some(found));
    };
    found.trouble = if is_hibernated(dev, &volume)? {
        Some(Trouble::Hibernated)
    } else if flags & 1 != 0 {
        Some(Trouble::NotClosed)
    } else if journal_is_pending(dev, &volume)? {
        Some(Trouble::JournalPending)
    } else {
        None
    };
    found.clean = Some(found.trouble.is_none());
    Ok(Some(found))
}

/// Whether `$LogFile` is as `ntfsresize` leaves it: all ones. Whoever mounts the volume begins it anew.
pub(crate) fn log_is_emptied(dev: &dyn Device) -> Result<bool> {
    let Some(volume) = Volume::load(dev)? else { return Ok(false) };
    let Some(data) = volume.record(dev, 2)?.and_then(|record| record.stream(0x80, "")) else { return Ok(false) };
    let pages = volume.read_stream(dev, &data, 0, 2 * 4096)?;
    Ok(pages.is_some_and(|pages| pages.iter().all(|byte| *byte == 0xff)))
}

/// Whether `$LogFile` has changes that are not in their places yet, as a Windows that was cut off
/// leaves it. An emptied log is all ones; a closed one has no client in its restart area.
fn journal_is_pending(dev: &dyn Device, volume: &Volume) -> Result<bool> {
    let Some(record) = volume.record(dev, 2)? else { return Ok(false) };
    let Some(data) = record.stream(0x80, "") else { return Ok(false) };
    let mut newest: Option<(u64, bool)> = None;
    for offset in [0, 4096] {
        let Some(page) = volume.read_stream(dev, &data, offset, 4096)? else { return Ok(false) };
        let mut page = Block::new(page);
        if !page.has(0, b"RSTR") || !record::fix_up(&mut page, 512) {
            continue;
        }
        let area = usize::from(page.le16(24));
        let sequence = page.le64(area);
        let pending = page.le16(area + 12) != 0xffff && page.le16(area + 14) & 2 == 0;
        if newest.is_none_or(|(old, _)| sequence > old) {
            newest = Some((sequence, pending));
        }
    }
    Ok(newest.is_some_and(|(_, pending)| pending))
}

/// Whether `hiberfil.sys` in the root directory begins with the mark of a Windows that sleeps.
fn is_hibernated(dev: &dyn Device, volume: &Volume) -> Result<bool> {
    let Some(number) = volume.find_in_root(dev, "hiberfil.sys")? else { return Ok(false) };
    let Some(record) = volume.record(dev, number)? else { return Ok(false) };
    if let Some(data) = record.resident(0x80) {
        return Ok(is_hibernation_mark(data.slice(0, 4)));
    }
    let Some(data) = record.stream(0x80, "") else { return Ok(false) };
    let Some(start) = volume.read_stream(dev, &data, 0, 4096)? else { return Ok(false) };
    Ok(is_hibernation_mark(&start[..4]))
}

/// A file of zeros or one that starts with `wake` belongs to a Windows that is awake or off.
fn is_hibernation_mark(mark: &[u8]) -> bool {
    mark.eq_ignore_ascii_case(b"hibr") || mark.eq_ignore_ascii_case(b"rstr")
}

/// Which clusters are in use, by `$Bitmap`; `None` if that does not fit the file system's own tables.
pub(crate) fn used(dev: &dyn Device, size: u64) -> Result<Option<UsedMap>> {
    let Some(volume) = Volume::load(dev)? else { return Ok(None) };
    let clusters = volume.sectors * volume.sector / volume.cluster;
    let Some(mut map) = UsedMap::full(0, volume.cluster, clusters, size) else { return Ok(None) };
    let Some(record) = volume.record(dev, 6)? else { return Ok(None) };
    let Some(stream) = record.stream(0x80, "") else { return Ok(None) };
    const PIECE: u64 = 1 << 20;
    let length = clusters.div_ceil(8);
    for offset in (0..length).step_by(usize::try_from(PIECE).unwrap_or(1)) {
        let piece = PIECE.min(length - offset);
        let bitmap = volume.read_stream(dev, &stream, offset, usize::try_from(piece).unwrap_or(0))?;
        let Some(bitmap) = bitmap else { return Ok(None) };
        map.copy_bits(offset * 8, &bitmap, piece * 8);
    }
    Ok(has_its_own(dev, &volume, &map)?.then_some(map))
}

/// Whether the map has the boot sector and the streams of the master file table, of its mirror, of the
/// journal and of the bitmap itself as used.
fn has_its_own(dev: &dyn Device, volume: &Volume, map: &UsedMap) -> Result<bool> {
    if !map.is_used(0..512) || !map.is_used(volume.first_records()) {
        return Ok(false);
    }
    for number in [0, 1, 2, 6] {
        let Some(stream) = volume.record(dev, number)?.and_then(|record| record.stream(0x80, "")) else { continue };
        let mut places = stream.runs.iter().filter_map(|(start, count)| {
            let start = start.as_ref()?.checked_mul(volume.cluster)?;
            Some(start..count.checked_mul(volume.cluster)?.checked_add(start)?)
        });
        if !places.all(|place| map.is_used(place)) {
            return Ok(false);
        }
    }
    Ok(true)
}
