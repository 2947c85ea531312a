//! See [`fuzz::foreign`].
#![no_main]

fuzz::target!(foreign);
