//! The day after: paper, a second person, old sheets, a drive that is sold.

use std::process::Command;

use crate::Desk;

/// Whether stock `cryptsetup` opens the image with a password file; `None`: it is not here.
fn stock_opens(desk: &Desk, file: &str) -> Option<bool> {
    let tried = Command::new("cryptsetup")
        .args(["open", "--test-passphrase", "--key-file"])
        .args([desk.path(file), desk.path("image")])
        .output();
    tried.ok().map(|output| output.status.success())
}

#[test]
fn a_page_is_made_read_back_and_opens() {
    let desk = Desk::encrypted();
    let sheet = desk.sheet();
    let line = format!("recovery paper image --recovery-file {} --file page.pdf --size letter", sheet.display());
    desk.run(&line).exits(0).says("it opens the drive");
    desk.run("recovery verify page.pdf image").exits(0).says("opens the drive");
    desk.run("prove image --recovery-file page.pdf").exits(0).says("recovery key opens");
    let before = desk.read("page.pdf");
    desk.run(&line).exits(3).says("page.pdf");
    assert!(desk.read("page.pdf") == before);
    let printed = desk.run(&format!("recovery paper image --recovery-file {} --file -", sheet.display()));
    assert!(printed.exits(0).output.stdout.starts_with(b"%PDF-"));
    // The key has to open the drive before it is put on paper.
    let other = Desk::encrypted();
    let line = format!("recovery paper image --recovery-file {} --file other.pdf", other.sheet().display());
    desk.run(&line).exits(4);
    assert!(!desk.path("other.pdf").exists());
    desk.write("half.pdf", &before[..before.len() / 3]);
    let said = desk.run_german("recovery verify half.pdf image");
    assert!(said.code() == 5 && !said.all().contains('['), "{}", said.all());
}

#[test]
fn a_key_file_is_what_stock_tools_take() {
    let desk = Desk::encrypted();
    let line =
        format!("recovery export image --recovery-file {} --recovery-dir . --form key-file", desk.sheet().display());
    desk.run(&line).exits(0).says("read back");
    let names =
        std::fs::read_dir(desk.path(".")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names.into_iter().find(|name| name.ends_with(".key")).unwrap();
    assert_ne!(stock_opens(&desk, &name), Some(false));
}

#[test]
fn a_sheet_says_which_drive_it_belongs_to() {
    let (desk, other) = (Desk::encrypted(), Desk::encrypted());
    let old = desk.path("old");
    std::fs::rename(desk.sheet(), &old).unwrap();
    desk.run("recovery verify old").exits(0).says("is whole").says("belongs to another computer");
    desk.run(&format!("recovery verify old {}", other.path("image").display()))
        .exits(4)
        .says("belongs to another drive");
    desk.run("recovery new image --password-file password --recovery-dir stick").exits(0);
    desk.run("recovery verify old image").exits(4).says("but it is old");
    desk.run_german("recovery verify old image").exits(4).says("ist aber alt");
}

#[test]
fn a_second_person_is_let_in_and_out_again() {
    let desk = Desk::encrypted();
    desk.write("second", b"rebuk higlut dehvin");
    desk.run("key add image --password-file password --new-password-file second --iter-time 100")
        .exits(0)
        .says("keyslot 2");
    desk.run("key list image").exits(0).says("0: password").says("1: recovery key").says("2: password");
    desk.run("key list image --json").exits(0).says("\"kind\": \"recovery\"");
    desk.run("prove image --password-file second").exits(0);
    assert_ne!(stock_opens(&desk, "second"), Some(false));
    desk.run("key add image --password-file password --new-password-file second")
        .exits(3)
        .says("opens the drive already");
    desk.run("key remove image --password-file second --keyslot 2").exits(3).says("just typed");
    desk.run("key remove image --password-file password --keyslot 7").exits(3);
    desk.run("key remove image --password-file password --keyslot 2").exits(0).says("is gone");
    desk.run("prove image --password-file second").exits(4);
    assert_ne!(stock_opens(&desk, "second"), Some(true));
    assert_ne!(stock_opens(&desk, "password"), Some(false));
    desk.run("key add image --password-file - --new-password-file -").exits(2);
}

#[test]
fn without_a_chip_nothing_changes() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    let said = desk.run("key enroll fido2 image --password-file password");
    assert!(matches!(said.code(), 1 | 3), "{}", said.all());
    assert!(!said.all().contains('['), "{}", said.all());
    assert!(desk.read("image") == before);
    desk.run("key enroll tpm2 image --password-file stick").exits(1);
}

#[test]
fn what_is_sold_is_erased_and_opens_no_more() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    desk.run("erase image --erase-drive-named other").exits(3).says("not the name");
    desk.run("erase image").exits(2);
    assert!(desk.read("image") == before);
    desk.run("erase image --erase-drive-named image").exits(0).says("is erased");
    assert_ne!(desk.run("prove image --password-file password").code(), 0);
    assert_ne!(stock_opens(&desk, "password"), Some(true));
    assert_ne!(desk.run("key list image").code(), 0);
    assert_ne!(desk.run("erase image --erase-drive-named image").code(), 0);
}

#[test]
fn where_copies_are_is_remembered_and_never_the_key() {
    let desk = Desk::encrypted();
    desk.run("status image").exits(0).says("Copies of its recovery key").says("last tried on");
    desk.run_german("recovery list image").exits(0).says("im Ordner").says("zuletzt ausprobiert am");
    let book = desk.read("state/copies.json");
    let key = recovery::read_back(&std::fs::read_to_string(desk.sheet()).unwrap()).unwrap();
    let book = String::from_utf8(book).unwrap();
    assert!(book.contains(&key.key_id()) && key.groups().iter().all(|group| !book.contains(group)), "{book}");
    desk.run("recovery list image --json").exits(0).says("\"remind\": null").says("\"kind\": \"folder\"");
    desk.run("status image --json").exits(0).says("\"copies\": [");
    // A new key: only its copy is left.
    std::fs::create_dir(desk.path("other")).unwrap();
    desk.run("recovery new image --password-file password --recovery-dir other").exits(0);
    let said = desk.run("recovery list");
    assert!(!said.all().contains(&key.key_id()), "{}", said.all());
    said.exits(0).says("other");
    let name = desk.path("image").display().to_string();
    desk.run(&format!("erase {name} --erase-drive-named {name}")).exits(0);
    desk.run("recovery list").exits(0).says("remembers no copies");
    // What cannot be noted is said, and the copy is made.
    let desk = Desk::new();
    desk.write("state", b"not a folder");
    desk.run(crate::ENCRYPT).exits(0).says("could not be noted");
    assert!(desk.sheet().exists());
}
