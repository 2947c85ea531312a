//! A laptop in an emulator: Debian 13 as its installer makes it, with UEFI and Secure Boot or a BIOS, GRUB, `/boot` in
//! the root, a swap partition or file, and somebody in front of it who types. Here the running system itself is encrypted.

mod disk;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Error, find};

pub use disk::{Disk, Image, Layout};

/// A laptop that is switched on.
pub struct Laptop {
    emulator: Child,
    screen: Arc<Mutex<String>>,
    begun: Instant,
}

/// How long anything is waited for. On a computer with other work, an initramfs takes half an hour in here.
const PATIENCE: Duration = Duration::from_secs(3600);
/// The firmware with Secure Boot. It needs the processor's system management mode.
const FIRMWARE: &str = "/usr/share/OVMF/OVMF_CODE_4M.secboot.fd";

impl Laptop {
    /// Switches it on, with a stick in its second slot if there is one.
    ///
    /// # Errors
    /// The emulator is missing.
    pub fn on(disk: &Disk, stick: Option<&Path>) -> Result<Self, Error> {
        Self::with(disk, stick, &[])
    }

    /// Switches it on with the kernel in this folder, where no boot loader is there, and with more words for it.
    pub(crate) fn with_kernel(disk: &Disk, stick: Option<&Path>, folder: &Path, more: &str) -> Result<Self, Error> {
        let file = |name: &str| folder.join(name).display().to_string();
        let line = format!("root=/dev/vda2 ro console=ttyS0 {more}");
        Self::with(disk, stick, &["-kernel", &file("vmlinuz"), "-initrd", &file("initrd.img"), "-append", &line])
    }

    fn with(disk: &Disk, stick: Option<&Path>, words: &[&str]) -> Result<Self, Error> {
        let mut command = Command::new(find("qemu-system-x86_64")?);
        let accelerator = std::env::var("LATCHKEY_GUEST_ACCEL").unwrap_or_else(|_| "tcg".into());
        // One processor: with several, the emulation in software now and then breaks on the kernel's own patching
        // of its code.
        command.args(["-accel", &accelerator, "-cpu", "max", "-smp", "1", "-m", "1536M", "-machine", "q35,smm=on"]);
        command.args(["-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio"]).args(words);
        if let Some(variables) = disk.variables() {
            command.args(["-global", "driver=cfi.pflash01,property=secure,value=on"]);
            command.args(["-drive", &format!("if=pflash,format=raw,unit=0,readonly=on,file={FIRMWARE}")]);
            command.args(["-drive", &format!("if=pflash,format=raw,unit=1,file={}", escaped(variables))]);
        } else {
            // GRUB on a BIOS does not come past its menu without a screen.
            command.args(["-vga", "std"]);
        }
        for path in std::iter::once(disk.image()).chain(stick) {
            let drive = format!("if=virtio,format=raw,cache=unsafe,discard=unmap,file={}", escaped(path));
            command.args(["-drive", &drive]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut emulator = command.spawn().map_err(Error::at(disk.image()))?;
        let screen = Arc::new(Mutex::new(String::new()));
        if let Some(mut output) = emulator.stdout.take() {
            let screen = Arc::clone(&screen);
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(read @ 1..) = output.read(&mut bytes) {
                    let text = String::from_utf8_lossy(&bytes[..read]).replace('\r', "");
                    screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push_str(&text);
                }
            });
        }
        Ok(Self { emulator, screen, begun: Instant::now() })
    }

    /// Waits for one of these texts and returns which one; what was on the screen up to it is forgotten.
    ///
    /// # Errors
    /// None of them comes.
    pub fn wait(&mut self, texts: &[&str]) -> Result<usize, Error> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some((which, _)) = self.look(texts) {
                return Ok(which);
            }
            let ended = matches!(self.emulator.try_wait(), Ok(Some(_))) || self.is_stuck();
            if ended || Instant::now() > end {
                return Err(Error::TooLong { seconds: self.begun.elapsed().as_secs(), last: self.last() });
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Whether systemd has given up for good, as it does where a busy computer emulates too slowly for it.
    fn is_stuck(&self) -> bool {
        self.screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).contains("Freezing execution")
    }

    /// The first of the texts on the screen, and what stood before it.
    fn look(&self, texts: &[&str]) -> Option<(usize, String)> {
        let mut screen = self.screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = texts.iter().enumerate().filter_map(|(which, text)| Some((screen.find(text)?, which, text.len())));
        let (at, which, length) = found.min()?;
        let rest = screen.split_off(at + length);
        let mut before = std::mem::replace(&mut *screen, rest);
        before.truncate(at);
        Some((which, before))
    }

    /// Types a line.
    ///
    /// # Errors
    /// The emulator has ended.
    pub fn type_line(&mut self, line: &str) -> Result<(), Error> {
        let path = Path::new("the laptop's keyboard");
        let input = self.emulator.stdin.as_mut().ok_or_else(|| Error::Missing("keyboard".into()))?;
        input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).map_err(Error::at(path))
    }

    /// Waits for the prompt of the distribution and answers it. A prompt takes a moment until it listens.
    ///
    /// # Errors
    /// It does not come.
    pub fn answer_prompt(&mut self, password: &str) -> Result<(), Error> {
        self.wait(&[PROMPT])?;
        thread::sleep(Duration::from_secs(1));
        self.type_line(password)
    }

    /// Waits for the shell of the person who is logged in by herself.
    ///
    /// # Errors
    /// It does not come, or somebody is asked for a password.
    pub fn shell(&mut self) -> Result<(), Error> {
        if self.wait(&["permitted by applicable law.", PROMPT])? != 0 {
            return Err(Error::Failed { line: "start".into(), words: "it asks for a password".into() });
        }
        self.prompt()
    }

    /// Waits for a shell's prompt, and makes a shell of it that a test can read.
    pub(crate) fn prompt(&mut self) -> Result<(), Error> {
        self.wait(&["# "])?;
        self.type_line("stty -echo cols 400; PS1=; export LC_ALL=C.UTF-8")?;
        self.run("true").map(|_| ())
    }

    /// Runs a command in the shell; `Ok` has its exit code and what it printed.
    ///
    /// # Errors
    /// It does not come to an end.
    pub fn run(&mut self, command: &str) -> Result<(i32, String), Error> {
        self.screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
        self.type_line(&format!("{command}; echo @\"@ \"$?\" @\"@"))?;
        let end = Instant::now() + PATIENCE;
        let (_, printed) = loop {
            if let Some(found) = self.look(&["@@ "]) {
                break found;
            }
            if Instant::now() > end {
                return Err(Error::TooLong { seconds: PATIENCE.as_secs(), last: self.last() });
            }
            thread::sleep(Duration::from_millis(50));
        };
        let code = loop {
            match self.look(&[" @@"]) {
                Some((_, code)) => break code,
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        println!("[{:>4} s] {command}: {code}", self.begun.elapsed().as_secs());
        Ok((code.trim().parse().unwrap_or(-1), printed.trim().to_owned()))
    }

    /// Runs a command that must succeed.
    ///
    /// # Errors
    /// It does not.
    pub fn must(&mut self, command: &str) -> Result<String, Error> {
        match self.run(command)? {
            (0, printed) => Ok(printed),
            (_, words) => Err(Error::Failed { line: command.to_owned(), words }),
        }
    }

    /// Switches it off as a person does.
    ///
    /// # Errors
    /// It does not go off.
    pub fn off(mut self) -> Result<(), Error> {
        // While something critical is done it is refused, and a person waits.
        self.type_line("until systemctl poweroff; do sleep 5; done")?;
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if matches!(self.emulator.try_wait(), Ok(Some(_))) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(100));
        }
        Err(Error::TooLong { seconds: PATIENCE.as_secs(), last: self.last() })
    }

    /// The power goes.
    pub fn cut(mut self) {
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }

    fn last(&self) -> String {
        let screen = self.screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let lines: Vec<&str> = screen.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
}

/// What Debian asks at a start.
const PROMPT: &str = "Please unlock disk vda2_crypt:";

impl Drop for Laptop {
    fn drop(&mut self) {
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }
}

/// A comma in a path is written twice in the emulator's notation.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace(',', ",,")
}
