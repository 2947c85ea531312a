//! `/sys/class/power_supply` (the kernel's `Documentation/ABI/testing/sysfs-class-power`).

use std::path::Path;

use super::sysfs::{entries, text};
use crate::platform::Power;

pub(super) fn source(root: &Path) -> Power {
    let folder = root.join("sys/class/power_supply");
    if !folder.is_dir() {
        return Power::Unknown;
    }
    let mut battery = None;
    let mut fed = false;
    for supply in entries(&folder) {
        let read = |name: &str| text(&supply.join(name)).unwrap_or_default();
        // The battery of a mouse or a headset says nothing about the computer.
        if read("scope") == "Device" {
            continue;
        }
        match read("type").as_str() {
            "Battery" => {
                let percent = read("capacity").parse().ok().filter(|percent| *percent <= 100);
                battery = Some(Power::Battery { percent });
                // "Not charging" and "Full" are what a battery says that is spared while on mains.
                fed |= matches!(read("status").as_str(), "Charging" | "Full" | "Not charging");
            }
            "Mains" | "USB" | "Wireless" => fed |= matches!(read("online").as_str(), "1" | "2"),
            _ => {}
        }
    }
    match battery {
        None => Power::NoBattery,
        Some(_) if fed => Power::Mains,
        Some(battery) => battery,
    }
}
