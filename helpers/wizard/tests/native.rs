//! FileVault through the trait that the window and the terminal use, on a simulated Mac; and BitLocker on a practice
//! Windows.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use filevault::{Output, Simulated, Tools};
use model::{Control, FaultKind, Method, Secret, Silent, Verdict};
use wizard::native::{self, Ask, CopyTo, Ended, FileVault, Native, Practice, Target, Wish};

/// A Mac that the test and the wizard share.
#[derive(Clone)]
struct Mac(Rc<RefCell<Simulated>>);

impl Mac {
    fn new() -> Self {
        Self(Rc::new(RefCell::new(Simulated::mac())))
    }

    fn at(&self, target: Target) -> FileVault {
        FileVault::new(Box::new(self.clone()), target, "anna")
    }
}

impl Tools for Mac {
    fn run(&mut self, program: &str, words: &[&str], input: Option<&[u8]>) -> filevault::Result<Output> {
        self.0.borrow_mut().run(program, words, input)
    }
}

fn to(folder: &Path) -> CopyTo {
    CopyTo { folder: folder.to_owned(), elsewhere: true }
}

/// A folder that is not on the drive of `/` as far as anybody can see: memory.
fn stick() -> Option<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

#[test]
fn filevault_there_and_back() {
    let Some(stick) = stick() else { return eprintln!("left out: this system has no folder in memory") };
    let mac = Mac::new();
    let mut native = mac.at(Target::System);
    assert_eq!(native.standing().unwrap().judged.verdict, Verdict::NotProtected);
    let checked = native.check(Wish::default()).unwrap();
    assert_eq!((checked.method, checked.asks), (Some(Method::Software), Ask::Login));
    let (password, control) = (Secret::from("secret"), Control::new());
    let wrong = native.encrypt(Wish::default(), Some(&Secret::from("x")), &to(stick.path()), &control, &mut Silent);
    assert_eq!(wrong.unwrap_err().kind, FaultKind::WrongSecret);
    let done = native.encrypt(Wish::default(), Some(&password), &to(stick.path()), &control, &mut Silent);
    let (ended, copies) = done.unwrap();
    assert_eq!((ended, native.standing().unwrap().judged.verdict), (Ended::Done, Verdict::Protected));
    let sheet = std::fs::read(&copies.saved[0].1).unwrap();
    native.prove(&sheet).unwrap();
    assert!(native.check(Wish::default()).unwrap().method.is_none());
    assert!(native.pause().is_err() && native.save_keys(&to(stick.path())).is_err());
    native.new_key(Some(&password), &to(stick.path())).unwrap();
    assert!(native.prove(&sheet).is_err(), "the old key is void");
    native.decrypt(Some(&password), &control, &mut Silent).unwrap();
    assert_eq!(native.standing().unwrap().judged.verdict, Verdict::NotProtected);
}

/// Report 18 of `data/status-bugs`: it went down between switching on and saving. It is not switched on again and
/// again; a key that can be saved is made.
#[test]
fn bug_18_a_key_that_was_never_saved_is_made_anew_and_nothing_loops() {
    let Some(stick) = stick() else { return eprintln!("left out: this system has no folder in memory") };
    let mac = Mac::new();
    {
        let mut mac = mac.0.borrow_mut();
        (mac.on, mac.key) = (true, Some("LOST-LOST-LOST-LOST-LOST-LOST".to_owned()));
    }
    let password = Secret::from("secret");
    let mut native = mac.at(Target::System);
    for _ in 0..2 {
        let again = native.encrypt(Wish::default(), Some(&password), &to(stick.path()), &Control::new(), &mut Silent);
        assert_eq!(again.unwrap_err().code, "filevault-not-now");
    }
    assert_eq!(mac.0.borrow().key.as_deref(), Some("LOST-LOST-LOST-LOST-LOST-LOST"), "nothing was made void");
    let copies = native.new_key(Some(&password), &to(stick.path())).unwrap();
    native.prove(&std::fs::read(&copies.saved[0].1).unwrap()).unwrap();
    assert_eq!(native.standing().unwrap().judged.verdict, Verdict::Protected);
}

#[test]
fn an_account_without_a_secure_token_is_a_condition() {
    let mac = Mac::new();
    mac.0.borrow_mut().users[0].2 = false;
    let checked = mac.at(Target::System).check(Wish::default()).unwrap();
    assert!(checked.method.is_none());
    assert!(checked.conditions.iter().any(|one| one.code == "filevault-token" && one.outcome == model::Outcome::Fail));
}

#[test]
fn another_volume_of_apfs_gets_a_password_of_its_own() {
    let Some(stick) = stick() else { return eprintln!("left out: this system has no folder in memory") };
    let mac = Mac::new();
    let mut native = mac.at(Target::of(Path::new("/dev/disk4s1")).unwrap());
    assert_eq!(native.check(Wish::default()).unwrap().asks, Ask::NewPassword);
    let password = Secret::from("a password");
    let done = native.encrypt(Wish::default(), Some(&password), &to(stick.path()), &Control::new(), &mut Silent);
    assert!(done.unwrap().1.saved.is_empty(), "macOS makes no recovery key for it");
    assert!(mac.0.borrow().words.iter().all(|word| !word.contains("a password")), "no secret in an argument");
    for none in ["disk4", "disk4s", "/dev/sda1", "image", "disk4s1 -x"] {
        assert_eq!(Target::of(Path::new(none)), None, "{none}");
    }
}

#[test]
fn a_file_is_a_practice_windows_by_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = |key: &'static str| key.to_owned();
    let (file, other) = (folder.path().join("windows"), folder.path().join("image"));
    Practice::make(&file, bitlocker::Simulated::laptop()).unwrap();
    std::fs::write(&other, b"{\"practice\":\"mac\"}").unwrap();
    assert!(native::of(&other, &text, Path::new("")).is_none());
    assert!(native::of(folder.path(), &text, Path::new("")).is_none());
    let mut native = native::of(&file, &text, Path::new("")).unwrap().unwrap();
    assert_eq!(native.check(Wish::default()).unwrap().method, Some(Method::Software));
    assert_eq!(native.resume(&Control::new(), &mut Silent).unwrap_err().code, "bitlocker-not-now");
}
