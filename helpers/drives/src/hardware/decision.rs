//! What to do about a drive's own encryption: a table, read from above; the first line whose words are
//! true decides.

use model::{Args, Judged};

use super::known::{Doubt, Kind, lookup};
use super::{Seen, Ssc, Trouble};
use crate::judge::{self, Report};

/// What follows from what was seen.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What to do, as a code: `offer_hw`, `software`, `unlock_or_psid` …
    pub action: &'static str,
    /// The line of the list of doubtful drives.
    pub doubt: Option<&'static Doubt>,
    /// Whether the drive is on the list as weak. `None`: which drive it is was not told.
    pub known_bad: Option<bool>,
    /// Whether the drive protects anything by itself.
    pub judged: Judged,
}

/// Decides.
pub fn decide(seen: &Seen) -> Decision {
    let doubt = lookup(&seen.model, &seen.firmware);
    let case = Case { seen, doubt };
    let action = RULES.iter().find(|rule| (rule.fits)(&case)).map_or("unknown", |rule| rule.action);
    let weak = matches!(doubt, Some(Doubt { kind: Kind::Weak, .. }));
    Decision {
        action,
        doubt,
        known_bad: (weak || !seen.model.is_empty()).then_some(weak),
        judged: judge::report(case.report(), Args::new()),
    }
}

/// The rules in words, with their actions, for whoever wants to read them.
pub fn decision_rules() -> Vec<(&'static str, &'static str)> {
    RULES.iter().map(|rule| (rule.words, rule.action)).collect()
}

struct Case<'a> {
    seen: &'a Seen,
    doubt: Option<&'static Doubt>,
}

struct Rule {
    words: &'static str,
    fits: fn(&Case<'_>) -> bool,
    action: &'static str,
}

#[rustfmt::skip] // A table is read by its columns.
static RULES: &[Rule] = &[
    // What is closed is opened first, and nothing else is offered.
    Rule { words: "closed with an ATA password, which hides everything else",
           fits: |c| c.seen.ata.is_some_and(|ata| ata.locked), action: "unlock_ata_first" },
    Rule { words: "locked, and there is no PSID that could revert it",
           fits: |c| locked(c) && c.seen.psid_supported == Some(false), action: "not_recoverable_here" },
    Rule { words: "locked, and removing the lock with the data kept was refused for that reason",
           fits: |c| locked(c) && trouble(c, Trouble::KeepRefused), action: "unlock_first" },
    Rule { words: "locked",
           fits: locked, action: "unlock_or_psid" },

    // What cannot be used, or must not.
    Rule { words: "on the list of weak drives",
           fits: |c| is(c, Kind::Weak), action: "software" },
    Rule { words: "Enterprise: made for servers, no common tool sets it up",
           fits: |c| c.seen.is(Ssc::Enterprise) && !c.seen.is_opal(), action: "software" },
    Rule { words: "no security commands, or no class",
           fits: |c| c.seen.security_commands == Some(false) || c.seen.ssc.as_deref() == Some(&[]), action: "software" },
    Rule { words: "it locks, and does not encrypt",
           fits: |c| pyrite_alone(c) || c.seen.media_encryption == Some(false), action: "software" },
    Rule { words: "Ruby, Opalite or a key for each command, and nothing that a common tool sets up",
           fits: |c| c.seen.ssc.as_ref().is_some_and(|all| !all.is_empty()) && !c.seen.is_opal() && c.seen.sid_blocked != Some(true), action: "software" },
    Rule { words: "its class is hidden by a bridge, a controller or a driver",
           fits: |c| c.seen.ssc.is_none() && (c.seen.transport.is_some_and(super::Transport::is_indirect) || c.seen.kernel_refuses == Some(true)), action: "software" },
    Rule { words: "the system does not send it security commands",
           fits: |c| c.seen.kernel_refuses == Some(true), action: "software" },

    Rule { words: "it was asked, and nothing was seen",
           fits: |c| c.seen.ssc.is_none() && c.seen.silent, action: "software" },

    // Trouble that passes.
    Rule { words: "too many wrong PINs, or no session free",
           fits: |c| trouble(c, Trouble::LockedOut) || trouble(c, Trouble::NoSessions), action: "power_cycle" },
    Rule { words: "empty answers",
           fits: |c| trouble(c, Trouble::EmptyResponse), action: "power_cycle_then_psid" },
    Rule { words: "a range that is enabled has never locked",
           fits: |c| trouble(c, Trouble::NeverLocked), action: "verify_power_cycle" },
    Rule { words: "a setting was reported as done that was not",
           fits: |c| trouble(c, Trouble::RangeNotThere), action: "verify_after_write" },
    Rule { words: "the firmware has blocked SID, and the drive could encrypt",
           fits: |c| blocked(c) && c.seen.is_opal() && c.seen.taken() != Some(true), action: "unblock_sid_then_offer_hw" },
    Rule { words: "the firmware has blocked SID",
           fits: |c| blocked(c) && c.seen.taken() != Some(true), action: "unblock_sid" },

    // Somebody's already.
    Rule { words: "the shadow MBR came back while the system runs: the drive lost its power in sleep",
           fits: |c| c.seen.taken() == Some(true) && c.seen.mbr_shadow_active() == Some(true), action: "save_key_for_resume_or_disable_s3" },
    Rule { words: "its ranges are for single users and nobody knows the owner: probably Windows",
           fits: |c| c.seen.sum_active == Some(true) && !c.seen.owned_by_user, action: "use_bitlocker_or_psid" },
    Rule { words: "locking is enabled, and it is open",
           fits: |c| c.seen.locking_enabled == Some(true), action: "manage" },
    Rule { words: "somebody has taken it, and it does not lock",
           fits: |c| c.seen.taken() == Some(true), action: "owner_password_or_psid" },

    // Free to be used.
    Rule { words: "it cannot be written after a revert until it was without power",
           fits: |c| c.doubt.is_some_and(|doubt| doubt.after_revert.is_some()), action: "after_revert_power_cycle" },
    Rule { words: "its security part counts in other blocks than the system does",
           fits: |c| c.seen.is_opal() && matches!((c.seen.geometry_block_size, c.seen.device_block_size), (Some(left), Some(right)) if left != right), action: "software" },
    Rule { words: "its security part counts in blocks that no system has, and how the system sees it was not told",
           fits: |c| c.seen.is_opal() && c.seen.geometry_block_size.is_some_and(|size| !matches!(size, 512 | 4096)) && c.seen.device_block_size.is_none(), action: "hw_only_if_lbs_matches" },
    Rule { words: "a range was refused for its alignment, and nothing more is known",
           fits: |c| c.seen.ssc.is_none() && trouble(c, Trouble::InvalidParameter), action: "auto_align" },
    Rule { words: "its own papers contradict it",
           fits: |c| c.seen.is_opal() && is(c, Kind::Doubtful), action: "offer_hw_plus_sw" },
    Rule { words: "it could be asked again: somebody's PIN was refused",
           fits: |c| !c.seen.is_opal() && trouble(c, Trouble::NotAuthorized), action: "find_owner" },
    Rule { words: "Opal, it encrypts as far as it tells, and nobody has taken it",
           fits: |c| c.seen.is_opal(), action: "offer_hw" },
];

fn locked(case: &Case<'_>) -> bool {
    case.seen.locked == Some(true)
}

fn trouble(case: &Case<'_>, trouble: Trouble) -> bool {
    case.seen.trouble == Some(trouble)
}

fn is(case: &Case<'_>, kind: Kind) -> bool {
    case.doubt.is_some_and(|doubt| doubt.kind == kind)
}

fn blocked(case: &Case<'_>) -> bool {
    case.seen.sid_blocked == Some(true)
}

fn pyrite_alone(case: &Case<'_>) -> bool {
    case.seen.ssc.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(|class| class.is_pyrite()))
}

impl Case<'_> {
    /// Whether the drive protects anything by itself.
    fn report(&self) -> Report {
        let seen = self.seen;
        if seen.locked == Some(true) || seen.ata.is_some_and(|ata| ata.locked) {
            return if seen.media_encryption == Some(false) { Report::OwnLockPyrite } else { Report::OwnLockClosed };
        }
        if seen.ssc.as_deref() == Some(&[]) || seen.security_commands == Some(false) {
            return Report::OwnLockNone;
        }
        if pyrite_alone(self) || seen.media_encryption == Some(false) {
            return Report::OwnLockPyrite;
        }
        if is(self, Kind::Weak) {
            return Report::OwnLockWeak;
        }
        match (&seen.ssc, seen.taken()) {
            (None, None) => Report::OwnLockNotSeen,
            (Some(all), _) if all.as_slice() == [Ssc::Enterprise] => Report::OwnLockEnterprise,
            (_, Some(false)) => Report::OwnLockUnused,
            (_, Some(true)) => Report::OwnLockOpen,
            (_, None) => Report::OwnLockNotSeen,
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Verdict;

    use super::*;
    use crate::hardware::{AtaSecurity, Transport};

    /// Opal 2 as it comes from the factory.
    fn free() -> Seen {
        Seen {
            model: "ACME SSD".to_owned(),
            ssc: Some(vec![Ssc::Opal2]),
            media_encryption: Some(true),
            locking_enabled: Some(false),
            locked: Some(false),
            owned: Some(false),
            sid_blocked: Some(false),
            geometry_block_size: Some(512),
            device_block_size: Some(512),
            ..Seen::default()
        }
    }

    #[test]
    fn each_condition_takes_the_offer_away() {
        let no = Some(false);
        let yes = Some(true);
        for (seen, action) in [
            (free(), "offer_hw"),
            (Seen { ssc: Some(vec![Ssc::Opal1]), ..free() }, "offer_hw"),
            (Seen { ssc: Some(vec![Ssc::Pyrite2]), ..free() }, "software"),
            (Seen { ssc: Some(vec![Ssc::Ruby]), ..free() }, "software"),
            (Seen { ssc: Some(vec![Ssc::Enterprise]), ..free() }, "software"),
            (Seen { ssc: Some(vec![]), ..free() }, "software"),
            (Seen { security_commands: no, ..free() }, "software"),
            (Seen { media_encryption: no, ..free() }, "software"),
            (Seen { kernel_refuses: yes, ..free() }, "software"),
            (Seen { geometry_block_size: Some(520), ..free() }, "software"),
            (Seen { geometry_block_size: Some(520), device_block_size: None, ..free() }, "hw_only_if_lbs_matches"),
            (Seen { model: "CT250MX200SSD1".into(), ..free() }, "software"),
            (Seen { model: "SOLIDIGM SSDPFKKW020X7".into(), ..free() }, "offer_hw_plus_sw"),
            (Seen { sid_blocked: yes, ..free() }, "unblock_sid_then_offer_hw"),
            (Seen { sid_blocked: yes, owned: yes, ..free() }, "owner_password_or_psid"),
            (Seen { owned: yes, ..free() }, "owner_password_or_psid"),
            (Seen { owned: yes, locking_enabled: yes, ..free() }, "manage"),
            (Seen { owned: yes, locking_enabled: yes, sum_active: yes, ..free() }, "use_bitlocker_or_psid"),
            (Seen { owned: yes, locking_enabled: yes, locked: yes, ..free() }, "unlock_or_psid"),
            (Seen { locked: yes, psid_supported: no, ..free() }, "not_recoverable_here"),
            (Seen { ata: Some(AtaSecurity { locked: true, ..AtaSecurity::default() }), ..free() }, "unlock_ata_first"),
            (Seen { trouble: Some(Trouble::LockedOut), ..free() }, "power_cycle"),
            (Seen { trouble: Some(Trouble::EmptyResponse), ..free() }, "power_cycle_then_psid"),
            (Seen { transport: Some(Transport::Usb), ..Seen::default() }, "software"),
            (Seen { silent: true, ..Seen::default() }, "software"),
            (Seen::default(), "unknown"),
        ] {
            assert_eq!(decide(&seen).action, action, "{seen:?}");
        }
    }

    /// Nothing that a drive says about itself is green: that takes a power-off.
    #[test]
    fn no_drive_is_green_by_its_word() {
        for bits in 0..64_u32 {
            let bit = |at: u32| Some(bits >> at & 1 == 1);
            let seen = Seen {
                media_encryption: bit(0),
                locking_enabled: bit(1),
                locked: bit(2),
                owned: bit(3),
                mbr_enabled: bit(4),
                mbr_done: bit(5),
                ..free()
            };
            let verdict = decide(&seen).judged.verdict;
            assert_ne!(verdict, Verdict::Protected, "{seen:?}");
            assert_eq!(verdict == Verdict::Locked, seen.locked == Some(true) && seen.media_encryption == Some(true));
        }
    }

    #[test]
    fn which_drive_is_not_told_is_not_known_to_be_good() {
        assert_eq!(decide(&Seen { model: String::new(), ..free() }).known_bad, None);
        assert_eq!(decide(&free()).known_bad, Some(false));
    }

    #[test]
    fn windows_could_take_it() {
        let edrive = Seen { sum: Some(true), datastore_tables: Some(9), ..free() };
        assert_eq!(edrive.edrive_possible(), Some("needs_0xEE_check"));
        assert_eq!(Seen { protocols: Some(vec![0, 1, 2]), ..edrive.clone() }.edrive_possible(), Some("no"));
        assert_eq!(Seen { protocols: Some(vec![0, 1, 0xee]), ..edrive.clone() }.edrive_possible(), Some("yes"));
        assert_eq!(Seen { sum: Some(false), ..edrive.clone() }.edrive_possible(), Some("no"));
        assert_eq!(Seen { sum: None, ..edrive }.edrive_possible(), None);
    }
}
