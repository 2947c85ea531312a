use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use model::{Describe, Fault, FaultKind, Verdict};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{Event, Options, Wizard};
use crate::engine::simulated::Simulated;
use crate::practice::LEAST_SIZE;
use crate::view::{Action, RecoveryPlace, Space, SpaceChoice, Step, View};
use crate::{Error, password};

const PASSWORD: &str = "lutin dehig becur";
const DRIVE: &str = "/simulated/drive";

/// A wizard on a simulated engine, with folders of its own.
struct Desk {
    engine: Arc<Simulated>,
    wizard: Option<Wizard>,
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let engine = Arc::new(Simulated::default().with_volume(DRIVE, 40 << 20));
        let mut desk = Self { engine, wizard: None, folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(desk.stick()).unwrap();
        desk.open();
        desk
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn stick(&self) -> PathBuf {
        self.folder.path().join("stick")
    }

    fn options(&self) -> Options {
        Options { practice_size: LEAST_SIZE, ..Options::new(self.engine.clone()) }
    }

    fn open(&mut self) -> View {
        self.wizard = Some(Wizard::open(&self.state(), self.options()).unwrap());
        self.wizard().wait()
    }

    /// Closes the program and starts it again.
    fn reopen(&mut self) -> View {
        self.wizard = None;
        self.open()
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    /// Does it and waits for the end of it.
    fn act(&self, action: Action) -> View {
        self.wizard().act(action);
        self.wizard().wait()
    }

    /// As [`act`](Self::act), and it must work.
    fn does(&self, action: Action) -> View {
        let view = self.act(action);
        assert_eq!(view.fault, None);
        view
    }

    fn fails(&self, action: Action, code: &str) -> View {
        let view = self.act(action);
        assert_eq!(view.fault.as_ref().map(|fault| fault.code.as_str()), Some(code));
        view
    }

    /// All that is done in one step so that the next one can come.
    fn settle(&self) {
        let stick = self.stick().display().to_string();
        if self.wizard().view().can_go_on {
            return;
        }
        match self.wizard().view().step {
            Step::Drives => drop(self.does(Action::Choose { path: DRIVE.into() })),
            Step::Check => {}
            Step::Before => drop(self.does(Action::ConfirmBackup { confirmed: true })),
            Step::Password => drop(self.does(set_password(PASSWORD, PASSWORD))),
            Step::Recovery => drop(self.does(Action::ExportRecovery { folder: stick })),
            Step::Rescue => drop(self.does(Action::WriteRescue { folder: stick })),
            Step::BenchBefore | Step::BenchAfter => drop(self.does(Action::Measure)),
            Step::TestStart => drop(self.does(Action::TestStart { password: PASSWORD.into() })),
            Step::Encrypt => {
                let needed = self.wizard().view().encrypt.needs_password;
                drop(self.does(Action::Encrypt { password: needed.then(|| PASSWORD.into()) }));
            }
            Step::Report => {}
        }
    }

    fn go_to(&self, step: Step) -> View {
        for _ in 0..30 {
            if self.wizard().view().step == step {
                return self.wizard().view();
            }
            self.settle();
            self.does(Action::Next);
        }
        panic!("{step:?} is not reached");
    }
}

fn set_password(password: &str, repeated: &str) -> Action {
    Action::SetPassword { password: password.into(), repeated: repeated.into() }
}

fn blocked(view: &View) -> Option<&str> {
    assert_eq!(view.can_go_on, view.blocked.is_none());
    view.blocked.as_ref().map(|reason| reason.code.as_str())
}

const STEPS: [(Step, Option<&str>); 11] = [
    (Step::Drives, Some("blocked-no-target")),
    (Step::Check, None),
    (Step::Before, Some("blocked-backup")),
    (Step::Password, Some("blocked-password")),
    (Step::Recovery, Some("blocked-recovery")),
    (Step::Rescue, Some("blocked-rescue")),
    (Step::BenchBefore, Some("blocked-bench")),
    (Step::TestStart, Some("blocked-test-start")),
    (Step::Encrypt, Some("blocked-encrypt")),
    (Step::BenchAfter, Some("blocked-bench")),
    (Step::Report, Some("blocked-end")),
];

#[test]
fn all_the_way_and_no_step_can_be_left_undone() {
    let desk = Desk::new();
    for (step, reason) in STEPS {
        let view = desk.wizard().view();
        assert_eq!(view.step, step);
        assert_eq!(blocked(&view), reason, "{step:?}");
        if reason.is_some() {
            let after = desk.fails(Action::Next, "wizard-not-now");
            assert_eq!(after.step, step);
        }
        desk.settle();
        if step != Step::Report {
            desk.does(Action::Next);
        }
    }
    let report = desk.wizard().view().report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!(report.copies.len(), 1);
    assert!(report.rescue.is_some());
    assert_eq!(report.bytes, 40 << 20);
    assert!(!desk.state().join("staged-header.img").exists());
}

#[test]
fn closed_and_reopened_at_every_step() {
    for (step, _) in STEPS {
        for settled in [false, true] {
            let mut desk = Desk::new();
            desk.go_to(step);
            if settled {
                desk.settle();
            }
            let view = desk.reopen();
            let expected = match step {
                // The password is gone, and with it the header: no copy of its recovery key was proven.
                Step::Recovery if !settled => Step::Password,
                // A proven copy: the test start asks for the password again.
                Step::Recovery | Step::Rescue | Step::BenchBefore | Step::TestStart => Step::TestStart,
                Step::Encrypt if !settled => Step::TestStart,
                _ => step,
            };
            assert_eq!(view.step, expected, "{step:?}, settled: {settled}");
            assert_eq!(view.fault, None);
            assert!(view.notice.is_some() || step == Step::Drives);
            let end = desk.go_to(Step::Report);
            assert_eq!(end.report.unwrap().judged.verdict, Verdict::Protected);
            let begun = desk.engine.world().calls.iter().filter(|call| **call == "begin").count();
            assert_eq!(begun, 1);
        }
    }
}

#[test]
fn the_practice_drive_keeps_its_files() {
    let mut desk = Desk::new();
    let view = desk.does(Action::Practice);
    assert!(view.target.as_ref().unwrap().practice);
    desk.does(Action::Next);
    desk.go_to(Step::BenchAfter);
    desk.reopen();
    let report = desk.go_to(Step::Report).report.unwrap();
    let files = report.files.unwrap();
    assert!(files.total > 10);
    assert_eq!(files.same, files.total);
    let view = desk.does(Action::StartOver);
    assert_eq!((view.step, view.target, view.report), (Step::Drives, None, None));
}

#[test]
fn passwords_that_are_refused() {
    let desk = Desk::new();
    desk.go_to(Step::Password);
    for (password, code) in [
        (String::new(), "wizard-password-empty"),
        ("x".repeat(10_000), "wizard-password-too-long"),
        ("🦆".repeat(3_000), "wizard-password-too-long"),
        ("one\nline too many for it".into(), "wizard-password-control"),
        ("password1".into(), "wizard-password-weak"),
    ] {
        let view = desk.fails(set_password(&password, &password), code);
        assert!(!view.password.set && !view.can_go_on);
    }
    desk.fails(set_password(PASSWORD, "lutin dehig becuf"), "wizard-password-differs");
    desk.does(set_password("🦆🐢🌵🎻🚲🧀🪁🛶🧭🪣🦔🫖", "🦆🐢🌵🎻🚲🧀🪁🛶🧭🪣🦔🫖"));
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
}

#[test]
fn a_wrong_password_is_counted_and_nothing_is_lost() {
    let desk = Desk::new();
    desk.go_to(Step::TestStart);
    for tries in 1..=3 {
        let view = desk.fails(Action::TestStart { password: "wrong".into() }, "wizard-password-wrong");
        assert_eq!(view.test_start.wrong, tries);
        assert_eq!(view.fault.unwrap().args["tries"], tries.to_string());
        assert!(!view.can_go_on && view.can_go_back);
    }
    let view = desk.does(Action::TestStart { password: PASSWORD.into() });
    assert!(view.test_start.passed && view.test_start.wrong == 0);
}

#[test]
fn another_password_makes_everything_proven_with_the_first_one_worthless() {
    let desk = Desk::new();
    desk.go_to(Step::TestStart);
    for _ in 0..4 {
        desk.does(Action::Back);
    }
    assert_eq!(desk.wizard().view().step, Step::Password);
    // The same one changes nothing.
    let same = desk.does(set_password(PASSWORD, PASSWORD));
    assert_eq!(same.recovery.copies.len(), 1);
    let other = desk.does(set_password("gurin cedul fijeb", "gurin cedul fijeb"));
    assert!(other.recovery.copies.is_empty() && !other.rescue.verified);
    let view = desk.does(Action::Next);
    assert_eq!((view.step, blocked(&view)), (Step::Recovery, Some("blocked-recovery")));
}

#[test]
fn the_recovery_key_is_shown_in_its_step_only_and_typed_back_from_paper() {
    let desk = Desk::new();
    let view = desk.go_to(Step::Recovery);
    let groups = view.recovery.groups.unwrap();
    assert_eq!((groups.len(), view.recovery.group_checks.unwrap().len()), (8, 8));
    let mut wrong = groups.clone();
    wrong[2] = if wrong[2] == "cccccccc" { "bbbbbbbb".into() } else { "cccccccc".into() };
    let view = desk.fails(Action::TypeRecovery { key: wrong.join(" ").into() }, "wizard-recovery-typed-wrong");
    assert_eq!(view.fault.unwrap().args["groups"], "3");
    let view = desk.act(Action::TypeRecovery { key: "not a key".into() });
    assert!(view.fault.unwrap().code.starts_with("recovery-"));
    let view = desk.does(Action::TypeRecovery { key: groups.join(" ").to_uppercase().into() });
    assert_eq!(view.recovery.copies[0].kind, "paper");
    let view = desk.does(Action::Next);
    assert_eq!(view.recovery.groups, None);
}

#[test]
fn folders_that_cannot_be_written() {
    let desk = Desk::new();
    desk.go_to(Step::Recovery);
    let missing = desk.folder.path().join("pulled out").display().to_string();
    let view = desk.fails(Action::ExportRecovery { folder: missing.clone() }, "wizard-folder-missing");
    assert!(view.recovery.copies.is_empty() && !view.can_go_on);
    let full = Fault::new("recovery-full", FaultKind::Failed);
    desk.engine.world().fails.insert("export", full);
    desk.fails(Action::ExportRecovery { folder: desk.stick().display().to_string() }, "recovery-full");
    desk.go_to(Step::Rescue);
    let view = desk.fails(Action::WriteRescue { folder: missing }, "wizard-folder-missing");
    assert!(!view.rescue.verified);
    let view = desk.does(Action::SkipRescue);
    assert!(view.rescue.skipped && view.can_go_on);
}

#[test]
fn pause_resume_close_and_go_on() {
    let mut desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.engine.world().chunk_takes = Duration::from_millis(30);
    let view = desk.wizard().act(Action::Encrypt { password: None });
    assert!(view.job.is_some());
    desk.wizard().act(Action::Pause);
    until(&desk, |view| view.job.as_ref().is_some_and(|job| job.progress.paused));
    let view = desk.wizard().act(Action::Back);
    assert_eq!(view.fault.unwrap().code, "wizard-busy");
    assert!(view.encrypt.begun && view.job.unwrap().can_pause);
    desk.wizard().act(Action::Resume);
    until(&desk, |view| view.job.as_ref().is_some_and(|job| !job.progress.paused && job.progress.done > 0));

    let view = desk.reopen();
    assert_eq!(view.step, Step::Encrypt);
    assert!(view.encrypt.begun && !view.encrypt.finished && view.encrypt.needs_password);
    assert!(view.encrypt.progress.as_ref().unwrap().done > 0);
    assert_eq!(view.notice.as_ref().unwrap().code, "notice-interrupted");
    assert!(!view.can_go_back);
    desk.fails(Action::Encrypt { password: None }, "wizard-password-needed");
    desk.fails(Action::Encrypt { password: Some("wrong".into()) }, "wizard-password-wrong");
    let view = desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert!(view.encrypt.finished);
    let seconds = desk.go_to(Step::Report).report.unwrap().seconds;
    // What was paused does not count, and the first report after it ends the pause.
    assert!(seconds > 0.0, "{seconds}");
}

#[test]
fn a_target_that_vanishes_can_come_back() {
    let mut desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.engine.world().chunk_takes = Duration::from_millis(20);
    desk.wizard().act(Action::Encrypt { password: None });
    until(&desk, |view| view.encrypt.progress.is_some());
    pull(&desk, true);
    let view = desk.wizard().wait();
    assert_eq!(view.fault.unwrap().code, "device-missing");
    assert!(view.encrypt.begun && !view.encrypt.finished);
    let view = desk.reopen();
    assert_eq!((view.step, view.fault.unwrap().code.as_str()), (Step::Encrypt, "device-missing"));
    desk.fails(Action::Encrypt { password: Some(PASSWORD.into()) }, "device-missing");
    pull(&desk, false);
    assert!(desk.does(Action::Encrypt { password: Some(PASSWORD.into()) }).encrypt.finished);
}

#[test]
fn a_target_that_vanishes_before_anything_was_begun() {
    let mut desk = Desk::new();
    desk.go_to(Step::TestStart);
    pull(&desk, true);
    let view = desk.reopen();
    assert_eq!((view.step, view.target), (Step::Drives, None));
    assert_eq!(view.fault.unwrap().code, "device-missing");
}

#[test]
fn a_target_that_changed_is_not_encrypted() {
    let desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.engine.world().volumes.get_mut(Path::new(DRIVE)).unwrap().size += 512;
    let view = desk.fails(Action::Encrypt { password: None }, "wizard-target-changed");
    assert!(!view.encrypt.begun && view.can_go_back);
}

#[test]
fn the_target_is_believed_more_than_the_journal() {
    // Begun on the target, and the journal does not know it yet: cut off between the two.
    let mut desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.wizard = None;
    let journal = std::fs::read(desk.state().join("journal.json")).unwrap();
    desk.open();
    desk.go_to(Step::Encrypt);
    desk.engine.world().fails.insert("convert", Fault::new("device-io", FaultKind::Failed));
    desk.fails(Action::Encrypt { password: None }, "device-io");
    desk.wizard = None;
    std::fs::write(desk.state().join("journal.json"), journal).unwrap();
    let view = desk.open();
    assert!(view.encrypt.begun && view.encrypt.needs_password && view.step == Step::Encrypt);

    // The other way: the journal says begun, and the target was undone.
    desk.wizard = None;
    desk.engine.world().volumes.get_mut(Path::new(DRIVE)).unwrap().header = None;
    let view = desk.open();
    assert!(!view.encrypt.begun);
    assert_eq!(view.step, Step::TestStart);
}

#[test]
fn an_interrupted_volume_goes_straight_to_its_conversion() {
    let desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.engine.world().fails.insert("convert", Fault::new("device-io", FaultKind::Failed));
    desk.fails(Action::Encrypt { password: None }, "device-io");
    // Another computer: the same drive, and no journal.
    let other = tempfile::tempdir().unwrap();
    let wizard = Wizard::open(other.path(), desk.options()).unwrap();
    wizard.act(Action::Choose { path: DRIVE.into() });
    let view = wizard.wait();
    assert_eq!(view.notice.as_ref().unwrap().code, "notice-interrupted");
    let view = wizard.act(Action::Next);
    assert!(view.step == Step::Encrypt && view.encrypt.begun && view.encrypt.needs_password);
    wizard.act(Action::Encrypt { password: Some(PASSWORD.into()) });
    assert!(wizard.wait().encrypt.finished);
}

#[test]
fn a_volume_that_cannot_be_encrypted_says_why() {
    let desk = Desk::new();
    desk.engine.world().volumes.get_mut(Path::new(DRIVE)).unwrap().condition = Some("mounted");
    desk.does(Action::Choose { path: DRIVE.into() });
    let view = desk.fails(Action::Next, "simulated");
    assert_eq!((view.step, blocked(&view)), (Step::Check, Some("blocked-check")));
    assert_eq!(view.check.unwrap().conditions[0].code, "mounted");
    desk.fails(Action::Choose { path: "/not/there".into() }, "wizard-not-now");
    desk.does(Action::Back);
    desk.fails(Action::Choose { path: "/not/there".into() }, "device-missing");
}

#[test]
fn two_wizards_do_not_share_a_state() {
    let desk = Desk::new();
    assert!(matches!(Wizard::open(&desk.state(), desk.options()), Err(Error::AlreadyRunning)));
}

#[test]
fn a_damaged_journal_is_a_new_start() {
    let mut desk = Desk::new();
    desk.go_to(Step::Rescue);
    desk.wizard = None;
    std::fs::write(desk.state().join("journal.json"), "{\"version\": 1, \"step\":").unwrap();
    let view = desk.open();
    assert_eq!((view.step, view.fault.unwrap().code.as_str()), (Step::Drives, "wizard-journal-damaged"));
}

#[test]
fn no_secret_is_written_down() {
    let desk = Desk::new();
    let key = desk.go_to(Step::Recovery).recovery.groups.unwrap();
    desk.go_to(Step::Report);
    let mut files = vec![desk.state()];
    let mut looked = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        looked += 1;
        let bytes = std::fs::read(&path).unwrap();
        for secret in key.iter().map(String::as_str).chain([PASSWORD, "dehig"]) {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} in {}", path.display());
        }
    }
    assert!(looked >= 2);
}

#[test]
fn a_job_that_breaks_off_is_a_fault_and_the_wizard_goes_on() {
    let desk = Desk::new();
    desk.go_to(Step::Password);
    desk.does(set_password(PASSWORD, PASSWORD));
    desk.engine.world().panics = Some("stage");
    let view = desk.fails(Action::Next, "wizard-job-broke-off");
    assert_eq!(view.step, Step::Password);
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
}

#[test]
fn measuring_can_be_broken_off() {
    let desk = Desk::new();
    desk.go_to(Step::BenchBefore);
    desk.engine.world().chunk_takes = Duration::from_millis(50);
    desk.wizard().act(Action::Measure);
    desk.wizard().act(Action::SkipMeasure);
    let view = desk.wizard().wait();
    assert_eq!(view.fault, None);
    assert!(view.can_go_on && view.bench_before.is_none());
}

#[test]
fn a_stick_that_is_plugged_in_appears_by_itself() {
    let desk = Desk::new();
    assert!(desk.go_to(Step::Recovery).recovery.places.is_empty());
    let stick = RecoveryPlace { path: "/simulated/stick".into(), name: "Stick".into(), free: 1 << 30 };
    desk.engine.world().sticks.push(stick.clone());
    until(&desk, |view| view.recovery.places == [stick.clone()]);
}

#[test]
fn the_first_page_follows_what_is_plugged_in_and_pulled_out() {
    let desk = Desk::new();
    let shown = |view: &View| view.overview.as_ref().map(|seen| seen.drives.len());
    until(&desk, |view| shown(view) == Some(1));
    let (sender, heard) = mpsc::channel();
    desk.wizard().subscribe(Box::new(move |event| drop(sender.send(event))));
    pull(&desk, true);
    desk.engine.world().pulse += 1;
    until(&desk, |view| shown(view) == Some(0));
    pull(&desk, false);
    desk.engine.world().pulse += 1;
    until(&desk, |view| shown(view) == Some(1));
    let told = heard.try_iter().filter(|event| matches!(event, Event::View(_))).count();
    assert_eq!(told, 2, "each change is told, and nothing else is");
}

#[test]
fn nothing_is_looked_at_while_nothing_happens_or_another_step_is_shown() {
    let desk = Desk::new();
    until(&desk, |view| view.overview.is_some());
    let surveys = || desk.engine.world().calls.iter().filter(|call| **call == "survey").count();
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(surveys(), 1);
    desk.go_to(Step::Check);
    desk.engine.world().pulse += 1;
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(surveys(), 1);
    desk.does(Action::Back);
    for _ in 0..1000 {
        if surveys() == 2 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("what happened meanwhile is not looked at");
}

#[test]
fn a_list_that_cannot_be_read_is_said_and_tried_again() {
    let desk = Desk::new();
    until(&desk, |view| view.overview.is_some());
    desk.engine.world().fails.insert("survey", Fault::new("drives-unreadable", FaultKind::Failed));
    desk.wizard().act(Action::Refresh);
    let fault = |view: &View| view.overview.as_ref().and_then(|seen| seen.fault.clone()).map(|fault| fault.code);
    until(&desk, |view| fault(view).as_deref() == Some("drives-unreadable"));
    assert_eq!(desk.wizard().view().fault, None);
    desk.wizard().act(Action::Refresh);
    until(&desk, |view| fault(view).is_none());
}

#[test]
fn rights_are_asked_for_and_may_be_refused() {
    let desk = Desk::new();
    desk.engine.world().fails.insert("rights", Error::RightsRefused.fault());
    desk.fails(Action::LookAsAdministrator, "wizard-rights-refused");
    desk.does(Action::LookAsAdministrator);
    until(&desk, |view| view.overview.as_ref().is_some_and(|seen| seen.rights.granted));
}

#[test]
fn what_is_encrypted_can_be_chosen_where_it_is_known_what_is_free() {
    let mut desk = Desk::new();
    let view = desk.go_to(Step::Check);
    assert_eq!(view.space, None);
    desk.fails(Action::ChooseSpace { space: Space::Used }, "volume-used-space-unknown");
    desk.does(Action::Back);
    desk.engine.world().volumes.get_mut(Path::new(DRIVE)).unwrap().free = Some(10 << 20);
    desk.does(Action::Choose { path: DRIVE.into() });
    let view = desk.go_to(Step::Check);
    // On flash memory the advice is to leave out what is free.
    let choice = SpaceChoice { chosen: Space::Used, advised: Space::Used, free: 10 << 20 };
    assert_eq!(view.space, Some(choice));
    let view = desk.does(Action::ChooseSpace { space: Space::All });
    assert_eq!(view.space, Some(SpaceChoice { chosen: Space::All, ..choice }));
    desk.does(Action::Next);
    desk.fails(Action::ChooseSpace { space: Space::Used }, "wizard-not-now");
    let view = desk.reopen();
    assert_eq!(view.space.unwrap().chosen, Space::All, "the choice lasts");
    desk.does(Action::Back);
    desk.does(Action::Back);
    let view = desk.does(Action::Choose { path: DRIVE.into() });
    assert_eq!(view.space.unwrap().chosen, Space::Used, "and is made anew for a new target");
}

#[test]
fn watchers_hear_of_everything() {
    let desk = Desk::new();
    let (sender, heard) = mpsc::channel();
    desk.wizard().subscribe(Box::new(move |event| drop(sender.send(event))));
    desk.go_to(Step::BenchAfter);
    let events: Vec<Event> = heard.try_iter().collect();
    assert!(events.iter().any(|event| matches!(event, Event::Progress(progress) if progress.done > 0)));
    let last = events.iter().rev().find_map(|event| match event {
        Event::View(view) => Some(view.step),
        Event::Progress(_) => None,
    });
    assert_eq!(last, Some(Step::BenchAfter));
}

fn pull(desk: &Desk, out: bool) {
    desk.engine.world().volumes.get_mut(Path::new(DRIVE)).unwrap().present = !out;
}

fn until(desk: &Desk, test: impl Fn(&View) -> bool) {
    for _ in 0..1000 {
        if test(&desk.wizard().view()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it does not come about: {:?}", desk.wizard().view());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever somebody clicks, in whatever order, and however often the program is closed: the
    /// first byte is changed only when everything that protects the data has been done.
    #[test]
    fn no_way_leads_past_the_conditions(clicks in proptest::collection::vec(0..17_u8, 1..120)) {
        let mut desk = Desk::new();
        let stick = desk.stick().display().to_string();
        for click in clicks {
            let before = desk.wizard().view();
            let begun = desk.engine.world().calls.iter().filter(|call| **call == "begin").count();
            let action = match click {
                0 => Action::Choose { path: DRIVE.into() },
                1 => Action::Back,
                2..=5 => Action::Next,
                6 => Action::ConfirmBackup { confirmed: true },
                7 => Action::ConfirmBackup { confirmed: false },
                8 => set_password(PASSWORD, PASSWORD),
                9 => set_password("gurin cedul fijeb", "gurin cedul fijeb"),
                10 => Action::ExportRecovery { folder: stick.clone() },
                11 => Action::SkipRescue,
                12 => Action::SkipMeasure,
                13 => Action::TestStart { password: PASSWORD.into() },
                14 => Action::Encrypt { password: Some(PASSWORD.into()) },
                15 => Action::TestStart { password: "gurin cedul fijeb".into() },
                _ => {
                    desk.reopen();
                    continue;
                }
            };
            let after = desk.act(action);
            prop_assert_eq!(after.can_go_on, after.blocked.is_none());
            let begins = desk.engine.world().calls.iter().filter(|call| **call == "begin").count() > begun;
            if begins {
                prop_assert!(before.before.backup_confirmed);
                prop_assert!(!before.recovery.copies.is_empty());
                prop_assert!(before.test_start.passed);
                prop_assert!(before.rescue.verified || before.rescue.skipped);
                prop_assert_eq!(before.step, Step::Encrypt);
            }
        }
    }
}

#[test]
fn a_suggestion_is_accepted() {
    let desk = Desk::new();
    desk.go_to(Step::Password);
    let suggestion = password::suggest().unwrap();
    assert!(desk.does(set_password(&suggestion, &suggestion)).can_go_on);
}
