//! The whole way on a practice drive, in the real window, as a person goes it, with a picture of each
//! step in `tests/pictures`.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rigs::files::walk;
use rigs::tool::{Error, find, output};
use rigs::window::{Computer, Desk, Window};

#[tokio::test]
async fn the_whole_way_on_a_practice_drive() {
    let Some((program, driver)) = programs() else { return };
    let stick = tempfile::tempdir().unwrap();
    let desk = Desk::lay(&driver, &[("LATCHKEY_PICK_FOLDER", stick.path())]).unwrap();
    let window = Window::open(&desk, &program).await.unwrap();

    let password = choose_and_set_password(&window, "#practice").await.unwrap();
    keep_keys(&window).await.unwrap();
    test_start(&window, &password).await.unwrap();
    encrypt(&window).await.unwrap();
    window.close().await.unwrap();

    // Closed and opened again, it is where it was.
    let window = Window::open(&desk, &program).await.unwrap();
    measure_after_and_report(&window).await.unwrap();
    window.close().await.unwrap();

    nothing_secret_in(&desk.state(), &password);
    assert!(walk(stick.path()).len() >= 2, "the recovery key and the rescue copy are not where they were put");
    stock_cryptsetup_opens(&desk.state(), &password);
}

/// The same with a practice drive that encrypts by itself.
#[tokio::test]
async fn the_way_of_a_drive_that_encrypts_by_itself() {
    let Some((program, driver)) = programs() else { return };
    let stick = tempfile::tempdir().unwrap();
    let desk = Desk::lay(&driver, &[("LATCHKEY_PICK_FOLDER", stick.path())]).unwrap();
    let window = Window::open(&desk, &program).await.unwrap().with_prefix("hardware-");
    let password = choose_and_set_password(&window, "#practice-hardware").await.unwrap();
    keep_keys(&window).await.unwrap();
    test_start(&window, &password).await.unwrap();
    encrypt(&window).await.unwrap();
    measure_after_and_report(&window).await.unwrap();
    window.close().await.unwrap();
    nothing_secret_in(&desk.state(), &password);
}

/// A simulated Windows, encrypted by its BitLocker: the key on a stick, the test start, a pause, and the window closed
/// in the middle.
#[tokio::test]
async fn the_page_for_bitlocker() {
    let Some((program, driver)) = programs() else { return };
    let stick = tempfile::tempdir().unwrap();
    let desk = Desk::lay(&driver, &[("LATCHKEY_PICK_FOLDER", stick.path())]).unwrap();
    let window = Window::open(&desk, &program).await.unwrap().with_prefix("bitlocker-");
    bitlocker_until_paused(&window).await.unwrap();
    window.close().await.unwrap();

    let window = Window::open(&desk, &program).await.unwrap().with_prefix("bitlocker-");
    bitlocker_until_protected(&window).await.unwrap();
    window.close().await.unwrap();

    let sheets = walk(stick.path());
    let sheet = fs::read_to_string(sheets.first().expect("the recovery key is not where it was put")).unwrap();
    let digits = sheet.split_whitespace().find(|word| word.len() == 55 && word.matches('-').count() == 7);
    // The simulated computer has it, as a real one would.
    for computer in walk(&desk.state()).iter().filter(|path| path.ends_with("practice-windows.json")) {
        fs::remove_file(computer).unwrap();
    }
    nothing_secret_in(&desk.state(), digits.expect("a sheet names the key"));
}

async fn bitlocker_until_paused(window: &Window) -> Result<(), Error> {
    window.wait(LOOKED).await?;
    window.press("#practice-native").await?;
    window.wait("#key-folder").await?;
    window.picture("01-plain").await?;
    window.wait("#begin[aria-disabled=\"true\"]").await?;
    window.press("#key-folder").await?;
    window.wait("[data-copy]").await?;
    window.press("#native-backup").await?;
    window.wait("#begin:not([aria-disabled=\"true\"])").await?;
    window.picture("02-key").await?;
    every_sentence_is_there(window).await;
    window.press("#begin").await?;
    window.wait("#restart").await?;
    window.picture("03-restart").await?;
    window.press("#restart").await?;
    window.wait("#pause").await?;
    window.picture("04-encrypting").await?;
    window.press("#pause").await?;
    window.wait("#resume").await?;
    window.picture("05-paused").await
}

async fn bitlocker_until_protected(window: &Window) -> Result<(), Error> {
    window.wait("#resume").await?;
    window.press("#resume").await?;
    window.wait("#protected-title").await?;
    window.press("#language-de").await?;
    window.wait("html[lang=de]").await?;
    window.picture("06-protected-german").await?;
    every_sentence_is_there(window).await;
    window.press("#leave").await?;
    window.wait("main[data-step=drives]").await.map(|_| ())
}

/// What a person sees first, in both languages and in a dark room: nothing is chosen, nothing is changed.
#[tokio::test]
async fn the_first_page() {
    let Some((program, driver)) = programs() else { return };
    let computer = Computer::build().unwrap();
    let dark = Path::new("Adwaita:dark");
    for (theme, english, german) in
        [(Path::new("Adwaita"), "01-drives", "22-drives-german"), (dark, "21-drives-dark", "23-drives-dark-german")]
    {
        let shown = [("GTK_THEME", theme), ("LATCHKEY_RECORDED_COMPUTER", computer.root())];
        let desk = Desk::lay(&driver, &shown).unwrap();
        let window = Window::open(&desk, &program).await.unwrap();
        first_page(&window, english, german, theme == dark).await.unwrap();
        if theme != dark {
            follows(&window, &computer).await.unwrap();
        }
        window.close().await.unwrap();
    }
}

async fn first_page(window: &Window, english: &str, german: &str, dark: bool) -> Result<(), Error> {
    window.wait(LOOKED).await?;
    let drawn = "return ['page', 'drives'].map((name) => Math.round(performance.getEntriesByName(name)[0].startTime))";
    println!("milliseconds from the page's first byte to the page, and to the drives: {}", window.ask(drawn).await?);
    let is_dark = window.ask("return matchMedia('(prefers-color-scheme: dark)').matches").await?;
    assert_eq!(is_dark, dark, "the page does not follow the system's colours");
    let verdicts = window.ask("return [...document.querySelectorAll('[data-drive] .head [data-verdict]')].map((one) => one.dataset.verdict)").await?;
    assert_eq!(verdicts, serde_json::json!(["not_protected", "not_protected", "protected"]));
    // Each verdict is a word beside a drawing.
    let bare = "return [...document.querySelectorAll('[data-verdict]')].filter((one) => !one.querySelector('svg') || !one.textContent.trim()).length";
    assert_eq!(window.ask(bare).await?, 0);
    window.picture(english).await?;
    every_sentence_is_there(window).await;
    window.press("#language-de").await?;
    window.wait("html[lang=de]").await?;
    window.picture(german).await?;
    every_sentence_is_there(window).await;
    window.press("#language-en").await
}

/// A stick that is plugged in is there without being asked for, and gone when it is pulled out.
async fn follows(window: &Window, computer: &Computer) -> Result<(), Error> {
    window.press("[data-drive='/dev/nvme0n1'] .ways [aria-expanded=false]").await?;
    window.ask("document.getElementById('drives-title').scrollIntoView()").await?;
    window.picture("24-drives-why").await?;

    computer.plug_in()?;
    window.wait("[data-drive='/dev/sdc']").await?;
    let news = "return document.getElementById('news').textContent";
    assert_eq!(window.ask(news).await?, "Kingston DataTraveler was plugged in: Not protected.");
    window.ask("document.querySelector('[data-drive=\"/dev/sdb\"]').scrollIntoView({ block: 'center' })").await?;
    window.picture("25-drives-plugged-in").await?;
    computer.pull_out()?;
    window.wait("main:not(:has([data-drive='/dev/sdc']))").await?;
    assert_eq!(window.ask(news).await?, "Kingston DataTraveler was pulled out.");
    Ok(())
}

/// The page once the first look at the drives is over.
const LOOKED: &str = "main[data-step=drives] section[aria-busy=false]";

async fn choose_and_set_password(window: &Window, practice: &str) -> Result<String, Error> {
    window.wait(LOOKED).await?;
    window.press(practice).await?;

    window.wait("main[data-step=check]").await?;
    window.picture("02-check").await?;
    window.press("#next").await?;

    window.wait("main[data-step=before]").await?;
    window.press("#backup").await?;
    window.wait("#next:not([aria-disabled=\"true\"])").await?;
    window.picture("03-before").await?;
    window.press("#next").await?;

    window.wait("main[data-step=password]").await?;
    window.fill("#password", "hallo123").await?;
    window.wait("#next[aria-disabled=\"true\"]").await?;
    window.picture("04-password-weak").await?;
    window.press("#suggest").await?;
    let password = window.read("#suggestion").await?;
    window.fill("#password", &password).await?;
    window.fill("#password-repeat", &password).await?;
    window.picture("05-password").await?;
    window.press("#next").await?;
    Ok(password)
}

async fn keep_keys(window: &Window) -> Result<(), Error> {
    window.wait("main[data-step=recovery]").await?;
    window.picture("06-recovery").await?;
    window.press("#show-key").await?;
    let mut groups = Vec::new();
    for index in 0..8 {
        groups.push(window.read(&format!("[data-group=\"{index}\"]")).await?);
    }
    window.picture("07-recovery-shown").await?;
    window.press("#on-paper").await?;
    // The first group is mistyped, seen to be, and put right.
    window.fill("#group-0", "cccccccc").await?;
    window.wait("#group-0[aria-invalid=true]").await?;
    for (index, group) in groups.iter().enumerate() {
        window.fill(&format!("#group-{index}"), group).await?;
    }
    window.picture("08-recovery-typed").await?;
    window.press("#next").await?;
    // Whoever has typed it is done; a second copy may still be put elsewhere.
    window.wait("[data-copy=paper], main[data-step=rescue]").await?;
    if window.ask("return document.querySelector('main').dataset.step").await? == "rescue" {
        window.press("#back").await?;
    }
    window.wait("main[data-step=recovery]").await?;
    window.press("#choose-folder").await?;
    window.wait("[data-copy=folder], [data-copy=stick]").await?;
    window.picture("09-recovery-proven").await?;
    window.press("#next").await?;

    window.wait("main[data-step=rescue]").await?;
    window.press("#choose-folder").await?;
    window.wait("#rescue-written[data-verified=true]").await?;
    window.picture("10-rescue").await?;
    window.press("#next").await
}

async fn test_start(window: &Window, password: &str) -> Result<(), Error> {
    window.wait("main[data-step=bench_before]").await?;
    window.picture("11-bench-before").await?;
    window.press("#next").await?;
    window.wait("#measure-again").await?;
    window.picture("12-bench-before-done").await?;
    window.press("#next").await?;

    window.wait("main[data-step=test_start]").await?;
    window.fill("#test-password", "not this one").await?;
    window.press("#next").await?;
    window.wait("[data-wrong=\"1\"]").await?;
    window.picture("13-test-start-wrong").await?;
    window.fill("#test-password", password).await?;
    window.press("#next").await?;
    window.wait("#test-passed").await?;
    window.picture("14-test-start").await?;
    window.press("#next").await
}

async fn encrypt(window: &Window) -> Result<(), Error> {
    window.wait("main[data-step=encrypt]").await?;
    window.picture("15-encrypt").await?;
    window.press("#next").await?;
    window.wait("#encrypt-finished").await?;
    window.picture("16-encrypt-finished").await
}

async fn measure_after_and_report(window: &Window) -> Result<(), Error> {
    window.wait("main[data-step=encrypt], main[data-step=bench_after]").await?;
    window.picture("17-opened-again").await?;
    if window.ask("return document.querySelector('main').dataset.step").await? == "encrypt" {
        window.press("#next").await?;
    }
    window.wait("main[data-step=bench_after]").await?;
    window.press("#next").await?;
    window.wait("#measure-again").await?;
    window.picture("18-bench-after").await?;
    window.press("#next").await?;

    window.wait("main[data-step=report] #files").await?;
    window.picture("19-report").await?;
    every_sentence_is_there(window).await;
    window.press("#language-de").await?;
    window.wait("html[lang=de]").await?;
    window.picture("20-report-german").await?;
    every_sentence_is_there(window).await;
    Ok(())
}

/// A message that is missing stands there as its code in brackets.
async fn every_sentence_is_there(window: &Window) {
    let text = window.text().await;
    for code in ["[window-", "[reason-", "[fault-", "[condition-", "[next-", "[step-"] {
        assert!(!text.contains(code), "a sentence is missing:\n{text}");
    }
}

/// The journal holds neither the password nor anything of the length of a recovery key.
fn nothing_secret_in(folder: &Path, password: &str) {
    for path in walk(folder) {
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 1 << 20 {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(password), "the password is in {}", path.display());
    }
}

fn stock_cryptsetup_opens(state: &Path, password: &str) {
    let image = walk(state).into_iter().find(|path| {
        path.extension().is_some_and(|extension| extension == "img")
            && fs::metadata(path).is_ok_and(|about| about.len() > 32 << 20)
    });
    let image = image.expect("the practice drive is not in the state folder");
    let Ok(cryptsetup) = find("cryptsetup") else {
        println!("left out: cryptsetup is missing");
        return;
    };
    let key = tempfile::NamedTempFile::new().unwrap();
    fs::write(key.path(), password).unwrap();
    let opened =
        output(Command::new(cryptsetup).args(["open", "--test-passphrase", "--key-file"]).arg(key.path()).arg(&image))
            .unwrap();
    assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));
}

/// The window and its driver, as `cargo xtask test` names them; without them the test is left out.
fn programs() -> Option<(PathBuf, PathBuf)> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_file());
    let both = named("LATCHKEY_WINDOW").zip(named("LATCHKEY_TAURI_DRIVER"));
    if both.is_none() {
        println!("left out: `cargo xtask test` builds the window and says where it is");
    }
    both
}
