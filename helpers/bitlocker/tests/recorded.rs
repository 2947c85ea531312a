//! What real computers said, through the flow: the numbers behind each recording of `data/status`, what the
//! flow makes of them, and that the reader of the recording itself comes to the same verdict.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use bitlocker::{Cipher, Code, Machine, Recorded, Reply, Row, State, Step, Value, Volume, VolumeKind, Wish, check};
use model::Verdict;

struct Case {
    /// The recording.
    file: &'static str,
    letter: &'static str,
    kind: VolumeKind,
    conversion: Option<u32>,
    share: u32,
    protection: u32,
    method: u32,
    lock: u32,
    protectors: &'static [u32],
    test: u32,
    step: Step,
    verdict: Verdict,
}

const BASE: Case = Case {
    file: "",
    letter: "C:",
    kind: VolumeKind::System,
    conversion: Some(0),
    share: 0,
    protection: 0,
    method: 0,
    lock: 0,
    protectors: &[],
    test: 0,
    step: Step::Begin,
    verdict: Verdict::NotProtected,
};

const ON: Case = Case {
    conversion: Some(1),
    share: 1_000_000,
    protection: 1,
    method: 6,
    protectors: &[1, 3],
    step: Step::Nothing,
    verdict: Verdict::Protected,
    ..BASE
};

const CASES: &[Case] = &[
    Case { file: "01-mbde-de-os-decrypted", ..BASE },
    Case { file: "02-mbde-de-on-hardware-test-pending", protectors: &[1], test: 2, step: Step::Restart, ..BASE },
    Case {
        file: "03-mbde-de-encrypting-3-5",
        conversion: Some(2),
        share: 35_000,
        method: 6,
        protectors: &[1],
        step: Step::Wait,
        verdict: Verdict::Converting,
        ..BASE
    },
    Case { file: "06-mbde-fr-os-decrypted-codepage-damage", ..BASE },
    Case { file: "08-mbde-fr-os-encrypted-dot-decimals", ..ON },
    Case { file: "09-mbde-ja-os-decrypted-and-no-protectors", ..BASE },
    Case {
        file: "11-mbde-es-data-locked-win81",
        letter: "E:",
        kind: VolumeKind::Fixed,
        conversion: None,
        protection: 2,
        lock: 1,
        protectors: &[8, 3],
        step: Step::Unlock,
        verdict: Verdict::Locked,
        ..BASE
    },
    Case { file: "12-mbde-es-os-encrypted", ..ON },
    Case { file: "14-mbde-es-os-decrypted", ..BASE },
    Case {
        file: "15-mbde-ru-clear-key",
        conversion: Some(1),
        share: 1_000_000,
        method: 6,
        step: Step::Activate,
        verdict: Verdict::Suspended,
        ..BASE
    },
    Case { file: "17-mbde-zh-two-volumes-data-first", letter: "D:", kind: VolumeKind::Fixed, ..BASE },
    Case { file: "20-mbde-en-volume-without-letter", protectors: &[2, 3], ..ON },
    Case {
        file: "21-mbde-en-data-size-unknown-unlocked",
        letter: "M:",
        kind: VolumeKind::Fixed,
        protectors: &[8, 3],
        ..ON
    },
    Case {
        file: "23-mbde-en-personal-vault-locked",
        letter: "F:",
        kind: VolumeKind::Fixed,
        conversion: None,
        protection: 2,
        lock: 1,
        protectors: &[2],
        step: Step::Unlock,
        verdict: Verdict::Locked,
        ..BASE
    },
    Case { file: "24-mbde-en-comma-decimals-password-only", method: 4, protectors: &[8], step: Step::SaveKey, ..ON },
    Case { file: "30-getblv-fl-decrypted", ..BASE },
    Case { file: "32-wmi-encryptablevolume-two-volumes", ..BASE },
    Case { file: "32-wmi-encryptablevolume-two-volumes", letter: "D:", kind: VolumeKind::Fixed, ..BASE },
    Case { file: "33-ninjaone-json-lockstatus-contradiction", method: 7, lock: 1, ..ON },
];

fn id(letter: &str) -> String {
    format!(r"\\?\Volume{{{:08x}-1111-4111-8111-111111111111}}\", letter.bytes().map(u32::from).sum::<u32>())
}

fn machine(case: &Case) -> Recorded {
    let mut machine = Recorded::default();
    let id = id(case.letter);
    machine.rows.push(Row { id: id.clone(), letter: Some(case.letter.into()), kind: Some(case.kind) });
    let ok = || Reply::new(Code::OK);
    let number = |name: &str, value: u32| ok().with(name, Value::Number(value));
    let conversion = case.conversion.map_or(Reply::new(Code::LOCKED), |value| {
        number("ConversionStatus", value).with("EncryptionPercentage", Value::Number(case.share))
    });
    machine.note(&id, "GetConversionStatus", conversion);
    machine.note(&id, "GetProtectionStatus", number("ProtectionStatus", case.protection));
    machine.note(&id, "GetEncryptionMethod", number("EncryptionMethod", case.method));
    machine.note(&id, "GetLockStatus", number("LockStatus", case.lock));
    machine.note(&id, "GetHardwareTestStatus", number("TestStatus", case.test));
    let protectors = (!case.protectors.is_empty()).then(|| {
        let ids: Vec<String> = (0..case.protectors.len()).map(|at| format!("{{{at}}}")).collect();
        ok().with("VolumeKeyProtectorID", Value::List(ids))
    });
    machine.note(&id, "GetKeyProtectors", protectors.unwrap_or(Reply::new(Code::NOT_ACTIVATED)));
    for (at, kind) in case.protectors.iter().enumerate() {
        machine.note(&id, &format!("GetKeyProtectorType {{{at}}}"), number("KeyProtectorType", *kind));
    }
    machine
}

#[test]
fn every_recording_leads_to_its_step() {
    for case in CASES {
        let mut machine = machine(case);
        let state = State::of(&Volume::find(&mut machine, case.letter).unwrap().numbers());
        assert_eq!((state.step(), state.judged().verdict), (case.step, case.verdict), "{}", case.file);
        let checked = check(&mut machine, case.letter, Wish::default()).unwrap();
        assert!(checked.plan.is_none() || case.step == Step::Begin, "{}", case.file);
        let changing = ["Encrypt", "Protect", "Prepare", "Delete", "Enable", "Disable", "Decrypt", "set "];
        let changed = machine.asked().iter().any(|method| changing.iter().any(|begin| method.starts_with(begin)));
        assert!(!changed, "{}: looking changes nothing", case.file);
    }
}

#[test]
fn the_recordings_themselves_say_the_same() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/status");
    if !folder.is_dir() {
        return eprintln!("left out: {} is not here", folder.display());
    }
    for case in CASES {
        let Ok(bytes) = std::fs::read(folder.join(format!("{}.txt", case.file))) else { continue };
        let items = explain::explain(case.file, &bytes);
        let item = items.iter().find(|item| item.subject == case.letter);
        let item = item.unwrap_or_else(|| panic!("{}: nothing about {}", case.file, case.letter));
        assert_eq!(item.verdict(), case.verdict, "{}", case.file);
    }
}

/// Conversion, protection and protectors in every combination: green is the result of exactly one kind.
#[test]
fn suspended_is_never_green_and_converting_is_no_error() {
    for conversion in 0..=6 {
        for protection in 0..=3 {
            for protectors in [&[][..], &[1, 3][..], &[3, 4][..], &[1, 3, 4][..]] {
                for method in [0, 5, 6, 9] {
                    let case = Case { conversion: Some(conversion), protection, method, protectors, ..ON };
                    let state = State::of(&Volume::find(&mut machine(&case), "C:").unwrap().numbers());
                    let green = conversion == 1 && protection == 1 && !protectors.is_empty() && matches!(method, 5 | 6);
                    assert_eq!(state.judged().verdict == Verdict::Protected, green, "{state:?}");
                    if (2..=5).contains(&conversion) {
                        assert_eq!(state.judged().verdict, Verdict::Converting);
                    }
                    if let State::Protected { cipher, pin_worthless, .. } = state {
                        assert_eq!(cipher == Cipher::Hardware, method == 5);
                        assert_eq!(pin_worthless, protectors == [1, 3, 4]);
                    }
                }
            }
        }
    }
}

/// Policy wants another strength than the volume has: it stays encrypted and protected.
#[test]
fn another_strength_than_the_policy_wants_is_still_protected() {
    let mut machine = machine(&Case { method: 7, protectors: &[3, 3], ..ON });
    machine.policies.insert((bitlocker::Place::Software, "EncryptionMethodWithXtsOs".into()), 6);
    assert_eq!(check(&mut machine, "C:", Wish::default()).unwrap().state.judged().verdict, Verdict::Protected);
}

/// A volume without a letter is found by its ID; an empty recovery password is a failed read.
#[test]
fn no_letter_and_an_empty_recovery_password() {
    let mut machine = machine(&ON);
    machine.rows[0].letter = None;
    let id = machine.rows[0].id.clone();
    machine.note(
        &id,
        "GetKeyProtectorNumericalPassword",
        Reply::new(Code::OK).with("NumericalPassword", Value::text("")),
    );
    let mut volume = Volume::find(&mut machine, &id).unwrap();
    assert_eq!(volume.recovery_password("{1}"), Err(bitlocker::Error::BadRecoveryPassword));
    let folder = tempfile::tempdir().unwrap();
    let words = bitlocker::keys::SheetWords::default();
    let saved = bitlocker::keys::save(
        &mut volume,
        "{1}",
        folder.path(),
        recovery::SameDrive::No,
        &words,
        &mut recovery::System,
    );
    assert!(saved.is_err() && std::fs::read_dir(folder.path()).unwrap().count() == 0, "no empty key file");
}

#[test]
fn without_rights_nothing_is_guessed() {
    let mut machine = machine(&BASE);
    machine.no_rights = true;
    assert_eq!(machine.volumes(), Err(bitlocker::Error::NoRights));
    assert!(matches!(check(&mut machine, "C:", Wish::default()), Err(bitlocker::Error::NoRights)));
}

/// Every code of Windows has a sentence, and those of the TPM are not those of BitLocker.
#[test]
fn every_code_has_a_sentence() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/status/fve_codes.txt");
    let Ok(list) = std::fs::read_to_string(&path) else { return eprintln!("left out: {} is not here", path.display()) };
    for line in list.lines().filter(|line| line.starts_with("0x8031")) {
        let number = u32::from_str_radix(&line[2..10], 16).unwrap();
        let sentence = Code(number).sentence();
        assert!(sentence.starts_with("bitlocker-") && sentence != "bitlocker-no-tpm", "{line}");
    }
    assert_eq!(Code(0x8028_400F).sentence(), "bitlocker-no-tpm");
}

/// 05: a TPM and nothing else. There is no recovery password to be saved, and the protector's ID is none.
#[test]
fn recording_05_has_no_key_to_save() {
    let mut machine = machine(&Case { protectors: &[1], ..ON });
    let state = State::of(&Volume::find(&mut machine, "C:").unwrap().numbers());
    assert_eq!((state.step(), state.judged().verdict), (Step::SaveKey, Verdict::Protected));
    let (folder, words) = (tempfile::tempdir().unwrap(), bitlocker::keys::SheetWords::default());
    let mut same = |_: &str| recovery::SameDrive::No;
    let all = bitlocker::keys::save_all(&mut machine, folder.path(), &mut same, &words, &mut recovery::System);
    assert!(all.unwrap().is_empty() && std::fs::read_dir(folder.path()).unwrap().count() == 0);
    assert!(bitlocker::keys::Sheet::read(b"{11111111-1111-4111-8111-111111111111}").is_err());
}

/// 18: BitLocker does not know the volume: that is not "decrypted".
#[test]
fn recording_18_is_not_there() {
    let mut machine = machine(&BASE);
    assert!(matches!(check(&mut machine, "D:", Wish::default()), Err(bitlocker::Error::NotThere)));
}

/// 26: by the drive. 27: on the way back, 27.1 % are still encrypted.
#[test]
fn recordings_26_and_27() {
    let mut hardware = machine(&Case { method: 5, ..ON });
    let state = State::of(&Volume::find(&mut hardware, "C:").unwrap().numbers());
    assert!(matches!(state, State::Protected { cipher: Cipher::Hardware, .. }));
    let back = Case { conversion: Some(3), share: 271_000, method: 6, protectors: &[3], ..BASE };
    let state = State::of(&Volume::find(&mut machine(&back), "C:").unwrap().numbers());
    assert_eq!(state, State::Converting { encrypting: false, paused: false, share: Some(271_000) });
    assert_eq!((state.judged().verdict, state.step()), (Verdict::Converting, Step::Wait));
}
