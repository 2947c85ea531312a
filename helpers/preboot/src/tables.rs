//! Keyboard tables in a file, as `loadkeys --bkeymap` writes them.

/// What a file with tables begins with.
const MAGIC: &[u8] = b"bkeymap";
/// Tables that the kernel has: one for each set of modifiers.
const TABLES: usize = 256;
/// Keys in each of them in the file.
const KEYS: usize = 128;

/// Table, key and meaning, from a file: magic, a byte for each table that says whether it is there, and
/// the tables that are, each of 128 numbers in the order of this processor.
pub fn entries(file: &[u8]) -> Option<Vec<(u8, u8, u16)>> {
    let rest = file.strip_prefix(MAGIC)?;
    let (flags, rest) = rest.split_at_checked(TABLES)?;
    let mut tables = rest.chunks_exact(2 * KEYS);
    let mut all = Vec::new();
    for (table, _) in (0..=u8::MAX).zip(flags).filter(|(_, there)| **there == 1) {
        let values = tables.next()?.chunks_exact(2).filter_map(|pair| Some(u16::from_ne_bytes(pair.try_into().ok()?)));
        all.extend((0..).zip(values).map(|(index, value)| (table, index, value)));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_short_ones_are_refused() {
        let mut file = b"bkeymap".to_vec();
        file.extend((0..256).map(|table| u8::from(table == 0 || table == 2)));
        (0..256_u16).for_each(|value| file.extend(value.to_ne_bytes()));
        let all = entries(&file).unwrap();
        assert_eq!((all[0], all[128], all.len()), ((0, 0, 0), (2, 0, 128), 256));
        assert_eq!(entries(&file[..file.len() - 1]), None);
        assert_eq!(entries(b"bkeymap"), None);
        assert_eq!(entries(b"something else"), None);
    }
}
