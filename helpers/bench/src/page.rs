//! The report as one page of HTML that needs nothing else: first in plain words, then in pictures with
//! a table behind each, then what it was measured under.

use std::fmt::Write;

use texts::{Key, Texts, keys};

use crate::{Change, Compared, Comparison, CurvePoint, Dot, Figures, Test, compare, reports};

const WIDTH: f64 = 760.0;

/// The page of one measurement, or of two side by side.
pub fn page(texts: &Texts, before: &Figures, after: Option<&Figures>) -> String {
    let page = Page { texts, before, after, compared: after.map(|after| compare(before, after)) };
    page.whole()
}

/// What the comparison says in plain words: a name, and a sentence.
pub fn plain_words(texts: &Texts, before: &Figures, after: &Figures, compared: &Compared) -> Vec<(String, String)> {
    let of = |test: Test| compared.comparisons.iter().find(|line| line.test == test);
    let mut words = Vec::new();
    for (name, test) in
        [(keys::BENCH_PLAIN_PROGRAMS, Test::Rnd4kQ1t1Read), (keys::BENCH_PLAIN_FILM, Test::Seq1mQ8t1Read)]
    {
        // As sure as the word about the whole above them: the two must not contradict each other.
        let words_of = |line: &Comparison| match line.sure {
            true => verdict(texts, line),
            false => texts.plain(keys::BENCH_CHANGE_SAME),
        };
        words.extend(of(test).map(|line| (texts.plain(name), words_of(line))));
    }
    words.push((texts.plain(keys::BENCH_PLAIN_BATTERY), battery(texts, before, after)));
    words
}

/// What is gained, and lost by encryption, on a drive that compresses what it stores. `None`: it was not measured.
pub fn compressing(texts: &Texts, figures: &Figures) -> Option<String> {
    let ratio = crate::compressing(figures)?;
    if ratio == 1.0 {
        return Some(texts.plain(keys::BENCH_COMPRESSES_NOT));
    }
    let percent = texts.language().rounded(((ratio - 1.0) * 100.0).round());
    Some(texts.say(keys::BENCH_COMPRESSES, &texts::args([("percent", &percent)])))
}

/// "12 % slower (between 9 % and 15 %)".
pub fn verdict(texts: &Texts, line: &Comparison) -> String {
    let percent = |ratio: f64| texts.language().rounded(((ratio - 1.0).abs() * 100.0).round());
    let key = match line.change {
        Change::Same => return texts.plain(keys::BENCH_CHANGE_SAME),
        Change::Slower => keys::BENCH_VERDICT_SLOWER,
        Change::Faster => keys::BENCH_VERDICT_FASTER,
    };
    let (near, far) = match line.change {
        Change::Slower => (line.ratio_high, line.ratio_low),
        _ => (line.ratio_low, line.ratio_high),
    };
    let args = texts::args([("percent", &percent(line.ratio)), ("least", &percent(near)), ("most", &percent(far))]);
    texts.say(key, &args)
}

/// Energy where it could be read, otherwise the work of the processor, for reading large files.
fn battery(texts: &Texts, before: &Figures, after: &Figures) -> String {
    let rounded = |value: f64| texts.language().rounded(value);
    let both = |of: fn(&crate::TestFigure) -> Option<f64>| {
        let value = |figures: &Figures| figures.test(Test::Seq1mQ8t1Read).and_then(of);
        Some((value(before)?, value(after)?))
    };
    let say = |key: Key, (before, after): (f64, f64)| {
        texts.say(key, &texts::args([("before", &rounded(before)), ("after", &rounded(after))]))
    };
    if let Some(joules) = both(|figure| figure.joules_per_gib) {
        return say(keys::BENCH_BATTERY_ENERGY, joules);
    }
    both(|figure| figure.cpu_seconds_per_gib)
        .map_or_else(|| texts.plain(keys::BENCH_BATTERY_UNKNOWN), |seconds| say(keys::BENCH_BATTERY_PROCESSOR, seconds))
}

struct Page<'a> {
    texts: &'a Texts,
    before: &'a Figures,
    after: Option<&'a Figures>,
    compared: Option<Compared>,
}

impl Page<'_> {
    fn whole(&self) -> String {
        let title = self.say(if self.after.is_some() { keys::BENCH_PAGE_TITLE_BOTH } else { keys::BENCH_PAGE_TITLE });
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
            self.texts.language().tag()
        );
        page.push_str(&self.words());
        if let Some(words) = compressing(self.texts, self.before) {
            let _ = writeln!(page, "<p>{}</p>", escape(&words));
        }
        page.push_str(&self.bars());
        page.push_str(&self.curve());
        page.push_str(&self.dots());
        page.push_str(&self.processor());
        page.push_str(&self.conditions());
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }

    fn say(&self, key: Key) -> String {
        escape(&self.texts.plain(key))
    }

    fn runs(&self) -> Vec<(&Figures, String, &'static str)> {
        let mut runs = vec![(self.before, self.say(keys::BENCH_COLUMN_BEFORE), "before")];
        runs.extend(self.after.map(|after| (after, self.say(keys::BENCH_COLUMN_AFTER), "after")));
        runs
    }

    fn rate(&self, rate: f64) -> String {
        escape(&self.texts.say(keys::BENCH_RATE, &texts::args([("rate", &rate)])))
    }

    fn name(&self, test: Test) -> String {
        escape(&self.texts.by_id(&format!("bench-{}", test.name())))
    }

    fn rounded(&self, value: f64) -> String {
        escape(&self.texts.language().rounded(value))
    }

    fn words(&self) -> String {
        let (Some(after), Some(compared)) = (self.after, &self.compared) else { return String::new() };
        let summary = match compared.overall {
            Change::Same => keys::BENCH_OVERALL_SAME,
            Change::Slower => keys::BENCH_OVERALL_SLOWER,
            Change::Faster => keys::BENCH_OVERALL_FASTER,
        };
        let mut out = format!("<p class=\"lead\">{}</p>\n<dl>\n", self.say(summary));
        for (name, words) in plain_words(self.texts, self.before, after, compared) {
            let _ = writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape(&name), escape(&words));
        }
        out.push_str("</dl>\n");
        out
    }

    /// A bar for each test and run, with a line from the slowest to the fastest round.
    fn bars(&self) -> String {
        let tests: Vec<Test> = self.before.tests.iter().map(|figure| figure.test).collect();
        let runs = self.runs();
        let rate = |test: Test| runs.iter().filter_map(move |(run, ..)| run.test(test)).map(|figure| figure.high);
        let longest = |random: bool| {
            tests.iter().filter(|test| test.random() == random).flat_map(|test| rate(*test)).fold(1.0, f64::max)
        };
        let (left, room) = (250.0, WIDTH - 250.0 - 110.0);
        let row = 20.0 * runs.len() as f64 + 14.0;
        let (mut svg, mut rows) = (String::new(), String::new());
        for (index, test) in tests.iter().enumerate() {
            let top = index as f64 * row;
            let scale = room / longest(test.random());
            let _ = writeln!(svg, "<text x=\"0\" y=\"{:.0}\">{}</text>", top + 16.0, self.name(*test));
            for (place, (run, when, class)) in runs.iter().enumerate() {
                let Some(figure) = run.test(*test) else { continue };
                let y = top + 20.0 * place as f64 + 4.0;
                let (low, high) = (left + figure.low * scale, left + figure.high * scale);
                let _ = writeln!(
                    svg,
                    "<rect class=\"{class}\" x=\"{left}\" y=\"{y:.0}\" width=\"{:.1}\" height=\"15\"/>\
                     <path class=\"range\" d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {up:.1}v7M{high:.1} {up:.1}v7\"/>\
                     <text class=\"value\" x=\"{WIDTH}\" y=\"{:.0}\">{}</text>",
                    (figure.rate * scale).max(1.0),
                    y + 12.0,
                    self.rate(figure.rate),
                    middle = y + 7.5,
                    up = y + 4.0,
                );
                let line = self.compared.as_ref().filter(|_| *class == "after");
                let line = line.and_then(|compared| compared.comparisons.iter().find(|line| line.test == *test));
                let _ = writeln!(
                    rows,
                    "<tr><th scope=\"row\">{} <code>{}</code></th><td>{when}</td><td>{}</td><td>{} – {}</td>\
                     <td>{}</td><td>{} / {} µs</td><td>{}</td><td>{}</td></tr>",
                    self.name(*test),
                    test.name(),
                    self.rate(figure.rate),
                    self.rate(figure.low),
                    self.rate(figure.high),
                    self.rounded(figure.iops().round()),
                    self.rounded(figure.latency.p50_us),
                    self.rounded(figure.latency.p99_us),
                    line.map_or_else(String::new, |line| self.ratio(line)),
                    line.and_then(|line| line.predicted).map_or_else(String::new, |(low, high)| self.span(low, high)),
                );
            }
        }
        let columns = [
            keys::BENCH_COLUMN_TEST,
            keys::BENCH_COLUMN_WHEN,
            keys::BENCH_COLUMN_MEDIAN,
            keys::BENCH_COLUMN_RANGE,
            keys::BENCH_COLUMN_IOPS,
            keys::BENCH_COLUMN_LATENCY,
            keys::BENCH_COLUMN_RATIO,
            keys::BENCH_COLUMN_PREDICTED,
        ];
        self.figure(keys::BENCH_PICTURE_BARS, row * tests.len() as f64, &svg, &columns, &rows)
    }

    fn ratio(&self, line: &Comparison) -> String {
        let word = escape(&self.texts.by_id(&format!("bench-change-{}", line.change.name())));
        format!("{} ({}): {word}", percent(self, line.ratio), self.span(line.ratio_low, line.ratio_high))
    }

    fn span(&self, low: f64, high: f64) -> String {
        format!("{} – {}", percent(self, low), percent(self, high))
    }

    fn curve(&self) -> String {
        let runs: Vec<_> = self.runs().into_iter().filter(|(run, ..)| !run.curve.is_empty()).collect();
        let rates = runs.iter().flat_map(|(run, ..)| run.curve.iter().map(|point| point.rate));
        let most = rates.fold(1.0, f64::max);
        let (mut svg, mut rows) = (axes(&self.rate(most)), String::new());
        for (run, when, class) in &runs {
            let point =
                |point: &CurvePoint| format!("{:.1},{:.1}", 60.0 + point.place * 680.0, height(point.rate / most));
            let points: Vec<String> = run.curve.iter().map(point).collect();
            let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
            // Ten of them are enough to read.
            for point in run.curve.iter().step_by(run.curve.len().div_ceil(10).max(1)) {
                let _ = writeln!(
                    rows,
                    "<tr><th scope=\"row\">{when}</th><td>{}</td><td>{}</td></tr>",
                    percent(self, point.place),
                    self.rate(point.rate)
                );
            }
        }
        if runs.is_empty() {
            return format!(
                "<h2>{}</h2>\n<p>{}</p>\n",
                self.say(keys::BENCH_PICTURE_CURVE),
                self.say(keys::BENCH_NO_CURVE)
            );
        }
        let columns = [keys::BENCH_COLUMN_WHEN, keys::BENCH_COLUMN_PLACE, keys::BENCH_COLUMN_RATE];
        self.figure(keys::BENCH_PICTURE_CURVE, 220.0, &svg, &columns, &rows)
    }

    fn dots(&self) -> String {
        let runs: Vec<_> = self.runs().into_iter().filter(|(run, ..)| !run.dots.is_empty()).collect();
        if runs.is_empty() {
            return String::new();
        }
        // One in a hundred may lie above: it would press all others to the ground.
        let of = |run: &Figures| run.test(Test::Rnd4kQ1t1Read).map_or(0.0, |figure| figure.latency.p99_us);
        let most = runs.iter().map(|(run, ..)| of(run)).fold(1.0, f64::max) * 1.1;
        let (mut svg, mut rows) = (axes(&format!("{} µs", self.rounded(most))), String::new());
        for (run, when, class) in &runs {
            for Dot { place, us } in &run.dots {
                let (x, y) = (60.0 + place * 680.0, height((us / most).min(1.0)));
                let _ = match *class {
                    // Told apart by their shape, too.
                    "after" => {
                        writeln!(svg, "<path class=\"dot after\" d=\"M{:.1} {:.1}h5v5h-5z\"/>", x - 2.5, y - 2.5)
                    }
                    _ => writeln!(svg, "<circle class=\"dot before\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>"),
                };
            }
            if let Some(figure) = run.test(Test::Rnd4kQ1t1Read) {
                let _ = writeln!(
                    rows,
                    "<tr><th scope=\"row\">{when}</th><td>{} µs</td><td>{} µs</td></tr>",
                    self.rounded(figure.latency.p50_us),
                    self.rounded(figure.latency.p99_us)
                );
            }
        }
        let columns = [keys::BENCH_COLUMN_WHEN, keys::BENCH_COLUMN_HALF, keys::BENCH_COLUMN_SLOW];
        self.figure(keys::BENCH_PICTURE_DOTS, 220.0, &svg, &columns, &rows)
    }

    fn processor(&self) -> String {
        let figures = || {
            self.runs().into_iter().flat_map(|(run, when, class)| {
                run.tests
                    .iter()
                    .filter_map(move |figure| Some((figure, figure.cpu_seconds_per_gib?, when.clone(), class)))
            })
        };
        let most = figures().map(|(_, seconds, ..)| seconds).fold(0.001, f64::max);
        let (mut svg, mut rows, mut y) = (String::new(), String::new(), 0.0);
        for test in self.before.tests.iter().map(|figure| figure.test) {
            let of_test: Vec<_> = figures().filter(|(figure, ..)| figure.test == test).collect();
            if of_test.is_empty() {
                continue;
            }
            let _ = writeln!(svg, "<text x=\"0\" y=\"{:.0}\">{}</text>", y + 14.0, self.name(test));
            for (figure, seconds, when, class) in of_test {
                let shown = format!("{} s", self.rounded(seconds));
                let _ = writeln!(
                    svg,
                    "<rect class=\"{class}\" x=\"250\" y=\"{y:.0}\" width=\"{:.1}\" height=\"15\"/>\
                     <text class=\"value\" x=\"{WIDTH}\" y=\"{:.0}\">{shown}</text>",
                    (seconds / most * (WIDTH - 360.0)).max(1.0),
                    y + 12.0
                );
                let energy = figure
                    .joules_per_gib
                    .map_or_else(|| "–".to_owned(), |joules| format!("{} J", self.rounded(joules)));
                let _ = writeln!(
                    rows,
                    "<tr><th scope=\"row\">{}</th><td>{when}</td><td>{shown}</td><td>{energy}</td></tr>",
                    self.name(test)
                );
                y += 20.0;
            }
            y += 14.0;
        }
        if rows.is_empty() {
            return String::new();
        }
        let columns =
            [keys::BENCH_COLUMN_TEST, keys::BENCH_COLUMN_WHEN, keys::BENCH_COLUMN_PROCESSOR, keys::BENCH_COLUMN_ENERGY];
        self.figure(keys::BENCH_PICTURE_PROCESSOR, y, &svg, &columns, &rows)
    }

    /// What it was measured under, and what was different.
    fn conditions(&self) -> String {
        let mut out = format!("<h2>{}</h2>\n", self.say(keys::BENCH_CONDITIONS));
        let differences = self.compared.iter().flat_map(|compared| &compared.differences);
        let mut different = String::new();
        for difference in differences {
            let _ = writeln!(
                different,
                "<li>{}: {} → {}</li>",
                escape(&self.texts.by_id(&format!("bench-condition-{}", difference.what))),
                escape(&difference.before),
                escape(&difference.after)
            );
        }
        if !different.is_empty() {
            let _ = writeln!(out, "<p>{}</p>\n<ul>\n{different}</ul>", self.say(keys::BENCH_DIFFERENT));
        }
        let facts: Vec<Vec<(&str, String)>> = self.runs().iter().map(|(run, ..)| facts(self.texts, run)).collect();
        let mut rows = String::new();
        for (index, (what, first)) in facts[0].iter().enumerate() {
            if facts.iter().all(|facts| facts[index].1.is_empty()) {
                continue;
            }
            let second = facts.get(1).map_or(String::new(), |facts| format!("<td>{}</td>", escape(&facts[index].1)));
            let name = escape(&self.texts.by_id(&format!("bench-condition-{what}")));
            let _ = writeln!(rows, "<tr><th scope=\"row\">{name}</th><td>{}</td>{second}</tr>", escape(first));
        }
        let heads: String = self.runs().iter().map(|(_, when, _)| format!("<th scope=\"col\">{when}</th>")).collect();
        let _ = writeln!(out, "<table>\n<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>");
        out
    }

    /// A picture with its table behind it.
    fn figure(&self, title: Key, height: f64, svg: &str, columns: &[Key], rows: &str) -> String {
        let title_id = title.id();
        let title = self.say(title);
        let heads: String = columns.iter().map(|key| format!("<th scope=\"col\">{}</th>", self.say(*key))).collect();
        let runs = self.runs();
        let mut legend = String::new();
        if runs.len() > 1 {
            for (_, when, class) in &runs {
                let _ = write!(legend, "<span class=\"key {class}\"></span>{when} ");
            }
        }
        format!(
            "<h2 id=\"{title_id}\">{title}</h2>\n<p class=\"legend\">{legend}</p>\n\
             <svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-labelledby=\"{title_id}\" \
             aria-describedby=\"{title_id}-table\">\n{svg}</svg>\n\
             <details><summary>{}</summary>\n<table id=\"{title_id}-table\">\n<thead><tr>{heads}</tr></thead>\n\
             <tbody>\n{rows}</tbody>\n</table>\n</details>\n",
            self.say(keys::BENCH_TABLE)
        )
    }
}

/// Each condition with its value, in the same order for every run.
pub fn facts(texts: &Texts, figures: &Figures) -> Vec<(&'static str, String)> {
    let found = &figures.conditions;
    let unknown = || texts.plain(keys::BENCH_UNKNOWN);
    let text = |value: &Option<String>| value.clone().unwrap_or_else(unknown);
    let number = |value: Option<f64>, unit: &str| {
        value.map_or_else(unknown, |value| format!("{}{unit}", texts.language().rounded(value)))
    };
    let crypt = found.crypt.as_ref();
    let yes_no = |value: Option<bool>| match value {
        Some(true) => texts.plain(keys::BENCH_YES),
        Some(false) => texts.plain(keys::BENCH_NO),
        None => unknown(),
    };
    vec![
        ("when", found.when.map_or_else(unknown, reports::day)),
        ("access", texts.by_id(&format!("bench-access-{}", access(figures)))),
        ("file-size", texts.say(keys::BENCH_SIZE, &texts::args([("size", &figures.file_size)]))),
        ("written", texts.say(keys::BENCH_SIZE, &texts::args([("size", &figures.written)]))),
        ("drive", text(&found.drive)),
        ("kernel", text(&found.kernel)),
        ("file-system", text(&found.file_system)),
        ("fill", number(found.fill.map(|fill| (fill * 100.0).round()), " %")),
        ("temperature", number(found.temperature_c, " °C")),
        (
            "power",
            match found.power.as_deref() {
                Some("mains") => texts.plain(keys::BENCH_POWER_MAINS),
                Some("battery") => texts.plain(keys::BENCH_POWER_BATTERY),
                _ => unknown(),
            },
        ),
        ("governor", text(&found.governor)),
        ("scheduler", text(&found.scheduler)),
        ("load", number(found.load, "")),
        ("idle", yes_no(found.idle)),
        ("discard", yes_no(found.discard)),
        ("trimmed", yes_no(Some(found.trimmed))),
        (
            "cipher",
            crypt.map_or_else(
                || texts.plain(if figures.encrypted { keys::BENCH_BY_THIS_PROGRAM } else { keys::BENCH_NONE }),
                |crypt| format!("{}, {} bit", crypt.cipher, crypt.key_bits),
            ),
        ),
        ("sector-size", crypt.map_or_else(String::new, |crypt| crypt.sector_size.to_string())),
        ("flags", crypt.map_or_else(String::new, |crypt| crypt.flags.join(" "))),
    ]
}

const fn access(figures: &Figures) -> &'static str {
    match figures.access {
        crate::Access::Direct => "direct",
        crate::Access::Buffered => "buffered",
        crate::Access::Memory => "memory",
    }
}

fn percent(page: &Page<'_>, ratio: f64) -> String {
    format!("{} %", page.rounded((ratio * 1000.0).round() / 10.0))
}

/// From the ground at 200 up to 10.
fn height(share: f64) -> f64 {
    200.0 - share * 190.0
}

/// Ground, height, and what the height stands for.
fn axes(top: &str) -> String {
    format!(
        "<path class=\"axis\" d=\"M60 10V200H740\"/>\n<text class=\"value\" x=\"56\" y=\"16\">{top}</text>\n\
         <text class=\"value\" x=\"56\" y=\"204\">0</text>\n<text x=\"60\" y=\"216\">0 %</text>\n\
         <text class=\"value\" x=\"740\" y=\"216\">100 %</text>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "\
:root{color-scheme:light dark;--before:#5b6b8c;--after:#0b7a5c;--line:#8886;font:16px/1.5 system-ui,sans-serif}\
@media(prefers-color-scheme:dark){:root{--before:#9fb0d6;--after:#4fd1a5}}\
body{margin:0;padding:2rem 1rem}main{max-width:52rem;margin:auto}\
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:2.2rem 0 .2rem}.lead{font-size:1.15rem}\
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.25rem 0;border-bottom:1px solid var(--line)}\
dt{flex:0 0 14rem;font-weight:600}dd{margin:0}\
svg{width:100%;height:auto;font-size:12px;fill:currentColor}\
.value{text-anchor:end}rect.before,circle.before,.key.before{fill:var(--before);background:var(--before)}\
rect.after,path.after,.key.after{fill:var(--after);background:var(--after)}.dot{opacity:.7}\
polyline{fill:none;stroke-width:2}polyline.before{stroke:var(--before);stroke-dasharray:6 3}polyline.after{stroke:var(--after)}\
.range,.axis{fill:none;stroke:currentColor}.axis{stroke:var(--line)}\
.key{display:inline-block;width:.8rem;height:.8rem;margin:0 .4rem 0 .8rem}.legend{margin:0;font-size:.9rem}\
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .9rem .25rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;font-weight:400}\
thead th{font-weight:600}details{overflow-x:auto}summary{cursor:pointer}\
@media print{details{display:block}}";

#[cfg(test)]
mod tests {
    use texts::Language;

    use super::*;
    use crate::{DiskOptions, measure, simulated};

    fn figures(us: u64, seed: u64) -> Figures {
        let nature = simulated::Nature {
            read_latency: std::time::Duration::from_micros(us),
            scatter: 0.01,
            ..simulated::Nature::default()
        };
        let mut drive = simulated::Simulated::new(nature, seed);
        let options = DiskOptions { budget: std::time::Duration::from_secs(2), ..DiskOptions::default() };
        let mut figures = measure(&mut drive, &options, &model::Control::new(), &mut model::Silent).unwrap();
        (figures.curve, _) =
            crate::curve_of(&mut drive, 64 << 30, 20, &model::Control::new(), &mut model::Silent).unwrap();
        figures.conditions.drive = Some("A <drive> & \"more\"".into());
        for figure in &mut figures.tests {
            figure.cpu_seconds_per_gib = Some(0.4);
        }
        figures
    }

    #[test]
    fn the_page_is_whole_in_both_languages() {
        let (before, after) = (figures(100, 1), figures(140, 2));
        for language in [Language::English, Language::German] {
            let texts = Texts::new(language);
            for after in [None, Some(&after)] {
                let page = page(&texts, &before, after);
                for test in Test::EIGHT {
                    assert!(page.contains(&format!("<code>{}</code>", test.name())));
                }
                // Nothing is fetched, no message is missing, no text is taken for markup.
                assert!(!page.contains("http") && !page.contains("src=") && !page.contains("url("));
                assert!(!page.contains("[bench"), "{}", page.split("[bench").nth(1).unwrap_or_default());
                assert!(page.contains("A &lt;drive&gt; &amp; &quot;more&quot;") && !page.contains("<drive>"));
                // A table behind each picture.
                assert_eq!(page.matches("<svg").count(), 4);
                assert_eq!(page.matches("<details>").count(), 4);
                assert_eq!(page.matches("role=\"img\"").count(), 4);
                assert_eq!(page.contains("class=\"lead\""), after.is_some());
            }
        }
    }

    #[test]
    fn plain_words_do_not_contradict_the_word_about_the_whole() {
        let texts = Texts::new(Language::English);
        let (before, after) = (figures(100, 1), figures(140, 2));
        let mut compared = compare(&before, &after);
        for line in &mut compared.comparisons {
            line.sure = false;
        }
        let words = plain_words(&texts, &before, &after, &compared);
        assert!(words[..2].iter().all(|(_, words)| words == "no measurable difference"), "{words:?}");
    }

    #[test]
    fn plain_words_come_first_and_are_true() {
        let texts = Texts::new(Language::English);
        let (before, after) = (figures(100, 1), figures(140, 2));
        let words = plain_words(&texts, &before, &after, &compare(&before, &after));
        assert_eq!(words.len(), 3);
        assert!(words[0].1.starts_with("28 % slower"), "{words:?}");
        let same = plain_words(&texts, &before, &figures(100, 3), &compare(&before, &figures(100, 3)));
        assert_eq!(same[0].1, "no measurable difference");
    }
}
