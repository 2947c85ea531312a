//! See [`fuzz::drives_look`].
#![no_main]

fuzz::target!(drives_look);
