//! Every console that the kernel has, as one: what is written appears on all of them, and what is typed on
//! any is taken.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::keyboard;
use crate::keys::{Decoder, Key};

/// All consoles.
pub struct Console {
    screens: Vec<Screen>,
    keys: VecDeque<Key>,
    /// The one that was typed on last.
    last: usize,
}

struct Screen {
    file: File,
    decoder: Decoder,
    /// It has a keyboard of its own, with tables and lights.
    terminal: bool,
    /// How other programs want it.
    usual: Option<Termios>,
}

impl Console {
    /// Opens what the kernel writes to, and the first virtual terminal.
    pub fn open() -> Self {
        let active = fs::read_to_string("/sys/class/tty/console/active").unwrap_or_default();
        let mut names: Vec<&str> = active.split_whitespace().filter(|name| *name != "tty0").collect();
        if !names.contains(&"tty1") {
            names.push("tty1");
        }
        Self { screens: names.into_iter().filter_map(Screen::open).collect(), keys: VecDeque::new(), last: 0 }
    }

    /// Loads a keyboard layout on the terminal that has a keyboard.
    pub fn set_layout(&self, layout: &str) -> bool {
        self.terminal().is_some_and(|file| keyboard::load(file, layout).is_ok())
    }

    /// Whether Caps Lock is on.
    pub fn caps_lock(&self) -> bool {
        self.terminal().is_some_and(keyboard::caps_lock)
    }

    fn terminal(&self) -> Option<&File> {
        self.screens.iter().find(|screen| screen.terminal).map(|screen| &screen.file)
    }

    /// Shows a page: the screen is cleared, and the cursor stands behind its last letter.
    pub fn page(&mut self, text: &str) {
        let mut page = String::from("\x1b[2J\x1b[H");
        page.push_str(&text.replace('\n', "\r\n"));
        self.write(&page);
    }

    /// Writes as it is.
    pub fn write(&mut self, text: &str) {
        for screen in &mut self.screens {
            screen.write(text.as_bytes());
        }
    }

    /// The next key, or `None` when so much time has passed.
    pub fn key(&mut self, patience: Duration) -> Option<Key> {
        let end = Instant::now() + patience;
        loop {
            if let Some(key) = self.keys.pop_front() {
                return Some(key);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            self.wait(left);
        }
    }

    /// Forgets what was typed while nobody asked.
    pub fn forget(&mut self) {
        self.wait(Duration::ZERO);
        self.keys.clear();
    }

    /// Lets another program have the console that was typed on last, until it ends.
    pub fn run(&mut self, command: &mut std::process::Command) {
        let Some(screen) = self.screens.get_mut(self.last) else { return };
        let files = [screen.file.try_clone(), screen.file.try_clone(), screen.file.try_clone()];
        let [Ok(input), Ok(output), Ok(errors)] = files else { return };
        let raw = tcgetattr(&screen.file).ok();
        if let Some(usual) = &screen.usual {
            let _ = tcsetattr(&screen.file, OptionalActions::Flush, usual);
        }
        // A shell waits for what is typed.
        let _ = rustix::io::ioctl_fionbio(&screen.file, false);
        let _ = command.stdin(input).stdout(output).stderr(errors).status();
        let _ = rustix::io::ioctl_fionbio(&screen.file, true);
        if let Some(raw) = &raw {
            let _ = tcsetattr(&screen.file, OptionalActions::Flush, raw);
        }
    }

    fn wait(&mut self, patience: Duration) {
        let mut polled: Vec<PollFd> =
            self.screens.iter().map(|screen| PollFd::new(&screen.file, PollFlags::IN)).collect();
        let time = Timespec::try_from(patience).ok();
        let found = poll(&mut polled, time.as_ref()).unwrap_or(0);
        let ready: Vec<bool> = polled.iter().map(|one| one.revents().contains(PollFlags::IN)).collect();
        drop(polled);
        if found > 0 && !ready.contains(&true) {
            // One that hangs up is always ready; without this it would take the processor.
            std::thread::sleep(patience.min(Duration::from_millis(100)));
        }
        for (number, screen) in self.screens.iter_mut().enumerate().filter(|(number, _)| ready[*number]) {
            self.last = number;
            let mut bytes = zeroize::Zeroizing::new([0; 256]);
            let count = screen.file.read(&mut bytes[..]).unwrap_or(0);
            self.keys.extend(bytes[..count].iter().filter_map(|byte| screen.decoder.push(*byte)));
        }
    }
}

impl Screen {
    /// A slow line takes a piece at a time. One that is gone, or takes nothing for a second, is no reason to
    /// stop.
    fn write(&mut self, mut bytes: &[u8]) {
        for _ in 0..100 {
            match self.file.write(bytes) {
                Ok(count) => bytes = &bytes[count.min(bytes.len())..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(_) => return,
            }
            if bytes.is_empty() {
                return;
            }
        }
    }

    fn open(name: &str) -> Option<Self> {
        let mut options = OpenOptions::new();
        // Not to become its owner, which signals are sent to; not to wait for a modem.
        options.read(true).write(true).custom_flags(libc::O_NOCTTY | libc::O_NONBLOCK);
        let file = options.open(format!("/dev/{name}")).ok()?;
        let mut settings = tcgetattr(&file).ok()?;
        let usual = Some(settings.clone());
        settings.make_raw();
        settings.output_modes |= rustix::termios::OutputModes::OPOST;
        tcsetattr(&file, OptionalActions::Flush, &settings).ok()?;
        let terminal = name.strip_prefix("tty").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        Some(Self { file, decoder: Decoder::default(), terminal, usual })
    }
}
