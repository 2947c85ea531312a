//! This computer, through WMI and the registry.

use std::collections::HashMap;

use windows::Win32::Foundation::{ERROR_FILE_NOT_FOUND, ERROR_SUCCESS};
use wmi::{AuthLevel, Variant, WMIConnection, WMIError, WMIResult};
use zeroize::Zeroizing;

use crate::{Code, DriveFacts, Edition, Error, Facts, Machine, Place, Reply, Result, Row, Tpm, Value, VolumeKind};

mod registry;

const BITLOCKER: &str = r"ROOT\CIMV2\Security\MicrosoftVolumeEncryption";
const TPM: &str = r"ROOT\CIMV2\Security\MicrosoftTpm";
const CLASS: &str = "Win32_EncryptableVolume";
const POLICIES: &str = r"SOFTWARE\Policies\Microsoft\FVE";
const OTHER_POLICIES: &str = r"SYSTEM\CurrentControlSet\Policies\Microsoft\FVE";

/// The computer that this program runs on. It stays on the thread that opened it, as COM wants it.
pub struct Real {
    connection: WMIConnection,
}

impl Real {
    /// Opens the way to BitLocker. Windows lets administrators only.
    ///
    /// # Errors
    /// [`Error::NoRights`], [`Error::NotThere`], [`Error::Wmi`].
    pub fn open() -> Result<Self> {
        let connection = WMIConnection::with_namespace_path(BITLOCKER).map_err(not_reached)?;
        // The provider answers encrypted connections only.
        connection.set_proxy_blanket(AuthLevel::PktPrivacy).map_err(not_reached)?;
        Ok(Self { connection })
    }

    fn exec(&self, volume: &str, method: &str, ins: &[(&str, Value)]) -> WMIResult<Reply> {
        let class = self.connection.get_object(CLASS)?;
        let parameters = match class.get_method(method)? {
            None => None,
            Some(signature) => {
                let instance = signature.spawn_instance()?;
                for (name, value) in ins {
                    match value {
                        Value::Null => {}
                        Value::Bool(value) => instance.put_property(name, *value)?,
                        Value::Number(value) => instance.put_property(name, *value)?,
                        Value::Text(text) => instance.put_property(name, text.as_str())?,
                        Value::List(list) => instance.put_property(name, list.clone())?,
                    }
                }
                Some(instance)
            }
        };
        let output = self.connection.exec_method(path_of(volume), method, parameters.as_ref())?;
        let Some(output) = output else { return Ok(Reply::new(Code::OK)) };
        let mut reply = Reply::new(Code::OK);
        for name in output.list_properties()? {
            let value = value_of(output.get_property(&name)?);
            match (name.as_str(), value) {
                ("ReturnValue", Value::Number(code)) => reply.code = Code(code),
                (_, value) => drop(reply.outs.insert(name, value)),
            }
        }
        Ok(reply)
    }
}

impl Machine for Real {
    fn facts(&mut self) -> Facts {
        let system = WMIConnection::new().ok();
        let sku =
            system.as_ref().and_then(|system| first(system, "SELECT OperatingSystemSKU FROM Win32_OperatingSystem"));
        let sku = sku.and_then(|row| number(row.get("OperatingSystemSKU")));
        Facts {
            edition: sku.map(edition),
            uefi: registry::firmware_is_uefi(),
            secure_boot: registry::number(
                r"SYSTEM\CurrentControlSet\Control\SecureBoot\State",
                "UEFISecureBootEnabled",
            )
            .ok()
            .flatten()
            .map(|on| on == 1),
            tpm: tpm(),
            upgraded: registry::has_key_beginning(r"SYSTEM\Setup", "Source OS"),
        }
    }

    fn drive(&mut self, volume: &str) -> DriveFacts {
        registry::drive_of(volume)
    }

    fn volumes(&mut self) -> Result<Vec<Row>> {
        let query = "SELECT * FROM Win32_EncryptableVolume";
        let rows: Vec<HashMap<String, Variant>> = self.connection.raw_query(query).map_err(not_reached)?;
        Ok(rows
            .iter()
            .filter_map(|row| {
                Some(Row {
                    id: text(row.get("DeviceID"))?,
                    letter: text(row.get("DriveLetter")),
                    kind: number(row.get("VolumeType")).and_then(VolumeKind::from_number),
                })
            })
            .collect())
    }

    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply> {
        self.exec(volume, method, ins).map_err(not_reached)
    }

    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>> {
        let key = match place {
            Place::Software => POLICIES,
            Place::System => OTHER_POLICIES,
        };
        registry::number(key, name)
    }

    fn set_policy(&mut self, name: &str, value: Option<u32>) -> Result<()> {
        registry::set(POLICIES, name, value)
    }
}

/// `Win32_EncryptableVolume.DeviceID="…"`, with the backslashes doubled as WMI's paths want them.
fn path_of(volume: &str) -> String {
    let escaped = volume.replace('\\', r"\\").replace('"', "\\\"");
    format!("{CLASS}.DeviceID=\"{escaped}\"")
}

fn tpm() -> Option<Option<Tpm>> {
    let connection = WMIConnection::with_namespace_path(TPM).ok()?;
    connection.set_proxy_blanket(AuthLevel::PktPrivacy).ok()?;
    let rows: Vec<HashMap<String, Variant>> = connection.raw_query("SELECT * FROM Win32_Tpm").ok()?;
    let Some(row) = rows.into_iter().next() else { return Some(None) };
    let on = |name: &str| matches!(row.get(name), Some(Variant::Bool(true)));
    let version = text(row.get("SpecVersion")).unwrap_or_default();
    let version = version.split(',').next().unwrap_or_default().trim().to_owned();
    let ready = on("IsEnabled_InitialValue") && on("IsActivated_InitialValue");
    let locked_out = connection.exec_method("Win32_Tpm=@", "IsLockedOut", None).ok().flatten();
    let locked_out = locked_out.and_then(|output| match output.get_property("IsLockedOut").ok()? {
        Variant::Bool(locked) => Some(locked),
        _ => None,
    });
    Some(Some(Tpm { ready, version, locked_out }))
}

/// `OperatingSystemSKU`: the numbers of the Home editions (`PRODUCT_CORE` and its kin, `PRODUCT_HOME_*`).
fn edition(sku: u32) -> Edition {
    match sku {
        2 | 3 | 5 | 11 | 26 | 98..=101 => Edition::Home,
        _ => Edition::Full,
    }
}

fn first(connection: &WMIConnection, query: &str) -> Option<HashMap<String, Variant>> {
    let rows: Vec<HashMap<String, Variant>> = connection.raw_query(query).ok()?;
    rows.into_iter().next()
}

fn value_of(variant: Variant) -> Value {
    if let Some(value) = number(Some(&variant)) {
        return Value::Number(value);
    }
    match variant {
        Variant::Bool(value) => Value::Bool(value),
        Variant::String(text) => Value::Text(Zeroizing::new(text)),
        Variant::Array(list) => Value::List(
            list.into_iter()
                .filter_map(|one| if let Variant::String(text) = one { Some(text) } else { None })
                .collect(),
        ),
        _ => Value::Null,
    }
}

/// COM hands unsigned numbers over as signed ones of the same bits.
fn number(variant: Option<&Variant>) -> Option<u32> {
    match variant? {
        Variant::I4(value) => Some(value.cast_unsigned()),
        Variant::UI4(value) => Some(*value),
        Variant::UI2(value) => Some(u32::from(*value)),
        Variant::UI1(value) => Some(u32::from(*value)),
        Variant::I2(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn text(variant: Option<&Variant>) -> Option<String> {
    match variant? {
        Variant::String(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}

/// The call did not get there. Whoever has no rights is told so by several names.
fn not_reached(error: WMIError) -> Error {
    let code = match &error {
        WMIError::HResultError { hres } => hres.cast_unsigned(),
        _ => 0,
    };
    match code {
        0x8004_1003 | 0x8007_0005 => Error::NoRights,
        // WBEM_E_INVALID_NAMESPACE, _INVALID_CLASS, _NOT_FOUND
        0x8004_100E | 0x8004_1010 | 0x8004_1002 => Error::NotThere,
        _ => Error::Wmi(error.to_string()),
    }
}

/// An answer of the registry; "no such value" is one.
pub(super) fn found(status: windows::Win32::Foundation::WIN32_ERROR) -> Result<bool> {
    match status {
        ERROR_SUCCESS => Ok(true),
        ERROR_FILE_NOT_FOUND => Ok(false),
        windows::Win32::Foundation::ERROR_ACCESS_DENIED => Err(Error::NoRights),
        other => Err(Error::Wmi(format!("registry: {}", other.0))),
    }
}

/// `STORAGE_DEVICE_DESCRIPTOR`: offsets of the model and the firmware's version, and the bus. 8 is RAID.
fn describe(bytes: &[u8], facts: &mut DriveFacts) {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes);
    let text = |at: u32| {
        let from = usize::try_from(at).ok().filter(|at| *at > 0)?;
        let rest = bytes.get(from..)?;
        let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        Some(String::from_utf8_lossy(&rest[..end]).trim().to_owned())
    };
    let (vendor, product, revision, bus) = (word(12), word(16), word(20), word(28));
    let vendor = text(vendor).filter(|vendor| vendor != "ATA" && vendor != "NVMe").unwrap_or_default();
    facts.model = format!("{vendor} {}", text(product).unwrap_or_default()).trim().to_owned();
    facts.firmware = text(revision).unwrap_or_default();
    facts.raid = (bytes.len() >= 32 && bus != 0).then_some(bus == 8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_of_any_bytes_is_read_without_harm() {
        let mut bytes = vec![0_u8; 64];
        bytes[16..20].copy_from_slice(&36_u32.to_le_bytes());
        bytes[20..24].copy_from_slice(&50_u32.to_le_bytes());
        bytes[28..32].copy_from_slice(&8_u32.to_le_bytes());
        bytes[36..43].copy_from_slice(b"SSD 850");
        bytes[50..54].copy_from_slice(b"EMT0");
        let mut facts = DriveFacts::default();
        describe(&bytes, &mut facts);
        assert_eq!((facts.model.as_str(), facts.firmware.as_str(), facts.raid), ("SSD 850", "EMT0", Some(true)));
        for byte in 0..=255_u8 {
            for length in 0..40 {
                describe(&vec![byte; length], &mut facts);
            }
        }
    }

    #[test]
    fn paths_and_numbers() {
        let path = path_of(r"\\?\Volume{a}\");
        assert_eq!(path, r#"Win32_EncryptableVolume.DeviceID="\\\\?\\Volume{a}\\""#);
        assert_eq!(number(Some(&Variant::I4(-2_144_272_376))), Some(0x8031_0008));
        assert_eq!((edition(101), edition(48)), (Edition::Home, Edition::Full));
    }

    /// Wine has no BitLocker; a Windows without administrator rights refuses. Neither is a panic.
    #[test]
    fn where_there_is_no_bitlocker_that_is_what_is_said() {
        match Real::open().map(|mut real| real.volumes()) {
            Ok(Ok(rows)) => eprintln!("this is a Windows with {} volumes", rows.len()),
            Ok(Err(error)) | Err(error) => {
                assert!(matches!(error, Error::NoRights | Error::NotThere | Error::Wmi(_)), "{error:?}");
            }
        }
    }
}
