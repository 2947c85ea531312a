use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A day of the Gregorian calendar in UTC, from 1 January 1970 on. Written and kept as `2026-12-02`
/// (ISO 8601, extended format).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Day(u32);

impl Day {
    /// Today, as this computer's clock has it.
    pub fn today() -> Self {
        Self::of(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
    }

    /// The day of a moment, in seconds since the beginning of 1970.
    pub const fn of(seconds: u64) -> Self {
        let days = seconds / 86_400;
        // Beyond the last day it is the last day.
        #[allow(clippy::cast_possible_truncation)]
        Self(if days > u32::MAX as u64 { u32::MAX } else { days as u32 })
    }

    /// So many days later.
    #[must_use]
    pub const fn plus(self, days: u32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Days from another day to this one; `None` if that one comes later.
    pub const fn since(self, earlier: Self) -> Option<u32> {
        self.0.checked_sub(earlier.0)
    }

    /// Year, month and day of the month.
    pub const fn civil(self) -> (u32, u32, u32) {
        // Howard Hinnant's "civil from days": years begin in March, so that the day that comes and goes is
        // the last.
        let days = self.0 as u64 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, year) = if month < 10 { (month + 3, 400 * era + year) } else { (month - 9, 400 * era + year + 1) };
        // Of 32 bits of days none is beyond the year 11 760 000.
        #[allow(clippy::cast_possible_truncation)]
        (year as u32, month as u32, day as u32)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

/// The text is no day as `2026-12-02`, or one before 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDay;

impl fmt::Display for NoDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a day")
    }
}

impl std::error::Error for NoDay {}

impl TryFrom<String> for Day {
    type Error = NoDay;

    fn try_from(text: String) -> Result<Self, NoDay> {
        text.parse()
    }
}

impl FromStr for Day {
    type Err = NoDay;

    fn from_str(text: &str) -> Result<Self, NoDay> {
        let bytes = text.as_bytes();
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u64>().ok());
        let (10, Some(b'-'), Some(b'-'), true) = (bytes.len(), bytes.get(4), bytes.get(7), text.is_ascii()) else {
            return Err(NoDay);
        };
        let parts = [&text[..4], &text[5..7], &text[8..]].map(|part| number(part).flatten());
        let [Some(year), Some(month), Some(day)] = parts else { return Err(NoDay) };
        if year < 1970 || !(1..=12).contains(&month) || day == 0 {
            return Err(NoDay);
        }
        // The way back of `civil`.
        let (shifted, of_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let of_era = shifted % 400;
        let days = of_era * 365 + of_era / 4 - of_era / 100 + (153 * of_march + 2) / 5 + day - 1;
        let found = Self::of(((shifted / 400 * 146_097 + days).checked_sub(719_468).ok_or(NoDay)?) * 86_400);
        // The 31st of February is the third of March.
        if found.to_string() == text { Ok(found) } else { Err(NoDay) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_and_read() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_789, "2026-12-02"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!((Day(days).to_string(), text.parse()), (text.to_owned(), Ok(Day(days))));
        }
        for day in (0..80_000).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day));
        }
        assert_eq!(Day::of(20_789 * 86_400 + 86_399), Day(20_789));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026-12-2",
            "2026-13-01",
            "2026-02-29",
            "2026-00-10",
            "1969-12-31",
            "2026/12/02",
            "+026-12-02",
            "2026-1é-2",
        ] {
            assert_eq!(text.parse::<Day>(), Err(NoDay), "{text}");
        }
    }

    #[test]
    fn today_is_what_the_system_says() {
        let Ok(output) = std::process::Command::new("date").args(["-u", "+%F"]).output() else { return };
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        // Whoever runs this at midnight is unlucky once.
        assert_eq!(Day::today().to_string(), said);
    }

    #[test]
    fn days_between() {
        let (first, later) = (Day(100), Day(465));
        assert_eq!((later.since(first), first.since(later), first.plus(365)), (Some(365), None, later));
    }
}
