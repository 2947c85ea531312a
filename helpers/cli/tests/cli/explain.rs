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

/// Every sentence has its values, for outputs that end in each kind of verdict.
#[test]
fn no_sentence_has_a_hole() {
    let desk = Desk::new();
    for (at, text) in [
        GERMAN.to_owned(),
        GERMAN.replace("100,0 %", "3,5 %").replace("Vollständig verschlüsselt", "Verschlüsselung wird durchgeführt"),
        GERMAN.replace("100,0 %", "27,1 %").replace("Vollständig verschlüsselt", "Entschlüsselung wird durchgeführt"),
        GERMAN.replace("aktiviert", "deaktiviert"),
        "FileVault is On.\nEncryption in progress: Percent completed = 42".to_owned(),
        "FileVault is On.".to_owned(),
        "    +-> Volume disk1s1 X\n    |   FileVault: Yes (Unlocked)".to_owned(),
        "LUKS header information\nVersion: 2\nRequirements: online-reencrypt-v2\nData segments:\n  0: crypt\n\tcipher: aes-xts-plain64\nKeyslots:\n  0: luks2\n".to_owned(),
        "LUKS header information\nVersion: 2\nData segments:\n  0: crypt\n\tcipher: aes-xts-plain64\nKeyslots:\n  0: luks2\n".to_owned(),
        "/dev/sda1: UUID=\"u\" TYPE=\"LVM2_member\"\n/dev/sda2: UUID=\"v\" TYPE=\"zfs_member\"\n/dev/sda3: TYPE=\"crypto_LUKS\"\n".to_owned(),
        "NAME TYPE MOUNTPOINT\nsda  disk\n└─sda1 part\n  └─x crypt /\n".to_owned(),
        "Locking function (0x0002)\n    Locked = N, LockingEnabled = Y, MediaEncrypt = Y\n".to_owned(),
    ]
    .into_iter()
    .enumerate()
    {
        desk.write("output", text.as_bytes());
        for said in [desk.run("explain output"), desk.run_german("explain output")] {
            said.exits(0);
            let holes = ["{$", "[reason", "[next", "[gets", "[action"];
            assert!(!holes.iter().any(|hole| said.all().contains(hole)), "{at}: {}", said.all());
        }
    }
}
