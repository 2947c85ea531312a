//! See [`fuzz::luks_convert`].
#![no_main]

fuzz::target!(luks_convert);
