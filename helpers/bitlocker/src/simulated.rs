use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{Code, DriveFacts, Edition, Error, Facts, Machine, Place, Reply, Result, Row, Tpm, Value, VolumeKind};

/// A computer that behaves as Microsoft documents it (`Win32_EncryptableVolume`), with the traps that people
/// met. Encryption moves on whenever it is asked about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Simulated {
    /// The computer.
    pub facts: Facts,
    /// Volumes.
    pub volumes: Vec<SimulatedVolume>,
    /// Policies.
    #[serde(with = "pairs")]
    pub policies: BTreeMap<(Place, String), u32>,
    /// What goes wrong.
    pub traps: Traps,
    /// Calls of methods, so far.
    pub calls: usize,
    /// How far a conversion moves on with each look at it, of a million.
    #[serde(default = "quarter")]
    pub pace: u32,
    ids: u32,
}

/// Fast enough for tests.
const fn quarter() -> u32 {
    250_000
}

/// What goes wrong.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Traps {
    /// The test start fails with this code.
    pub test_fails: Option<Code>,
    /// A method is refused with this code.
    pub refuse: BTreeMap<String, Code>,
    /// Power goes at this call: it and all behind it are lost.
    pub cut: Option<usize>,
    /// The program has no administrator rights.
    pub no_rights: bool,
    /// The last quarter says 100 % and goes on.
    pub slow_end: bool,
    /// A look at a conversion lets no time pass: it stands where it is until this is taken away.
    #[serde(default)]
    pub stands: bool,
}

/// One of its volumes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimulatedVolume {
    /// Which.
    pub row: Row,
    /// `ConversionStatus`
    pub conversion: u32,
    /// Of a million.
    pub share: u32,
    /// `EncryptionFlags`
    pub flags: u32,
    /// `EncryptionMethod`
    pub method: u32,
    /// Protection is off although protectors are there.
    pub suspended: bool,
    /// ID, type, secret.
    pub protectors: Vec<(String, u32, Zeroizing<String>)>,
    /// Closed.
    pub locked: bool,
    /// Keys of other volumes lie on it.
    pub auto_unlock_keys: bool,
    /// Its drive.
    pub drive: DriveFacts,
    /// `TestStatus` and `TestError`.
    pub test: (u32, Code),
    forced: u32,
    wished: (u32, u32),
}

impl SimulatedVolume {
    /// A plain volume.
    pub fn plain(number: u32, letter: &str, kind: VolumeKind) -> Self {
        let id = format!(r"\\?\Volume{{{number:08x}-1111-4111-8111-111111111111}}\");
        Self {
            row: Row { id, letter: Some(letter.to_owned()), kind: Some(kind) },
            conversion: 0,
            share: 0,
            flags: 0,
            method: 0,
            suspended: false,
            protectors: Vec::new(),
            locked: false,
            auto_unlock_keys: false,
            drive: DriveFacts::default(),
            test: (0, Code::OK),
            forced: 0,
            wished: (0, 0),
        }
    }

    /// Encrypted by Windows before anybody asked, the key in clear beside it.
    pub fn clear_key(number: u32, letter: &str) -> Self {
        let plain = Self::plain(number, letter, VolumeKind::System);
        // A protector alone closes nothing: the key in clear goes only when that is asked for.
        Self { conversion: 1, share: 1_000_000, flags: 1, method: 6, suspended: true, ..plain }
    }

    fn has(&self, kind: u32) -> bool {
        self.protectors.iter().any(|one| one.1 == kind)
    }

    fn protection(&self) -> u32 {
        match (self.locked, self.conversion == 1 && !self.protectors.is_empty() && !self.suspended) {
            (true, _) => 2,
            (false, on) => u32::from(on),
        }
    }

    fn start(&mut self, method: u32, flags: u32, by_drive: bool) {
        // An eDrive's band is only switched: no time passes.
        let done = by_drive;
        self.method = if by_drive { 5 } else { method.max(1) };
        self.flags = flags & 1;
        self.conversion = if done { 1 } else { 2 };
        self.share = if done { 1_000_000 } else { 0 };
    }

    fn tick(&mut self, pace: u32, slow_end: bool) {
        match self.conversion {
            2 if self.share >= 1_000_000 => self.conversion = 1,
            2 => {
                self.share = (self.share + pace).min(1_000_000);
                if self.share >= 1_000_000 && !slow_end {
                    self.conversion = 1;
                }
            }
            3 => {
                self.share = self.share.saturating_sub(pace);
                if self.share == 0 {
                    (self.conversion, self.method, self.suspended) = (0, 0, false);
                    self.protectors.clear();
                }
            }
            _ => {}
        }
    }
}

impl Simulated {
    /// A usual laptop: Pro, UEFI, Secure Boot, TPM 2.0, one plain system volume.
    pub fn laptop() -> Self {
        let tpm = Tpm { ready: true, version: "2.0".to_owned(), locked_out: Some(false) };
        let facts = Facts {
            edition: Some(Edition::Full),
            uefi: Some(true),
            secure_boot: Some(true),
            tpm: Some(Some(tpm)),
            upgraded: Some(false),
        };
        let volumes = vec![SimulatedVolume::plain(1, "C:", VolumeKind::System)];
        Self { facts, volumes, policies: BTreeMap::new(), traps: Traps::default(), calls: 0, pace: quarter(), ids: 0 }
    }

    /// Switches it off and on.
    pub fn restart(&mut self) {
        self.traps.cut = None;
        let fails = self.traps.test_fails;
        for volume in &mut self.volumes {
            match (volume.test.0, fails) {
                (2, Some(code)) => {
                    volume.test = (1, code);
                    volume.protectors.clear();
                }
                (2, None) => {
                    volume.test = (0, Code::OK);
                    let (method, flags) = volume.wished;
                    volume.start(method, flags, by_drive(&self.policies, volume));
                }
                // Results vanish with the next start.
                _ => volume.test = (0, Code::OK),
            }
        }
    }

    /// The volume with this letter.
    pub fn volume(&mut self, letter: &str) -> Option<&mut SimulatedVolume> {
        self.volumes.iter_mut().find(|volume| volume.row.letter.as_deref() == Some(letter))
    }

    fn new_id(&mut self) -> String {
        self.ids += 1;
        format!("{{{:08X}-0000-4000-8000-000000000000}}", self.ids)
    }

    fn digits(&self) -> Zeroizing<String> {
        let groups: Vec<String> =
            (1..=8).map(|group| format!("{:06}", (self.ids * 977 + group * 131) % 65_536 * 11)).collect();
        Zeroizing::new(groups.join("-"))
    }

    fn protect(&mut self, at: usize, kind: u32, secret: Zeroizing<String>) -> Reply {
        let volume = &self.volumes[at];
        let system = volume.row.kind == Some(VolumeKind::System);
        let tpm = matches!(&self.facts.tpm, Some(Some(tpm)) if tpm.ready);
        let policy = |name: &str| self.policies.get(&(Place::Software, name.to_owned())).copied();
        let digits = secret.bytes().all(|byte| byte.is_ascii_digit());
        let code = match kind {
            _ if volume.locked => Code::LOCKED,
            1 | 4 if !system => Code::FOREIGN_VOLUME,
            1 | 4 if !tpm => Code::TPM_NOT_FOUND,
            1 | 4 if volume.has(8) => Code(0x8031_00AC),
            1 if volume.has(1) => Code::PROTECTOR_EXISTS,
            3 if policy("OSRecoveryPassword") == Some(0) => Code::RECOVERY_PASSWORD_FORBIDDEN,
            4 if !(6..=20).contains(&secret.len()) => Code::PIN_LENGTH,
            4 if !digits && policy("UseEnhancedPin") != Some(1) => Code::PIN_SIGNS,
            8 if system && (volume.has(1) || volume.has(4)) => Code(0x8031_00AB),
            8 if system && policy("EnableBDEWithNoTPM") != Some(1) => Code::PASSPHRASE_FORBIDDEN,
            8 if secret.chars().count() < 8 => Code::PASSPHRASE_LENGTH,
            8 if volume.has(8) => Code::PROTECTOR_EXISTS,
            _ => Code::OK,
        };
        if !code.is_ok() {
            return Reply::new(code);
        }
        let id = self.new_id();
        let secret = if kind == 3 { self.digits() } else { secret };
        self.volumes[at].protectors.push((id.clone(), kind, secret));
        Reply::new(Code::OK).with("VolumeKeyProtectorID", Value::text(id))
    }

    fn answer(&mut self, at: usize, method: &str, ins: &[(&str, Value)]) -> Reply {
        let (slow_end, stands, pace) = (self.traps.slow_end, self.traps.stands, self.pace);
        let by_drive = by_drive(&self.policies, &self.volumes[at]);
        let volume = &mut self.volumes[at];
        let ok = Reply::new(Code::OK);
        match method {
            "GetConversionStatus" if volume.locked => Reply::new(Code::LOCKED),
            "GetConversionStatus" => {
                if !stands {
                    volume.tick(pace, slow_end);
                }
                ok.with("ConversionStatus", Value::Number(volume.conversion))
                    .with("EncryptionPercentage", Value::Number(volume.share))
                    .with("EncryptionFlags", Value::Number(volume.flags))
            }
            "GetProtectionStatus" => ok.with("ProtectionStatus", Value::Number(volume.protection())),
            "GetEncryptionMethod" if volume.locked => Reply::new(Code::LOCKED),
            "GetEncryptionMethod" => ok.with("EncryptionMethod", Value::Number(volume.method)),
            "GetLockStatus" => ok.with("LockStatus", Value::Number(u32::from(volume.locked))),
            "GetKeyProtectors" if volume.protectors.is_empty() => Reply::new(Code::NOT_ACTIVATED),
            "GetKeyProtectors" => {
                let ids = volume.protectors.iter().map(|one| one.0.clone()).collect();
                ok.with("VolumeKeyProtectorID", Value::List(ids))
            }
            "GetKeyProtectorType" => match find(volume, ins) {
                Some(one) => ok.with("KeyProtectorType", Value::Number(one.1)),
                None => Reply::new(Code::PROTECTOR_NOT_FOUND),
            },
            "GetKeyProtectorNumericalPassword" if volume.locked => Reply::new(Code::LOCKED),
            "GetKeyProtectorNumericalPassword" => match find(volume, ins) {
                Some((_, 3, digits)) => ok.with("NumericalPassword", Value::Text(digits.clone())),
                _ => Reply::new(Code::PROTECTOR_NOT_FOUND),
            },
            "GetHardwareTestStatus" => {
                ok.with("TestStatus", Value::Number(volume.test.0)).with("TestError", Value::Number(volume.test.1.0))
            }
            "GetSuspendCount" if volume.suspended => ok.with("SuspendCount", Value::Number(0)),
            "GetSuspendCount" => Reply::new(Code::NOT_SUPPORTED),
            "PrepareVolume" => {
                volume.forced = number(ins, "ForceEncryptionType");
                let impossible = volume.forced == 2 && !by_drive_forced(&self.policies, &self.volumes[at]);
                if impossible { Reply::new(Code::EDRIVE_FORBIDDEN) } else { ok }
            }
            "ProtectKeyWithNumericalPassword" => self.protect(at, 3, Zeroizing::default()),
            "ProtectKeyWithTPM" => self.protect(at, 1, Zeroizing::default()),
            "ProtectKeyWithTPMAndPIN" => self.protect(at, 4, secret(ins, "PIN")),
            "ProtectKeyWithPassphrase" => self.protect(at, 8, secret(ins, "Passphrase")),
            "ProtectKeyWithExternalKey" => self.protect(at, 2, Zeroizing::default()),
            "GetExternalKeyFileName" => ok.with("FileName", Value::text(key_file(ins))),
            "SaveExternalKeyToFile" => {
                let path = std::path::Path::new(secret(ins, "Path").as_str()).join(key_file(ins));
                let written = std::fs::write(path, [0_u8; 124]);
                Reply::new(if written.is_ok() { Code::OK } else { Code(0x8007_0003) })
            }
            "EncryptAfterHardwareTest" => {
                let code = match () {
                    () if volume.row.kind != Some(VolumeKind::System) => Code::NOT_OS_VOLUME,
                    () if volume.conversion != 0 => Code::NOT_DECRYPTED,
                    () if !(volume.has(1) || volume.has(2) || volume.has(4)) => Code::NO_PROTECTORS_TO_TEST,
                    () => Code::OK,
                };
                if code.is_ok() {
                    volume.test = (2, Code::OK);
                    volume.wished = (number(ins, "EncryptionMethod"), number(ins, "EncryptionFlags"));
                }
                Reply::new(code)
            }
            "Encrypt" => {
                volume.test = (0, Code::OK);
                match volume.conversion {
                    0 => volume.start(number(ins, "EncryptionMethod"), number(ins, "EncryptionFlags"), by_drive),
                    3..=5 => volume.conversion = 2,
                    _ => {}
                }
                ok
            }
            "Decrypt" if volume.auto_unlock_keys => Reply::new(Code::AUTO_UNLOCK),
            "Decrypt" => {
                if volume.conversion != 0 {
                    volume.conversion = 3;
                }
                ok
            }
            "ClearAllAutoUnlockKeys" => {
                volume.auto_unlock_keys = false;
                ok
            }
            "PauseConversion" => {
                volume.conversion = match volume.conversion {
                    2 => 4,
                    3 => 5,
                    other => other,
                };
                ok
            }
            "ResumeConversion" => {
                volume.conversion = match volume.conversion {
                    4 => 2,
                    5 => 3,
                    other => other,
                };
                ok
            }
            "EnableKeyProtectors" if volume.protectors.is_empty() => Reply::new(Code(0x8031_0007)),
            "EnableKeyProtectors" => {
                volume.suspended = false;
                ok
            }
            "DisableKeyProtectors" => {
                volume.suspended = true;
                ok
            }
            "DeleteKeyProtector" if volume.conversion != 0 && volume.protectors.len() == 1 => {
                Reply::new(Code::KEY_REQUIRED)
            }
            "DeleteKeyProtector" => {
                let id = secret(ins, "VolumeKeyProtectorID");
                volume.protectors.retain(|one| one.0 != *id);
                ok
            }
            "DeleteKeyProtectors" => {
                volume.protectors.clear();
                volume.test = (0, Code::OK);
                ok
            }
            _ => Reply::new(Code::NOT_SUPPORTED),
        }
    }
}

fn by_drive(policies: &BTreeMap<(Place, String), u32>, volume: &SimulatedVolume) -> bool {
    volume.forced != 1 && by_drive_forced(policies, volume)
}

fn by_drive_forced(policies: &BTreeMap<(Place, String), u32>, volume: &SimulatedVolume) -> bool {
    let name = format!("{}HardwareEncryption", volume.row.kind.map_or("OS", VolumeKind::policy));
    volume.drive.edrive == Some(true) && policies.get(&(Place::Software, name)) == Some(&1)
}

fn find<'a>(volume: &'a SimulatedVolume, ins: &[(&str, Value)]) -> Option<&'a (String, u32, Zeroizing<String>)> {
    let id = secret(ins, "VolumeKeyProtectorID");
    volume.protectors.iter().find(|one| one.0 == *id)
}

fn key_file(ins: &[(&str, Value)]) -> String {
    format!("{}.BEK", secret(ins, "VolumeKeyProtectorID").trim_matches(['{', '}']))
}

fn number(ins: &[(&str, Value)], name: &str) -> u32 {
    ins.iter().find(|one| one.0 == name).map_or(0, |one| if let Value::Number(number) = one.1 { number } else { 0 })
}

fn secret(ins: &[(&str, Value)], name: &str) -> Zeroizing<String> {
    let found = ins.iter().find(|one| one.0 == name);
    found.map_or_else(Zeroizing::default, |one| {
        if let Value::Text(text) = &one.1 { text.clone() } else { Zeroizing::default() }
    })
}

impl Machine for Simulated {
    fn facts(&mut self) -> Facts {
        self.facts.clone()
    }

    fn drive(&mut self, volume: &str) -> DriveFacts {
        self.volumes.iter().find(|one| one.row.id == volume).map(|one| one.drive.clone()).unwrap_or_default()
    }

    fn volumes(&mut self) -> Result<Vec<Row>> {
        if self.traps.no_rights {
            Err(Error::NoRights)
        } else {
            Ok(self.volumes.iter().map(|one| one.row.clone()).collect())
        }
    }

    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply> {
        self.calls += 1;
        if self.traps.cut.is_some_and(|at| self.calls >= at) {
            return Err(Error::Wmi("no power".to_owned()));
        }
        let at = self.volumes.iter().position(|one| one.row.id == volume).ok_or(Error::NotThere)?;
        match self.traps.refuse.get(method) {
            Some(code) => Ok(Reply::new(*code)),
            None => Ok(self.answer(at, method, ins)),
        }
    }

    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>> {
        Ok(self.policies.get(&(place, name.to_owned())).copied())
    }

    fn set_policy(&mut self, name: &str, value: Option<u32>) -> Result<()> {
        let key = (Place::Software, name.to_owned());
        match value {
            Some(value) => drop(self.policies.insert(key, value)),
            None => drop(self.policies.remove(&key)),
        }
        Ok(())
    }
}

/// In a file a key is a text; these are two words.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::Place;

    type Policies = BTreeMap<(Place, String), u32>;

    pub fn serialize<S: Serializer>(map: &Policies, to: S) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Policies, D::Error> {
        Ok(Vec::<((Place, String), u32)>::deserialize(from)?.into_iter().collect())
    }
}
