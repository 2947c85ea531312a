//! The page for the system's own encryption, on practice computers: the whole way, closed and reopened at each state,
//! and what is refused.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bitlocker::{Code, Edition, Place, SimulatedVolume};
use filevault::{Output, Tools};
use model::{Describe, Fault, Method, Outcome, Verdict};
use recovery::SheetWords;
use tempfile::TempDir;
use wizard::engine::{Real, RealOptions};
use wizard::native::{Ask, By, FileVault, Native, Opener, Practice, Simulated, Stand, Target};
use wizard::view::{Action, NativeAction, NativeSeen, NativeState, NativeWish, Step, View};
use wizard::{Options, Wizard};

struct Desk {
    folder: TempDir,
    opener: Option<Arc<dyn Opener>>,
    wizard: Option<Wizard>,
}

impl Desk {
    fn new() -> Self {
        let mut desk = Self { folder: tempfile::tempdir().unwrap(), opener: None, wizard: None };
        std::fs::create_dir(desk.path("stick")).unwrap();
        desk.reopen();
        desk
    }

    /// With the page open on this computer.
    fn with(computer: Simulated) -> Self {
        let desk = Self::new();
        Practice::make(&desk.computer(), computer).unwrap();
        desk.does(Action::OpenNative { path: desk.computer().display().to_string() });
        desk
    }

    fn reopen(&mut self) {
        self.wizard = None;
        let real = RealOptions::new(SheetWords::look_up(str::to_owned), "kitchen".into());
        let mut options = Options::new(Arc::new(Real::new(real)));
        options.native = self.opener.clone().unwrap_or(options.native);
        self.wizard = Some(Wizard::open(&self.path("state"), options).unwrap());
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn computer(&self) -> PathBuf {
        self.path("windows.json")
    }

    fn stick(&self) -> String {
        self.path("stick").display().to_string()
    }

    fn act(&self, action: Action) -> View {
        self.wizard().act(action);
        self.wizard().wait()
    }

    /// Works.
    #[track_caller]
    fn does(&self, action: Action) -> View {
        let view = self.act(action);
        assert_eq!(view.fault, None);
        view
    }

    #[track_caller]
    fn native(&self, native: NativeAction) -> NativeState {
        page(&self.does(Action::Native { native }))
    }

    /// Does not work, and why.
    #[track_caller]
    fn fails(&self, native: NativeAction) -> String {
        self.act(Action::Native { native }).fault.expect("a fault").code
    }

    /// Waits until it stands so: it is asked about once a second.
    #[track_caller]
    fn until(&self, stand: Stand) -> View {
        let end = Instant::now() + Duration::from_secs(30);
        while Instant::now() < end {
            let view = self.wizard().view();
            if view.native.as_ref().and_then(|native| native.seen.as_ref()).is_some_and(|seen| seen.stand == stand) {
                return view;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not come to {stand:?}: {:?}", self.wizard().view().native);
    }

    /// Files on the stick.
    fn sheets(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.path("stick")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// Changes the computer while the window is closed.
    fn simulated(&mut self, change: impl FnOnce(&mut Simulated)) {
        self.wizard = None;
        let mut kept: serde_json::Value = serde_json::from_slice(&std::fs::read(self.computer()).unwrap()).unwrap();
        let mut machine: Simulated = serde_json::from_value(kept["machine"].take()).unwrap();
        change(&mut machine);
        Practice::make(&self.computer(), machine).unwrap();
        self.reopen();
    }

    fn protectors(&self) -> usize {
        let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(self.computer()).unwrap()).unwrap();
        serde_json::from_value::<Simulated>(kept["machine"].clone()).unwrap().volumes[0].protectors.len()
    }
}

#[track_caller]
fn page(view: &View) -> NativeState {
    view.native.clone().expect("the page")
}

#[track_caller]
fn seen(state: &NativeState) -> NativeSeen {
    state.seen.clone().expect("it was looked at")
}

fn begin() -> NativeAction {
    NativeAction::Begin { secret: None, repeated: None, folder: None }
}

/// Slow enough that a state is still there when somebody looks.
fn slow() -> Simulated {
    let mut computer = Simulated::laptop();
    computer.pace = 20_000;
    computer
}

#[test]
fn the_whole_way_and_back_with_the_window_closed_at_each_state() {
    let mut desk = Desk::with(slow());
    let opened = page(&desk.wizard().view());
    assert_eq!((opened.by, opened.practice, opened.proven), (By::Bitlocker, true, false));
    let now = seen(&opened);
    assert_eq!((now.stand, now.method, now.asks), (Stand::Plain, Some(Method::Software), Ask::Nothing));
    assert!(now.conditions.iter().all(|condition| condition.outcome == Outcome::Pass));
    assert_eq!(desk.fails(begin()), "wizard-not-now", "without a proven key nothing begins");
    assert_eq!(desk.protectors(), 0);

    let saved = desk.native(NativeAction::SaveKey { folder: desk.stick() });
    assert!(saved.proven && saved.key.is_none());
    assert_eq!(saved.copies.len(), 1);
    desk.reopen();
    assert!(page(&desk.wizard().view()).proven, "the copy is made good once more when it begins");

    let begun = desk.native(begin());
    assert_eq!(seen(&begun).stand, Stand::Restart);
    assert_eq!(desk.sheets().len(), 1, "the same copy");
    desk.reopen();
    assert_eq!(seen(&page(&desk.wizard().view())).stand, Stand::Restart, "the program is no restart");

    desk.native(NativeAction::Restart);
    desk.until(Stand::Encrypting);
    let paused = desk.native(NativeAction::Pause);
    assert_eq!(seen(&paused).stand, Stand::Paused);
    desk.reopen();
    let share = seen(&page(&desk.wizard().view())).share.unwrap();
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(seen(&page(&desk.wizard().view())).share, Some(share), "it stands still");
    desk.native(NativeAction::Resume);
    desk.simulated(|computer| computer.pace = 250_000);
    let view = desk.until(Stand::Protected);
    assert_eq!((seen(&page(&view)).judged.verdict, view.fault), (Verdict::Protected, None));
    desk.reopen();
    assert_eq!(seen(&page(&desk.wizard().view())).stand, Stand::Protected);

    let sheet = desk.sheets()[0].display().to_string();
    let view = desk.does(Action::Native { native: NativeAction::CheckSheet { file: sheet.clone() } });
    assert_eq!(view.notice.unwrap().code, "notice-native-key-opens");

    desk.native(NativeAction::TurnOff { secret: None });
    desk.reopen();
    let view = desk.until(Stand::Plain);
    assert_eq!(desk.protectors(), 0);
    assert!(!page(&view).proven && page(&view).copies.is_empty());
    assert_eq!(desk.fails(NativeAction::CheckSheet { file: sheet }), "bitlocker-stale-key");
    let view = desk.does(Action::Leave);
    assert_eq!((view.native, view.step), (None, Step::Drives));
    desk.reopen();
    assert_eq!(desk.wizard().view().native, None);
}

#[test]
fn whoever_writes_the_key_down_types_it_back() {
    let mut desk = Desk::with(slow());
    let shown = desk.native(NativeAction::ShowKey).key.unwrap();
    assert_eq!(shown.groups.len(), 8);
    let mut wrong = shown.groups.clone();
    wrong.swap(1, 2);
    let fault = desk.act(Action::Native { native: NativeAction::TypeKey { digits: wrong.join("-").into() } }).fault;
    let fault = fault.unwrap();
    assert_eq!((fault.code.as_str(), fault.args["groups"].as_str()), ("wizard-recovery-typed-wrong", "2, 3"));
    assert_eq!(desk.fails(NativeAction::TypeKey { digits: "123".into() }), "bitlocker-bad-recovery-password");
    assert_eq!(desk.fails(begin()), "wizard-not-now");

    // The key was not written down: neither is it in the journal, nor does it count after reopening.
    let journal = std::fs::read_to_string(desk.path("state").join("journal.json")).unwrap();
    assert!(!journal.contains(&shown.groups[0]));
    desk.reopen();
    assert_eq!(page(&desk.wizard().view()).key, None);
    let again = desk.native(NativeAction::ShowKey).key.unwrap();
    assert_eq!(again, shown, "the same key");
    let typed = desk.native(NativeAction::TypeKey { digits: shown.groups.join(" ").into() });
    assert!(typed.proven && typed.key.is_none());
    assert_eq!(typed.copies[0].kind, "paper");
    assert_eq!(seen(&desk.native(begin())).stand, Stand::Restart);
}

#[test]
fn a_page_that_is_left_before_the_beginning_leaves_nothing_behind() {
    let mut desk = Desk::with(Simulated::laptop());
    desk.native(NativeAction::ShowKey);
    assert_eq!(desk.protectors(), 1);
    desk.reopen();
    let view = desk.does(Action::Leave);
    assert_eq!(view.notice.unwrap().code, "notice-native-taken-back");
    assert_eq!((view.native, desk.protectors()), (None, 0));
}

#[test]
fn what_is_under_way_comes_back_with_the_next_window() {
    let mut desk = Desk::with(slow());
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    desk.native(begin());
    assert_eq!(desk.does(Action::Leave).native, None);
    desk.reopen();
    assert_eq!(seen(&page(&desk.wizard().view())).stand, Stand::Restart);
    desk.native(NativeAction::TurnOff { secret: None });
    desk.until(Stand::Plain);
    assert_eq!(desk.protectors(), 0, "taken back before anything was encrypted");
}

#[test]
fn a_test_start_that_fails_says_that_every_copy_is_dead() {
    let mut computer = Simulated::laptop();
    computer.traps.test_fails = Some(Code(0x8031_003F));
    let mut desk = Desk::with(computer);
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    desk.native(begin());
    let view = desk.act(Action::Native { native: NativeAction::Restart });
    assert_eq!(view.fault.as_ref().map(|fault| fault.code.as_str()), Some("bitlocker-test-failed"));
    let state = page(&view);
    assert_eq!((seen(&state).stand, state.proven, state.copies.len()), (Stand::Plain, false, 0));
    let old = desk.sheets()[0].display().to_string();
    assert_eq!(desk.fails(NativeAction::CheckSheet { file: old }), "bitlocker-stale-key");
    // What is left before the next try begins leaves nothing behind.
    desk.native(NativeAction::ShowKey);
    desk.does(Action::Leave);
    assert_eq!(desk.protectors(), 0);
    desk.does(Action::OpenNative { path: desk.computer().display().to_string() });
    // And once more, with a new key.
    desk.simulated(|computer| computer.traps.test_fails = None);
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    desk.native(begin());
    desk.native(NativeAction::Restart);
    desk.until(Stand::Protected);
}

#[test]
fn what_stands_in_the_way_is_said_and_all_stays_as_it_was() {
    for condition in ["bitlocker-edition", "bitlocker-tpm", "bitlocker-recovery-allowed", ""] {
        let mut computer = Simulated::laptop();
        match condition {
            "bitlocker-edition" => computer.facts.edition = Some(Edition::Home),
            "bitlocker-tpm" => computer.facts.tpm = Some(None),
            "bitlocker-recovery-allowed" => {
                computer.policies.insert((Place::Software, "OSRecoveryPassword".into()), 0);
            }
            // A number that nobody knows.
            _ => computer.volumes[0].conversion = 9,
        }
        let desk = Desk::with(computer);
        let now = seen(&page(&desk.wizard().view()));
        assert_eq!(now.method, None, "{condition}");
        let failed: Vec<&str> =
            now.conditions.iter().filter(|one| one.outcome == Outcome::Fail).map(|one| one.code.as_str()).collect();
        assert!(condition.is_empty() || failed.contains(&condition), "{condition}: {failed:?}");
        for one in now.conditions.iter().filter(|one| one.outcome == Outcome::Fail) {
            assert_eq!(one.reason.code, format!("{}-not-met", one.code));
        }
        for action in [
            NativeAction::ShowKey,
            NativeAction::SaveKey { folder: desk.stick() },
            begin(),
            NativeAction::Restart,
            NativeAction::Pause,
            NativeAction::Resume,
        ] {
            assert_eq!(desk.fails(action), "wizard-not-now", "{condition}");
        }
        assert_eq!((desk.protectors(), desk.sheets().len()), (0, 0), "{condition}");
    }
}

#[test]
fn what_somebody_can_do_about_it_is_said_in_both_languages() {
    for language in texts::Language::ALL {
        let texts = texts::Texts::new(language);
        for condition in bitlocker::WITH_A_WAY_OUT {
            let said = texts.reason(&model::Reason::new(&format!("{condition}-not-met")));
            assert!(said.len() > 60 && !said.starts_with('['), "{language:?}, {condition}: {said}");
        }
    }
}

#[test]
fn what_the_system_refuses_half_way_can_be_tried_again_or_left() {
    let mut computer = Simulated::laptop();
    computer.traps.refuse.insert("ProtectKeyWithTPM".into(), Code(0x8031_0068));
    let desk = Desk::with(computer);
    assert_eq!(
        desk.fails(NativeAction::SaveKey { folder: desk.path("none").display().to_string() }),
        "recovery-folder-missing"
    );
    assert!(!page(&desk.wizard().view()).proven);
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    assert_eq!(desk.fails(begin()), "bitlocker-pin");
    assert_eq!(seen(&page(&desk.wizard().view())).stand, Stand::Plain);
    desk.does(Action::Leave);
    assert_eq!(desk.protectors(), 0);
}

#[test]
fn a_pin_is_typed_twice() {
    let desk = Desk::with(slow());
    let wish = NativeWish { pin: true, ..NativeWish::default() };
    let state = desk.native(NativeAction::Wish { wish });
    assert_eq!((state.wish, seen(&state).asks), (wish, Ask::NewPin));
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    let pin = |secret: &str, repeated: &str| NativeAction::Begin {
        secret: Some(secret.into()),
        repeated: Some(repeated.into()),
        folder: None,
    };
    assert_eq!(desk.fails(begin()), "wizard-password-needed");
    assert_eq!(desk.fails(pin("123456", "123457")), "wizard-password-differs");
    assert_eq!(desk.fails(pin("123", "123")), "bitlocker-pin");
    assert_eq!(seen(&desk.native(pin("123456", "123456"))).stand, Stand::Restart);
    let kept = std::fs::read_to_string(desk.path("state").join("journal.json")).unwrap();
    assert!(!kept.contains("123456"), "no secret is remembered");
}

#[test]
fn what_stands_open_is_closed_with_one_button_or_with_a_key() {
    let mut computer = Simulated::laptop();
    computer.volumes[0] = SimulatedVolume::clear_key(1, "C:");
    let mut desk = Desk::with(computer);
    assert_eq!(seen(&page(&desk.wizard().view())).stand, Stand::Open);
    assert_eq!(desk.fails(begin()), "wizard-not-now", "a key first");
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    assert_eq!(seen(&desk.native(begin())).judged.verdict, Verdict::Protected);
    desk.simulated(|computer| computer.volumes[0].suspended = true);
    desk.until(Stand::Suspended);
    assert_eq!(seen(&desk.native(NativeAction::Resume)).stand, Stand::Protected);
    // One more copy, of the key that there is.
    desk.native(NativeAction::SaveKey { folder: desk.stick() });
    assert_eq!(desk.sheets().len(), 1);
}

#[test]
fn a_wizard_in_front_of_which_the_page_stands_waits() {
    let desk = Desk::new();
    let view = desk.does(Action::PracticeNative);
    assert!(page(&view).practice);
    assert_eq!(desk.act(Action::Practice).fault.unwrap().code, "wizard-not-now");
    desk.does(Action::Leave);
    // The file of a practice computer, chosen as a drive, is one.
    Practice::make(&desk.computer(), Simulated::laptop()).unwrap();
    assert!(desk.does(Action::Choose { path: desk.computer().display().to_string() }).native.is_some());
    // Anything else is none.
    desk.does(Action::Leave);
    let other = desk.act(Action::OpenNative { path: desk.stick() });
    assert_eq!((other.fault.unwrap().code.as_str(), other.native), ("wizard-not-now", None));
}

#[test]
fn a_computer_that_has_gone_is_no_page() {
    let mut desk = Desk::with(Simulated::laptop());
    desk.wizard = None;
    std::fs::write(desk.computer(), b"damaged").unwrap();
    desk.reopen();
    let view = desk.wizard().view();
    assert!(view.fault.is_some());
    assert_eq!(view.native, None);
}

/// A Mac that the test and the wizard share.
#[derive(Clone)]
struct Mac(Arc<Mutex<filevault::Simulated>>);

impl Tools for Mac {
    fn run(&mut self, program: &str, words: &[&str], input: Option<&[u8]>) -> filevault::Result<Output> {
        self.0.lock().unwrap().run(program, words, input)
    }
}

impl Opener for Mac {
    fn fits(&self, target: &Path) -> bool {
        target == Path::new("/")
    }

    fn open(&self, _: &Path) -> Result<Box<dyn Native>, Fault> {
        Ok(Box::new(FileVault::new(Box::new(self.clone()), Target::System, "anna")))
    }
}

#[test]
fn filevault_asks_for_the_password_and_is_looked_at_after_reopening_only_when_somebody_says_so() {
    let Ok(stick) = tempfile::tempdir_in("/dev/shm") else {
        return eprintln!("left out: this system has no folder in memory");
    };
    let mac = Mac(Arc::new(Mutex::new(filevault::Simulated::mac())));
    let mut desk = Desk::new();
    desk.opener = Some(Arc::new(mac.clone()));
    desk.reopen();
    let state = page(&desk.does(Action::OpenNative { path: "/".into() }));
    assert_eq!((state.by, seen(&state).asks), (By::Filevault, Ask::Login));
    assert_eq!(desk.fails(NativeAction::ShowKey), "wizard-not-now", "macOS makes the key when it is on");
    let folder = Some(stick.path().display().to_string());
    let with =
        |secret: &str| NativeAction::Begin { secret: Some(secret.into()), repeated: None, folder: folder.clone() };
    assert_eq!(desk.fails(with("wrong")), "filevault-wrong-password");
    let on = desk.native(with("secret"));
    assert_eq!((seen(&on).stand, on.copies.len()), (Stand::Protected, 1));
    let sheet = std::fs::read_dir(stick.path()).unwrap().next().unwrap().unwrap().path().display().to_string();

    desk.reopen();
    let state = page(&desk.wizard().view());
    assert_eq!(state.seen, None, "nobody has been asked for rights");
    assert_eq!(desk.fails(NativeAction::TurnOff { secret: None }), "wizard-not-now");
    desk.native(NativeAction::Look);
    desk.native(NativeAction::CheckSheet { file: sheet.clone() });
    desk.native(NativeAction::NewKey { secret: "secret".into(), folder: folder.clone().unwrap() });
    assert_eq!(desk.fails(NativeAction::CheckSheet { file: sheet }), "filevault-key-not-proven");
    assert_eq!(desk.fails(NativeAction::TurnOff { secret: Some("wrong".into()) }), "filevault-wrong-password");
    assert_eq!(seen(&desk.native(NativeAction::TurnOff { secret: Some("secret".into()) })).stand, Stand::Plain);
    let words = mac.0.lock().unwrap().words.join(" ");
    assert!(!words.contains("secret"), "no secret in an argument");
}

/// The faults that the page shows are in the catalogue.
#[test]
fn every_fault_of_its_own_has_a_sentence() {
    let texts = texts::Texts::new(texts::Language::English);
    for code in ["native-gone", "native-restart", "native-no-sheet", "bitlocker-test-failed"] {
        let fault = Fault::new(code, model::FaultKind::Failed);
        assert!(!texts.fault(&fault).what.contains("native-"), "{code}");
    }
    assert_eq!(wizard::Error::NotNow.fault().code, "wizard-not-now");
}
