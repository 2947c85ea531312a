//! What both forms of `diskutil apfs list` say about one volume.

use drives::judge::{self, Facts, Format, Report};
use model::Args;

use crate::Item;
use crate::bitlocker::yes;

/// One APFS volume. `None`: not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// `disk1s1`.
    pub device: String,
    /// Its name.
    pub name: String,
    /// What it is for: `System`, `Data`, `Preboot` …
    pub roles: Vec<String>,
    /// Where it is mounted.
    pub mount: String,
    /// Whether a person's secret guards it.
    pub filevault: Option<bool>,
    /// Whether it is closed.
    pub locked: Option<bool>,
    /// Whether it is encrypted at all, a secret or none.
    pub encryption: Option<bool>,
    /// Whether a conversion is under way.
    pub converting: bool,
    /// What was said in other words than the known ones.
    pub strange: bool,
    /// Where the recovery key lies.
    pub recovery: Option<&'static str>,
}

/// Volumes that belong to the system and hold nobody's data. They are never encrypted by FileVault, or
/// always, and neither is a finding.
const HELPERS: &[&str] =
    &["preboot", "recovery", "vm", "update", "hardware", "xart", "iscpreboot", "baseband", "installer", "sidecar"];

impl Volume {
    /// Whether it holds nobody's data.
    pub fn is_helper(&self) -> bool {
        let helper = |role: &str| HELPERS.contains(&role.to_lowercase().as_str());
        match self.roles.as_slice() {
            [] => false,
            roles => roles.iter().all(|role| helper(role)),
        }
    }

    /// The item that follows.
    pub fn item(&self) -> Item {
        let facts = Facts { format: Format::OtherEncryption, content: "filevault".to_owned(), ..Facts::default() };
        let judged = match (self.filevault, self.locked) {
            _ if self.strange => judge::report(Report::UnknownWords, Args::new()),
            _ if self.converting => judge::volume(&Facts {
                conversion: Some(judge::Conversion { way: judge::Way::Encrypt, percent: None, ours: false }),
                ..facts
            }),
            (Some(true), Some(true)) => judge::report(Report::FileVaultLocked, Args::new()),
            (Some(true), Some(false)) => judge::report(Report::FileVaultOn, Args::new()),
            (Some(false), _) if self.encryption == Some(true) => judge::report(Report::AtRestOnly, Args::new()),
            (Some(false), _) => judge::report(Report::FileVaultOff, Args::new()),
            _ => judge::report(Report::TooLittle, Args::new()),
        };
        let mut item = Item::new(self.device.clone(), judged)
            .with("name", &self.name)
            .with("mount", &self.mount)
            .with("role", self.roles.join(","));
        for (name, value) in
            [("filevault", self.filevault), ("locked", self.locked), ("encrypted_at_rest", self.encryption)]
        {
            if let Some(value) = value {
                item = item.with(name, yes(value));
            }
        }
        if let Some(recovery) = self.recovery {
            item = item.with("recovery", recovery).with("personal_recovery_key", yes(recovery == "personal"));
        }
        item
    }
}
