//! See [`fuzz::fs_exfat`].
#![no_main]

fuzz::target!(fs_exfat);
