//! What the helper with rights does for a window that has none, and what it does not.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::cell::RefCell;
use std::rc::Rc;

use bitlocker::client::{Client, Ended, Notebook, Notes, Way};
use bitlocker::flow::Clock;
use bitlocker::keys::{RecoveryPassword, Sheet, SheetWords};
use bitlocker::service::{Answer, CopyTo, Here, Order, Orders, serve};
use bitlocker::{
    Cipher, Code, DriveFacts, Error, Facts, Former, Machine, Place, Reply, Result, Row, Simulated, SimulatedVolume,
    State, Value, VolumeKind, Wish,
};
use model::{Control, Describe, Outcome, Secret, Silent};
use recovery::SameDrive;

struct Still;

impl Clock for Still {
    fn tick(&mut self) {}
}

/// A computer that the test and the orders share.
#[derive(Clone)]
struct Shared(Rc<RefCell<Simulated>>);

impl Machine for Shared {
    fn facts(&mut self) -> Facts {
        self.0.borrow_mut().facts()
    }
    fn drive(&mut self, volume: &str) -> DriveFacts {
        self.0.borrow_mut().drive(volume)
    }
    fn volumes(&mut self) -> Result<Vec<Row>> {
        self.0.borrow_mut().volumes()
    }
    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply> {
        self.0.borrow_mut().call(volume, method, ins)
    }
    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>> {
        self.0.borrow_mut().policy(place, name)
    }
    fn set_policy(&mut self, name: &str, value: Option<u32>) -> Result<()> {
        self.0.borrow_mut().set_policy(name, value)
    }
}

impl Shared {
    fn laptop() -> Self {
        Self(Rc::new(RefCell::new(Simulated::laptop())))
    }

    fn here(&self) -> Here {
        Here {
            machine: Box::new(self.clone()),
            medium: Box::new(recovery::System),
            words: SheetWords::default(),
            same_drive: Box::new(|_, _| SameDrive::No),
        }
    }

    fn client(&self, folder: &std::path::Path) -> Client {
        Client::new(Box::new(self.here()), "C:", Notebook::new(folder.join("notes")))
    }
}

fn to(folder: &std::path::Path) -> CopyTo {
    CopyTo { folder: folder.to_owned(), elsewhere: false }
}

fn ask(machine: &Shared, orders: &[u8]) -> Vec<Answer> {
    let (mut answers, mut orders) = (Vec::new(), orders);
    serve(&mut machine.here(), &mut orders, &mut answers).unwrap();
    let lines = answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

fn one(machine: &Shared, order: &Order) -> Answer {
    let mut line = serde_json::to_vec(order).unwrap();
    line.push(b'\n');
    ask(machine, &line).pop().unwrap()
}

#[test]
fn what_is_no_order_or_goes_too_far_changes_nothing() {
    let machine = Shared::laptop();
    for bad in [
        "nonsense\n".to_owned(),
        "{\"order\":\"format\"}\n".to_owned(),
        "{\"order\":\"look\",\"more\":1}\n".to_owned(),
        format!("{{\"order\":\"progress\",\"volume\":\"{}\"}}\n", "x".repeat(20_000)),
        "{\"order\":\"look\"}".to_owned(),
    ] {
        assert!(
            matches!(ask(&machine, bad.as_bytes()).first(), Some(Answer::Fault { .. })),
            "{}",
            &bad[..20.min(bad.len())]
        );
    }
    for folder in [r"\\server\share", r"\\.\PhysicalDrive0", "/dev/sda", "relative", "/tmp/../etc"] {
        let order = Order::SaveKeys { copy: to(folder.as_ref()) };
        let Answer::Fault { fault } = one(&machine, &order) else { panic!("{folder}") };
        assert_eq!(fault.code, "bitlocker-bad-order");
    }
    for (name, value) in [("DisableAntiSpyware", Some(1)), ("OSHardwareEncryption", Some(7))] {
        let order = Order::PutBack { former: Former { name: name.into(), value } };
        assert!(matches!(one(&machine, &order), Answer::Fault { .. }));
        assert_eq!(machine.clone().policy(Place::Software, name).unwrap(), None);
    }
    assert!(machine.0.borrow().volumes[0].protectors.is_empty());
}

/// What a person says about a folder counts where nothing was seen, and never against what was seen.
#[test]
fn the_same_drive_is_refused_whatever_is_said() {
    let stick = tempfile::tempdir().unwrap();
    let machine = Shared::laptop();
    for (seen, elsewhere, good) in [
        (SameDrive::No, false, true),
        (SameDrive::Unknown, false, false),
        (SameDrive::Unknown, true, true),
        (SameDrive::Yes, true, false),
    ] {
        let mut here = machine.here();
        here.same_drive = Box::new(move |_, _| seen);
        let copy = CopyTo { folder: stick.path().into(), elsewhere };
        let order =
            Order::Prepare { volume: "C:".into(), wish: Wish::default(), secret: String::new(), proof: (&copy).into() };
        assert_eq!(here.ask(&order).is_ok(), good, "{seen:?} {elsewhere}");
        here.ask(&Order::Clear { volume: "C:".into() }).unwrap();
    }
}

#[test]
fn the_whole_way_by_orders_with_a_new_client_after_each_restart() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    let checked = machine.client(own.path()).check(Wish::default()).unwrap();
    assert!(checked.conditions.iter().all(|one| one.outcome == Outcome::Pass));
    let plan = checked.plan.unwrap();
    let mut client = machine.client(own.path());
    let copies = client.prepare(Wish::default(), &plan, None, &to(stick.path())).unwrap();
    assert!(copies.saved[0].1.is_file());
    assert_eq!(client.begin(Wish::default()).unwrap(), Ended::Restart);
    assert_eq!(client.go_on(&Control::new(), &mut Still, &mut Silent).unwrap(), Ended::Restart, "not restarted yet");
    machine.0.borrow_mut().restart();
    // In the middle: stopped, and resumed by another client.
    let stop = Control::new();
    stop.stop();
    let stopped = machine.client(own.path()).go_on(&stop, &mut Still, &mut Silent);
    assert_eq!(stopped, Err(Error::Stopped));
    let mut client = machine.client(own.path());
    assert_eq!(client.go_on(&Control::new(), &mut Still, &mut Silent).unwrap(), Ended::Done);
    let standing = client.standing().unwrap();
    assert!(matches!(standing.state, State::Protected { cipher: Cipher::Software, recovery: true, .. }));
    let digits = machine.0.borrow().volumes[0].protectors[0].2.clone();
    assert!(!format!("{:?}", client.all().unwrap()).contains(digits.as_str()), "no key among the answers");
    let sheet = std::fs::read(&copies.saved[0].1).unwrap();
    client.compare(&sheet).unwrap();
    client.undo(false, &Control::new(), &mut Still, &mut Silent).unwrap();
    assert_eq!(client.standing().unwrap().state, State::Off);
    assert_eq!(client.compare(&sheet).unwrap_err().fault().code, "bitlocker-stale-key");
    assert!(!own.path().join("notes").exists());
}

#[test]
fn a_test_start_that_failed_is_told_once_even_if_windows_forgot_it() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for restarts in 1..=2 {
        let machine = Shared::laptop();
        machine.0.borrow_mut().traps.test_fails = Some(Code(0x8031_003F));
        let mut client = machine.client(own.path());
        let plan = client.check(Wish::default()).unwrap().plan.unwrap();
        client.prepare(Wish::default(), &plan, None, &to(stick.path())).unwrap();
        client.begin(Wish::default()).unwrap();
        for _ in 0..restarts {
            machine.0.borrow_mut().restart();
        }
        let told = machine.client(own.path()).go_on(&Control::new(), &mut Still, &mut Silent).unwrap_err();
        assert_eq!(told.fault().code, "bitlocker-test-failed", "after {restarts}");
        if restarts == 2 {
            let again = machine.client(own.path()).go_on(&Control::new(), &mut Still, &mut Silent);
            assert_eq!(again, Err(Error::NotNow), "it has been told");
        }
    }
}

#[test]
fn an_edrives_policy_is_written_down_before_it_is_set_and_put_back_by_another_client() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    machine.0.borrow_mut().volumes[0].drive = DriveFacts {
        model: "EXAMPLE SSD 1".into(),
        firmware: "1.0".into(),
        opal2: Some(true),
        edrive: Some(true),
        raid: Some(false),
    };
    let wish = Wish { consent: true, ..Wish::default() };
    let mut client = machine.client(own.path());
    let plan = client.check(wish).unwrap().plan.unwrap();
    assert_eq!(plan.method, Cipher::Hardware);
    // Nothing may be changed that could not be taken back.
    let nowhere = Notebook::new("/no/such/folder/notes".into());
    let refused = Client::new(Box::new(machine.here()), "C:", nowhere).prepare(wish, &plan, None, &to(stick.path()));
    assert!(matches!(refused, Err(Error::Notes(_))));
    assert_eq!(machine.clone().policy(Place::Software, "OSHardwareEncryption").unwrap(), None);
    client.prepare(wish, &plan, None, &to(stick.path())).unwrap();
    let noted = Notebook::new(own.path().join("notes")).read();
    let former = Former { name: "OSHardwareEncryption".into(), value: None };
    assert_eq!(noted, Notes { method: Some(Cipher::Hardware), former: Some(former), ..Notes::default() });
    // Prepared twice: what was there before the first time is what is put back.
    machine.client(own.path()).prepare(wish, &plan, None, &to(stick.path())).unwrap();
    client.begin(wish).unwrap();
    machine.0.borrow_mut().restart();
    machine.client(own.path()).go_on(&Control::new(), &mut Still, &mut Silent).unwrap();
    let mut client = machine.client(own.path());
    assert!(matches!(client.standing().unwrap().state, State::Protected { cipher: Cipher::Hardware, .. }));
    client.undo(false, &Control::new(), &mut Still, &mut Silent).unwrap();
    assert_eq!(machine.clone().policy(Place::Software, "OSHardwareEncryption").unwrap(), None);
}

#[test]
fn suspended_protection_is_resumed_only_where_a_recovery_password_is_there() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    let mut open = SimulatedVolume::clear_key(1, "C:");
    open.suspended = true;
    open.protectors.push(("{A}".into(), 1, Default::default()));
    machine.0.borrow_mut().volumes[0] = open;
    let mut client = machine.client(own.path());
    assert_eq!(client.go_on(&Control::new(), &mut Still, &mut Silent), Err(Error::NotNow), "a key first");
    client.close(&to(stick.path())).unwrap();
    machine.0.borrow_mut().volumes[0].suspended = true;
    assert_eq!(client.go_on(&Control::new(), &mut Still, &mut Silent).unwrap(), Ended::Done);
    assert_eq!(client.save_keys(&to(stick.path())).unwrap().saved.len(), 1);
}

#[test]
fn a_data_drive_wants_a_password() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    machine.0.borrow_mut().volumes.push(SimulatedVolume::plain(2, "D:", VolumeKind::Fixed));
    let mut client = Client::new(Box::new(machine.here()), "D:", Notebook::new(own.path().join("d")));
    let plan = client.check(Wish::default()).unwrap().plan.unwrap();
    assert!(client.prepare(Wish::default(), &plan, None, &to(stick.path())).is_err());
    let password = Secret::from("correct horse");
    client.prepare(Wish::default(), &plan, Some(&password), &to(stick.path())).unwrap();
    assert_eq!(client.begin(Wish::default()).unwrap(), Ended::Done);
    assert_eq!(client.follow(&Control::new(), &mut Still, &mut Silent).unwrap(), Ended::Done);
}

/// The window does not wait for Windows: it looks now and then, and does what is left to do when the end is seen.
#[test]
fn what_nobody_has_waited_for_is_settled_by_whoever_looks_next() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    let notes = || Notebook::new(own.path().join("notes")).read();
    let mut client = machine.client(own.path());
    let plan = client.check(Wish::default()).unwrap().plan.unwrap();
    client.prepare(Wish::default(), &plan, None, &to(stick.path())).unwrap();
    client.begin(Wish::default()).unwrap();
    client.settle().unwrap();
    assert!(notes().tested, "nothing is settled before the restart");
    assert_eq!(client.carry_on().unwrap(), Ended::Restart);
    machine.0.borrow_mut().restart();
    machine.0.borrow_mut().traps.stands = true;
    client.settle().unwrap();
    assert_eq!((notes().tested, notes().under_way), (false, Some(Way::Encrypt)));
    client.stop().unwrap();
    assert!(matches!(client.standing().unwrap().state, State::Converting { paused: true, .. }));
    assert_eq!(client.carry_on().unwrap(), Ended::Done);
    assert!(matches!(client.standing().unwrap().state, State::Converting { paused: false, .. }));
    machine.0.borrow_mut().traps.stands = false;
    // Whatever Windows does meanwhile, protection is on when the end has been looked at.
    machine.0.borrow_mut().volumes[0].suspended = true;
    while matches!(client.standing().unwrap().state, State::Converting { .. }) {
        client.settle().unwrap();
    }
    client.settle().unwrap();
    assert!(matches!(client.standing().unwrap().state, State::Protected { recovery: true, .. }));
    assert_eq!(notes().under_way, None);
    // A year later somebody suspends it for an update: that is theirs.
    machine.0.borrow_mut().volumes[0].suspended = true;
    client.settle().unwrap();
    assert!(matches!(client.standing().unwrap().state, State::Suspended { .. }));
    assert_eq!(client.carry_on().unwrap(), Ended::Done);

    assert!(client.begin_undo(false).unwrap());
    assert!(matches!(client.standing().unwrap().state, State::Converting { encrypting: false, .. }));
    while client.standing().unwrap().state != State::Off {
        machine.client(own.path()).settle().unwrap();
    }
    client.settle().unwrap();
    assert!(!own.path().join("notes").exists());
}

#[test]
fn a_failed_test_start_is_settled_once() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for restarts in 1..=2 {
        let machine = Shared::laptop();
        machine.0.borrow_mut().traps.test_fails = Some(Code(0x8031_003F));
        let mut client = machine.client(own.path());
        let plan = client.check(Wish::default()).unwrap().plan.unwrap();
        client.prepare(Wish::default(), &plan, None, &to(stick.path())).unwrap();
        client.begin(Wish::default()).unwrap();
        for _ in 0..restarts {
            machine.0.borrow_mut().restart();
        }
        assert_eq!(client.settle().unwrap_err().fault().code, "bitlocker-test-failed", "after {restarts}");
        assert_eq!(client.settle(), Ok(()), "it has been told");
    }
}

#[test]
fn a_way_back_that_windows_refuses_is_none() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    machine.0.borrow_mut().volumes[0] = SimulatedVolume::clear_key(1, "C:");
    let mut client = machine.client(own.path());
    client.close(&to(stick.path())).unwrap();
    machine.0.borrow_mut().volumes[0].auto_unlock_keys = true;
    assert_eq!(client.begin_undo(false).unwrap_err().fault().code, "bitlocker-auto-unlock");
    assert_eq!(Notebook::new(own.path().join("notes")).read().under_way, None);
    client.settle().unwrap();
    assert!(matches!(client.standing().unwrap().state, State::Protected { .. }));
}

#[test]
fn whoever_writes_the_key_down_types_it_back_before_anything_begins() {
    let own = tempfile::tempdir().unwrap();
    let machine = Shared::laptop();
    let mut client = machine.client(own.path());
    let plan = client.check(Wish::default()).unwrap().plan.unwrap();
    let shown = client.show_key(Wish::default()).unwrap();
    assert_eq!(client.show_key(Wish::default()).unwrap(), shown, "one key, however often it is asked for");
    assert_eq!(client.standing().unwrap().state, State::Prepared);
    let other = RecoveryPassword::parse(&["000011"; 8].join("-")).unwrap();
    for (wrong, code) in [
        (Sheet { password: other, ..shown.clone() }, "bitlocker-other-recovery-password"),
        (Sheet { id: "0".repeat(8), ..shown.clone() }, "bitlocker-stale-key"),
    ] {
        let refused = client.prepare(Wish::default(), &plan, None, &wrong).unwrap_err();
        assert_eq!(refused.fault().code, code);
        assert_eq!(machine.0.borrow().volumes[0].protectors.len(), 1, "nothing opens it yet");
    }
    assert!(client.prepare(Wish::default(), &plan, None, &shown).unwrap().saved.is_empty());
    assert_eq!(client.begin(Wish::default()).unwrap(), Ended::Restart);
    assert!(client.show_key(Wish::default()).is_err(), "the test start is pending");
}

#[test]
fn what_windows_encrypted_by_itself_is_closed_with_a_key_on_paper() {
    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let machine = Shared::laptop();
    machine.0.borrow_mut().volumes[0] = SimulatedVolume::clear_key(1, "C:");
    let mut client = machine.client(own.path());
    let shown = client.show_key(Wish::default()).unwrap();
    client.close(&shown).unwrap();
    assert!(matches!(client.standing().unwrap().state, State::Protected { recovery: true, .. }));
    let copies = client.save_key(&to(stick.path())).unwrap();
    client.compare(&std::fs::read(&copies.saved[0].1).unwrap()).unwrap();
    assert!(client.show_key(Wish::default()).is_err(), "a closed volume's key goes to a medium only");
}

#[test]
fn no_key_is_made_where_nothing_can_begin() {
    let own = tempfile::tempdir().unwrap();
    let machine = Shared::laptop();
    machine.0.borrow_mut().facts.edition = Some(bitlocker::Edition::Home);
    assert!(machine.client(own.path()).show_key(Wish::default()).is_err());
    assert!(machine.0.borrow().volumes[0].protectors.is_empty());
}

/// The protocol of the named pipe, over the socket of this system.
#[cfg(unix)]
#[test]
fn the_same_over_a_socket() {
    use bitlocker::service::Remote;
    use std::os::unix::net::UnixStream;

    let (stick, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (window, helper) = UnixStream::pair().unwrap();
    let served = std::thread::spawn(move || {
        let machine = Shared::laptop();
        let mut orders = std::io::BufReader::new(helper.try_clone().unwrap());
        let mut answers = helper;
        serve(&mut machine.here(), &mut orders, &mut answers).unwrap();
    });
    let remote = Remote::new(window.try_clone().unwrap(), window.try_clone().unwrap());
    let mut client = Client::new(Box::new(remote), "C:", Notebook::new(own.path().join("notes")));
    let plan = client.check(Wish::default()).unwrap().plan.unwrap();
    client.prepare(Wish::default(), &plan, None, &to(stick.path())).unwrap();
    assert_eq!(client.begin(Wish::default()).unwrap(), Ended::Restart);
    let mut lost = Client::new(
        Box::new(Remote::new(window.try_clone().unwrap(), window.try_clone().unwrap())),
        "X:",
        Notebook::new(own.path().join("x")),
    );
    assert_eq!(lost.standing().unwrap_err().fault().code, "bitlocker-not-there", "a fault comes through as it is");
    window.shutdown(std::net::Shutdown::Write).unwrap();
    served.join().unwrap();
    assert!(matches!(client.standing(), Err(Error::NoHelper(_))), "a helper that has gone");
}
