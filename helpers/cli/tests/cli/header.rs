use std::os::unix::fs::FileExt;

use crate::Desk;

#[test]
fn backup_and_restore() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    desk.run("header backup image copy").exits(0);
    desk.run("header backup image copy").exits(3).says("there already");
    desk.write("new", b"dehig lutin rebuk\n");
    desk.run("passwd image --password-file password --new-password-file new --iter-time 100").exits(0);
    desk.run("header restore image copy").exits(2).says("--yes");
    desk.run("header restore image copy --yes").exits(0);
    desk.run("prove image --password-file password").exits(0);
    desk.run("prove image --password-file new").exits(4);
    assert_eq!(desk.read("image").len(), before.len());

    let other = Desk::encrypted();
    std::fs::copy(desk.path("copy"), other.path("copy")).unwrap();
    let said = other.run("header restore image copy --yes");
    said.exits(3);
    other.run("prove image --password-file password").exits(0);
    other.run("header restore image password --yes").exits(3);
    other.run("header restore image missing --yes").exits(1);
}

#[test]
fn one_damaged_copy_is_mended_when_somebody_agrees() {
    let desk = Desk::encrypted();
    desk.run("header repair image --yes").exits(0).says("nothing to mend");
    damage(&desk, 0, 17_408);
    let damaged = desk.read("image");
    desk.run("prove image --password-file password").exits(0);
    desk.run("header repair image").exits(2);
    assert!(desk.read("image") == damaged, "written without consent");
    desk.run("header repair image --yes").exits(0).says("whole again");
    desk.run("header repair image --yes").exits(0).says("nothing to mend");
    desk.run("status image").exits(0);
}

#[test]
fn both_copies_are_put_together_from_what_is_left() {
    let desk = Desk::encrypted();
    let status = desk.run("status --json image").json();
    let uuid = status["drives"][0]["volumes"][0]["uuid"].as_str().unwrap().to_owned();
    // The binary parts of both copies of 64 KiB; the JSON areas behind them stay.
    damage(&desk, 0, 4096);
    damage(&desk, 65_536, 4096);
    let damaged = desk.read("image");
    desk.write("wrong", b"not this one");
    desk.run("header repair image --password-file wrong --yes").exits(4);
    desk.run("header repair image --password-file password").exits(2);
    desk.run("encrypt image --password-file password --recovery-dir stick --yes").exits(5).says("header repair");
    assert!(desk.read("image") == damaged, "written without proof or consent");
    desk.run(&format!("header repair image --password-file password --uuid {uuid} --yes")).exits(0);
    desk.run("prove image --password-file password").exits(0);
    let repaired = desk.run("status --json image").json();
    assert_eq!(repaired["drives"][0]["volumes"][0]["uuid"], uuid.as_str());
    desk.run("decrypt image --password-file password --yes").exits(0);
    assert!(desk.read("image") == crate::content(crate::SIZE));
}

#[test]
fn nothing_left_is_said() {
    let desk = Desk::encrypted();
    damage(&desk, 0, 1 << 17);
    let damaged = desk.read("image");
    let said = desk.run("header repair image --password-file password --yes");
    assert_ne!(said.code(), 0, "{}", said.all());
    assert!(!said.all().contains('['), "{}", said.all());
    assert!(desk.read("image") == damaged);
}

fn damage(desk: &Desk, offset: u64, length: usize) {
    let file = std::fs::File::options().write(true).open(desk.path("image")).unwrap();
    file.write_all_at(&vec![0x55; length], offset).unwrap();
}
