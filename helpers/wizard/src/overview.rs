//! The first page: what was seen, and what can be done about each of it.

use std::collections::BTreeMap;

use model::{Drive, Fault, Judged, Verdict, Volume};

use crate::copies::Known;
use crate::engine::Seen;
use crate::view::{Offer, Overview, Rights};

/// What this program may do, or be allowed to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct May {
    /// Ask for the right to look at everything.
    pub ask: bool,
    /// Look at everything.
    pub look: bool,
    /// Have the running system's drive encrypted.
    pub encrypt_system: bool,
}

/// Puts together what was seen and what can be done about it.
///
/// `native`: whether a volume's own system encrypts it, on this system.
pub(crate) fn overview(seen: Seen, may: May, native: &dyn Fn(&str) -> bool) -> Overview {
    let Seen { drives, computer } = seen;
    let mut offers = BTreeMap::new();
    for drive in &drives {
        let of_volumes: Vec<Offer> =
            drive.volumes.iter().filter_map(|volume| of_volume(drive, volume, may, native)).collect();
        for volume in &drive.volumes {
            offers.extend(of_volume(drive, volume, may, native).map(|offer| (volume.id.0.clone(), offer)));
        }
        // A drive without partitions is its only volume, and has its offer already.
        if let Some(offer) = one_of(of_volumes) {
            offers.entry(drive.path.clone()).or_insert(offer);
        }
    }
    let volumes = drives.iter().flat_map(|drive| &drive.volumes);
    let hidden = volumes.filter(|volume| needs_rights(&volume.judged)).count();
    let offer = one_of(
        drives.iter().flat_map(|drive| &drive.volumes).filter_map(|volume| offers.get(&volume.id.0).cloned()).collect(),
    );
    let hidden = u32::try_from(hidden).unwrap_or(u32::MAX);
    let rights = Rights { hidden, can_ask: may.ask && hidden > 0, granted: may.look };
    Overview { computer, drives, offer, offers, reminders: BTreeMap::new(), rights, fault: None }
}

/// What is shown where the system's list could not be read.
pub(crate) fn unreadable(fault: Fault) -> Overview {
    Overview { fault: Some(fault), ..Overview::default() }
}

/// What can be done about a volume from here. Of the running system's own drive it is the volume that the root lies
/// on, where somebody may change it; what another system has begun is that system's to finish.
fn of_volume(drive: &Drive, volume: &Volume, may: May, native: &dyn Fn(&str) -> bool) -> Option<Offer> {
    let path = volume.id.0.clone();
    if let Some(path) = by_its_system(drive, volume, native) {
        return Some(Offer::Native { path });
    }
    match volume.judged.next.as_str() {
        next if drive.system => match (volume.is_root() && may.encrypt_system, next) {
            (true, "encrypt-system") => Some(Offer::Encrypt { path }),
            // Whoever may change it may look at it as well, and says what stands in the way.
            (true, "as-administrator") if !volume.content.0.starts_with("luks") => Some(Offer::Encrypt { path }),
            (true, "resume") => Some(Offer::Resume { path }),
            _ => None,
        },
        "encrypt" | "unmount-and-encrypt" => Some(Offer::Encrypt { path }),
        "resume" => Some(Offer::Resume { path }),
        _ if volume.judged.verdict == Verdict::Protected && volume.content.0 == "luks2" => Some(Offer::Manage { path }),
        _ => None,
    }
}

/// The name of a volume for its own system, where that encrypts it or could.
fn by_its_system(drive: &Drive, volume: &Volume, native: &dyn Fn(&str) -> bool) -> Option<String> {
    // macOS knows the volumes that it runs from by their root.
    let path = if volume.is_root() && native("/") { "/" } else { volume.id.0.as_str() };
    let content = volume.content.0.as_str();
    let next = volume.judged.next.as_str();
    let concerned = drive.system && volume.mounts.iter().any(|mount| !mount.is_empty())
        || content.starts_with("bitlocker")
        || ["bitlocker-", "mac-filevault", "mac-wait"].iter().any(|code| next.starts_with(code));
    (concerned && native(path)).then(|| path.to_owned())
}

impl Overview {
    /// Adds what somebody is to be reminded of: for each volume what is known of the first such copy.
    pub(crate) fn remind(&mut self, copies: &[Known]) {
        for volume in self.drives.iter().flat_map(|drive| &drive.volumes) {
            let of_it = copies.iter().filter(|known| Some(&known.copy.uuid) == volume.uuid.as_ref());
            if let Some(reason) = of_it.filter_map(|known| known.remind.clone()).next() {
                self.reminders.insert(volume.id.0.clone(), reason);
            }
        }
    }
}

/// The one thing that there is to do; what was interrupted comes first. Looking after what is protected is
/// nothing that has to be done.
fn one_of(mut offers: Vec<Offer>) -> Option<Offer> {
    offers.retain(|offer| !matches!(offer, Offer::Manage { .. } | Offer::Native { .. }));
    let (resume, encrypt): (Vec<Offer>, Vec<Offer>) =
        offers.into_iter().partition(|offer| matches!(offer, Offer::Resume { .. }));
    let mut first = if resume.is_empty() { encrypt } else { resume };
    match first.len() {
        0 | 1 => first.pop(),
        _ => Some(Offer::Look),
    }
}

fn needs_rights(judged: &Judged) -> bool {
    judged.verdict == Verdict::Unknown && judged.next == "as-administrator"
}

impl Seen {
    /// Whether a conversion is under way somewhere.
    pub(crate) fn is_converting(&self) -> bool {
        self.drives.iter().flat_map(|drive| &drive.volumes).any(|volume| volume.judged.verdict == Verdict::Converting)
    }
}

#[cfg(test)]
mod tests {
    use model::{Bus, Content, Reason, VolumeId};

    use super::*;

    fn judged(verdict: Verdict, next: &str) -> Judged {
        Judged { verdict, reason: Reason::new("plain"), gets: "everything".into(), next: next.into() }
    }

    fn drive(path: &str, system: bool, volumes: &[(&str, Verdict, &str)]) -> Drive {
        let volumes = volumes.iter().map(|(id, verdict, next)| Volume {
            id: VolumeId((*id).into()),
            size: 1 << 30,
            content: Content("ext4".into()),
            label: None,
            uuid: None,
            mounts: Vec::new(),
            in_use: false,
            judged: judged(*verdict, next),
            facts: BTreeMap::new(),
        });
        Drive {
            path: path.into(),
            name: path.into(),
            size: 1 << 30,
            bus: Bus::Usb,
            removable: Some(true),
            rotational: None,
            system,
            volumes: volumes.collect(),
            judged: judged(Verdict::NotProtected, "look-at-volumes"),
        }
    }

    fn of(drives: Vec<Drive>) -> Overview {
        overview(Seen { drives, computer: None }, May { ask: true, ..May::default() }, &|_| false)
    }

    fn encrypt(path: &str) -> Option<Offer> {
        Some(Offer::Encrypt { path: path.into() })
    }

    #[test]
    fn the_only_thing_to_do_is_offered_everywhere() {
        let seen = of(vec![drive(
            "a",
            false,
            &[("a1", Verdict::Protected, "keep-key"), ("a2", Verdict::NotProtected, "encrypt")],
        )]);
        assert_eq!(seen.offers.get("a2").cloned(), encrypt("a2"));
        assert_eq!(seen.offers.get("a").cloned(), encrypt("a2"));
        assert_eq!(seen.offers.get("a1"), None);
        assert_eq!(seen.offer, encrypt("a2"));
    }

    #[test]
    fn of_several_things_none_is_picked() {
        let two = [("a1", Verdict::NotProtected, "encrypt"), ("a2", Verdict::NotProtected, "unmount-and-encrypt")];
        let seen = of(vec![drive("a", false, &two)]);
        assert_eq!(seen.offers["a"], Offer::Look);
        assert_eq!(seen.offers["a2"], Offer::Encrypt { path: "a2".into() });
        assert_eq!(seen.offer, Some(Offer::Look));
    }

    #[test]
    fn what_was_interrupted_comes_first() {
        let seen = of(vec![
            drive("a", false, &[("a1", Verdict::NotProtected, "encrypt")]),
            drive("b", false, &[("b", Verdict::Converting, "resume")]),
        ]);
        assert_eq!(seen.offer, Some(Offer::Resume { path: "b".into() }));
        assert_eq!(seen.offers["b"], Offer::Resume { path: "b".into() });
    }

    #[test]
    fn the_running_system_is_not_offered_and_neither_is_what_another_system_has_to_finish() {
        let seen = of(vec![
            drive(
                "a",
                true,
                &[("a1", Verdict::NotProtected, "encrypt-system"), ("a2", Verdict::NotProtected, "encrypt")],
            ),
            drive(
                "b",
                false,
                &[("b1", Verdict::Converting, "bitlocker-wait"), ("b2", Verdict::Unknown, "think-of-veracrypt")],
            ),
        ]);
        assert!(seen.offers.is_empty());
        assert_eq!(seen.offer, None);
    }

    #[test]
    fn what_its_own_system_encrypts_is_left_to_it() {
        let mut own = drive("0", true, &[("C:", Verdict::NotProtected, "encrypt"), ("E:", Verdict::Protected, "x")]);
        own.volumes[0].mounts = vec![r"C:\".into()];
        let stick = drive(
            "1",
            false,
            &[("F:", Verdict::NotProtected, "encrypt"), ("G:", Verdict::Suspended, "bitlocker-resume")],
        );
        let seen = Seen { drives: vec![own, stick], computer: None };
        let offers = overview(seen.clone(), May::default(), &|path| path.len() == 2).offers;
        assert_eq!(offers["C:"], Offer::Native { path: "C:".into() });
        assert_eq!(offers["G:"], Offer::Native { path: "G:".into() });
        assert_eq!(offers["F:"], Offer::Encrypt { path: "F:".into() });
        // Elsewhere the same volumes are another system's.
        assert!(!overview(seen, May::default(), &|_| false).offers.contains_key("G:"));
    }

    #[test]
    fn rights_are_asked_for_once_and_only_where_something_is_hidden() {
        let hidden = ("a1", Verdict::Unknown, "as-administrator");
        let seen = of(vec![drive("a", true, &[hidden, ("a2", Verdict::Unknown, "as-administrator")])]);
        assert_eq!(seen.rights, Rights { hidden: 2, can_ask: true, granted: false });
        let seen = of(vec![drive("a", true, &[("a1", Verdict::Protected, "keep-key")])]);
        assert_eq!(seen.rights, Rights { hidden: 0, can_ask: false, granted: false });
    }
}
