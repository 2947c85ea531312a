//! Both ends in one process: under Wine, and on any Windows.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::BufReader;

use recovery::SameDrive;

use super::*;
use crate::Simulated;
use crate::keys::SheetWords;
use crate::service::{Answer, Here, Order, Orders, Remote, serve};

/// A session's SID; Wine may have none, and any that this process is not of will do for the forms.
fn sid() -> Option<String> {
    match logon_sid() {
        Ok(sid) => Some(sid),
        Err(error) => {
            eprintln!("left out: no logon session here ({error:?})");
            None
        }
    }
}

#[test]
fn orders_go_through_the_pipe_and_answers_come_back() {
    let Some(sid) = sid() else { return };
    let name = new_name().unwrap();
    let listener = Listener::new(&name, &sid).unwrap();
    assert!(Listener::new(&name, &sid).is_err(), "only one is the first");
    let own = std::process::id();
    let helper = std::thread::spawn(move || {
        let pipe = listener.accept(own).unwrap();
        let mut orders = BufReader::new(pipe.try_clone().unwrap());
        let mut answers = pipe;
        let mut here = Here {
            machine: Box::new(Simulated::laptop()),
            medium: Box::new(recovery::System),
            words: SheetWords::default(),
            same_drive: Box::new(|_, _| SameDrive::No),
        };
        serve(&mut here, &mut orders, &mut answers).ok();
    });
    let pipe = connect(&name, own).unwrap();
    let mut remote = Remote::new(pipe.try_clone().unwrap(), pipe);
    let Answer::Seen { volumes } = remote.ask(&Order::Look {}).unwrap() else { panic!("another answer") };
    assert_eq!(volumes[0].row.letter.as_deref(), Some("C:"));
    drop(remote);
    helper.join().unwrap();
}

#[test]
fn somebody_else_is_not_let_in_and_not_believed() {
    let Some(sid) = sid() else { return };
    let name = new_name().unwrap();
    let listener = Listener::new(&name, &sid).unwrap();
    let stranger = std::process::id() + 4;
    let helper = std::thread::spawn(move || listener.accept(stranger).map(drop));
    assert!(matches!(connect(&name, stranger), Err(Error::NoHelper(_))));
    assert!(matches!(helper.join().unwrap(), Err(Error::NoHelper(_))));
}

#[test]
fn names_and_sids_of_another_form_are_refused() {
    let good = format!(r"\\.\pipe\latchkey-{}", "a".repeat(32));
    for (name, sid) in [
        (good.as_str(), "S-1-1-0"),
        (good.as_str(), "S-1-5-5-1)(A;;GA;;;WD"),
        (r"\\.\pipe\other", "S-1-5-5-0-1"),
        (r"\\server\pipe\latchkey-00", "S-1-5-5-0-1"),
    ] {
        assert_eq!(Listener::new(name, sid).err(), Some(Error::BadOrder), "{name} {sid}");
    }
}
