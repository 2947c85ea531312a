//! The words of `manage-bde`, in each language of Windows that is known here.
//!
//! English, German, French, Spanish, Japanese, Korean, Russian and Chinese are as recorded on real
//! computers. Of Italian, Polish, Portuguese and Dutch no whole recording is public; their lists have
//! the forms of Microsoft's own translations, several where those differ between versions. Everything
//! is in lower case. A label must be there in full; of a value a stem is enough, because its endings
//! follow the grammar of the sentence.

use super::likeness::Printed;

/// A row of `manage-bde -status`, in the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Size of the volume.
    Size,
    /// Version of the format, or "none".
    Version,
    /// Whether it is encrypted, and what is under way.
    Conversion,
    /// How much of it is encrypted.
    Percentage,
    /// With what.
    Method,
    /// Whether a key is needed.
    Protection,
    /// Whether it is open at the moment.
    Lock,
    /// An administrator's mark.
    Identification,
    /// Whether Windows opens it by itself (data volumes only).
    AutoUnlock,
    /// Who can open it.
    Protectors,
}

/// What the row "conversion status" says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Nothing is encrypted.
    Decrypted,
    /// Everything is.
    Encrypted,
    /// Everything that was in use is.
    UsedSpace,
    /// On the way to encrypted; whether it rests at the moment.
    Encrypting(bool),
    /// On the way to decrypted; whether it rests at the moment.
    Decrypting(bool),
}

/// The words of one language.
pub struct Language {
    /// Its tag.
    pub tag: &'static str,
    labels: &'static [(Field, &'static [&'static str])],
    /// `[OS Volume]`, `[Data Volume]`.
    os: &'static [&'static str],
    data: &'static [&'static str],
    encrypted: &'static [&'static str],
    decrypted: &'static [&'static str],
    /// "in progress".
    under_way: &'static [&'static str],
    paused: &'static [&'static str],
    fully: &'static [&'static str],
    used: &'static [&'static str],
    on: &'static [&'static str],
    off: &'static [&'static str],
    open: &'static [&'static str],
    locked: &'static [&'static str],
    unknown: &'static [&'static str],
    /// "none", "none found".
    none: &'static [&'static str],
}

use Field::{
    AutoUnlock, Conversion as Converted, Identification, Lock, Method, Percentage, Protection, Protectors, Size,
    Version,
};

/// All languages.
pub static LANGUAGES: &[Language] = &[
    Language {
        tag: "en",
        labels: &[
            (Size, &["size"]),
            (Version, &["bitlocker version"]),
            (Converted, &["conversion status"]),
            (Percentage, &["percentage encrypted", "encryption percentage"]),
            (Method, &["encryption method"]),
            (Protection, &["protection status"]),
            (Lock, &["lock status"]),
            (Identification, &["identification field"]),
            (AutoUnlock, &["automatic unlock"]),
            (Protectors, &["key protectors"]),
        ],
        os: &["os volume", "operating system volume"],
        data: &["data volume"],
        encrypted: &["encrypt"],
        decrypted: &["decrypt"],
        under_way: &["in progress"],
        paused: &["paused", "suspended"],
        fully: &["fully"],
        used: &["used space only"],
        on: &["protection on"],
        off: &["protection off", "suspended"],
        open: &["unlocked"],
        locked: &["locked"],
        unknown: &["unknown"],
        none: &["none"],
    },
    Language {
        tag: "de",
        labels: &[
            (Size, &["größe", "groesse"]),
            (Version, &["bitlocker-version"]),
            (Converted, &["konvertierungsstatus"]),
            (Percentage, &["verschlüsselt (prozent)", "verschluesselt (prozent)"]),
            (Method, &["verschlüsselungsmethode", "verschluesselungsmethode"]),
            (Protection, &["schutzstatus"]),
            (Lock, &["sperrungsstatus", "sperrstatus"]),
            (Identification, &["id-feld", "identifikationsfeld"]),
            (
                AutoUnlock,
                &["automatische entsperrung", "automatisches entsperren", "automatische aufhebung der sperre"],
            ),
            (Protectors, &["schlüsselschutzvorrichtungen", "schluesselschutzvorrichtungen"]),
        ],
        os: &["betriebssystemvolume"],
        data: &["datenvolume"],
        encrypted: &["verschlüssel", "verschluessel"],
        decrypted: &["entschlüssel", "entschluessel"],
        under_way: &["wird durchgeführt", "wird ausgeführt", "wird durchgefuehrt", "in bearbeitung", "läuft"],
        paused: &["angehalten", "unterbrochen", "pausiert"],
        fully: &["vollständig", "vollstaendig"],
        used: &["nur verwendeter speicher", "verwendeter speicherplatz", "nur belegter speicher"],
        on: &["ist aktiviert", "schutz aktiviert"],
        off: &["deaktiviert", "angehalten", "ausgesetzt"],
        open: &["entsperrt"],
        locked: &["gesperrt"],
        unknown: &["unbekannt"],
        none: &["kein", "nicht gefunden"],
    },
    Language {
        tag: "fr",
        labels: &[
            (Size, &["taille"]),
            (Version, &["version de bitlocker", "version bitlocker"]),
            (Converted, &["état de la conversion"]),
            (Percentage, &["pourcentage chiffré"]),
            (Method, &["méthode de chiffrement"]),
            (Protection, &["état de la protection"]),
            (Lock, &["état du verrouillage"]),
            (Identification, &["champ d’identification"]),
            (AutoUnlock, &["déverrouillage automatique"]),
            (Protectors, &["protecteurs de clés"]),
        ],
        os: &["volume du système d’exploitation"],
        data: &["volume de données"],
        encrypted: &["chiffr"],
        decrypted: &["déchiffr"],
        under_way: &["en cours"],
        paused: &["suspendu", "en pause", "interrompu"],
        fully: &["intégralement", "entièrement"],
        used: &["espace utilisé uniquement", "uniquement l’espace utilisé"],
        on: &["protection activée"],
        off: &["désactivée", "suspendue"],
        open: &["déverrouillé"],
        locked: &["verrouillé"],
        unknown: &["inconnu"],
        none: &["aucun"],
    },
    Language {
        tag: "es",
        labels: &[
            (Size, &["tamaño"]),
            (Version, &["versión de bitlocker"]),
            (Converted, &["estado de conversión", "estado de la conversión"]),
            (Percentage, &["porcentaje cifrado"]),
            (Method, &["método de cifrado"]),
            (Protection, &["estado de protección", "estado de la protección"]),
            (Lock, &["estado de bloqueo", "estado del bloqueo"]),
            (Identification, &["campo de identificación"]),
            (AutoUnlock, &["desbloqueo automático"]),
            (Protectors, &["protectores de clave"]),
        ],
        os: &["volumen del sistema operativo", "volumen de sistema operativo"],
        data: &["volumen de datos"],
        encrypted: &["cifrado", "cifrando"],
        decrypted: &["descifrado", "descifrando"],
        under_way: &["en curso", "en progreso"],
        paused: &["en pausa", "pausado", "suspendido"],
        fully: &["completo", "completamente", "totalmente"],
        used: &["espacio usado", "espacio utilizado"],
        on: &["protección activada"],
        off: &["desactivada", "suspendida"],
        open: &["desbloqueado"],
        locked: &["bloqueado"],
        unknown: &["desconocido"],
        none: &["ningun", "no se encontr"],
    },
    Language {
        tag: "ja",
        labels: &[
            (Size, &["サイズ"]),
            (Version, &["bitlocker のバージョン", "bitlocker バージョン"]),
            (Converted, &["変換状態", "変換の状態"]),
            (Percentage, &["暗号化された割合"]),
            (Method, &["暗号化の方法", "暗号化方法"]),
            (Protection, &["保護状態", "保護の状態"]),
            (Lock, &["ロック状態", "ロックの状態"]),
            (Identification, &["識別子フィールド", "識別フィールド", "id フィールド"]),
            (AutoUnlock, &["自動ロック解除", "自動ロックの解除"]),
            (Protectors, &["キーの保護機能"]),
        ],
        os: &["os ボリューム", "オペレーティング システム ボリューム"],
        data: &["データ ボリューム"],
        encrypted: &["暗号化"],
        decrypted: &["解除", "暗号化解除", "復号", "解読"],
        under_way: &["進行中", "実行中", "処理中", "しています"],
        paused: &["一時停止", "中断"],
        fully: &["完全に", "完全"],
        used: &["使用領域のみ", "使用済み領域のみ", "使用されている領域のみ", "使用中の領域のみ"],
        on: &["保護はオン"],
        off: &["保護はオフ", "中断"],
        open: &["ロック解除", "ロックが解除"],
        locked: &["ロック"],
        unknown: &["不明"],
        none: &["なし", "見つかりません"],
    },
    Language {
        tag: "ko",
        labels: &[
            (Size, &["크기"]),
            (Version, &["bitlocker 버전"]),
            (Converted, &["변환 상태"]),
            (Percentage, &["암호화된 비율", "암호화 비율"]),
            (Method, &["암호화 방법"]),
            (Protection, &["보호 상태"]),
            (Lock, &["잠금 상태"]),
            (Identification, &["id 필드", "식별 필드"]),
            (AutoUnlock, &["자동 잠금 해제"]),
            (Protectors, &["키 보호기"]),
        ],
        os: &["os 볼륨", "운영 체제 볼륨"],
        data: &["데이터 볼륨"],
        encrypted: &["암호화"],
        decrypted: &["암호 해독", "암호화 해제", "해독"],
        under_way: &["진행 중", "하는 중", "진행중"],
        paused: &["일시 중지", "일시 중단", "중지됨"],
        fully: &["완전", "완전히"],
        used: &["사용된 공간만", "사용 중인 공간만", "사용한 공간만", "사용 공간만"],
        on: &["보호 설정", "보호 켜", "보호 사용"],
        off: &["보호 해제", "보호 꺼", "보호 끔", "일시 중단"],
        open: &["잠금 해제"],
        locked: &["잠김", "잠겨", "잠금"],
        unknown: &["알 수 없음"],
        none: &["없음", "찾을 수 없"],
    },
    Language {
        tag: "ru",
        labels: &[
            (Size, &["размер"]),
            (Version, &["версия bitlocker"]),
            (Converted, &["состояние преобразования"]),
            (Percentage, &["зашифровано (процентов)", "зашифровано (проценты)", "процент шифрования"]),
            (Method, &["метод шифрования"]),
            (Protection, &["состояние защиты"]),
            (Lock, &["состояние блокировки"]),
            (Identification, &["поле идентификации"]),
            (AutoUnlock, &["автоматическая разблокировка", "автоматическое снятие блокировки"]),
            (Protectors, &["предохранители ключа", "предохранители ключей"]),
        ],
        os: &["том с операционной системой", "том операционной системы"],
        data: &["том данных", "том с данными"],
        encrypted: &["зашифров", "шифрован"],
        decrypted: &["расшифров", "дешифров"],
        under_way: &["выполняется", "идет", "в процессе"],
        paused: &["приостановлен"],
        fully: &["полностью"],
        used: &["только занятое место", "только используемое"],
        on: &["защита включена"],
        off: &["отключена", "выключена", "приостановлена"],
        open: &["разблокир"],
        locked: &["заблокир", "блокировка"],
        unknown: &["неизвест"],
        none: &["нет", "не обнаружен", "не найден", "отсутств"],
    },
    Language {
        tag: "zh-CN",
        labels: &[
            (Size, &["大小"]),
            (Version, &["bitlocker 版本"]),
            (Converted, &["转换状态"]),
            (Percentage, &["已加密百分比"]),
            (Method, &["加密方法"]),
            (Protection, &["保护状态"]),
            (Lock, &["锁定状态"]),
            (Identification, &["标识字段"]),
            (AutoUnlock, &["自动解锁"]),
            (Protectors, &["密钥保护器"]),
        ],
        os: &["os 卷", "操作系统卷"],
        data: &["数据卷"],
        encrypted: &["加密"],
        decrypted: &["解密"],
        under_way: &["进行中", "正在进行", "正在"],
        paused: &["暂停", "挂起"],
        fully: &["完全"],
        used: &["仅加密了已用空间", "仅已用空间", "仅使用的空间"],
        on: &["保护启用", "保护已启用", "启用保护", "保护打开", "保护开启", "保护已打开"],
        off: &["关闭", "禁用", "挂起", "停用"],
        open: &["已解锁", "解锁"],
        locked: &["已锁定", "锁定"],
        unknown: &["未知"],
        none: &["无", "找不到"],
    },
    Language {
        tag: "zh-TW",
        labels: &[
            (Size, &["大小"]),
            (Version, &["bitlocker 版本"]),
            (Converted, &["轉換狀態"]),
            (Percentage, &["已加密百分比", "加密百分比"]),
            (Method, &["加密方法", "加密方式"]),
            (Protection, &["保護狀態"]),
            (Lock, &["鎖定狀態"]),
            (Identification, &["識別欄位", "識別碼欄位"]),
            (AutoUnlock, &["自動解除鎖定"]),
            (Protectors, &["金鑰保護裝置", "金鑰保護工具", "金鑰保護器"]),
        ],
        os: &["os 磁碟區", "作業系統磁碟區"],
        data: &["資料磁碟區"],
        encrypted: &["加密"],
        decrypted: &["解密"],
        under_way: &["進行中", "正在進行", "正在"],
        paused: &["暫停", "擱置"],
        fully: &["完全", "完整"],
        used: &["僅已使用空間", "僅加密已使用", "僅已使用的空間", "僅使用的空間", "僅加密使用的"],
        on: &["保護開啟", "保護已開啟", "開啟保護", "保護啟用", "保護已啟用"],
        off: &["關閉", "停用", "擱置", "暫停"],
        open: &["已解除鎖定", "解除鎖定", "未鎖定"],
        locked: &["已鎖定", "鎖定"],
        unknown: &["未知", "不明"],
        none: &["無", "找不到"],
    },
    Language {
        tag: "pt",
        labels: &[
            (Size, &["tamanho"]),
            (Version, &["versão do bitlocker", "versão bitlocker"]),
            (Converted, &["status da conversão", "status de conversão", "estado da conversão", "estado de conversão"]),
            (
                Percentage,
                &[
                    "porcentagem criptografada",
                    "percentual criptografado",
                    "percentagem encriptada",
                    "percentagem de encriptação",
                ],
            ),
            (Method, &["método de criptografia", "método de encriptação"]),
            (
                Protection,
                &[
                    "status da proteção",
                    "status de proteção",
                    "estado da proteção",
                    "estado de proteção",
                    "estado da protecção",
                ],
            ),
            (Lock, &["status do bloqueio", "status de bloqueio", "estado do bloqueio", "estado de bloqueio"]),
            (Identification, &["campo de identificação", "campo identificação"]),
            (AutoUnlock, &["desbloqueio automático"]),
            (
                Protectors,
                &["protetores de chave", "protetores de chaves", "protectores de chave", "protetores da chave"],
            ),
        ],
        os: &["volume do so", "volume do sistema operacional", "volume do sistema operativo", "volume de so"],
        data: &["volume de dados"],
        encrypted: &["criptografad", "criptografia", "encriptad", "encriptação"],
        decrypted: &["descriptografad", "descriptografia", "desencriptad", "desencriptação"],
        under_way: &["em andamento", "em curso", "em progresso", "em execução"],
        paused: &["em pausa", "pausada", "pausado", "suspensa", "interrompid"],
        fully: &["totalmente", "completamente"],
        used: &["espaço usado", "espaço utilizado", "espaço em uso"],
        on: &["proteção ativada", "protecção activada", "proteção ligada", "proteção ativa"],
        off: &["desativada", "desactivada", "desligada", "suspensa"],
        open: &["desbloquead"],
        locked: &["bloquead"],
        unknown: &["desconhecid"],
        none: &["nenhum", "não encontrad"],
    },
    Language {
        tag: "it",
        labels: &[
            (Size, &["dimensioni", "dimensione"]),
            (Version, &["versione bitlocker", "versione di bitlocker"]),
            (Converted, &["stato conversione", "stato della conversione", "stato di conversione"]),
            (
                Percentage,
                &[
                    "percentuale crittografata",
                    "percentuale crittografia",
                    "percentuale di crittografia",
                    "crittografato (percentuale)",
                ],
            ),
            (Method, &["metodo crittografia", "metodo di crittografia"]),
            (Protection, &["stato protezione", "stato della protezione", "stato di protezione"]),
            (Lock, &["stato blocco", "stato del blocco", "stato di blocco"]),
            (Identification, &["campo identificazione", "campo di identificazione", "campo id"]),
            (AutoUnlock, &["sblocco automatico"]),
            (
                Protectors,
                &["protezioni con chiave", "protezioni chiave", "protezioni della chiave", "protezioni chiavi"],
            ),
        ],
        os: &["volume del sistema operativo", "volume sistema operativo"],
        data: &["volume di dati", "volume dati", "volume dei dati"],
        encrypted: &["crittografat", "crittografia"],
        decrypted: &["decrittografat", "decrittografia"],
        under_way: &["in corso", "in esecuzione"],
        paused: &["sospesa", "sospeso", "in pausa", "interrott"],
        fully: &["completamente", "completa", "totalmente"],
        used: &["spazio utilizzato", "spazio usato"],
        on: &["protezione attivata", "protezione attiva"],
        off: &["disattivata", "disattiva", "sospesa", "non attiva"],
        open: &["sbloccat"],
        locked: &["bloccat"],
        unknown: &["sconosciut"],
        none: &["nessun", "non trovat"],
    },
    Language {
        tag: "pl",
        labels: &[
            (Size, &["rozmiar"]),
            (Version, &["wersja funkcji bitlocker", "wersja bitlocker"]),
            (Converted, &["stan konwersji", "stan konwertowania"]),
            (
                Percentage,
                &[
                    "procent zaszyfrowania",
                    "zaszyfrowano (procent)",
                    "zaszyfrowany procent",
                    "zaszyfrowano (%)",
                    "procent zaszyfrowany",
                ],
            ),
            (Method, &["metoda szyfrowania"]),
            (Protection, &["stan ochrony", "stan zabezpieczenia", "stan zabezpieczeń"]),
            (Lock, &["stan blokady", "stan zablokowania", "stan blokowania"]),
            (Identification, &["pole identyfikacji", "pole identyfikacyjne"]),
            (AutoUnlock, &["automatyczne odblokowywanie", "automatyczne odblokowanie"]),
            (
                Protectors,
                &[
                    "funkcje ochrony klucza",
                    "funkcje ochrony kluczy",
                    "zabezpieczenia klucza",
                    "ochrona klucza",
                    "zabezpieczenia kluczy",
                ],
            ),
        ],
        os: &["wolumin systemu operacyjnego", "wolumin so"],
        data: &["wolumin danych", "wolumin z danymi"],
        encrypted: &["zaszyfrowan", "szyfrowanie"],
        decrypted: &["odszyfrowan", "odszyfrowywan", "deszyfrowan"],
        under_way: &["w toku", "trwa ", "w trakcie"],
        paused: &["wstrzyman", "zawieszon"],
        fully: &["w pełni", "całkowicie", "pełne"],
        used: &[
            "używane miejsce",
            "zajęte miejsce",
            "tylko używane",
            "tylko zajęte",
            "używanego miejsca",
            "zajętego miejsca",
        ],
        on: &["ochrona włączona", "ochrona jest włączona", "włączona ochrona", "zabezpieczenie włączone"],
        off: &["wyłączon", "wstrzyman", "zawieszon"],
        open: &["odblokowan"],
        locked: &["zablokowan"],
        unknown: &["nieznan"],
        none: &["brak", "nie znaleziono", "żaden"],
    },
    Language {
        tag: "nl",
        labels: &[
            (Size, &["grootte"]),
            (Version, &["bitlocker-versie", "versie van bitlocker"]),
            (Converted, &["conversiestatus", "status van conversie"]),
            (
                Percentage,
                &["percentage versleuteld", "versleuteld percentage", "percentage gecodeerd", "versleuteld (procent)"],
            ),
            (Method, &["versleutelingsmethode", "coderingsmethode"]),
            (Protection, &["beveiligingsstatus", "beschermingsstatus", "status van beveiliging"]),
            (Lock, &["vergrendelingsstatus", "status van vergrendeling", "vergrendelstatus"]),
            (Identification, &["identificatieveld", "id-veld"]),
            (AutoUnlock, &["automatisch ontgrendelen", "automatische ontgrendeling"]),
            (Protectors, &["sleutelbeveiligers", "sleutelbeveiligingen", "sleutelbeveiliging", "sleutelbeschermers"]),
        ],
        os: &["besturingssysteemvolume", "volume met besturingssysteem", "volume van besturingssysteem"],
        data: &["gegevensvolume", "volume met gegevens"],
        encrypted: &["versleuteld", "versleuteling", "gecodeerd", "codering"],
        decrypted: &["ontsleuteld", "ontsleuteling", "gedecodeerd", "decodering"],
        under_way: &["wordt uitgevoerd", "bezig", "in uitvoering"],
        paused: &["onderbroken", "gepauzeerd", "opgeschort"],
        fully: &["volledig"],
        used: &["gebruikte ruimte", "gebruikte schijfruimte"],
        on: &["is ingeschakeld", "beveiliging ingeschakeld", "beveiliging aan", "ingeschakeld"],
        off: &["uitgeschakeld", "beveiliging uit", "onderbroken", "opgeschort"],
        open: &["ontgrendeld"],
        locked: &["vergrendeld"],
        unknown: &["onbekend"],
        none: &["geen", "niet gevonden"],
    },
];

impl Language {
    /// Which row this label names.
    pub fn field(&self, label: &Printed) -> Option<Field> {
        self.labels.iter().find(|(_, names)| names.iter().any(|name| label.is(name))).map(|(field, _)| *field)
    }

    /// Whether this is the line that says what sort of volume it is: `Some(true)` for the system's.
    pub fn is_os_volume(&self, kind: &Printed) -> Option<bool> {
        if self.os.iter().any(|name| kind.is(name)) {
            return Some(true);
        }
        self.data.iter().any(|name| kind.is(name)).then_some(false)
    }

    /// What the conversion status says. `None` where it is none of the known sentences, or fits more
    /// than one.
    pub fn conversion(&self, value: &Printed) -> Option<Conversion> {
        let has = |stems: &[&str]| stems.iter().any(|stem| value.holds(stem));
        if self.is_unknown(value) {
            return None;
        }
        // In most languages the word for "decrypted" contains the one for "encrypted".
        let away = has(self.decrypted);
        if !away && !has(self.encrypted) {
            return None;
        }
        let (under_way, paused, used) = (has(self.under_way), has(self.paused), has(self.used));
        let whole = has(self.fully) || used;
        match (under_way, paused, whole) {
            (_, true, false) => Some(if away { Conversion::Decrypting(true) } else { Conversion::Encrypting(true) }),
            (true, false, _) => Some(if away { Conversion::Decrypting(false) } else { Conversion::Encrypting(false) }),
            (false, false, true) if away && used => None,
            (false, false, true) if away => Some(Conversion::Decrypted),
            (false, false, true) if used => Some(Conversion::UsedSpace),
            (false, false, true) => Some(Conversion::Encrypted),
            _ => None,
        }
    }

    /// Whether protection is on. `None`: not one of the known words.
    pub fn protection(&self, value: &Printed) -> Option<bool> {
        if self.is_unknown(value) {
            return None;
        }
        // In most languages the word for "off" contains the one for "on".
        if self.off.iter().any(|stem| value.holds(stem)) {
            return Some(false);
        }
        self.on.iter().any(|stem| value.holds(stem)).then_some(true)
    }

    /// Whether it is locked. `None`: not one of the known words.
    pub fn locked(&self, value: &Printed) -> Option<bool> {
        if self.is_unknown(value) {
            return None;
        }
        if self.open.iter().any(|stem| value.holds(stem)) {
            return Some(false);
        }
        self.locked.iter().any(|stem| value.holds(stem)).then_some(true)
    }

    /// Whether the value is the word for "unknown".
    pub fn is_unknown(&self, value: &Printed) -> bool {
        self.unknown.iter().any(|stem| value.holds(stem))
    }

    /// Whether the value is a word for "none" or "none found".
    pub fn is_none(&self, value: &Printed) -> bool {
        self.none.iter().any(|stem| value.holds(stem))
    }
}

/// Who can open a volume, by the words that any language has for it.
pub fn protector(name: &str) -> &'static str {
    let name = Printed::new(name);
    let has = |stems: &[&str]| stems.iter().any(|stem| name.holds(stem));
    let key = has(&[
        "key",
        "schlüssel",
        "clé",
        "llave",
        "clave",
        "キー",
        "키",
        "ключ",
        "密钥",
        "金鑰",
        "chave",
        "chiave",
        "klucz",
        "sleutel",
    ]);
    if has(&["tpm"]) {
        return match (has(&["pin"]), key) {
            (true, true) => "tpm_pin_startup_key",
            (true, false) => "tpm_pin",
            (false, true) => "tpm_startup_key",
            (false, false) => "tpm",
        };
    }
    let number = has(&[
        "numer",
        "numér",
        "数字",
        "數字",
        "숫자",
        "цифров",
        "числов",
        "数値",
        "liczbow",
        "recovery password",
        "recoverypassword",
    ]);
    if number {
        return "numerical_password";
    }
    if has(&["extern", "extérieur", "esterna", "zewnętrzn", "внешн", "外部", "외부", "recovery key", "recoverykey"])
    {
        return "external_key";
    }
    if has(&["certif", "zertif", "証明書", "인증서", "сертиф", "证书", "憑證", "certyf", "public key", "publickey"])
    {
        return "certificate";
    }
    if has(&[
        "password",
        "kennwort",
        "mot de passe",
        "contraseña",
        "パスワード",
        "암호",
        "парол",
        "密码",
        "密碼",
        "senha",
        "palavra-passe",
        "passe",
        "hasło",
        "wachtwoord",
    ]) {
        return "password";
    }
    if has(&["sid", "adaccount", "identity", "account"]) {
        return "account";
    }
    "other"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_lower_case() {
        for language in LANGUAGES {
            let labels = language.labels.iter().flat_map(|(_, names)| names.iter());
            let all = [
                language.os,
                language.data,
                language.encrypted,
                language.decrypted,
                language.under_way,
                language.paused,
                language.fully,
                language.used,
                language.on,
                language.off,
                language.open,
                language.locked,
                language.unknown,
                language.none,
            ];
            for word in labels.chain(all.into_iter().flatten()) {
                assert_eq!(**word, word.to_lowercase(), "{}", language.tag);
            }
            assert_eq!(language.labels.len(), 10, "{}", language.tag);
        }
    }

    /// Every sentence that is known to have been printed, or that Microsoft's own pages have.
    #[test]
    fn sentences() {
        use Conversion::{Decrypted, Decrypting, Encrypted, Encrypting, UsedSpace};
        for (tag, sentence, expected) in [
            ("en", "Fully Decrypted", Some(Decrypted)),
            ("en", "Fully Encrypted", Some(Encrypted)),
            ("en", "Used Space Only Encrypted", Some(UsedSpace)),
            ("en", "Encryption in Progress", Some(Encrypting(false))),
            ("en", "Used Space Only Encryption in Progress", Some(Encrypting(false))),
            ("en", "Decryption in Progress", Some(Decrypting(false))),
            ("en", "Encryption Paused", Some(Encrypting(true))),
            ("en", "Decryption Paused", Some(Decrypting(true))),
            ("en", "Unknown", None),
            ("en", "Protected", None),
            ("de", "Vollständig entschlüsselt", Some(Decrypted)),
            ("de", "Vollständig verschlüsselt", Some(Encrypted)),
            ("de", "Nur verwendeter Speicherplatz ist verschlüsselt", Some(UsedSpace)),
            ("de", "Verschlüsselung wird durchgeführt", Some(Encrypting(false))),
            ("de", "Entschlüsselung wird durchgeführt", Some(Decrypting(false))),
            ("de", "Entschl?sselung angehalten", Some(Decrypting(true))),
            ("fr", "Intégralement déchiffré", Some(Decrypted)),
            ("fr", "Int?gralement chiffr?", Some(Encrypted)),
            ("fr", "Espace utilisé uniquement chiffré", Some(UsedSpace)),
            ("fr", "Chiffrement en cours", Some(Encrypting(false))),
            ("fr", "Déchiffrement en cours", Some(Decrypting(false))),
            ("es", "Descifrado completo", Some(Decrypted)),
            ("es", "Completamente cifrado", Some(Encrypted)),
            ("es", "Cifrado solo de espacio usado", Some(UsedSpace)),
            ("es", "Cifrado en curso", Some(Encrypting(false))),
            ("es", "Desconocido", None),
            ("ja", "暗号化は完全に解除されています", Some(Decrypted)),
            ("ja", "完全に暗号化されています", Some(Encrypted)),
            ("ja", "使用領域のみ暗号化", Some(UsedSpace)),
            ("ja", "暗号化を実行中です", Some(Encrypting(false))),
            ("ja", "暗号化の解除を実行中です", Some(Decrypting(false))),
            ("ko", "완전 암호 해독됨", Some(Decrypted)),
            ("ko", "완전 암호화됨", Some(Encrypted)),
            ("ko", "사용된 공간만 암호화됨", Some(UsedSpace)),
            ("ko", "암호화 진행 중", Some(Encrypting(false))),
            ("ru", "Зашифровано только занятое место", Some(UsedSpace)),
            ("ru", "Полностью расшифровано", Some(Decrypted)),
            ("ru", "Полностью зашифровано", Some(Encrypted)),
            ("ru", "Выполняется шифрование", Some(Encrypting(false))),
            ("ru", "Выполняется расшифровка", Some(Decrypting(false))),
            ("zh-CN", "完全解密", Some(Decrypted)),
            ("zh-CN", "完全加密", Some(Encrypted)),
            ("zh-CN", "仅加密了已用空间", Some(UsedSpace)),
            ("zh-CN", "加密进行中", Some(Encrypting(false))),
            ("zh-CN", "解密进行中", Some(Decrypting(false))),
            ("zh-TW", "完全解密", Some(Decrypted)),
            ("zh-TW", "僅加密已使用空間", Some(UsedSpace)),
            ("pt", "Totalmente Descriptografado", Some(Decrypted)),
            ("pt", "Totalmente Criptografado", Some(Encrypted)),
            ("pt", "Somente Espaço Usado Criptografado", Some(UsedSpace)),
            ("pt", "Totalmente Desencriptado", Some(Decrypted)),
            ("pt", "Criptografia em Andamento", Some(Encrypting(false))),
            ("it", "Completamente decrittografato", Some(Decrypted)),
            ("it", "Completamente crittografato", Some(Encrypted)),
            ("it", "Crittografato solo lo spazio utilizzato", Some(UsedSpace)),
            ("it", "Decrittografia in corso", Some(Decrypting(false))),
            ("pl", "W pełni odszyfrowany", Some(Decrypted)),
            ("pl", "W pełni zaszyfrowany", Some(Encrypted)),
            ("pl", "Zaszyfrowano tylko używane miejsce", Some(UsedSpace)),
            ("pl", "Trwa szyfrowanie", Some(Encrypting(false))),
            ("nl", "Volledig ontsleuteld", Some(Decrypted)),
            ("nl", "Volledig versleuteld", Some(Encrypted)),
            ("nl", "Alleen gebruikte ruimte versleuteld", Some(UsedSpace)),
            ("nl", "Versleuteling wordt uitgevoerd", Some(Encrypting(false))),
        ] {
            let language = LANGUAGES.iter().find(|language| language.tag == tag).unwrap();
            assert_eq!(language.conversion(&Printed::new(sentence)), expected, "{sentence}");
        }
        for (tag, sentence, expected) in [
            ("en", "Protection On", Some(true)),
            ("en", "Protection Off", Some(false)),
            ("en", "Protection Off (1 reboots left)", Some(false)),
            ("en", "Unknown", None),
            ("en", "On and on", None),
            ("de", "Der Schutz ist aktiviert.", Some(true)),
            ("de", "Der Schutz ist deaktiviert.", Some(false)),
            ("fr", "Protection activée", Some(true)),
            ("fr", "Protection d\u{fffd}sactiv\u{fffd}e", Some(false)),
            ("es", "Protección activada", Some(true)),
            ("es", "Protección desactivada", Some(false)),
            ("ja", "保護はオンです", Some(true)),
            ("ja", "保護はオフです", Some(false)),
            ("ko", "보호 해제", Some(false)),
            ("ru", "Защита отключена", Some(false)),
            ("ru", "Защита включена", Some(true)),
            ("zh-CN", "保护关闭", Some(false)),
            ("zh-CN", "保护已启用", Some(true)),
            ("zh-TW", "保護關閉", Some(false)),
            ("pt", "Proteção Ativada", Some(true)),
            ("pt", "Proteção Desativada", Some(false)),
            ("it", "Protezione attivata", Some(true)),
            ("it", "Protezione disattivata", Some(false)),
            ("pl", "Ochrona włączona", Some(true)),
            ("pl", "Ochrona wyłączona", Some(false)),
            ("nl", "Beveiliging ingeschakeld", Some(true)),
            ("nl", "Beveiliging uitgeschakeld", Some(false)),
        ] {
            let language = LANGUAGES.iter().find(|language| language.tag == tag).unwrap();
            assert_eq!(language.protection(&Printed::new(sentence)), expected, "{sentence}");
        }
    }

    #[test]
    fn protectors() {
        for (name, expected) in [
            ("TPM", "tpm"),
            ("TPM And PIN", "tpm_pin"),
            ("TPM und PIN", "tpm_pin"),
            ("TPM And Startup Key", "tpm_startup_key"),
            ("Numerical Password", "numerical_password"),
            ("Numerisches Kennwort", "numerical_password"),
            ("Mot de passe numérique", "numerical_password"),
            ("Contraseña numérica", "numerical_password"),
            ("数字密码", "numerical_password"),
            ("密码", "password"),
            ("Contrase?a", "password"),
            ("External Key (Required for automatic unlock)", "external_key"),
            ("RecoveryPassword", "numerical_password"),
            ("ExternalKey", "external_key"),
            ("TpmPin", "tpm_pin"),
            ("", "other"),
        ] {
            assert_eq!(protector(name), expected, "{name}");
        }
    }
}
