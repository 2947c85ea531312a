//! `latchkey bench`.

use std::path::PathBuf;

use model::Fault;

use super::{DISK_TEST, Source, raw, size_between, source};

/// See [`raw::Bench`].
#[derive(Debug)]
pub enum Bench {
    /// See [`raw::Bench::Cipher`].
    Cipher {
        /// As JSON.
        json: bool,
    },
    /// See [`raw::Bench::Disk`].
    Disk(BenchDisk),
    /// See [`raw::Bench::List`].
    List {
        /// `None`: where the window keeps them.
        folder: Option<PathBuf>,
        /// As JSON.
        json: bool,
    },
    /// See [`raw::Bench::Compare`].
    Compare {
        /// The earlier measurement.
        before: PathBuf,
        /// The later one.
        after: PathBuf,
        /// As JSON.
        json: bool,
        /// Where the page goes.
        html: Option<PathBuf>,
    },
    /// See [`raw::Bench::Mapping`].
    Mapping {
        /// Of the mapping.
        name: String,
        /// As JSON.
        json: bool,
    },
    /// See [`raw::Bench::Tune`].
    Tune {
        /// Of the mapping.
        name: String,
        /// Its password.
        password: Source,
        /// As JSON.
        json: bool,
    },
}

/// What [`raw::Bench::Disk`] asks for.
#[derive(Debug)]
pub struct BenchDisk {
    /// The folder; the device or file, if it is only read.
    pub dir: PathBuf,
    /// As JSON.
    pub json: bool,
    /// Bytes of the test file; `None`: the usual.
    pub size: Option<u64>,
    /// How thorough.
    pub form: bench::Form,
    /// The drive's curve, too.
    pub curve: bool,
    /// Tell the drive first what is free.
    pub trim: bool,
    /// Where the report is kept.
    pub keep: Option<PathBuf>,
}

impl Bench {
    /// Whether the answer is one JSON document.
    pub fn wants_json(&self) -> bool {
        match self {
            Self::Cipher { json }
            | Self::Disk(BenchDisk { json, .. })
            | Self::List { json, .. }
            | Self::Compare { json, .. }
            | Self::Mapping { json, .. }
            | Self::Tune { json, .. } => *json,
        }
    }
}

impl TryFrom<raw::Bench> for Bench {
    type Error = Fault;

    fn try_from(command: raw::Bench) -> Result<Self, Fault> {
        Ok(match command {
            raw::Bench::Cipher { json } => Self::Cipher { json },
            raw::Bench::Disk { dir, json, size, full, read_only, curve, trim, keep } => {
                let size = size.map(|size| size_between(&size, DISK_TEST)).transpose()?;
                let form = match (full, read_only) {
                    (true, _) => bench::Form::Full,
                    (_, true) => bench::Form::ReadOnly,
                    _ => bench::Form::Quick,
                };
                Self::Disk(BenchDisk { dir, json, size, form, curve, trim, keep })
            }
            raw::Bench::List { folder, json } => Self::List { folder, json },
            raw::Bench::Compare { before, after, json, html } => Self::Compare { before, after, json, html },
            raw::Bench::Mapping { name, json } => Self::Mapping { name, json },
            raw::Bench::Tune { name, password_file, json } => {
                Self::Tune { name, password: source(password_file), json }
            }
        })
    }
}
