//! See [`fuzz::partitions`].
#![no_main]

fuzz::target!(partitions);
