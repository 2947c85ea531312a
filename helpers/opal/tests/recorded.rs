//! Discoveries of real drives, with what is to be concluded from each.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;

use common::{data, hex};
use opal::discovery::{self, Advice, Discovery, Facts, Ssc};
use opal::protocols;
use serde_json::Value;

struct Case {
    name: String,
    text: String,
}

impl Case {
    /// The lines behind `RAW LEVEL 0 DISCOVERY`.
    fn raw(&self) -> Option<Vec<u8>> {
        let (_, rest) = self.text.split_once("RAW LEVEL 0 DISCOVERY")?;
        let lines = rest.lines().skip(1).take_while(|line| line.contains(": "));
        Some(lines.flat_map(|line| hex(line.split_once(": ").unwrap().1)).collect())
    }

    /// `EXPECT:` as names and values.
    fn expected(&self) -> BTreeMap<&str, &str> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("EXPECT: ")).unwrap();
        line.split_whitespace().filter_map(|pair| pair.split_once('=')).collect()
    }
}

fn cases() -> Vec<Case> {
    let Some(folder) = data("opal") else { return Vec::new() };
    let mut cases: Vec<Case> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| Case {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: std::fs::read_to_string(&path).unwrap(),
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

#[test]
fn every_recorded_discovery_gives_what_is_expected() {
    let mut seen = 0;
    let all = cases();
    for case in &all {
        let Some(raw) = case.raw() else { continue };
        let decoded = discovery::parse(&raw).unwrap();
        compare(case, &decoded);
        seen += 1;
    }
    assert!(all.is_empty() || seen == 7, "{seen}");
}

fn compare(case: &Case, decoded: &Discovery) {
    let facts = decoded.facts();
    let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
    for (name, value) in case.expected() {
        let ours = match name {
            "ssc" => facts.ssc.iter().map(|ssc| ssc.name()).collect::<Vec<_>>().join("+"),
            "media_encryption" => yes(facts.media_encryption),
            "owned" => facts.owned.map_or("unknown".to_owned(), yes),
            "locked" => yes(facts.locked),
            "mbr_shadow_active" => yes(facts.mbr_shadow_active),
            "mbr_shadow_supported" => yes(facts.mbr_shadow_supported),
            "sum" => yes(facts.sum),
            "sid_blocked" => yes(facts.sid_blocked),
            "block_cleared_by_hw_reset" => yes(facts.block_cleared_by_hardware_reset),
            "granularity" => facts.granularity.to_string(),
            "datastore_tables" => facts.datastore_tables.unwrap().to_string(),
            "geometry_lbs" => facts.geometry_block_size.unwrap().to_string(),
            "ranges" => facts.ranges.unwrap().to_string(),
            "edrive_possible" if facts.edrive_if_ieee1667 => "needs_0xEE_check".to_owned(),
            "edrive_possible" => "no".to_owned(),
            "action" => action(&facts).to_owned(),
            // Read from another command.
            "security_protocols" => continue,
            other => panic!("{}: {other}", case.name),
        };
        assert_eq!(ours, value, "{}: {name}", case.name);
    }
}

fn action(facts: &Facts) -> &'static str {
    match facts.advice(Some(512)) {
        Advice::OfferHardware => "offer_hw",
        Advice::OtherBlockSize => "hw_only_if_lbs_matches",
        Advice::UnblockSid => "unblock_sid_then_offer_hw",
        Advice::UnlockOrPsid => "unlock_or_psid",
        Advice::LockWithoutEncryption | Advice::None | Advice::NotSupported => "software",
        Advice::Manage => "manage",
        other => panic!("{other:?}"),
    }
}

/// Each field of each descriptor against the one that is written beside the bytes.
#[test]
fn every_field_is_the_one_that_is_written_beside_the_bytes() {
    let mut fields = 0;
    for case in cases() {
        let Some(raw) = case.raw() else { continue };
        let decoded = discovery::parse(&raw).unwrap();
        let lines: Vec<&str> = case.text.lines().filter(|line| line.starts_with("  0x")).collect();
        assert_eq!(lines.len(), decoded.features.len(), "{}", case.name);
        assert_eq!(decoded.truncated, case.text.contains("TRUNCATED") || case.name == "05", "{}", case.name);
        for (line, feature) in lines.iter().zip(&decoded.features) {
            let (head, rest) = line.split_once(": ").unwrap();
            let mut head = head.split_whitespace();
            assert_eq!(head.next().unwrap(), format!("0x{:04x}", feature.code));
            assert_eq!(head.nth(1).unwrap(), format!("v{}", feature.version));
            assert_eq!(head.next().unwrap(), format!("len={}", feature.length));
            assert_eq!(feature.truncated, line.contains("TRUNCATED"), "{}: {line}", case.name);
            let json = serde_json::to_value(&feature.content).unwrap();
            for (name, value) in rest.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                let ours = &json[field(name)];
                let theirs = match value {
                    _ if name == "flags" || name == "payload" => continue,
                    "Y" => Value::Bool(true),
                    "N" => Value::Bool(false),
                    // One bit, written as a number.
                    "0" if name.starts_with("range_crossing") => Value::Bool(false),
                    number => match number.strip_prefix("0x") {
                        Some(digits) => u64::from_str_radix(digits, 16).unwrap().into(),
                        None => number.parse::<u64>().unwrap().into(),
                    },
                };
                assert_eq!(*ours, theirs, "{}: {line}: {name}", case.name);
                fields += 1;
            }
        }
    }
    println!("{fields} fields compared");
}

fn field(name: &str) -> &str {
    match name {
        "async" => "asynchronous",
        "acknak" => "ack_nak",
        "bufmgmt" => "buffer_management",
        "comid_mgmt" => "comid_management",
        "mbr_shadow_not_supported" => "mbr_absent",
        "hw_reset_for_dor" => "hardware_reset_locks",
        "align_required" => "align_required",
        "max_tables" => "tables",
        "max_total_size" => "total_size",
        "size_alignment" => "alignment",
        "range_crossing_behaviour_bit" => "range_crossing",
        "locking_objects" => "ranges",
        "sid_differs_from_msid" => "sid_differs",
        "sid_blocked" => "blocked",
        "hw_reset_clears_block" => "cleared_by_hardware_reset",
        "max_key_count" => "max_keys",
        "unused_keys" => "unused_keys",
        "max_ranges_per_ns" => "max_ranges",
        same => same,
    }
}

#[test]
fn the_list_of_protocols_of_the_recording() {
    for case in cases().iter().filter(|case| case.name == "09") {
        let text = case.expected()["security_protocols"];
        let list: Vec<u8> = text.split(',').map(|number| u8::from_str_radix(number, 16).unwrap()).collect();
        let mut answer = vec![0, 0, 0, 0, 0, 0, 0, u8::try_from(list.len()).unwrap()];
        answer.extend(&list);
        answer.resize(512, 0);
        let parsed = protocols::parse(&answer).unwrap();
        assert_eq!(parsed.all, list);
        assert!(!parsed.ieee1667());
    }
}

#[test]
fn a_fact_sheet_survives_json() {
    for case in cases() {
        let Some(raw) = case.raw() else { continue };
        let decoded = discovery::parse(&raw).unwrap();
        let again: Discovery = serde_json::from_str(&serde_json::to_string(&decoded).unwrap()).unwrap();
        assert_eq!(again, decoded);
        let facts: Facts = serde_json::from_str(&serde_json::to_string(&decoded.facts()).unwrap()).unwrap();
        assert_eq!(facts, decoded.facts());
        assert!(facts.ssc.contains(&Ssc::Opal2) || facts.ssc.contains(&Ssc::Pyrite1));
    }
}
