//! How far it is, by what lies on the disk.

use blockdev::{Access, Device, FileDevice};
use luks::convert::{self, Mode, Place};

use crate::Result;
use crate::job::Job;

/// What the partition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// No header of ours: the system is as it always was.
    Plain,
    /// The header is in place, or was about to be, and nothing is encrypted. All of it can be taken back at once.
    Placed,
    /// A part is encrypted, and the rest is not.
    Converting {
        /// Bytes that are encrypted.
        done: u64,
        /// Bytes in all.
        total: u64,
        /// Which way it goes.
        mode: Mode,
    },
    /// All is encrypted.
    Encrypted,
    /// A header of somebody else's.
    Foreign,
}

/// Looks at the job's partition.
///
/// # Errors
/// Those of the device; a damaged header.
pub fn on_disk(job: &Job) -> Result<OnDisk> {
    let device = FileDevice::open(&job.device(), Access::Read)?;
    look(&device, job)
}

/// The same for a device that is open.
///
/// # Errors
/// As [`on_disk`].
pub fn look(device: &dyn Device, job: &Job) -> Result<OnDisk> {
    let place = match convert::locate(device) {
        Ok(place) => place,
        Err(luks::Error::NotLuks) => return Ok(OnDisk::Plain),
        Err(error) => return Err(error.into()),
    };
    if place.header().uuid() != job.volume {
        return Ok(OnDisk::Foreign);
    }
    let untouched = place.header().metadata().active_segments().all(|(_, segment)| !segment.is_crypt());
    Ok(match convert::state(&place, device.size()) {
        _ if matches!(place, Place::Starting { .. }) => OnDisk::Placed,
        None => OnDisk::Encrypted,
        Some(state) if state.mode == Mode::Encrypt && untouched => OnDisk::Placed,
        Some(state) => OnDisk::Converting { done: state.done, total: state.total, mode: state.mode },
    })
}

#[cfg(test)]
mod tests {
    use blockdev::Memory;
    use luks::FormatOptions;
    use luks::convert::{Conversion, Encryption, Space};
    use luks::kdf::Kdf;
    use model::{Control, Progress, Secret};

    use super::*;
    use crate::job::tests::job;

    const MIB: u64 = 1 << 20;

    /// A small volume, and a header for it with this job's UUID.
    fn volume(job: &Job) -> (Memory, Memory, Secret, luks::Unlocked) {
        let device = Memory::new((0..10 * MIB).flat_map(|at| at.to_le_bytes()).take(40 << 20).collect());
        let staged = Memory::new(vec![0; usize::try_from(MIB).unwrap()]);
        let options = FormatOptions {
            data_offset: MIB,
            uuid: Some(job.volume.clone()),
            digest_iterations: Some(1000),
            ..FormatOptions::default()
        };
        let secret = Secret::from("secret");
        assert_eq!(options.kdf, Kdf::cheapest());
        let (_, unlocked) = luks::format(&staged, &options, &secret).unwrap();
        (device, staged, secret, unlocked)
    }

    /// Slow enough that the switch is looked at before the end.
    struct Slow;

    impl luks::convert::Pace for Slow {
        fn rest(&self, _: u64) -> std::time::Duration {
            std::time::Duration::from_millis(250)
        }
    }

    fn begin(device: &Memory, staged: &Memory, unlocked: &luks::Unlocked) {
        let what = Encryption { used: 38 * MIB, original_size: 40 * MIB, grown: false, space: Space::All };
        convert::begin_encrypt(device, staged, unlocked, &what).unwrap();
    }

    #[test]
    fn the_way_forth() {
        let job = job();
        let (device, staged, secret, unlocked) = volume(&job);
        assert_eq!(look(&device, &job).unwrap(), OnDisk::Plain);
        begin(&device, &staged, &unlocked);
        assert_eq!(look(&device, &job).unwrap(), OnDisk::Placed);
        let other = Job { volume: "0".into(), ..job.clone() };
        assert_eq!(look(&device, &other).unwrap(), OnDisk::Foreign);

        let control = Control::new();
        let switch = control.clone();
        let mut stop = move |progress: &Progress| {
            if progress.done > 0 {
                switch.stop();
            }
        };
        let mut conversion = Conversion::open(&device, &secret).unwrap();
        conversion.give_way(&Slow);
        assert_eq!(conversion.run(&control, &mut stop).unwrap(), convert::Outcome::Stopped);
        drop(conversion);
        let state = look(&device, &job).unwrap();
        assert!(matches!(state, OnDisk::Converting { done: 1.., total, mode: Mode::Encrypt } if total == 38 * MIB));
        Conversion::open(&device, &secret).unwrap().run(&Control::new(), &mut model::Silent).unwrap();
        assert_eq!(look(&device, &job).unwrap(), OnDisk::Encrypted);
    }

    #[test]
    fn what_was_placed_can_be_taken_back_at_each_start() {
        let job = job();
        let (device, staged, _, unlocked) = volume(&job);
        let before = device.snapshot();
        begin(&device, &staged, &unlocked);
        // The first copy of the header is torn, as by a cut while it was put in place.
        let mut torn = device.snapshot();
        torn[..4096].copy_from_slice(&before[..4096]);
        for device in [device, Memory::new(torn)] {
            assert_eq!(look(&device, &job).unwrap(), OnDisk::Placed);
            convert::undo(&device).unwrap();
            assert_eq!(look(&device, &job).unwrap(), OnDisk::Plain);
            assert_eq!(device.snapshot()[..38 << 20], before[..38 << 20]);
        }
    }

    /// The system has run through the volume and has written to all of it: what it wrote comes back as well.
    #[test]
    fn what_the_running_system_wrote_is_kept_when_it_is_taken_back() {
        let job = job();
        let (device, staged, _, unlocked) = volume(&job);
        let mut expected = device.snapshot();
        begin(&device, &staged, &unlocked);
        convert::hand_over(&device).unwrap();
        // What the mapping does: the first mebibyte lies at the end.
        for (at, place) in [(1024, 39 * MIB + 1024), (20 * MIB, 20 * MIB)] {
            device.write_at(place, &[7; 4096]).unwrap();
            let at = usize::try_from(at).unwrap();
            expected[at..at + 4096].fill(7);
        }
        assert_eq!(look(&device, &job).unwrap(), OnDisk::Placed);
        convert::undo(&device).unwrap();
        assert_eq!(look(&device, &job).unwrap(), OnDisk::Plain);
        assert!(device.snapshot()[..38 << 20] == expected[..38 << 20]);
    }
}
