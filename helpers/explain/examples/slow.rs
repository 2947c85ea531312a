//! temp
fn main() {
    let parts: Vec<String> = std::fs::read_to_string("/tmp/parts.txt").unwrap().lines().map(|l| serde_json::from_str::<String>(l).unwrap()).collect();
    for part in &parts {
        let mut times = vec![];
        for size in [50_000usize, 200_000] {
            let bytes = part.repeat(size / part.len().max(1)).into_bytes();
            let t = std::time::Instant::now();
            let n = explain::explain("x", &bytes).len();
            times.push((t.elapsed().as_millis(), n));
        }
        if times[1].0 > 400 { println!("{part:?} {times:?}"); }
    }
}
