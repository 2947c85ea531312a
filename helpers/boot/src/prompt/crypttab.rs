//! One option in one line of crypttab(5). Every other byte stays.

use super::Refusal;

const OPTION: &str = "keyscript=";

/// The line of a volume: where its parts stand in the file's text.
struct Line<'a> {
    key: &'a str,
    options: Option<(usize, &'a str)>,
    /// Behind the last field.
    end: usize,
}

/// The `keyscript=` of this volume's line.
///
/// # Errors
/// [`Refusal::Crypttab`] where there is no such line, or more than one; [`Refusal::KeyFile`].
pub fn keyscript<'a>(text: &'a str, mapping: &str) -> Result<Option<&'a str>, Refusal> {
    let line = find(text, mapping)?;
    let options = line.options.map_or("", |(_, options)| options);
    let script = options.split(',').find_map(|option| option.strip_prefix(OPTION));
    match script {
        // With a script, the key is only its argument.
        None if !matches!(line.key, "none" | "-") => Err(Refusal::KeyFile { path: line.key.to_owned() }),
        script => Ok(script),
    }
}

/// The same text with another `keyscript=` in this volume's line, or with none.
///
/// # Errors
/// As [`keyscript`].
pub fn with_keyscript(text: &str, mapping: &str, script: Option<&str>) -> Result<String, Refusal> {
    let line = find(text, mapping)?;
    let Some((at, options)) = line.options else {
        let Some(script) = script else { return Ok(text.to_owned()) };
        return Ok(format!("{} {OPTION}{script}{}", &text[..line.end], &text[line.end..]));
    };
    let others = options.split(',').filter(|option| !option.starts_with(OPTION));
    let wanted = script.map(|script| format!("{OPTION}{script}"));
    let options: Vec<&str> = others.chain(wanted.as_deref()).collect();
    let joined = options.join(",");
    // A field cannot be empty.
    let joined = if joined.is_empty() { "luks" } else { &joined };
    Ok(format!("{}{joined}{}", &text[..at], &text[line.end..]))
}

fn find<'a>(text: &'a str, mapping: &str) -> Result<Line<'a>, Refusal> {
    let mut found = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let fields = fields(line);
        if let [(_, name), (_, _source), (_, key), rest @ ..] = &fields[..]
            && *name == mapping
        {
            if found.is_some() {
                return Err(Refusal::Crypttab { mapping: mapping.to_owned() });
            }
            let options = rest.first().copied();
            let (last_at, last) = options.unwrap_or(fields[2]);
            let options = options.map(|(at, options)| (start + at, options));
            found = Some(Line { key, options, end: start + last_at + last.len() });
        }
        start += line.len();
    }
    found.ok_or_else(|| Refusal::Crypttab { mapping: mapping.to_owned() })
}

/// Each field with its place in the line; none of a comment.
fn fields(line: &str) -> Vec<(usize, &str)> {
    let fields: Vec<(usize, &str)> =
        line.split_ascii_whitespace().map(|field| (field.as_ptr().addr() - line.as_ptr().addr(), field)).collect();
    if fields.first().is_some_and(|(_, field)| field.starts_with('#')) { Vec::new() } else { fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "/etc/latchkey/prompt";

    #[test]
    fn nothing_but_the_option_changes() {
        for (before, after) in [
            ("a UUID=1 none luks,discard\n", "a UUID=1 none luks,discard,keyscript=/etc/latchkey/prompt\n"),
            ("a UUID=1 none luks", "a UUID=1 none luks,keyscript=/etc/latchkey/prompt"),
            (
                "#a b none luks\n\n\ta\tUUID=1  -\tluks  \nb /dev/x none",
                "#a b none luks\n\n\ta\tUUID=1  -\tluks,keyscript=/etc/latchkey/prompt  \nb /dev/x none",
            ),
            ("a UUID=1 none luks\r\n", "a UUID=1 none luks,keyscript=/etc/latchkey/prompt\r\n"),
        ] {
            let set = with_keyscript(before, "a", Some(SCRIPT)).unwrap();
            assert_eq!(set, after);
            assert_eq!(keyscript(before, "a"), Ok(None));
            assert_eq!(keyscript(&set, "a"), Ok(Some(SCRIPT)));
            assert_eq!(with_keyscript(&set, "a", Some(SCRIPT)).unwrap(), set);
            assert_eq!(with_keyscript(&set, "a", None).unwrap(), before);
        }
    }

    #[test]
    fn a_line_without_options() {
        let set = with_keyscript("a UUID=1 none # mine\n", "a", None);
        // What follows the key is the field of the options, whatever it looks like.
        assert!(set.is_ok());
        assert_eq!(
            with_keyscript("a UUID=1 none\nb c d\n", "a", Some(SCRIPT)).unwrap(),
            "a UUID=1 none keyscript=/etc/latchkey/prompt\nb c d\n"
        );
        assert_eq!(with_keyscript("a UUID=1 none keyscript=/x\n", "a", None).unwrap(), "a UUID=1 none luks\n");
        assert_eq!(with_keyscript("a UUID=1 none", "a", None).unwrap(), "a UUID=1 none");
    }

    #[test]
    fn what_is_not_one_line_is_refused() {
        let refused = Err(Refusal::Crypttab { mapping: "a".into() });
        for text in ["", "b UUID=1 none luks\n", "a UUID=1\n", "# a UUID=1 none\n", "a 1 none\na 2 none\n"] {
            assert_eq!(keyscript(text, "a"), refused, "{text:?}");
        }
        assert_eq!(keyscript("a 1 /key luks\n", "a"), Err(Refusal::KeyFile { path: "/key".into() }));
        assert_eq!(keyscript("a 1 /key luks,keyscript=passdev\n", "a"), Ok(Some("passdev")));
    }
}
