//! The processor, the memory and the system, for the report and for the conditions.

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// What this computer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SystemFacts {
    /// The processor as it names itself; empty where it does not.
    pub processor: String,
    /// Whether it has instructions for AES. `None`: not to be seen.
    pub aes: Option<bool>,
    /// Bytes of memory; 0 where it is not to be seen.
    pub memory: u64,
    /// Bytes of memory that a program can still have.
    pub memory_available: u64,
    /// The system's name and version.
    pub system: String,
    /// The kernel's version.
    pub kernel: String,
}

/// What this computer is. Takes about a millisecond.
pub fn system_facts() -> SystemFacts {
    let wanted =
        RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()).with_memory(MemoryRefreshKind::nothing().with_ram());
    // Where the system cannot be asked at all, nothing is known of it.
    let system = System::new_with_specifics(wanted).ok();
    SystemFacts {
        processor: system
            .as_ref()
            .and_then(|system| system.cpus().first())
            .map(|cpu| cpu.brand().trim().to_owned())
            .unwrap_or_default(),
        aes: aes::available(),
        memory: system.as_ref().map_or(0, System::total_memory),
        memory_available: system.as_ref().map_or(0, System::available_memory),
        system: System::long_os_version().unwrap_or_default(),
        kernel: System::kernel_version().unwrap_or_default(),
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod aes {
    pub(super) fn available() -> Option<bool> {
        Some(std::arch::is_x86_feature_detected!("aes"))
    }
}

#[cfg(target_arch = "aarch64")]
mod aes {
    pub(super) fn available() -> Option<bool> {
        Some(std::arch::is_aarch64_feature_detected!("aes"))
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
mod aes {
    pub(super) fn available() -> Option<bool> {
        None
    }
}
