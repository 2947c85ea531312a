use std::path::{Path, PathBuf};

use drives::{Inspection, Number, Stack};
use luks::convert::Mode;
use model::{Computer, DataPlace, Describe, Drive, Fault, FaultKind, Judged, Verdict};
use serde::Serialize;
use texts::{Sentence, Texts, keys};
use wizard::copies::Known;
use wizard::operations::{self, Disorder, Resizing};

use super::recovery::{self, CopyEntry};
use crate::sheet;
use crate::speaker::{FaultEntry, Speaker, quoted};

/// Exit code for one target that is not known to be protected.
const NOT_PROTECTED: u8 = 10;

/// Says of the computer as a whole and of each of its drives, or of each target, whether it is protected.
///
/// The exit code is about the target only when there is one: 0 for "protected", 5 for a header
/// that is damaged or newer than this program, 10 for everything else, also for what cannot be
/// told. With several targets it is that of the first one that could not be looked at.
pub fn run(speaker: &Speaker, json: bool, targets: &[PathBuf]) -> Result<u8, Fault> {
    let mut seen = Vec::new();
    let (mut computer, mut devices) = (None, Vec::new());
    if targets.is_empty() {
        let survey = drives::survey().map_err(|error| error.fault())?;
        seen.extend(
            survey.drives.into_iter().map(|drive| Ok(Seen { drive, conversion: None, resizing: None, fault: None })),
        );
        computer = Some(survey.computer);
        devices = Device::all(&survey.stack);
    }
    seen.extend(targets.iter().map(|target| look(target)));

    let known = sheet::book().known();
    if json {
        speaker.document(&Document::new(&speaker.texts, computer.as_ref(), devices, targets, &seen, &known));
    } else {
        if let Some(computer) = &computer {
            show_computer(speaker, computer);
        }
        show_all(speaker, &seen, &known);
    }
    Ok(match seen.as_slice() {
        [Ok(only)] if !targets.is_empty() => only.exit_code(),
        many => many.iter().find_map(|one| Some(one.as_ref().err()?.kind.exit_code())).unwrap_or(0),
    })
}

/// One drive, with what a look at it alone told.
struct Seen {
    drive: Drive,
    conversion: Option<Conversion>,
    /// A resizing of its file system that was cut off.
    resizing: Option<Resizing>,
    fault: Option<Fault>,
}

impl Seen {
    fn exit_code(&self) -> u8 {
        let damaged_or_newer = self.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::NewerOrDamaged)
            || matches!(self.drive.judged.reason.code.as_str(), "luks-damaged" | "luks-newer");
        match self.drive.judged.verdict {
            Verdict::Protected => 0,
            _ if damaged_or_newer => FaultKind::NewerOrDamaged.exit_code(),
            _ => NOT_PROTECTED,
        }
    }
}

/// A conversion that is under way.
#[derive(Serialize)]
struct Conversion {
    mode: &'static str,
    done: u64,
    total: u64,
    ours: bool,
}

fn look(target: &Path) -> Result<Seen, Fault> {
    let Inspection { drive, look, .. } = drives::inspect(target).map_err(|error| error.fault())?;
    let conversion = look.conversion.map(|state| Conversion {
        mode: match state.mode {
            Mode::Encrypt => "encrypt",
            Mode::Decrypt => "decrypt",
            _ => "reencrypt",
        },
        done: state.done,
        total: state.total,
        ours: state.ours,
    });
    let resizing = match operations::disorder(target) {
        Ok(Some(Disorder::Ours(way))) => Some(way),
        _ => None,
    };
    Ok(Seen { drive, conversion, resizing, fault: look.fault })
}

/// The whole first, then each place where data can lie.
fn show_computer(speaker: &Speaker, computer: &Computer) {
    speaker.say(keys::CLI_STATUS_COMPUTER, &texts::args([]));
    show_judged(speaker, &computer.judged, "  ");
    for place in &computer.places {
        let content = speaker.texts.content(&place.content.0);
        let kind = speaker.texts.place(place.kind);
        let args = texts::args([("kind", &kind), ("place", &place.place), ("content", &content)]);
        speaker.say(keys::CLI_STATUS_PLACE, &args);
        let Sentence { what, .. } = speaker.texts.judged(&place.judged);
        indented(speaker, "    ", &format!("{}: {what}", speaker.texts.verdict(place.judged.verdict)));
    }
    speaker.line("");
}

fn show_all(speaker: &Speaker, seen: &[Result<Seen, Fault>], known: &[Known]) {
    if seen.is_empty() {
        speaker.say(keys::CLI_NO_DRIVES, &texts::args([]));
    }
    for (place, one) in seen.iter().enumerate() {
        if place > 0 {
            speaker.line("");
        }
        match one {
            Ok(one) => show(speaker, one, known),
            Err(fault) => speaker.fault(fault),
        }
    }
}

fn show(speaker: &Speaker, seen: &Seen, known: &[Known]) {
    let drive = &seen.drive;
    let args = texts::args([("name", &drive.name), ("path", &drive.path), ("size", &drive.size)]);
    let same = drive.name == drive.path || drive.path.ends_with(&format!("/{}", drive.name));
    speaker.say(if same { keys::CLI_STATUS_IMAGE } else { keys::CLI_STATUS_DRIVE }, &args);
    show_judged(speaker, &drive.judged, "  ");
    if let Some(fault) = &seen.fault {
        let sentence = speaker.texts.fault(fault);
        indented(speaker, "  ", &sentence.what);
        indented(speaker, "  ", &sentence.next);
    }
    if let Some(way) = seen.resizing {
        let key = match way {
            Resizing::Smaller => keys::CLI_STATUS_CUT_SMALLER,
            Resizing::Larger => keys::CLI_STATUS_CUT_LARGER,
        };
        indented(speaker, "  ", &speaker.texts.say(key, &texts::args([("path", &quoted(Path::new(&drive.path)))])));
    }
    for volume in drive.volumes.iter().filter(|volume| volume.id.0 != drive.path) {
        let mut content = speaker.texts.content(&volume.content.0);
        if let Some(label) = &volume.label {
            content = format!("{content} \u{201c}{label}\u{201d}");
        }
        let args = texts::args([("path", &volume.id.0), ("content", &content), ("size", &volume.size)]);
        speaker.say(keys::CLI_STATUS_VOLUME, &args);
        if !volume.mounts.is_empty() {
            let args = texts::args([("place", &volume.mounts.join(", "))]);
            speaker.say(keys::CLI_STATUS_MOUNTED, &args);
        }
        show_judged(speaker, &volume.judged, "    ");
    }
    for (place, copy) in of_drive(drive, known).enumerate() {
        if place == 0 {
            speaker.line(&format!("  {}", speaker.texts.plain(keys::CLI_STATUS_COPIES)));
        }
        recovery::say_copy(speaker, "    ", copy);
    }
}

/// Copies of the recovery keys of a drive's volumes.
fn of_drive<'a>(drive: &'a Drive, known: &'a [Known]) -> impl Iterator<Item = &'a Known> {
    known.iter().filter(|one| drive.volumes.iter().any(|volume| volume.uuid.as_ref() == Some(&one.copy.uuid)))
}

fn show_judged(speaker: &Speaker, judged: &Judged, indent: &str) {
    let Sentence { what, next } = speaker.texts.judged(judged);
    indented(speaker, indent, &format!("{}: {what}", speaker.texts.verdict(judged.verdict)));
    indented(speaker, indent, &speaker.texts.gets(judged));
    indented(speaker, indent, &next);
}

fn indented(speaker: &Speaker, indent: &str, text: &str) {
    if !text.is_empty() {
        speaker.line(&format!("{indent}{text}"));
    }
}

/// The answer with `--json`.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    /// The computer as a whole. `null` where targets were named.
    computer: Option<Whole<'a>>,
    drives: Vec<Entry<'a>>,
    /// Every block device with what it lies on: the stack under each mount as a graph.
    devices: Vec<Device>,
    /// Targets that could not be looked at.
    faults: Vec<Unseen>,
}

#[derive(Serialize)]
struct Device {
    path: String,
    /// `disk`, `part`, `crypt`, `lvm`, `raid`, `mpath`, `cache`, `loop`…
    kind: &'static str,
    size: u64,
    /// Paths of the devices that it lies on.
    below: Vec<String>,
    /// Where it is mounted itself.
    mounts: Vec<String>,
}

impl Device {
    fn all(stack: &Stack) -> Vec<Self> {
        let path = |number: &Number| stack.nodes.get(number).map(|node| node.path.clone());
        let mounted = |number: Number| {
            let points = stack.mounts.iter().filter(|mount| mount.devices.contains(&number));
            points.map(|mount| mount.point.display().to_string()).collect()
        };
        // A loop device without a file and a reader without a medium lead nowhere.
        let there = stack.nodes.values().filter(|node| node.size > 0);
        there
            .map(|node| Self {
                path: node.path.clone(),
                kind: node.kind.name(),
                size: node.size,
                below: node.below.iter().filter_map(path).collect(),
                mounts: mounted(node.number),
            })
            .collect()
    }
}

#[derive(Serialize)]
struct Whole<'a> {
    judged: &'a Judged,
    #[serde(flatten)]
    words: Words,
    places: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    #[serde(flatten)]
    place: &'a DataPlace,
    #[serde(flatten)]
    words: Words,
}

/// A verdict in words of the person's language; programs read `judged`.
#[derive(Serialize)]
struct Words {
    what: String,
    gets: String,
    next: String,
}

impl Words {
    fn of(texts: &Texts, judged: &Judged) -> Self {
        let Sentence { what, next } = texts.judged(judged);
        Self { what, gets: texts.gets(judged), next }
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    drive: &'a Drive,
    conversion: Option<&'a Conversion>,
    /// `smaller` or `larger`: a resizing of its file system that was cut off.
    resizing: Option<Resizing>,
    fault: Option<FaultEntry>,
    /// Copies of its recovery keys that this computer remembers.
    copies: Vec<CopyEntry<'a>>,
    #[serde(flatten)]
    words: Words,
}

#[derive(Serialize)]
struct Unseen {
    path: String,
    #[serde(flatten)]
    fault: FaultEntry,
}

impl<'a> Document<'a> {
    fn new(
        texts: &Texts,
        computer: Option<&'a Computer>,
        devices: Vec<Device>,
        targets: &[PathBuf],
        seen: &'a [Result<Seen, Fault>],
        known: &'a [Known],
    ) -> Self {
        let computer = computer.map(|computer| Whole {
            judged: &computer.judged,
            words: Words::of(texts, &computer.judged),
            places: computer
                .places
                .iter()
                .map(|place| Place { place, words: Words::of(texts, &place.judged) })
                .collect(),
        });
        let drives = seen.iter().filter_map(|one| one.as_ref().ok()).map(|one| Entry {
            drive: &one.drive,
            conversion: one.conversion.as_ref(),
            resizing: one.resizing,
            fault: one.fault.as_ref().map(|fault| FaultEntry::new(texts, fault)),
            copies: of_drive(&one.drive, known).map(CopyEntry::from).collect(),
            words: Words::of(texts, &one.drive.judged),
        });
        let faults = targets.iter().zip(seen).filter_map(|(target, one)| {
            let fault = FaultEntry::new(texts, one.as_ref().err()?);
            Some(Unseen { path: target.display().to_string(), fault })
        });
        Self { version: 1, computer, devices, drives: drives.collect(), faults: faults.collect() }
    }
}
