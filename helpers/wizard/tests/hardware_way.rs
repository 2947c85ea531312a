//! The wizard's steps on a practice drive that encrypts by itself, closed and opened again at each of them.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bench::DiskOptions;
use common::{PASSWORD, Person};
use model::{Method, Verdict};
use opal::device::Profile;
use opal::pin::Cost;
use recovery::SheetWords;
use tempfile::TempDir;
use wizard::engine::{Real, RealOptions};
use wizard::practice::LEAST_SIZE;
use wizard::view::{Action, Step, View};
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

struct Desk {
    folder: TempDir,
    wizard: Option<Wizard>,
}

impl Desk {
    fn new() -> Self {
        let mut desk = Self { folder: tempfile::tempdir().unwrap(), wizard: None };
        std::fs::create_dir(desk.stick()).unwrap();
        desk.reopen();
        desk
    }

    /// The practice drive's power goes with the program.
    fn reopen(&mut self) -> View {
        self.wizard = None;
        let mut real = RealOptions::new(SheetWords::look_up(str::to_owned), "kitchen".into());
        real.pin_cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
        real.disk = DiskOptions { size: 4 << 20, rounds: 1, budget: Duration::from_millis(100), ..real.disk };
        let profile = Profile { shadow_mbr_size: 1 << 20, data_store_size: 64 << 10, ..Profile::default() };
        let options =
            Options { practice_size: LEAST_SIZE, practice_profile: profile, ..Options::new(Arc::new(Real::new(real))) };
        self.wizard = Some(Wizard::open(&self.folder.path().join("state"), options).unwrap());
        self.wizard().wait()
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
