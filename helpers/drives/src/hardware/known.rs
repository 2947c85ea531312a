//! The list of drives whose own encryption is weak, misbehaves or is doubtful, with firmware and
//! sources: `known.json`.

use std::cmp::Ordering;
use std::sync::LazyLock;

use serde::Deserialize;

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// For people.
    pub name: String,
    models: Vec<String>,
    firmware: Firmware,
    /// What sort of doubt.
    pub kind: Kind,
    /// What is wrong, as a CVE number or in a few words.
    pub flaw: String,
    /// Where it is written.
    pub sources: Vec<String>,
    /// The class that the model is known to have.
    #[serde(default)]
    pub ssc: Option<String>,
    /// What a revert needs afterwards.
    #[serde(default)]
    pub after_revert: Option<String>,
    /// The system's driver does not send it security commands.
    #[serde(default)]
    pub kernel_refuses: bool,
    /// It claims a shadow MBR that it does not have.
    #[serde(default)]
    pub no_shadow_mbr: bool,
}

/// What sort of doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Its encryption was broken: whoever has the drive reads it.
    Weak,
    /// Weak with an ATA password only; TCG is not affected.
    WeakAta,
    /// It encrypts, but something about its use fails.
    Misbehaves,
    /// Its own papers contradict it, or a flaw is known that has not been shown to reach the data.
    Doubtful,
    /// Sold as encrypting, and nobody can lock it.
    NoLock,
}

/// Which firmware is affected.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Firmware {
    All,
    Below(String),
    Only(Vec<String>),
}

#[derive(Deserialize)]
struct List {
    drives: Vec<Doubt>,
}

static LIST: LazyLock<Vec<Doubt>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    serde_json::from_str::<List>(include_str!("known.json")).map(|list| list.drives).unwrap_or_default()
});

/// The whole list.
pub fn known() -> &'static [Doubt] {
    &LIST
}

/// The line for a drive. A firmware that is not known counts as affected.
pub fn lookup(model: &str, firmware: &str) -> Option<&'static Doubt> {
    // A report may name several drives.
    let names: Vec<String> = model.split([';', ',']).map(tidy).filter(|name| !name.is_empty()).take(16).collect();
    LIST.iter().find(|doubt| {
        let named = names.iter().any(|name| doubt.models.iter().any(|pattern| fits(pattern, name)));
        named && doubt.firmware.is_affected(&tidy(firmware))
    })
}

impl Firmware {
    fn is_affected(&self, firmware: &str) -> bool {
        // "not given", "several", "various": whoever wrote that did not know.
        let known =
            !firmware.is_empty() && firmware.chars().any(|sign| sign.is_ascii_digit()) && !firmware.contains(' ');
        match self {
            Self::All => true,
            Self::Below(first) => !known || compare(firmware, &tidy(first)) == Ordering::Less,
            Self::Only(list) => !known || list.iter().any(|one| tidy(one) == *firmware),
        }
    }
}

fn tidy(text: &str) -> String {
    let spaced = text.to_uppercase().replace(['_', '\t'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Numbers within names by their value, letters by the alphabet: MU9 is before MU10.
fn compare(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    while !left.is_empty() && !right.is_empty() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (many_left, many_right) = (digits(left), digits(right));
        if many_left > 0 && many_right > 0 {
            let (number_left, number_right) =
                (left[..many_left].trim_start_matches('0'), right[..many_right].trim_start_matches('0'));
            let order = number_left.len().cmp(&number_right.len()).then_with(|| number_left.cmp(number_right));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (&left[many_left..], &right[many_right..]);
            continue;
        }
        let (Some(sign_left), Some(sign_right)) = (left.chars().next(), right.chars().next()) else { break };
        if sign_left != sign_right {
            return sign_left.cmp(&sign_right);
        }
        (left, right) = (&left[sign_left.len_utf8()..], &right[sign_right.len_utf8()..]);
    }
    left.len().cmp(&right.len())
}

/// Whether a name fits a pattern with `*`. Linear but for the stars' own steps back.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p, n));
                p += 1;
            }
            Some(sign) if *sign == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((star, from)) = back else { return false };
                back = Some((star, from + 1));
                p = star + 1;
                n = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|sign| *sign == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_every_line_has_its_source() {
        let list: List = serde_json::from_str(include_str!("known.json")).unwrap();
        assert_eq!(list.drives.len(), known().len());
        for doubt in known() {
            assert!(!doubt.sources.is_empty() && !doubt.flaw.is_empty() && !doubt.models.is_empty(), "{}", doubt.name);
            assert!(doubt.models.iter().all(|model| *model == tidy(model)), "{}", doubt.name);
        }
    }

    #[test]
    fn firmware_ranges() {
        let kind = |model: &str, firmware: &str| lookup(model, firmware).map(|doubt| doubt.kind);
        for (model, firmware, expected) in [
            ("Crucial_CT250MX200SSD1", "MU04", Some(Kind::Weak)),
            ("CT256MX100SSD1", "MU02", Some(Kind::Weak)),
            ("CT256MX100SSD1", "MU03", None),
            ("CT256MX100SSD1", "MU10", None),
            ("CT256MX100SSD1", "not given", Some(Kind::Weak)),
            ("Crucial MX300", "", Some(Kind::Weak)),
            ("Crucial_CT275MX300SSD1", "M0CR060", Some(Kind::Weak)),
            ("Crucial_CT275MX300SSD1", "M0CR070", None),
            ("CT500MX500SSD1", "M3CR046", Some(Kind::Doubtful)),
            ("CT500MX500SSD1", "M3CR023", None),
            ("Samsung SSD 850 EVO 500GB", "EMT02B6Q", Some(Kind::WeakAta)),
            ("SanDisk SD9TB8W256G1001", "X6103000", Some(Kind::Weak)),
            ("SanDisk SD9TB8W256G1001", "X6112100", None),
            ("SanDisk X300 (SD7...)", "not given", Some(Kind::Weak)),
            ("WDC PC SN730 SDBQNTY-256G-1001", "11170101", Some(Kind::Misbehaves)),
            ("Samsung SSD 970 EVO Plus 500GB", "2B2QEXM7", None),
            ("", "", None),
        ] {
            assert_eq!(kind(model, firmware), expected, "{model} {firmware}");
        }
        assert_eq!(compare("MU9", "MU10"), Ordering::Less);
        assert_eq!(compare("M0CR070", "M0CR070"), Ordering::Equal);
    }
}
