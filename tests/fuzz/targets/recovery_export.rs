//! See [`fuzz::recovery_export`].
#![no_main]

fuzz::target!(recovery_export);
