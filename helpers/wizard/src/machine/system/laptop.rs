//! A laptop that can be restarted, without a system: what its service would say at each moment, and what its starts
//! come to. Each call can be made to fail.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use model::{Condition, Fault, FaultKind, Meter, Outcome, Reason, Secret, Sink, StepId, Unit, VolumeId};
use recovery::RecoveryKey;

use crate::system::{Ending, LastStart, Phase, Prepared, Standing, StartOutcome, Stick, SystemDrive, Undone};

/// What the service calls the volume.
const ID: &str = "bdceb69e-8608";

pub(super) const TOTAL: u64 = 100 << 20;

#[derive(Default)]
pub(super) struct Laptop(Mutex<World>);

pub(super) struct World {
    pub conditions: Vec<Condition>,
    pub phase: Phase,
    pub last_start: Option<LastStart>,
    pub sticks: Vec<Stick>,
    /// The next call of this name fails with this fault.
    pub fails: BTreeMap<&'static str, Fault>,
    /// Each call fails with this fault.
    pub gone: Option<Fault>,
    pub calls: Vec<&'static str>,
    pub written: Vec<String>,
    /// Password and recovery key of the header that stands there, or is prepared.
    secrets: Option<(Secret, Secret)>,
    ticket: Option<String>,
    proven: bool,
    /// Somebody has typed the password in this start.
    typed: bool,
    paused: bool,
    undone: bool,
    tries: u32,
    /// `/boot` needs room, which a start of its own makes.
    pub no_room: bool,
}

impl Default for World {
    fn default() -> Self {
        Self {
            conditions: vec![condition("boot-root", Outcome::Pass), condition("boot-swap", Outcome::Warn)],
            phase: Phase::Untouched,
            last_start: None,
            sticks: vec![Stick { id: "sdb@17".into(), name: "Kingston".into(), size: 8 << 30 }],
            fails: BTreeMap::new(),
            gone: None,
            calls: Vec::new(),
            written: Vec::new(),
            secrets: None,
            ticket: None,
            proven: false,
            typed: false,
            paused: false,
            undone: false,
            tries: 0,
            no_room: false,
        }
    }
}

pub(super) fn condition(code: &str, outcome: Outcome) -> Condition {
    Condition { code: code.into(), outcome, reason: Reason::new("boot-in-order"), evidence: String::new() }
}

pub(super) fn refused(code: &str) -> Fault {
    Fault::new(code, FaultKind::Refused)
}

fn wrong() -> Fault {
    Fault::new("luks-wrong-secret", FaultKind::WrongSecret)
}

impl Laptop {
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }

    /// A call about a volume: it is named by the id that was given out, and by nothing else.
    fn call_about(&self, id: &VolumeId, name: &'static str) -> Result<MutexGuard<'_, World>, Fault> {
        assert_eq!(id.0, ID, "{name}");
        self.call(name)
    }

    fn call(&self, name: &'static str) -> Result<MutexGuard<'_, World>, Fault> {
        let mut world = self.world();
        world.calls.push(name);
        if let Some(fault) = world.fails.remove(name).or_else(|| world.gone.clone()) {
            return Err(fault);
        }
        Ok(world)
    }

    pub fn was_called(&self, name: &str) -> usize {
        self.world().calls.iter().filter(|call| **call == name).count()
    }

    /// The service notices that the window is gone.
    pub fn window_is_gone(&self) {
        self.world().ticket = None;
    }

    /// A start of the computer, with what somebody types at its prompt.
    pub fn start(&self, typed: &[&str]) {
        let mut world = self.world();
        world.ticket = None;
        world.typed = false;
        let right = match &world.secrets {
            Some((password, _)) => typed.iter().take(3).any(|typed| *password == Secret::from(*typed)),
            None => false,
        };
        let outcome = match (world.phase, right) {
            (Phase::RoomStaged, _) => {
                world.phase = Phase::RoomMade;
                StartOutcome::RoomMade
            }
            (Phase::Staged, true) => {
                world.phase = Phase::Encrypting { done: 0, total: TOTAL, running: true };
                StartOutcome::Passed
            }
            (Phase::Staged, false) => {
                world.phase = Phase::Untouched;
                if typed.is_empty() { StartOutcome::NothingTyped } else { StartOutcome::WrongPassword }
            }
            (Phase::Placed, _) => {
                world.phase = Phase::Untouched;
                StartOutcome::TakenBack
            }
            (Phase::Encrypting { done, total, .. }, true) => {
                world.phase = Phase::Encrypting { done, total, running: !world.paused };
                StartOutcome::Opened
            }
            (Phase::ToBeProven, true) => {
                world.phase = Phase::Proven;
                world.last_start = None;
                return;
            }
            (Phase::ToBeDecrypted, true) => {
                world.phase = Phase::Untouched;
                StartOutcome::Decrypted
            }
            _ => StartOutcome::Plain,
        };
        world.typed = right;
        world.last_start = Some(LastStart { id: "5f0e".into(), outcome, fault: None });
    }

    /// The encryption gets on, if it runs.
    pub fn works(&self, bytes: u64) {
        let mut world = self.world();
        if let Phase::Encrypting { done, total, running: true } = world.phase {
            let done = total.min(done + bytes);
            world.phase =
                if done == total { Phase::ToBeProven } else { Phase::Encrypting { done, total, running: true } };
        }
    }

    /// Somebody has come to this phase in a terminal, with this password.
    pub fn stands_at(&self, phase: Phase, password: &str) {
        let mut world = self.world();
        world.phase = phase;
        world.secrets = Some((Secret::from(password), Secret::from("key")));
    }
}

impl World {
    fn holds(&self, ticket: &str) -> Result<(), Fault> {
        if self.ticket.as_deref() == Some(ticket) { Ok(()) } else { Err(refused("service-no-such-ticket")) }
    }
}

impl SystemDrive for Laptop {
    fn id(&self) -> Result<VolumeId, Fault> {
        self.call("id").map(|_| VolumeId(ID.into()))
    }

    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault> {
        Ok(self.call_about(id, "check")?.conditions.clone())
    }

    fn status(&self, id: &VolumeId) -> Result<Standing, Fault> {
        let world = self.call_about(id, "status")?;
        Ok(Standing { phase: world.phase, last_start: world.last_start.clone(), progress: None })
    }

    fn prepare(&self, id: &VolumeId, password: &Secret, key: &RecoveryKey) -> Result<Prepared, Fault> {
        let mut world = self.call_about(id, "prepare")?;
        if world.ticket.is_some() {
            return Err(refused("service-busy"));
        }
        world.tries += 1;
        let ticket = format!("ticket {}", world.tries);
        world.secrets = Some((password.clone(), key.secret()));
        world.proven = false;
        world.ticket = Some(ticket.clone());
        Ok(Prepared { ticket, uuid: format!("3c1b4f0e-0000-4000-8000-{:012}", world.tries) })
    }

    fn prove(&self, ticket: &str, secret: &Secret) -> Result<(), Fault> {
        let mut world = self.call("prove")?;
        world.holds(ticket)?;
        match &world.secrets {
            Some((_, key)) if key == secret => {
                world.proven = true;
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    fn begin(&self, ticket: &str, sink: &mut dyn Sink) -> Result<(), Fault> {
        let begun = self.call("begin");
        let mut world = match begun {
            Ok(world) => world,
            Err(fault) => {
                if fault.code != "service-dismissed" {
                    self.world().ticket = None;
                }
                return Err(fault);
            }
        };
        world.holds(ticket)?;
        if !world.proven {
            return Err(refused("service-not-proven"));
        }
        Meter::new(sink, StepId::Header, 1, Unit::Steps).at(1);
        world.ticket = None;
        world.last_start = None;
        world.phase = if world.no_room { Phase::RoomStaged } else { Phase::Staged };
        Ok(())
    }

    fn give_up(&self, ticket: &str) {
        if let Ok(mut world) = self.call("give up")
            && world.holds(ticket).is_ok()
        {
            world.ticket = None;
        }
    }

    fn pause(&self, id: &VolumeId) -> Result<(), Fault> {
        let mut world = self.call_about(id, "pause")?;
        let Phase::Encrypting { done, total, .. } = world.phase else { return Err(refused("boot-wrong-state")) };
        world.phase = Phase::Encrypting { done, total, running: false };
        world.paused = true;
        Ok(())
    }

    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault> {
        let mut world = self.call_about(id, "resume")?;
        match (secret, &world.secrets) {
            (Some(secret), Some((password, _))) if secret == password => world.typed = true,
            (Some(_), _) => return Err(wrong()),
            (None, _) if !world.typed => return Err(Fault::new("boot-password-needed", FaultKind::WrongSecret)),
            _ => {}
        }
        let Phase::Encrypting { done, total, .. } = world.phase else { return Err(refused("boot-wrong-state")) };
        world.phase = Phase::Encrypting { done, total, running: true };
        world.paused = false;
        Ok(())
    }

    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault> {
        let mut world = self.call_about(id, "undo")?;
        match world.phase {
            Phase::Staged => {
                world.phase = Phase::Untouched;
                Ok(Undone::Now)
            }
            Phase::ToBeDecrypted => {
                world.phase = Phase::Proven;
                Ok(Undone::Now)
            }
            Phase::Placed => {
                world.undone = true;
                Ok(Undone::AtNextStart)
            }
            _ => Err(refused("boot-already-encrypting")),
        }
    }

    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault> {
        let mut world = self.call_about(id, "decrypt")?;
        match &world.secrets {
            Some((password, _)) if password == secret => {
                world.phase = Phase::ToBeDecrypted;
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    fn sticks(&self) -> Result<Vec<Stick>, Fault> {
        Ok(self.call("sticks")?.sticks.clone())
    }

    fn write_stick(&self, stick: &str, typed: &str) -> Result<(), Fault> {
        let mut world = self.call("write stick")?;
        if !world.sticks.iter().any(|known| known.id == stick && known.name == typed) {
            return Err(refused("rescue-other-name"));
        }
        world.written.push(stick.to_owned());
        Ok(())
    }

    fn end_session(&self, how: Ending) -> Result<(), Fault> {
        self.call(if how == Ending::Restart { "restart" } else { "power off" }).map(|_| ())
    }
}
