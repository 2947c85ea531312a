//! See [`fuzz::fs_ntfs`].
#![no_main]

fuzz::target!(fs_ntfs);
