//! See [`fuzz::opal_drive`].
#![no_main]

fuzz::target!(opal_drive);
