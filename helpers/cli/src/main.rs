//! `latchkey`: everything that the window does, for a terminal, a script and the tests.
//!
//! The program is thin. It reads the command line ([`args`]), fetches secrets ([`secrets`]), hands
//! the work to the crates below, and says in sentences or in JSON what came of it ([`speaker`]).

mod args;
mod commands;
mod progress;
mod secrets;
mod sheet;
mod speaker;
mod stop;
mod work;

use std::process::ExitCode;

use clap::Parser;
use model::Fault;

use args::checked::Command;
use args::raw::Cli;
use speaker::Speaker;

fn main() -> ExitCode {
    let mut speaker = Speaker::new();
    let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    if let Some(served) = wizard::native::help(&words, &|key| speaker.texts.by_id(key)) {
        return served.map_or_else(|fault| failed(&speaker, &fault, false), |()| ExitCode::SUCCESS);
    }
    // Wrong usage ends here, with exit code 2.
    let cli = Cli::parse();
    let command = match Command::try_from(cli.command) {
        Ok(command) => command,
        Err(fault) => return failed(&speaker, &fault, false),
    };
    let json = command.wants_json();
    match commands::run(&mut speaker, command) {
        Ok(code) => ExitCode::from(code),
        Err(fault) => failed(&speaker, &fault, json),
    }
}

fn failed(speaker: &Speaker, fault: &Fault, json: bool) -> ExitCode {
    if json {
        speaker.fault_document(fault);
    }
    speaker.fault(fault);
    ExitCode::from(fault.kind.exit_code())
}
