//! What a drive's own tools say: the bytes of a Level 0 discovery, `sedutil-cli`, `nvme sed discover`,
//! `hdparm -I`, and reports that somebody made of these.

use drives::hardware::{self, DoubtKind, Seen, Ssc, Transport, Trouble};

use crate::bitlocker::yes;
use crate::text::{Section, Text};
use crate::{Item, hdparm, level0, nvme_sed, reported, sedutil};

/// All drives.
pub fn items(text: &Text) -> Vec<Item> {
    match &text.identity {
        Some(identity) => {
            // A report is about one drive, however many tools were asked.
            let mut seen = level0::all(text).into_iter().next().unwrap_or_default();
            reported::add(&mut seen, text);
            seen.model.clone_from(&identity.model);
            seen.firmware.clone_from(&identity.firmware);
            seen.transport = seen.transport.or_else(|| transport(&identity.interface));
            if seen.ssc.is_none() && level0::has_zeros(text) {
                // On a direct way that is "no"; behind a bridge it is no answer.
                match seen.transport {
                    Some(way) if !way.is_indirect() => seen.ssc = Some(Vec::new()),
                    _ => seen.silent = true,
                }
            }
            let mut item = item(identity.model.clone(), complete(seen));
            if let Some(tsn) = reported::tsn(text) {
                item = item.with("tsn", tsn);
            }
            if reported::has_unknown_features(text) {
                item = item.with("parser", "length_driven");
            }
            vec![item]
        }
        None => {
            let mut items: Vec<Item> =
                level0::all(text).into_iter().map(|seen| item("drive".to_owned(), complete(seen))).collect();
            items.extend(sedutil::all(text).into_iter().map(|(subject, seen)| item(subject, complete(seen))));
            items.extend(nvme_sed::all(text).into_iter().map(|(subject, seen)| item(subject, complete(seen))));
            items.extend(hdparm::all(text).into_iter().map(|(subject, seen)| item(subject, complete(seen))));
            items
        }
    }
}

/// How a drive is connected, by the words of whoever wrote it down.
pub fn transport(words: &str) -> Option<Transport> {
    let words = words.to_uppercase();
    let has = |word: &str| words.contains(word);
    if has("USB") {
        return Some(Transport::Usb);
    }
    if has("RAID") || has("RST") || has("VMD") {
        return Some(Transport::Raid);
    }
    if has("SAS") {
        return Some(Transport::Sas);
    }
    match (has("NVME"), has("SATA")) {
        (true, false) => Some(Transport::Nvme),
        (false, true) => Some(Transport::Sata),
        _ => None,
    }
}

/// What the class and the model are known for, where nobody told.
fn complete(mut seen: Seen) -> Seen {
    // Opal demands it (Opal SSC 3.1.1.3).
    if seen.media_encryption.is_none() && seen.is_opal() && (seen.locking_enabled.is_some() || seen.locked.is_some()) {
        seen.media_encryption = Some(true);
    }
    let Some(doubt) = hardware::lookup(&seen.model, &seen.firmware) else { return seen };
    if seen.ssc.is_none() && doubt.ssc.as_deref() == Some("opal2") {
        seen.ssc = Some(vec![Ssc::Opal2]);
    }
    if doubt.kernel_refuses {
        seen.kernel_refuses = Some(true);
    }
    if doubt.no_shadow_mbr {
        seen.mbr_supported = Some(false);
    }
    seen.advertised |= doubt.kind == DoubtKind::NoLock;
    seen
}

/// Eight facts are always there; what was not seen is `unknown`.
fn item(subject: String, seen: Seen) -> Item {
    let decision = hardware::decide(&seen);
    let said = |value: Option<bool>| value.map_or("unknown", yes);
    let owned = match (seen.taken(), seen.owned_by_user) {
        (Some(true), true) => "yes(user)",
        (taken, _) => said(taken),
    };
    let mut item = Item::new(subject, decision.judged)
        .with("ssc", classes(&seen))
        .with("media_encryption", said(seen.media_encryption))
        .with("owned", owned)
        .with("locked", said(seen.locked))
        .with("sid_blocked", said(seen.sid_blocked))
        .with("mbr_shadow_active", said(seen.mbr_shadow_active()))
        .with("known_bad", said(decision.known_bad))
        .with("action", decision.action);
    for (name, value) in [
        ("mbr_shadow_supported", seen.mbr_supported),
        ("block_cleared_by_hw_reset", seen.block_cleared_by_reset.filter(|_| seen.sid_blocked == Some(true))),
        ("sum", seen.sum),
        ("tper_async", seen.asynchronous),
        ("psid_supported", seen.psid_supported),
    ] {
        if let Some(value) = value {
            item = item.with(name, yes(value));
        }
    }
    if let Some(size) = seen.geometry_block_size {
        item = item.with("geometry_lbs", size);
    }
    if let Some(granularity) = seen.granularity {
        item = item.with("granularity", granularity);
    }
    if let Some(tables) = seen.datastore_tables {
        item = item.with("datastore_tables", tables);
    }
    if let Some(ranges) = seen.ranges {
        item = item.with("ranges", ranges);
    }
    if let Some(comid) = seen.comid {
        item = item.with("comid", format!("0x{comid:04x}"));
    }
    if let Some(possible) = seen.edrive_possible() {
        item = item.with("edrive_possible", possible);
    }
    if let Some(protocols) = &seen.protocols {
        let list: Vec<String> = protocols.iter().take(64).map(|one| format!("{one:02X}")).collect();
        item = item.with("security_protocols", list.join(","));
    }
    if let Some(transport) = seen.transport {
        item = item.with("transport", transport.name());
    }
    if let Some(reach) = seen.security_commands {
        let name = if seen.transport == Some(Transport::Nvme) { "oacs_security" } else { "security_commands" };
        item = item.with(name, yes(reach));
    }
    if seen.kernel_refuses == Some(true) {
        item = item.with("kernel_opal", "no");
    }
    if let Some(ata) = seen.ata {
        item = item
            .with("ata_enabled", yes(ata.enabled))
            .with("ata_locked", yes(ata.locked))
            .with("ata_frozen", yes(ata.frozen));
    }
    item = trouble(item, &seen);
    if seen.advertised {
        item = item.with("marketing_claim", "yes");
    }
    if let Some(doubt) = decision.doubt {
        item = item.with("doubt", &doubt.name).with("flaw", &doubt.flaw).with("flaw_source", doubt.sources.join("; "));
        if doubt.kind == DoubtKind::Doubtful {
            item = item.with("trust", "unverified");
        }
    }
    item.with("model", &seen.model)
}

fn trouble(item: Item, seen: &Seen) -> Item {
    let Some(trouble) = seen.trouble else { return item };
    let mut item = item;
    if let Some(status) = trouble.status() {
        item = item.with("status", status);
    }
    match trouble {
        Trouble::EmptyResponse => item.with("error_class", "empty_response"),
        // A mebibyte is a multiple of every granularity that was ever seen.
        Trouble::InvalidParameter => item.with("align", "1MiB"),
        _ => item,
    }
}

/// `opal1+opal2`, `none`, `unknown`.
fn classes(seen: &Seen) -> String {
    match &seen.ssc {
        Some(all) if all.is_empty() => "none".to_owned(),
        Some(all) => all.iter().map(|class| class.name()).collect::<Vec<_>>().join("+"),
        // Only these two have the descriptor that says so.
        None if seen.sid_blocked == Some(true) => "opal2_or_pyrite".to_owned(),
        None => "unknown".to_owned(),
    }
}

/// Whether a line may hold the answer of a drive's tool.
pub fn is_evidence(section: Section) -> bool {
    matches!(section, Section::Output | Section::Values)
}
