//! A computer in an emulator that starts by itself: OVMF with Secure Boot on and Microsoft's keys, as a
//! laptop comes out of its box. It has a serial line and a keyboard to type on, and a screen to look at.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Error, find};

const CODE: &str = "/usr/share/OVMF/OVMF_CODE_4M.secboot.fd";
const VARIABLES: &str = "/usr/share/OVMF/OVMF_VARS_4M.ms.fd";

/// A computer that is switched on. It is switched off when this is dropped.
pub struct Computer {
    emulator: Child,
    folder: tempfile::TempDir,
    serial: UnixStream,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Computer {
    /// Switches it on. A disk that is to be read only has `true` beside it; the first one is started from.
    ///
    /// # Errors
    /// A program or the firmware is missing.
    pub fn start(disks: &[(&Path, bool)], memory_mib: u32) -> Result<Self, Error> {
        Self::switch_on(disks, memory_mib, &["-no-reboot"])
    }

    /// As [`start`](Self::start), and a restart is one: the first disk is started from again.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_that_restarts(disks: &[(&Path, bool)], memory_mib: u32) -> Result<Self, Error> {
        Self::switch_on(disks, memory_mib, &[])
    }

    fn switch_on(disks: &[(&Path, bool)], memory_mib: u32, more: &[&str]) -> Result<Self, Error> {
        let missing = || Error::Missing("ovmf".into());
        let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
        let variables = folder.path().join("variables");
        fs::copy(VARIABLES, &variables).map_err(|_| missing())?;
        if !Path::new(CODE).is_file() {
            return Err(missing());
        }
        let place = |name: &str| folder.path().join(name).display().to_string();
        let mut command = Command::new(find("qemu-system-x86_64")?);
        let accelerator = std::env::var("LATCHKEY_GUEST_ACCEL").unwrap_or_else(|_| "tcg".into());
        command.args(["-accel", &accelerator, "-cpu", "max", "-smp", "2", "-m"]).arg(format!("{memory_mib}M"));
        // Secure Boot's variables are kept by code that the system cannot get at.
        command.args(["-machine", "q35,smm=on", "-global", "driver=cfi.pflash01,property=secure,value=on"]);
        command.args(["-nodefaults", "-no-user-config", "-display", "none", "-vga", "std"]).args(more);
        command.arg("-drive").arg(format!("if=pflash,unit=0,format=raw,readonly=on,file={CODE}"));
        command.arg("-drive").arg(format!("if=pflash,unit=1,format=raw,file={}", variables.display()));
        command.arg("-chardev").arg(format!("socket,id=serial,server=on,wait=off,path={}", place("serial")));
        command.args(["-serial", "chardev:serial"]);
        command.arg("-monitor").arg(format!("unix:{},server=on,wait=off", place("monitor")));
        command.args(["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]);
        for (path, read_only) in disks {
            let access = if *read_only { "on" } else { "off" };
            let path = path.display().to_string().replace(',', ",,");
            command.arg("-drive").arg(format!("if=virtio,format=raw,cache=unsafe,readonly={access},file={path}"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let emulator = command.spawn().map_err(Error::at(Path::new(CODE)))?;
        let serial = connect(&folder.path().join("serial"))?;
        let said = Arc::new(Mutex::new(Vec::new()));
        let mut reader = serial.try_clone().map_err(Error::at(folder.path()))?;
        let heard = Arc::clone(&said);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                heard.lock().unwrap_or_else(PoisonError::into_inner).extend(&bytes[..count]);
            }
        });
        Ok(Self { emulator, folder, serial, said })
    }

    /// Everything that came over the serial line so far.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.said.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// Waits until a text has come since the last call with `forget`.
    ///
    /// # Errors
    /// It did not come in time.
    pub fn wait_for(&self, text: &str, patience: Duration) -> Result<(), Error> {
        let end = Instant::now() + patience;
        while Instant::now() < end {
            if self.said().contains(text) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Error::TooLong { seconds: patience.as_secs(), last: format!("no {text:?} in {}", self.said()) })
    }

    /// Forgets what came so far.
    pub fn forget(&self) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Types on the serial line.
    ///
    /// # Errors
    /// The computer is off.
    pub fn type_serial(&mut self, text: &str) -> Result<(), Error> {
        self.serial.write_all(text.as_bytes()).map_err(Error::at(self.folder.path()))
    }

    /// Presses keys, by the names that qemu has for those of an American keyboard.
    ///
    /// # Errors
    /// The computer is off.
    pub fn press(&self, keys: &[&str]) -> Result<(), Error> {
        for key in keys {
            self.monitor(&format!("sendkey {key} 30"))?;
            thread::sleep(Duration::from_millis(150));
        }
        Ok(())
    }

    /// A picture of the screen, as PNG.
    ///
    /// # Errors
    /// The computer is off.
    pub fn picture(&self, name: &str) -> Result<PathBuf, Error> {
        let folder = std::env::var_os("LATCHKEY_PICTURES").map_or_else(std::env::temp_dir, PathBuf::from);
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        // What came over the serial line is on the screen a moment later.
        thread::sleep(Duration::from_secs(2));
        self.monitor(&format!("screendump {} -f png", path.display()))?;
        Ok(path)
    }

    fn monitor(&self, line: &str) -> Result<(), Error> {
        let mut monitor = connect(&self.folder.path().join("monitor"))?;
        let mut answer = [0; 4096];
        // A prompt before and behind it: then it has been done.
        let _ = monitor.set_read_timeout(Some(Duration::from_millis(700)));
        let _ = monitor.read(&mut answer);
        monitor.write_all(format!("{line}\n").as_bytes()).map_err(Error::at(self.folder.path()))?;
        let mut heard = Vec::new();
        while let Ok(count @ 1..) = monitor.read(&mut answer) {
            heard.extend(&answer[..count]);
            if heard.ends_with(b"(qemu) ") && heard.contains(&b'\n') {
                break;
            }
        }
        Ok(())
    }

    /// Whether it has switched itself off or started anew, within this time.
    pub fn ended(&mut self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        while Instant::now() < end {
            if let Ok(Some(_)) = self.emulator.try_wait() {
                return true;
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    }
}

impl Drop for Computer {
    fn drop(&mut self) {
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }
}

/// The emulator takes a moment until its sockets are there.
fn connect(path: &Path) -> Result<UnixStream, Error> {
    for _ in 0..100 {
        if let Ok(stream) = UnixStream::connect(path) {
            return Ok(stream);
        }
        thread::sleep(Duration::from_millis(50));
    }
    UnixStream::connect(path).map_err(Error::at(path))
}
