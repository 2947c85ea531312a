use zeroize::Zeroizing;

use crate::keys::RecoveryPassword;
use crate::{Code, Error, Machine, Numbers, Protector, ProtectorKind, Reply, Result, Row, Value};

/// One volume of a machine, with the calls of `Win32_EncryptableVolume` as types.
pub struct Volume<'a> {
    machine: &'a mut dyn Machine,
    row: Row,
}

impl<'a> Volume<'a> {
    /// The volume with this DeviceID or letter.
    ///
    /// # Errors
    /// [`Error::NotThere`], and those of [`Machine::volumes`].
    pub fn find(machine: &'a mut dyn Machine, name: &str) -> Result<Self> {
        let letter = name.trim_end_matches('\\');
        let matches = |row: &Row| {
            row.id == name
                || row.letter.as_deref().is_some_and(|own| own.trim_end_matches('\\').eq_ignore_ascii_case(letter))
        };
        let row = machine.volumes()?.into_iter().find(matches).ok_or(Error::NotThere)?;
        Ok(Self { machine, row })
    }

    /// What it is.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The computer.
    pub fn machine(&mut self) -> &mut dyn Machine {
        self.machine
    }

    /// All that it says of itself. What one call refuses is `None`, and nothing else is.
    pub fn numbers(&mut self) -> Numbers {
        let mut numbers = Numbers { kind: self.row.kind, ..Numbers::default() };
        if let Ok(reply) = self.done("GetConversionStatus", &[("PrecisionFactor", Value::Number(4))]) {
            numbers.conversion = number(&reply, "ConversionStatus");
            numbers.share = number(&reply, "EncryptionPercentage");
            numbers.flags = number(&reply, "EncryptionFlags");
        }
        numbers.protection = self.number("GetProtectionStatus", "ProtectionStatus");
        numbers.method = self.number("GetEncryptionMethod", "EncryptionMethod");
        numbers.lock = self.number("GetLockStatus", "LockStatus");
        numbers.protectors = self.protectors().ok();
        if numbers.kind == Some(crate::VolumeKind::System) {
            if let Ok(reply) = self.done("GetHardwareTestStatus", &[]) {
                numbers.test = number(&reply, "TestStatus");
                numbers.test_error = number(&reply, "TestError").map(Code);
            }
            numbers.restarts = self.number("GetSuspendCount", "SuspendCount");
        }
        numbers
    }

    /// Who can open it.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn protectors(&mut self) -> Result<Vec<Protector>> {
        let reply = self.call("GetKeyProtectors", &[("KeyProtectorType", Value::Number(0))])?;
        let ids = match (reply.code, reply.outs.get("VolumeKeyProtectorID")) {
            (Code::NOT_ACTIVATED, _) | (Code::OK, None | Some(Value::Null)) => return Ok(Vec::new()),
            (Code::OK, Some(Value::List(ids))) => ids.clone(),
            (Code::OK, _) => return Err(Error::Strange { method: "GetKeyProtectors" }),
            (code, _) => return Err(Error::Refused { method: "GetKeyProtectors", code }),
        };
        ids.into_iter()
            .map(|id| {
                let reply = self.done("GetKeyProtectorType", &[("VolumeKeyProtectorID", Value::text(id.clone()))])?;
                let kind =
                    number(&reply, "KeyProtectorType").ok_or(Error::Strange { method: "GetKeyProtectorType" })?;
                Ok(Protector { id, kind: ProtectorKind::from_number(kind) })
            })
            .collect()
    }

    /// The 48 digits of a protector. Empty is not an answer.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::BadRecoveryPassword`].
    pub fn recovery_password(&mut self, id: &str) -> Result<RecoveryPassword> {
        let reply = self.done("GetKeyProtectorNumericalPassword", &[("VolumeKeyProtectorID", Value::text(id))])?;
        match reply.outs.get("NumericalPassword") {
            Some(Value::Text(text)) => RecoveryPassword::parse(text),
            _ => Err(Error::BadRecoveryPassword),
        }
    }

    /// Adds a random recovery password; its protector's ID.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn add_recovery_password(&mut self, name: &str) -> Result<String> {
        self.added("ProtectKeyWithNumericalPassword", &[("FriendlyName", Value::text(name))])
    }

    /// Adds the TPM alone. Refused beside a PIN, which it would make worthless.
    ///
    /// # Errors
    /// [`Error::TpmBesidePin`], [`Error::Refused`].
    pub fn add_tpm(&mut self, name: &str) -> Result<String> {
        if self.protectors()?.iter().any(|one| one.kind.asks_beside_tpm()) {
            return Err(Error::TpmBesidePin);
        }
        self.added("ProtectKeyWithTPM", &[("FriendlyName", Value::text(name))])
    }

    /// Adds the TPM with a PIN.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn add_tpm_pin(&mut self, name: &str, pin: &str) -> Result<String> {
        let pin = Value::Text(Zeroizing::new(pin.to_owned()));
        self.added("ProtectKeyWithTPMAndPIN", &[("FriendlyName", Value::text(name)), ("PIN", pin)])
    }

    /// Adds a password.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn add_password(&mut self, name: &str, password: &str) -> Result<String> {
        let password = Value::Text(Zeroizing::new(password.to_owned()));
        self.added("ProtectKeyWithPassphrase", &[("FriendlyName", Value::text(name)), ("Passphrase", password)])
    }

    /// Adds a random start-up key; its file is another call's.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn add_external_key(&mut self, name: &str) -> Result<String> {
        self.added("ProtectKeyWithExternalKey", &[("FriendlyName", Value::text(name))])
    }

    /// Writes a start-up key to a folder, and returns the file's name.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn save_external_key(&mut self, id: &str, folder: &str) -> Result<String> {
        let id = ("VolumeKeyProtectorID", Value::text(id));
        self.done("SaveExternalKeyToFile", &[id.clone(), ("Path", Value::text(folder))])?;
        match self.done("GetExternalKeyFileName", &[id])?.outs.get("FileName") {
            Some(Value::Text(name)) if !name.is_empty() => Ok(name.to_string()),
            _ => Err(Error::Strange { method: "GetExternalKeyFileName" }),
        }
    }

    /// Calls a method and insists on its return value being 0.
    ///
    /// # Errors
    /// [`Error::Refused`], and those of [`Machine::call`].
    pub fn done(&mut self, method: &'static str, ins: &[(&str, Value)]) -> Result<Reply> {
        let reply = self.call(method, ins)?;
        if reply.code.is_ok() { Ok(reply) } else { Err(Error::Refused { method, code: reply.code }) }
    }

    fn call(&mut self, method: &'static str, ins: &[(&str, Value)]) -> Result<Reply> {
        self.machine.call(&self.row.id, method, ins)
    }

    fn number(&mut self, method: &'static str, name: &str) -> Option<u32> {
        self.done(method, &[]).ok().and_then(|reply| number(&reply, name))
    }

    fn added(&mut self, method: &'static str, ins: &[(&str, Value)]) -> Result<String> {
        match self.done(method, ins)?.outs.get("VolumeKeyProtectorID") {
            // On a drive that has not been decided about yet the ID is the word "BitLocker", which is no GUID.
            Some(Value::Text(id)) if !id.is_empty() => Ok(id.to_string()),
            _ => Err(Error::Strange { method }),
        }
    }
}

fn number(reply: &Reply, name: &str) -> Option<u32> {
    match reply.outs.get(name) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    }
}
