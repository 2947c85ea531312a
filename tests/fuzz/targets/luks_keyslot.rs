//! See [`fuzz::luks_keyslot`].
#![no_main]

fuzz::target!(luks_keyslot);
