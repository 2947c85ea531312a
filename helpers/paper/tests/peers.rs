//! Tools that are not ours read the page: poppler draws it and finds its text, zbar reads the code. And
//! what they make of it, dirty and crooked, is read by us.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]
// Pixels of a picture that the test draws itself.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

use std::path::{Path, PathBuf};
use std::process::Command;

use image::{DynamicImage, GrayImage, Luma, imageops};
use model::Describe;
use paper::{Error, From, Paper};
use recovery::{RecoveryKey, Sheet, SheetWords, read_back};
use texts::{Language, Texts};

const UUID: &str = "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f";

fn sheet(language: Language) -> Sheet {
    let texts = Texts::new(language);
    Sheet {
        computer: "Annas ThinkPad".into(),
        volume: "Samsung SSD 990 Pro, 2 TB".into(),
        uuid: UUID.into(),
        date: "2026-12-02".into(),
        words: SheetWords::look_up(|key| texts.by_id(key)),
    }
}

/// The output of a tool; `None`, and a word about it, where it is not installed.
fn tool(name: &str, arguments: &[&str], files: &[&Path]) -> Option<String> {
    let Ok(output) = Command::new(name).args(arguments).args(files).output() else {
        println!("left out: no {name}");
        return None;
    };
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The page as a picture.
fn drawn(pdf: &Path, how: &[&str]) -> Option<PathBuf> {
    let stem = pdf.with_extension("");
    let arguments: Vec<&str> = how.iter().copied().chain(["-singlefile", "-png"]).collect();
    tool("pdftoppm", &arguments, &[pdf, &stem])?;
    Some(pdf.with_extension("png"))
}

#[test]
fn the_page_is_read_by_others_in_every_language_and_on_every_paper() {
    let folder = tempfile::tempdir().unwrap();
    for language in Language::ALL {
        for (paper, size) in [(Paper::A4, "595.28 x 841.89"), (Paper::Letter, "612 x 792")] {
            let key = RecoveryKey::generate().unwrap();
            let sheet = sheet(language);
            let pdf = folder.path().join("page.pdf");
            std::fs::write(&pdf, paper::pdf(&sheet, &key, paper).unwrap()).unwrap();
            if let Some(folder) = std::env::var_os("LATCHKEY_KEEP_PAGES") {
                std::fs::copy(&pdf, Path::new(&folder).join(format!("{}-{paper:?}.pdf", language.tag()))).unwrap();
            }
            let Some(about) = tool("pdfinfo", &[], &[&pdf]) else { return };
            assert!(about.contains("Pages:           1\n") && about.contains(size), "{about}");
            let text = tool("pdftotext", &["-layout"], &[&pdf, Path::new("-")]).unwrap();
            assert_eq!(read_back(&text), Ok(key.clone()), "{text}");
            let name = sheet.words.keep_not.split(' ').next().unwrap();
            for part in ["Annas ThinkPad", "Samsung SSD 990 Pro, 2 TB", "2026-12-02", UUID, &key.key_id(), name] {
                assert!(text.contains(part), "{part}: {text}");
            }
            // A printer that has only black and white draws it too.
            for how in [["-r", "100", "-gray"], ["-r", "200", "-mono"]] {
                let picture = drawn(&pdf, &how).unwrap();
                assert_eq!(paper::read(&picture).unwrap_or_else(|error| panic!("{how:?}: {error}")).key, key);
                let Some(read) = tool("zbarimg", &["--quiet", "--raw"], &[&picture]) else { continue };
                assert_eq!(read.trim_end(), paper::content(&key, UUID).as_str(), "{how:?}");
            }
        }
    }
}

#[test]
fn what_we_make_is_what_we_read() {
    let folder = tempfile::tempdir().unwrap();
    let key = RecoveryKey::generate().unwrap();
    let pdf = folder.path().join("page.pdf");
    std::fs::write(&pdf, paper::pdf(&sheet(Language::German), &key, Paper::A4).unwrap()).unwrap();
    let found = paper::read(&pdf).unwrap();
    assert_eq!((found.key, found.uuid.as_deref(), found.from), (key, Some(UUID), From::Code));
}

#[test]
fn a_text_sheet_is_read_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let (key, path) = (RecoveryKey::generate().unwrap(), folder.path().join("sheet.txt"));
    std::fs::write(&path, sheet(Language::English).text(&key).as_bytes()).unwrap();
    let found = paper::read(&path).unwrap();
    assert_eq!((found.key, found.uuid.as_deref(), found.from), (key, Some(UUID), From::Text));
}

#[test]
fn names_of_any_length_and_script_fit_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let key = RecoveryKey::generate().unwrap();
    let mut sheet = sheet(Language::German);
    sheet.computer = "ein sehr langer Rechnername mit vielen Wörtern ".repeat(4);
    sheet.volume = format!("{}\n漢字 Ωμέγα Привет", "x".repeat(120));
    let pdf = folder.path().join("page.pdf");
    std::fs::write(&pdf, paper::pdf(&sheet, &key, Paper::Letter).unwrap()).unwrap();
    assert_eq!(paper::read(&pdf).unwrap().key, key);
    let Some(about) = tool("pdfinfo", &[], &[&pdf]) else { return };
    assert!(about.contains("Pages:           1\n"), "{about}");
}

/// A photo: the page lies crooked, the light falls off, the paper is gray and dirty, the file is a JPEG.
fn photo(page: &GrayImage, angle: f32) -> Vec<u8> {
    let (width, height) = (page.width() + 300, page.height() + 300);
    let (sin, cos) = angle.to_radians().sin_cos();
    let center = (width as f32 / 2.0, height as f32 / 2.0);
    let mut noise = 12345_u32;
    let picture = GrayImage::from_fn(width, height, |x, y| {
        let (dx, dy) = (x as f32 - center.0, y as f32 - center.1);
        let (from_x, from_y) =
            (dx * cos + dy * sin + page.width() as f32 / 2.0, dy * cos - dx * sin + page.height() as f32 / 2.0);
        let inside = from_x >= 0.0 && from_y >= 0.0 && from_x < page.width() as f32 && from_y < page.height() as f32;
        let paper = if inside { f32::from(page.get_pixel(from_x as u32, from_y as u32).0[0]) } else { 70.0 };
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let light = 0.55 + 0.4 * x as f32 / width as f32;
        Luma([(paper * light + 15.0 + (noise >> 28) as f32).clamp(0.0, 255.0) as u8])
    });
    let picture = imageops::blur(&picture, 0.8);
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 70);
    DynamicImage::ImageLuma8(picture).write_with_encoder(encoder).unwrap();
    bytes
}

#[test]
fn a_photo_is_read_crooked_dirty_and_from_a_dim_room() {
    let folder = tempfile::tempdir().unwrap();
    let key = RecoveryKey::generate().unwrap();
    let pdf = folder.path().join("page.pdf");
    std::fs::write(&pdf, paper::pdf(&sheet(Language::English), &key, Paper::A4).unwrap()).unwrap();
    let Some(picture) = drawn(&pdf, &["-r", "130", "-gray"]) else { return };
    let mut page = image::open(picture).unwrap().to_luma8();
    // A hole in the middle of the code, where it is by the page's layout.
    for y in 285..325 {
        for x in 810..860 {
            page.put_pixel(x, y, Luma([200]));
        }
    }
    for angle in [0.0, -9.0, 173.0] {
        let file = folder.path().join("photo.jpg");
        std::fs::write(&file, photo(&page, angle)).unwrap();
        let found = paper::read(&file).unwrap_or_else(|error| panic!("{angle}: {error}"));
        assert_eq!((found.key, found.from), (key.clone(), From::Code), "{angle}");
    }
}

#[test]
fn what_holds_no_key_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let read = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        paper::read(&file).unwrap_err()
    };
    assert_eq!(paper::read(&file).unwrap_err().fault().code, "recovery-file-missing");
    let mut white = std::io::Cursor::new(Vec::new());
    GrayImage::from_pixel(400, 300, Luma([255])).write_to(&mut white, image::ImageFormat::Png).unwrap();
    let white = white.into_inner();
    assert_eq!(read(&white), Error::NoCode { path: file.clone() });
    assert!(matches!(read(&white[..60]), Error::Damaged { .. }));
    assert_eq!(read(b"%PDF-1.7 and nothing else").fault().code, "paper-damaged");
    assert_eq!(read(b"shopping list").fault().code, "recovery-length");
    assert_eq!(read(&[0; 100]).fault().code, "recovery-not-text");
    let key = RecoveryKey::generate().unwrap();
    let pdf = paper::pdf(&sheet(Language::English), &key, Paper::A4).unwrap();
    for end in (0..pdf.len()).step_by(pdf.len() / 10) {
        std::fs::write(&file, &pdf[..end]).unwrap();
        match paper::read(&file) {
            Ok(found) => assert_eq!(found.key, key),
            Err(error) => assert_ne!(error.fault().code, "", "{end}"),
        }
    }
}

#[test]
fn no_change_to_a_page_gives_another_key_or_a_panic() {
    let key = RecoveryKey::generate().unwrap();
    let pdf = paper::pdf(&sheet(Language::English), &key, Paper::A4).unwrap();
    let mut seed = 7_u64;
    for _ in 0..12 {
        let mut bytes = pdf.to_vec();
        for _ in 0..4 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(seed >> 33).unwrap() % bytes.len();
            bytes[at] ^= 1 << (seed >> 20 & 7);
        }
        if let Ok(found) = paper::read_bytes(Path::new("x"), &bytes) {
            assert_eq!(found.key, key);
        }
    }
}
