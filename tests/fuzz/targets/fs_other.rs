//! See [`fuzz::fs_other`].
#![no_main]

fuzz::target!(fs_other);
