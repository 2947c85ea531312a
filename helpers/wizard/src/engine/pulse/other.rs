//! Systems whose lists are not read yet, and of which no recording is read either.

use std::path::Path;

use drives::Survey;

pub(super) fn survey(_: Option<&Path>) -> drives::Result<Survey> {
    drives::survey()
}

pub(super) fn pulse(_: Option<&Path>) -> Option<u64> {
    None
}
