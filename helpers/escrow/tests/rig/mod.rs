//! A small store on this computer: Vault's KV engine of version 2 and a place for `PUT` and `GET`, with faults to
//! order. One connection after the other, one question a connection.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    Nothing,
    /// This status, with these words, to everything.
    Status(u16, &'static str),
    /// This status, to what writes alone.
    WriteStatus(u16, &'static str),
    /// After so long.
    Late(Duration),
    /// Ends the connection before it has said anything.
    CutsOff,
    /// Ends it in the middle of the answer to a read.
    CutsInTheMiddle,
    /// Gives other bytes back, of the same length.
    OtherBytes,
    /// Says a number that is not that of what it has written.
    LyingVersion,
    /// Forgets what it has taken.
    Forgets,
    /// Sends to another place.
    Redirects(String),
    /// More than anybody wants to hear.
    Huge,
    /// No JSON.
    Garbage,
    /// Somebody else writes the same name in between.
    Overtaken,
}

/// What it holds, and what it was asked.
#[derive(Default)]
pub struct Inside {
    pub kept: BTreeMap<String, Vec<String>>,
    pub asked: Vec<String>,
    pub wrong: Option<Wrong>,
}

/// The store, until it is dropped with the test.
#[derive(Clone)]
pub struct Rig {
    pub port: u16,
    pub inside: Arc<Mutex<Inside>>,
}

pub const TOKEN: &str = "hvs.rig-token";

impl Rig {
    pub fn start() -> Self {
        Self::over(Some)
    }

    /// With something between the connection and the store: TLS.
    pub fn over<S: Read + Write + 'static>(wrap: impl Fn(TcpStream) -> Option<S> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let rig = Self { port: listener.local_addr().unwrap().port(), inside: Arc::default() };
        let own = rig.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
                if let Some(stream) = wrap(stream) {
                    // A caller that has gone is what some tests are about.
                    let _ = own.serve(stream);
                }
            }
        });
        rig
    }

    pub fn goes_wrong(&self, wrong: Wrong) {
        self.inside.lock().unwrap().wrong = Some(wrong);
    }

    pub fn kept(&self) -> BTreeMap<String, Vec<String>> {
        self.inside.lock().unwrap().kept.clone()
    }

    pub fn asked(&self) -> Vec<String> {
        self.inside.lock().unwrap().asked.clone()
    }

    /// Writes a policy for this store into a folder, with its token.
    pub fn policy(&self, folder: &Path, kind: &str, recipient: &str, required: bool) -> PathBuf {
        let token = folder.join("token");
        std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
        private(&token);
        let address = format!("http://127.0.0.1:{}", self.port);
        let store = match kind {
            "vault" => {
                json!({"vault": {"address": address, "mount": "secret", "path": "it/latchkey", "token_file": token}})
            }
            _ => json!({"https": {"url": format!("{address}/keys"), "token_file": token}}),
        };
        let policy = json!({
            "version": 1, "required": required, "organisation": "Example Ltd", "recipients": [recipient], "store": store,
        });
        let path = folder.join("policy.json");
        std::fs::write(&path, policy.to_string()).unwrap();
        private(&path);
        path
    }

    fn serve(&self, stream: impl Read + Write) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        let mut first = String::new();
        stream.read_line(&mut first)?;
        let (mut length, mut token) = (0, String::new());
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap(),
                "x-vault-token" => value.clone_into(&mut token),
                "authorization" => value.strip_prefix("Bearer ").unwrap_or_default().clone_into(&mut token),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let wrong = {
            let mut inside = self.inside.lock().unwrap();
            inside.asked.push(format!("{method} {path}"));
            inside.wrong.clone().unwrap_or(Wrong::Nothing)
        };
        let writes = method != "GET";
        match &wrong {
            Wrong::Late(time) => std::thread::sleep(*time),
            Wrong::CutsOff => return Ok(()),
            _ => {}
        }
        let (status, more, text) = match &wrong {
            Wrong::Status(status, said) => (*status, String::new(), (*said).to_owned()),
            Wrong::WriteStatus(status, said) if writes => (*status, String::new(), (*said).to_owned()),
            Wrong::Redirects(to) => (307, format!("Location: {to}{path}\r\n"), String::new()),
            Wrong::Huge => (200, String::new(), "x".repeat(400 << 10)),
            Wrong::Garbage => (200, String::new(), "<html>It works!</html>".to_owned()),
            _ if token != TOKEN => (403, String::new(), r#"{"errors":["permission denied"]}"#.to_owned()),
            wrong => match path.strip_prefix("/v1/secret/data/") {
                Some(name) => self.vault(method, name, &body, wrong),
                None if path.starts_with("/keys/") => self.endpoint(method, path, &body, wrong),
                None => (404, String::new(), r#"{"errors":["no handler for route"]}"#.to_owned()),
            },
        };
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", text.len());
        let stream = stream.get_mut();
        stream.write_all(head.as_bytes())?;
        let half = if wrong == Wrong::CutsInTheMiddle && !writes { text.len() / 2 } else { text.len() };
        stream.write_all(&text.as_bytes()[..half])?;
        stream.flush()
    }

    fn vault(&self, method: &str, name: &str, body: &[u8], wrong: &Wrong) -> (u16, String, String) {
        let mut inside = self.inside.lock().unwrap();
        let (name, version) = name.split_once("?version=").map_or((name, None), |(name, v)| (name, v.parse().ok()));
        let answer = |status, answer: Value| (status, String::new(), answer.to_string());
        let versions = inside.kept.entry(name.to_owned()).or_default();
        if method == "POST" {
            let asked: Value = serde_json::from_slice(body).unwrap();
            if *wrong == Wrong::Overtaken {
                versions.push("of somebody else".to_owned());
            }
            if asked["options"]["cas"] != json!(versions.len()) {
                return answer(400, json!({"errors": ["check-and-set parameter did not match the current version"]}));
            }
            versions.push(asked["data"]["age"].as_str().unwrap().to_owned());
            let told = versions.len() + usize::from(*wrong == Wrong::LyingVersion) * 40;
            return answer(
                200,
                json!({"data": {"version": told, "created_time": "2026-12-03T10:11:12.1Z", "destroyed": false}}),
            );
        }
        let which: usize = version.unwrap_or(versions.len());
        let found = which.checked_sub(1).and_then(|at| versions.get(at)).cloned();
        match found {
            Some(_) if *wrong == Wrong::Forgets => answer(404, json!({"errors": []})),
            Some(text) => {
                let text = if *wrong == Wrong::OtherBytes { other(&text) } else { text };
                answer(200, json!({"data": {"data": {"age": text}, "metadata": {"version": which}}}))
            }
            None => {
                inside.kept.retain(|_, versions| !versions.is_empty());
                answer(404, json!({"errors": []}))
            }
        }
    }

    fn endpoint(&self, method: &str, path: &str, body: &[u8], wrong: &Wrong) -> (u16, String, String) {
        let mut inside = self.inside.lock().unwrap();
        if method == "PUT" {
            let text = String::from_utf8(body.to_vec()).unwrap();
            inside.kept.insert(path.to_owned(), vec![text]);
            return (201, "ETag: \"e-1\"\r\n".to_owned(), String::new());
        }
        match inside.kept.get(path) {
            Some(_) if *wrong == Wrong::Forgets => (404, String::new(), String::new()),
            Some(kept) if *wrong == Wrong::OtherBytes => (200, String::new(), other(&kept[0])),
            Some(kept) => (200, String::new(), kept[0].clone()),
            None => (404, String::new(), String::new()),
        }
    }
}

/// The same but for one letter.
fn other(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] = if bytes[middle] == b'A' { b'B' } else { b'A' };
    String::from_utf8(bytes).unwrap()
}

pub fn private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = path;
}
