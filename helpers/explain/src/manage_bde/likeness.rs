//! Whether a printed word is the word of a list, damage by code pages and consoles forgiven.

/// The longest printed word that is compared, in signs: one bit each.
const LONGEST: usize = 126;

/// A printed word, made ready to be compared: lower case, blanks of all kinds as one, none at the ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed(Vec<char>);

impl Printed {
    /// Makes it ready. A word that is far too long is like nothing.
    pub fn new(text: &str) -> Self {
        let mut signs = Vec::new();
        for word in text.split(char::is_whitespace).filter(|word| !word.is_empty()) {
            if !signs.is_empty() {
                signs.push(' ');
            }
            signs.extend(word.chars().flat_map(char::to_lowercase));
            if signs.len() > LONGEST {
                return Self::default();
            }
        }
        Self(signs)
    }

    /// Whether it is `known`, which is in lower case. A letter that is not ASCII may have become its
    /// base letter, a question mark, or up to three other signs that are not ASCII. In a script without
    /// base letters (Cyrillic, Chinese) each sign must be there.
    pub fn is(&self, known: &str) -> bool {
        let (Some(first), Some(seen)) = (known.chars().next(), self.0.first()) else { return false };
        let may_begin = same(first, *seen) || can_be_damaged(first) && is_damage(*seen);
        may_begin && self.ends(known, 1) & (1 << self.0.len()) != 0
    }

    /// Whether `known` stands anywhere in it, damage forgiven as in [`Printed::is`].
    pub fn holds(&self, known: &str) -> bool {
        !self.0.is_empty() && self.ends(known, u128::MAX) != 0
    }

    /// At which places `known` can end when it begins at one of the places of `starts`; a bit each.
    fn ends(&self, known: &str, starts: u128) -> u128 {
        let mut reached = starts & ((1 << (self.0.len() + 1)) - 1);
        let damage = self.places(is_damage);
        for sign in known.chars() {
            let mut next = (reached & self.places(|seen| same(sign, seen))) << 1;
            if can_be_damaged(sign) {
                let one = (reached & damage) << 1;
                let two = (one & damage) << 1;
                next |= one | two | ((two & damage) << 1);
            }
            reached = next;
            if reached == 0 {
                return 0;
            }
        }
        reached
    }

    fn places(&self, fits: impl Fn(char) -> bool) -> u128 {
        self.0.iter().enumerate().fold(0, |bits, (at, seen)| bits | (u128::from(fits(*seen)) << at))
    }
}

fn same(known: char, seen: char) -> bool {
    known == seen || base(known) == Some(seen) || (known == '\u{2019}' && seen == '\'')
}

/// Letters of the Latin script and typographic quotes are what code pages damage one by one.
fn can_be_damaged(sign: char) -> bool {
    matches!(sign, '\u{a0}'..='\u{24f}' | '\u{2019}')
}

fn is_damage(sign: char) -> bool {
    sign == '?' || !sign.is_ascii()
}

/// The letter without its mark.
fn base(sign: char) -> Option<char> {
    Some(match sign {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' => 'a',
        'è' | 'é' | 'ê' | 'ë' | 'ę' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' | 'ć' => 'c',
        'ñ' | 'ń' => 'n',
        'ł' => 'l',
        'ś' => 's',
        'ź' | 'ż' => 'z',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_forgiven_and_nothing_else() {
        let known = "état de la conversion";
        for seen in [
            "État de la conversion",
            "Etat de la conversion",
            "?tat de la  conversion",
            "\u{fffd}tat de la conversion",
            "Ã‰tat de la conversion",
            "ÉTAT\u{a0}DE LA CONVERSION",
        ] {
            assert!(Printed::new(seen).is(known), "{seen}");
        }
        for seen in
            ["tat de la conversion", "État de conversion", "État de la conversion x", "", "Xtat de la conversion"]
        {
            assert!(!Printed::new(seen).is(known), "{seen}");
        }
        assert!(!Printed::new("????").is("保护状态"));
        assert!(Printed::new("Der Schutz ist aktiviert.").holds("aktiviert"));
        assert!(Printed::new("Protection d?sactiv?e").holds("désactiv"));
        assert!(!Printed::new("Protection activ?e").holds("désactiv"));
        assert_eq!(Printed::new(&"x".repeat(100_000)), Printed::default());
    }
}
