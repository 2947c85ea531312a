//! The window of Latchkey. It has no rights and no logic of its own: what it shows is the wizard's
//! view, and what the person does goes to the wizard as an action.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod dialogs;
mod language;
mod place;
mod running;
mod start;
#[cfg_attr(target_os = "linux", path = "system/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "system/other.rs")]
mod system;

use tauri::{Manager, RunEvent};
use texts::keys;

use running::Running;

/// The only window.
const WINDOW: &str = "main";

fn main() {
    if std::env::args_os().nth(1).is_some_and(|word| word == "--version" || word == "-V") {
        println!("latchkey-desktop {}", env!("CARGO_PKG_VERSION"));
        return;
    }
    start::with_safe_drawing();
    let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let texts = texts::Texts::new(texts::Language::from_env());
    if let Some(served) = wizard::native::help(&words, &|key| texts.by_id(key)) {
        std::process::exit(i32::from(served.is_err()));
    }
    let app = tauri::Builder::default()
        // It has to be the first: a second program must end before it opens anything.
        .plugin(tauri_plugin_single_instance::init(|app, _, _| show(app)))
        .setup(|app| {
            app.manage(Running::open(app.handle()));
            stop_on_signal(app.handle().clone());
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![
            commands::view,
            commands::act,
            commands::rate_password,
            commands::suggest_passphrase,
            commands::locale,
            commands::set_locale,
            dialogs::pick_image,
            dialogs::pick_sheet,
            dialogs::pick_folder,
        ])
        .build(tauri::generate_context!());
    let app = match app {
        Ok(app) => app,
        Err(error) => {
            start::complain(keys::DESKTOP_NO_WINDOW, &error);
            std::process::exit(1);
        }
    };
    app.run(|app, event| {
        // The window is gone by now. A running encryption is brought to a place that it goes on from.
        if let RunEvent::Exit = event {
            app.state::<Running>().close();
        }
    });
}

/// Brings the window to the front.
fn show(app: &tauri::AppHandle) {
    let Some(window) = app.get_webview_window(WINDOW) else { return };
    // Each of these is a wish that a window manager may refuse.
    let _ = window.unminimize();
    let _ = window.show();
    let _ = window.set_focus();
}

/// Ctrl-C in the terminal, logging out and shutting down end the program as closing the window does.
fn stop_on_signal(app: tauri::AppHandle) {
    if let Err(error) = ctrlc::set_handler(move || app.exit(0)) {
        start::complain(keys::DESKTOP_NO_INTERRUPT, &error);
    }
}
