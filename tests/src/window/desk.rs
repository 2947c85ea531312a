//! A display, a bus and a driver that belong to one test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Error, find};

/// What the window runs on. Everything ends when it is dropped.
pub struct Desk {
    /// From the first to the last that was started.
    children: Vec<Child>,
    port: u16,
    environment: Vec<(&'static str, String)>,
    // The last field: it is removed when nobody uses it any more.
    folder: tempfile::TempDir,
}

/// As large as the window, so that a picture of the one is a picture of the other.
const SCREEN: &str = "1000x720x24";

impl Desk {
    /// Starts all of it. The window will have a home of its own and the environment in `more`.
    ///
    /// # Errors
    /// Something is missing or does not start.
    pub fn lay(driver: &Path, more: &[(&'static str, &Path)]) -> Result<Self, Error> {
        let mut desk = Self::bare(more)?;
        let (port, native) = (free_port()?, free_port()?);
        let mut command = Command::new(driver);
        command.arg("--port").arg(port.to_string()).arg("--native-port").arg(native.to_string());
        command.arg("--native-driver").arg(find("WebKitWebDriver")?);
        // What the window says belongs to the test's own output.
        desk.start(command.stdout(Stdio::inherit()))?;
        desk.port = port;
        // The one passes on to the other, which may take longer to be there.
        wait_for(native)?;
        wait_for(port)?;
        Ok(desk)
    }

    /// The same without a driver: a display, a bus and a home.
    ///
    /// # Errors
    /// Something is missing or does not start.
    pub fn bare(more: &[(&'static str, &Path)]) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
        let mut desk = Self { children: Vec::new(), port: 0, environment: Vec::new(), folder };
        desk.own_home(more)?;

        let display = desk.start_and_read(Command::new(find("Xvfb")?).args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            SCREEN,
            "-nolisten",
            "tcp",
            // It would begin anew whenever nobody is connected, which is so between two looks at it.
            "-noreset",
        ]))?;
        desk.environment.push(("DISPLAY", format!(":{display}")));
        let bus = desk.start_and_read(Command::new(find("dbus-daemon")?).args([
            "--session",
            "--nofork",
            "--print-address=1",
        ]))?;
        desk.environment.push(("DBUS_SESSION_BUS_ADDRESS", bus));
        Ok(desk)
    }

    /// Where the driver listens.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The display's name: `:7`.
    pub fn display(&self) -> &str {
        let named = self.environment.iter().find(|(name, _)| *name == "DISPLAY");
        named.map_or("", |(_, display)| display)
    }

    /// The window's state folder.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// A command that runs on this desk.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).env_remove("WAYLAND_DISPLAY");
        command
    }

    fn own_home(&mut self, more: &[(&'static str, &Path)]) -> Result<(), Error> {
        for (name, variable) in [
            ("home", "HOME"),
            ("run", "XDG_RUNTIME_DIR"),
            ("state", "LATCHKEY_STATE_DIR"),
            ("cache", "XDG_CACHE_HOME"),
            ("data", "XDG_DATA_HOME"),
        ] {
            let path = self.folder.path().join(name);
            fs::create_dir(&path).map_err(Error::at(&path))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(Error::at(&path))?;
            self.environment.push((variable, path.display().to_string()));
        }
        // The pictures are the same on every computer.
        let same = [("LC_ALL", "C.UTF-8"), ("GDK_BACKEND", "x11"), ("NO_AT_BRIDGE", "1"), ("GTK_THEME", "Adwaita")];
        self.environment.extend(same.map(|(name, value)| (name, value.to_owned())));
        // Of two values for a name the last one counts.
        self.environment.extend(more.iter().map(|(name, path)| (*name, path.display().to_string())));
        Ok(())
    }

    fn start(&mut self, command: &mut Command) -> Result<&mut Child, Error> {
        let name = PathBuf::from(command.get_program());
        command.envs(self.environment.iter().map(|(name, value)| (name, value))).env_remove("WAYLAND_DISPLAY");
        // A group of its own, so that what it starts ends with it.
        command.process_group(0).stdin(Stdio::null());
        let child = command.spawn().map_err(Error::at(&name))?;
        self.children.push(child);
        self.children.last_mut().ok_or_else(|| Error::Window("nothing was started".into()))
    }

    /// Starts a program whose first line says where it is to be found.
    fn start_and_read(&mut self, command: &mut Command) -> Result<String, Error> {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = self.start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let mut line = String::new();
        if let Some(output) = child.stdout.as_mut() {
            BufReader::new(output).read_line(&mut line).map_err(Error::at(Path::new(&name)))?;
        }
        if line.trim().is_empty() {
            return Err(Error::Window(format!("{name} does not start")));
        }
        Ok(line.trim().to_owned())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for child in self.children.iter_mut().rev() {
            // The whole group: a driver leaves the window behind otherwise.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-TERM", "--", &group]).stderr(Stdio::null()).status();
            let end = Instant::now() + Duration::from_secs(5);
            while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(20));
            }
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
            let _ = child.wait();
        }
    }
}

fn free_port() -> Result<u16, Error> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| Error::Window(error.to_string()))
}

fn wait_for(port: u16) -> Result<(), Error> {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(Error::Window("the driver does not listen".into()))
}
