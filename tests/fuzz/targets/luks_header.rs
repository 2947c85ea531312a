//! See [`fuzz::luks_header`].
#![no_main]

fuzz::target!(luks_header);
