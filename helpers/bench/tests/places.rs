//! Real places: a folder on this computer's drive, a full one, a write-protected one. Those that are
//! mounted need root; without it the tests say so and are left out.
#![cfg(target_os = "linux")]
// A panic is how a test says what is wrong; clippy looks for that in test functions only.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bench::{Access, DiskOptions, Error, Form, Layer, Test, curve, disk, read_only};
use model::{Control, Describe, Progress, Silent};

const MIB: u64 = 1 << 20;

fn quick() -> DiskOptions {
    let budget = Duration::from_millis(900);
    DiskOptions { size: 8 * MIB, rounds: 3, budget, writes: 64 * MIB, settle: Duration::ZERO, ..DiskOptions::default() }
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

struct Mounted {
    _folder: tempfile::TempDir,
    point: PathBuf,
}

impl Mounted {
    fn new(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let point = folder.path().join("mounted");
        std::fs::create_dir(&point).unwrap();
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", options, "none"]).arg(&point).output();
        if done.is_ok_and(|output| output.status.success()) {
            return Some(Self { _folder: folder, point });
        }
        println!("left out: mounting needs root");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.point).output();
    }
}

#[test]
fn a_real_drive_is_measured_and_nothing_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut reports = 0;
    let mut sink = |_: &Progress| {
        reports += 1;
        assert!(is_empty(folder.path()), "the file never has a name");
    };
    for layer in [Layer::Plain, Layer::Encrypted] {
        let figures = disk(folder.path(), &DiskOptions { layer, ..quick() }, &Control::new(), &mut sink).unwrap();
        for test in &figures.tests {
            println!("{layer:?} {}: {:.1} MB/s {:?}", test.test.name(), test.rate / 1e6, test.latency);
            assert!(test.rate > 0.0 && test.low <= test.rate && test.rate <= test.high);
            assert!(test.latency.p50_us <= test.latency.p99_us);
        }
        println!("{:?}, {:.1} s, {} MiB written", figures.access, figures.seconds, figures.written / MIB);
        assert_eq!(figures.tests.len(), Test::EIGHT.len());
    }
    assert!(reports > 4);
    assert!(is_empty(folder.path()));
}

#[test]
fn a_stop_in_the_middle_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for at in [1, 6] {
        let control = Control::new();
        let mut sink = |progress: &Progress| {
            if progress.done >= at {
                control.stop();
            }
        };
        let options = DiskOptions { budget: Duration::from_secs(20), ..quick() };
        let error = disk(folder.path(), &options, &control, &mut sink).unwrap_err();
        assert_eq!(error.fault().kind.exit_code(), 130);
        assert!(is_empty(folder.path()));
    }
}

#[test]
fn folders_that_are_none_and_sizes_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = |folder: &Path, options: &DiskOptions| disk(folder, options, &Control::new(), &mut Silent).unwrap_err();
    assert!(matches!(run(&folder.path().join("no"), &quick()), Error::FolderMissing { .. }));
    assert!(matches!(run(&file, &quick()), Error::NotAFolder { .. }));
    assert!(matches!(run(folder.path(), &DiskOptions { size: 100, ..quick() }), Error::TooSmall { .. }));
    let huge = run(folder.path(), &DiskOptions { size: 1 << 50, ..quick() });
    assert!(matches!(huge, Error::NoSpace { free: Some(_), .. }), "{huge:?}");
    assert_eq!(huge.fault().kind.exit_code(), 3);
}

#[test]
fn a_full_drive_is_refused_before_anything_is_written() {
    let Some(drive) = Mounted::new("size=24m") else { return };
    let error = disk(&drive.point, &quick(), &Control::new(), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::NoSpace { free: Some(free), .. } if free == 24 * MIB), "{error:?}");
    assert!(is_empty(&drive.point));
}

#[test]
fn a_write_protected_drive_is_refused() {
    let Some(drive) = Mounted::new("size=64m,ro") else { return };
    let error = disk(&drive.point, &quick(), &Control::new(), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::ReadOnly { .. }), "{error:?}");
}

#[test]
fn memory_is_not_called_a_drive() {
    let Some(drive) = Mounted::new("size=64m") else { return };
    let figures = disk(&drive.point, &quick(), &Control::new(), &mut Silent).unwrap();
    assert_eq!(figures.access, Access::Memory);
}

#[test]
fn the_default_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let options = DiskOptions { until_narrow: false, ..DiskOptions::default() };
    let figures = disk(folder.path(), &options, &Control::new(), &mut Silent).unwrap();
    println!("{figures:#?}");
    assert!(figures.seconds < 2.0 * options.budget.as_secs_f64(), "{}", figures.seconds);
    assert!(figures.written <= options.will_write());
}

#[test]
fn an_existing_file_is_only_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film");
    std::fs::write(&path, vec![7; 16 << 20]).unwrap();
    let options = DiskOptions { rounds: 3, budget: Duration::from_millis(600), ..DiskOptions::of(Form::ReadOnly) };
    let figures = read_only(&path, &options, &Control::new(), &mut Silent).unwrap();
    assert_eq!((figures.tests.len(), figures.written, figures.file_size), (4, 0, 16 * MIB));
    assert!(std::fs::read(&path).unwrap().iter().all(|byte| *byte == 7));
    let (curve, dots) = curve(&path, 7, &Control::new(), &mut Silent).unwrap();
    assert_eq!((curve.len(), dots.len()), (7, 21));
    assert!(curve.iter().all(|point| point.rate > 0.0));
    let missing = read_only(&folder.path().join("no"), &options, &Control::new(), &mut Silent).unwrap_err();
    assert!(matches!(missing, Error::FolderMissing { .. }));
    std::fs::write(&path, "small").unwrap();
    let small = read_only(&path, &options, &Control::new(), &mut Silent).unwrap_err();
    assert!(matches!(small, Error::TooSmall { .. }));
}

/// The program that measures is ended in the middle by the one signal that nobody can catch.
#[test]
fn a_killed_program_leaves_no_file() {
    const CHILD: &str = "LATCHKEY_BENCH_TEST_FOLDER";
    if let Some(folder) = std::env::var_os(CHILD) {
        let options = DiskOptions { budget: Duration::from_secs(60), until_narrow: false, ..quick() };
        let _ = disk(Path::new(&folder), &options, &Control::new(), &mut Silent);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args(["--exact", "a_killed_program_leaves_no_file"]).env(CHILD, folder.path());
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it still measures");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_empty(folder.path()));
}

/// As somebody who may not write there; root may, so it becomes nobody for that.
#[test]
fn without_the_right_to_write_it_says_so() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    const CHILD: &str = "LATCHKEY_BENCH_TEST_DENIED";
    if let Some(folder) = std::env::var_os(CHILD) {
        let error = disk(Path::new(&folder), &quick(), &Control::new(), &mut Silent).unwrap_err();
        assert!(matches!(error, Error::Denied { .. }), "{error:?}");
        assert_eq!(error.fault().kind.exit_code(), 3);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let run = |nobody: bool| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "without_the_right_to_write_it_says_so"]).env(CHILD, folder.path());
        if nobody {
            command.uid(65534).gid(65534);
        }
        command.output()
    };
    // Becoming somebody else fails for everybody but root, and where nobody may start this program.
    let root = std::fs::write(folder.path().join("probe"), "").is_ok();
    let _ = std::fs::remove_file(folder.path().join("probe"));
    let Ok(output) = run(root) else {
        println!("left out: nobody may not start this test");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(is_empty(folder.path()));
}
