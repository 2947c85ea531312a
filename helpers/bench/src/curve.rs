//! How fast a drive reads from its beginning to its end, below any file system, as HD Tune and GNOME
//! Disks draw it. Reads only.

use std::path::Path;

use model::{Control, Meter, Signal, Sink, StepId, Unit};

use crate::disk::Stop;
use crate::target::{Target, TestFile, Way};
use crate::{CurvePoint, Dot, Error, Result};

const BLOCK: usize = 1 << 20;
/// Blocks on their way at once, and those of a point in all.
const DEPTH: usize = 4;
const BLOCKS: usize = 10;
/// Accesses for each point.
const ACCESSES: usize = 3;

/// The curve of a device, and single accesses all over it.
///
/// # Errors
/// [`Error::DeviceDenied`] without the right to read it; [`Error::FolderMissing`], [`Error::Io`],
/// [`Error::Stopped`].
pub fn curve(
    device: &Path,
    points: usize,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<(Vec<CurvePoint>, Vec<Dot>)> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::PermissionDenied => Error::DeviceDenied { device: device.to_owned() },
        _ => Error::from_io(device, 0, error),
    };
    let mut target = TestFile::existing(device).map_err(failed)?;
    let length = target.length().map_err(failed)?;
    curve_of(&mut target, length, points, control, sink).map_err(|stop| match stop {
        Stop::Asked => Error::Stopped,
        Stop::Io(error) => failed(error),
    })
}

/// [`curve`] of any target of this length.
///
/// # Errors
/// The first error of the target, or that it was stopped.
pub fn curve_of(
    target: &mut dyn Target,
    length: u64,
    points: usize,
    control: &Control,
    sink: &mut dyn Sink,
) -> std::result::Result<(Vec<CurvePoint>, Vec<Dot>), Stop> {
    let mut meter = Meter::new(sink, StepId::Benchmark, points as u64, Unit::Steps);
    let mut random = fastrand::Rng::new();
    let piece = (BLOCK * BLOCKS) as u64;
    let last = length.saturating_sub(piece) / BLOCK as u64;
    let (mut curve, mut dots) = (Vec::new(), Vec::new());
    if length < piece {
        return Ok((curve, dots));
    }
    target.forget();
    for point in 0..points {
        if control.signal() == Signal::Stop {
            return Err(Stop::Asked);
        }
        let from = last * point as u64 / (points as u64 - 1).max(1) * BLOCK as u64;
        curve.push(CurvePoint { place: from as f64 / length as f64, rate: stretch(target, from)? });
        target.prepare(1, 4096)?;
        for _ in 0..ACCESSES {
            let place = random.u64(..length / 4096) * 4096;
            let begun = target.now();
            target.start(0, Way::Read, place)?;
            target.wait(&mut Vec::new())?;
            let us = target.now().saturating_sub(begun).as_secs_f64() * 1e6;
            dots.push(Dot { place: place as f64 / length as f64, us });
        }
        meter.at(point as u64 + 1);
    }
    Ok((curve, dots))
}

/// Reads one stretch: bytes a second.
fn stretch(target: &mut dyn Target, from: u64) -> std::result::Result<f64, Stop> {
    target.prepare(DEPTH, BLOCK)?;
    let begun = target.now();
    let (mut free, mut next): (Vec<usize>, usize) = ((0..DEPTH).collect(), 0);
    loop {
        while next < BLOCKS
            && let Some(slot) = free.pop()
        {
            target.start(slot, Way::Read, from + (next * BLOCK) as u64)?;
            next += 1;
        }
        if free.len() == DEPTH {
            break;
        }
        target.wait(&mut free)?;
    }
    Ok((BLOCKS * BLOCK) as f64 / target.now().saturating_sub(begun).as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use model::Silent;

    use super::*;
    use crate::simulated::{Nature, Simulated};

    #[test]
    fn from_beginning_to_end() {
        let mut drive = Simulated::new(Nature { rate: 500e6, ..Nature::default() }, 1);
        let (curve, dots) = curve_of(&mut drive, 64 << 30, 100, &Control::new(), &mut Silent).unwrap();
        assert_eq!((curve.len(), dots.len()), (100, 300));
        assert_eq!(curve[0].place, 0.0);
        assert!(curve[99].place > 0.999 && curve.windows(2).all(|two| two[0].place < two[1].place));
        assert!(curve.iter().all(|point| (point.rate / 500e6 - 1.0).abs() < 0.05), "{:?}", curve[0]);
        assert!(dots.iter().all(|dot| (100.0..120.0).contains(&dot.us)));
    }

    #[test]
    fn too_small_a_device_has_none() {
        let mut drive = Simulated::new(Nature::default(), 1);
        let (curve, dots) = curve_of(&mut drive, 1 << 20, 100, &Control::new(), &mut Silent).unwrap();
        assert!(curve.is_empty() && dots.is_empty());
    }
}
