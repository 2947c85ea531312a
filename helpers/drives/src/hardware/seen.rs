use opal::discovery::{self, Discovery, Ssc};

use crate::machine::{self, AtaSecurity, DriveFacts};

/// How the drive is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// NVM Express, directly.
    Nvme,
    /// SATA, directly.
    Sata,
    /// SAS.
    Sas,
    /// Through a USB bridge.
    Usb,
    /// Through a RAID controller or driver.
    Raid,
}

impl Transport {
    /// The name in facts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nvme => "nvme",
            Self::Sata => "sata",
            Self::Sas => "sas",
            Self::Usb => "usb",
            Self::Raid => "raid",
        }
    }

    /// Whether what stands between may swallow security commands, so that silence is no answer.
    pub const fn is_indirect(self) -> bool {
        matches!(self, Self::Usb | Self::Raid)
    }
}

/// What went wrong when somebody used the drive's security functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Too many wrong PINs since the last power cycle (status 12).
    LockedOut,
    /// The drive refused an authority (status 01).
    NotAuthorized,
    /// No session is free (status 07), or the SP is busy (03).
    NoSessions,
    /// A parameter was not taken (status 0C), which for a range is its alignment.
    InvalidParameter,
    /// The answer was empty.
    EmptyResponse,
    /// Locking was to be removed with the data kept, and the drive refused because it is locked.
    KeepRefused,
    /// A range that does not exist was set, with success.
    RangeNotThere,
    /// A range is enabled and has never locked.
    NeverLocked,
}

impl Trouble {
    /// The status in the words of the specification.
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::LockedOut => Some("AUTHORITY_LOCKED_OUT"),
            Self::NotAuthorized => Some("NOT_AUTHORIZED"),
            Self::NoSessions => Some("NO_SESSIONS_AVAILABLE"),
            Self::InvalidParameter => Some("INVALID_PARAMETER"),
            _ => None,
        }
    }
}

/// What is known about a drive's own encryption. `None`: nobody told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Vendor and model. Empty: not told.
    pub model: String,
    /// Firmware. Empty: not told.
    pub firmware: String,
    /// How it is reached.
    pub transport: Option<Transport>,
    /// Whether security commands reach it (NVMe OACS bit 0, ATA word 48 bit 0).
    pub security_commands: Option<bool>,
    /// Whether the system's own driver refuses to send them although the drive takes them.
    pub kernel_refuses: Option<bool>,
    /// The security protocols that it lists.
    pub protocols: Option<Vec<u8>>,
    /// Its subsystem classes; an empty list means that it has none.
    pub ssc: Option<Vec<Ssc>>,
    /// Whether it encrypts what is on it.
    pub media_encryption: Option<bool>,
    /// Whether its locking is activated.
    pub locking_enabled: Option<bool>,
    /// Whether a range is locked now.
    pub locked: Option<bool>,
    /// Whether somebody has taken it, as far as it shows.
    pub owned: Option<bool>,
    /// Whether the one who has taken it is the person who asks.
    pub owned_by_user: bool,
    /// Whether there is a shadow MBR.
    pub mbr_supported: Option<bool>,
    /// Whether it is switched on.
    pub mbr_enabled: Option<bool>,
    /// Whether it has done its work since the last power cycle.
    pub mbr_done: Option<bool>,
    /// Whether SID cannot authenticate until the next power cycle.
    pub sid_blocked: Option<bool>,
    /// Whether a hardware reset ends that.
    pub block_cleared_by_reset: Option<bool>,
    /// Whether it knows Single User Mode.
    pub sum: Option<bool>,
    /// Whether a range is in Single User Mode, as Windows' eDrives are.
    pub sum_active: Option<bool>,
    /// DataStore tables.
    pub datastore_tables: Option<u32>,
    /// Ranges.
    pub ranges: Option<u32>,
    /// Blocks in a unit of alignment.
    pub granularity: Option<u64>,
    /// Bytes in a logical block, as the security part says.
    pub geometry_block_size: Option<u32>,
    /// Bytes in a logical block, as the system sees it.
    pub device_block_size: Option<u32>,
    /// The ComID to talk to.
    pub comid: Option<u16>,
    /// Whether answers may come in any order.
    pub asynchronous: Option<bool>,
    /// Whether a PSID can revert it.
    pub psid_supported: Option<bool>,
    /// ATA's own passwords.
    pub ata: Option<AtaSecurity>,
    /// What went wrong.
    pub trouble: Option<Trouble>,
    /// Whether a tool asked it and saw no class, which may be the way's fault.
    pub silent: bool,
    /// Whether it is sold as encrypting.
    pub advertised: bool,
}

impl Seen {
    /// What the bytes of a discovery tell.
    pub fn from_discovery(discovery: &Discovery) -> Self {
        let facts = discovery.facts();
        let locking = discovery.locking();
        let block = discovery.block_sid();
        Self {
            ssc: Some(facts.ssc.clone()),
            media_encryption: locking.map(|locking| locking.media_encryption),
            locking_enabled: locking.map(|locking| locking.enabled),
            locked: locking.map(|locking| locking.locked),
            owned: facts.owned.filter(|_| locking.is_some() || block.is_some()),
            mbr_supported: locking.map(|_| facts.mbr_shadow_supported),
            mbr_enabled: locking.map(|locking| locking.mbr_enabled),
            mbr_done: locking.map(|locking| locking.mbr_done),
            sid_blocked: block.map(|block| block.blocked),
            block_cleared_by_reset: block.map(|block| block.cleared_by_hardware_reset),
            // Descriptors are listed whole: one that is missing in a whole list is not there.
            sum: (!discovery.truncated || facts.sum).then_some(facts.sum),
            sum_active: facts.sum.then_some(facts.sum_active),
            datastore_tables: facts.datastore_tables.map(u32::from),
            ranges: facts.ranges,
            granularity: discovery.geometry().map(|geometry| geometry.granularity),
            geometry_block_size: facts.geometry_block_size,
            comid: facts.comid,
            asynchronous: discovery.tper().map(|tper| tper.asynchronous),
            ..Self::default()
        }
    }

    /// What a drive of this computer told.
    pub fn from_drive(drive: &DriveFacts) -> Self {
        let mut seen = drive
            .discovery
            .value
            .as_ref()
            .and_then(|bytes| discovery::parse(bytes).ok())
            .map(|discovery| Self::from_discovery(&discovery))
            .unwrap_or_default();
        seen.model = drive.model.value.clone().unwrap_or_default();
        seen.firmware = drive.revision.value.clone().unwrap_or_default();
        seen.transport = match drive.transport.value {
            Some(machine::Transport::UsbBridge) => Some(Transport::Usb),
            Some(machine::Transport::Raid) => Some(Transport::Raid),
            _ => None,
        };
        seen.security_commands = drive.security_commands.value;
        seen.protocols = drive.protocols.value.clone();
        seen.ata = drive.ata_security.value;
        // On a direct way, a list of protocols without TCG means that there is no class at all.
        let no_tcg = seen.protocols.as_ref().is_some_and(|all| !all.contains(&0x01));
        if seen.ssc.is_none() && no_tcg && seen.transport.is_none() {
            seen.ssc = Some(Vec::new());
        }
        seen
    }

    /// Whether it is of this class.
    pub fn is(&self, class: Ssc) -> bool {
        self.ssc.as_ref().is_some_and(|all| all.contains(&class))
    }

    /// Whether it is of a class that common tools set up.
    pub fn is_opal(&self) -> bool {
        self.is(Ssc::Opal1) || self.is(Ssc::Opal2)
    }

    /// Whether what is read at its front is the shadow MBR.
    pub fn mbr_shadow_active(&self) -> Option<bool> {
        match (self.mbr_enabled, self.mbr_done) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether somebody has taken it: told, or because it locks. Enterprise drives come with locking
    /// enabled, which tells nothing.
    pub fn taken(&self) -> Option<bool> {
        let enterprise = self.ssc.as_deref() == Some(&[Ssc::Enterprise]);
        match (self.owned, self.locked, self.locking_enabled) {
            (Some(owned), ..) => Some(owned),
            (None, Some(true), _) => Some(true),
            (None, _, Some(enabled)) if !enterprise => Some(enabled),
            _ => None,
        }
    }

    /// Whether Windows could take it for an encrypted drive: `yes`, `no`, or what is still to be seen.
    pub fn edrive_possible(&self) -> Option<&'static str> {
        let opal2 = self.ssc.as_ref().map(|all| all.contains(&Ssc::Opal2))?;
        let rest = (self.sum?, self.datastore_tables.is_some(), self.locking_enabled == Some(false));
        match (opal2, rest, &self.protocols) {
            (true, (true, true, true), None) => Some("needs_0xEE_check"),
            (true, (true, true, true), Some(protocols)) if protocols.contains(&0xee) => Some("yes"),
            _ => Some("no"),
        }
    }
}
