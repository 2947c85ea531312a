use std::collections::BTreeSet;

use super::*;

#[test]
fn what_was_flushed_survives_and_the_rest_may_not() {
    let device = Simulated::new(vec![0; 4096], 512);
    device.write_at(0, &[1; 512]).unwrap();
    device.flush().unwrap();
    device.write_at(100, &[2; 1000]).unwrap();
    assert_eq!(device.read_vec(99, 2).unwrap(), [1, 2]);
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let bytes = device.after_cut(&mut Dice::new(seed)).to_vec();
        assert_eq!(bytes[0], 1);
        assert_eq!(bytes[2048], 0);
        seen.insert((bytes[200], bytes[600], bytes[1050]));
    }
    // Each of the subsets.
    assert_eq!(seen.len(), 8, "{seen:?}");
}

#[test]
fn a_sector_comes_back_as_any_of_its_versions() {
    let device = Simulated::new(vec![0; 1024], 512);
    for version in 1..=3 {
        device.write_at(0, &[version; 512]).unwrap();
    }
    let seen: BTreeSet<u8> = (0..200).map(|seed| device.after_cut(&mut Dice::new(seed)).to_vec()[0]).collect();
    assert_eq!(seen, [0, 1, 2, 3].into());
    device.flush().unwrap();
    assert_eq!(device.medium().to_vec()[0], 3);
}

#[test]
fn a_length_that_was_not_flushed_may_be_the_old_one() {
    let device = Simulated::new(vec![7; 1000], 512);
    device.resize(600).unwrap();
    device.resize(2048).unwrap();
    device.write_at(1500, &[8; 100]).unwrap();
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let bytes = device.after_cut(&mut Dice::new(seed)).to_vec();
        assert!(bytes[..600] == [7; 600]);
        assert!(bytes.len() < 2048 || bytes[600..1500] == [0; 900]);
        seen.insert((bytes.len(), bytes.get(1500).copied()));
    }
    assert_eq!(seen, [(600, None), (1000, None), (2048, Some(0)), (2048, Some(8))].into());
    device.flush().unwrap();
    assert_eq!(device.after_cut(&mut Dice::new(0)).len(), 2048);
}

/// The same calls against the plain words of the module's text: bytes and a list of versions.
#[test]
fn every_sector_is_one_of_its_versions_and_no_other() {
    let mut dice = Dice::new(5);
    let below = |dice: &mut Dice, end: usize| usize::try_from(dice.below(end as u64)).unwrap();
    let size = 100 * 512 + 100;
    let device = Simulated::new(vec![0; size], 512);
    let mut now = vec![0; size];
    let mut versions: Vec<Vec<Vec<u8>>> = now.chunks(512).map(|sector| vec![sector.to_vec()]).collect();
    for _ in 0..3000 {
        if dice.below(20) == 0 {
            device.flush().unwrap();
            versions = now.chunks(512).map(|sector| vec![sector.to_vec()]).collect();
        }
        let offset = below(&mut dice, size);
        let length = below(&mut dice, (size - offset).min(9000)) + 1;
        let data: Vec<u8> = (0..length).map(|_| dice.roll().to_le_bytes()[0]).collect();
        device.write_at(offset as u64, &data).unwrap();
        now[offset..offset + length].copy_from_slice(&data);
        for index in offset / 512..(offset + length).div_ceil(512) {
            versions[index].push(now[index * 512..size.min(index * 512 + 512)].to_vec());
        }
        assert_eq!(device.snapshot().to_vec(), now);
        let after = device.after_cut(&mut dice).to_vec();
        assert!(after.chunks(512).zip(&versions).all(|(sector, versions)| versions.iter().any(|one| one == sector)));
    }
}

#[test]
fn after_the_cut_nothing_works() {
    let device = Simulated::new(vec![0; 4096], 512);
    device.cut_after(2);
    device.write_at(0, &[1; 512]).unwrap();
    assert!(!device.is_off());
    assert!(device.flush().is_err());
    assert!(device.is_off());
    assert!(device.read_vec(0, 1).is_err());
    assert!(device.write_at(0, &[1]).is_err());
    assert!(device.resize(1).is_err());
}

#[test]
fn a_bad_sector_is_bad_as_long_as_it_says() {
    let device = Simulated::new(vec![1; 4096], 512);
    device.fail(Fault::Read { bytes: 1024..2048, times: Times::UntilWritten });
    device.fail(Fault::Read { bytes: 0..1, times: Times::Count(2) });
    assert!(device.read_vec(0, 1).is_err());
    assert!(device.read_vec(0, 512).is_err());
    assert_eq!(device.read_vec(0, 1024).unwrap(), [1; 1024]);
    assert!(device.read_vec(0, 1025).is_err());
    device.write_at(1100, &[2; 100]).unwrap();
    assert!(device.read_vec(1024, 76).is_err() && device.read_vec(1200, 1).is_err());
    assert_eq!(device.read_vec(1100, 100).unwrap(), [2; 100]);
    device.write_at(1024, &[2; 1024]).unwrap();
    assert_eq!(device.read_vec(1000, 2000).unwrap().len(), 2000);
}

#[test]
fn writes_fail_in_the_middle() {
    let device = Simulated::new(vec![0; 4096], 512);
    device.fail(Fault::Write { bytes: 1600..1601, times: Times::Count(1) });
    assert!(device.write_at(0, &[1; 4096]).is_err());
    assert_eq!(device.read_vec(1535, 2).unwrap(), [1, 0]);
    device.write_at(0, &[2; 4096]).unwrap();
    device.fail(Fault::Short { call: 2 });
    device.write_at(0, &[3; 2048]).unwrap();
    assert!(device.write_at(0, &[4; 3000]).is_err());
    assert_eq!(device.read_vec(1023, 2).unwrap(), [4, 3]);
    device.fail(Fault::Full { call: 1, times: Times::Count(1) });
    assert!(matches!(device.resize(8192), Err(Error::Full)));
    device.resize(8192).unwrap();
}

#[test]
fn a_device_that_vanished_comes_back_with_its_cache_or_without() {
    let device = Simulated::new(vec![0; 4096], 512);
    device.write_at(0, &[1; 4096]).unwrap();
    device.fail(Fault::Gone { call: 2, times: Times::Count(2), loses: None });
    assert_eq!(device.read_vec(0, 1).unwrap(), [1]);
    assert!(device.read_vec(0, 1).is_err() && device.flush().is_err());
    assert_eq!(device.read_vec(0, 4096).unwrap(), [1; 4096]);
    let mut seen = BTreeSet::new();
    for seed in 0..50 {
        let device = Simulated::new(vec![0; 4096], 512);
        device.write_at(0, &[1; 4096]).unwrap();
        device.fail(Fault::Gone { call: 1, times: Times::Always, loses: None });
        assert!(device.flush().is_err() && device.flush().is_err());
        device.plug_in(Some(&mut Dice::new(seed)));
        seen.insert(device.read_vec(0, 4096).unwrap());
    }
    assert!(seen.len() > 5);
}

#[test]
fn a_flush_that_fails_forgets_and_one_that_lies_keeps_nothing() {
    let device = Simulated::new(vec![0; 4096], 512);
    device.fail(Fault::Lies);
    device.write_at(0, &[1; 4096]).unwrap();
    device.flush().unwrap();
    assert_eq!(device.medium().to_vec(), [0; 4096]);
    assert!((0..50).any(|seed| device.after_cut(&mut Dice::new(seed)).to_vec() == [0; 4096]));
    device.mend();
    device.flush().unwrap();
    assert_eq!(device.medium().to_vec(), [1; 4096]);

    device.write_at(0, &[2; 4096]).unwrap();
    device.fail(Fault::Flush { call: 1, forgets: Some(14) });
    assert!(device.flush().is_err());
    device.write_at(0, &[3; 512]).unwrap();
    device.flush().unwrap();
    let (medium, read) = (device.medium().to_vec(), device.snapshot().to_vec());
    assert_eq!((medium[0], read[0]), (3, 3));
    assert_eq!(read[512..], [2; 3584]);
    assert!(medium[512..].contains(&1));
}
