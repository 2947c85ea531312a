//! The window's side of the service, on the same bus: what the wizard asks for, by the real client, over the real
//! interface.

use boot::start::{self, Outcome};
use boot::verbs;
use model::{Fault, FaultKind, Secret, Silent};
use recovery::RecoveryKey;
use wizard::system::{Ending, Phase, StartOutcome, SystemDrive, Undone};

use crate::rig::{Answer, PASSWORD, Rig, UUID, id};

fn password() -> Secret {
    Secret::from(PASSWORD)
}

#[test]
fn the_window_goes_the_whole_way_and_is_told_how_far_it_is() {
    let rig = Rig::new();
    let window = rig.desktop();
    let (id, key) = (window.id().unwrap(), RecoveryKey::generate().unwrap());
    assert_eq!(window.check(&id).unwrap().len(), 1);
    assert_eq!(window.status(&id).unwrap().phase, Phase::Untouched);
    let prepared = window.prepare(&id, &password(), &key).unwrap();
    assert_eq!(prepared.uuid, UUID);
    // A person takes their time between these calls: the preparation waits.
    assert_eq!(window.begin(&prepared.ticket, &mut Silent).unwrap_err().code, "service-not-proven");
    assert_eq!(window.prove(&prepared.ticket, &password()).unwrap_err().code, "service-other-key");
    window.prove(&prepared.ticket, &key.secret()).unwrap();
    let mut told = Vec::new();
    window.begin(&prepared.ticket, &mut |progress: &model::Progress| told.push(progress.done)).unwrap();
    assert!(told.contains(&7), "{told:?}");
    assert_eq!(window.status(&id).unwrap().phase, Phase::Staged);
    assert_eq!(window.begin(&prepared.ticket, &mut Silent).unwrap_err().code, "service-no-such-ticket");
    let stick = window.sticks().unwrap().remove(0);
    window.write_stick(&stick.id, &stick.name).unwrap();
    window.pause(&id).unwrap();
    window.resume(&id, Some(&password())).unwrap();
    assert_eq!(window.undo(&id).unwrap(), Undone::Now);
    window.decrypt(&id, &password()).unwrap();
}

#[test]
fn each_phase_and_each_outcome_arrives_as_it_was() {
    let rig = Rig::new();
    let window = rig.desktop();
    let half = (1 << 40, 3 << 40);
    for (told, expected) in [
        (verbs::Phase::RoomStaged, Phase::RoomStaged),
        (verbs::Phase::RoomMade, Phase::RoomMade),
        (verbs::Phase::Placed, Phase::Placed),
        (
            verbs::Phase::Encrypting { done: half.0, total: half.1, running: false },
            Phase::Encrypting { done: half.0, total: half.1, running: false },
        ),
        (verbs::Phase::Ending, Phase::Ending),
        (verbs::Phase::ToBeProven, Phase::ToBeProven),
        (verbs::Phase::Proven, Phase::Proven),
        (verbs::Phase::ToBeDecrypted, Phase::ToBeDecrypted),
        (verbs::Phase::Decrypted, Phase::Decrypted),
    ] {
        rig.laptop().stands_at(told, None);
        assert_eq!(window.status(&id()).unwrap().phase, expected);
    }
    let fault = Fault::new("boot-tool-failed", FaultKind::Failed).with("tool", "resize2fs").because("words");
    for (told, expected) in [
        (Outcome::Plain, StartOutcome::Plain),
        (Outcome::Passed, StartOutcome::Passed),
        (Outcome::Opened, StartOutcome::Opened),
        (Outcome::WrongPassword, StartOutcome::WrongPassword),
        (Outcome::NothingTyped, StartOutcome::NothingTyped),
        (Outcome::TakenBack, StartOutcome::TakenBack),
        (Outcome::Failed, StartOutcome::Failed),
        (Outcome::Finished, StartOutcome::Finished),
        (Outcome::Decrypted, StartOutcome::Decrypted),
        (Outcome::RoomMade, StartOutcome::RoomMade),
    ] {
        let last = start::LastStart { id: "5f0e".into(), outcome: told, fault: Some(fault.clone()) };
        rig.laptop().stands_at(verbs::Phase::Untouched, Some(last));
        let last = window.status(&id()).unwrap().last_start.unwrap();
        assert_eq!((last.outcome, last.fault.as_ref()), (expected, Some(&fault)));
        // Both sides write them in the same way: what a window of another version reads is what was meant.
        assert_eq!(serde_json::to_string(&told).unwrap(), serde_json::to_string(&expected).unwrap());
    }
}

#[test]
fn a_preparation_that_is_not_wanted_leaves_nothing() {
    let rig = Rig::new();
    let window = rig.desktop();
    let key = RecoveryKey::generate().unwrap();
    let first = window.prepare(&id(), &password(), &key).unwrap();
    assert_eq!(window.prepare(&id(), &password(), &key).unwrap_err().code, "service-busy");
    window.give_up(&first.ticket);
    rig.laptop().wait_until_taken_back();
    let second = window.prepare(&id(), &password(), &key).unwrap();
    assert_ne!(first.ticket, second.ticket);
    assert_eq!(window.prove(&first.ticket, &key.secret()).unwrap_err().code, "service-no-such-ticket");
    // The window is closed.
    drop(window);
    rig.laptop().wait_until_taken_back();
    assert!(!rig.laptop().is_staged());
}

#[test]
fn what_is_missing_is_said_each_time_and_asked_about_anew() {
    let nobody = service::Desktop::over(texts::Language::English, || {
        service::Remote::over(zbus::connection::Builder::address("unix:path=/nowhere/bus"))
    });
    assert_eq!(nobody.id().unwrap_err().code, "service-not-there");
    let rig = Rig::new();
    let window = rig.desktop();
    for (answer, code) in [
        (Answer::No, "service-not-allowed"),
        (Answer::Challenge, "service-no-agent"),
        (Answer::Dismissed, "service-dismissed"),
    ] {
        rig.answer(answer);
        assert_eq!(window.check(&id()).unwrap_err().code, code);
    }
    rig.answer(Answer::Yes);
    window.check(&id()).unwrap();
    assert_eq!(Rig::without_polkit().desktop().id().unwrap_err().code, "service-no-polkit");
}

/// The window asks logind itself, as the person: the service has no part in it.
#[test]
fn the_computer_is_restarted_by_the_person_and_a_refusal_is_said() {
    let rig = Rig::new();
    let window = rig.desktop();
    window.end_session(Ending::Restart).unwrap();
    window.end_session(Ending::PowerOff).unwrap();
    assert_eq!(rig.ended(), ["reboot true", "power off true"]);
    assert_eq!(window.end_session(Ending::Restart).unwrap_err().code, "service-restart-refused");
    assert_eq!(window.end_session(Ending::PowerOff).unwrap_err().code, "service-power-off-refused");
    assert_eq!(rig.laptop().calls(), Vec::<String>::new());
}
