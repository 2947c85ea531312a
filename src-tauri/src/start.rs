//! What has to be settled before the first line of the window system runs.

use std::fmt::Display;

use texts::{Key, Language, Texts};

/// WebKitGTK's drawing through DMABUF leaves the window empty on several drivers and in virtual
/// machines. A wizard needs no fast pictures, so it is off unless the person has set it.
///
/// The program starts itself again with the variable set, because changing the environment of a
/// running process is not sound.
#[cfg(target_os = "linux")]
pub fn with_safe_drawing() {
    use std::os::unix::process::CommandExt;

    const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(VARIABLE, "1").exec();
    // `exec` returns only when it has failed: then it goes on as it is.
    complain(texts::keys::DESKTOP_NO_DRAWING, &error);
}

/// Nothing to settle here.
#[cfg(not(target_os = "linux"))]
pub fn with_safe_drawing() {}

/// Says at the terminal what cannot be said in a window.
pub fn complain(key: Key, detail: &dyn Display) {
    let texts = Texts::new(Language::from_env());
    eprintln!("{}", texts.say(key, &[("detail".to_owned(), detail.to_string())].into()));
}
