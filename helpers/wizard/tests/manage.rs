//! The day after, on a practice drive: real headers, real keys, a real way back to plain.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use blockdev::{Access, FileDevice};
use common::{PASSWORD, Person};
use recovery::SheetWords;
use tempfile::TempDir;
use wizard::engine::{Real, RealOptions};
use wizard::operations::{self, KdfWish};
use wizard::practice::LEAST_SIZE;
use wizard::view::{Action, Care, ManageState, Step, View};
use wizard::{Options, Wizard};

const SECOND: &str = "rebuk higlut dehvin";
const THIRD: &str = "cebin dutig fenuk";

struct Desk {
    folder: TempDir,
    wizard: Option<Wizard>,
}

impl Desk {
    /// With a practice drive that is protected, at its report.
    fn protected() -> Self {
        let mut desk = Self { folder: tempfile::tempdir().unwrap(), wizard: None };
        std::fs::create_dir(desk.path("stick")).unwrap();
        std::fs::create_dir(desk.path("second")).unwrap();
        desk.reopen();
        let person =
            Person { stick: desk.path("stick"), begins: || Action::Practice, measures: || Action::SkipMeasure };
        person.go_to(desk.wizard(), Step::Report);
        desk
    }

    fn reopen(&mut self) {
        self.wizard = None;
        let mut real = RealOptions::new(SheetWords::look_up(str::to_owned), "kitchen".into());
        real.kdf = KdfWish::CheapestForTests;
        let options = Options { practice_size: LEAST_SIZE, ..Options::new(Arc::new(Real::new(real))) };
        self.wizard = Some(Wizard::open(&self.path("state"), options).unwrap());
        self.wizard().wait();
    }

    fn wizard(&self) -> &Wizard {
        self.wizard.as_ref().unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn image(&self) -> PathBuf {
        self.path("state").join("practice/practice-drive.img")
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
    fn cares(&self, care: Care) -> View {
        self.does(Action::Care { care })
    }

    /// Does not work, and why.
    #[track_caller]
    fn fails(&self, care: Care) -> String {
        self.act(Action::Care { care }).fault.expect("a fault").code
    }

    /// With the page open on the practice drive, and opened by its password.
    fn managed() -> Self {
        let desk = Self::protected();
        desk.does(Action::Manage { path: desk.image().display().to_string() });
        desk.cares(Care::Open { secret: PASSWORD.into() });
        desk
    }

    fn opens(&self, secret: &str) -> bool {
        operations::prove(&self.image(), &secret.into()).is_ok()
    }

    fn stick(&self) -> String {
        self.path("stick").display().to_string()
    }

    /// The recovery sheets on the stick.
    fn sheets(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("stick")).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.display().to_string().contains("latchkey-recovery-")).collect()
    }
}

#[track_caller]
fn page(view: &View) -> ManageState {
    view.manage.clone().expect("the page")
}

fn notice(view: &View) -> String {
    view.notice.as_ref().map(|notice| notice.code.clone()).unwrap_or_default()
}

#[test]
fn the_page_says_what_opens_the_drive_and_where_its_copies_are() {
    let desk = Desk::protected();
    let seen = page(&desk.does(Action::Manage { path: desk.image().display().to_string() }));
    let kinds: Vec<&str> = seen.keys.iter().map(|key| key.kind.as_str()).collect();
    assert_eq!((kinds, seen.opened.is_none()), (vec!["password", "recovery"], true));
    assert!(seen.target.practice);
    let copy = &seen.copies[0];
    assert_eq!(
        (copy.copy.kind.as_str(), copy.copy.place.clone(), copy.remind.is_none()),
        ("folder", desk.stick(), true)
    );
    assert_eq!(copy.made, model::Day::today().to_string());
    // Before anybody has shown that they may, nothing is changed.
    for care in [
        Care::ChangePassword { password: SECOND.into(), repeated: SECOND.into() },
        Care::AddPassword { password: SECOND.into(), repeated: SECOND.into() },
        Care::RemoveKey { keyslot: 1 },
        Care::NewRecovery { folder: desk.stick(), page: false },
        Care::TurnOff,
    ] {
        assert_eq!(desk.fails(care), "wizard-password-needed");
    }
    assert_eq!(desk.fails(Care::Open { secret: "something else".into() }), "luks-wrong-secret");
    // The step behind the page stands still.
    assert_eq!(desk.act(Action::StartOver).fault.unwrap().code, "wizard-not-now");
    let view = desk.does(Action::Leave);
    assert_eq!((view.step, view.manage.is_none(), view.report.is_some()), (Step::Report, true, true));
    assert_eq!(desk.fails(Care::TurnOff), "wizard-not-now");
}

#[test]
fn the_password_is_changed() {
    let desk = Desk::managed();
    let refused = |password: &str, repeated: &str| {
        desk.fails(Care::ChangePassword { password: password.into(), repeated: repeated.into() })
    };
    assert_eq!(refused(SECOND, THIRD), "wizard-password-differs");
    assert_eq!(refused("secret", "secret"), "wizard-password-weak");
    assert!(desk.opens(PASSWORD));
    let view = desk.cares(Care::ChangePassword { password: SECOND.into(), repeated: SECOND.into() });
    assert_eq!(notice(&view), "notice-password-changed");
    assert!(desk.opens(SECOND) && !desk.opens(PASSWORD));
    // It goes on without being asked again.
    desk.cares(Care::ChangePassword { password: THIRD.into(), repeated: THIRD.into() });
    assert!(desk.opens(THIRD) && !desk.opens(SECOND));
}

#[test]
fn a_second_person_comes_and_goes() {
    let desk = Desk::managed();
    let view = desk.cares(Care::AddPassword { password: SECOND.into(), repeated: SECOND.into() });
    let seen = page(&view);
    assert_eq!((notice(&view).as_str(), seen.keys.len()), ("notice-password-added", 3));
    assert_eq!(
        desk.fails(Care::AddPassword { password: SECOND.into(), repeated: SECOND.into() }),
        "volume-already-opens"
    );
    let own = seen.opened.unwrap().keyslot;
    assert_eq!(desk.fails(Care::RemoveKey { keyslot: own }), "volume-own-keyslot");
    let seen = page(&desk.cares(Care::RemoveKey { keyslot: 2 }));
    assert_eq!(seen.keys.len(), 2);
    assert!(!desk.opens(SECOND) && desk.opens(PASSWORD));
}

#[test]
fn a_forgotten_password_is_replaced_with_the_recovery_key() {
    let desk = Desk::protected();
    let sheet = std::fs::read_to_string(&desk.sheets()[0]).unwrap();
    desk.does(Action::Manage { path: desk.image().display().to_string() });
    let seen = page(&desk.cares(Care::Open { secret: sheet.as_str().into() }));
    assert_eq!(seen.opened.unwrap().kind, "recovery");
    let view = desk.cares(Care::ChangePassword { password: SECOND.into(), repeated: SECOND.into() });
    assert_eq!(notice(&view), "notice-password-added");
    desk.cares(Care::RemoveKey { keyslot: 0 });
    assert!(desk.opens(SECOND) && !desk.opens(PASSWORD));
}

#[test]
fn the_old_recovery_key_goes_when_the_new_one_is_proven() {
    let desk = Desk::managed();
    let old = desk.sheets().remove(0);
    let old_key = recovery::read_back(&std::fs::read_to_string(&old).unwrap()).unwrap();
    // Nowhere to put it: the old one stays.
    let nowhere = desk.path("nowhere").display().to_string();
    assert_eq!(desk.fails(Care::NewRecovery { folder: nowhere, page: false }), "recovery-folder-missing");
    assert!(operations::prove(&desk.image(), &old_key.secret()).is_ok());
    assert_eq!(page(&desk.wizard().view()).copies.len(), 1);

    let second = desk.path("second").display().to_string();
    let view = desk.cares(Care::NewRecovery { folder: second.clone(), page: true });
    let seen = page(&view);
    assert_eq!((notice(&view).as_str(), seen.copies.len(), &seen.copies[0].copy.place), ("notice-new-key", 1, &second));
    assert!(operations::prove(&desk.image(), &old_key.secret()).is_err());
    assert_eq!(view.report.unwrap().key_id, seen.copies[0].key_id);
    // The old sheet is known for what it is.
    assert_eq!(desk.fails(Care::CheckSheet { file: old.display().to_string() }), "wizard-key-old");
    assert_eq!(desk.fails(Care::CheckTyped { key: (*old_key.text()).as_str().into() }), "luks-wrong-secret");
    // Of the new one another copy is made, without its being typed.
    let seen = page(&desk.cares(Care::CopyRecovery { folder: desk.stick(), page: false }));
    assert_eq!(seen.copies.len(), 2);
    let new = desk.sheets().into_iter().find(|path| *path != old).unwrap();
    let view = desk.cares(Care::CheckSheet { file: new.display().to_string() });
    assert_eq!((notice(&view).as_str(), page(&view).copies.len()), ("notice-key-opens", 2));
}

#[test]
fn whoever_opens_with_the_recovery_key_goes_on_with_the_new_one() {
    let desk = Desk::protected();
    let sheet = std::fs::read_to_string(&desk.sheets()[0]).unwrap();
    desk.does(Action::Manage { path: desk.image().display().to_string() });
    desk.cares(Care::Open { secret: sheet.as_str().into() });
    desk.cares(Care::NewRecovery { folder: desk.stick(), page: false });
    desk.cares(Care::AddPassword { password: SECOND.into(), repeated: SECOND.into() });
    assert!(desk.opens(SECOND));
}

#[test]
fn a_typed_key_is_checked_and_remembered_as_paper() {
    let desk = Desk::protected();
    let key = recovery::read_back(&std::fs::read_to_string(&desk.sheets()[0]).unwrap()).unwrap();
    desk.does(Action::Manage { path: desk.image().display().to_string() });
    // Nobody needs the password for that, and with its check letters it is the same key.
    let typed: Vec<String> =
        key.groups().iter().zip(key.group_checks().iter()).map(|(group, check)| format!("{group}{check}")).collect();
    let seen = page(&desk.cares(Care::CheckTyped { key: typed.join(" ").as_str().into() }));
    assert_eq!(seen.key_id, Some(key.key_id()));
    assert!(seen.copies.iter().any(|copy| copy.copy.kind == "paper"));
    let mut wrong = typed.clone();
    wrong.swap(2, 5);
    assert_eq!(desk.fails(Care::CheckTyped { key: wrong.join(" ").as_str().into() }), "recovery-check");
    assert_eq!(desk.fails(Care::CheckTyped { key: "cbde".into() }), "recovery-length");
}

#[test]
fn the_header_is_copied_to_a_stick() {
    let desk = Desk::managed();
    let view = desk.cares(Care::BackupHeader { folder: desk.stick() });
    let path = view.notice.unwrap().args["path"].clone();
    let copy = std::fs::read(&path).unwrap();
    assert_eq!(copy, operations::header_backup(&desk.image()).unwrap());
    // A second one does not replace it.
    let view = desk.cares(Care::BackupHeader { folder: desk.stick() });
    assert_ne!(view.notice.unwrap().args["path"], path);
    assert_eq!(
        desk.fails(Care::BackupHeader { folder: desk.path("nowhere").display().to_string() }),
        "wizard-folder-missing"
    );
}

#[test]
fn turned_off_it_is_what_it_was() {
    let desk = Desk::managed();
    let view = desk.cares(Care::TurnOff);
    let said = view.notice.clone().unwrap();
    assert_eq!((said.code.as_str(), &said.args["same"]), ("notice-turned-off-files", &said.args["count"]));
    assert_eq!((view.step, view.manage.is_none(), view.report.is_none()), (Step::Drives, true, true));
    assert!(operations::keys(&desk.image()).is_err());
    assert!(wizard::copies::Copies::at(&desk.path("state")).known().is_empty());
}

#[test]
fn turning_off_goes_on_after_the_program_was_closed() {
    let mut desk = Desk::managed();
    let image = desk.image().display().to_string();
    // Begun, and nothing more: as if the power had gone.
    operations::begin_decrypt(&desk.image(), &PASSWORD.into(), &mut model::Silent).unwrap();
    desk.reopen();
    desk.act(Action::StartOver);
    // Choosing the drive leads to where it is gone on with.
    let view = desk.act(Action::Choose { path: image });
    assert_eq!(view.fault, None);
    assert!(page(&view).turning_off.is_some());
    assert_eq!(desk.fails(Care::RemoveKey { keyslot: 1 }), "wizard-not-now");
    desk.cares(Care::Open { secret: PASSWORD.into() });
    let view = desk.cares(Care::TurnOff);
    assert_eq!((notice(&view).as_str(), view.manage.is_none()), ("notice-turned-off", true));
    assert!(operations::keys(&desk.image()).is_err());
}

#[test]
fn before_selling_the_name_is_typed() {
    let desk = Desk::managed();
    let name = page(&desk.wizard().view()).target.name;
    for wrong in ["", "practice", &name.to_uppercase()] {
        assert_eq!(desk.fails(Care::Erase { name: wrong.to_owned() }), "wizard-not-the-name");
    }
    assert!(desk.opens(PASSWORD));
    let view = desk.cares(Care::Erase { name });
    assert_eq!((notice(&view).as_str(), view.step, view.manage.is_none()), ("notice-erased", Step::Drives, true));
    assert!(!desk.opens(PASSWORD));
    assert!(wizard::copies::Copies::at(&desk.path("state")).known().is_empty());
}

#[test]
fn another_volume_at_the_same_place_is_left_alone() {
    let desk = Desk::managed();
    let name = page(&desk.wizard().view()).target.name;
    desk.cares(Care::Open { secret: PASSWORD.into() });
    // The stick is pulled out, and another one gets its node.
    let device = FileDevice::open(&desk.image(), Access::Exclusive).unwrap();
    let options = luks::FormatOptions { kdf: luks::kdf::Kdf::cheapest(), ..luks::FormatOptions::default() };
    luks::format(&device, &options, &PASSWORD.into()).unwrap();
    drop(device);
    let before = std::fs::read(desk.image()).unwrap();
    let folder = desk.path("state").display().to_string();
    for care in [
        Care::Erase { name },
        Care::TurnOff,
        Care::RemoveKey { keyslot: 1 },
        Care::BackupHeader { folder },
        Care::ChangePassword { password: SECOND.into(), repeated: SECOND.into() },
    ] {
        assert_eq!(desk.fails(care), "wizard-target-changed");
    }
    assert!(std::fs::read(desk.image()).unwrap() == before);
}

#[test]
fn what_is_not_protected_is_not_looked_after() {
    let desk = Desk::protected();
    let plain = desk.path("plain");
    std::fs::write(&plain, vec![0; 1 << 20]).unwrap();
    assert_eq!(desk.act(Action::Manage { path: plain.display().to_string() }).fault.unwrap().code, "wizard-not-now");
    let missing = desk.path("missing").display().to_string();
    assert_eq!(desk.act(Action::Manage { path: missing }).fault.unwrap().code, "device-missing");
}
