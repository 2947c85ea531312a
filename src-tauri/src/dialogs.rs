//! The system's own dialogs for choosing a file and a folder.

use std::future::Future;
use std::sync::mpsc;

use rfd::{AsyncFileDialog, FileHandle};
use tauri::WebviewWindow;

/// Lets the person choose an image. `None`: they thought better of it.
#[tauri::command]
pub async fn pick_image(window: WebviewWindow) -> Option<String> {
    match instead("LATCHKEY_PICK_IMAGE") {
        Some(path) => Some(path),
        None => {
            ask(window, |dialog| dialog.add_filter("*.img, *.raw, *.iso", &IMAGES).add_filter("*", &["*"]).pick_file())
                .await
        }
    }
}

/// Lets the person choose a scan, a photo or a file of a recovery sheet. `None`: they thought better of it.
#[tauri::command]
pub async fn pick_sheet(window: WebviewWindow) -> Option<String> {
    match instead("LATCHKEY_PICK_SHEET") {
        Some(path) => Some(path),
        None => {
            ask(window, |dialog| {
                dialog.add_filter("*.pdf, *.png, *.jpg, *.txt", &SHEETS).add_filter("*", &["*"]).pick_file()
            })
            .await
        }
    }
}

/// Lets the person choose a folder. `None`: they thought better of it.
#[tauri::command]
pub async fn pick_folder(window: WebviewWindow) -> Option<String> {
    match instead("LATCHKEY_PICK_FOLDER") {
        Some(path) => Some(path),
        None => ask(window, AsyncFileDialog::pick_folder).await,
    }
}

const IMAGES: [&str; 6] = ["img", "IMG", "raw", "iso", "bin", "dd"];

const SHEETS: [&str; 8] = ["pdf", "PDF", "png", "PNG", "jpg", "JPG", "jpeg", "txt"];

/// A native dialog cannot be driven from outside. In a test build its answer can be given beforehand.
fn instead(variable: &str) -> Option<String> {
    if !cfg!(debug_assertions) {
        return None;
    }
    std::env::var(variable).ok().filter(|path| !path.is_empty())
}

async fn ask<F>(window: WebviewWindow, open: impl FnOnce(AsyncFileDialog) -> F + Send + 'static) -> Option<String>
where
    F: Future<Output = Option<FileHandle>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel();
    let parent = window.clone();
    // The systems allow a dialog to be opened from the main thread only; waiting is done elsewhere.
    window
        .run_on_main_thread(move || {
            let _ = sender.send(open(AsyncFileDialog::new().set_parent(&parent)));
        })
        .ok()?;
    let answer = tauri::async_runtime::spawn_blocking(move || receiver.recv()).await.ok()?.ok()?.await;
    // A path that is not Unicode cannot go through the window and come back the same.
    answer.and_then(|file| file.path().to_str().map(str::to_owned))
}
