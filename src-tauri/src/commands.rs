//! What the window may ask for. Each command hands over to the wizard on a thread that may wait, so
//! that the window never stands still.

use std::sync::atomic::{AtomicBool, Ordering};

use model::{Fault, FaultKind};
use serde::Serialize;
use tauri::State;
use texts::Texts;
use wizard::Wizard;
use wizard::view::{Action, Strength, Typed, View};

use crate::language;
use crate::running::Running;

/// Why a command was not carried out, as a sentence. What goes wrong with an action is no such case:
/// that is in the view.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Refusal(String);

/// The whole state.
///
/// # Errors
/// Why the wizard could not be opened.
#[tauri::command]
pub async fn view(running: State<'_, Running>) -> Result<View, Refusal> {
    let view = with(&running, |wizard| wizard.view()).await;
    say_ready();
    view
}

/// Does something, and returns the state after it. What went wrong with the action is in the state.
///
/// # Errors
/// Why the wizard could not be opened.
#[tauri::command]
pub async fn act(running: State<'_, Running>, action: Action) -> Result<View, Refusal> {
    with(&running, move |wizard| wizard.act(action)).await
}

/// How good a password is.
///
/// # Errors
/// Why the wizard could not be opened.
#[tauri::command]
pub async fn rate_password(running: State<'_, Running>, password: Typed) -> Result<Strength, Refusal> {
    with(&running, move |wizard| wizard.rate(&password)).await
}

/// A passphrase whose letters lie on the same keys of every keyboard.
///
/// # Errors
/// The system has no random numbers.
#[tauri::command]
pub async fn suggest_passphrase(running: State<'_, Running>) -> Result<String, Refusal> {
    // It is shown and typed, so it has to leave its shelter here.
    wizard::password::suggest()
        .map(|words| words.to_string())
        .map_err(|error| refusal(&running, &Fault::new("desktop-no-randomness", FaultKind::Failed).because(error)))
}

/// The language as a tag.
#[tauri::command]
pub fn locale(running: State<'_, Running>) -> &'static str {
    running.language().tag()
}

/// Speaks this language from now on.
///
/// # Errors
/// A language that is not in the catalogue; a folder that cannot be written.
#[tauri::command]
pub fn set_locale(running: State<'_, Running>, locale: &str) -> Result<(), Refusal> {
    language::parse(locale)
        .ok_or_else(|| Fault::new("desktop-language", FaultKind::Usage))
        .and_then(|language| running.speak(language))
        .map_err(|fault| refusal(&running, &fault))
}

async fn with<T: Send + 'static>(
    running: &Running,
    work: impl FnOnce(&Wizard) -> T + Send + 'static,
) -> Result<T, Refusal> {
    let door = running.door();
    tauri::async_runtime::spawn_blocking(move || door.wizard().map(|wizard| work(&wizard)))
        .await
        .unwrap_or_else(|error| Err(Fault::new("desktop-broken", FaultKind::Failed).because(error)))
        .map_err(|fault| refusal(running, &fault))
}

fn refusal(running: &Running, fault: &Fault) -> Refusal {
    let sentence = Texts::new(running.language()).fault(fault);
    let detail = fault.detail.as_ref().map(|detail| format!("({detail})"));
    let words: Vec<String> = [Some(sentence.what), Some(sentence.next), detail].into_iter().flatten().collect();
    Refusal(words.join(" "))
}

/// For the measurement of how long the window takes to be there: `cargo xtask bench window`.
fn say_ready() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if std::env::var_os("LATCHKEY_SAY_READY").is_some() && !SAID.swap(true, Ordering::Relaxed) {
        println!("ready");
    }
}
