//! The whole way on a simulated laptop: each phase, each failure, and the window closed at each of them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Bus, Content, Drive, Fault, FaultKind, Judged, Outcome, Reason, Verdict, Volume, VolumeId};
use tempfile::TempDir;

use super::laptop::{Laptop, TOTAL, condition, refused};
use crate::engine::simulated::Simulated;
use crate::system::{LastStart, Phase, StartOutcome};
use crate::view::{Action, Offer, RecoveryPlace, Step, SystemState, View};
use crate::{Options, Wizard};

const PASSWORD: &str = "lutin dehig becur";
const ROOT: &str = "/dev/nvme0n1p2";
const DRIVE: &str = "/dev/nvme0n1";

struct Desk {
    engine: Arc<Simulated>,
    laptop: Arc<Laptop>,
    wizard: Option<Wizard>,
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let engine = Arc::new(Simulated::default());
        engine.world().system = Some(system_drive("encrypt-system", Verdict::NotProtected));
        let mut desk = Self { engine, laptop: Arc::default(), wizard: None, folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(desk.stick()).unwrap();
        let place = RecoveryPlace { path: desk.stick().display().to_string(), name: "KINGSTON".into(), free: 1 << 30 };
        desk.engine.world().sticks = vec![place];
        desk.open();
        desk
    }

    fn stick(&self) -> PathBuf {
        self.folder.path().join("stick")
    }

    fn open(&mut self) {
        let mut options = Options::new(self.engine.clone());
        options.system = Some(self.laptop.clone());
        let wizard = Wizard::open(&self.folder.path().join("state"), options).unwrap();
        self.wizard = Some(wizard);
        self.until("the drives", |view| view.overview.is_some() || view.step != Step::Drives);
    }

    /// The window is closed and opened again.
    fn reopen(&mut self) {
        self.wizard = None;
        self.laptop.window_is_gone();
        self.open();
        self.until("an answer", |view| {
            view.system.as_ref().is_none_or(|system| system.standing.is_some() || system.missing.is_some())
        });
    }

    /// The computer is started anew, and this is typed at its prompt.
    fn restart(&mut self, typed: &[&str]) {
        self.wizard = None;
        self.laptop.start(typed);
        self.reopen();
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    fn view(&self) -> View {
        self.wizard().view()
    }

    fn system(&self) -> SystemState {
        self.view().system.unwrap()
    }

    fn act(&self, action: Action) -> View {
        self.wizard().act(action);
        self.wizard().wait()
    }

    fn does(&self, action: Action) -> View {
        let view = self.act(action);
        assert_eq!(view.fault, None);
        view
    }

    fn fails(&self, action: Action, code: &str) -> View {
        let view = self.act(action);
        assert_eq!(view.fault.as_ref().map(|fault| &*fault.code), Some(code));
        view
    }

    fn until(&self, what: &str, is: impl Fn(&View) -> bool) -> View {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let view = self.view();
            if is(&view) {
                return view;
            }
            assert!(Instant::now() < end, "{what}: {:?} {:?} {:?}", view.step, view.system, view.notice);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn until_phase(&self, is: impl Fn(Phase) -> bool) -> View {
        self.until("a phase", |view| {
            let standing = view.system.as_ref().and_then(|system| system.standing.as_ref());
            standing.is_some_and(|standing| is(standing.phase))
        })
    }

    fn choose(&self) -> View {
        self.does(Action::Choose { path: ROOT.into() })
    }

    /// From the list of drives to the password that is set.
    fn to_password(&self) {
        self.choose();
        self.does(Action::Next);
        self.does(Action::Next);
        self.confirm();
        self.does(Action::Next);
        self.set_password();
    }

    fn confirm(&self) {
        self.does(Action::ConfirmBackup { confirmed: true });
        self.does(accept("boot-swap"));
    }

    fn set_password(&self) {
        self.does(Action::SetPassword { password: PASSWORD.into(), repeated: PASSWORD.into() });
    }

    fn export(&self) {
        self.does(Action::ExportRecovery { folder: self.stick().display().to_string() });
    }

    fn to_staged(&self) {
        self.to_password();
        self.does(Action::Next);
        self.export();
        self.does(Action::Next);
        self.does(Action::SkipRescue);
        let view = self.does(Action::Next);
        assert_eq!(view.step, Step::TestStart);
        self.until_phase(|phase| phase == Phase::Staged);
    }
}

fn accept(code: &str) -> Action {
    Action::Accept { code: code.into(), accepted: true }
}

fn blocked(view: &View) -> Option<&str> {
    view.blocked.as_ref().map(|reason| &*reason.code)
}

fn notice(view: &View) -> Option<&str> {
    view.notice.as_ref().map(|notice| &*notice.code)
}

fn system_drive(next: &str, verdict: Verdict) -> Drive {
    let judged = Judged { verdict, reason: Reason::new("plain"), gets: "everything".into(), next: next.into() };
    let volume = |id: &str, mount: &str, next: &str| Volume {
        id: VolumeId(id.into()),
        size: TOTAL,
        content: Content("ext4".into()),
        label: None,
        uuid: None,
        mounts: vec![mount.into()],
        in_use: true,
        judged: Judged { next: next.into(), ..judged.clone() },
        facts: [].into(),
    };
    Drive {
        path: DRIVE.into(),
        name: "Samsung SSD 990".into(),
        size: TOTAL,
        bus: Bus::Nvme,
        removable: Some(false),
        rotational: Some(false),
        system: true,
        volumes: vec![volume("/dev/nvme0n1p1", "/boot/efi", "nothing"), volume(ROOT, "/", next)],
        judged: judged.clone(),
    }
}

#[test]
fn the_whole_way_over_two_starts_to_the_report() {
    let mut desk = Desk::new();
    let overview = desk.view().overview.unwrap();
    assert_eq!(overview.offers.get(ROOT), Some(&Offer::Encrypt { path: ROOT.into() }));
    // The drive's own button does the same as the volume's.
    let view = desk.does(Action::Choose { path: DRIVE.into() });
    assert!(view.target.is_some_and(|target| target.system && target.id.0 == ROOT));
    let view = desk.does(Action::Next);
    assert_eq!((view.step, view.check.unwrap().conditions.len()), (Step::Check, 2));
    assert_eq!(blocked(&desk.does(Action::Next)), Some("blocked-backup"));
    assert_eq!(blocked(&desk.does(Action::ConfirmBackup { confirmed: true })), Some("blocked-accept"));
    assert_eq!(blocked(&desk.does(accept("boot-swap"))), None);
    assert_eq!(desk.does(Action::Next).step, Step::Password);
    desk.set_password();
    let view = desk.does(Action::Next);
    assert_eq!((view.step, blocked(&view)), (Step::Recovery, Some("blocked-recovery")));
    assert!(view.recovery.groups.is_some());
    desk.export();
    let view = desk.does(Action::Next);
    assert_eq!((view.step, view.can_go_back), (Step::Rescue, false));
    desk.until("sticks", |view| view.system.as_ref().is_some_and(|system| !system.sticks.is_empty()));
    desk.fails(Action::WriteStick { stick: "sdb@17".into(), typed: "Sandisk".into() }, "rescue-other-name");
    let view = desk.does(Action::WriteStick { stick: "sdb@17".into(), typed: "Kingston".into() });
    assert!(view.rescue.verified);
    let view = desk.does(Action::Next);
    assert_eq!((view.step, blocked(&view)), (Step::TestStart, Some("blocked-restart")));
    desk.until_phase(|phase| phase == Phase::Staged);
    assert_eq!(notice(&desk.does(Action::Restart)), Some("notice-system-restarts"));
    assert_eq!(desk.laptop.was_called("restart"), 1);

    desk.restart(&["wrong", PASSWORD]);
    let view = desk.until_phase(|phase| matches!(phase, Phase::Encrypting { running: true, .. }));
    assert_eq!((view.step, view.encrypt.progress.unwrap().total), (Step::Encrypt, TOTAL));
    let last = desk.system().standing.unwrap().last_start.unwrap();
    assert_eq!(last.outcome, StartOutcome::Passed);
    desk.laptop.works(TOTAL / 2);
    desk.until("half", |view| view.encrypt.progress.as_ref().is_some_and(|progress| progress.done == TOTAL / 2));
    desk.does(Action::Pause);
    desk.until_phase(|phase| matches!(phase, Phase::Encrypting { running: false, .. }));
    assert!(desk.view().encrypt.progress.unwrap().paused);
    desk.does(Action::Resume);
    desk.until_phase(|phase| matches!(phase, Phase::Encrypting { running: true, .. }));
    desk.laptop.works(TOTAL);
    desk.until_phase(|phase| phase == Phase::ToBeProven);
    desk.does(Action::PowerOff);
    assert_eq!(desk.laptop.was_called("power off"), 1);

    desk.engine.world().system = Some(system_drive("keep-key", Verdict::Protected));
    desk.restart(&[PASSWORD]);
    let view = desk.until("the report", |view| view.step == Step::Report);
    let report = view.report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!((report.copies.len(), report.rescue.as_deref()), (1, Some("Kingston")));
    assert!(!report.key_id.is_empty());
    // And it is there after another start of the program.
    desk.reopen();
    assert_eq!(desk.view().step, Step::Report);
    assert_eq!(desk.does(Action::StartOver).step, Step::Drives);
}

#[test]
fn each_way_in_which_a_test_start_comes_to_nothing_is_said_and_can_be_tried_again() {
    let failed = LastStart {
        id: "5f0e".into(),
        outcome: StartOutcome::Failed,
        fault: Some(Fault::new("boot-tool-failed", FaultKind::Failed)),
    };
    for (typed, outcome) in [
        (&["a", "b", "c", PASSWORD][..], StartOutcome::WrongPassword),
        (&[], StartOutcome::NothingTyped),
        (&[], StartOutcome::Failed),
        (&[PASSWORD], StartOutcome::TakenBack),
    ] {
        let mut desk = Desk::new();
        desk.to_staged();
        match outcome {
            StartOutcome::TakenBack => desk.laptop.world().phase = Phase::Placed,
            StartOutcome::Failed => {}
            _ => desk.laptop.world().phase = Phase::Staged,
        }
        desk.wizard = None;
        desk.laptop.start(typed);
        if outcome == StartOutcome::Failed {
            desk.laptop.world().last_start = Some(failed.clone());
        }
        desk.reopen();
        let view = desk.view();
        assert_eq!((view.step, view.can_go_on, view.can_go_back), (Step::TestStart, true, false), "{outcome:?}");
        let last = desk.system().standing.unwrap().last_start.unwrap();
        assert_eq!((last.outcome, last.fault.is_some()), (outcome, outcome == StartOutcome::Failed));
        assert!(!desk.system().can_undo);
        // It stays there until the person goes on.
        desk.reopen();
        assert_eq!(desk.view().step, Step::TestStart);
        assert_eq!(desk.does(Action::Next).step, Step::Check);
        desk.does(Action::Next);
        assert_eq!(desk.does(Action::Next).step, Step::Password, "what was confirmed is still so");
        desk.set_password();
        desk.does(Action::Next);
        desk.export();
        desk.does(Action::Next);
        desk.does(Action::SkipRescue);
        desk.does(Action::Next);
        desk.until_phase(|phase| phase == Phase::Staged);
    }
}

/// The service takes the rest of a failed test away, which takes minutes: until then there is nothing to press.
#[test]
fn what_a_failed_test_has_left_is_waited_for() {
    let mut desk = Desk::new();
    desk.to_staged();
    desk.wizard = None;
    desk.laptop.start(&["wrong"]);
    desk.laptop.world().phase = Phase::Staged;
    desk.reopen();
    assert_eq!((desk.view().step, blocked(&desk.view())), (Step::TestStart, Some("blocked-restart")));
    assert!(!desk.system().can_undo && !desk.view().can_go_back);
    desk.fails(Action::Restart, "wizard-not-now");
    desk.laptop.world().phase = Phase::Untouched;
    desk.until("it is over", |view| view.can_go_on);
}

#[test]
fn nothing_is_prepared_while_a_condition_fails() {
    let desk = Desk::new();
    desk.laptop.world().conditions.push(condition("boot-power", Outcome::Fail));
    desk.choose();
    let view = desk.does(Action::Next);
    assert_eq!((view.step, blocked(&view)), (Step::Check, Some("blocked-check")));
    desk.fails(Action::Next, "wizard-not-now");
    assert_eq!(desk.laptop.was_called("prepare"), 0);
    // The charger is plugged in: it is seen, and what the person had accepted stays so.
    desk.laptop.world().conditions.pop();
    desk.wizard().act(Action::AskAgain);
    desk.wizard().wait();
    assert_eq!(blocked(&desk.does(Action::Next)), None);
}

#[test]
fn without_its_service_it_says_what_is_missing_and_goes_on_when_it_is_there() {
    for code in ["service-not-there", "service-no-polkit", "service-no-agent", "service-not-allowed"] {
        let desk = Desk::new();
        desk.laptop.world().gone = Some(refused(code));
        desk.choose();
        let view = desk.does(Action::Next);
        assert_eq!((view.step, blocked(&view)), (Step::Check, Some("blocked-check")));
        assert_eq!(desk.system().missing.map(|fault| fault.code), Some(code.into()));
        // Nobody is asked over and over.
        let asked = desk.laptop.world().calls.len();
        std::thread::sleep(Duration::from_millis(1500));
        assert_eq!(desk.laptop.world().calls.len(), asked);
        desk.laptop.world().gone = None;
        desk.does(Action::AskAgain);
        assert_eq!((desk.view().can_go_on, desk.system().missing), (true, None));
    }
}

#[test]
fn a_dismissed_question_costs_nothing() {
    let desk = Desk::new();
    desk.to_password();
    desk.laptop.world().fails.insert("prepare", refused("service-dismissed"));
    let view = desk.fails(Action::Next, "service-dismissed");
    assert_eq!((view.step, view.password.set), (Step::Password, true));
    desk.does(Action::Next);
    desk.export();
    desk.laptop.world().fails.insert("begin", refused("service-dismissed"));
    let view = desk.fails(Action::Next, "service-dismissed");
    assert_eq!((view.step, view.recovery.copies.len()), (Step::Recovery, 1));
    assert_eq!(desk.does(Action::Next).step, Step::Rescue);
}

#[test]
fn a_staging_that_fails_is_said_and_begins_again_with_the_password() {
    let desk = Desk::new();
    desk.to_password();
    desk.does(Action::Next);
    desk.export();
    desk.laptop.world().fails.insert("begin", Fault::new("boot-not-in-initramfs", FaultKind::Failed));
    let view = desk.fails(Action::Next, "boot-not-in-initramfs");
    assert_eq!((view.step, view.password.set), (Step::Password, false));
    desk.set_password();
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
    assert!(desk.view().recovery.copies.is_empty());
}

#[test]
fn the_recovery_key_leaves_the_computer_and_is_proven() {
    let desk = Desk::new();
    desk.to_password();
    desk.does(Action::Next);
    let inside = desk.folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let view = desk.fails(Action::ExportRecovery { folder: inside.display().to_string() }, "wizard-folder-not-a-stick");
    assert!(view.recovery.copies.is_empty());
    assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 0);
    // On paper, and typed back: against the header itself.
    let key = desk.view().recovery.groups.unwrap().join("-");
    desk.laptop.world().fails.insert("prove", Fault::new("service-other-key", FaultKind::WrongSecret));
    desk.fails(Action::TypeRecovery { key: (&*key).into() }, "service-other-key");
    let view = desk.does(Action::TypeRecovery { key: (&*key).into() });
    assert_eq!(view.recovery.copies[0].kind, "paper");
}

#[test]
fn a_preparation_that_waited_too_long_begins_again() {
    let desk = Desk::new();
    desk.to_password();
    desk.does(Action::Next);
    desk.laptop.window_is_gone();
    let view = desk.act(Action::ExportRecovery { folder: desk.stick().display().to_string() });
    assert_eq!((view.step, notice(&view), &view.fault), (Step::Password, Some("notice-system-expired"), &None));
    desk.set_password();
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
}

#[test]
fn another_password_gives_the_first_preparation_back() {
    let desk = Desk::new();
    desk.to_password();
    desk.does(Action::Next);
    assert_eq!(desk.does(Action::Back).step, Step::Password);
    // The same one again: nothing is made anew.
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
    assert_eq!(desk.laptop.was_called("prepare"), 1);
    desk.does(Action::Back);
    let other = "ralog fumes tibor";
    desk.does(Action::SetPassword { password: other.into(), repeated: other.into() });
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
    assert_eq!((desk.laptop.was_called("give up"), desk.laptop.was_called("prepare")), (1, 2));
}

#[test]
fn closed_before_anything_was_staged_it_begins_with_the_password() {
    let mut desk = Desk::new();
    desk.to_password();
    desk.does(Action::Next);
    desk.export();
    desk.reopen();
    let view = desk.until("the password", |view| view.step == Step::Password);
    assert_eq!(notice(&view), Some("notice-password-again"));
    assert!(view.before.backup_confirmed);
    desk.set_password();
    assert_eq!(desk.does(Action::Next).step, Step::Recovery);
}

#[test]
fn closed_after_staging_it_is_there_again() {
    let mut desk = Desk::new();
    desk.to_staged();
    desk.reopen();
    let view = desk.view();
    assert_eq!((view.step, desk.system().can_undo), (Step::TestStart, true));
    desk.does(Action::Restart);
}

#[test]
fn one_click_takes_a_staged_start_back() {
    let desk = Desk::new();
    desk.to_staged();
    let view = desk.does(Action::TakeBack);
    assert_eq!((view.step, notice(&view)), (Step::Check, Some("notice-system-undone")));
    desk.until_phase(|phase| phase == Phase::Untouched);
    assert_eq!(desk.view().step, Step::Check);
    desk.does(Action::Next);
    desk.does(Action::Next);
    assert_eq!(desk.view().step, Step::Password);
}

#[test]
fn a_header_in_its_place_is_taken_back_by_the_next_start() {
    let mut desk = Desk::new();
    desk.to_staged();
    desk.laptop.world().phase = Phase::Placed;
    desk.reopen();
    assert_eq!((desk.view().step, desk.system().can_undo), (Step::Encrypt, true));
    // Nothing to restart for, before it was wished.
    desk.fails(Action::Restart, "wizard-not-now");
    desk.does(Action::TakeBack);
    assert!(desk.system().undone && !desk.system().can_undo);
    desk.until_phase(|phase| phase == Phase::Placed);
    desk.does(Action::Restart);
    desk.restart(&[]);
    let view = desk.until("it is said", |view| view.step == Step::Check);
    assert_eq!(notice(&view), Some("notice-system-undone"));
}

#[test]
fn what_is_encrypted_is_not_taken_back_by_a_click() {
    let mut desk = Desk::new();
    desk.to_staged();
    desk.restart(&[PASSWORD]);
    assert!(!desk.system().can_undo);
    desk.fails(Action::TakeBack, "wizard-not-now");
    desk.fails(Action::StartOver, "wizard-not-now");
}

#[test]
fn after_a_pause_and_a_start_that_typed_nothing_the_password_is_asked_for() {
    let mut desk = Desk::new();
    desk.to_staged();
    desk.restart(&[PASSWORD]);
    desk.does(Action::Pause);
    desk.wizard = None;
    desk.laptop.start(&[]);
    let half = Phase::Encrypting { done: TOTAL / 2, total: TOTAL, running: false };
    desk.laptop.stands_at(half, PASSWORD);
    desk.reopen();
    assert!(!desk.system().needs_password);
    desk.does(Action::Resume);
    assert!(desk.system().needs_password);
    let view = desk.fails(Action::Encrypt { password: Some("wrong".into()) }, "wizard-password-wrong");
    assert_eq!(view.step, Step::Encrypt);
    desk.does(Action::Encrypt { password: Some(PASSWORD.into()) });
    desk.until_phase(|phase| matches!(phase, Phase::Encrypting { running: true, .. }));
    assert!(!desk.system().needs_password);
}

#[test]
fn what_was_begun_in_a_terminal_is_found_where_it_stands() {
    for (phase, step) in [
        (Phase::Staged, Step::TestStart),
        (Phase::Encrypting { done: 1, total: TOTAL, running: true }, Step::Encrypt),
        (Phase::Ending, Step::Encrypt),
        (Phase::ToBeProven, Step::Encrypt),
        (Phase::Proven, Step::Report),
        (Phase::ToBeDecrypted, Step::Encrypt),
    ] {
        let desk = Desk::new();
        desk.laptop.stands_at(phase, PASSWORD);
        assert_eq!(desk.choose().step, step, "{phase:?}");
    }
}

#[test]
fn what_was_taken_back_in_a_terminal_is_said() {
    let desk = Desk::new();
    desk.to_staged();
    desk.laptop.world().phase = Phase::Untouched;
    let view = desk.until("it is said", |view| view.step == Step::Check);
    assert_eq!(notice(&view), Some("notice-system-nothing-staged"));
}

#[test]
fn a_drive_that_somebody_else_encrypted_is_no_business_of_ours() {
    let desk = Desk::new();
    desk.engine.world().system = Some(system_drive("keep-key", Verdict::Protected));
    desk.engine.world().pulse += 1;
    desk.until("seen", |view| view.overview.as_ref().is_some_and(|overview| overview.offers.is_empty()));
    // It is looked at as any other drive is, and the simulated engine knows none of this name.
    let view = desk.act(Action::Choose { path: ROOT.into() });
    assert_eq!((view.target, view.system), (None, None));
}

#[test]
fn the_way_back_asks_for_the_password_and_can_be_taken_back() {
    let mut desk = Desk::new();
    desk.laptop.stands_at(Phase::Proven, PASSWORD);
    assert_eq!(desk.choose().step, Step::Report);
    desk.fails(Action::Decrypt { password: "wrong".into() }, "wizard-password-wrong");
    assert_eq!(desk.does(Action::Decrypt { password: PASSWORD.into() }).step, Step::Encrypt);
    desk.until_phase(|phase| phase == Phase::ToBeDecrypted);
    assert!(desk.system().can_undo);
    desk.does(Action::TakeBack);
    desk.until("still encrypted", |view| view.step == Step::Report);
    desk.does(Action::Decrypt { password: PASSWORD.into() });
    desk.until_phase(|phase| phase == Phase::ToBeDecrypted);
    desk.does(Action::Restart);
    desk.restart(&[PASSWORD]);
    let view = desk.until("it is said", |view| view.step == Step::Check);
    assert_eq!(notice(&view), Some("notice-system-decrypted"));
}

#[test]
fn without_anybody_who_could_do_it_the_system_is_not_offered() {
    let mut desk = Desk::new();
    desk.wizard = None;
    let wizard = Wizard::open(&desk.folder.path().join("other"), Options::new(desk.engine.clone())).unwrap();
    desk.wizard = Some(wizard);
    let view = desk.until("the drives", |view| view.overview.is_some());
    assert!(view.overview.unwrap().offers.is_empty());
}

#[test]
fn a_warning_that_says_something_else_is_shown_again() {
    let desk = Desk::new();
    desk.choose();
    desk.does(Action::Next);
    desk.does(Action::Next);
    desk.confirm();
    assert!(desk.view().can_go_on);
    let changed = Reason::new("boot-in-order").with("percent", 40);
    desk.laptop.world().conditions[1].reason = changed;
    // The next look, without waiting for it.
    desk.does(Action::AskAgain);
    desk.until("it is asked about again", |view| blocked(view) == Some("blocked-accept"));
}

#[test]
fn where_room_has_to_be_made_there_are_two_restarts() {
    let mut desk = Desk::new();
    desk.laptop.world().no_room = true;
    desk.to_password();
    desk.does(Action::Next);
    desk.export();
    desk.does(Action::Next);
    desk.does(Action::SkipRescue);
    desk.does(Action::Next);
    desk.until_phase(|phase| phase == Phase::RoomStaged);
    assert!(desk.system().can_undo);
    desk.does(Action::Restart);
    // Nobody is asked for anything.
    desk.restart(&[]);
    assert_eq!((desk.view().step, blocked(&desk.view())), (Step::TestStart, Some("blocked-restart")));
    // The test start is being prepared: neither a restart nor a click of regret comes between.
    assert!(!desk.system().can_undo && !desk.view().can_go_back);
    desk.fails(Action::Restart, "wizard-not-now");
    desk.laptop.world().phase = Phase::Staged;
    desk.until_phase(|phase| phase == Phase::Staged);
    desk.does(Action::Restart);
    desk.restart(&[PASSWORD]);
    desk.until_phase(|phase| matches!(phase, Phase::Encrypting { running: true, .. }));
}
