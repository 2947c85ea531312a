//! `cargo bench -p drives --bench status`: how long a look at a recorded machine with 100 volumes takes,
//! once without rights and once with a file system or a LUKS2 header on every volume.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[cfg(target_os = "linux")]
#[path = "../tests/common/mod.rs"]
mod common;

#[cfg(target_os = "linux")]
fn main() {
    use std::time::Instant;

    use common::{Machine, bytes};

    const ROUNDS: usize = 21;
    /// Seconds that a look may take.
    const TARGET: f64 = 0.05;
    let machine = Machine::with_a_hundred_volumes();
    let measure = |case: &str| {
        let mut seconds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let begun = Instant::now();
                let survey = drives::survey_on(&machine.linux()).unwrap();
                assert_eq!(survey.computer.places.len(), 100);
                begun.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let median = seconds[ROUNDS / 2];
        println!("{case}: {:.1} ms", median * 1e3);
        println!("ratio target {case} {:.2}", TARGET / median);
    };
    measure("status-100-without-rights");
    let contents = [bytes::luks2(), bytes::swap(), bytes::ext4().unwrap_or_else(bytes::noise), bytes::lvm_member()];
    for disk in b'a'..b'a' + 25 {
        for (part, content) in contents.iter().enumerate() {
            machine.give_bytes(&format!("sd{}{}", char::from(disk), part + 1), content);
        }
    }
    measure("status-100");
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("left out: recorded machines have links in their folders");
}
