//! `cargo xtask`: sets up what is missing, runs and tests Latchkey.
//!
//! It depends on nothing but the standard library, so that the first `cargo xtask run` on a fresh
//! computer says its first word after a second and not after minutes.

mod bench;
mod command;
mod cross;
mod debian;
mod files;
mod frontend;
mod fuzz;
mod node;
mod packages;
mod packed;
mod places;
mod program;
mod reproducible;
mod sbom;
mod soak;
mod stages;
mod suite;

use std::process::ExitCode;

use command::Trouble;
use suite::Tier;

const HELP: &str = "\
cargo xtask COMMAND

  run [--release]       build the window and open it; without a display, practise in the terminal
  test [--quick|--full] everything that is tested; --quick: no window and no guest,
                        --full: also what has to be fetched and built for it first
  test --only STAGE     one of its stages alone, as the full tier has it: cross, laptop, package, ...
  lint                  formatting and warnings only
  pictures              the window's way through a practice drive, a picture of each step
  bench CASE            xts, opal, disk, disk-guest, convert, yielding, flow or window: ours beside its peer, one line a comparison
  soak [--cuts N | --minutes M] [--seed S]
                        power cuts during everything that changes a volume, on all cores: a million,
                        or N, or for M minutes
  fuzz [--seconds N] [--again FILE] [TARGET...]
                        hostile bytes for every parser, for a minute or N seconds each; or FILE again
  package               a .deb and an .rpm, with the lists of their parts and their sums
  programs              what they hold beside the window, into target/packed
  reproduce             these programs once more at another place, compared byte by byte
  setup                 install what is missing, and do nothing else
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["run", options @ ..] => program::run(options),
        ["test"] => suite::test(Tier::Usual, None),
        ["test", "--quick"] => suite::test(Tier::Quick, None),
        ["test", "--full"] => suite::test(Tier::Full, None),
        ["test", "--only", stage] => suite::test(Tier::Full, Some(stage)),
        ["lint"] => suite::lint(),
        ["pictures"] => suite::pictures(),
        ["bench", case] => bench::run(case),
        ["soak", options @ ..] => soak::run(options),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["package"] => packed::package().map(|_| ()),
        ["programs"] => packed::programs(),
        ["reproduce"] => reproducible::check(),
        ["setup"] => packages::install(&packages::Need::ALL),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("xtask: `{}` is not known.\n\n{HELP}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // What failed has been shown where it failed.
        Err(Trouble::Shown) => ExitCode::FAILURE,
        Err(trouble) => {
            eprintln!("\nxtask: {trouble}");
            ExitCode::FAILURE
        }
    }
}
