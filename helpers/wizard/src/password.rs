//! How good a password is, what a start-up keyboard does to it, and a suggestion that needs no
//! particular keyboard.

use model::Reason;
use zeroize::Zeroizing;
use zxcvbn::feedback::Warning;

use crate::view::Strength;

/// Longest password in bytes. `cryptsetup` takes no more when it asks at a terminal.
pub const LONGEST: usize = 512;

/// Least score that the wizard accepts. zxcvbn's 3 ("safely unguessable") stands for more than 10^8
/// guesses, each of which costs about a second with Argon2id.
pub const LEAST_SCORE: u8 = 3;

/// Characters that zxcvbn looks at. More cost seconds and add nothing.
const LOOKED_AT: usize = 100;

/// Rates a password. `words` are what an attacker would try first: names of the computer and of its
/// user.
///
/// A password that cannot be used at all (empty, too long, with control characters) is rated with
/// the reason and is not acceptable.
pub fn rate(password: &str, words: &[&str]) -> Strength {
    let typing = typing(password);
    if let Some(reason) = unusable(password) {
        return Strength { score: 0, guesses_log10: 0.0, weaknesses: vec![reason], typing, acceptable: false };
    }
    let shortened: Zeroizing<String> = Zeroizing::new(password.chars().take(LOOKED_AT).collect());
    let words: Vec<&str> = words.iter().copied().filter(|word| word.len() > 2).collect();
    let entropy = zxcvbn::zxcvbn(&shortened, &words);
    let score = u8::from(entropy.score());
    Strength {
        score,
        guesses_log10: entropy.guesses_log10(),
        weaknesses: weaknesses(score, &entropy),
        typing,
        acceptable: score >= LEAST_SCORE,
    }
}

/// Why a password cannot be used, whatever its strength.
pub fn unusable(password: &str) -> Option<Reason> {
    if password.is_empty() {
        return Some(Reason::new("password-empty"));
    }
    if password.len() > LONGEST {
        return Some(Reason::new("password-too-long").with("limit", LONGEST));
    }
    // A line break or a NUL ends what a start-up prompt reads.
    password.chars().any(char::is_control).then(|| Reason::new("password-control"))
}

/// A passphrase that is typed with the same keys on QWERTY, QWERTZ and AZERTY keyboards, and that can
/// be spoken: six groups such as `lutin dehig`.
///
/// Each group is consonant, vowel, consonant, vowel, consonant, drawn evenly from the 13 consonants and
/// 3 vowels of the modhex alphabet `cbdefghijklnrtuv`. That is 13·3·13·3·13 = 19 773 possibilities a
/// group (14.27 bits) and 85.6 bits for the six. Between the groups are spaces: the space bar is the
/// only sign that no layout moves.
///
/// # Errors
/// The system's random source does not answer.
pub fn suggest() -> Result<Zeroizing<String>, getrandom::Error> {
    const GROUPS: usize = 6;
    const CONSONANTS: &[u8] = b"cbdfghjklnrtv";
    const VOWELS: &[u8] = b"eiu";
    let mut text = Zeroizing::new(String::with_capacity(GROUPS * 6));
    for group in 0..GROUPS {
        if group > 0 {
            text.push(' ');
        }
        for letters in [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS] {
            text.push(char::from(pick(letters)?));
        }
    }
    Ok(text)
}

/// One letter, each as likely as the other: a byte beyond the last whole multiple is thrown away.
fn pick(letters: &[u8]) -> Result<u8, getrandom::Error> {
    let even = 256 / letters.len() * letters.len();
    loop {
        let mut byte = [0];
        getrandom::fill(&mut byte)?;
        let drawn = usize::from(byte[0]);
        if drawn < even {
            return Ok(letters[drawn % letters.len()]);
        }
    }
}

/// What a keyboard before start-up may do to it. Most of them know only the American layout.
fn typing(password: &str) -> Vec<Reason> {
    let has = |test: fn(char) -> bool| password.chars().any(test);
    let mut reasons = Vec::new();
    if has(|c| !c.is_ascii()) {
        reasons.push(Reason::new("password-layout-non-ascii"));
    }
    // Y and Z change places between QWERTY and QWERTZ; A, Q, Z, W and M between QWERTY and AZERTY.
    if has(|c| "aqzwmyAQZWMY".contains(c)) {
        reasons.push(Reason::new("password-layout-letters"));
    }
    if has(|c| c.is_ascii_digit()) {
        reasons.push(Reason::new("password-layout-digits"));
    }
    if has(|c| c.is_ascii_punctuation()) {
        reasons.push(Reason::new("password-layout-signs"));
    }
    if password.starts_with(' ') || password.ends_with(' ') {
        reasons.push(Reason::new("password-layout-edge-space"));
    }
    reasons
}

/// At most two.
fn weaknesses(score: u8, entropy: &zxcvbn::Entropy) -> Vec<Reason> {
    if score >= 4 {
        return Vec::new();
    }
    let named = entropy.feedback().and_then(|feedback| feedback.warning()).map(|warning| match warning {
        Warning::StraightRowsOfKeysAreEasyToGuess | Warning::ShortKeyboardPatternsAreEasyToGuess => "password-keyboard",
        Warning::RepeatsLikeAaaAreEasyToGuess | Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess => {
            "password-repeats"
        }
        Warning::SequencesLikeAbcAreEasyToGuess => "password-sequence",
        Warning::RecentYearsAreEasyToGuess | Warning::DatesAreOftenEasyToGuess => "password-date",
        Warning::AWordByItselfIsEasyToGuess => "password-word",
        Warning::NamesAndSurnamesByThemselvesAreEasyToGuess | Warning::CommonNamesAndSurnamesAreEasyToGuess => {
            "password-name"
        }
        _ => "password-common",
    });
    let general = (score < LEAST_SCORE).then_some("password-guessable");
    named.into_iter().chain(general).map(Reason::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(reasons: &[Reason]) -> Vec<&str> {
        reasons.iter().map(|reason| reason.code.as_str()).collect()
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (password, code) in [
            (String::new(), "password-empty"),
            ("x".repeat(10_000), "password-too-long"),
            ("🦆".repeat(2_500), "password-too-long"),
            ("two\nlines, of which one is lost".into(), "password-control"),
            ("nul\0 inside of it".into(), "password-control"),
        ] {
            let strength = rate(&password, &[]);
            assert_eq!(codes(&strength.weaknesses), [code]);
            assert!(!strength.acceptable);
        }
        assert!(unusable(&"x".repeat(LONGEST)).is_none());
    }

    #[test]
    fn weak_ones_are_refused_with_a_reason() {
        for (password, code) in [
            ("password", "password-common"),
            ("qwertyuiop", "password-common"),
            ("aaaaaaaaaa", "password-repeats"),
            ("2024-03-01", "password-date"),
        ] {
            let strength = rate(password, &[]);
            assert!(!strength.acceptable, "{password}");
            assert!(strength.weaknesses.len() <= 2);
            assert!(codes(&strength.weaknesses).contains(&code), "{password}: {:?}", strength.weaknesses);
        }
    }

    #[test]
    fn the_name_of_the_computer_is_no_password() {
        let free = rate("grafenwald17", &[]);
        let known = rate("grafenwald17", &["grafenwald"]);
        assert!(known.guesses_log10 < free.guesses_log10);
    }

    #[test]
    fn what_a_start_up_keyboard_does_is_told() {
        assert_eq!(codes(&typing("über")), ["password-layout-non-ascii"]);
        assert_eq!(codes(&typing("🦆")), ["password-layout-non-ascii"]);
        assert_eq!(codes(&typing("zelt")), ["password-layout-letters"]);
        assert_eq!(codes(&typing("he11o")), ["password-layout-digits"]);
        assert_eq!(codes(&typing("he-lo")), ["password-layout-signs"]);
        assert_eq!(codes(&typing(" hello ")), ["password-layout-edge-space"]);
        assert!(typing("lutin dehig").is_empty());
    }

    #[test]
    fn emoji_are_accepted_with_a_warning() {
        let strength = rate("🦆🐢🌵🎻🚲🧀🪁🛶🧭🪣🦔🫖", &[]);
        assert!(strength.acceptable);
        assert_eq!(codes(&strength.typing), ["password-layout-non-ascii"]);
    }

    #[test]
    fn a_suggestion_is_strong_and_needs_no_particular_keyboard() {
        let suggestion = suggest().unwrap();
        assert_eq!(suggestion.split(' ').count(), 6);
        assert!(suggestion.chars().all(|c| c == ' ' || "cbdefghijklnrtuv".contains(c)), "{}", *suggestion);
        let strength = rate(&suggestion, &[]);
        assert_eq!(strength.score, 4);
        assert!(strength.typing.is_empty() && strength.acceptable);
        assert_ne!(*suggestion, *suggest().unwrap());
    }
}
