//! Being no burden to others on the same disk.

use std::fs::File;

/// As long as it lives, the reading and writing of the thread that made it, and of threads that this one
/// starts, can wait for everybody else's: the idle class of ioprio_set(2). Schedulers that know no classes
/// ignore it, and so do other systems.
#[derive(Debug)]
pub struct Idle {
    before: i32,
    /// It is the thread's own.
    _thread: std::marker::PhantomData<*const ()>,
}

impl Idle {
    /// From now on.
    pub fn begin() -> Self {
        Self { before: platform::lower_priority(), _thread: std::marker::PhantomData }
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        platform::restore_priority(self.before);
    }
}

/// What a disk has read and written since the system started, for all programs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests that are done.
    pub requests: u64,
    /// Bytes read and written.
    pub bytes: u64,
}

/// The traffic of the disk below an open file or block device. `None`: not to be seen, as for a file in
/// memory.
pub(crate) fn traffic(file: &File) -> Option<Traffic> {
    platform::traffic(file)
}

#[cfg(target_os = "linux")]
mod platform {
    #![allow(unsafe_code)]

    use std::fs::File;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use super::Traffic;

    const THIS_THREAD: libc::c_int = 0;
    const WHO_PROCESS: libc::c_int = 1;
    const CLASS_IDLE: libc::c_int = 3 << 13;

    /// Returns the priority from before.
    pub(super) fn lower_priority() -> i32 {
        // SAFETY: numbers and no memory; it changes nothing.
        let before = unsafe { libc::syscall(libc::SYS_ioprio_get, WHO_PROCESS, THIS_THREAD) };
        restore_priority(CLASS_IDLE);
        i32::try_from(before).unwrap_or(0).max(0)
    }

    pub(super) fn restore_priority(priority: i32) {
        // SAFETY: three numbers and no memory; it changes nothing but this thread's priority. Where it is
        // refused, nothing is lost.
        unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_PROCESS, THIS_THREAD, priority) };
    }

    pub(super) fn traffic(file: &File) -> Option<Traffic> {
        let data = file.metadata().ok()?;
        let number = if data.file_type().is_block_device() { data.rdev() } else { data.dev() };
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        parse(&std::fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/stat")).ok()?)
    }

    /// The fields of the kernel's Documentation/block/stat.rst; a sector is 512 bytes there, always.
    pub(super) fn parse(text: &str) -> Option<Traffic> {
        let fields: Vec<u64> = text.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let field = |index: usize| fields.get(index).copied();
        Some(Traffic { requests: field(0)? + field(4)?, bytes: (field(2)? + field(6)?) * 512 })
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::fs::File;

    use super::Traffic;

    pub(super) fn lower_priority() -> i32 {
        0
    }

    pub(super) fn restore_priority(_: i32) {}

    pub(super) fn traffic(_: &File) -> Option<Traffic> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_line() {
        let line =
            "  179482    20023  9541234   112345   90001  60123 8123456 654321        0   98765   766666 0 0 0 0 1 2\n";
        let expected = Traffic { requests: 269_483, bytes: (9_541_234 + 8_123_456) * 512 };
        assert_eq!(platform::parse(line), Some(expected));
        assert_eq!(platform::parse("1 2 3"), None);
        assert_eq!(platform::parse("a b"), None);
    }

    #[test]
    fn it_lasts_as_long_as_it_lives() {
        let before = platform::lower_priority();
        platform::restore_priority(before);
        let idle = Idle::begin();
        assert_eq!(platform::lower_priority() >> 13, 3);
        drop(idle);
        assert_eq!(platform::lower_priority(), before);
        platform::restore_priority(before);
    }
}
