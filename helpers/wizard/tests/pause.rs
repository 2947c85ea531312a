//! `latchkey pause` reaches a conversion that runs behind the window, as it reaches one in a terminal.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::time::Duration;

use model::{Control, Progress, Secret, Signal, Silent};
use recovery::{RecoveryKey, SheetWords};
use wizard::engine::{Ended, Engine, Real, RealOptions};
use wizard::operations::{self, EncryptRequest, KdfWish};
use wizard::running;

const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn it_stops_where_it_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    std::fs::write(&image, vec![0x5a; 16 << 20]).unwrap();
    let staged = folder.path().join("staged");
    let (password, key) = (Secret::from("lutin dehig becur"), RecoveryKey::generate().unwrap());
    let plan = operations::plan_encrypt(&image, &EncryptRequest::default()).unwrap();
    operations::stage(&plan, &password, &key, KdfWish::CheapestForTests, &staged, &mut Silent).unwrap();

    let words = SheetWords::look_up(str::to_owned);
    let engine = Real::new(RealOptions::new(words, "kitchen".into()));
    engine.begin(&plan, &staged, &password, &mut Silent).unwrap();

    let control = Control::new();
    let mut pausing = None;
    let mut sink = |_: &Progress| {
        if pausing.is_some() {
            return;
        }
        let target = image.clone();
        pausing = Some(std::thread::spawn(move || running::pause(&target, PATIENCE)));
        // Held here until the wish has arrived: a fast disk would be done before it.
        while control.signal() == Signal::Run {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let ended = engine.convert(&image, &password, &control, &mut sink).unwrap();
    assert_eq!(ended, Ended::Stopped);
    assert_eq!(pausing.unwrap().join().unwrap(), Ok(()));
    assert_eq!(running::pause(&image, PATIENCE).unwrap_err().code, "running-nothing");

    let ended = engine.convert(&image, &password, &Control::new(), &mut Silent).unwrap();
    assert_eq!(ended, Ended::Finished);
    operations::prove(&image, &password).unwrap();
}
