//! What Linux and macOS share.

use std::io;
use std::path::Path;

use rustix::fs::statvfs;

use super::Room;

/// The room of the file system that a path lies on, for this user.
pub(crate) fn room(path: &Path) -> io::Result<Room> {
    let data = statvfs(path)?;
    let bytes = |blocks: u64| blocks.saturating_mul(data.f_frsize);
    Ok(Room { free: bytes(data.f_bavail), used: bytes(data.f_blocks.saturating_sub(data.f_bfree)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_full_as_df_says() {
        let Ok(output) = std::process::Command::new("df").args(["--output=pcent", "."]).output() else { return };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let Some(said) = text.lines().last().and_then(|line| line.trim().strip_suffix('%')?.parse::<f64>().ok()) else {
            println!("left out: no `df` of GNU here");
            return;
        };
        let fill = room(Path::new(".")).unwrap().fill().unwrap() * 100.0;
        // It rounds up, and somebody may write meanwhile.
        assert!((fill - said).abs() < 2.0, "{fill} and {said}");
        assert_eq!(Room { free: 0, used: 0 }.fill(), None);
    }
}
