//! Switching FileVault on, on the simulated Mac, with what went wrong for people before.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use filevault::{
    Chip, DISKUTIL, Error, FDESETUP, Login, Output, PersonalKey, Recorded, SYSADMINCTL, Simulated, State, change_key,
    defer, disable, enable, encrypt_volume, secure_token, status,
};
use model::{Secret, Verdict};
use recovery::{SameDrive, System};

fn enabled(mac: &mut Simulated, password: &str, folder: &std::path::Path) -> Result<String, Error> {
    let password = Secret::from(password);
    let login = Login { user: "anna", password: &password };
    enable(mac, &login, folder, SameDrive::No, &mut System).map(|done| std::fs::read_to_string(done.file).unwrap())
}

#[test]
fn it_is_on_and_the_key_on_the_stick_opens_it() {
    let stick = tempfile::tempdir().unwrap();
    let mut mac = Simulated::mac();
    let before = status(&mut mac).unwrap();
    assert_eq!((before.state.clone(), before.chip), (State::Off, Chip::Hardware));
    assert_eq!(before.judged().reason.code, "filevault-at-rest");
    let file = enabled(&mut mac, "secret", stick.path()).unwrap();
    assert!(file.contains(mac.key.as_deref().unwrap()));
    let after = status(&mut mac).unwrap();
    assert_eq!((after.judged().verdict, after.personal_key), (Verdict::Protected, Some(true)));
    assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(Error::NotNow));
    let key = mac.key.clone().unwrap();
    assert!(mac.words.iter().all(|word| !word.contains("secret") && !word.contains(&key)), "no secret in an argument");
    let password = Secret::from("secret");
    disable(&mut mac, &Login { user: "anna", password: &password }).unwrap();
}

#[test]
fn a_key_that_macos_does_not_take_is_never_called_saved() {
    let stick = tempfile::tempdir().unwrap();
    let mut mac = Simulated::mac();
    mac.traps.other_key = true;
    assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(Error::KeyNotProven));
    let mut mac = Simulated::mac();
    mac.traps.placeholder = true;
    assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(Error::BadKey));
}

#[test]
fn a_key_of_earlier_stays_and_a_new_one_can_be_made() {
    let stick = tempfile::tempdir().unwrap();
    let mut mac = Simulated::mac();
    mac.key = Some("EARL-IERK-EYOF-SOME-BODY-0000".into());
    assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(Error::NoNewKey));
    let password = Secret::from("secret");
    let login = Login { user: "anna", password: &password };
    change_key(&mut mac, &login, stick.path(), SameDrive::No, &mut System).unwrap();
    assert_eq!(std::fs::read_dir(stick.path()).unwrap().count(), 1);
    mac.traps.hangs = true;
    change_key(&mut mac, &login, stick.path(), SameDrive::No, &mut System).unwrap();
    assert_eq!(std::fs::read_dir(stick.path()).unwrap().count(), 2, "what was printed before it hung is kept");
    mac.traps.loses_key = true;
    let lost = change_key(&mut mac, &login, stick.path(), SameDrive::No, &mut System);
    assert_eq!(lost.err(), Some(Error::KeyLost));
}

#[test]
fn nothing_is_switched_on_before_there_is_a_place_for_the_key() {
    let mut mac = Simulated::mac();
    assert!(matches!(enabled(&mut mac, "secret", "/no/such".as_ref()), Err(Error::Copy(_))));
    let stick = tempfile::tempdir().unwrap();
    assert_eq!(enabled(&mut mac, "wrong", stick.path()), Err(Error::WrongPassword));
    mac.users[0].2 = false;
    assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(Error::NoSecureToken { user: "anna".into() }));
    assert!(!mac.on && std::fs::read_dir(stick.path()).unwrap().count() == 0);
}

#[test]
fn deferred_is_off_and_names_whose_login_it_waits_for() {
    let mut mac = Simulated::mac();
    defer(&mut mac, "anna").unwrap();
    let told = status(&mut mac).unwrap();
    assert_eq!(told.state, State::Deferred { user: "anna".into() });
    assert_eq!(told.judged().verdict, Verdict::NotProtected);
    assert_eq!(defer(&mut mac, "-user"), Err(Error::BadName));
}

#[test]
fn exit_codes_have_their_own_sentence() {
    let stick = tempfile::tempdir().unwrap();
    for (code, error) in [
        (31, Error::Managed),
        (36, Error::Unsupported),
        (28, Error::NotNow),
        (37, Error::WrongPassword),
        (99, Error::Refused { code: 99 }),
    ] {
        let mut mac = Simulated::mac();
        mac.traps.exit = Some(code);
        assert_eq!(enabled(&mut mac, "secret", stick.path()), Err(error));
    }
}

#[test]
fn only_six_groups_of_four_are_a_key() {
    assert!(PersonalKey::parse("AAAA-BBBB-CCCC-DDDD-EEEE-FFFF").is_ok());
    for bad in [
        "",
        "WWWW-XXXX-YYYY-ZZZZ",
        "AAAA-BBBB-CCCC-DDDD-EEEE",
        "aaaa-BBBB-CCCC-DDDD-EEEE-FFFF",
        "WWWW-XXXX-YYYY-ZZZZ-AAAA-BBBB",
    ] {
        assert_eq!(PersonalKey::parse(bad), Err(Error::BadKey), "{bad}");
    }
}

#[test]
fn an_external_volume_of_apfs() {
    let password = Secret::from("secret");
    let mut mac = Simulated::mac();
    encrypt_volume(&mut mac, "disk4s1", &password).unwrap();
    for bad in ["/dev/disk4s1", "disk4", "disk4s1 -x", "-x", "disks1"] {
        assert_eq!(encrypt_volume(&mut mac, bad, &password), Err(Error::BadName), "{bad}");
    }
}

/// What `fdesetup status` was recorded to print, and the flow's answer.
#[test]
fn recorded_states() {
    for (text, state) in [
        ("FileVault is On.\n", State::On),
        ("FileVault is Off.\n", State::Off),
        ("FileVault is Off, but will be enabled after the next restart.\n", State::AfterRestart),
        (
            "FileVault is Off.\nDeferred enablement appears to be active for user 'anna'.\n",
            State::Deferred { user: "anna".into() },
        ),
        ("FileVault is On.\nDeferred enablement appears to be active for user 'anna'.\n", State::On),
        (
            "FileVault is On.\nEncryption in progress: Percent completed = 42\n",
            State::Converting { encrypting: true, percent: Some(42), waits: false },
        ),
        (
            "FileVault is On.\nEncryption in progress: Pending\n",
            State::Converting { encrypting: true, percent: None, waits: true },
        ),
        (
            "FileVault is Off.\nDecryption in progress: Percent completed = 7\n",
            State::Converting { encrypting: false, percent: Some(7), waits: false },
        ),
        ("FileVault est activé.\n", State::Unknown),
        ("", State::Unknown),
    ] {
        let mut mac = Recorded::default();
        mac.note(FDESETUP, &["status"], Output::new(0, text));
        assert_eq!(status(&mut mac).unwrap().state, state, "{text}");
        assert!(mac.asked.iter().all(|line| line.starts_with('/')), "by full path: {:?}", mac.asked);
    }
}

#[test]
fn recorded_volumes_and_users() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/status");
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|_| eprintln!("left out: {} is not here", path.display())).ok()
    };
    let (Some(users), Some(snapshot), Some(stick)) = (
        read("44-apfs-listcryptousers-plist.txt"),
        read("48-diskutil-info-plist-sealed-snapshot.txt"),
        read("50-diskutil-info-plist-hfs-usb.txt"),
    ) else {
        return;
    };
    let mut mac = Recorded::default();
    mac.note(FDESETUP, &["status"], Output::new(0, "FileVault is On.\n"));
    mac.note(DISKUTIL, &["info", "-plist", "/"], Output::new(0, snapshot.clone()));
    mac.note(DISKUTIL, &["apfs", "listCryptoUsers", "-plist", "/"], Output::new(0, users));
    let told = status(&mut mac).unwrap();
    assert_eq!((told.state, told.personal_key), (State::On, Some(true)), "a sealed snapshot is not unencrypted");
    mac.note(FDESETUP, &["status"], Output::new(0, "FileVault is Off.\n"));
    assert_eq!(status(&mut mac).unwrap().state, State::Unknown, "two tools that contradict each other");
    mac.note(DISKUTIL, &["info", "-plist", "disk11s2"], Output::new(0, stick));
    assert_eq!(encrypt_volume(&mut mac, "disk11s2", &Secret::from("x")), Err(Error::Unsupported), "HFS+");
}

/// CoreStorage's answer to enabling has more in it; the key is found, and still has to be proven.
#[test]
fn recorded_enabling() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/status/47-fdesetup-enable-outputplist-corestorage.txt");
    let Ok(answer) = std::fs::read(&path) else { return eprintln!("left out: {} is not here", path.display()) };
    let stick = tempfile::tempdir().unwrap();
    let mut mac = Recorded::default();
    mac.note(FDESETUP, &["status"], Output::new(0, "FileVault is Off.\n"));
    mac.note(
        SYSADMINCTL,
        &["-secureTokenStatus", "anna"],
        Output { err: "Secure token is ENABLED for user anna".into(), ..Output::new(0, "") },
    );
    mac.note(FDESETUP, &["enable", "-inputplist", "-outputplist"], Output::new(0, answer));
    let password = Secret::from("secret");
    let login = Login { user: "anna", password: &password };
    let proven = |told: &str, mac: &mut Recorded| {
        mac.note(FDESETUP, &["validaterecovery", "-inputplist"], Output::new(0, told));
        enable(mac, &login, stick.path(), SameDrive::No, &mut System).map(|done| done.key)
    };
    assert_eq!(proven("false\n", &mut mac).err(), Some(Error::KeyNotProven));
    assert_eq!(proven("true\n", &mut mac).unwrap().expose(), "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF");
    assert!(secure_token(&mut Recorded::default(), "anna").is_err());
}

/// 42: Apple silicon, FileVault off. The data are encrypted at rest, and that is not protection. 45: the way back
/// is through iCloud, and there is no personal key that could be exported.
#[test]
fn recordings_42_and_45() {
    let mut mac = Recorded::default();
    mac.note(FDESETUP, &["status"], Output::new(0, "FileVault is Off.\n"));
    mac.note(filevault::SYSCTL, &["-n", "hw.optional.arm64"], Output::new(0, "1\n"));
    let told = status(&mut mac).unwrap();
    assert_eq!(told.judged().verdict, Verdict::NotProtected);
    assert_eq!(told.judged().reason.code, "filevault-at-rest");
    let user = |uuid: &str| format!("<dict><key>APFSCryptoUserUUID</key><string>{uuid}</string></dict>");
    let users: String = [
        "11111111-1111-4111-8111-111111111111",
        "EC1C2AD9-B618-4ED6-BD8D-50F361C27507",
        "64C0C6EB-0000-11AA-AA11-00306543ECAC",
    ]
    .map(user)
    .concat();
    let list = format!(
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>Users</key><array>{users}</array></dict></plist>"
    );
    let mut mac = Recorded::default();
    mac.note(FDESETUP, &["status"], Output::new(0, "FileVault is On.\n"));
    mac.note(DISKUTIL, &["apfs", "listCryptoUsers", "-plist", "/"], Output::new(0, list));
    let told = status(&mut mac).unwrap();
    assert_eq!((told.personal_key, told.judged().verdict), (Some(false), Verdict::Protected));
    assert_eq!(told.judged().next, "filevault-save-key");
}
