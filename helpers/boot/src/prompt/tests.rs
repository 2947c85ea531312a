use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use super::*;

fn own(text: &str) -> Settings {
    Settings { text: Text::Own(Words::parse(text).unwrap()), echo: Echo::Distribution }
}

fn decoy() -> Settings {
    Settings { text: Text::Decoy(Decoy::NoSystem), echo: Echo::None }
}

fn silent() -> Settings {
    Settings { text: Text::Distribution, echo: Echo::None }
}

#[test]
fn words_that_no_prompt_can_say_are_refused() {
    for text in ["Found? Please call 030 123456", "Größe: 5 µm", "it's 'mine' $(reboot) `x` \"\" %s ; &", "~"] {
        assert_eq!(Words::parse(&format!(" {text} ")).unwrap().as_str(), text);
    }
    assert_eq!(Words::parse(" \t"), Err(Refusal::TextEmpty));
    assert_eq!(Words::parse(&"ü".repeat(80)), Err(Refusal::TextLong { length: 80 }));
    assert!(Words::parse(&"ü".repeat(79)).is_ok());
    for (text, character) in [
        ("two\nlines", '\n'),
        ("a\\nb", '\\'),
        ("\u{1b}[2J", '\u{1b}'),
        ("a\u{9b}2J", '\u{9b}'),
        ("a\u{202e}b", '\u{202e}'),
        ("Ключ", 'К'),
        ("soft\u{ad}", '\u{ad}'),
        ("--version", '-'),
    ] {
        assert_eq!(Words::parse(text), Err(Refusal::TextCharacter { character }), "{text:?}");
    }
    let key = recovery::RecoveryKey::generate().unwrap();
    let written = String::from_utf8(key.secret().expose().to_vec()).unwrap();
    assert_eq!(Words::parse(&written), Err(Refusal::TextSecret));
}

#[test]
fn a_script_says_what_it_was_made_for() {
    for settings in [own("it's 'mine'"), own("''"), decoy(), silent()] {
        let script = settings.script().unwrap();
        assert_eq!(Settings::of(&script), Found::Ours(settings));
        assert_eq!(Settings::of(&format!("{script}\n")), Found::Edited);
        assert_eq!(Settings::of(&script.replace("text=", "text=x")), Found::Edited);
    }
    assert_eq!(Settings::default().script(), None);
    for nonsense in ["", "text=own", "text=own\necho=none\nwords='", "text=own\necho=none\nwords='\u{1b}'"] {
        assert_eq!(Settings::of(nonsense), Found::Edited, "{nonsense:?}");
    }
    for decoy in Decoy::ALL {
        assert_eq!(Decoy::named(decoy.name()), Some(decoy));
        assert!(Words::parse(decoy.line()).is_ok());
    }
}

/// The initramfs, as far as the script sees it: `askpass` says what it was asked with and answers from a file of
/// answers, a line each; plymouth is there or not, and goes or stays.
struct Start {
    folder: tempfile::TempDir,
}

/// What came of a run.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// What cryptsetup gets.
    secret: Vec<u8>,
    /// What `askpass` was called with, each time.
    asked: Vec<String>,
}

const ASKPASS: &str = "#!/bin/sh
[ $# = 1 ] || exit 9
printf '%s\\0' \"$1\" >> HERE/asked
answers=$(wc -l < HERE/answers)
[ \"$answers\" -gt 0 ] || exit 1
line=$(head -n 1 HERE/answers)
tail -n +2 HERE/answers > HERE/rest
mv HERE/rest HERE/answers
[ \"$line\" != fails ] || exit 1
printf %s \"$line\"
";

const PLYMOUTH: &str = "#!/bin/sh
case \"$1\" in
--ping) [ -e HERE/picture ] ;;
quit) [ -e HERE/stays ] || rm HERE/picture ;;
*) exit 9 ;;
esac
";

impl Start {
    fn new() -> Self {
        let start = Self { folder: tempfile::tempdir().unwrap() };
        start.program("askpass", ASKPASS);
        start
    }

    fn here(&self) -> &Path {
        self.folder.path()
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.here().join(name);
        fs::write(&path, text.replace("HERE", &self.here().display().to_string())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn with_picture(self) -> Self {
        self.program("plymouth", PLYMOUTH);
        fs::write(self.here().join("picture"), "").unwrap();
        self
    }

    /// The script with its programs here instead of in the initramfs.
    fn script(&self, script: &str) -> std::path::PathBuf {
        let here = self.here().display();
        let path = self.here().join("prompt");
        let script = script
            .replace("ask=/lib/cryptsetup/askpass", &format!("ask={here}/askpass"))
            .replace("picture=/bin/plymouth", &format!("picture={here}/plymouth"));
        assert!(!script.contains("=/lib/") && !script.contains("=/bin/"));
        fs::write(&path, script).unwrap();
        path
    }

    fn run(&self, shell: &[&str], script: &str, tried: Option<&str>, answers: &str) -> Said {
        fs::write(self.here().join("answers"), answers).unwrap();
        let _ = fs::remove_file(self.here().join("asked"));
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).arg(self.script(script)).arg("none").stdin(Stdio::null()).stderr(Stdio::null());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("CRYPTTAB_NAME", "vda2_crypt");
        if let Some(tried) = tried {
            command.env("CRYPTTAB_TRIED", tried);
        }
        let output = command.output().unwrap();
        let asked = fs::read_to_string(self.here().join("asked")).unwrap_or_default();
        Said { secret: output.stdout, asked: asked.split_terminator('\0').map(str::to_owned).collect() }
    }
}

/// The shells that are here: the initramfs has busybox's.
fn shells() -> Vec<Vec<&'static str>> {
    let all: [&[&str]; 2] = [&["/usr/bin/dash"], &["/usr/bin/busybox", "sh"]];
    let there: Vec<Vec<&str>> =
        all.into_iter().filter(|shell| Path::new(shell[0]).exists()).map(<[&str]>::to_vec).collect();
    assert!(!there.is_empty(), "neither dash nor busybox is here");
    if there.len() < all.len() {
        println!("left out: one of dash and busybox");
    }
    there
}

const USUAL: &str = "Please unlock disk vda2_crypt: ";

fn said(secret: &str, asked: &[&str]) -> Said {
    Said { secret: secret.into(), asked: asked.iter().map(|words| (*words).to_owned()).collect() }
}

#[test]
fn the_words_on_the_console() {
    for shell in shells() {
        let start = Start::new();
        let run =
            |settings: &Settings, tried, answers: &str| start.run(&shell, &settings.script().unwrap(), tried, answers);
        let text = "it's 'mine' $(reboot) `x` \"\" %s $HOME";
        let words = format!("{text}\\n{USUAL}");
        for tried in [None, Some("0"), Some("2")] {
            assert_eq!(run(&own(text), tried, "secret\n"), said("secret", &[&words]));
            assert_eq!(run(&silent(), tried, "secret\n"), said("secret", &[USUAL]));
        }
        // Enter alone is a try like any other.
        assert_eq!(run(&own(text), None, "\n"), said("", &[&words]));
        assert_eq!(run(&own(text), None, "fails\nsecret\n"), said("secret", &[&words, USUAL]));
    }
}

#[test]
fn the_decoy_gives_way() {
    for shell in shells() {
        let start = Start::new();
        let script = decoy().script().unwrap();
        let run = |tried, answers: &str| start.run(&shell, &script, tried, answers);
        let line = format!("{}\\n", Decoy::NoSystem.line());
        assert_eq!(run(Some("0"), "secret\n"), said("secret", &[&line]));
        assert_eq!(run(None, "  two %s words \\n \n"), said("  two %s words \\n ", &[&line]));
        assert_eq!(run(Some("0"), "\nsecret\n"), said("secret", &[&line, USUAL]));
        assert_eq!(run(Some("0"), "fails\nsecret\n"), said("secret", &[&line, USUAL]));
        for tried in ["1", "2", "nonsense"] {
            assert_eq!(run(Some(tried), "secret\n"), said("secret", &[USUAL]));
        }
    }
}

#[test]
fn the_words_in_the_picture() {
    for shell in shells() {
        for stays in [false, true] {
            let run = |settings: &Settings| {
                let start = Start::new().with_picture();
                if stays {
                    fs::write(start.here().join("stays"), "").unwrap();
                }
                let said = start.run(&shell, &settings.script().unwrap(), Some("0"), "secret\n");
                (said, start.here().join("picture").exists())
            };
            // One line in the picture, which stays.
            assert_eq!(run(&own("Found? 1")), (said("secret", &["Found? 1"]), true));
            assert_eq!(run(&silent()), (said("secret", &[USUAL]), stays));
            let line = format!("{}\\n", Decoy::NoSystem.line());
            let asked = if stays { USUAL } else { &*line };
            assert_eq!(run(&decoy()), (said("secret", &[asked]), stays));
        }
    }
}

/// What somebody has made of the file: the distribution's prompt asks, as long as it is a shell's file at all.
#[test]
fn a_damaged_script_asks_with_the_usual_words() {
    for shell in shells() {
        let start = Start::new();
        let script = own("Found? 1").script().unwrap();
        for (damage, instead) in [("text=own", "text=other"), ("text=own\n", ""), ("words='Found? 1'", "")] {
            assert!(script.contains(damage));
            let said = start.run(&shell, &script.replace(damage, instead), None, "secret\n");
            assert_eq!(said.secret, b"secret");
            assert!(said.asked[0].ends_with(USUAL), "{said:?}");
        }
        let without_name = Command::new(shell[0]).args(&shell[1..]).arg(start.script(&script)).output().unwrap();
        // Nobody answers: it fails, and cryptsetup gets nothing.
        assert!(!without_name.status.success() && without_name.stdout.is_empty());
    }
}

/// The password comes from the terminal that the script has, as Debian's `askpass` reads it, and is not seen there.
#[test]
fn the_script_leaves_the_terminal_to_askpass() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    const READS: &str = "#!/bin/sh
exec 3>&1 > /dev/tty
stty -echo
printf '%s' \"$1\"
IFS= read -r line
stty echo
printf %s \"$line\" >&3
";
    for shell in shells() {
        for settings in [own("Found? 1"), decoy(), silent()] {
            let start = Start::new();
            start.program("askpass", READS);
            let script = start.script(&settings.script().unwrap());
            let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
            grantpt(&master).unwrap();
            unlockpt(&master).unwrap();
            let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
            let no_terminal_of_ours = i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).unwrap();
            let open =
                || fs::File::options().read(true).write(true).custom_flags(no_terminal_of_ours).open(&name).unwrap();
            // Its own session, whose terminal this is: the initramfs has no other.
            let mut command = Command::new("setsid");
            command.args(["-c"]).args(&shell).arg(&script).arg("none").env("CRYPTTAB_NAME", "vda2_crypt");
            let mut child = command.stdin(open()).stderr(open()).stdout(Stdio::piped()).spawn().unwrap();
            let mut master = fs::File::from(master);
            let mut seen = Vec::new();
            let asks: &[u8] = match settings.text {
                Text::Decoy(_) => b"not found\\n",
                _ => b"vda2_crypt: ",
            };
            while !seen.ends_with(asks) {
                let mut piece = [0; 256];
                let length = master.read(&mut piece).unwrap();
                seen.extend_from_slice(&piece[..length]);
            }
            master.write_all(b"correct horse\n").unwrap();
            let mut secret = Vec::new();
            child.stdout.take().unwrap().read_to_end(&mut secret).unwrap();
            assert!(child.wait().unwrap().success());
            assert_eq!(secret, b"correct horse");
            let seen = String::from_utf8_lossy(&seen).into_owned();
            assert!(!seen.contains("correct"), "{seen:?}");
            let clears = seen.contains("\u{1b}[2J");
            assert_eq!(clears, matches!(settings.text, Text::Decoy(_)), "{seen:?}");
        }
    }
}
