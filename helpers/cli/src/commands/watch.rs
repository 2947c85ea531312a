use std::io::{self, Write};

use model::{Describe, Fault};
use wizard::engine::Seen;

/// Looks at all drives and says in a line of JSON what was seen, whenever that changes. It takes no orders:
/// what comes in on standard input is not read, but for its end, which is the end of this program, too.
pub fn run() -> Result<(), Fault> {
    std::thread::spawn(|| {
        // Also an input that cannot be read has ended.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        std::process::exit(0);
    });
    wizard::watch::follow(&mut |seen| tell(seen).is_ok()).map_err(|error| error.fault())
}

fn tell(seen: &Seen) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, seen)?;
    writeln!(output)?;
    output.flush()
}
