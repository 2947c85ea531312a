use std::path::Path;

use model::{Describe, Method, Outcome};

use super::{Disorder, EncryptRequest, Resizing, disorder, plan_encrypt};
use crate::engine::Checked;
use crate::view::Check;
use crate::{Error, Result};

/// The checklist for a volume with the plan that follows from it, or why there is none.
///
/// # Errors
/// Only when the volume cannot be looked at, [`blockdev::Error::Missing`] for instance. What stands in
/// the way of encrypting it is part of the answer.
pub fn check(path: &Path, request: &EncryptRequest) -> Result<Checked> {
    let seen = drives::check(path)?;
    let planned = plan_encrypt(path, request);
    let mut check = Check {
        conditions: seen.conditions,
        method: None,
        reasons: seen.reasons,
        room: seen.room.clone(),
        able: Vec::new(),
    };
    let plan = match planned {
        Ok(plan) => plan,
        Err(error @ Error::Device(blockdev::Error::Missing { .. })) => return Err(error),
        Err(error) => return Ok(Checked { check, plan: None, fault: Some(error.fault()), offered: Vec::new() }),
    };
    // The plan has looked closer than the list: a small image gets a small header, for instance.
    check.room = plan.room_reason();
    for condition in &mut check.conditions {
        match condition.code.as_str() {
            "room" => {
                condition.outcome = Outcome::Pass;
                condition.reason = plan.room_reason();
            }
            "file-system-clean" => {
                if let Some(Disorder::Ours(way)) = disorder(path)? {
                    let code = match way {
                        Resizing::Smaller => "file-system-cut-smaller",
                        Resizing::Larger => "file-system-cut-larger",
                    };
                    condition.outcome = Outcome::Warn;
                    condition.reason = model::Reason::new(code).with("content", &plan.content().0);
                }
            }
            "large-enough" if condition.outcome == Outcome::Fail => {
                condition.outcome = Outcome::Pass;
                condition.reason =
                    model::Reason::new("large-enough").with("size", plan.size()).with("needed", 2 * plan.shift());
            }
            _ => {}
        }
    }
    if check.conditions.iter().any(|condition| condition.outcome == Outcome::Fail) {
        return Ok(Checked { check, plan: None, fault: None, offered: Vec::new() });
    }
    if check.reasons.is_empty() {
        check.reasons.push(model::Reason::new("software-everywhere"));
    }
    check.method = Some(Method::Software);
    Ok(Checked { check, plan: Some(plan), fault: None, offered: Vec::new() })
}
