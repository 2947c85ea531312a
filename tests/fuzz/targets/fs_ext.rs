//! See [`fuzz::fs_ext`].
#![no_main]

fuzz::target!(fs_ext);
