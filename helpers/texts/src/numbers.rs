use crate::Language;

const DAY: u64 = 24 * HOUR;
const HOUR: u64 = 60 * MINUTE;
const MINUTE: u64 = 60;

impl Language {
    /// A size as drive makers print it: decimal units (1 kB is 1000 bytes), one digit after the
    /// point below a hundred, none above. Below ten thousand the exact number of bytes is shown,
    /// because there it is a limit or a sector size.
    pub fn bytes(self, bytes: u64) -> String {
        if bytes < 10_000 {
            return match (self, bytes) {
                (Self::English, 1) => "1 byte".to_owned(),
                (Self::English, _) => format!("{} bytes", self.grouped(bytes)),
                (Self::German, _) => format!("{} Byte", self.grouped(bytes)),
            };
        }
        let mut value = bytes as f64;
        for unit in ["B", "kB", "MB", "GB", "TB", "PB", "EB"] {
            // 999.96 would be rounded to 1000.
            if value < 999.5 || unit == "EB" {
                return format!("{} {unit}", self.rounded(value));
            }
            value /= 1000.0;
        }
        String::new()
    }

    /// A rate in bytes a second.
    pub fn rate(self, bytes_a_second: f64) -> String {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A negative rate is none.
        let whole = bytes_a_second.max(0.0) as u64;
        format!("{}/s", self.bytes(whole))
    }

    /// A length of time, with its two largest units.
    pub fn duration(self, seconds: u64) -> String {
        let day = match self {
            Self::English => "d",
            Self::German => "T.",
        };
        let (hour, minute, second) = match self {
            Self::English => ("h", "min", "s"),
            Self::German => ("Std.", "Min.", "s"),
        };
        let parts = [
            (seconds / DAY, day),
            (seconds % DAY / HOUR, hour),
            (seconds % HOUR / MINUTE, minute),
            (seconds % MINUTE, second),
        ];
        let first = parts.iter().position(|(number, _)| *number > 0).unwrap_or(3);
        let shown: Vec<String> = parts[first..]
            .iter()
            .take(2)
            .enumerate()
            .filter(|(place, (number, _))| *place == 0 || *number > 0)
            .map(|(_, (number, unit))| format!("{number} {unit}"))
            .collect();
        shown.join(" ")
    }

    /// One digit after the point below a hundred, none above, and no zero that says nothing.
    pub fn rounded(self, value: f64) -> String {
        let text = if value < 99.95 { format!("{value:.1}") } else { format!("{value:.0}") };
        let text = text.strip_suffix(".0").unwrap_or(&text);
        match self {
            Self::English => text.to_owned(),
            Self::German => text.replace('.', ","),
        }
    }

    /// A value as its name wants it; `None` where the name says nothing or the value is no number.
    /// See the table at the top of this crate.
    pub(crate) fn by_name(self, name: &str, value: &str) -> Option<String> {
        const BYTES: [&str; 9] = ["size", "bytes", "length", "offset", "needed", "free", "total", "done", "room"];
        if BYTES.iter().any(|end| name.ends_with(end)) {
            return value.parse().ok().map(|bytes| self.bytes(bytes));
        }
        if name.ends_with("rate") {
            return value.parse().ok().map(|rate| self.rate(rate));
        }
        if name.ends_with("seconds") || name == "eta_s" {
            return value.parse().ok().map(|seconds| self.duration(seconds));
        }
        None
    }

    fn grouped(self, number: u64) -> String {
        let separator = match self {
            Self::English => ",",
            Self::German => ".",
        };
        if number < 1000 { number.to_string() } else { format!("{}{separator}{:03}", number / 1000, number % 1000) }
    }
}

#[cfg(test)]
mod tests {
    use super::Language::{English, German};

    #[test]
    fn sizes() {
        for (bytes, english, german) in [
            (0, "0 bytes", "0 Byte"),
            (1, "1 byte", "1 Byte"),
            (512, "512 bytes", "512 Byte"),
            (4096, "4,096 bytes", "4.096 Byte"),
            (10_000, "10 kB", "10 kB"),
            (99_960, "100 kB", "100 kB"),
            (999_499, "999 kB", "999 kB"),
            (999_500, "1 MB", "1 MB"),
            (16_777_216, "16.8 MB", "16,8 MB"),
            (1_073_741_824, "1.1 GB", "1,1 GB"),
            (1_200_000_000, "1.2 GB", "1,2 GB"),
            (500_107_862_016, "500 GB", "500 GB"),
            (2_000_398_934_016, "2 TB", "2 TB"),
            (u64::MAX, "18.4 EB", "18,4 EB"),
        ] {
            assert_eq!(English.bytes(bytes), english);
            assert_eq!(German.bytes(bytes), german);
        }
    }

    #[test]
    fn times() {
        for (seconds, english) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (200, "3 min 20 s"),
            (3600, "1 h"),
            (3661, "1 h 1 min"),
            (90_000, "1 d 1 h"),
            (86_460, "1 d"),
        ] {
            assert_eq!(English.duration(seconds), english);
        }
        assert_eq!(German.duration(3900), "1 Std. 5 Min.");
    }

    #[test]
    fn rates() {
        assert_eq!(English.rate(310_400_000.0), "310 MB/s");
        assert_eq!(German.rate(1_540_000.0), "1,5 MB/s");
        assert_eq!(English.rate(-1.0), "0 bytes/s");
    }

    #[test]
    fn a_value_that_is_no_number_stays() {
        assert_eq!(English.by_name("size", "many"), None);
        assert_eq!(English.by_name("path", "12"), None);
        assert_eq!(English.by_name("sector_size", "512").as_deref(), Some("512 bytes"));
    }
}
