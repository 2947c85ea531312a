//! What the helper with rights does for a window that has none, and what it does not.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use bitlocker::keys::SheetWords;
use bitlocker::service::{Answer, Order, serve};
use bitlocker::{Former, Machine, Place, Simulated, Wish};
use recovery::SameDrive;

fn ask(machine: &mut Simulated, orders: &[u8]) -> Vec<Answer> {
    let same = |_: &Path, _: &str| SameDrive::No;
    let mut answers = Vec::new();
    let mut orders = orders;
    serve(machine, &mut recovery::System, &SheetWords::default(), &same, &mut orders, &mut answers).unwrap();
    answers
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

fn one(machine: &mut Simulated, order: &Order) -> Answer {
    let mut line = serde_json::to_vec(order).unwrap();
    line.push(b'\n');
    ask(machine, &line).pop().unwrap()
}

#[test]
fn a_whole_way_by_orders_and_no_key_among_the_answers() {
    let stick = tempfile::tempdir().unwrap();
    let mut machine = Simulated::laptop();
    let (volume, wish) = ("C:".to_owned(), Wish::default());
    let folder = stick.path().to_owned();
    let prepare = Order::Prepare { volume: volume.clone(), wish, secret: String::new(), folder };
    let Answer::Saved { copies, .. } = one(&mut machine, &prepare) else { panic!() };
    assert!(copies[0].1.is_file());
    let begun = one(&mut machine, &Order::Begin { volume: volume.clone(), wish });
    assert!(matches!(begun, Answer::Begun { restart: true }));
    machine.restart();
    assert!(matches!(one(&mut machine, &Order::AfterRestart { volume }), Answer::Begun { restart: false }));
    let digits = machine.volumes[0].protectors[0].2.clone();
    let told = format!("{:?}", one(&mut machine, &Order::Look {}));
    assert!(!told.contains(digits.as_str()));
}

#[test]
fn what_is_no_order_or_goes_too_far_changes_nothing() {
    let mut machine = Simulated::laptop();
    for bad in [
        "nonsense\n".to_owned(),
        "{\"order\":\"format\"}\n".to_owned(),
        "{\"order\":\"look\",\"more\":1}\n".to_owned(),
        format!("{{\"order\":\"progress\",\"volume\":\"{}\"}}\n", "x".repeat(20_000)),
        "{\"order\":\"look\"}".to_owned(),
    ] {
        assert!(
            matches!(ask(&mut machine, bad.as_bytes()).first(), Some(Answer::Fault { .. })),
            "{}",
            &bad[..20.min(bad.len())]
        );
    }
    for folder in [r"\\server\share", r"\\.\PhysicalDrive0", "/dev/sda", "relative", "/tmp/../etc"] {
        let order = Order::SaveKeys { folder: folder.into() };
        let Answer::Fault { fault } = one(&mut machine, &order) else { panic!("{folder}") };
        assert_eq!(fault.code, "bitlocker-bad-order");
    }
    for (name, value) in [("DisableAntiSpyware", Some(1)), ("OSHardwareEncryption", Some(7))] {
        let order = Order::PutBack { former: Former { name: name.into(), value } };
        assert!(matches!(one(&mut machine, &order), Answer::Fault { .. }));
        assert_eq!(machine.policy(Place::Software, name).unwrap(), None);
    }
    assert!(machine.volumes[0].protectors.is_empty());
}
