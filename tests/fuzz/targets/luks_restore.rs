//! See [`fuzz::luks_restore`].
#![no_main]

fuzz::target!(luks_restore);
