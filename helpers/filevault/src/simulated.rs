use plist::Value;

use crate::status::dictionary;
use crate::{DISKUTIL, FDESETUP, Output, Result, SYSADMINCTL, SYSCTL, Tools};

/// A Mac that behaves as its manual pages say, with the traps that people met.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// FileVault is on.
    pub on: bool,
    /// The personal key that opens it.
    pub key: Option<String>,
    /// Accounts: name, password, secure token.
    pub users: Vec<(String, String, bool)>,
    /// Whose login it waits for.
    pub deferred: Option<String>,
    /// Apple silicon.
    pub arm: bool,
    /// What goes wrong.
    pub traps: Traps,
    /// All arguments that were ever given: none may be a secret.
    pub words: Vec<String>,
    made: u32,
}

/// What goes wrong.
#[derive(Clone, Debug, Default)]
pub struct Traps {
    /// The key that is printed is not the one that opens.
    pub other_key: bool,
    /// A placeholder is printed for a key.
    pub placeholder: bool,
    /// The tool prints the key and then hangs.
    pub hangs: bool,
    /// The old key is void and none is printed.
    pub loses_key: bool,
    /// The exit code of enabling.
    pub exit: Option<i32>,
}

impl Simulated {
    /// A Mac of one person, FileVault off.
    pub fn mac() -> Self {
        Self {
            on: false,
            key: None,
            users: vec![("anna".to_owned(), "secret".to_owned(), true)],
            deferred: None,
            arm: true,
            traps: Traps::default(),
            words: Vec::new(),
            made: 0,
        }
    }

    fn new_key(&mut self) -> String {
        self.made += 1;
        format!("ABCD-EFGH-IJKL-MNOP-QRST-{:04}", self.made)
    }

    fn login(&self, input: Option<&[u8]>) -> bool {
        let list = input.and_then(dictionary);
        let text =
            |name: &str| list.as_ref().and_then(|list| list.get(name)).and_then(Value::as_string).map(str::to_owned);
        let (user, password) = (text("Username"), text("Password"));
        self.users.iter().any(|own| Some(&own.0) == user.as_ref() && Some(&own.1) == password.as_ref())
    }

    fn print(&mut self, key: Option<String>) -> Output {
        let shown = match key {
            _ if self.traps.loses_key => None,
            Some(_) if self.traps.placeholder => Some("WWWW-XXXX-YYYY-ZZZZ".to_owned()),
            Some(_) if self.traps.other_key => Some("OLD1-OLD2-OLD3-OLD4-OLD5-OLD6".to_owned()),
            key => key,
        };
        let key = shown.map(|key| format!("<key>RecoveryKey</key><string>{key}</string>")).unwrap_or_default();
        let mut output = Output::new(0, xml(&format!("<key>EnabledUser</key><string>anna</string>{key}")));
        if self.traps.hangs {
            output.code = None;
        }
        output
    }

    fn fdesetup(&mut self, words: &[&str], input: Option<&[u8]>) -> Output {
        match words {
            ["status"] => {
                let deferred = self.deferred.as_ref();
                let more =
                    deferred.map(|user| format!("Deferred enablement appears to be active for user '{user}'.\n"));
                let on = if self.on { "On" } else { "Off" };
                Output::new(0, format!("FileVault is {on}.\n{}", more.unwrap_or_default()))
            }
            ["enable", "-inputplist", ..] => match self.traps.exit {
                Some(code) => Output::new(code, ""),
                None if self.on => Output::new(24, ""),
                None if !self.login(input) => Output::new(11, ""),
                None => {
                    self.on = true;
                    self.deferred = None;
                    // A key of earlier stays, and no new one is made.
                    let key = if self.key.is_some() { None } else { Some(self.new_key()) };
                    self.key = self.key.take().or_else(|| key.clone());
                    self.print(key)
                }
            },
            ["enable", "-user", user, ..] => {
                self.deferred = Some((*user).to_owned());
                Output::new(0, "")
            }
            ["changerecovery", ..] if !self.login(input) => Output::new(11, ""),
            ["changerecovery", ..] => {
                let key = self.new_key();
                self.key = Some(key.clone());
                self.print(Some(key))
            }
            ["validaterecovery", "-inputplist"] => {
                let list = input.and_then(dictionary);
                let told = list.as_ref().and_then(|list| list.get("Password")).and_then(Value::as_string);
                Output::new(0, if told.is_some() && told == self.key.as_deref() { "true\n" } else { "false\n" })
            }
            ["disable", ..] if !self.login(input) => Output::new(11, ""),
            ["disable", ..] => {
                self.on = false;
                Output::new(0, "")
            }
            _ => Output::new(13, ""),
        }
    }
}

impl Tools for Simulated {
    fn run(&mut self, program: &str, words: &[&str], input: Option<&[u8]>) -> Result<Output> {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
        Ok(match (program, words) {
            (FDESETUP, words) => self.fdesetup(words, input),
            (SYSCTL, ["-n", "hw.optional.arm64"]) => Output::new(0, if self.arm { "1\n" } else { "0\n" }),
            (SYSCTL, _) => Output::new(0, "MacBookPro11,1\n"),
            (SYSADMINCTL, [_, user]) => {
                let token = self.users.iter().any(|own| own.0 == *user && own.2);
                let word = if token { "ENABLED" } else { "DISABLED" };
                Output { err: format!("Secure token is {word} for user {user}\n"), ..Output::new(0, "") }
            }
            (DISKUTIL, ["info", ..]) => {
                let flag = if self.on { "<true/>" } else { "<false/>" };
                Output::new(
                    0,
                    xml(&format!("<key>FilesystemType</key><string>apfs</string><key>FileVault</key>{flag}")),
                )
            }
            (DISKUTIL, ["apfs", "listCryptoUsers", ..]) => {
                let user =
                    "<dict><key>APFSCryptoUserUUID</key><string>EBC6C064-0000-11AA-AA11-00306543ECAC</string></dict>";
                let users = if self.key.is_some() { user } else { "" };
                Output::new(0, xml(&format!("<key>Users</key><array>{users}</array>")))
            }
            _ => Output::new(0, ""),
        })
    }
}

fn xml(body: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>{body}</dict></plist>")
}
