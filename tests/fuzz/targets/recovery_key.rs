//! See [`fuzz::recovery_key`].
#![no_main]

fuzz::target!(recovery_key);
