use std::path::{Path, PathBuf};

use model::{Condition, Control, Fault, Method, Outcome, Progress, Reason, Secret, StepId};
use recovery::RecoveryKey;

use super::manage::Managed;
use super::native::Driven;
use crate::engine::{CheckWish, Checked};
use crate::journal::Journal;
use crate::operations::Plan;
use crate::view::{
    Before, BenchFigures, Check, EncryptState, Job, Overview, PasswordState, RecoveryCopy, RecoveryPlace,
    RecoveryState, SheetCode, SleepChoice, SleepQuestion, Space, SpaceChoice, Step, TestStartState, View,
};
use crate::{Error, Result};

/// All of the state: what lasts (the journal) and what is gone when the program ends.
pub(super) struct State {
    pub journal: Journal,
    pub overview: Option<Overview>,
    /// The person asked for a new look.
    pub look_again: bool,
    pub check: Option<Check>,
    pub plan: Option<Plan>,
    /// Why there is no plan: shown for as long as that is so.
    pub hindrance: Option<Fault>,
    pub conditions: Vec<Condition>,
    pub places: Vec<RecoveryPlace>,
    pub password: Option<Secret>,
    /// The password that a drive was prepared with before the person chose another one.
    pub former: Option<Secret>,
    /// Methods that can be chosen between.
    pub offered: Vec<Method>,
    pub key: Option<RecoveryKey>,
    pub wrong: u32,
    /// What is known of the system's own drive.
    pub system: super::system::Now,
    /// Counts the jobs, so that what was seen before one is told from what was seen after it.
    pub turn: u64,
    pub progress: Option<Progress>,
    pub fault: Option<Fault>,
    pub notice: Option<Reason>,
    pub job: Option<Running>,
    /// A protected drive that is looked after.
    pub manage: Option<Managed>,
    /// A volume that its own system encrypts.
    pub native: Option<Driven>,
    /// The wizard is being closed.
    pub closing: bool,
    /// Both measurements side by side: worked out once, not for every look.
    pub compared: Option<bench::Compared>,
    /// Bytes that a measurement writes at most.
    pub bench_writes: u64,
    /// Where the report of the measurements was saved.
    pub bench_saved: Option<String>,
}

/// A job on its own thread.
pub(super) struct Running {
    pub control: Control,
    pub progress: Progress,
    pub can_pause: bool,
    pub step: StepId,
}

/// The steps in their order.
const ORDER: [Step; 11] = [
    Step::Drives,
    Step::Check,
    Step::Before,
    Step::Password,
    Step::Recovery,
    Step::Rescue,
    Step::BenchBefore,
    Step::TestStart,
    Step::Encrypt,
    Step::BenchAfter,
    Step::Report,
];

impl State {
    pub fn new(journal: Journal) -> Self {
        Self {
            compared: compared(&journal),
            bench_writes: 0,
            bench_saved: None,
            journal,
            overview: None,
            look_again: false,
            check: None,
            plan: None,
            hindrance: None,
            conditions: Vec::new(),
            places: Vec::new(),
            password: None,
            former: None,
            offered: Vec::new(),
            key: None,
            wrong: 0,
            system: super::system::Now::default(),
            turn: 0,
            progress: None,
            fault: None,
            notice: None,
            job: None,
            manage: None,
            native: None,
            closing: false,
        }
    }

    /// Everything as it is at the first start, but for the drives that were seen.
    pub fn restart(&mut self) {
        let (overview, look_again) = (self.overview.take(), self.look_again);
        let (closing, bench_writes, turn) = (self.closing, self.bench_writes, self.turn);
        // A way of its own.
        let native = self.native.take();
        let journal = Journal { native: self.journal.native.take(), ..Journal::default() };
        *self = Self { overview, look_again, closing, bench_writes, turn, native, ..Self::new(journal) };
    }

    pub fn is_staged(&self) -> bool {
        self.journal.staged.is_some()
    }

    /// Who encrypts, as far as it is known.
    pub fn method(&self) -> Option<Method> {
        let staged = self.journal.staged.as_ref().map(|staged| staged.method);
        let report = self.journal.report.as_ref().map(|report| report.method);
        staged.or(self.plan.as_ref().map(Plan::method)).or(report)
    }

    /// What a check is made for.
    pub fn wish(&self) -> CheckWish {
        CheckWish { method: self.journal.method, prepared: self.journal.preparing }
    }

    pub fn only_at(&self, steps: &[Step]) -> Result<()> {
        if steps.contains(&self.journal.step) { Ok(()) } else { Err(Error::NotNow) }
    }

    pub fn pausable(&self) -> Result<&Running> {
        self.job.as_ref().filter(|job| job.can_pause).ok_or(Error::NotNow)
    }

    /// "Without measuring"; a measurement that runs is broken off.
    pub fn skip_measure(&mut self) -> Result<()> {
        let skipped = match self.journal.step {
            Step::BenchBefore => &mut self.journal.bench_before_skipped,
            Step::BenchAfter => &mut self.journal.bench_after_skipped,
            _ => return Err(Error::NotNow),
        };
        match &self.job {
            Some(job) if job.step == StepId::Benchmark => job.control.stop(),
            Some(_) => return Err(Error::Busy),
            None => {}
        }
        *skipped = true;
        Ok(())
    }

    /// Why "Next" does not work, if it does not.
    pub fn blocked(&self) -> Option<Reason> {
        let journal = &self.journal;
        if self.for_system() && self.job.is_none() {
            // What is asked of every drive is asked below.
            if let Some(code) = self.system_blocked() {
                return Some(Reason::new(code));
            }
        }
        let conditions_fail = self.conditions.iter().any(|condition| condition.outcome == Outcome::Fail);
        let code = match journal.step {
            _ if self.job.is_some() => "blocked-job",
            Step::Drives if journal.target.is_none() => "blocked-no-target",
            Step::Check if self.plan.is_none() && !self.for_system() => "blocked-check",
            Step::Check if self.sleep().is_some_and(|question| question.chosen.is_none()) => "blocked-sleep",
            Step::Before if conditions_fail => "blocked-conditions",
            Step::Before if !journal.backup_confirmed => "blocked-backup",
            Step::Password if self.password.is_none() && !self.is_staged() => "blocked-password",
            Step::Recovery if journal.copies.is_empty() => "blocked-recovery",
            Step::Rescue if !self.rescue_decided() => "blocked-rescue",
            Step::BenchBefore if !self.bench_before_decided() => "blocked-bench",
            Step::TestStart if !journal.test_start_passed && !self.for_system() => "blocked-test-start",
            Step::Encrypt if !journal.encrypt.finished && !self.for_system() => "blocked-encrypt",
            Step::BenchAfter if journal.bench_after.is_none() && !journal.bench_after_skipped => "blocked-bench",
            Step::Report => "blocked-end",
            _ => return None,
        };
        Some(Reason::new(code))
    }

    /// Everything that has to be true before the first byte is changed, whatever way led here.
    pub fn may_begin(&self) -> bool {
        let journal = &self.journal;
        self.is_staged()
            && journal.backup_confirmed
            && !journal.copies.is_empty()
            && self.rescue_decided()
            && journal.test_start_passed
    }

    /// One step on. After the test start it may be one that was never decided, because the program was
    /// closed there.
    pub fn step_on(&mut self) {
        let after = ORDER.iter().skip_while(|step| **step != self.journal.step).nth(1).copied();
        let next = match self.journal.step {
            Step::Drives if self.journal.encrypt.begun => Some(Step::Encrypt),
            Step::Rescue if self.for_system() => Some(Step::TestStart),
            Step::TestStart if !self.rescue_decided() => Some(Step::Rescue),
            Step::TestStart if !self.bench_before_decided() => Some(Step::BenchBefore),
            _ => after,
        };
        self.journal.step = next.unwrap_or(self.journal.step);
    }

    pub fn go_back(&mut self) -> Result<()> {
        if !self.can_go_back() {
            return Err(Error::NotNow);
        }
        if self.for_system() && self.journal.step == Step::TestStart {
            self.journal.step = Step::Rescue;
            return Ok(());
        }
        let before = ORDER.iter().take_while(|step| **step != self.journal.step).last();
        self.journal.step = *before.ok_or(Error::NotNow)?;
        Ok(())
    }

    /// What has been begun on the target is not undone by going back.
    fn can_go_back(&self) -> bool {
        match self.journal.step {
            _ if self.job.is_some() => false,
            Step::Drives | Step::BenchAfter => false,
            _ if self.for_system() => self.system_can_go_back(),
            Step::Encrypt => !self.journal.encrypt.begun,
            _ => true,
        }
    }

    /// Where the rescue image was written.
    pub fn rescue_folder(&self) -> Option<PathBuf> {
        let file = self.journal.rescue.written.as_ref()?;
        Some(Path::new(file).parent()?.to_owned())
    }

    fn rescue_decided(&self) -> bool {
        self.journal.rescue.verified || self.journal.rescue.skipped
    }

    fn bench_before_decided(&self) -> bool {
        self.journal.bench_before.is_some() || self.journal.bench_before_skipped
    }

    pub fn view(&self) -> View {
        let journal = &self.journal;
        let blocked = self.blocked();
        let job = self.job.as_ref();
        View {
            step: journal.step,
            done: self.done(),
            can_go_back: self.can_go_back(),
            can_go_on: blocked.is_none(),
            blocked,
            fault: self.fault.clone().or_else(|| self.hindrance.clone().filter(|_| journal.step == Step::Check)),
            notice: self.notice.clone(),
            job: job.map(|job| Job { progress: job.progress.clone(), can_pause: job.can_pause }),
            overview: self.overview.clone(),
            target: journal.target.clone(),
            system: self.system_view(),
            check: self.check.clone(),
            space: self.space(),
            sleep: self.sleep(),
            method: self.method(),
            methods: self.offered.clone(),
            before: Before {
                backup_confirmed: journal.backup_confirmed,
                conditions: self.conditions.clone(),
                estimate_s: self.estimate(),
            },
            password: PasswordState { set: self.password.is_some() || self.is_staged() },
            recovery: self.recovery(),
            rescue: journal.rescue.clone(),
            bench_before: journal.bench_before.clone(),
            test_start: TestStartState {
                passed: journal.test_start_passed,
                wrong: self.wrong,
                power_off: journal.power_off,
            },
            encrypt: EncryptState {
                begun: journal.encrypt.begun,
                finished: journal.encrypt.finished,
                progress: self.progress.clone(),
                needs_password: self.password.is_none() && !journal.encrypt.finished && job.is_none(),
                power_off: journal.power_off,
            },
            bench_after: journal.bench_after.clone(),
            bench_compared: self.compared.clone(),
            bench_writes: self.bench_writes,
            bench_saved: self.bench_saved.clone(),
            report: journal.report.clone(),
            manage: self.manage.as_ref().map(Managed::view),
            native: self.native_view(),
        }
    }

    fn done(&self) -> Vec<Step> {
        if self.journal.encrypt.begun || self.job.is_some() {
            return Vec::new();
        }
        ORDER.into_iter().take_while(|step| *step != self.journal.step).collect()
    }

    /// The key is in it only while its step shows it.
    fn recovery(&self) -> RecoveryState {
        let shown = self.key.as_ref().filter(|_| self.journal.step == Step::Recovery);
        RecoveryState {
            key_id: self.journal.staged.as_ref().map(|staged| staged.key_id.clone()),
            groups: shown.map(|key| key.groups().to_vec()),
            group_checks: shown.map(|key| key.group_checks().to_vec()),
            code: shown.and_then(|key| self.code(key)),
            copies: self.journal.copies.clone(),
            places: self.places.clone(),
        }
    }

    fn code(&self, key: &RecoveryKey) -> Option<SheetCode> {
        let uuid = &self.journal.staged.as_ref()?.uuid;
        let code = paper::Code::new(key, uuid).ok()?;
        Some(SheetCode { width: u32::try_from(code.width()).ok()?, path: code.svg_path().to_string() })
    }

    /// Seconds that the conversion will take: reading and writing follow each other, and the processor
    /// works between them. Without figures nothing is said.
    fn estimate(&self) -> Option<u64> {
        let free = self.space().filter(|space| space.chosen == Space::Used).map_or(0, |space| space.free);
        let size = self.journal.target.as_ref()?.size.saturating_sub(free) as f64;
        let figures = self.journal.bench_before.as_ref()?;
        let rate = |name: &str| figures.tests.iter().find(|test| test.name == name).map(|test| test.rate);
        let (read, write) = (rate("seq1m-q1t1-read")?, rate("seq1m-q1t1-write")?);
        let seconds = size / read + size / write + size / figures.cipher_rate;
        // Positive seconds, and rounding is wanted.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (seconds.is_finite() && seconds >= 0.0).then(|| seconds.ceil() as u64)
    }

    /// Takes over what was measured.
    pub fn measured(&mut self, before: bool, figures: BenchFigures) {
        match before {
            true => self.journal.bench_before = Some(figures),
            false => self.journal.bench_after = Some(figures),
        }
        self.bench_saved = None;
        self.compared = compared(&self.journal);
    }

    /// Takes over what a check found.
    pub fn checked(&mut self, checked: Checked) {
        self.offered = checked.offered;
        self.check = Some(checked.check);
        self.plan = checked.plan.map(|plan| {
            let advised = plan.advised_space();
            // A choice that was made for the volume as it was earlier may not fit any more.
            let wished = self.journal.space.map_or(advised, From::from);
            plan.clone().with_space(wished).unwrap_or(plan).with_sleep(self.journal.sleep)
        });
        self.hindrance = checked.fault;
    }

    /// Encrypts this much from now on.
    pub fn choose_space(&mut self, space: Space) -> Result<()> {
        let plan = self.plan.take().ok_or(Error::NotNow)?;
        let chosen = plan.clone().with_space(space.into());
        self.plan = Some(chosen.as_ref().cloned().unwrap_or(plan));
        chosen?;
        self.journal.space = Some(space);
        Ok(())
    }

    /// Has the computer sleep like this from when the drive is locked.
    pub fn choose_sleep(&mut self, sleep: SleepChoice) -> Result<()> {
        let plan = self.plan.take_if(|plan| plan.sleep().is_some()).ok_or(Error::NotNow)?;
        self.plan = Some(plan.with_sleep(Some(sleep)));
        self.journal.sleep = Some(sleep);
        Ok(())
    }

    fn sleep(&self) -> Option<SleepQuestion> {
        self.plan.as_ref()?.sleep()
    }

    fn space(&self) -> Option<SpaceChoice> {
        let plan = self.plan.as_ref()?;
        let free = plan.free()?;
        Some(SpaceChoice { chosen: plan.space().into(), advised: plan.advised_space().into(), free })
    }

    /// Takes note of a proven copy; the same place twice counts once.
    pub fn proven(&mut self, copy: RecoveryCopy) {
        self.journal.copies.retain(|other| *other != copy);
        self.journal.copies.push(copy);
    }
}

/// Both measurements side by side.
fn compared(journal: &Journal) -> Option<bench::Compared> {
    let report = |figures: &Option<BenchFigures>| figures.as_ref()?.report.clone();
    Some(bench::compare(&report(&journal.bench_before)?, &report(&journal.bench_after)?))
}
