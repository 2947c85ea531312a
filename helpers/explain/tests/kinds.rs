//! More of each kind than was recorded: languages, damage, stacks, contradictions, and the conditions of
//! public reports in which a tool showed a wrong status.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use common::{only, told, verdict_on};
use model::Verdict::{self, Converting, Locked, NotProtected, PartlyProtected, Protected, Suspended, Unknown};

/// The words of a language: header, kind, labels in order, and values.
struct Words {
    tag: &'static str,
    header: &'static str,
    os: &'static str,
    labels: [&'static str; 9],
    decrypted: &'static str,
    used: &'static str,
    encrypting: &'static str,
    none: &'static str,
    on: &'static str,
    off: &'static str,
    unlocked: &'static str,
    unknown: &'static str,
    number: &'static str,
}

#[rustfmt::skip]
const LANGUAGES: &[Words] = &[
    Words { tag: "en", header: "Volume C: [X]", os: "OS Volume", labels: ["Size", "BitLocker Version", "Conversion Status", "Percentage Encrypted", "Encryption Method", "Protection Status", "Lock Status", "Identification Field", "Key Protectors"],
        decrypted: "Fully Decrypted", used: "Used Space Only Encrypted", encrypting: "Encryption in Progress", none: "None", on: "Protection On", off: "Protection Off", unlocked: "Unlocked", unknown: "Unknown", number: "Numerical Password" },
    Words { tag: "de", header: "Volume \"C:\" [X]", os: "Betriebssystemvolume", labels: ["Größe", "BitLocker-Version", "Konvertierungsstatus", "Verschlüsselt (Prozent)", "Verschlüsselungsmethode", "Schutzstatus", "Sperrungsstatus", "ID-Feld", "Schlüsselschutzvorrichtungen"],
        decrypted: "Vollständig entschlüsselt", used: "Nur verwendeter Speicherplatz ist verschlüsselt", encrypting: "Verschlüsselung wird durchgeführt", none: "Kein", on: "Der Schutz ist aktiviert.", off: "Der Schutz ist deaktiviert.", unlocked: "Entsperrt", unknown: "Unbekannt", number: "Numerisches Kennwort" },
    Words { tag: "fr", header: "Volume C: [X]", os: "Volume du système d’exploitation", labels: ["Taille ", "Version de BitLocker ", "État de la conversion ", "Pourcentage chiffré ", "Méthode de chiffrement ", "État de la protection\u{a0}", "État du verrouillage ", "Champ d’identification ", "Protecteurs de clés "],
        decrypted: "Intégralement déchiffré", used: "Espace utilisé uniquement chiffré", encrypting: "Chiffrement en cours", none: "Aucun", on: "Protection activée", off: "Protection désactivée", unlocked: "Déverrouillé", unknown: "Inconnu", number: "Mot de passe numérique" },
    Words { tag: "es", header: "Volumen C: [X]", os: "Volumen del sistema operativo", labels: ["Tamaño", "Versión de BitLocker", "Estado de conversión", "Porcentaje cifrado", "Método de cifrado", "Estado de protección", "Estado de bloqueo", "Campo de identificación", "Protectores de clave"],
        decrypted: "Descifrado completo", used: "Cifrado solo de espacio usado", encrypting: "Cifrado en curso", none: "Ninguno", on: "Protección activada", off: "Protección desactivada", unlocked: "Desbloqueado", unknown: "Desconocido", number: "Contraseña numérica" },
    Words { tag: "ja", header: "ボリューム C: [X]", os: "OS ボリューム", labels: ["サイズ", "BitLocker のバージョン", "変換状態", "暗号化された割合", "暗号化の方法", "保護状態", "ロック状態", "識別子フィールド", "キーの保護機能"],
        decrypted: "暗号化は完全に解除されています", used: "使用領域のみ暗号化", encrypting: "暗号化を実行中です", none: "なし", on: "保護はオンです", off: "保護はオフです", unlocked: "ロック解除", unknown: "不明", number: "数字パスワード" },
    Words { tag: "ko", header: "C: 볼륨 [X]", os: "OS 볼륨", labels: ["크기", "BitLocker 버전", "변환 상태", "암호화된 비율", "암호화 방법", "보호 상태", "잠금 상태", "ID 필드", "키 보호기"],
        decrypted: "완전 암호 해독됨", used: "사용된 공간만 암호화됨", encrypting: "암호화 진행 중", none: "없음", on: "보호 설정", off: "보호 해제", unlocked: "잠금 해제됨", unknown: "알 수 없음", number: "숫자 암호" },
    Words { tag: "ru", header: "Том C: [X]", os: "Том с операционной системой", labels: ["Размер", "Версия BitLocker", "Состояние преобразования", "Зашифровано (процентов)", "Метод шифрования", "Состояние защиты", "Состояние блокировки", "Поле идентификации", "Предохранители ключа"],
        decrypted: "Полностью расшифровано", used: "Зашифровано только занятое место", encrypting: "Выполняется шифрование", none: "Нет", on: "Защита включена", off: "Защита отключена", unlocked: "Разблокировка", unknown: "Неизвестный", number: "Цифровой пароль" },
    Words { tag: "zh-CN", header: "卷 C: [X]", os: "OS 卷", labels: ["大小", "BitLocker 版本", "转换状态", "已加密百分比", "加密方法", "保护状态", "锁定状态", "标识字段", "密钥保护器"],
        decrypted: "完全解密", used: "仅加密了已用空间", encrypting: "加密进行中", none: "无", on: "保护已启用", off: "保护关闭", unlocked: "已解锁", unknown: "未知", number: "数字密码" },
    Words { tag: "zh-TW", header: "磁碟區 C: [X]", os: "OS 磁碟區", labels: ["大小", "BitLocker 版本", "轉換狀態", "已加密百分比", "加密方法", "保護狀態", "鎖定狀態", "識別欄位", "金鑰保護裝置"],
        decrypted: "完全解密", used: "僅已使用空間加密", encrypting: "加密進行中", none: "無", on: "保護開啟", off: "保護關閉", unlocked: "已解除鎖定", unknown: "未知", number: "數字密碼" },
    Words { tag: "pt", header: "Volume C: [X]", os: "Volume do SO", labels: ["Tamanho", "Versão do BitLocker", "Status da Conversão", "Porcentagem Criptografada", "Método de Criptografia", "Status da Proteção", "Status do Bloqueio", "Campo de Identificação", "Protetores de Chave"],
        decrypted: "Totalmente Descriptografado", used: "Somente Espaço Usado Criptografado", encrypting: "Criptografia em Andamento", none: "Nenhum", on: "Proteção Ativada", off: "Proteção Desativada", unlocked: "Desbloqueado", unknown: "Desconhecido", number: "Senha Numérica" },
    Words { tag: "it", header: "Volume C: [X]", os: "Volume del sistema operativo", labels: ["Dimensioni", "Versione BitLocker", "Stato conversione", "Percentuale crittografata", "Metodo crittografia", "Stato protezione", "Stato blocco", "Campo identificazione", "Protezioni con chiave"],
        decrypted: "Completamente decrittografato", used: "Solo spazio utilizzato crittografato", encrypting: "Crittografia in corso", none: "Nessuno", on: "Protezione attivata", off: "Protezione disattivata", unlocked: "Sbloccato", unknown: "Sconosciuto", number: "Password numerica" },
    Words { tag: "pl", header: "Wolumin C: [X]", os: "Wolumin systemu operacyjnego", labels: ["Rozmiar", "Wersja funkcji BitLocker", "Stan konwersji", "Procent zaszyfrowania", "Metoda szyfrowania", "Stan ochrony", "Stan blokady", "Pole identyfikacji", "Funkcje ochrony klucza"],
        decrypted: "W pełni odszyfrowany", used: "Zaszyfrowano tylko używane miejsce", encrypting: "Szyfrowanie w toku", none: "Brak", on: "Ochrona włączona", off: "Ochrona wyłączona", unlocked: "Odblokowany", unknown: "Nieznane", number: "Hasło numeryczne" },
    Words { tag: "nl", header: "Volume C: [X]", os: "Besturingssysteemvolume", labels: ["Grootte", "BitLocker-versie", "Conversiestatus", "Percentage versleuteld", "Versleutelingsmethode", "Beveiligingsstatus", "Vergrendelingsstatus", "Identificatieveld", "Sleutelbeveiligers"],
        decrypted: "Volledig ontsleuteld", used: "Alleen gebruikte ruimte versleuteld", encrypting: "Versleuteling wordt uitgevoerd", none: "Geen", on: "Beveiliging ingeschakeld", off: "Beveiliging uitgeschakeld", unlocked: "Ontgrendeld", unknown: "Onbekend", number: "Numeriek wachtwoord" },
];

impl Words {
    fn block(&self, conversion: &str, percent: &str, method: &str, protection: &str, protectors: &str) -> String {
        let version = if method == self.none { self.none } else { "2.0" };
        let values = ["49,36 GB", version, conversion, percent, method, protection, self.unlocked, self.unknown];
        let mut text = format!("{}\n[{}]\n\n", self.header, self.os);
        for (label, value) in self.labels.iter().zip(values) {
            text += &format!("    {label}:   {value}\n");
        }
        text + &format!("    {}:{protectors}\n", self.labels[8])
    }

    fn states(&self) -> Vec<(String, Verdict)> {
        let list = format!("\n        TPM\n        {}", self.number);
        let none = format!("   {}", self.none);
        vec![
            (self.block(self.decrypted, "0,0 %", self.none, self.off, &none), NotProtected),
            (self.block(self.used, "100.0%", "XTS-AES 128", self.on, &list), Protected),
            (self.block(self.used, "100,0%", "XTS-AES 256", self.off, &list), Suspended),
            (self.block(self.used, "100,0%", "XTS-AES 128", self.off, &none), Suspended),
            (self.block(self.encrypting, "3,5 %", "XTS-AES 128", self.off, &list), Converting),
            // The percentage is there before the state is.
            (self.block(self.encrypting, "100,0 %", "XTS-AES 128", self.on, &list), Converting),
            // Contradictions.
            (self.block(self.decrypted, "57,0 %", self.none, self.off, &none), Unknown),
            (self.block(self.decrypted, "0,0 %", self.none, self.on, &none), Unknown),
            (self.block(self.used, "57,0%", "XTS-AES 128", self.on, &list), Unknown),
            (self.block(self.used, "100,0%", self.none, self.on, &list), Unknown),
            (self.block(self.used, "100,0%", "XTS-AES 128", self.on, &none), Unknown),
            (self.block(self.unknown, "100,0%", "XTS-AES 128", self.on, &list), Unknown),
            (self.block("Xyzzy", "100,0%", "XTS-AES 128", self.on, &list), Unknown),
            (self.block(self.used, "100,0%", "XTS-AES 128", "Xyzzy", &list), Unknown),
        ]
    }
}

#[test]
fn every_state_in_every_language() {
    for words in LANGUAGES {
        for (text, expected) in words.states() {
            let item = only(&text);
            assert_eq!(
                (item.subject.as_str(), item.verdict()),
                ("C:", expected),
                "{}: {} {text}",
                words.tag,
                item.judged.reason.code
            );
            if expected == Protected {
                assert_eq!(item.facts["protectors"], "tpm,numerical_password", "{}", words.tag);
                assert_eq!(item.facts["volume"], "os", "{}", words.tag);
            }
        }
    }
}

/// Code pages and consoles: the Latin languages keep their verdict when every letter with a mark was
/// lost; the others become unknown, or are told by the layout, and never something else.
#[test]
fn damage_by_code_pages() {
    for words in LANGUAGES {
        for (text, expected) in words.states() {
            for damage in ['?', '\u{fffd}'] {
                let damaged: String = text.chars().map(|sign| if sign.is_ascii() { sign } else { damage }).collect();
                let items = explain::explain("damaged", damaged.as_bytes());
                for item in &items {
                    assert!(
                        item.verdict() == expected
                            || item.verdict() == Unknown
                            || expected == Unknown && item.verdict() != Protected,
                        "{}: {:?}, not {expected:?}\n{damaged}",
                        words.tag,
                        item.verdict()
                    );
                }
                if matches!(words.tag, "en" | "de" | "fr" | "es" | "pt" | "it" | "nl") {
                    assert_eq!(items[0].verdict(), expected, "{}\n{damaged}", words.tag);
                }
            }
        }
    }
}

#[test]
fn other_code_pages_are_found() {
    use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, IBM866, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
    let encodings: &[(&str, &'static Encoding)] = &[
        ("de", WINDOWS_1252),
        ("fr", WINDOWS_1252),
        ("es", WINDOWS_1252),
        ("ja", SHIFT_JIS),
        ("ko", EUC_KR),
        ("ru", IBM866),
        ("ru", WINDOWS_1251),
        ("zh-CN", GBK),
        ("zh-TW", BIG5),
        ("en", UTF_8),
    ];
    for (tag, encoding) in encodings {
        let words = LANGUAGES.iter().find(|words| words.tag == *tag).unwrap();
        for (text, expected) in words.states() {
            let bytes = encoding.encode(&text).0;
            let items = explain::explain("encoded", &bytes);
            assert_eq!(items[0].verdict(), expected, "{tag} {} {items:?}", encoding.name());
        }
        // UTF-8 that was read as Windows-1252 and saved again.
        let plain = words.states().swap_remove(0).0;
        let twice = WINDOWS_1252.decode(plain.as_bytes()).0.into_owned();
        assert_eq!(explain::explain("twice", twice.as_bytes())[0].verdict(), NotProtected, "{tag}");
        let utf16: Vec<u8> = words.states()[1].0.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(explain::explain("utf-16", &utf16)[0].verdict(), Protected, "{tag}");
    }
}

#[test]
fn words_that_windows_does_not_print() {
    let english = &LANGUAGES[0];
    let (protected, _) = english.states().swap_remove(1);
    for (from, to) in [
        ("Lock Status", "Lock State"),
        ("Key Protectors", "Protections"),
        ("[OS Volume]", "[Betriebssystemvolume]"),
        ("Protection Status", "Schutzstatus"),
        ("Size", "Taille"),
    ] {
        let text = protected.replace(from, to);
        assert_ne!(text, protected);
        for item in explain::explain("drift", text.as_bytes()) {
            assert_eq!(item.verdict(), Unknown, "{to}: {item:?}");
        }
    }
    // A language without words here: the layout tells a plain volume, and nothing else.
    let swedish = "Volym C: [X]\n[OS-volym]\n\n    Storlek:  49,36 GB\n    BitLocker-version:  Ingen\n    Konverteringsstatus:  Helt dekrypterad\n    Procent krypterat:  0,0%\n    Krypteringsmetod:  Ingen\n    Skyddsstatus:  Skydd av\n    Låsstatus:  Upplåst\n    ID-fält:  Ingen\n    Nyckelskydd:  Inga hittades\n";
    assert_eq!(only(swedish).verdict(), NotProtected);
    let encrypted = swedish.replace("0,0%", "100,0%").replace("Ingen\n    Skydd", "XTS-AES 128\n    Skydd");
    assert_eq!(only(&encrypted).verdict(), Unknown);
}

#[test]
fn several_volumes_and_tools_in_one_file() {
    let english = LANGUAGES[0].states();
    let german = LANGUAGES[1].states();
    let text = format!(
        "PS C:\\> manage-bde -status\n{}\n{}\nVolume \\\\?\\Volume{{11111111-0000-0000-0000-100000000000}}\\ []\n[Data Volume]\n\n    Size:  0.1 GB\n\nFileVault is Off.\n/dev/sda1: UUID=\"x\" TYPE=\"ext4\"\n",
        english[1].0.replace("C:", "D:"),
        german[0].0,
    );
    assert_eq!(verdict_on(&text, "D:"), Protected);
    assert_eq!(verdict_on(&text, "C:"), NotProtected);
    assert_eq!(verdict_on(&text, r"\\?\Volume{11111111-0000-0000-0000-100000000000}\"), Unknown);
    assert_eq!(verdict_on(&text, "FileVault"), NotProtected);
    assert_eq!(verdict_on(&text, "/dev/sda1"), NotProtected);
}

#[test]
fn two_tools_that_contradict_each_other() {
    let list = "MountPoint : C:\nEncryptionMethod : XtsAes128\nVolumeStatus : FullyEncrypted\nProtectionStatus : STATE\nEncryptionPercentage : 100\nKeyProtector : {Tpm}\n";
    for (state, expected) in [("On", Protected), ("Off", Unknown)] {
        let text = format!("{}\n\n{}", LANGUAGES[1].states()[1].0, list.replace("STATE", state));
        let items = explain::explain("x", text.as_bytes());
        assert_eq!(items.len(), 2);
        assert!(items.iter().all(|item| item.verdict() == expected), "{items:?}");
    }
}

#[test]
fn windows_objects() {
    let list = |status: &str, protection: &str, lock: &str, percent: &str, protectors: &str| {
        format!(
            "ComputerName         : X\nMountPoint           : D:\nEncryptionMethod     : XtsAes256\nVolumeStatus         : {status}\nProtectionStatus     : {protection}\nLockStatus           : {lock}\nEncryptionPercentage : {percent}\nVolumeType           : Data\nKeyProtector         : {{{protectors}}}\n"
        )
    };
    for (text, expected) in [
        (list("FullyEncrypted", "On", "Unlocked", "100", "Tpm, RecoveryPassword"), Protected),
        (list("FullyEncrypted", "Off", "Unlocked", "100", "Tpm, RecoveryPassword"), Suspended),
        (list("FullyEncrypted", "Off", "Unlocked", "100", ""), Suspended),
        (list("EncryptionInProgress", "Off", "Unlocked", "40", "Tpm"), Converting),
        (list("EncryptionSuspended", "Off", "Unlocked", "40", "Tpm"), Converting),
        (list("DecryptionInProgress", "Off", "Unlocked", "40", "Tpm"), Converting),
        (list("FullyDecrypted", "Off", "Unlocked", "0", ""), NotProtected),
        (list("FullyDecrypted", "On", "Unlocked", "0", ""), Unknown),
        (list("", "Unknown", "Locked", "", "RecoveryPassword"), Locked),
        (list("SomethingNew", "On", "Unlocked", "100", "Tpm"), Unknown),
    ] {
        assert_eq!(only(&text).verdict(), expected, "{text}");
    }
    let table = "   ComputerName: X\n\nVolumeType      Mount CapacityGB VolumeStatus           Encryption KeyProtector              AutoUnlock Protection\n                Point                                   Percentage                           Enabled    Status\n----------      ----- ---------- ------------           ---------- ------------              ---------- ----------\nOperatingSystem C:        475,31 FullyEncrypted         100        {Tpm, RecoveryPassword}              On\nData            D:        931,51 FullyDecrypted         0          {}                                   Off\nData            E:        931,51 FullyEncrypted         100        {RecoveryPassword, Pas...}           Off\n";
    assert_eq!(verdict_on(table, "C:"), Protected);
    assert_eq!(verdict_on(table, "D:"), NotProtected);
    assert_eq!(verdict_on(table, "E:"), Suspended);
}

/// Numbers of WMI, also without a letter, with three kinds of protectors, and closed.
#[test]
fn wmi_numbers() {
    let object = |letter: &str, conversion: &str, method: &str, ready: &str, protection: &str| {
        format!(
            "__CLASS : Win32_EncryptableVolume\nConversionStatus : {conversion}\nDeviceID : \\\\?\\Volume{{1}}\\\nDriveLetter : {letter}\nEncryptionMethod : {method}\nIsVolumeInitializedForProtection : {ready}\nPersistentVolumeID :\nProtectionStatus : {protection}\nVolumeType : 1\n"
        )
    };
    for (text, subject, expected) in [
        (object("D:", "1", "7", "True", "1"), "D:", Protected),
        (object("D:", "1", "7", "True", "0"), "D:", Suspended),
        (object("D:", "1", "7", "False", "0"), "D:", Suspended),
        (object("D:", "1", "7", "False", "1"), "D:", Unknown),
        (object("D:", "2", "7", "True", "0"), "D:", Converting),
        (object("D:", "4", "7", "True", "0"), "D:", Converting),
        (object("D:", "0", "0", "False", "0"), "D:", NotProtected),
        (object("", "0", "0", "False", "0"), r"\\?\Volume{1}\", NotProtected),
        (object("E:", "1", "5", "True", "1"), "E:", Protected),
        (object("E:", "", "", "", "2"), "E:", Locked),
        (object("E:", "9", "7", "True", "1"), "E:", Unknown),
    ] {
        assert_eq!(verdict_on(&text, subject), expected, "{text}");
        // `wmic /format:list`
        assert_eq!(verdict_on(&text.replace(" : ", "=").replace(" :\n", "=\n"), subject), expected, "{text}");
    }
    assert_eq!(
        verdict_on(
            r#"{"system": {"volumes": {"C": {"volumeStatus": "FullyEncrypted", "protectionStatus": "On", "encryptionMethod": "XtsAes128", "recoveryPassword": ""}}}}"#,
            "C:"
        ),
        Protected
    );
    assert_eq!(
        verdict_on(
            r#"[{"drive_letter": "C:", "conversion_status": "1", "protection_status": "0", "encryption_method": "XTS_AES_128", "percentage_encrypted": "100"}]"#,
            "C:"
        ),
        Suspended
    );
    assert_eq!(
        verdict_on(
            r#"[{"MountPoint": "C:", "VolumeStatus": 2, "ProtectionStatus": 0, "EncryptionMethod": 6, "EncryptionPercentage": 40}]"#,
            "C:"
        ),
        Converting
    );
}

#[test]
fn filevault() {
    for (text, expected) in [
        ("FileVault is On.", Protected),
        ("FileVault is Off.", NotProtected),
        ("FileVault is Off, but will be enabled after the next restart.", NotProtected),
        ("FileVault is On.\nEncryption in progress: Percent completed = 42", Converting),
        ("Encryption in progress: Pending", Converting),
        ("FileVault is Off.\nDecryption in progress: Percent completed = 42", Converting),
        ("FileVault is Off.\nDeferred enablement appears to be active for user 'x'.", NotProtected),
        ("FileVault is On.\nFileVault master keychain appears to be installed.", Protected),
        ("FileVault is Maybe.", Unknown),
        ("Error: this command is not available.", Unknown),
    ] {
        let items = explain::explain("x", text.as_bytes());
        assert_eq!((items.len(), items[0].verdict()), (1, expected), "{text}");
    }
    let list = |filevault: &str| {
        format!(
            "APFS Container (1 found)\n|\n+-- Container disk1\n    |\n    +-> Volume disk1s1 AAAA\n    |   -----\n    |   APFS Volume Disk (Role):   disk1s1 (No specific role)\n    |   Name:                      Macintosh HD (Case-insensitive)\n    |   Mount Point:               /\n    |   FileVault:                 {filevault}\n"
        )
    };
    for (value, expected) in [
        ("Yes (Unlocked)", Protected),
        ("Yes (Locked)", Locked),
        ("No", NotProtected),
        ("No (Encrypted at rest)", NotProtected),
        ("Yes", Unknown),
        ("Yes (Something)", Unknown),
        ("", Unknown),
    ] {
        assert_eq!(verdict_on(&list(value), "disk1s1"), expected, "{value}");
    }
    let plist =
        |members: &str| format!("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>{members}</dict>\n</plist>\n");
    for (members, subject, expected) in [
        ("<key>Error</key><true/><key>ErrorMessage</key><string>x</string>", "diskutil", Unknown),
        (
            "<key>DeviceIdentifier</key><string>disk1s1</string><key>FilesystemType</key><string>apfs</string>",
            "disk1s1",
            Unknown,
        ),
        (
            "<key>DeviceIdentifier</key><string>disk1s1</string><key>FileVault</key><false/><key>Locked</key><false/>",
            "disk1s1",
            NotProtected,
        ),
        (
            "<key>DeviceIdentifier</key><string>disk2</string><key>FilesystemType</key><string>hfs</string><key>CoreStorageRole</key><string>LV</string>",
            "disk2",
            Unknown,
        ),
        (
            "<key>Containers</key><array><dict><key>Volumes</key><array><dict><key>DeviceIdentifier</key><string>disk1s5</string><key>FileVault</key><true/><key>Locked</key><true/></dict></array></dict></array>",
            "disk1s5",
            Locked,
        ),
        (
            "<key>Containers</key><array><dict><key>Volumes</key><array><dict><key>DeviceIdentifier</key><string>disk1s5</string><key>FileVault</key><true/><key>Locked</key><false/><key>CryptoMigrationOn</key><true/></dict></array></dict></array>",
            "disk1s5",
            Converting,
        ),
    ] {
        assert_eq!(verdict_on(&plist(members), subject), expected, "{members}");
    }
    assert_eq!(only("<plist version=\"1.0\"><dict><key>Containers</key>").verdict(), Unknown);
    // The coprocessor's volume says "FileVault" on every Mac.
    let xart = plist(
        "<key>Containers</key><array><dict><key>Volumes</key><array><dict><key>DeviceIdentifier</key><string>disk2s1</string><key>Name</key><string>xART</string><key>FileVault</key><true/><key>Locked</key><false/><key>Roles</key><array><string>xART</string></array></dict></array></dict></array>",
    );
    assert_eq!(only(&xart).verdict(), Unknown);
}

#[test]
fn stacks_of_lsblk() {
    let tree = "NAME                MAJ:MIN RM   SIZE RO TYPE  FSTYPE            MOUNTPOINTS\n\
        sda                   8:0    0 100.0G  0 disk                    \n\
        ├─sda1                8:1    0     1G  0 part  vfat              /boot/efi\n\
        ├─sda2                8:2    0    50G  0 part  crypto_LUKS       \n\
        │ └─luks-a          253:0    0    50G  0 crypt LVM2_member       \n\
        │   ├─vg-root       253:1    0    30G  0 lvm   ext4              /\n\
        │   └─vg-mixed      253:3    0    30G  0 lvm   xfs               /mixed\n\
        ├─sda3                8:3    0    10G  0 part  swap              [SWAP]\n\
        ├─sda4                8:4    0    10G  0 part  linux_raid_member \n\
        │ └─md0               9:0    0    10G  0 raid1                   \n\
        │   └─secret        253:2    0    10G  0 crypt ext4              /secret\n\
        │                                                                /also here\n\
        ├─sda5                8:5    0    10G  0 part  BitLocker         \n\
        └─sda6                8:6    0    10G  0 part                    \n\
        sdb                   8:16   0 100.0G  0 disk  LVM2_member       \n\
        └─vg-mixed          253:3    0    30G  0 lvm   xfs               /mixed\n\
        sdc                   8:32   0 100.0G  0 disk  zfs_member        /pool\n\
        zram0               252:0    0     4G  0 disk                    [SWAP]\n";
    for (subject, expected) in [
        ("/boot/efi", NotProtected),
        ("/", Protected),
        ("/mixed", PartlyProtected),
        ("/secret", Protected),
        ("/also here", Protected),
        ("[SWAP]", NotProtected),
        ("/dev/sda2", Protected),
        ("/dev/sda5", Locked),
        ("/dev/sda6", Unknown),
        ("/pool", Unknown),
    ] {
        assert_eq!(verdict_on(tree, subject), expected, "{subject}");
        let ascii = tree.replace("├─", "|-").replace("└─", "`-").replace('│', "|");
        assert_eq!(verdict_on(&ascii, subject), expected, "{subject}");
    }
    let pairs = "NAME=\"sda2\" TYPE=\"part\" FSTYPE=\"crypto_LUKS\" MOUNTPOINT=\"\" PKNAME=\"sda\"\nNAME=\"luks-a\" TYPE=\"crypt\" FSTYPE=\"ext4\" MOUNTPOINT=\"/\" PKNAME=\"sda2\"\nNAME=\"sda3\" TYPE=\"part\" FSTYPE=\"ext4\" MOUNTPOINT=\"/home\" PKNAME=\"sda\"\n";
    assert_eq!(verdict_on(pairs, "/"), Protected);
    assert_eq!(verdict_on(pairs, "/home"), NotProtected);
    let json = |key: &str, value: &str| {
        format!(
            r#"{{"blockdevices": [{{"name":"sda", "type":"disk", "fstype":null, "children": [{{"name":"sda1", "type":"part", "fstype":"crypto_LUKS", "{key}":null, "children":[{{"name":"x", "type":"crypt", "fstype":"btrfs", "{key}":{value}}}]}}, {{"name":"sda2", "type":"part", "fstype":"ext4", "{key}":{}}}]}}]}}"#,
            value.replace('/', "/boot")
        )
    };
    for text in [json("mountpoint", "\"/\""), json("mountpoints", "[null, \"/\"]")] {
        assert_eq!(verdict_on(&text, "/"), Protected, "{text}");
        assert_eq!(verdict_on(&text, "/boot"), NotProtected);
    }
}

#[test]
fn btrfs_over_two_devices_of_which_one_is_encrypted() {
    let text = "/dev/mapper/a: UUID=\"u\" UUID_SUB=\"1\" TYPE=\"btrfs\"\n/dev/sdb1: UUID=\"u\" UUID_SUB=\"2\" TYPE=\"btrfs\"\n/dev/sda1: UUID=\"l\" TYPE=\"crypto_LUKS\" VERSION=\"2\"\n\n$ dmsetup table\na: 0 100 crypt aes-xts-plain64 :64:logon:x 0 8:1 32768\n";
    let items = explain::explain("x", text.as_bytes());
    let pool = items.iter().find(|item| item.facts.contains_key("devices")).unwrap();
    assert_eq!(pool.verdict(), PartlyProtected, "{items:?}");
    assert_eq!(verdict_on(text, "/dev/sda1"), Protected);
    let array = "Personalities : [raid1]\nmd0 : active raid1 sdb1[1] sda1[0]\n/dev/md0: UUID=\"m\" TYPE=\"ext4\"\n";
    assert_eq!(verdict_on(array, "/dev/md0"), NotProtected);
    let plain_swap = "swap: 0 100 crypt aes-xts-plain64 0 0 8:2 0\n/dev/mapper/swap: UUID=\"s\" TYPE=\"swap\"\n/dev/sda2: PARTUUID=\"p\"\n";
    assert_eq!(verdict_on(plain_swap, "/dev/mapper/swap"), Protected);
    let null = plain_swap.replace("aes-xts-plain64", "cipher_null-ecb");
    assert_eq!(verdict_on(&null, "/dev/mapper/swap"), NotProtected);
}

#[test]
fn luks_headers() {
    let text = "LUKS header information\nVersion:       \t2\nUUID:          \tu\nRequirements:  \tREQ\n\nData segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\tcipher: aes-xts-plain64\n\tsector: 512 [bytes]\n\nKeyslots:\n  0: luks2\n\tKey:        512 bits\nTokens:\nDigests:\n";
    for (from, to, expected) in [
        ("Requirements:  \tREQ\n", "", Protected),
        ("REQ", "online-reencrypt-v2", Converting),
        ("REQ", "something-of-tomorrow", Unknown),
        ("REQ\n\nData segments:\n  0: crypt", "\n\nData segments:\n  0: linear", Converting),
        (
            "Requirements:  \tREQ\n\nData segments:\n  0: crypt\n\toffset: 16777216",
            "Data segments:\n  0: crypt\n\toffset: 0",
            Protected,
        ),
        (
            "REQ\n\nData segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\tcipher: aes-xts-plain64",
            "opal\n\nData segments:\n  0: hw-opal\n\toffset: 16777216 [bytes]\n\tlength: 100",
            Protected,
        ),
        (
            "REQ\n\nData segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\tcipher: aes-xts-plain64",
            "\n\nData segments:\n  0: crypt\n\toffset: 16777216 [bytes]\n\tlength: (whole device)\n\tcipher: cipher_null-ecb",
            NotProtected,
        ),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        assert_eq!(only(&changed).verdict(), expected, "{changed}");
    }
    // A header in a file of its own.
    let detached = text.replace("Requirements:  \tREQ\n", "").replace("offset: 16777216", "offset: 0");
    assert_eq!(only(&detached).judged.reason.code, "luks-header-only");
    // Cut off anywhere, it is green only from where a keyslot stands.
    let whole = text.replace("Requirements:  \tREQ\n", "");
    let green = whole.find("  0: luks2").unwrap();
    for end in 0..whole.len() {
        let items = explain::explain("x", &whole.as_bytes()[..end]);
        assert!(end > green || items.iter().all(|item| item.verdict() != Protected), "{end}");
    }
    let luks1 = |slots: &str| {
        format!(
            "LUKS header information for /dev/sdb1\n\nVersion:       \t1\nCipher name:   \taes\nCipher mode:   \txts-plain64\nPayload offset:\t4096\nUUID: u\n\n{slots}"
        )
    };
    let free: String = (0..8).map(|slot| format!("Key Slot {slot}: DISABLED\n")).collect();
    assert_eq!(only(&luks1(&free)).verdict(), Unknown);
    assert_eq!(only(&luks1(&free.replacen("DISABLED", "ENABLED", 1))).verdict(), Protected);
    assert_eq!(
        only(&luks1(&free.replacen("DISABLED", "ENABLED", 1)).replace("\taes", "\tcipher_null")).verdict(),
        NotProtected
    );
    let json = |requirement: &str| {
        format!(
            r#"{{"keyslots":{{"0":{{"type":"luks2"}}}},"segments":{{"0":{{"type":"crypt","encryption":"aes-xts-plain64","offset":"16777216"}}}},"config":{{{requirement}}}}}"#
        )
    };
    assert_eq!(only(&json("")).verdict(), Protected);
    assert_eq!(only(&json(r#""requirements":{"mandatory":["online-reencrypt-v2"]}"#)).verdict(), Converting);
}

#[test]
fn what_is_left_of_an_older_encryption() {
    let text = "$ wipefs -n x.img\nDEVICE OFFSET TYPE UUID LABEL\nx.img 0x438 ext4 u\nx.img 0x4000 crypto_LUKS v\n";
    let item = only(text);
    assert_eq!((item.verdict(), item.judged.reason.code.as_str()), (NotProtected, "plain-leftover"));
    let both = "$ wipefs -n x.img\nDEVICE OFFSET TYPE UUID LABEL\nx.img 0x0 crypto_LUKS v\nx.img 0x438 ext4 u\n";
    assert_eq!(only(both).verdict(), Unknown);
}

#[test]
fn tools_of_drives() {
    let query = |values: &str| {
        format!(
            "\n/dev/nvme0n1 NVMe Samsung SSD 960 EVO 1TB 2B7QCXE7 S3\nTPer function (0x0001)\n    ACKNAK = N, ASYNC = N. BufferManagement = N, comIDManagement  = N, Streaming = Y, SYNC = Y\nLocking function (0x0002)\n    {values}\nGeometry function (0x0003)\n    Align = Y, Alignment Granularity = 8 (4096), Logical Block size = 512, Lowest Aligned LBA = 0\nOPAL 2.0 function (0x0203)\n    Base comID = 0x1004, Initial PIN = 0x0, Reverted PIN = 0x0, comIDs = 1\n    Locking Admins = 4, Locking Users = 9, Range Crossing = N\n"
        )
    };
    for (values, expected, action) in [
        (
            "Locked = Y, LockingEnabled = Y, LockingSupported = Y, MBRDone = N, MBREnabled = Y, MediaEncrypt = Y",
            Locked,
            "unlock_or_psid",
        ),
        (
            "Locked = N, LockingEnabled = Y, LockingSupported = Y, MBRDone = Y, MBREnabled = Y, MediaEncrypt = Y",
            Unknown,
            "manage",
        ),
        (
            "Locked = N, LockingEnabled = N, LockingSupported = Y, MBRDone = N, MBREnabled = N, MediaEncrypt = Y",
            NotProtected,
            "offer_hw",
        ),
        (
            "Locked = N, LockingEnabled = N, LockingSupported = Y, MBRDone = N, MBREnabled = N, MediaEncrypt = N",
            NotProtected,
            "software",
        ),
    ] {
        let item = only(&query(values));
        assert_eq!((item.verdict(), item.facts["action"].as_str()), (expected, action), "{values}");
        assert_eq!((item.facts["ssc"].as_str(), item.facts["comid"].as_str()), ("opal2", "0x1004"));
    }
    let nvme = "$ nvme sed discover /dev/nvme0n1\nLocking Features:\n\tLocking Supported:\tYes\n\tLocking Feature Enabled:\tYes\n\tLocked:\tYes\n\tMedia Encryption:\tYes\n\tMBR Enabled:\tNo\n";
    assert_eq!(verdict_on(nvme, "/dev/nvme0n1"), Locked);
    let hdparm = "/dev/sda:\n\nATA device, with non-removable media\n\tModel Number:       CT256MX100SSD1\n\tFirmware Revision:  MU01\nCommands/features:\n\t   *\tTrusted Computing feature set\nSecurity: \n\tMaster password revision code = 65534\n\t\tsupported\n\t\tenabled\n\t\tlocked\n\tnot\tfrozen\n\tnot\texpired: security count\nLogical Unit WWN Device Identifier: 5\n";
    let item = only(hdparm);
    assert_eq!(
        (item.verdict(), item.facts["action"].as_str(), item.facts["known_bad"].as_str()),
        (Locked, "unlock_ata_first", "yes")
    );
    let open = hdparm.replace("\t\tlocked", "\tnot\tlocked");
    assert_eq!(only(&open).facts["action"], "software");
}

/// The same bytes mean "no" on a direct way and nothing behind a bridge.
#[test]
fn zeros_and_ata_passwords() {
    let report = |interface: &str, rest: &str| format!("DRIVE: ACME\nFIRMWARE: 1\nINTERFACE: {interface}\n{rest}");
    let zeros = format!(
        "RAW LEVEL 0 DISCOVERY:\n{}",
        "0000: 00000000 00000000 00000000 00000000\n".replace("0000:", "").repeat(8)
    );
    let direct = only(&report("SATA", &zeros));
    assert_eq!((direct.facts["ssc"].as_str(), direct.facts["action"].as_str()), ("none", "software"));
    let bridge = only(&report("USB", &zeros));
    assert_eq!((bridge.facts["ssc"].as_str(), bridge.verdict()), ("unknown", Unknown));
    let closed = only(&report("SATA", "FEATURES:\nIDENTIFY word 128 = 0x0007\n"));
    assert_eq!((closed.facts["action"].as_str(), closed.facts["ata_locked"].as_str()), ("unlock_ata_first", "yes"));
}

/// One test for each public report of a wrong status that this command can meet.
#[test]
fn reports_of_wrong_status() {
    // 02: a plain TPM protector beside TPM+PIN takes the PIN's effect away.
    let both = LANGUAGES[0].states()[1].0.replace("Numerical Password", "Numerical Password\n        TPM And PIN");
    assert_eq!(only(&both).facts["pin_effective"], "no");
    assert_eq!(only(&both.replace("        TPM\n", "")).facts["pin_effective"], "yes");
    // 09: which cipher a policy wants is another matter.
    let strong = LANGUAGES[0].states()[1].0.replace("XTS-AES 128", "XTS-AES 256").replace("TPM", "Numerical Password");
    assert_eq!(only(&strong).verdict(), Protected);
    // 11: no drive letter.
    let unnamed = LANGUAGES[0].states()[1].0.replace("C:", r"\\?\Volume{aaaaaaaa-0000-0000-0000-100000000000}\");
    assert_eq!(only(&unnamed).verdict(), Protected);
    // 23: the tool for the older format fails, FileVault is on.
    let apple = "$ diskutil cs list\nNo CoreStorage logical volume groups found\n$ fdesetup status\nFileVault is On.\n";
    assert_eq!(only(apple).verdict(), Protected);
    // 24: asked for later, and off until then.
    let deferred = only("FileVault is Off.\nDeferred enablement appears to be active for user 'anna'.\n");
    assert_eq!((deferred.verdict(), deferred.facts["user"].as_str()), (NotProtected, "anna"));
    // 26, 30: LVM over one encrypted and one plain volume, the list in any order.
    let volumes = "vg-root: 0 100 linear 253:0 2048\nvg-root: 100 100 linear 8:16 2048\nluks: 0 200 crypt aes-xts-plain64 :64:logon:x 0 8:1 32768\nluks/253/0/1/CRYPT/CRYPT-LUKS2-x-luks\n/dev/mapper/vg-root: UUID=\"u\" TYPE=\"ext4\"\n/dev/sdb: UUID=\"p\" TYPE=\"LVM2_member\"\n/dev/sda1: UUID=\"l\" TYPE=\"crypto_LUKS\"\n";
    assert_eq!(verdict_on(volumes, "/dev/mapper/vg-root"), PartlyProtected);
    let members = "$ pvs\n  PV               VG Fmt  Attr PSize PFree\n  /dev/mapper/luks vg lvm2 a--  10g   0\n  /dev/sdb         vg lvm2 a--  10g   0\n\n$ lvs --reportformat json\n{\"report\": [{\"lv\": [{\"lv_name\":\"root\", \"vg_name\":\"vg\"}]}]}\n\n/dev/mapper/vg-root: UUID=\"u\" TYPE=\"ext4\"\nluks: 0 200 crypt aes-xts-plain64 :64:logon:x 0 8:1 32768\n";
    assert_eq!(verdict_on(members, "/dev/mapper/vg-root"), PartlyProtected);
    // 32: a folder that is encrypted file by file, on an encrypted volume.
    let folder = "NAME TYPE FSTYPE MOUNTPOINT\nsda  disk\n└─sda1 part crypto_LUKS\n  └─x crypt ext4 /\n\n/home/.ecryptfs/anna/.Private on /home/anna type ecryptfs (rw)\n";
    assert_eq!(verdict_on(folder, "/home/anna"), Protected);
    assert_eq!(verdict_on(&folder.replace("crypto_LUKS\n  └─x crypt ext4 /", "ext4 /"), "/home/anna"), PartlyProtected);
    // 35: Windows has taken the drive's lock and does not use it.
    let taken = "Locking function (0x0002)\n    Locked = N, LockingEnabled = Y, MBRDone = N, MBREnabled = N, MediaEncrypt = Y\nSingleUser function (0x0201)\n    ALL = N, ANY = Y, Policy = Y, Locking Objects = 9\nOPAL 2.0 function (0x0203)\n";
    assert_eq!(only(taken).facts["action"], "use_bitlocker_or_psid");
    assert_ne!(only(taken).verdict(), Protected);
    // 39: BitLocker on Linux is shown, and not taken for NTFS.
    assert_eq!(verdict_on("/dev/sda2: TYPE=\"BitLocker\" PARTUUID=\"x\"\n", "/dev/sda2"), Locked);
    // 41: errors by their number, in any language.
    let denied = only("C:\\>manage-bde -status C:\nFEHLER: Zugriff verweigert (0x80041003)\n");
    assert_eq!((denied.subject.as_str(), denied.judged.reason.code.as_str()), ("C:", "needs-rights"));
    let denied = only(
        "ERROR: An attempt to access a required resource was denied.\n\nCheck that you have administrative rights on the computer.\n",
    );
    assert_eq!((denied.verdict(), denied.judged.reason.code.as_str()), (Unknown, "needs-rights"));
}

#[test]
fn secrets_are_not_repeated() {
    let text = "Volume C: [X]\nAll Key Protectors\n\n    Numerical Password:\n      ID: {11111111-1111-4111-8111-111111111111}\n      Password:\n        111111-222222-333333-444444-555555-666666-777777-888888\n\n<plist version=\"1.0\"><dict><key>RecoveryKey</key><string>AAAA-BBBB-CCCC-DDDD-EEEE-FFFF</string><key>SerialNumber</key><string>C02XXXX</string></dict></plist>\n";
    let said = format!("{:?}", explain::explain("x", text.as_bytes()));
    for secret in ["111111-222222", "AAAA-BBBB", "C02XXXX"] {
        assert!(!said.contains(secret), "{said}");
    }
    let items = explain::explain("x", text.as_bytes());
    assert_eq!(told(&items, "C:", "recovery_password"), Some("yes"));
    let placeholder = text.replace("AAAA-BBBB-CCCC-DDDD-EEEE-FFFF", "WWWW-XXXX-YYYY-ZZZZ");
    assert_eq!(told(&explain::explain("x", placeholder.as_bytes()), "FileVault", "recovery_key"), Some("not_a_key"));
}
