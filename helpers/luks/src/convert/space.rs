//! How much of a volume is encrypted: all of it, or what its file system uses.
//!
//! The positions in the header know nothing of it: a chunk of which nothing is used simply counts as done.
//! So any other program that goes on encrypts what is free as well, and nothing is lost by that.
//!
//! The data move up by `S`. A used piece whose place will not be written again, because the piece below
//! it is free, would stay behind in plain text: such a place is overwritten.

use std::ops::Range;

use blockdev::Allocation;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

use super::TOKEN;
use super::geometry::{Chunk, Geometry};
use crate::header::Header;
use crate::keyslot::Unlocked;
use crate::{Error, Result};

/// What is encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// Every byte.
    #[default]
    All,
    /// What is used. What was deleted earlier may still lie in the free space, in plain text.
    Used,
    /// What is used; what is free is overwritten and not read.
    UsedAndOverwrite,
}

impl Space {
    const ALL: [Self; 3] = [Self::All, Self::Used, Self::UsedAndOverwrite];

    const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Used => "used",
            Self::UsedAndOverwrite => "used-and-overwrite",
        }
    }

    /// The choice as it stands in our token: the name, and a code that only somebody with the volume key
    /// can make. Nobody else may talk us out of encrypting everything.
    pub(super) fn enter(self, token: &mut Value, uuid: &str, unlocked: &Unlocked) -> Result<()> {
        if self != Self::All {
            token["space"] = self.name().into();
            token["space_mac"] = proof(self, uuid, unlocked)?.into();
        }
        Ok(())
    }

    /// What was chosen; everything, where the token does not say or is not to be believed.
    pub(super) fn read(header: &Header, unlocked: &Unlocked) -> Self {
        let Some(token) = header.token(TOKEN) else { return Self::All };
        let field = |name: &str| token.get(name).and_then(Value::as_str);
        let named = Self::ALL.into_iter().find(|space| field("space") == Some(space.name()));
        let proven = named.filter(|space| {
            proof(*space, header.uuid(), unlocked).is_ok_and(|expected| {
                use subtle::ConstantTimeEq as _;
                field("space_mac").is_some_and(|found| found.as_bytes().ct_eq(expected.as_bytes()).into())
            })
        });
        proven.unwrap_or(Self::All)
    }
}

fn proof(space: Space, uuid: &str, unlocked: &Unlocked) -> Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(unlocked.volume_key.expose())
        .map_err(|error| Error::Invalid(error.to_string()))?;
    mac.update(b"latchkey space ");
    mac.update(space.name().as_bytes());
    mac.update(uuid.as_bytes());
    Ok(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A piece of a chunk that has to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Logical bytes.
    pub range: Range<u64>,
    /// Read and converted; otherwise encrypted zeros, over what must not stay there.
    pub moved: bool,
}

/// Smaller gaps are not worth a command of their own.
const LEAST: u64 = 64 * 1024;
/// Pages and the largest sectors.
const GRAIN: u64 = 4096;

/// What of this chunk has to be written, in order. Without an allocation map: all.
pub(super) fn pieces(
    chunk: &Chunk,
    geometry: &Geometry,
    space: Space,
    allocation: Option<&dyn Allocation>,
) -> Vec<Piece> {
    let whole = chunk.at..chunk.at + chunk.length;
    let Some(allocation) = allocation.filter(|_| space != Space::All) else {
        return vec![Piece { range: whole, moved: true }];
    };
    let mut pieces = Vec::new();
    let mut at = whole.start;
    for free in allocation.free_within(whole.clone()) {
        let free = inward(&free);
        if free.end < free.start + LEAST || free.start < at {
            continue;
        }
        push(&mut pieces, at..free.start, true);
        at = free.end;
        if space == Space::UsedAndOverwrite {
            push(&mut pieces, free, false);
            continue;
        }
        // What lies at the new place of this piece: the plain text of the data behind it.
        let behind = free.start + geometry.shift..free.end + geometry.shift;
        let mut stays = free.start;
        for unused in allocation.free_within(behind.start..behind.end.min(geometry.total).max(behind.start)) {
            let unused = inward(&(unused.start - geometry.shift..unused.end - geometry.shift));
            if unused.end < unused.start + LEAST || unused.start < stays {
                continue;
            }
            push(&mut pieces, stays..unused.start, false);
            stays = unused.end;
        }
        push(&mut pieces, stays..free.end, false);
    }
    push(&mut pieces, at..whole.end, true);
    pieces
}

fn push(pieces: &mut Vec<Piece>, range: Range<u64>, moved: bool) {
    if !range.is_empty() {
        pieces.push(Piece { range, moved });
    }
}

fn inward(range: &Range<u64>) -> Range<u64> {
    range.start.next_multiple_of(GRAIN)..range.end / GRAIN * GRAIN
}

/// Where something has to be written: neighbouring pieces are one.
pub(super) fn runs(pieces: &[Piece]) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for piece in pieces {
        match runs.last_mut() {
            Some(last) if last.end == piece.range.start => last.end = piece.range.end,
            _ => runs.push(piece.range.clone()),
        }
    }
    runs
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::single_range_in_vec_init)] // Small numbers; a list of one.
mod tests {
    use super::*;
    use crate::convert::geometry::{Mode, Resilience};

    const MIB: u64 = 1 << 20;

    struct Map(Vec<Range<u64>>);

    impl Allocation for Map {
        fn free_within(&self, range: Range<u64>) -> Vec<Range<u64>> {
            let cut = |free: &Range<u64>| free.start.max(range.start)..free.end.min(range.end);
            self.0.iter().map(cut).filter(|range| range.start < range.end).collect()
        }
    }

    fn geometry(total: u64) -> Geometry {
        Geometry {
            mode: Mode::Encrypt,
            resilience: Resilience::Shift,
            shift: MIB,
            total,
            moved: (total + MIB, MIB),
            sector_size: 4096,
            dynamic: false,
        }
    }

    fn chunk(at: u64) -> Chunk {
        Chunk { at, length: MIB, source: at, dest: at + MIB, moved: false }
    }

    /// Every place of a whole conversion: what is used has moved, and no plain text of it is left where
    /// nothing was written.
    #[test]
    fn no_plain_text_of_what_is_used_stays_behind() {
        let total = 40 * MIB;
        for seed in 0..200u64 {
            let mut dice = blockdev::simulated::Dice::new(seed);
            let mut free = Vec::new();
            let mut at = dice.below(3 * MIB) / 512 * 512;
            while at < total {
                let end = (at + dice.below(4 * MIB) / 512 * 512).min(total);
                free.push(at..end);
                at = end + 512 + dice.below(if seed % 2 == 0 { 200_000 } else { 6 * MIB }) / 512 * 512;
            }
            let map = Map(free);
            let geometry = geometry(total);
            let grain = 4096;
            // Each grain of the device: what it holds. Plain text is named by its logical place.
            let mut device: Vec<Option<u64>> = (0..(total + 2 * MIB) / grain).map(Some).collect();
            let mut moved = vec![false; (total / grain) as usize];
            let mut left = total;
            while let Some(chunk) = geometry.next(left, 0).filter(|chunk| !chunk.moved) {
                for piece in pieces(&chunk, &geometry, Space::Used, Some(&map)) {
                    assert!(piece.range.start.is_multiple_of(512) && piece.range.end.is_multiple_of(512));
                    for index in piece.range.start / grain..piece.range.end / grain {
                        device[(index + MIB / grain) as usize] = None;
                        moved[index as usize] |= piece.moved;
                    }
                }
                left = geometry.after(left, &chunk);
            }
            for index in MIB / grain..total / grain {
                let used =
                    map.free_within(index * grain..(index + 1) * grain).iter().map(|r| r.end - r.start).sum::<u64>()
                        < grain;
                assert!(!used || moved[index as usize], "seed {seed}: used and not moved: {index}");
            }
            // Behind the first S bytes, which the piece that is moved last overwrites.
            for (place, holds) in device.iter().enumerate().skip(2 * (MIB / grain) as usize) {
                let Some(holds) = holds else { continue };
                let range = holds * grain..(holds + 1) * grain;
                let free: u64 = map.free_within(range).iter().map(|range| range.end - range.start).sum();
                let behind = holds * grain >= total && place as u64 * grain >= total + MIB;
                assert!(free == grain || behind, "seed {seed}: plain text of {holds} is left at {place}");
            }
        }
    }

    #[test]
    fn without_a_map_and_for_everything_it_is_one_piece() {
        let geometry = geometry(8 * MIB);
        let whole = vec![Piece { range: 2 * MIB..3 * MIB, moved: true }];
        let map = Map(vec![0..8 * MIB]);
        assert_eq!(pieces(&chunk(2 * MIB), &geometry, Space::Used, None), whole);
        assert_eq!(pieces(&chunk(2 * MIB), &geometry, Space::All, Some(&map)), whole);
        assert_eq!(pieces(&chunk(2 * MIB), &geometry, Space::Used, Some(&map)), []);
        let overwrite = pieces(&chunk(2 * MIB), &geometry, Space::UsedAndOverwrite, Some(&map));
        assert_eq!(overwrite, [Piece { range: 2 * MIB..3 * MIB, moved: false }]);
        // The room behind the data holds the header that was put aside.
        let last = pieces(&chunk(7 * MIB), &geometry, Space::Used, Some(&map));
        assert_eq!(last, [Piece { range: 7 * MIB..8 * MIB, moved: false }]);
    }
}
