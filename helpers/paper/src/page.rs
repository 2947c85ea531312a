//! One page, in black on white: what a person needs to know, the key to be typed, the code to be scanned.

use std::path::Path;

use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use krilla::{Document, SerializeSettings};
use model::Describe;
use recovery::{Form, RecoveryKey, Sheet, one_line};
use ttf_parser::Face;
use zeroize::Zeroizing;

use crate::{Code, Error, Result};

/// Sizes of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// ISO 216: 210 mm by 297 mm.
    #[default]
    A4,
    /// ANSI: 8.5 in by 11 in.
    Letter,
}

impl Paper {
    /// Width and height in points (1/72 in).
    fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// The page as the form of a copy on a stick.
impl Form for Paper {
    fn extension(&self) -> &'static str {
        "pdf"
    }

    fn make(&self, sheet: &Sheet, key: &RecoveryKey) -> recovery::Result<Zeroizing<Vec<u8>>> {
        pdf(sheet, key, *self).map_err(|error| recovery::Error::NotMade(error.fault().detail.unwrap_or_default()))
    }

    fn read(&self, bytes: &[u8]) -> Option<RecoveryKey> {
        crate::read_bytes(Path::new(""), bytes).ok().map(|found| found.key)
    }
}

/// Points on each side that most printers leave white anyway, and room for holes.
const MARGIN: f32 = 54.0;

/// Side of the QR code in points: 53 mm, so that one of its squares is a millimetre.
const CODE: f32 = 150.0;

/// How much smaller the text is made, in turn, until all of it is on the page.
const SCALES: [f32; 5] = [1.0, 0.94, 0.88, 0.8, 0.7];

/// The sheet as a PDF of one page. What it holds of the key is cleared when dropped; what the libraries
/// held on the way is not.
///
/// # Errors
/// [`Error::Page`]: the text is too long for a page, or the PDF could not be made.
pub fn pdf(sheet: &Sheet, key: &RecoveryKey, paper: Paper) -> Result<Zeroizing<Vec<u8>>> {
    let code = Code::new(key, &sheet.uuid)?;
    for scale in SCALES {
        if let Some(bytes) = attempt(sheet, key, &code, paper, scale)? {
            return Ok(bytes);
        }
    }
    Err(Error::Page("the text does not fit on a page".into()))
}

/// `None`: it did not fit.
fn attempt(
    sheet: &Sheet,
    key: &RecoveryKey,
    code: &Code,
    paper: Paper,
    scale: f32,
) -> Result<Option<Zeroizing<Vec<u8>>>> {
    let failed = |what: &str| Error::Page(what.to_owned());
    let (width, height) = paper.size();
    // Plain enough for every printer; one colour, so that nothing is mixed from others.
    let mut document = Document::new_with(SerializeSettings { xmp_metadata: false, ..SerializeSettings::default() });
    document.set_metadata(Metadata::new().title(one_line(&sheet.words.title)));
    let settings = PageSettings::from_wh(width, height).ok_or_else(|| failed("page size"))?;
    let mut page = document.start_page_with(settings);
    let fits = {
        let mut writer = Writer { fonts: Fonts::load()?, surface: page.surface(), width, scale, at: MARGIN };
        writer.ink();
        writer.sheet(sheet, key, code);
        writer.at <= height - MARGIN
    };
    page.finish();
    if !fits {
        return Ok(None);
    }
    document.finish().map(|bytes| Some(Zeroizing::new(bytes))).map_err(|error| failed(&format!("{error:?}")))
}

/// A font with its widths, for breaking lines.
struct Cut {
    font: Font,
    face: Face<'static>,
}

impl Cut {
    fn load(bytes: &'static [u8]) -> Result<Self> {
        let font = Font::new(bytes.into(), 0);
        match (font, Face::parse(bytes, 0)) {
            (Some(font), Ok(face)) => Ok(Self { font, face }),
            _ => Err(Error::Page("a font is damaged".into())),
        }
    }

    /// Points.
    fn width(&self, text: &str, size: f32) -> f32 {
        let units: f32 = text
            .chars()
            .map(|sign| self.face.glyph_index(sign).and_then(|glyph| self.face.glyph_hor_advance(glyph)).unwrap_or(600))
            .map(f32::from)
            .sum();
        units / f32::from(self.face.units_per_em()) * size
    }

    /// Words in lines of at most so many points. A word that is too long for a line is broken.
    fn lines(&self, text: &str, size: f32, room: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let current = lines.last().map(String::as_str).unwrap_or_default();
            let joined = if current.is_empty() { word.to_owned() } else { format!("{current} {word}") };
            if self.width(&joined, size) <= room {
                lines.pop();
                lines.push(joined);
                continue;
            }
            if !current.is_empty() {
                lines.push(String::new());
            }
            for sign in word.chars() {
                let line = lines.last().map(String::as_str).unwrap_or_default();
                if !line.is_empty() && self.width(&format!("{line}{sign}"), size) > room {
                    lines.push(String::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(sign);
                }
            }
        }
        lines
    }
}

struct Fonts {
    plain: Cut,
    bold: Cut,
    key: Cut,
}

impl Fonts {
    /// DejaVu, cut down to Latin, Greek and Cyrillic; in the other letters of a drive's name there are
    /// empty boxes. `b`, `d`, `l` and `i` cannot be mistaken for each other in it.
    fn load() -> Result<Self> {
        Ok(Self {
            plain: Cut::load(include_bytes!("../fonts/DejaVuSans.ttf"))?,
            bold: Cut::load(include_bytes!("../fonts/DejaVuSans-Bold.ttf"))?,
            key: Cut::load(include_bytes!("../fonts/DejaVuSansMono-Bold.ttf"))?,
        })
    }
}

/// Goes down the page.
struct Writer<'a> {
    fonts: Fonts,
    surface: Surface<'a>,
    width: f32,
    scale: f32,
    /// Points from the top.
    at: f32,
}

impl Writer<'_> {
    fn sheet(&mut self, sheet: &Sheet, key: &RecoveryKey, code: &Code) {
        let words = &sheet.words;
        self.bold(&words.title, 21.0, self.room());
        self.gap(10.0);
        let top = self.at;
        self.code(code, self.width - MARGIN - CODE, top);
        let beside = self.room() - CODE - 20.0;
        let facts = [
            (&words.computer, &sheet.computer),
            (&words.volume, &sheet.volume),
            (&words.date, &sheet.date),
            (&words.key_id, &key.key_id()),
            (&words.uuid, &sheet.uuid),
        ];
        for (label, value) in facts {
            self.fact(label, value, beside);
        }
        self.at = self.at.max(top + CODE + 4.0);
        self.right(&words.code, 7.5);
        self.gap(6.0);
        self.heading(&words.key);
        self.groups(key);
        self.paragraph(&words.checks, 9.0);
        self.heading(&words.purpose);
        self.paragraph(&words.purpose_text, 10.0);
        self.heading(&words.keep);
        self.paragraph(&words.keep_text, 10.0);
        self.bold(&words.keep_not, 10.0, self.room());
        self.gap(4.0);
        self.heading(&words.use_it);
        self.paragraph(&words.use_start, 10.0);
        self.paragraph(&words.use_cryptsetup, 10.0);
        let uuid = one_line(&sheet.uuid);
        self.command(&format!("cryptsetup open /dev/disk/by-uuid/{uuid} rescued"));
        self.paragraph(&words.use_systemd, 10.0);
        self.command(&format!("systemd-cryptsetup attach rescued /dev/disk/by-uuid/{uuid}"));
    }

    fn ink(&mut self) {
        let black = luma::Color::black();
        self.surface.set_fill(Some(Fill { paint: black.into(), opacity: NormalizedF32::ONE, ..Fill::default() }));
    }

    fn room(&self) -> f32 {
        self.width - 2.0 * MARGIN
    }

    fn gap(&mut self, points: f32) {
        self.at += points * self.scale;
    }

    fn text(&mut self, font: &Font, left: f32, size: f32, text: &str) {
        let start = Point::from_xy(left, self.at);
        self.surface.draw_text(start, font.clone(), size, text, false, TextDirection::Auto);
    }

    fn block(&mut self, cut: fn(&Fonts) -> &Cut, text: &str, left: f32, size: f32, room: f32) {
        let size = size * self.scale;
        let cut = cut(&self.fonts);
        let (font, lines) = (cut.font.clone(), cut.lines(text, size, room));
        for line in lines {
            self.at += size * 1.36;
            self.text(&font, left, size, &line);
        }
    }

    fn paragraph(&mut self, text: &str, size: f32) {
        self.block(|fonts| &fonts.plain, text, MARGIN, size, self.room());
        self.gap(5.0);
    }

    fn bold(&mut self, text: &str, size: f32, room: f32) {
        self.block(|fonts| &fonts.bold, text, MARGIN, size, room);
    }

    fn heading(&mut self, text: &str) {
        self.gap(7.0);
        self.bold(text, 12.0, self.room());
        self.gap(3.0);
    }

    /// A label and its value, on lines of their own: neither knows how long the other is.
    fn fact(&mut self, label: &str, value: &str, room: f32) {
        self.block(|fonts| &fonts.plain, label, MARGIN, 7.5, room);
        self.block(|fonts| &fonts.bold, &one_line(value), MARGIN, 10.0, room);
        self.gap(1.5);
    }

    fn command(&mut self, text: &str) {
        self.block(|fonts| &fonts.key, text, MARGIN + 12.0, 8.0, self.room() - 12.0);
        self.gap(6.0);
    }

    /// A line that ends at the right margin, under the code.
    fn right(&mut self, text: &str, size: f32) {
        let size = size * self.scale;
        for line in self.fonts.plain.lines(text, size, self.room()) {
            self.at += size * 1.36;
            let left = self.width - MARGIN - self.fonts.plain.width(&line, size);
            let font = self.fonts.plain.font.clone();
            self.text(&font, left, size, &line);
        }
    }

    /// In a frame: the key in one line, to be copied, and in two columns of four groups, to be typed; the
    /// check letters stand smaller behind each.
    fn groups(&mut self, key: &RecoveryKey) {
        let (rows, inset) = (4, 14.0 * self.scale);
        let (big, small, step) = (19.0 * self.scale, 11.0 * self.scale, 31.0 * self.scale);
        self.gap(4.0);
        let top = self.at;
        let height = 5.0 * step;
        self.frame(top, height);
        let (groups, checks) = (key.groups(), key.group_checks());
        let (font, plain) = (self.fonts.key.font.clone(), self.fonts.plain.font.clone());
        self.at = top + step * 0.75;
        self.text(&font, MARGIN + inset, 10.0 * self.scale, &key.text());
        for (place, (group, check)) in groups.iter().zip(checks.iter()).enumerate() {
            let column = if place < rows { 0.0 } else { self.room() / 2.0 };
            // Four rows: the number is exact.
            let row = [1.7, 2.6, 3.5, 4.4][place % rows];
            self.at = top + row * step;
            let left = MARGIN + inset + column;
            self.text(&plain, left, small, &format!("{}", place + 1));
            self.text(&font, left + 20.0 * self.scale, big, group);
            let behind = 20.0 * self.scale + self.fonts.key.width(group, big) + 14.0 * self.scale;
            self.text(&font, left + behind, small, check);
        }
        self.at = top + height;
        self.gap(4.0);
    }

    fn frame(&mut self, top: f32, height: f32) {
        let rectangle = Rect::from_xywh(MARGIN, top, self.room(), height);
        let path = rectangle.and_then(|rectangle| {
            let mut path = PathBuilder::new();
            path.push_rect(rectangle);
            path.finish()
        });
        let Some(path) = path else { return };
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke { paint: luma::Color::black().into(), width: 1.2, ..Stroke::default() }));
        self.surface.draw_path(&path);
        self.surface.set_stroke(None);
        self.ink();
    }

    /// Drawn as squares, not as a picture: it stays sharp at any size. The margin of the page and the
    /// gap beside it are the quiet zone of four squares.
    fn code(&mut self, code: &Code, left: f32, top: f32) {
        #[allow(clippy::cast_precision_loss)] // At most 177 squares.
        let points = |squares: usize| squares as f32 * CODE / code.width() as f32;
        let mut path = PathBuilder::new();
        for (column, row, length) in code.runs() {
            let rectangle = Rect::from_xywh(left + points(column), top + points(row), points(length), points(1));
            if let Some(rectangle) = rectangle {
                path.push_rect(rectangle);
            }
        }
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }
}
