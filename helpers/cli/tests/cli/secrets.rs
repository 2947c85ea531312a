use crate::{Desk, ENCRYPT, PASSWORD, SIZE, content};

#[test]
fn passwords_that_are_refused() {
    let desk = Desk::new();
    for (password, sentence) in [
        (Vec::new(), "The password is empty"),
        (b"\n".to_vec(), "The password is empty"),
        (vec![b'a'; 10 << 10], "More than 512 bytes"),
        (b"two\nlines".to_vec(), "line break"),
        (b"with\0zero".to_vec(), "control character"),
    ] {
        desk.write("password", &password);
        desk.run(ENCRYPT).exits(3).says(sentence);
        assert!(desk.read("image") == content(SIZE));
    }
    desk.write("password", b"");
    desk.run_german(ENCRYPT).exits(3).says("Das Passwort ist leer");
    desk.run(&ENCRYPT.replace("--password-file password", "--password-file nothing")).exits(3).says("no file nothing");
    desk.run(&ENCRYPT.replace("--password-file password", "--password-file stick")).exits(1).says("cannot be read");
    desk.run(&ENCRYPT.replace("--password-file password", "")).exits(2).says("nobody is at the terminal");
    assert!(desk.sheets().is_empty());
}

#[test]
fn emoji_and_umlauts_work_with_a_note() {
    let desk = Desk::new();
    desk.write("password", "Schlüssel 🔑 für die Küche\r\n".as_bytes());
    desk.run(ENCRYPT).exits(0).says("Please note").says("some keyboards do not have");
    desk.run_with("prove image --password-file -", "Schlüssel 🔑 für die Küche".as_bytes()).exits(0);
    desk.run_with("prove image --password-file -", "Schlüssel 🔑 für die Kuche".as_bytes()).exits(4);
}

#[test]
fn a_weak_password_is_taken_with_a_note() {
    let desk = Desk::new();
    desk.write("password", b"password1");
    desk.run(ENCRYPT).exits(0).says("can be guessed");
}

#[test]
fn a_wrong_password_is_named_in_both_languages() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    desk.write("wrong", b"not this one\n");
    for line in [
        "prove image --password-file wrong",
        "decrypt image --password-file wrong --yes",
        "passwd image --password-file wrong --new-password-file password",
        "recovery new image --password-file wrong --recovery-dir stick",
    ] {
        let said = desk.run(line);
        said.exits(4);
        assert!(!said.all().contains('['), "{}", said.all());
        desk.run_german(line).exits(4);
    }
    desk.write("wrong", b"");
    desk.run("prove image --password-file wrong").exits(3).says("The password is empty");
    assert!(desk.read("image") == before);
}

#[test]
fn a_password_is_changed() {
    let desk = Desk::encrypted();
    desk.write("new", b"dehig lutin rebuk\n");
    let line = "passwd image --password-file password --new-password-file new --iter-time 100";
    desk.run(line).exits(0).says("is changed");
    desk.run("prove image --password-file password").exits(4);
    desk.run("prove image --password-file new").exits(0);
    let sheet = desk.sheet();
    desk.run(&format!("prove image --recovery-file {}", sheet.display())).exits(0);
    desk.write("new", &vec![b'a'; 513]);
    desk.run("passwd image --password-file new --new-password-file password").exits(4);
    desk.write("old", b"dehig lutin rebuk");
    desk.run("passwd image --password-file old --new-password-file new").exits(3).says("513 bytes");
    desk.run("passwd image --password-file - --new-password-file -").exits(2);
    desk.run("prove image --password-file old").exits(0);
}

#[test]
fn no_secret_is_printed() {
    let desk = Desk::new();
    let said = desk.run(ENCRYPT);
    said.exits(0);
    let sheet = std::fs::read_to_string(desk.sheet()).unwrap();
    let key = sheet.split_whitespace().find(|word| word.len() == 71).unwrap();
    assert!(!said.all().contains(PASSWORD) && !said.all().contains(key));
}

#[test]
fn a_new_recovery_key_revokes_the_old_one() {
    let desk = Desk::encrypted();
    let old = desk.path("old-sheet");
    std::fs::rename(desk.sheet(), &old).unwrap();
    desk.run("recovery new image --password-file password --recovery-dir stick").exits(0).says("new recovery key");
    let new = desk.sheet();
    desk.run(&format!("recovery verify {} image", new.display())).exits(0).says("opens the drive");
    desk.run("recovery verify old-sheet image").exits(4);
    desk.run("recovery verify old-sheet").exits(0).says("is whole");
    desk.run("prove image --password-file password").exits(0);
}

#[test]
fn another_copy_of_the_key() {
    let desk = Desk::encrypted();
    std::fs::create_dir(desk.path("second")).unwrap();
    let sheet = desk.sheet();
    let line = format!("recovery export image --recovery-file {} --recovery-dir second", sheet.display());
    desk.run(&line).exits(0).says("read back");
    let copy = std::fs::read_dir(desk.path("second")).unwrap().next().unwrap().unwrap().path();
    desk.run(&format!("recovery verify {} image", copy.display())).exits(0);
    desk.run("recovery export image --recovery-file password --recovery-dir second").exits(4);
}

#[test]
fn damaged_sheets_are_named() {
    let desk = Desk::encrypted();
    let sheet = desk.sheet();
    let text = std::fs::read_to_string(&sheet).unwrap();
    let key = text.split_whitespace().find(|word| word.len() == 71).unwrap();
    let other = if key.starts_with('c') { 'b' } else { 'c' };
    std::fs::write(&sheet, text.replacen(key, &format!("{other}{}", &key[1..]), 1)).unwrap();
    let said = desk.run(&format!("recovery verify {} image", sheet.display()));
    assert_ne!(said.code(), 0);
    assert!(!said.all().contains('['), "{}", said.all());
    desk.run("recovery verify missing").exits(1).says("no file missing");
    desk.write("noise", &content(1 << 20));
    assert_ne!(desk.run("recovery verify noise").code(), 0);
    desk.write("noise", &[0xff; 100]);
    desk.run("prove image --recovery-file noise").exits(2).says("not text");
}
