//! See [`fuzz::luks_json`].
#![no_main]

fuzz::target!(luks_json);
