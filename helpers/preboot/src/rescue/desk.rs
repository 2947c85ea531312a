//! Pages with a choice, a question, or an answer.

use std::time::Duration;

use model::{Args, Fault, Progress, Secret};
use texts::{Key as Message, Language, Texts, keys};

use crate::console::Console;
use crate::keyboard;
use crate::keys::Key;
use crate::line::Line;
use crate::settings::Settings;

/// The person's side of the program.
pub struct Desk {
    pub console: Console,
    pub texts: Texts,
    layout: String,
}

const TICK: Duration = Duration::from_millis(250);

impl Desk {
    pub fn new(console: Console, settings: &Settings) -> Self {
        let mut desk = Self { console, texts: Texts::new(settings.language), layout: "us".into() };
        if !settings.keymap.is_empty() {
            desk.set_layout(&settings.keymap);
        }
        desk
    }

    /// The number of the chosen item: a digit chooses at once, arrows and Enter do as well.
    pub fn choose(&mut self, title: &str, items: &[String]) -> usize {
        let mut at = 0;
        loop {
            let mut page = format!("{title}\n");
            for (number, item) in items.iter().enumerate() {
                let mark = if number == at { '>' } else { ' ' };
                page.push_str(&format!("\n{mark} {}  {item}", label(number)));
            }
            page.push_str(&format!("\n\n{} ", self.texts.plain(keys::RESCUE_CHOOSE)));
            self.console.page(&page);
            let Some(key) = self.console.key(Duration::from_secs(3600)) else { continue };
            match key {
                Key::Up => at = at.checked_sub(1).unwrap_or(items.len() - 1),
                Key::Down => at = (at + 1) % items.len(),
                Key::Enter => return at,
                Key::Letter(letter) => {
                    if let Some(chosen) = (0..items.len()).find(|number| label(*number) == letter) {
                        return chosen;
                    }
                }
                _ => {}
            }
        }
    }

    /// A secret. Empty if nothing was typed: then nothing is done.
    pub fn secret(&mut self) -> Secret {
        let mut line = self.line(keys::RESCUE_SECRET, true);
        line.finish()
    }

    /// Something that is no secret.
    pub fn words(&mut self, question: Message) -> String {
        self.line(question, false).text().to_owned()
    }

    fn line(&mut self, question: Message, secret: bool) -> Line {
        let mut line = Line::default();
        let mut caps_lock = self.console.caps_lock();
        loop {
            let shown = if secret { "*".repeat(line.letters().min(60)) } else { line.text().to_owned() };
            let caps = if caps_lock { self.texts.plain(keys::PREBOOT_CAPS_LOCK) } else { String::new() };
            let page = format!("{caps}\n\n{} {shown}", self.texts.plain(question));
            self.console.page(&page);
            loop {
                match self.console.key(TICK) {
                    Some(Key::Enter) => return line,
                    Some(key) => break line.take(key),
                    None if self.console.caps_lock() != caps_lock => break,
                    None => {}
                }
            }
            caps_lock = self.console.caps_lock();
        }
    }

    /// Whether the person says yes.
    pub fn agrees(&mut self, question: Message) -> bool {
        let items = [keys::RESCUE_NO, keys::RESCUE_YES].map(|key| self.texts.plain(key));
        let title = self.texts.plain(question);
        self.choose(&title, &items) == 1
    }

    /// That something takes a moment.
    pub fn wait(&mut self, key: Message) {
        let text = self.texts.plain(key);
        self.console.page(&text);
    }

    /// How far it is.
    pub fn progress(&mut self, progress: &Progress) {
        let percent = (u128::from(progress.done) * 100).checked_div(u128::from(progress.total)).unwrap_or(0);
        let args = Args::from([
            ("step".to_owned(), self.texts.step(progress.step)),
            ("percent".to_owned(), percent.to_string()),
        ]);
        let text = self.texts.say(keys::RESCUE_PROGRESS, &args);
        self.console.write(&format!("\r\x1b[K{text}"));
    }

    /// Shows how it ended, and waits for Enter.
    pub fn answer(&mut self, done: Result<Option<Message>, Fault>) {
        match done {
            Ok(None) => {}
            Ok(Some(key)) => {
                let text = self.texts.plain(key);
                self.tell(&text);
            }
            Err(fault) => {
                let said = self.texts.fault(&fault);
                let detail = fault.detail.map(|detail| format!("({detail})")).unwrap_or_default();
                self.tell(&format!("{}\n{}\n{detail}", said.what, said.next));
            }
        }
    }

    /// Shows something until Enter is pressed.
    pub fn tell(&mut self, text: &str) {
        self.console.forget();
        let how = self.texts.plain(keys::RESCUE_ENTER);
        self.console.page(&format!("{text}\n\n{how} "));
        while self.console.key(Duration::from_secs(3600)) != Some(Key::Enter) {}
    }

    pub fn next_layout(&mut self) {
        let layouts = keyboard::layouts();
        if !layouts.is_empty() {
            let title = self.texts.plain(keys::RESCUE_KEYBOARD);
            let chosen = self.choose(&title, &layouts);
            self.set_layout(&layouts[chosen]);
        }
    }

    fn set_layout(&mut self, layout: &str) {
        if self.console.set_layout(layout) {
            layout.clone_into(&mut self.layout);
            keyboard::follow_caps_lock(&self.layout);
        }
    }

    pub fn other_language(&mut self) {
        let at = Language::ALL.iter().position(|language| *language == self.texts.language()).unwrap_or(0);
        self.texts = Texts::new(Language::ALL[(at + 1) % Language::ALL.len()]);
    }
}

/// 1 to 9, then letters.
fn label(number: usize) -> char {
    "123456789abcdefghijklmnopqrstuvwxyz".chars().nth(number).unwrap_or(' ')
}
