//! The whole wizard on a practice drive, with the real engine: real headers, real conversion, real files.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bench::DiskOptions;
use common::{PASSWORD, Person};
use model::{StepId, Verdict};
use recovery::SheetWords;
use tempfile::TempDir;
use wizard::engine::{Real, RealOptions};
use wizard::operations::{self, KdfWish};
use wizard::practice::LEAST_SIZE;
use wizard::view::{Action, Step, View};
use wizard::{Options, Wizard};

struct Desk {
    folder: PathBuf,
    /// Removes the folder at the end.
    _own: Option<TempDir>,
    wizard: Option<Wizard>,
}

impl Desk {
    fn new() -> Self {
        let own = tempfile::tempdir().unwrap();
        let mut desk = Self { folder: own.path().to_owned(), _own: Some(own), wizard: None };
        std::fs::create_dir(desk.stick()).unwrap();
        desk.reopen();
        desk
    }

    fn reopen(&mut self) -> View {
        self.reopen_with(KdfWish::CheapestForTests)
    }

    fn reopen_with(&mut self, kdf: KdfWish) -> View {
        self.wizard = None;
        let mut real = RealOptions::new(SheetWords::look_up(str::to_owned), "kitchen".into());
        real.kdf = kdf;
        real.disk = DiskOptions {
            size: 4 << 20,
            rounds: 1,
            budget: Duration::from_millis(200),
            settle: Duration::ZERO,
            ..real.disk
        };
        let options = Options { practice_size: LEAST_SIZE, ..Options::new(Arc::new(Real::new(real))) };
        self.wizard = Some(Wizard::open(&self.folder.join("state"), options).unwrap());
        self.wizard().wait()
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    fn stick(&self) -> PathBuf {
        self.folder.join("stick")
    }

    fn image(&self) -> PathBuf {
        self.folder.join("state/practice/practice-drive.img")
    }

    fn person(&self) -> Person {
        Person { stick: self.stick(), begins: || Action::Practice, measures: || Action::Measure }
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

#[test]
fn all_the_way() {
    let desk = Desk::new();
    let view = desk.go_to(Step::Recovery);
    let key = view.recovery.groups.unwrap().join("-");
    let report = desk.go_to(Step::Report).report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!((report.cipher.as_str(), report.key_bits), ("aes-xts-plain64", 512));
    let files = report.files.unwrap();
    assert!(files.total > 10 && files.same == files.total);
    assert!(report.seconds > 0.0 && report.bytes >= LEAST_SIZE);
    assert!(Path::new(report.rescue.as_ref().unwrap()).exists());
    // What the sheet says opens it, for us and for the stock tool.
    assert!(operations::prove(&desk.image(), &model::Secret::from(key.as_str())).unwrap().recovery);
    let file = desk.folder.join("secret");
    std::fs::write(&file, PASSWORD).unwrap();
    let opened = std::process::Command::new("cryptsetup")
        .args(["open", "--test-passphrase", "--key-file"])
        .arg(&file)
        .arg(desk.image())
        .output();
    match opened {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => println!("left out: cryptsetup is not here"),
    }
}

#[test]
fn closed_and_reopened_at_every_step() {
    let mut desk = Desk::new();
    let mut last = Step::Drives;
    for _ in 0..60 {
        let view = desk.reopen();
        assert_eq!(view.fault, None, "{:?}", view.step);
        last = view.step;
        if last == Step::Report {
            break;
        }
        desk.settle();
        desk.does(Action::Next);
        // What closing takes back on purpose would go on for ever: a header without a proven copy of
        // its key, and a password that was given but not used.
        if matches!(last, Step::Password | Step::TestStart) {
            desk.settle();
        }
    }
    assert_eq!(last, Step::Report);
    let report = desk.wizard().view().report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!(report.files.map(|files| files.same == files.total), Some(true));
}

#[test]
fn broken_off_in_the_middle_of_the_conversion() {
    let mut desk = Desk::new();
    desk.go_to(Step::Encrypt);
    let mut stops = 0_u32;
    loop {
        let view = desk.wizard().view();
        if view.encrypt.finished {
            break;
        }
        desk.wizard().act(Action::Encrypt { password: view.encrypt.needs_password.then(|| PASSWORD.into()) });
        let converts = |view: &View| {
            view.job.as_ref().is_none_or(|job| job.progress.step == StepId::Encrypt && job.progress.total > 0)
        };
        while !converts(&desk.wizard().view()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(u64::from(stops) / 4));
        let view = desk.reopen();
        assert_eq!(view.fault, None);
        assert_eq!(view.step, Step::Encrypt);
        stops += 1;
        assert!(stops < 1000);
    }
    assert!(stops > 1);
    let report = desk.go_to(Step::Report).report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
}

/// The program is killed when the last byte is encrypted and the journal does not know it yet.
#[test]
fn killed_between_the_end_and_its_note() {
    let mut desk = Desk::new();
    desk.go_to(Step::Encrypt);
    desk.settle();
    let noted = desk.wizard().view();
    assert!(noted.encrypt.finished);
    desk.wizard = None;
    let path = desk.folder.join("state/journal.json");
    let mut journal: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    journal["encrypt"]["finished"] = false.into();
    journal["encrypt"]["bytes"] = 0.into();
    journal["encrypt"]["files"] = serde_json::Value::Null;
    std::fs::write(&path, serde_json::to_vec(&journal).unwrap()).unwrap();
    let view = desk.reopen();
    assert_eq!((view.step, view.encrypt.finished, view.encrypt.needs_password), (Step::Encrypt, false, true));
    desk.wizard().act(Action::Encrypt { password: Some("lutin dehig becus".into()) });
    assert_eq!(desk.wizard().wait().fault.unwrap().code, "wizard-password-wrong");
    let report = desk.go_to(Step::Report).report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert!(report.files.is_some_and(|files| files.total > 10 && files.same == files.total));
    assert!(report.bytes >= LEAST_SIZE);
}

#[test]
fn the_recovery_key_does_not_go_where_it_cannot_be_kept() {
    let desk = Desk::new();
    desk.go_to(Step::Recovery);
    let missing = desk.folder.join("pulled out").display().to_string();
    desk.wizard().act(Action::ExportRecovery { folder: missing });
    let view = desk.wizard().wait();
    assert_eq!(view.fault.unwrap().code, "recovery-folder-missing");
    assert!(view.recovery.copies.is_empty() && !view.can_go_on);
}

#[test]
fn the_whole_way_with_the_usual_key_derivation() {
    let mut desk = Desk::new();
    desk.reopen_with(KdfWish::default());
    desk.go_to(Step::Report);
    let report = desk.wizard().view().report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    desk.reopen();
    assert_eq!(desk.wizard().view().step, Step::Report);
}

/// The folder of a wizard that is going to be killed.
const KILLED_IN: &str = "LATCHKEY_TEST_KILLED_IN";

#[test]
fn killed_at_any_moment_it_goes_on() {
    let mut desk = Desk::new();
    let mut kills = 0_u64;
    loop {
        desk.wizard = None;
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "the_wizard_that_is_killed"])
            .env(KILLED_IN, &desk.folder)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Later each time, so that it comes further and ends at last.
        std::thread::sleep(Duration::from_millis(10 + 7 * kills));
        child.kill().unwrap();
        child.wait().unwrap();
        let view = desk.reopen();
        assert_eq!(view.fault, None);
        if view.step == Step::Report {
            break;
        }
        kills += 1;
        assert!(kills < 400);
    }
    println!("killed {kills} times");
    let report = desk.wizard().view().report.unwrap();
    assert_eq!(report.judged.verdict, Verdict::Protected);
    assert_eq!(report.files.map(|files| files.same == files.total && files.total > 10), Some(true));
}

#[test]
#[ignore = "is started by another test, which kills it"]
fn the_wizard_that_is_killed() {
    let Some(folder) = std::env::var_os(KILLED_IN) else { return };
    let mut desk = Desk { folder: folder.into(), _own: None, wizard: None };
    desk.reopen();
    desk.go_to(Step::Report);
}
