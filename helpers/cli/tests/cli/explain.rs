use crate::Desk;

const GERMAN: &str = "Volume \"C:\" [Büro]\n[Betriebssystemvolume]\n\n    Größe:                        49,36 GB\n    \
    BitLocker-Version:            2.0\n    Konvertierungsstatus:         Vollständig verschlüsselt\n    \
    Verschlüsselt (Prozent):      100,0 %\n    Verschlüsselungsmethode:      XTS-AES 128\n    \
    Schutzstatus:                 Der Schutz ist aktiviert.\n    Sperrungsstatus:              Entsperrt\n    \
    ID-Feld:                      Unbekannt\n    Schlüsselschutzvorrichtungen:\n        TPM\n        \
    Numerisches Kennwort\n";

#[test]
fn json_has_five_members_for_each_subject() {
    let desk = Desk::new();
    desk.write("status", GERMAN.as_bytes());
    desk.write("letter", b"Dear Sir, my drive is broken.\n");
    let said = desk.run("explain --json status letter");
    said.exits(0);
    let document = said.json();
    assert_eq!(document["version"], 1);
    assert_eq!(document.as_object().unwrap().len(), 2);
    let items = document["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert!(items.iter().all(|item| item.as_object().unwrap().len() == 5));
    let c = &items[0];
    assert_eq!((&c["source"], &c["subject"], &c["verdict"]), (&"status".into(), &"C:".into(), &"protected".into()));
    assert_eq!((&c["reason"], &c["facts"]["cipher"]), (&"bitlocker-whole".into(), &"xts-aes-128".into()));
    assert_eq!((&items[1]["verdict"], &items[1]["reason"]), (&"unknown".into(), &"not-recognised".into()));
}

#[test]
fn sentences_in_two_languages() {
    let desk = Desk::new();
    desk.write("status", GERMAN.as_bytes());
    let said = desk.run("explain status");
    said.exits(0).says("C:").says("Protected:");
    let said = desk.run_german("explain status status");
    said.exits(0).says("status: C:").says("Geschützt:");
    assert!(!said.all().contains("[reason"), "{}", said.all());
    desk.run_german("explain password").exits(0).says("Die ganze Datei").says("Unbekannt:");
}

#[test]
fn standard_input_and_what_cannot_be_read() {
    let desk = Desk::new();
    let said = desk.run_with("explain --json -", b"FileVault is On.\n");
    said.exits(0);
    assert_eq!(said.json()["items"][0]["verdict"], "protected");
    assert_eq!(said.json()["items"][0]["source"], "-");
    let said = desk.run("explain --json missing");
    said.exits(1);
    assert_eq!(said.json()["fault"]["code"], "cli-file-read");
    desk.run("explain stick").exits(1);
    desk.run("explain").exits(2);
}

/// A file that somebody sent must not steer the terminal, nor bring a sentence without words.
#[test]
fn strange_names_are_only_names() {
    let desk = Desk::new();
    desk.write(
        "status",
        b"/dev/mapper/\x1b[2J\x07evil: UUID=\"x\" TYPE=\"ext4\"\n/dev/sda1: UUID=\"x\" TYPE=\"ext4\"\n",
    );
    let said = desk.run("explain status");
    said.exits(0).says("/dev/sda1").says("Not protected");
    assert!(!said.all().contains(['\x1b', '\x07']));
}
