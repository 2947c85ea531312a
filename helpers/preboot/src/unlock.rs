//! The page that asks, until the drives are open.

use std::thread;
use std::time::{Duration, Instant};

use model::{Args, Describe, Secret};
use opal::Transport;
use opal::pin::WayIn;
use opal::preboot::{self, Closed, Door, Turn};
use texts::{Language, Texts, keys};

use crate::console::Console;
use crate::keys::Key;
use crate::line::Line;
use crate::settings::Settings;
use crate::{kernel, keyboard};

/// How long drives may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);
/// The name of the kernel's own layout.
const BUILT_IN: &str = "us";

/// The page and what it knows.
pub struct Page {
    console: Console,
    texts: Texts,
    layouts: Vec<String>,
    layout: String,
    caps_lock: bool,
    way: WayIn,
}

impl Page {
    /// The first page of this image.
    pub fn new(console: Console, settings: &Settings) -> Self {
        let mut page = Self {
            console,
            texts: Texts::new(settings.language),
            layouts: keyboard::layouts(),
            layout: BUILT_IN.to_owned(),
            caps_lock: false,
            way: WayIn::Password,
        };
        if !settings.keymap.is_empty() {
            page.set_layout(&settings.keymap);
        }
        page
    }

    /// Asks until all drives are open, or nothing more can be done; then starts anew, or waits to be
    /// switched off.
    pub fn run(mut self) -> ! {
        self.show(&self.texts.plain(keys::PREBOOT_LOOKING));
        let drives = wait_for_drives();
        if drives.is_empty() {
            // Not locked, or not there: the computer's own system may know more.
            self.end(&self.texts.plain(keys::PREBOOT_NOTHING));
        }
        let mut door = Door::new(drives);
        let mut said = self.drives(&door);
        loop {
            let secret = self.ask(&said);
            self.show(&self.texts.plain(keys::PREBOOT_CHECKING));
            let turn = door.turn(self.way, &secret);
            drop(secret);
            self.console.forget();
            said = match turn {
                Turn::Open => {
                    self.show(&self.texts.plain(keys::PREBOOT_OPEN));
                    // Long enough to be read.
                    thread::sleep(Duration::from_secs(1));
                    kernel::restart()
                }
                Turn::Partly => [self.texts.plain(keys::PREBOOT_PARTLY), self.drives(&door)].join("\n"),
                Turn::Wrong { left } => {
                    let args = Args::from([("left".to_owned(), left.to_string())]);
                    self.texts.say(keys::PREBOOT_WRONG, &args)
                }
                Turn::Wait(time) => {
                    self.pause(time);
                    self.texts.plain(keys::PREBOOT_AGAIN)
                }
                Turn::PowerOff => self.end(&self.texts.plain(keys::PREBOOT_POWER_OFF)),
                Turn::Failed => self.trouble(&door),
            };
        }
    }

    /// What is asked for: a line that ends with Enter.
    fn ask(&mut self, said: &str) -> Secret {
        let mut line = Line::default();
        self.draw(said, &line);
        loop {
            let Some(key) = self.console.key(Duration::from_millis(250)) else {
                keyboard::follow_caps_lock(&self.layout);
                if self.console.caps_lock() != self.caps_lock {
                    self.caps_lock = !self.caps_lock;
                    self.draw(said, &line);
                }
                continue;
            };
            match key {
                Key::Enter if line.letters() > 0 => return line.finish(),
                Key::Function(2) => self.next_layout(),
                Key::Function(3) => self.other_language(),
                Key::Function(4) => {
                    self.way = if self.way == WayIn::Password { WayIn::Recovery } else { WayIn::Password };
                    line = Line::default();
                }
                Key::Function(5) => {
                    self.show(&self.texts.plain(keys::PREBOOT_SWITCHING_OFF));
                    kernel::power_off()
                }
                key => line.take(key),
            }
            self.caps_lock = self.console.caps_lock();
            self.draw(said, &line);
        }
    }

    fn draw(&mut self, said: &str, line: &Line) {
        let ask = match self.way {
            WayIn::Password => keys::PREBOOT_PASSWORD,
            WayIn::Recovery => keys::PREBOOT_RECOVERY,
        };
        let caps_lock = if self.caps_lock { self.texts.plain(keys::PREBOOT_CAPS_LOCK) } else { String::new() };
        let args = Args::from([("layout".to_owned(), self.layout.clone())]);
        let text = format!(
            "{}\n\n{said}\n\n{}\n\n{caps_lock}\n\n{} {}",
            self.texts.plain(keys::PREBOOT_TITLE),
            self.texts.say(keys::PREBOOT_HELP, &args),
            self.texts.plain(ask),
            "*".repeat(line.letters().min(60)),
        );
        self.console.page(&text);
    }

    fn show(&mut self, said: &str) {
        let text = format!("{}\n\n{said}\n", self.texts.plain(keys::PREBOOT_TITLE));
        self.console.page(&text);
    }

    /// Shows how long it takes until the next try.
    fn pause(&mut self, time: Duration) {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return self.console.forget();
            }
            // Rounded up: "0 seconds" is no wait.
            let args = Args::from([("seconds".to_owned(), left.as_millis().div_ceil(1000).to_string())]);
            self.show(&self.texts.say(keys::PREBOOT_WAIT, &args));
            thread::sleep(left.min(Duration::from_secs(1)));
        }
    }

    /// Says the last word, and switches off or starts anew when a key is pressed.
    fn end(&mut self, said: &str) -> ! {
        let how = self.texts.plain(keys::PREBOOT_ENTER_OR_OFF);
        self.show(&format!("{said}\n\n{how}"));
        loop {
            match self.console.key(Duration::from_secs(3600)) {
                Some(Key::Enter) => kernel::restart(),
                Some(Key::Function(5)) => kernel::power_off(),
                _ => {}
            }
        }
    }

    /// One line for each drive that is closed.
    fn drives<T: Transport>(&self, door: &Door<T>) -> String {
        let line = |drive: &Closed<T>| {
            let args = Args::from([("drive".to_owned(), drive.name.clone())]);
            self.texts.say(keys::PREBOOT_DRIVE, &args)
        };
        door.drives().iter().filter(|drive| !drive.open).map(line).collect::<Vec<_>>().join("\n")
    }

    fn trouble<T: Transport>(&self, door: &Door<T>) -> String {
        let troubles = door.drives().iter().filter_map(|drive| drive.trouble.as_ref());
        let said = troubles.map(|error| self.texts.fault(&error.fault())).map(|said| [said.what, said.next].join("\n"));
        said.collect::<Vec<_>>().join("\n")
    }

    fn set_layout(&mut self, layout: &str) {
        if self.console.set_layout(layout) {
            layout.clone_into(&mut self.layout);
            keyboard::follow_caps_lock(layout);
        }
    }

    fn next_layout(&mut self) {
        let at = self.layouts.iter().position(|name| *name == self.layout).map_or(0, |at| at + 1);
        if let Some(next) = self.layouts.get(at).or_else(|| self.layouts.first()).cloned() {
            self.set_layout(&next);
        }
    }

    fn other_language(&mut self) {
        let at = Language::ALL.iter().position(|language| *language == self.texts.language()).unwrap_or(0);
        self.texts = Texts::new(Language::ALL[(at + 1) % Language::ALL.len()]);
    }
}

/// Looks again and again: drives on USB, and slow ones, take their time.
fn wait_for_drives() -> Vec<Closed<Box<dyn Transport + Send>>> {
    let end = Instant::now() + PATIENCE;
    loop {
        let drives = preboot::find();
        if !drives.is_empty() || Instant::now() >= end {
            return drives;
        }
        thread::sleep(Duration::from_millis(300));
    }
}
