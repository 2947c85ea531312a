//! The wizard's steps on a practice drive that encrypts by itself, closed and opened again at each of them.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bench::DiskOptions;
use blockdev::{Access, Device, FileDevice};
use common::{PASSWORD, Person};
use model::{Fault, FaultKind, Method, Outcome, Secret, Verdict};
use opal::device::{Blocks, Drive, Local, Profile};
use opal::pin::{Cost, WayIn};
use opal::preboot::{Closed, Door, Maker, Turn};
use recovery::SheetWords;
use tempfile::TempDir;
use wizard::engine::{Real, RealOptions};
use wizard::practice::LEAST_SIZE;
use wizard::view::{Action, SleepChoice, SleepQuestion, Step, View};
use wizard::{Options, Wizard};

const STEPS: [Step; 11] = [
    Step::Drives,
    Step::Check,
    Step::Before,
    Step::Password,
    Step::Recovery,
    Step::Rescue,
    Step::BenchBefore,
    Step::TestStart,
    Step::Encrypt,
    Step::BenchAfter,
    Step::Report,
];

/// What a drive shows while it is closed. Nothing starts from it here: who asks is the test.
#[derive(Debug)]
struct Shows(Vec<u8>);

impl Maker for Shows {
    fn ready(&self) -> Result<(), Fault> {
        match self.0.is_empty() {
            false => Ok(()),
            true => Err(Fault::new("rescue-part-missing", FaultKind::Refused).with("package", "shim-signed")),
        }
    }

    fn make(&self, room: u64) -> Result<Vec<u8>, Fault> {
        assert!(room < 1 << 20, "the note has its place behind it");
        Ok(self.0.clone())
    }
}

struct Desk {
    folder: TempDir,
    wizard: Option<Wizard>,
    /// The drive stands for the one that the system lies on.
    system: Option<Arc<Shows>>,
    /// A folder that stands for the running system.
    computer: Option<PathBuf>,
}

impl Desk {
    fn new() -> Self {
        Self::with(None)
    }

    fn with(system: Option<Shows>) -> Self {
        let mut desk =
            Self { folder: tempfile::tempdir().unwrap(), wizard: None, system: system.map(Arc::new), computer: None };
        std::fs::create_dir(desk.stick()).unwrap();
        desk.reopen();
        desk
    }

    /// The practice drive's power goes with the program.
    fn reopen(&mut self) -> View {
        self.wizard = None;
        let mut real = RealOptions::new(SheetWords::look_up(str::to_owned), "kitchen".into());
        real.pin_cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
        real.disk = DiskOptions {
            size: 4 << 20,
            rounds: 1,
            budget: Duration::from_millis(100),
            settle: Duration::ZERO,
            ..real.disk
        };
        real.virtual_is_system = self.system.is_some();
        real.system = self.computer.clone();
        real.preboot = self.system.clone().map(|shows| shows as Arc<dyn Maker>);
        let profile = Profile { shadow_mbr_size: 1 << 20, data_store_size: 64 << 10, ..Profile::default() };
        let options =
            Options { practice_size: LEAST_SIZE, practice_profile: profile, ..Options::new(Arc::new(Real::new(real))) };
        self.wizard = Some(Wizard::open(&self.folder.path().join("state"), options).unwrap());
        self.wizard().wait()
    }

    /// The computer is switched off and on. The drive shows the image, and the program there opens it, as the
    /// preboot program does. Returns whether it was locked. Then the person opens the wizard.
    fn switch_off_and_on(&mut self) -> (bool, View) {
        let path = PathBuf::from(self.wizard().view().target.unwrap().id.0);
        self.wizard = None;
        let file = FileDevice::open(&path, Access::Exclusive).unwrap();
        let drive = Arc::new(Drive::open(Arc::new(file)).unwrap());
        let image = &self.system.as_ref().unwrap().0;
        assert_eq!(Blocks(Arc::clone(&drive)).read_vec(0, image.len()).unwrap(), *image);
        let closed = Closed::look("the drive".into(), Local(drive)).unwrap().unwrap();
        let (locked, shown) = closed.found;
        assert!(shown);
        assert_eq!(Door::new(vec![closed]).turn(WayIn::Password, &Secret::from(PASSWORD)), Turn::Open);
        (locked, self.reopen())
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    fn stick(&self) -> PathBuf {
        self.folder.path().join("stick")
    }

    fn tries(&self, action: Action) -> View {
        self.wizard().act(action);
        self.wizard().wait()
    }

    fn person(&self) -> Person {
        Person { stick: self.stick(), begins: || Action::PracticeHardware, measures: || Action::SkipMeasure }
    }

    fn does(&self, action: Action) -> View {
        self.person().does(self.wizard(), action)
    }

    fn settle(&self) {
        self.person().settle(self.wizard());
    }

    fn go_to(&self, step: Step) -> View {
        self.person().go_to(self.wizard(), step)
    }
}

fn assert_reported(view: &View) {
    let report = view.report.as_ref().unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!(report.judged.reason.code, "own-lock-seen");
    assert_eq!(report.method, Method::Hardware);
    let files = report.files.unwrap();
    assert_eq!((files.total, files.same), (20, 20));
}

#[test]
fn all_the_way_and_back() {
    let desk = Desk::new();
    let check = desk.go_to(Step::Check);
    assert_eq!(check.method, Some(Method::Hardware));
    assert!(check.check.unwrap().conditions.iter().any(|condition| condition.code == "drive-sleep"));
    assert_reported(&desk.go_to(Step::Report));
    let wrong = desk.tries(Action::GiveBack { password: Some("wrong".into()) });
    assert_eq!(wrong.fault.unwrap().code, "wizard-password-wrong");
    let back = desk.does(Action::GiveBack { password: Some(PASSWORD.into()) });
    assert_eq!((back.step, back.notice.unwrap().code.as_str()), (Step::Drives, "notice-given-back"));
}

/// The drive that the system lies on: the image is loaded with the lock off, the person switches off and on, the
/// program on the image opens the drive, and then the lock is switched on and seen.
#[test]
fn the_drive_that_the_system_lies_on() {
    let mut desk = Desk::with(Some(Shows(vec![0x77; 8192])));
    let check = desk.go_to(Step::Check).check.unwrap();
    let program = check.conditions.iter().find(|condition| condition.code == "start-program").unwrap();
    assert_eq!(program.reason.code, "start-program-there");
    desk.go_to(Step::TestStart);
    let view = desk.does(Action::TestStart { password: PASSWORD.into() });
    assert_eq!(view.notice.unwrap().code, "notice-power-off-test-start");
    assert!(!view.test_start.passed && view.test_start.power_off && !view.can_go_on);
    let early = desk.tries(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert_eq!(early.fault.unwrap().code, "wizard-not-now", "nothing is locked before the test start has passed");

    let (locked, view) = desk.switch_off_and_on();
    assert!(!locked, "the test start comes before the lock");
    assert_eq!(view.notice.unwrap().code, "notice-test-start-passed");
    assert!(view.test_start.passed && view.can_go_on);
    desk.does(Action::Next);
    let view = desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert_eq!(view.notice.unwrap().code, "notice-power-off");
    assert!(view.encrypt.begun && !view.encrypt.finished);

    let (locked, _) = desk.switch_off_and_on();
    assert!(locked);
    let view = desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert!(view.encrypt.finished);
    assert_reported(&desk.go_to(Step::Report));
    let back = desk.does(Action::GiveBack { password: Some(PASSWORD.into()) });
    assert_eq!(back.notice.unwrap().code, "notice-given-back");
}

/// A computer that sleeps deeply: the person is asked, nothing goes on without an answer, the answer is what is
/// installed with the lock and not before, and giving the drive back takes it away again.
#[test]
fn how_the_computer_sleeps_is_asked_kept_and_taken_back() {
    let computer = tempfile::tempdir().unwrap();
    let place = |path: &str| computer.path().join(path);
    for (path, text) in [("sys/power/mem_sleep", "s2idle [deep]\n"), ("etc/systemd/system.conf", "")] {
        std::fs::create_dir_all(place(path).parent().unwrap()).unwrap();
        std::fs::write(place(path), text).unwrap();
    }
    let setting = || std::fs::read_to_string(place("etc/systemd/sleep.conf.d/latchkey.conf")).ok();
    let mut desk = Desk::with(Some(Shows(vec![0x77; 512])));
    desk.computer = Some(computer.path().to_owned());
    desk.reopen();

    desk.does(Action::PracticeHardware);
    let view = desk.does(Action::Next);
    assert_eq!(view.sleep, Some(SleepQuestion { chosen: None }), "nobody chooses for the person");
    assert_eq!((view.can_go_on, view.blocked.as_ref().unwrap().code.as_str()), (false, "blocked-sleep"));
    let conditions = view.check.unwrap().conditions;
    let asks = conditions.iter().find(|condition| condition.code == "drive-sleep").unwrap();
    assert_eq!((asks.outcome, asks.reason.code.as_str()), (Outcome::Warn, "sleep-asks"));
    let view = desk.tries(Action::Next);
    assert_eq!((view.step, view.fault.unwrap().code.as_str()), (Step::Check, "wizard-not-now"));
    desk.does(Action::ChooseSleep { sleep: SleepChoice::Light });
    let view = desk.does(Action::ChooseSleep { sleep: SleepChoice::Never });
    assert!(view.can_go_on);

    // It is kept when the wizard is closed.
    let view = desk.reopen();
    assert_eq!(view.sleep, Some(SleepQuestion { chosen: Some(SleepChoice::Never) }));
    desk.go_to(Step::TestStart);
    let late = desk.tries(Action::ChooseSleep { sleep: SleepChoice::Light });
    assert_eq!(late.fault.unwrap().code, "wizard-not-now");
    desk.does(Action::TestStart { password: PASSWORD.into() });
    desk.switch_off_and_on();
    assert_eq!(setting(), None, "nothing is changed before the lock");
    desk.does(Action::Next);
    desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert!(setting().unwrap().contains("\nAllowSuspend=no\n"));

    desk.switch_off_and_on();
    desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert_reported(&desk.go_to(Step::Report));
    desk.does(Action::GiveBack { password: Some(PASSWORD.into()) });
    assert_eq!(setting(), None);
    let mut left = std::fs::read_dir(place("etc/latchkey/sleep")).unwrap();
    assert!(left.next().is_none(), "nothing of it is left");
}

/// The question came up after the plan was made: the lock waits for an answer.
#[test]
fn nothing_is_locked_while_nobody_has_said_how_to_sleep() {
    let computer = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(computer.path().join("sys/power")).unwrap();
    std::fs::create_dir_all(computer.path().join("etc/systemd")).unwrap();
    let modes = computer.path().join("sys/power/mem_sleep");
    std::fs::write(&modes, "[s2idle] deep\n").unwrap();
    let mut desk = Desk::with(Some(Shows(vec![0x77; 512])));
    desk.computer = Some(computer.path().to_owned());
    desk.reopen();
    assert_eq!(desk.go_to(Step::Check).sleep, None);
    desk.go_to(Step::TestStart);
    desk.does(Action::TestStart { password: PASSWORD.into() });
    let (_, view) = desk.switch_off_and_on();
    assert!(view.test_start.passed);
    desk.does(Action::Next);
    std::fs::write(&modes, "s2idle [deep]\n").unwrap();
    let view = desk.tries(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert!(!view.encrypt.begun);
    assert_eq!(view.fault.unwrap().code, "hardware-sleep-undecided");
    // The way back from there.
    while desk.wizard().view().step != Step::Check {
        desk.does(Action::Back);
    }
    let view = desk.reopen();
    assert_eq!((view.step, view.sleep), (Step::Check, Some(SleepQuestion { chosen: None })));
}

/// Somebody who only restarted, or did not start from the image, is told to do it again.
#[test]
fn a_test_start_that_was_not_made_does_not_count() {
    let mut desk = Desk::with(Some(Shows(vec![0x77; 512])));
    desk.go_to(Step::TestStart);
    desk.does(Action::TestStart { password: PASSWORD.into() });
    let view = desk.reopen();
    assert!(!view.test_start.passed && !view.can_go_on);
    let view = desk.does(Action::TestStart { password: PASSWORD.into() });
    assert_eq!(view.notice.unwrap().code, "notice-power-off-test-start");
    let (_, view) = desk.switch_off_and_on();
    assert!(view.test_start.passed);
}

#[test]
fn without_a_start_program_the_systems_drive_is_not_offered() {
    let desk = Desk::with(Some(Shows(Vec::new())));
    desk.does(Action::PracticeHardware);
    let view = desk.tries(Action::Next);
    let check = view.check.unwrap();
    let failed: Vec<_> = check.conditions.iter().filter(|condition| condition.outcome == Outcome::Fail).collect();
    assert_eq!(
        failed.iter().map(|condition| condition.reason.code.as_str()).collect::<Vec<_>>(),
        ["start-program-missing"]
    );
    assert!(failed[0].evidence.contains("shim-signed"));
    assert_eq!((check.method, view.can_go_on), (None, false));
    assert_eq!(view.fault.unwrap().code, "hardware-refused");
}

#[test]
fn closed_and_opened_again_at_every_step() {
    for step in STEPS.into_iter().skip(1) {
        let mut desk = Desk::new();
        desk.go_to(step);
        desk.reopen();
        assert_reported(&desk.go_to(Step::Report));
    }
}

/// After the work of a step, and before the next one.
#[test]
fn closed_behind_the_work_of_every_step() {
    for step in STEPS.into_iter().skip(1) {
        let mut desk = Desk::new();
        desk.go_to(step);
        desk.settle();
        desk.reopen();
        assert_reported(&desk.go_to(Step::Report));
    }
}

#[test]
fn given_back_at_every_step() {
    for step in [Step::Recovery, Step::Rescue, Step::BenchBefore, Step::TestStart, Step::Encrypt, Step::BenchAfter] {
        let mut desk = Desk::new();
        desk.go_to(step);
        desk.settle();
        desk.reopen();
        let back = desk.does(Action::GiveBack { password: Some(PASSWORD.into()) });
        assert_eq!(back.step, Step::Drives, "{step:?}");
        // Nothing of it is left: it is chosen and goes the whole way again.
        assert_reported(&desk.go_to(Step::Report));
    }
}

#[test]
fn nothing_is_given_back_that_was_never_taken() {
    let desk = Desk::new();
    desk.go_to(Step::Password);
    let view = desk.tries(Action::GiveBack { password: Some(PASSWORD.into()) });
    assert_eq!(view.fault.unwrap().code, "wizard-not-now");
}

#[test]
fn another_password_after_the_drive_was_prepared() {
    let desk = Desk::new();
    desk.go_to(Step::Recovery);
    desk.does(Action::Back);
    let other = "nigin fidef cedih";
    desk.does(Action::SetPassword { password: other.into(), repeated: other.into() });
    desk.does(Action::Next);
    let wrong = desk.wizard().view();
    assert_eq!(wrong.step, Step::Recovery);
    for step in [Step::Rescue, Step::BenchBefore, Step::TestStart] {
        desk.go_to(step);
    }
    let view = desk.tries(Action::TestStart { password: PASSWORD.into() });
    assert_eq!((view.fault.unwrap().code.as_str(), view.test_start.wrong), ("wizard-password-wrong", 1));
    desk.does(Action::TestStart { password: other.into() });
    desk.does(Action::Next);
    assert_reported(&desk.go_to(Step::Report));
}
