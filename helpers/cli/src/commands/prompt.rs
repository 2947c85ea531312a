//! What the prompt before the running system starts says and shows.

use std::path::Path;

use boot::prompt::{self, Decoy, Echo, Settings, Shown, Text, Words};
use clap::ValueEnum;
use model::{Describe, Fault};
use serde::Serialize;
use texts::keys;

use crate::args::checked::Consent;
use crate::args::raw::{Prompt, PromptSet};
use crate::speaker::{Speaker, quoted};
use crate::work;

/// Shows it or sets it.
pub fn run(speaker: &Speaker, what: &Prompt) -> Result<(), Fault> {
    match what {
        Prompt::Show { json } => show(speaker, *json),
        Prompt::Set(asked) => set(speaker, asked),
    }
}

#[derive(Serialize)]
struct Document {
    version: u32,
    #[serde(flatten)]
    shown: Shown,
}

fn show(speaker: &Speaker, json: bool) -> Result<(), Fault> {
    let shown = prompt::show().map_err(|error| error.fault())?;
    if json {
        speaker.document(&Document { version: 1, shown });
        return Ok(());
    }
    let Some(settings) = &shown.settings else {
        let path = quoted(Path::new(prompt::SCRIPT));
        speaker.say(keys::CLI_PROMPT_EDITED, &texts::args([("path", &path)]));
        return Ok(());
    };
    let (key, text) = match &settings.text {
        Text::Distribution => (keys::CLI_PROMPT_USUAL, ""),
        Text::Own(words) => (keys::CLI_PROMPT_OWN, words.as_str()),
        Text::Decoy(decoy) => (keys::CLI_PROMPT_DECOY, decoy.line()),
    };
    speaker.say(key, &texts::args([("name", &shown.mapping), ("text", &text)]));
    speaker.line(&speaker.texts.plain(if shown.shows_dots() {
        keys::CLI_PROMPT_DOTS
    } else {
        keys::CLI_PROMPT_NOTHING
    }));
    Ok(())
}

fn set(speaker: &Speaker, asked: &PromptSet) -> Result<(), Fault> {
    let settings = settings(asked).map_err(|refusal| refusal.fault())?;
    let shown = prompt::check().map_err(|error| error.fault())?;
    match &settings.text {
        Text::Distribution if asked.default => speaker.line(&speaker.texts.plain(keys::CLI_PROMPT_WHY_DEFAULT)),
        Text::Distribution => {}
        Text::Own(words) => speaker.say(keys::CLI_PROMPT_WHY_OWN, &texts::args([("text", &words.as_str())])),
        Text::Decoy(decoy) => speaker.say(keys::CLI_PROMPT_WHY_DECOY, &texts::args([("text", &decoy.line())])),
    }
    if settings.echo == Echo::None {
        speaker.line(&speaker.texts.plain(keys::CLI_PROMPT_WHY_SILENT));
    }
    if !shown.picture {
        speaker.line(&speaker.texts.plain(keys::CLI_PROMPT_WHY_CONSOLE));
    }
    work::consent(speaker, if asked.yes { Consent::Given } else { Consent::Ask }, keys::CLI_PROMPT_ASK)?;
    speaker.note(keys::CLI_PROMPT_WORKING, &model::Args::new());
    prompt::set(&settings).map_err(|error| error.fault())?;
    speaker.line(&speaker.texts.plain(keys::CLI_PROMPT_SET));
    Ok(())
}

fn settings(asked: &PromptSet) -> Result<Settings, prompt::Refusal> {
    let decoy = asked.decoy.and_then(|name| Decoy::named(name.to_possible_value()?.get_name()));
    let text = match (&asked.text, decoy) {
        (Some(text), _) => Text::Own(Words::parse(text)?),
        (None, Some(decoy)) => Text::Decoy(decoy),
        (None, None) => Text::Distribution,
    };
    // A decoy that showed dots would be none.
    let echo = if asked.silent || decoy.is_some() { Echo::None } else { Echo::Distribution };
    Ok(Settings { text, echo })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::raw::Command;
    use clap::Parser;

    fn asked(words: &str) -> PromptSet {
        let line = ["latchkey", "prompt", "set"].into_iter().chain(words.split(' '));
        match crate::args::raw::Cli::parse_from(line).command {
            Command::Prompt(Prompt::Set(asked)) => asked,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_decoy_has_its_line() {
        for decoy in Decoy::ALL {
            let found = settings(&asked(&format!("--decoy {}", decoy.name()))).unwrap();
            assert_eq!(found, Settings { text: Text::Decoy(decoy), echo: Echo::None });
        }
    }

    #[test]
    fn what_is_not_named_is_as_the_distribution_has_it() {
        assert_eq!(settings(&asked("--default")).unwrap(), Settings::default());
        let silent = Settings { text: Text::Distribution, echo: Echo::None };
        assert_eq!(settings(&asked("--silent")).unwrap(), silent);
        let own = settings(&asked("--text Found?")).unwrap();
        assert_eq!((own.echo, matches!(own.text, Text::Own(_))), (Echo::Distribution, true));
        assert!(settings(&asked("--text \\n")).is_err());
    }
}
