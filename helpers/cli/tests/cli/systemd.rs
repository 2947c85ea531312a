use std::path::Path;
use std::process::Command;

/// The unit is one that systemd takes, whatever the program's place is.
#[test]
fn the_unit_is_sound() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd/latchkey-unlock@.service");
    let text = std::fs::read_to_string(unit).unwrap();
    assert!(text.contains("latchkey opal unlock %f --key-file"));
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("latchkey-unlock@dev-sda.service");
    // The programs in it have to be there for the check.
    std::fs::write(&copy, text.replace("/usr/bin/latchkey", "/bin/true").replace("/usr/sbin/blockdev", "/bin/true"))
        .unwrap();
    let Ok(output) = Command::new("systemd-analyze").arg("verify").arg(&copy).output() else {
        println!("left out: systemd-analyze is not here");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let about_it: Vec<&str> = said.lines().filter(|line| line.contains("latchkey-unlock")).collect();
    assert!(about_it.is_empty(), "{said}");
}
