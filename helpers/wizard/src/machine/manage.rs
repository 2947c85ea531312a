//! The day after: a drive that is protected is looked after, beside the steps. Nothing of it is journalled:
//! each change is whole or was not made, and the drive itself says how it stands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use blockdev::{Access, FileDevice};
use model::{Describe, Progress, Reason, Secret, StepId};
use paper::{From, Paper};
use recovery::{Form, RecoveryKey};

use super::Inner;
use super::jobs::{Change, Job, change, far, target_of};
use super::state::State;
use crate::copies::Known;
use crate::engine::{Ended, Found};
use crate::operations::{self, Chip, KeyInfo, Pin, Proof, Unreadable};
use crate::running::Running;
use crate::view::{Care, CopySeen, KeySeen, ManageState, RecoveryCopy, RecoveryPlace, Target, Typed};
use crate::{Error, Result, practice};

/// A protected drive that is looked after.
pub(super) struct Managed {
    target: Target,
    path: PathBuf,
    uuid: String,
    /// What opened it, and by what.
    opened: Option<(Secret, Proof)>,
    keys: Vec<KeyInfo>,
    copies: Vec<Known>,
    pub places: Vec<RecoveryPlace>,
    /// Proven in this visit.
    key: Option<RecoveryKey>,
    turning_off: Option<Progress>,
}

impl Managed {
    /// What is shown.
    pub fn view(&self) -> ManageState {
        let seen = |key: &KeyInfo| KeySeen { keyslot: key.keyslot, kind: key.kind.name().to_owned() };
        let opened = self
            .opened
            .as_ref()
            .and_then(|(_, proof)| self.keys.iter().find(|key| key.keyslot == proof.keyslot).map(seen));
        let copies = self.copies.iter().map(|Known { copy, remind }| CopySeen {
            key_id: copy.key_id.clone(),
            copy: copy.copy.clone(),
            made: copy.made.to_string(),
            proven: copy.proven.to_string(),
            remind: remind.clone(),
        });
        ManageState {
            target: self.target.clone(),
            uuid: self.uuid.clone(),
            opened,
            keys: self.keys.iter().map(seen).collect(),
            copies: copies.collect(),
            key_id: self.key.as_ref().map(RecoveryKey::key_id),
            places: self.places.clone(),
            chips: if operations::can_enroll() { vec![Chip::Tpm2, Chip::Fido2] } else { Vec::new() },
            turning_off: self.turning_off.clone(),
        }
    }

    /// The device.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn secret(&self) -> Result<Secret> {
        self.opened.as_ref().map(|(secret, _)| secret.clone()).ok_or(Error::PasswordNeeded)
    }
}

impl State {
    fn managed(&self) -> Result<&Managed> {
        self.manage.as_ref().ok_or(Error::NotNow)
    }
}

impl Inner {
    /// Opens the page on a drive.
    pub(super) fn manage(&self, path: PathBuf, practice: bool) -> Job {
        Job::new(StepId::Check, move |inner, _, _| {
            let found = inner.engine().look(&path)?;
            inner.managed(&found, path, practice)
        })
    }

    pub(super) fn managed(&self, found: &Found, path: PathBuf, practice: bool) -> Result<Change> {
        let header = found.header.as_ref().ok_or(Error::NotNow)?;
        let turning_off = match header.converting {
            Some(converting) if converting.encrypting => return Err(Error::NotNow),
            Some(converting) => Some(Progress { step: StepId::Decrypt, ..far(converting.done, converting.total) }),
            None => None,
        };
        let managed = Managed {
            target: target_of(found, practice)?,
            uuid: header.uuid.clone(),
            opened: None,
            keys: operations::keys(&path)?,
            copies: self.copies.of(&header.uuid),
            places: self.engine().places(&path),
            key: None,
            turning_off,
            path,
        };
        change(move |_, state| state.manage = Some(managed))
    }

    /// What an action on the page does.
    pub(super) fn care(&self, state: &State, care: Care) -> Result<Job> {
        let managed = state.managed()?;
        let path = managed.path.clone();
        if managed.turning_off.is_some() && !matches!(care, Care::Open { .. } | Care::TurnOff) {
            return Err(Error::NotNow);
        }
        let (same_path, same_uuid) = (path.clone(), managed.uuid.clone());
        let job = match care {
            Care::Open { secret } => Job::new(StepId::DeriveKey, move |_, _, _| {
                let secret = as_opens(&secret);
                let proof = operations::prove(&path, &secret)?;
                change(move |_, state| {
                    if let Some(managed) = &mut state.manage {
                        managed.opened = Some((secret, proof));
                    }
                })
            }),
            Care::ChangePassword { password, repeated } => self.change_password(managed, &password, &repeated)?,
            Care::AddPassword { password, repeated } => {
                let (secret, new) = (managed.secret()?, self.accepted(&password, &repeated)?);
                Job::new(StepId::DeriveKey, move |inner, _, _| {
                    operations::add_password(&path, &secret, &new, inner.engine().kdf())?;
                    done(&path, Reason::new("notice-password-added"))
                })
            }
            Care::RemoveKey { keyslot } => {
                let secret = managed.secret()?;
                Job::new(StepId::Header, move |_, _, _| {
                    operations::remove_key(&path, &secret, keyslot)?;
                    done(&path, Reason::new("notice-key-removed"))
                })
            }
            Care::NewRecovery { folder, page } => new_recovery(managed, folder.into(), page)?,
            Care::CheckTyped { key } => {
                let key = RecoveryKey::parse(key.expose()).map_err(|error| Error::Below(error.fault()))?;
                let copy = RecoveryCopy::paper();
                Job::new(StepId::DeriveKey, move |inner, _, _| {
                    operations::check_key(&path, &key, None)?;
                    inner.proven(&path, key, &copy, "notice-key-opens")
                })
            }
            Care::CheckSheet { file } => Job::new(StepId::Verify, move |inner, _, _| {
                let file = PathBuf::from(file);
                let found = paper::read(&file).map_err(|error| Error::Below(error.fault()))?;
                operations::check_key(&path, &found.key, found.uuid.as_deref())?;
                let copy = match found.from {
                    From::Code if !is_page(&file) => RecoveryCopy::paper(),
                    From::Code | From::Text => {
                        let folder = file.parent().unwrap_or(Path::new("."));
                        RecoveryCopy::in_folder(folder, &inner.engine().places(&path))
                    }
                };
                inner.proven(&path, found.key, &copy, "notice-key-opens")
            }),
            Care::CopyRecovery { folder, page } => {
                let key = managed.key.clone().ok_or(Error::NotNow)?;
                let (target, uuid) = (managed.target.clone(), managed.uuid.clone());
                Job::new(StepId::Write, move |inner, _, _| {
                    let copy = inner.put(&target, &uuid, &path, &key, page, Path::new(&folder))?;
                    inner.proven(&path, key, &copy, "notice-copy-made")
                })
            }
            Care::BackupHeader { folder } => Job::new(StepId::Write, move |_, _, _| {
                let file = operations::header_backup_into(&path, Path::new(&folder))?;
                done(&path, Reason::new("notice-header-saved").with("path", file.display()))
            }),
            Care::Enroll { chip } => {
                let secret = managed.secret()?;
                Job::new(StepId::Header, move |_, _, _| {
                    operations::enroll(&path, &secret, chip, Pin::Never)?;
                    done(&path, Reason::new("notice-enrolled"))
                })
            }
            Care::TurnOff => turn_off(state, managed)?,
            Care::Erase { name } => {
                if name.trim() != managed.target.name {
                    return Err(Error::NotTheName);
                }
                let uuid = managed.uuid.clone();
                Job::new(StepId::Header, move |inner, _, _| {
                    operations::erase(&path, &uuid)?;
                    let _ = inner.copies.keep_only(&uuid, None);
                    change(move |inner, state| {
                        state.manage = None;
                        inner.no_more(state, &path);
                        state.notice = Some(Reason::new("notice-erased"));
                    })
                })
            }
        };
        Ok(job.only_on(same_path, same_uuid))
    }

    fn change_password(&self, managed: &Managed, password: &Typed, repeated: &Typed) -> Result<Job> {
        let (path, new) = (managed.path.clone(), self.accepted(password, repeated)?);
        let (old, proof) = managed.opened.clone().ok_or(Error::PasswordNeeded)?;
        Ok(Job::new(StepId::DeriveKey, move |inner, _, _| {
            let kdf = inner.engine().kdf();
            if proof.recovery {
                operations::add_password(&path, &old, &new, kdf)?;
                return done(&path, Reason::new("notice-password-added"));
            }
            operations::passwd(&path, &old, &new, kdf)?;
            let keyslot = operations::prove(&path, &new)?.keyslot;
            let after = done(&path, Reason::new("notice-password-changed"))?;
            change(move |inner, state| {
                after(inner, state);
                if let Some(managed) = &mut state.manage {
                    managed.opened = Some((new, Proof { keyslot, ..proof }));
                }
            })
        }))
    }

    /// A key has just opened the drive, and this is where it came from or was put.
    fn proven(&self, path: &Path, key: RecoveryKey, copy: &RecoveryCopy, notice: &'static str) -> Result<Change> {
        let (uuid, key_id) = (operations::uuid(path)?, key.key_id());
        // That it cannot be noted is no reason to say that the key does not open.
        let _ = self.copies.proven(&uuid, &key_id, copy);
        let after = done(path, Reason::new(notice).with("keyid", key_id))?;
        change(move |inner, state| {
            after(inner, state);
            if let Some(managed) = &mut state.manage {
                managed.copies = inner.copies.of(&uuid);
                managed.key = Some(key);
            }
        })
    }

    /// Puts a copy of a key into a folder, and opens the drive with what is read back from there.
    fn put(
        &self,
        target: &Target,
        uuid: &str,
        path: &Path,
        key: &RecoveryKey,
        page: bool,
        folder: &Path,
    ) -> Result<RecoveryCopy> {
        let mut prove = |secret: &Secret| operations::prove(path, secret).map(drop).map_err(|error| error.fault());
        self.engine().export_recovery(target, uuid, key, &*form(page), folder, &mut prove)
    }

    /// What the steps knew of this drive is over.
    fn no_more(&self, state: &mut State, path: &Path) {
        if !state.target_path().is_ok_and(|target| target == path) {
            state.look_again = true;
            return;
        }
        let (job, manage) = (state.job.take(), state.manage.take());
        self.start_over(state);
        (state.job, state.manage) = (job, manage);
    }
}

/// Makes it, has it proven on a medium, and revokes the old one.
fn new_recovery(managed: &Managed, folder: PathBuf, page: bool) -> Result<Job> {
    let (path, uuid, target) = (managed.path.clone(), managed.uuid.clone(), managed.target.clone());
    let (secret, proof) = managed.opened.clone().ok_or(Error::PasswordNeeded)?;
    Ok(Job::new(StepId::Write, move |inner, _, _| {
        let mut copy = None;
        let key = operations::recovery_new(&path, &secret, &mut |key, _| {
            copy = Some(inner.put(&target, &uuid, &path, key, page, &folder)?);
            Ok(())
        })?;
        let copy = copy.ok_or(Error::KeyGone)?;
        let key_id = key.key_id();
        let _ = inner.copies.keep_only(&uuid, Some(&key_id));
        let after = inner.proven(&path, key.clone(), &copy, "notice-new-key")?;
        // The key that opened it may be the one that has just been revoked.
        let opened = if proof.recovery {
            let secret = key.secret();
            let proof = operations::prove(&path, &secret)?;
            Some((secret, proof))
        } else {
            None
        };
        change(move |inner, state| {
            after(inner, state);
            if let (Some(managed), Some(opened)) = (&mut state.manage, opened) {
                managed.opened = Some(opened);
            }
            if let Some(report) = state.journal.report.as_mut().filter(|report| report.uuid == uuid) {
                (report.key_id, report.copies) = (key_id, vec![copy]);
            }
        })
    }))
}

/// Takes the encryption away, from wherever that stands.
fn turn_off(state: &State, managed: &Managed) -> Result<Job> {
    let (path, uuid, secret) = (managed.path.clone(), managed.uuid.clone(), managed.secret()?);
    let ours = state.target_path().is_ok_and(|target| target == path);
    let files = if ours { state.journal.practice_files.clone() } else { Vec::new() };
    let mut job = Job::new(StepId::Decrypt, move |inner: &Arc<Inner>, control, sink| {
        if operations::is_converting(&path)?.is_none() {
            operations::begin_decrypt(&path, &secret, sink)?;
            // The report said that it is protected. From here on that is no longer so.
            inner.no_more(&mut inner.state(), &path);
            inner.save();
        }
        let resumed = {
            let _running = Running::announce(&path, control);
            operations::resume(&path, &secret, Unreadable::Stop, control, sink)
        };
        match resumed {
            Ok(resumed) if resumed.ended == Ended::Finished => {}
            stopped => {
                let found = inner.engine().look(&path)?;
                let after = inner.managed(&found, path.clone(), false)?;
                return change(move |inner, state| {
                    after(inner, state);
                    match stopped {
                        Ok(_) => state.notice = (!state.closing).then(|| Reason::new("notice-paused-outside")),
                        Err(error) => state.fault = Some(error.fault()),
                    }
                });
            }
        }
        let _ = inner.copies.keep_only(&uuid, None);
        let same = match files.is_empty() {
            true => None,
            false => Some(practice::compare(&FileDevice::open(&path, Access::Read)?, &files)?),
        };
        change(move |_, state| {
            state.manage = None;
            state.look_again = true;
            state.notice = Some(match same {
                Some(check) => {
                    Reason::new("notice-turned-off-files").with("same", check.same).with("count", check.total)
                }
                None => Reason::new("notice-turned-off"),
            });
        })
    });
    job.can_pause = true;
    Ok(job)
}

/// It was done: the ways in are looked at again.
fn done(path: &Path, notice: Reason) -> Result<Change> {
    let keys = operations::keys(path)?;
    change(move |_, state| {
        if let Some(managed) = &mut state.manage {
            managed.keys = keys;
        }
        state.notice = Some(notice);
    })
}

/// A recovery key is recognised in any of its written forms; everything else is a password.
fn as_opens(typed: &Typed) -> Secret {
    recovery::read_back(typed.expose()).map_or_else(|_| typed.secret(), |key| key.secret())
}

fn form(page: bool) -> Box<dyn Form> {
    if page { Box::new(Paper::default()) } else { Box::new(recovery::Text) }
}

/// A PDF is a file that somebody keeps; a picture is one of a sheet on paper.
fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"))
}
