//! The service on a bus of its own, with a polkit that answers what the test wants, and a system that notes what was
//! asked of it. The names of the tests stand in `THREATS.md`.
#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod rig;
mod window;

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use model::{Fault, FaultKind, Secret, Silent, VolumeId};
use recovery::RecoveryKey;
use rig::{Answer, PASSWORD, Rig, id};
use service::{Action, System, Wish, names};
use wizard::operations::KdfWish;

fn wish() -> Wish {
    let kdf = KdfWish::Calibrated(Duration::from_millis(500));
    Wish { password: Secret::from(PASSWORD), key: RecoveryKey::generate().unwrap(), kdf }
}

/// Stages the whole way, as a person's program does it.
fn stage(remote: &dyn System, wish: &Wish) -> Result<(), Fault> {
    remote.stage(&id(), wish, &mut |_, trial| trial.opens(&wish.key.secret()), &mut Silent)
}

fn every_verb(remote: &dyn System) -> Vec<(Action, Result<(), Fault>)> {
    let secret = Secret::from(PASSWORD);
    vec![
        (Action::Look, remote.drives().map(|_| ())),
        (Action::Status, remote.id().map(|_| ())),
        (Action::Check, remote.check(&id()).map(|_| ())),
        (Action::Status, remote.status(&id()).map(|_| ())),
        (Action::Stage, stage(remote, &wish())),
        (Action::Pause, remote.pause(&id())),
        (Action::Resume, remote.resume(&id(), Some(&secret))),
        (Action::Undo, remote.undo(&id()).map(|_| ())),
        (Action::Decrypt, remote.decrypt(&id(), &secret)),
        (Action::Status, remote.sticks().map(|_| ())),
        (Action::WriteStick, remote.write_stick("sdb@17", "Stick 3000", "en")),
        (Action::Benchmark, remote.benchmark("sdb@17").map(|_| ())),
    ]
}

#[test]
fn each_verb_asks_polkit_for_an_action_of_its_own() {
    let rig = Rig::new();
    let remote = rig.remote();
    let mut expected = Vec::new();
    for (action, done) in every_verb(&remote) {
        assert_eq!(done, Ok(()), "{action:?}");
        expected.push(action.id());
        if action == Action::Stage {
            expected.extend([Action::ExportProof.id(), Action::Begin.id()]);
        }
    }
    let asked = rig.take_asked();
    assert_eq!(asked.iter().map(|asked| &*asked.action).collect::<Vec<_>>(), expected);
    // polkit is told the name that the bus gave to the caller, and that the caller can wait for a person.
    assert!(asked.iter().all(|asked| asked.subject.starts_with(':') && asked.interactive));
    assert!(rig.laptop().is_staged());
}

#[test]
fn a_hostile_caller_without_permission_gets_nothing_done() {
    for (answer, code) in [
        (Answer::No, "service-not-allowed"),
        (Answer::Challenge, "service-no-agent"),
        (Answer::Dismissed, "service-dismissed"),
    ] {
        let rig = Rig::new();
        rig.answer(answer);
        for (action, done) in every_verb(&rig.remote()) {
            assert_eq!(done.unwrap_err().code, code, "{action:?}");
        }
        assert_eq!(rig.laptop().calls(), Vec::<String>::new());
    }
}

#[test]
fn without_polkit_nobody_is_let_in() {
    let rig = Rig::without_polkit();
    for (action, done) in every_verb(&rig.remote()) {
        assert_eq!(done.unwrap_err().code, "service-no-polkit", "{action:?}");
    }
    assert_eq!(rig.laptop().calls(), Vec::<String>::new());
}

#[test]
fn hostile_arguments_are_refused() {
    let rig = Rig::new();
    let remote = rig.remote();
    let long = "a".repeat(65);
    for bad in ["", "/dev/sda", "../sda", "a b", "a;b", "a\nb", &long] {
        let id = VolumeId(bad.into());
        assert_eq!(remote.status(&id).unwrap_err().code, "service-arguments", "{bad:?}");
        assert_eq!(remote.undo(&id).unwrap_err().code, "service-arguments", "{bad:?}");
    }
    for bad in ["/dev/sdb", "sdb", "../sdb@1", "sdb@x"] {
        assert_eq!(remote.write_stick(bad, "Stick", "en").unwrap_err().code, "service-no-such-device", "{bad:?}");
        assert_eq!(remote.benchmark(bad).unwrap_err().code, "service-no-such-device", "{bad:?}");
    }
    assert_eq!(remote.write_stick("sdb@1", &"x".repeat(300), "en").unwrap_err().code, "service-arguments");
    for milliseconds in [0, 60_000] {
        let wish = Wish { kdf: KdfWish::Calibrated(Duration::from_millis(milliseconds)), ..wish() };
        assert_eq!(stage(&remote, &wish).unwrap_err().code, "service-arguments");
    }
    for password in [String::new(), "x".repeat(600)] {
        let wish = Wish { password: Secret::from(&*password), ..wish() };
        assert_eq!(stage(&remote, &wish).unwrap_err().code, "service-arguments");
    }
    // A file in the place of the pipe: it could be one that only root can read.
    for file in ["/etc/passwd", "/dev/zero"] {
        let refused = rig.stage_with(std::fs::File::open(file).unwrap().into()).unwrap_err();
        assert!(refused.contains("service-pipe"), "{file}: {refused}");
    }
    assert_eq!(rig.laptop().calls(), Vec::<String>::new());
    assert_eq!(stage(&remote, &wish()), Ok(()));
}

#[test]
fn a_flood_of_calls_is_held_back_and_ends() {
    let rig = Rig::new();
    let gate = rig.laptop().close_gate();
    let refused = std::thread::scope(|scope| {
        let calls: Vec<_> =
            (0..30).map(|_| scope.spawn(|| rig.remote().check(&id()).err().map(|fault| fault.code))).collect();
        let end = Instant::now() + Duration::from_secs(60);
        while calls.iter().filter(|call| call.is_finished()).count() < 14 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(50));
        }
        drop(gate);
        calls.into_iter().filter_map(|call| call.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(refused, vec!["service-busy"; 14]);
    rig.remote().check(&id()).unwrap();
}

#[test]
fn nothing_goes_on_before_the_recovery_key_is_proven() {
    let rig = Rig::new();
    let remote = rig.remote();
    let wish = wish();
    // The password opens it, and says nothing about the copy.
    let proven_by = |secret: Secret| remote.stage(&id(), &wish, &mut |_, trial| trial.opens(&secret), &mut Silent);
    assert_eq!(proven_by(Secret::from(PASSWORD)).unwrap_err().code, "service-other-key");
    rig.laptop().wait_until_taken_back();
    let skipped = remote.stage(&id(), &wish, &mut |_, _| Ok(()), &mut Silent);
    assert_eq!(skipped.unwrap_err().code, "service-not-proven");
    rig.laptop().wait_until_taken_back();
    // By hand, without the client's good manners.
    let (ticket, _) = rig.begin_staging(&wish);
    assert!(rig.raw_prove(&ticket, &Secret::from(PASSWORD)).contains("service-other-key"));
    assert!(rig.raw_begin(&ticket).contains("service-not-proven"));
    assert!(!rig.laptop().is_staged());
}

#[test]
fn a_replayed_call_finds_nothing() {
    let rig = Rig::new();
    let (ticket, _) = rig.begin_staging(&wish());
    let (first, second) = (rig.raw_begin(&ticket), rig.raw_begin(&ticket));
    assert!(first.contains("service-not-proven"), "{first}");
    assert!(second.contains("service-not-proven"), "{second}");
    let stranger = rig.send_as(None, "GiveUp", &[&format!("string:{ticket}")]);
    assert!(stranger.contains("service-no-such-ticket"), "{stranger}");
    assert!(rig.raw_begin("00000000000000000000000000000000").contains("service-no-such-ticket"));
    // A second staging beside it.
    assert_eq!(stage(&rig.remote(), &wish()).unwrap_err().code, "service-busy");
    rig.leave();
    rig.laptop().wait_until_taken_back();
    assert!(rig.raw_begin(&ticket).contains("service-no-such-ticket"));
    // Tickets are not given out again.
    let (other, _) = rig.begin_staging(&wish());
    assert_ne!(other, ticket);
    assert!(rig.raw_begin(&ticket).contains("service-no-such-ticket"));
}

#[test]
fn a_stolen_ticket_is_of_no_use_to_another_connection() {
    let rig = Rig::new();
    let wish = wish();
    let (ticket, _) = rig.begin_staging(&wish);
    assert!(rig.raw_prove(&ticket, &wish.key.secret()).is_empty());
    let thief = rig.send_as(None, "Begin", &[&format!("string:{ticket}")]);
    assert!(thief.contains("service-no-such-ticket"), "{thief}");
    assert!(!rig.laptop().is_staged());
    assert!(rig.raw_begin(&ticket).is_empty());
    assert!(rig.laptop().is_staged());
}

#[test]
fn a_second_user_has_no_part_in_it() {
    if !rustix::process::geteuid().is_root() {
        println!("left out: only the administrator can become somebody else");
        return;
    }
    const NOBODY: u32 = 65534;
    let rig = Rig::new();
    let wish = wish();
    let (ticket, _) = rig.begin_staging(&wish);
    assert!(rig.raw_prove(&ticket, &wish.key.secret()).is_empty());
    let said = rig.send_as(Some(NOBODY), "Begin", &[&format!("string:{ticket}")]);
    assert!(said.contains("service-no-such-ticket"), "{said}");
    rig.take_asked();
    let said = rig.send_as(Some(NOBODY), "Status", &["string:1234-5678"]);
    assert!(said.contains("untouched"), "{said}");
    // polkit was asked about that connection, and not about ours.
    let asked = rig.take_asked();
    assert!(asked.iter().all(|asked| asked.uid == Some(NOBODY)), "{asked:?}");
    // And it cannot pass itself off as the service.
    let said = rig.request_name_as(NOBODY, names::BUS);
    assert!(said.contains("AccessDenied"), "{said}");
}

#[test]
fn a_killed_window_takes_back_what_it_had_not_begun() {
    let rig = Rig::new();
    let (_, uuid) = rig.begin_staging(&wish());
    assert_eq!(uuid, rig::UUID);
    rig.leave();
    rig.laptop().wait_until_taken_back();
    assert!(!rig.laptop().is_staged());
    assert_eq!(stage(&rig.remote(), &wish()), Ok(()));
}

#[test]
fn what_was_begun_outlives_the_window() {
    let rig = Rig::new();
    let wish = wish();
    let (ticket, _) = rig.begin_staging(&wish);
    assert!(rig.raw_prove(&ticket, &wish.key.secret()).is_empty());
    let gate = rig.laptop().close_gate();
    rig.begin_and_leave(&ticket);
    std::thread::sleep(Duration::from_millis(300));
    assert!(!rig.laptop().is_staged());
    drop(gate);
    rig.laptop().wait_until_staged();
}

#[test]
fn sleep_and_shutdown_wait_while_a_start_is_prepared_and_no_longer() {
    let rig = Rig::new();
    let wish = wish();
    let (ticket, _) = rig.begin_staging(&wish);
    assert!(rig.raw_prove(&ticket, &wish.key.secret()).is_empty());
    // A person may take her time with the recovery key, and close the lid.
    assert_eq!(rig.held_up(), 0);
    assert!(rig.raw_begin(&ticket).is_empty());
    let held_up = rig.was_held_up();
    assert!(matches!(&held_up[..], [one] if one.starts_with("sleep:shutdown block: Latchkey")), "{held_up:?}");
    rig.remote().pause(&id()).unwrap();
    assert_eq!(rig.held_up(), 0);
}

#[test]
fn a_fault_of_the_work_arrives_as_it_was() {
    let rig = Rig::new();
    let fault = Fault::new("boot-no-room", FaultKind::Refused).with("free", 1).with("needed", 2).because("words");
    rig.laptop().fail_with(fault.clone());
    let remote = rig.remote();
    assert_eq!(remote.pause(&id()), Err(fault.clone()));
    assert_eq!(stage(&remote, &wish()), Err(fault));
}

#[test]
fn progress_reaches_the_caller() {
    let rig = Rig::new();
    let wish = wish();
    let mut told = Vec::new();
    let mut sink = |progress: &model::Progress| told.push(progress.done);
    rig.remote().stage(&id(), &wish, &mut |_, trial| trial.opens(&wish.key.secret()), &mut sink).unwrap();
    assert!(told.contains(&7), "{told:?}");
}

#[test]
fn secrets_are_in_no_message() {
    let rig = Rig::new();
    let mut monitor = Command::new("dbus-monitor")
        .args(["--address", rig.address(), "--pcap"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = monitor.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = std::io::Read::read_to_end(&mut output, &mut bytes);
        bytes
    });
    std::thread::sleep(Duration::from_millis(500));
    let wish = wish();
    let remote = rig.remote();
    stage(&remote, &wish).unwrap();
    remote.resume(&id(), Some(&wish.password)).unwrap();
    remote.decrypt(&id(), &wish.password).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    monitor.kill().unwrap();
    monitor.wait().unwrap();
    let seen = reader.join().unwrap();
    let has = |what: &[u8]| seen.windows(what.len()).any(|window| window == what);
    assert!(has(b"Decrypt") && has(b"Stage"), "the monitor has seen nothing");
    assert!(!has(PASSWORD.as_bytes()) && !has(&wish.key.text().as_bytes()[..8]) && !has(wish.key.secret().expose()));
}

#[test]
fn it_ends_when_nobody_needs_it_and_not_before() {
    let rig = Rig::with_idle(Duration::from_millis(1500));
    let (_, _) = rig.begin_staging(&wish());
    std::thread::sleep(Duration::from_secs(3));
    assert!(rig.is_serving(), "a staging is under way");
    rig.leave();
    rig.laptop().wait_until_taken_back();
    let end = Instant::now() + Duration::from_secs(30);
    while rig.is_serving() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!rig.is_serving());
    assert_eq!(rig.remote_or_fault().err().map(|fault| fault.code), Some("service-not-there".into()));
}

#[test]
fn unfinished_work_is_taken_up_at_the_start() {
    let rig = Rig::new();
    rig.remote().status(&id()).unwrap();
    assert_eq!(rig.laptop().taken_up(), 1);
}

#[test]
fn the_units_are_what_systemd_takes() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dist");
    let unit = std::fs::read_to_string(dist.join("latchkey-service.service")).unwrap();
    assert!(unit.contains(&format!("BusName={}", names::BUS)));
    let activation = std::fs::read_to_string(dist.join("io.github.latchkey.Service1.service")).unwrap();
    assert!(activation.contains(&format!("Name={}\n", names::BUS)));
    assert!(activation.contains("SystemdService=latchkey-service.service"));
    // The program is not installed here: a copy names one that is there.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("latchkey-service.service");
    std::fs::write(&copy, unit.replace("/usr/libexec/latchkey-service", "/bin/true")).unwrap();
    let mut command = Command::new("systemd-analyze");
    match command.args(["verify", "--man=no"]).arg(&copy).process_group(0).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let ours: Vec<&str> = said.lines().filter(|line| line.contains("latchkey-service.service")).collect();
            assert!(ours.is_empty(), "{ours:#?}");
        }
        Err(_) => println!("left out: systemd-analyze is not here"),
    }
}

/// The list of threats names tests that there are.
#[test]
fn each_threat_has_its_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let sources = [
        "tests/service.rs",
        "tests/window/mod.rs",
        "src/action.rs",
        "src/device.rs",
        "src/pipe.rs",
        "../boot/src/preflight.rs",
    ];
    let sources: String = sources.map(read).concat();
    let threats = read("THREATS.md");
    let rows: Vec<&str> =
        threats.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| threat")).collect();
    assert!(rows.len() > 20);
    for row in rows {
        let tests = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for test in tests.split(", ") {
            let name = test.trim_matches('`');
            assert!(
                sources.contains(&format!("#[test]\nfn {name}()"))
                    || sources.contains(&format!("#[test]\n    fn {name}()")),
                "{name}: {row}"
            );
        }
    }
}
