use crate::Desk;

#[test]
fn the_whole_way() {
    let desk = Desk::new();
    let said = desk.run("practice --dir here --size 40M --iter-time 200");
    said.exits(0);
    for part in ["Step 1 of 11", "Step 11 of 11", "Protected", "Every byte is what it was", "All 20 files"] {
        said.says(part);
    }
    assert!(!said.all().contains('['), "{}", said.all());
    assert_eq!(std::fs::read_dir(desk.path("here")).unwrap().count(), 0);
}

#[test]
fn a_kept_practice_drive_is_encrypted() {
    let desk = Desk::new();
    let said = Desk::run_german(&desk, "practice --dir here --size 40M --iter-time 200 --keep");
    said.exits(0).says("Schritt 3 von 11");
    let folder = std::fs::read_dir(desk.path("here")).unwrap().next().unwrap().unwrap().path();
    desk.run(&format!("status {}/practice-drive.img", folder.display())).exits(0).says("Protected");
    assert_eq!(std::fs::read_dir(folder.join("stick")).unwrap().count(), 2);
}

#[test]
fn the_whole_way_with_a_drive_that_encrypts_by_itself() {
    let desk = Desk::new();
    for sort in ["default", "no-shadow-mbr"] {
        let said = desk.run(&format!("practice --opal --profile {sort} --dir here --size 40M --iter-time 200"));
        said.exits(0);
        for part in [
            "Step 1 of 11",
            "Step 11 of 11",
            "Protected",
            "it is closed",
            "The recovery key from the stick has opened it",
            "Every byte is what it was",
            "All 20 files",
        ] {
            said.says(part);
        }
        assert!(!said.all().contains('['), "{}", said.all());
        assert_eq!(std::fs::read_dir(desk.path("here")).unwrap().count(), 0);
    }
    desk.run("practice --opal --profile nothing").exits(2);
}

#[test]
fn a_folder_that_cannot_be_used() {
    let desk = Desk::new();
    desk.run("practice --dir password/here").exits(1).says("cannot be made");
    desk.run("practice --size 1M").exits(2);
}
