//! What polkit is asked for: an action for each verb, with a sentence of its own.

use texts::{Key, Language, Texts, keys};

/// An action of polkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Facts of all drives.
    Look,
    /// The conditions for the system's drive.
    Check,
    /// How it stands.
    Status,
    /// Header, hooks and the test start's entry.
    Stage,
    /// Trying a copy of the recovery key.
    ExportProof,
    /// Going on from a header that was made and proven.
    Begin,
    /// A stop that resumes.
    Pause,
    /// And on.
    Resume,
    /// Taking back what can be taken back at once.
    Undo,
    /// The way back to plain.
    Decrypt,
    /// Overwriting a stick.
    WriteStick,
    /// Reading a disk at full speed.
    Benchmark,
}

/// Who is asked for what by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Default {
    /// Whoever sits in front of the computer; others must be administrators.
    InFrontOfIt,
    /// An administrator, who is asked once in a while.
    AdministratorKept,
    /// An administrator, who is asked each time.
    Administrator,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Look,
        Self::Check,
        Self::Status,
        Self::Stage,
        Self::ExportProof,
        Self::Begin,
        Self::Pause,
        Self::Resume,
        Self::Undo,
        Self::Decrypt,
        Self::WriteStick,
        Self::Benchmark,
    ];

    /// Its id for polkit.
    pub fn id(self) -> &'static str {
        match self {
            Self::Look => "io.github.latchkey.look",
            Self::Check => "io.github.latchkey.check",
            Self::Status => "io.github.latchkey.status",
            Self::Stage => "io.github.latchkey.stage",
            Self::ExportProof => "io.github.latchkey.export-proof",
            Self::Begin => "io.github.latchkey.begin",
            Self::Pause => "io.github.latchkey.pause",
            Self::Resume => "io.github.latchkey.resume",
            Self::Undo => "io.github.latchkey.undo",
            Self::Decrypt => "io.github.latchkey.decrypt",
            Self::WriteStick => "io.github.latchkey.write-rescue-stick",
            Self::Benchmark => "io.github.latchkey.benchmark",
        }
    }

    fn sentence(self) -> Key {
        match self {
            Self::Look => keys::SERVICE_ACTION_LOOK,
            Self::Check => keys::SERVICE_ACTION_CHECK,
            Self::Status => keys::SERVICE_ACTION_STATUS,
            Self::Stage => keys::SERVICE_ACTION_STAGE,
            Self::ExportProof => keys::SERVICE_ACTION_EXPORT_PROOF,
            Self::Begin => keys::SERVICE_ACTION_BEGIN,
            Self::Pause => keys::SERVICE_ACTION_PAUSE,
            Self::Resume => keys::SERVICE_ACTION_RESUME,
            Self::Undo => keys::SERVICE_ACTION_UNDO,
            Self::Decrypt => keys::SERVICE_ACTION_DECRYPT,
            Self::WriteStick => keys::SERVICE_ACTION_WRITE_STICK,
            Self::Benchmark => keys::SERVICE_ACTION_BENCHMARK,
        }
    }

    fn default(self) -> Default {
        match self {
            // They tell how far it is, or make nothing less safe: going on wants the password by itself.
            Self::Status | Self::Check | Self::Pause | Self::Resume => Default::InFrontOfIt,
            Self::Look | Self::Benchmark | Self::ExportProof | Self::Begin => Default::AdministratorKept,
            Self::Stage | Self::Undo | Self::Decrypt | Self::WriteStick => Default::Administrator,
        }
    }

    /// Actions that come with it, so that one way is not asked about twice.
    fn implies(self) -> &'static [Self] {
        match self {
            Self::Stage => &[Self::ExportProof, Self::Begin],
            _ => &[],
        }
    }
}

/// polkit's file with all actions, in all languages of the catalogue.
pub fn policy() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE policyconfig PUBLIC \"-//freedesktop//DTD PolicyKit Policy Configuration 1.0//EN\"\n \
         \"http://www.freedesktop.org/standards/PolicyKit/1.0/policyconfig.dtd\">\n\
         <!-- Made from the catalogue: see `action.rs`. -->\n\
         <policyconfig>\n  <vendor>Latchkey</vendor>\n",
    );
    for action in Action::ALL {
        text.push_str(&format!("  <action id=\"{}\">\n", action.id()));
        for element in ["description", "message"] {
            for language in Language::ALL {
                let attribute = match language {
                    Language::English => String::new(),
                    other => format!(" xml:lang=\"{}\"", other.tag()),
                };
                let sentence = escaped(&Texts::new(language).plain(action.sentence()));
                text.push_str(&format!("    <{element}{attribute}>{sentence}</{element}>\n"));
            }
        }
        let (others, here) = match action.default() {
            Default::InFrontOfIt => ("auth_admin_keep", "yes"),
            Default::AdministratorKept => ("auth_admin_keep", "auth_admin_keep"),
            Default::Administrator => ("auth_admin", "auth_admin"),
        };
        text.push_str(&format!(
            "    <defaults>\n      <allow_any>{others}</allow_any>\n      \
             <allow_inactive>{others}</allow_inactive>\n      <allow_active>{here}</allow_active>\n    </defaults>\n"
        ));
        if !action.implies().is_empty() {
            let ids: Vec<&str> = action.implies().iter().map(|action| action.id()).collect();
            text.push_str(&format!(
                "    <annotate key=\"org.freedesktop.policykit.imply\">{}</annotate>\n",
                ids.join(" ")
            ));
        }
        text.push_str("  </action>\n");
    }
    text.push_str("</policyconfig>\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/dist/io.github.latchkey.policy");

    #[test]
    fn the_file_is_what_the_catalogue_says() {
        if std::env::var_os("LATCHKEY_WRITE_POLICY").is_some() {
            std::fs::write(FILE, policy()).unwrap();
        }
        let file = std::fs::read_to_string(FILE).unwrap();
        assert!(file == policy(), "make it anew: LATCHKEY_WRITE_POLICY=1 cargo test -p service");
    }

    #[test]
    fn each_verb_has_a_sentence_of_its_own() {
        for language in Language::ALL {
            let texts = Texts::new(language);
            let said: std::collections::HashSet<String> =
                Action::ALL.iter().map(|action| texts.plain(action.sentence())).collect();
            assert_eq!(said.len(), Action::ALL.len());
        }
    }

    /// Nothing that changes a drive is open to whoever happens to sit there.
    #[test]
    fn what_changes_a_drive_asks_an_administrator() {
        for action in [Action::Stage, Action::Begin, Action::Undo, Action::Decrypt, Action::WriteStick] {
            assert_ne!(action.default(), Default::InFrontOfIt, "{action:?}");
        }
    }
}
