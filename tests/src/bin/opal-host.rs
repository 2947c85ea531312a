//! Our own host on the real transport of the kernel, for the guest: it does to `/dev/nvme0` what the
//! judges do with their own programs. A PIN stands in the arguments, because nothing there is secret.

use std::path::Path;
use std::process::ExitCode;

use model::Secret;
use opal::{Tper, host, system, uid};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match carry_out(&words) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}

/// Every drive of the computer, by the kernel's own pass-through: what it says of itself, and how long all of it
/// took.
fn discover_all() -> opal::Result<String> {
    let begun = std::time::Instant::now();
    let nodes = system::nodes();
    for node in &nodes {
        let mut tper = Tper::open(system::open(node)?)?;
        tper.protocols()?;
        assert!(!tper.discovery().facts().ssc.is_empty());
    }
    Ok(format!("{} drives in {} ms", nodes.len(), begun.elapsed().as_millis()))
}

fn carry_out(words: &[&str]) -> opal::Result<String> {
    if words == ["discover-all"] {
        return discover_all();
    }
    let (verb, path) = match words {
        [verb, path, ..] => (*verb, Path::new(*path)),
        _ => return Ok("opal-host VERB PATH [PIN]".into()),
    };
    let pin = Secret::from(words.get(2).copied().unwrap_or(""));
    let mut tper = Tper::open(system::open(path)?)?;
    match verb {
        "facts" => return Ok(format!("{:?}", tper.discovery().facts())),
        "protocols" => return Ok(format!("{:02x?}", tper.protocols()?.all)),
        "ownership" => return Ok(format!("{:?}", host::ownership(&mut tper, Some(&pin))?)),
        "set-up" => {
            host::set_up(&mut tper, &pin)?;
            host::add_admin(&mut tper, &pin, 2, &Secret::from("recovery"))?;
            host::load_shadow_mbr(&mut tper, &pin, &[0x5a; 200_000], &mut |_| {})?;
            host::set_shadow_mbr(&mut tper, &pin, true)?;
            host::locking(&mut tper, &pin, 0, true)?;
        }
        "lock" => host::lock(&mut tper, &pin, 0)?,
        "unlock" => host::unlock(&mut tper, &pin, 0)?,
        "recovery-unlock" => {
            let recovery = Secret::from("recovery");
            host::lock_with(&mut tper, uid::admin(2), &recovery, 0, host::Access::ReadWrite)?;
        }
        "done" => host::shadow_mbr_done(&mut tper, uid::admin(1), &pin, true)?,
        "give-back" => host::revert_keeping_data(&mut tper, &pin)?,
        "save" => system::save_for_resume(path, &pin, 0)?,
        other => return Ok(format!("{other}?")),
    }
    Ok("done".into())
}
