//! The one catalogue: every sentence for people, in each language.
//!
//! The sentences are Fluent files in `i18n/LANGUAGE/`, one for each crate that has something to say,
//! and are part of the program. An engine returns codes ([`model::Fault`], [`model::Reason`]…); here
//! they become sentences. A message that is missing gives its code in brackets, never a panic.
//!
//! Values are put into a sentence by their name:
//!
//! | name ends in | value | is shown as |
//! |---|---|---|
//! | `size`, `bytes`, `length`, `offset`, `needed`, `free`, `total`, `done`, `room` | bytes | `1.2 GB`, see [`Language::bytes`] |
//! | `rate` | bytes a second | `310 MB/s` |
//! | `seconds`, `eta_s` | seconds | `3 min 20 s` |
//! | `day` (exactly, or after a `_`) | `2026-12-02` | `2 December 2026`, see [`Texts::day`] |
//! | `content` (exactly) | `ext4` and so on | the catalogue's words for it |
//! | anything else | a whole number | as it is, and it chooses the plural form |
//! | anything else | text | as it is |
//!
//! A value with one of these names that is no number is shown as it is.

mod language;
mod numbers;

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource, FluentValue};
use model::{Args, Condition, Day, Fault, Judged, Method, Outcome, PlaceKind, Reason, StepId, Verdict};
use unic_langid::LanguageIdentifier;

pub use language::Language;

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// Names a message of the catalogue. There is a constant for each in [`keys`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(&'static str);

impl Key {
    /// The id as it stands in the Fluent files.
    pub const fn id(self) -> &'static str {
        self.0
    }
}

/// What happened, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What happened, or how it stands.
    pub what: String,
    /// What to do next. Empty where there is nothing to do.
    pub next: String,
}

/// The catalogue in one language. Only that language is read; English is read as well when a
/// message is missing.
pub struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
    fallback: OnceLock<FluentBundle<FluentResource>>,
}

impl Texts {
    /// The catalogue in this language.
    pub fn new(language: Language) -> Self {
        Self { language, bundle: bundle(language), fallback: OnceLock::new() }
    }

    /// The language that is spoken.
    pub const fn language(&self) -> Language {
        self.language
    }

    /// A message with its values.
    pub fn say(&self, key: Key, args: &Args) -> String {
        self.message(key.0, args)
    }

    /// A message without values.
    pub fn plain(&self, key: Key) -> String {
        self.message(key.0, &Args::new())
    }

    /// What went wrong, and what to do next.
    pub fn fault(&self, fault: &Fault) -> Sentence {
        let id = format!("fault-{}", fault.code);
        let next = self.find(&id, Some("next"), &fault.args).unwrap_or_default();
        Sentence { what: self.message(&id, &fault.args), next }
    }

    /// Whether it is protected and why, and what to do next.
    pub fn judged(&self, judged: &Judged) -> Sentence {
        let next = if judged.next.is_empty() {
            String::new()
        } else {
            self.message(&format!("next-{}", judged.next), &judged.reason.args)
        };
        Sentence { what: self.reason(&judged.reason), next }
    }

    /// What somebody gets who has the drive in hand. Empty where that was not asked.
    pub fn gets(&self, judged: &Judged) -> String {
        match judged.gets.as_str() {
            "" => String::new(),
            gets => self.message(&format!("gets-{gets}"), &judged.reason.args),
        }
    }

    /// What sort of place it is.
    pub fn place(&self, kind: PlaceKind) -> String {
        self.message(&format!("place-{}", kind.name()), &Args::new())
    }

    /// Why.
    pub fn reason(&self, reason: &Reason) -> String {
        self.message(&format!("reason-{}", reason.code), &reason.args)
    }

    /// The name of a condition, and why it turned out as it did.
    pub fn condition(&self, condition: &Condition) -> Sentence {
        Sentence {
            what: self.message(&format!("condition-{}", condition.code), &condition.reason.args),
            next: self.reason(&condition.reason),
        }
    }

    /// The name of a piece of work.
    pub fn step(&self, step: StepId) -> String {
        let key = match step {
            StepId::Check => keys::STEP_CHECK,
            StepId::MakeRoom => keys::STEP_MAKE_ROOM,
            StepId::DeriveKey => keys::STEP_DERIVE_KEY,
            StepId::Header => keys::STEP_HEADER,
            StepId::Encrypt => keys::STEP_ENCRYPT,
            StepId::Decrypt => keys::STEP_DECRYPT,
            StepId::Benchmark => keys::STEP_BENCHMARK,
            StepId::Write => keys::STEP_WRITE,
            StepId::Verify => keys::STEP_VERIFY,
            _ => keys::STEP_WORK,
        };
        self.plain(key)
    }

    /// A verdict in one or two words.
    pub fn verdict(&self, verdict: Verdict) -> String {
        self.plain(match verdict {
            Verdict::Protected => keys::VERDICT_PROTECTED,
            Verdict::NotProtected => keys::VERDICT_NOT_PROTECTED,
            Verdict::PartlyProtected => keys::VERDICT_PARTLY_PROTECTED,
            Verdict::Suspended => keys::VERDICT_SUSPENDED,
            Verdict::Converting => keys::VERDICT_CONVERTING,
            Verdict::Locked => keys::VERDICT_LOCKED,
            Verdict::Unknown => keys::VERDICT_UNKNOWN,
        })
    }

    /// The name of a method.
    pub fn method(&self, method: Method) -> String {
        self.plain(match method {
            Method::Software => keys::METHOD_SOFTWARE,
            Method::Hardware => keys::METHOD_HARDWARE,
            Method::Both => keys::METHOD_BOTH,
        })
    }

    /// How a condition turned out, in a word.
    pub fn outcome(&self, outcome: Outcome) -> String {
        self.plain(match outcome {
            Outcome::Pass => keys::OUTCOME_PASS,
            Outcome::Fail => keys::OUTCOME_FAIL,
            Outcome::Warn => keys::OUTCOME_WARN,
            Outcome::Unknown => keys::OUTCOME_UNKNOWN,
        })
    }

    /// What lies on a volume, by the name that the engines use (`ext4`, `swap`, `empty`…). A name
    /// that the catalogue does not know is shown as it is.
    pub fn content(&self, content: &str) -> String {
        self.find(&format!("content-{content}"), None, &Args::new()).unwrap_or_else(|| content.to_owned())
    }

    /// A day in words: `2 December 2026`.
    pub fn day(&self, day: Day) -> String {
        let (year, month, number) = day.civil();
        let month = self.by_id(&format!("month-{month}"));
        self.say(keys::DATE_OF, &args([("year", &year), ("month", &month), ("number", &number)]))
    }

    /// A message whose id another crate hands out, such as the words of the recovery sheet.
    pub fn by_id(&self, id: &str) -> String {
        self.message(id, &Args::new())
    }

    /// [`by_id`](Self::by_id) with its values.
    pub fn by_id_with(&self, id: &str, args: &Args) -> String {
        self.message(id, args)
    }

    /// A message by its id, or the id in brackets.
    fn message(&self, id: &str, args: &Args) -> String {
        self.find(id, None, args).unwrap_or_else(|| format!("[{id}]"))
    }

    fn find(&self, id: &str, attribute: Option<&str>, args: &Args) -> Option<String> {
        if let Some(content) = args.get("content")
            && let Some(named) = self.find(&format!("content-{content}"), None, &Args::new())
        {
            let mut args = args.clone();
            args.insert("content".to_owned(), named);
            return self.find(id, attribute, &args);
        }
        let days = args.iter().filter(|(name, _)| *name == "day" || name.ends_with("_day"));
        let days: Vec<(String, Day)> =
            days.filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?))).collect();
        if !days.is_empty() {
            let mut args = args.clone();
            args.extend(days.into_iter().map(|(name, day)| (name, self.day(day))));
            return self.find(id, attribute, &args);
        }
        look_up(&self.bundle, self.language, id, attribute, args).or_else(|| {
            if self.language == Language::English {
                return None;
            }
            let english = self.fallback.get_or_init(|| bundle(Language::English));
            look_up(english, self.language, id, attribute, args)
        })
    }
}

/// Values for a sentence: `args([("path", &path), ("size", &size)])`.
pub fn args<const N: usize>(values: [(&str, &dyn ToString); N]) -> Args {
    values.into_iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
}

fn bundle(language: Language) -> FluentBundle<FluentResource> {
    let files = match language {
        Language::English => EN,
        Language::German => DE,
    };
    // An unreadable tag would give the neutral plural rules; a test parses both.
    let tag: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // The marks around values are for mixed scripts; in a terminal they show as boxes, and no
    // language here is written from the right.
    bundle.set_use_isolating(false);
    for (_, source) in files {
        // What could be read of a damaged file is used. A test refuses such a file.
        let resource = match FluentResource::try_new((*source).to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        // A message that is there twice keeps its first form. A test refuses that, too.
        let _ = bundle.add_resource(resource);
    }
    bundle
}

fn look_up(
    bundle: &FluentBundle<FluentResource>,
    language: Language,
    id: &str,
    attribute: Option<&str>,
    args: &Args,
) -> Option<String> {
    let message = bundle.get_message(id)?;
    let pattern = match attribute {
        Some(attribute) => message.get_attribute(attribute)?.value(),
        None => message.value()?,
    };
    let mut values = FluentArgs::with_capacity(args.len());
    for (name, value) in args {
        values.set(name.as_str(), fluent_value(language, name, value));
    }
    // A value that is missing shows as its name in braces: better than no sentence.
    let mut errors: Vec<FluentError> = Vec::new();
    Some(bundle.format_pattern(pattern, Some(&values), &mut errors).into_owned())
}

/// See the table at the top.
fn fluent_value<'a>(language: Language, name: &str, value: &'a str) -> FluentValue<'a> {
    if let Some(text) = language.by_name(name, value) {
        return FluentValue::String(text.into());
    }
    match value.parse::<u64>() {
        // Only a number that reads the same afterwards: a file named `007` stays that, and beyond
        // 2^53 the plural rules' floating point would change digits.
        Ok(number) if number < 1 << 53 && number.to_string() == value => FluentValue::from(number),
        _ => FluentValue::String(value.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::FaultKind;

    #[test]
    fn a_missing_message_gives_its_code_in_brackets() {
        let texts = Texts::new(Language::German);
        let sentence = texts.fault(&Fault::new("no-such-thing", FaultKind::Failed));
        assert_eq!(sentence, Sentence { what: "[fault-no-such-thing]".to_owned(), next: String::new() });
    }

    #[test]
    fn values_are_humanised_by_their_name() {
        let fault = Fault::new("device-out-of-range", FaultKind::Failed)
            .with("offset", 1_200_000_000)
            .with("length", 4096)
            .with("size", 500_000_000_000_u64);
        let english = Texts::new(Language::English).fault(&fault).what;
        assert!(
            english.contains("1.2 GB") && english.contains("4,096 bytes") && english.contains("500 GB"),
            "{english}"
        );
        let german = Texts::new(Language::German).fault(&fault).what;
        assert!(german.contains("1,2 GB") && german.contains("4.096 Byte"), "{german}");
    }

    #[test]
    fn days_are_said_in_words() {
        let reason = Reason::new("copy-not-tried").with("day", "2026-03-02");
        for (language, words) in [(Language::English, "2 March 2026"), (Language::German, "2. März 2026")] {
            let said = Texts::new(language).reason(&reason);
            assert!(said.contains(words), "{said}");
        }
        // What is no day stays as it is.
        let said = Texts::new(Language::English).reason(&Reason::new("copy-not-tried").with("day", "2026-02-31"));
        assert!(said.contains("2026-02-31"), "{said}");
    }

    #[test]
    fn contents_have_names() {
        let reason = Reason::new("encrypted-already").with("content", "luks2");
        let said = Texts::new(Language::German).reason(&reason);
        assert!(said.contains("LUKS2-Verschlüsselung"), "{said}");
        assert_eq!(Texts::new(Language::German).content("something-new"), "something-new");
    }

    #[test]
    fn no_marks_around_values() {
        let fault = Fault::new("device-missing", FaultKind::Refused).with("path", "/tmp/a");
        let sentence = Texts::new(Language::English).fault(&fault);
        assert!(sentence.what.contains("/tmp/a"));
        assert!(!sentence.what.contains('\u{2068}'));
        assert!(!sentence.next.is_empty());
    }

    #[test]
    fn a_path_that_looks_like_a_number_stays_as_it_is() {
        for path in ["007", "12", "99999999999999999999", "1e3", "-1", "1.50"] {
            let fault = Fault::new("device-missing", FaultKind::Refused).with("path", path);
            assert!(Texts::new(Language::German).fault(&fault).what.contains(path), "{path}");
        }
    }
}
