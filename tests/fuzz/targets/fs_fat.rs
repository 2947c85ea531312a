//! See [`fuzz::fs_fat`].
#![no_main]

fuzz::target!(fs_fat);
