//! The whole flow on the simulated computer, traps included.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::type_complexity)]

use std::path::Path;

use bitlocker::flow::{self, Begun, Clock, Copy};
use bitlocker::keys::{self, Sheet, SheetWords};
use bitlocker::{
    Cipher, Code, DriveFacts, Edition, Error, Former, Machine, Place, ProtectorKind, Simulated, SimulatedVolume, State,
    Step, Unlock, UnlockKind, Volume, VolumeKind, Wish, check, must_leave_hardware,
};
use model::{Control, Outcome, Progress, Secret, Silent};
use recovery::SameDrive;

/// No time passes.
struct Still;

impl Clock for Still {
    fn tick(&mut self) {}
}

fn words() -> SheetWords {
    SheetWords { above: "BitLocker".into(), id: "ID:".into(), key: "Key:".into() }
}

fn copied<T>(folder: &Path, work: impl FnOnce(&mut Copy<'_>) -> T) -> T {
    let words = words();
    work(&mut Copy { folder, same_drive: SameDrive::No, words: &words, medium: &mut recovery::System })
}

fn state(machine: &mut Simulated, letter: &str) -> State {
    State::of(&Volume::find(machine, letter).unwrap().numbers())
}

/// Prepares, begins, restarts where that is wanted, waits.
fn encrypt(machine: &mut Simulated, letter: &str, wish: Wish, unlock: &Unlock, folder: &Path) -> Result<State, Error> {
    let plan = check(machine, letter, wish)?.plan()?.clone();
    copied(folder, |copy| flow::prepare(machine, &plan, unlock, copy, &mut |_| {}))?;
    if flow::begin(machine, &plan)? == Begun::Restart {
        machine.restart();
        assert_eq!(flow::after_restart(machine, letter)?, Begun::Running);
    }
    flow::watch(machine, letter, &Control::new(), &mut Still, &mut Silent)?;
    flow::finish(machine, &plan)
}

#[test]
fn a_laptop_from_plain_to_protected_and_back() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    let done = encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap();
    assert_eq!(done, State::Protected { cipher: Cipher::Software, pin_worthless: false, recovery: true });
    let file = std::fs::read_dir(stick.path()).unwrap().next().unwrap().unwrap().path();
    let sheet = Sheet::read(&std::fs::read(file).unwrap()).unwrap();
    keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &sheet).unwrap();
    flow::undo(&mut machine, "C:", None, &Control::new(), &mut Still, &mut Silent).unwrap();
    assert_eq!(state(&mut machine, "C:"), State::Off);
    let stale = keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &sheet);
    assert!(matches!(stale, Err(Error::StaleKey { .. })), "the sheet's protector is gone");
}

#[test]
fn the_recovery_password_comes_first_and_its_copy_is_read_back() {
    let mut machine = Simulated::laptop();
    let plan = check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap();
    let missing = Path::new("/no/such/folder");
    let refused = copied(missing, |copy| flow::prepare(&mut machine, &plan, &Unlock::Tpm, copy, &mut |_| {}));
    assert!(matches!(refused, Err(Error::Copy(recovery::Error::FolderMissing { .. }))));
    assert!(machine.volumes[0].protectors.is_empty(), "nothing is made before there is a place for the copy");
    assert_eq!(flow::begin(&mut machine, &plan), Err(Error::NotNow));
    for same_drive in [SameDrive::Yes, SameDrive::Unknown] {
        let folder = tempfile::tempdir().unwrap();
        let words = words();
        let mut copy = Copy { folder: folder.path(), same_drive, words: &words, medium: &mut recovery::System };
        assert!(flow::prepare(&mut machine, &plan, &Unlock::Tpm, &mut copy, &mut |_| {}).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// Power goes at every single call of the whole way; begun again, it gets to its end, with one protector of
/// each kind and every copy still opening the volume.
#[test]
fn power_may_go_at_every_call() {
    let mut finished = false;
    for cut in 1..400 {
        let stick = tempfile::tempdir().unwrap();
        let mut machine = Simulated::laptop();
        machine.traps.cut = Some(cut);
        if encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).is_ok() {
            finished = true;
            break;
        }
        machine.restart();
        let plain = matches!(state(&mut machine, "C:"), State::Off | State::Prepared);
        if plain {
            encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap();
        } else {
            flow::watch(&mut machine, "C:", &Control::new(), &mut Still, &mut Silent).unwrap();
        }
        let State::Protected { recovery: true, .. } = state(&mut machine, "C:") else { panic!("cut at {cut}") };
        let mut kinds: Vec<u32> = machine.volumes[0].protectors.iter().map(|one| one.1).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, [1, 3], "cut at {cut}");
        let mut opens = 0;
        for file in std::fs::read_dir(stick.path()).unwrap() {
            let sheet = Sheet::read(&std::fs::read(file.unwrap().path()).unwrap()).unwrap();
            opens += u32::from(keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &sheet).is_ok());
        }
        assert!(opens >= 1, "cut at {cut}");
    }
    assert!(finished, "no cut was late enough");
}

#[test]
fn a_test_start_that_fails_takes_the_key_with_it_and_says_so() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.traps.test_fails = Some(Code(0x8031_0043));
    let failed = encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path());
    assert_eq!(failed, Err(Error::TestFailed { code: Code(0x8031_0043) }));
    let sheet = std::fs::read_dir(stick.path()).unwrap().next().unwrap().unwrap().path();
    let sheet = Sheet::read(&std::fs::read(sheet).unwrap()).unwrap();
    let stale = keys::compare(&mut Volume::find(&mut machine, "C:").unwrap(), &sheet);
    assert!(matches!(stale, Err(Error::StaleKey { .. })));
    // Windows forgets the result with the next start; that the protectors are gone still says it.
    machine.restart();
    assert_eq!(flow::after_restart(&mut machine, "C:"), Err(Error::TestFailed { code: Code::OK }));
    machine.traps.test_fails = None;
    encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap();
    assert_eq!(std::fs::read_dir(stick.path()).unwrap().count(), 2, "the old sheet is never overwritten");
}

#[test]
fn all_of_it_and_still_converting_is_not_done() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.traps.slow_end = true;
    let plan = check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap();
    copied(stick.path(), |copy| flow::prepare(&mut machine, &plan, &Unlock::Tpm, copy, &mut |_| {})).unwrap();
    flow::begin(&mut machine, &plan).unwrap();
    machine.restart();
    let mut seen = Vec::new();
    let mut sink = |progress: &Progress| seen.push(progress.done);
    let ended = flow::watch(&mut machine, "C:", &Control::new(), &mut Still, &mut sink).unwrap();
    assert!(matches!(ended, State::Protected { .. }));
    assert_eq!(seen.last(), Some(&1_000_000));
    assert_eq!(seen.iter().filter(|done| **done == 1_000_000).count(), 1, "said once, at the end: {seen:?}");
}

#[test]
fn a_stop_pauses_windows_and_the_next_watch_resumes_it() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    let plan = check(&mut machine, "C:", Wish::default()).unwrap().plan.unwrap();
    copied(stick.path(), |copy| flow::prepare(&mut machine, &plan, &Unlock::Tpm, copy, &mut |_| {})).unwrap();
    flow::begin(&mut machine, &plan).unwrap();
    machine.restart();
    let control = Control::new();
    control.stop();
    let stopped = flow::watch(&mut machine, "C:", &control, &mut Still, &mut Silent);
    assert_eq!(stopped, Err(Error::Stopped));
    let State::Converting { paused: true, encrypting: true, .. } = state(&mut machine, "C:") else { panic!() };
    assert_eq!(state(&mut machine, "C:").step(), Step::ResumeConversion);
    flow::watch(&mut machine, "C:", &Control::new(), &mut Still, &mut Silent).unwrap();
}

#[test]
fn waiting_for_activation_is_finished_and_not_begun_again() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.facts.edition = Some(Edition::Home);
    machine.volumes[0] = SimulatedVolume::clear_key(1, "C:");
    assert_eq!(state(&mut machine, "C:"), State::ClearKey);
    let checked = check(&mut machine, "C:", Wish::default()).unwrap();
    assert!(checked.plan.is_none() && checked.state.step() == Step::Activate);
    let calls = machine.calls;
    copied(stick.path(), |copy| flow::close(&mut machine, "C:", copy)).unwrap();
    assert!(machine.calls > calls);
    assert!(matches!(state(&mut machine, "C:"), State::Protected { recovery: true, .. }));
    assert_eq!(machine.volumes[0].share, 1_000_000, "nothing was encrypted anew");
}

#[test]
fn suspended_is_resumed_after_a_recovery_password_is_safe() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.volumes[0] = SimulatedVolume::clear_key(1, "C:");
    machine.volumes[0].suspended = true;
    machine.volumes[0].protectors.push(("{A}".into(), 1, Default::default()));
    assert_eq!(state(&mut machine, "C:").step(), Step::ResumeProtection);
    copied(Path::new("/no/such"), |copy| flow::close(&mut machine, "C:", copy)).unwrap_err();
    assert_eq!(state(&mut machine, "C:").step(), Step::ResumeProtection, "still open: no copy, no closing");
    copied(stick.path(), |copy| flow::close(&mut machine, "C:", copy)).unwrap();
    assert!(matches!(state(&mut machine, "C:"), State::Protected { recovery: true, .. }));
}

#[test]
fn home_has_no_bitlocker_to_begin() {
    let mut machine = Simulated::laptop();
    machine.facts.edition = Some(Edition::Home);
    let checked = check(&mut machine, "C:", Wish::default()).unwrap();
    assert_eq!(checked.plan().err(), Some(Error::NotPossible { condition: "bitlocker-edition".into() }));
}

#[test]
fn without_a_tpm_a_password_needs_the_policy() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.facts.tpm = Some(None);
    let refused = check(&mut machine, "C:", Wish::default()).unwrap();
    assert_eq!(refused.plan().err(), Some(Error::NotPossible { condition: "bitlocker-tpm".into() }));
    for name in ["UseAdvancedStartup", "EnableBDEWithNoTPM"] {
        machine.set_policy(name, Some(1)).unwrap();
    }
    let password = Unlock::Password(Secret::from("correct horse"));
    encrypt(&mut machine, "C:", Wish::default(), &password, stick.path()).unwrap();
    let mut machine = Simulated::laptop();
    machine.facts.tpm = Some(None);
    for name in ["UseAdvancedStartup", "EnableBDEWithNoTPM"] {
        machine.set_policy(name, Some(1)).unwrap();
    }
    let wish = Wish { unlock: Some(UnlockKind::StartupKey), ..Wish::default() };
    encrypt(&mut machine, "C:", wish, &Unlock::StartupKey(stick.path().into()), stick.path()).unwrap();
    assert!(
        std::fs::read_dir(stick.path())
            .unwrap()
            .flatten()
            .any(|file| file.path().extension().is_some_and(|end| end == "BEK"))
    );
}

#[test]
fn a_tpm_that_is_locked_out_or_off_is_no_way_in() {
    let changes: [fn(&mut bitlocker::Tpm); 2] = [|tpm| tpm.locked_out = Some(true), |tpm| tpm.ready = false];
    for change in changes {
        let mut machine = Simulated::laptop();
        change(machine.facts.tpm.as_mut().unwrap().as_mut().unwrap());
        let wish = Wish { unlock: Some(UnlockKind::Tpm), ..Wish::default() };
        assert_eq!(
            check(&mut machine, "C:", wish).unwrap().plan().err(),
            Some(Error::NotPossible { condition: "bitlocker-tpm".into() })
        );
    }
}

#[test]
fn a_tpm_2_needs_uefi() {
    let mut machine = Simulated::laptop();
    machine.facts.uefi = Some(false);
    let checked = check(&mut machine, "C:", Wish::default()).unwrap();
    assert_eq!(checked.plan().err(), Some(Error::NotPossible { condition: "bitlocker-uefi".into() }));
}

#[test]
fn a_plain_tpm_beside_a_pin_is_never_added_and_is_taken_away() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    let wish = Wish { unlock: Some(UnlockKind::TpmPin), ..Wish::default() };
    let pin = Unlock::TpmPin(Secret::from("135790"));
    let done = encrypt(&mut machine, "C:", wish, &pin, stick.path()).unwrap();
    assert!(matches!(done, State::Protected { pin_worthless: false, .. }));
    let mut volume = Volume::find(&mut machine, "C:").unwrap();
    assert_eq!(volume.add_tpm("x"), Err(Error::TpmBesidePin));
    machine.volumes[0].protectors.push(("{B}".into(), 1, Default::default()));
    assert_eq!(state(&mut machine, "C:").step(), Step::DropTpm);
    let mut volume = Volume::find(&mut machine, "C:").unwrap();
    let all = volume.protectors().unwrap();
    flow::drop_plain_tpm(&mut volume, &all).unwrap();
    let left: Vec<ProtectorKind> = volume.protectors().unwrap().into_iter().map(|one| one.kind).collect();
    assert_eq!(left, [ProtectorKind::RecoveryPassword, ProtectorKind::TpmPin]);
}

#[test]
fn refusals_have_their_own_sentence_by_number() {
    use model::Describe;
    for (method, code, sentence) in [
        ("ProtectKeyWithNumericalPassword", Code(0x8031_005C), "bitlocker-policy"),
        ("ProtectKeyWithNumericalPassword", Code(0x8031_0037), "bitlocker-fips"),
        ("ProtectKeyWithTPM", Code(0x8028_400F), "bitlocker-no-tpm"),
        ("ProtectKeyWithTPM", Code(0x8028_0803), "bitlocker-tpm-locked-out"),
        ("ProtectKeyWithTPM", Code(0x8031_0030), "bitlocker-bootable-disc"),
    ] {
        let stick = tempfile::tempdir().unwrap();
        let mut machine = Simulated::laptop();
        machine.traps.refuse.insert(method.into(), code);
        let error = encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap_err();
        assert_eq!(error.fault().code, sentence, "{error:?}");
        assert_eq!(machine.volumes[0].conversion, 0);
    }
}

#[test]
fn not_decrypted_on_a_plain_volume_is_a_left_over() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.traps.refuse.insert("EncryptAfterHardwareTest".into(), Code::NOT_DECRYPTED);
    let error = encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap_err();
    assert_eq!(error, Error::LeftOver);
}

#[test]
fn sticks_that_are_read_only_by_policy_are_told_of() {
    for place in [Place::Software, Place::System] {
        let mut machine = Simulated::laptop();
        machine.policies.insert((place, "RDVDenyWriteAccess".into()), 1);
        let checked = check(&mut machine, "C:", Wish::default()).unwrap();
        let told = checked.conditions.iter().find(|one| one.code == "bitlocker-sticks-writable").unwrap();
        assert_eq!(told.outcome, Outcome::Warn);
    }
}

#[test]
fn a_stick_by_to_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.volumes.push(SimulatedVolume::plain(2, "E:", VolumeKind::Removable));
    let plan = check(&mut machine, "E:", Wish::default()).unwrap().plan.unwrap();
    assert_eq!((plan.unlock, plan.cipher), (UnlockKind::Password, 3), "older Windows read it, too");
    let short = encrypt(&mut machine, "E:", Wish::default(), &Unlock::Password(Secret::from("kurz")), folder.path());
    assert_eq!(short, Err(Error::Refused { method: "ProtectKeyWithPassphrase", code: Code::PASSPHRASE_LENGTH }));
    let password = Unlock::Password(Secret::from("correct horse"));
    encrypt(&mut machine, "E:", Wish::default(), &password, folder.path()).unwrap();
    machine.volumes[1].auto_unlock_keys = true;
    assert_eq!(
        flow::decrypt(&mut machine, "E:", false),
        Err(Error::Refused { method: "Decrypt", code: Code::AUTO_UNLOCK })
    );
    flow::decrypt(&mut machine, "E:", true).unwrap();
}

fn edrive(model: &str) -> DriveFacts {
    DriveFacts { model: model.into(), firmware: "1.0".into(), opal2: Some(true), edrive: Some(true), raid: Some(false) }
}

#[test]
fn an_edrive_is_picked_with_consent_verified_and_put_back() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.volumes[0].drive = edrive("EXAMPLE SSD 1");
    let without = check(&mut machine, "C:", Wish::default()).unwrap();
    assert_eq!(without.plan.unwrap().method, Cipher::Software, "no policy, no consent");
    let wish = Wish { consent: true, ..Wish::default() };
    let plan = check(&mut machine, "C:", wish).unwrap().plan.unwrap();
    assert_eq!(plan.method, Cipher::Hardware);
    let software = Wish { method: Some(Cipher::Software), ..wish };
    assert_eq!(check(&mut machine, "C:", software).unwrap().plan.unwrap().method, Cipher::Software);
    let mut told = Vec::new();
    copied(stick.path(), |copy| {
        flow::prepare(&mut machine, &plan, &Unlock::Tpm, copy, &mut |one| told.push(one.clone()))
    })
    .unwrap();
    assert_eq!(told, [Former { name: "OSHardwareEncryption".into(), value: None }]);
    assert_eq!(flow::begin(&mut machine, &plan).unwrap(), Begun::Restart);
    machine.restart();
    assert_eq!(
        flow::finish(&mut machine, &plan).unwrap(),
        State::Protected { cipher: Cipher::Hardware, pin_worthless: false, recovery: true }
    );
    machine.volumes[0].method = 6;
    assert_eq!(flow::finish(&mut machine, &plan), Err(Error::NotHardware), "seen on the drive, or it is not so");
    flow::undo(&mut machine, "C:", told.first(), &Control::new(), &mut Still, &mut Silent).unwrap();
    assert_eq!(machine.policy(Place::Software, "OSHardwareEncryption").unwrap(), None);
}

#[test]
fn each_condition_of_an_edrive_counts() {
    let changes: [(&str, fn(&mut Simulated)); 7] = [
        ("edrive-opal", |machine| machine.volumes[0].drive.opal2 = None),
        ("edrive-1667", |machine| machine.volumes[0].drive.edrive = Some(false)),
        ("edrive-uefi", |machine| machine.facts.uefi = None),
        ("edrive-clean-install", |machine| machine.facts.upgraded = Some(true)),
        ("edrive-direct", |machine| machine.volumes[0].drive.raid = Some(true)),
        ("edrive-trusted", |machine| machine.volumes[0].drive.model = "Samsung SSD 850 EVO 500GB".into()),
        ("edrive-policy", |machine| machine.set_policy("OSHardwareEncryption", Some(0)).unwrap()),
    ];
    for (code, change) in changes {
        let mut machine = Simulated::laptop();
        machine.volumes[0].drive = edrive("EXAMPLE SSD 1");
        change(&mut machine);
        let wish = Wish { method: Some(Cipher::Hardware), consent: true, ..Wish::default() };
        let checked = check(&mut machine, "C:", wish).unwrap();
        let bad: Vec<&str> =
            checked.hardware.iter().filter(|one| one.outcome != Outcome::Pass).map(|one| one.code.as_str()).collect();
        assert_eq!(bad, [format!("bitlocker-{code}")]);
        assert!(checked.plan.is_none(), "{code}");
    }
}

#[test]
fn a_drive_that_is_not_to_be_trusted_is_led_to_software() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    machine.volumes[0].drive = edrive("Samsung SSD 850 EVO 500GB");
    machine.volumes[0].conversion = 1;
    machine.volumes[0].method = 5;
    machine.volumes[0].protectors = vec![("{A}".into(), 3, Default::default()), ("{B}".into(), 1, Default::default())];
    let now = state(&mut machine, "C:");
    let id = machine.volumes[0].row.id.clone();
    assert!(must_leave_hardware(&now, &machine.drive(&id)));
    flow::undo(&mut machine, "C:", None, &Control::new(), &mut Still, &mut Silent).unwrap();
    let wish = Wish { method: Some(Cipher::Software), ..Wish::default() };
    let plan = check(&mut machine, "C:", wish).unwrap().plan.unwrap();
    assert!(plan.force, "Windows is told not to use the drive's own again");
    let done = encrypt(&mut machine, "C:", wish, &Unlock::Tpm, stick.path()).unwrap();
    assert!(matches!(done, State::Protected { cipher: Cipher::Software, .. }));
}

#[test]
fn keys_of_every_drive_are_saved_and_one_failure_stops_none() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    encrypt(&mut machine, "C:", Wish::default(), &Unlock::Tpm, stick.path()).unwrap();
    for (number, letter) in [(2, "D:"), (3, "E:")] {
        machine.volumes.push(SimulatedVolume::plain(number, letter, VolumeKind::Fixed));
        let password = Unlock::Password(Secret::from("correct horse"));
        encrypt(&mut machine, letter, Wish::default(), &password, stick.path()).unwrap();
    }
    machine.volume("D:").unwrap().locked = true;
    let other = tempfile::tempdir().unwrap();
    let all =
        keys::save_all(&mut machine, other.path(), &mut |_| SameDrive::No, &words(), &mut recovery::System).unwrap();
    let good: Vec<bool> = all.iter().map(|(_, saved)| saved.is_ok()).collect();
    assert_eq!(good, [true, false, true]);
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 2);
}
