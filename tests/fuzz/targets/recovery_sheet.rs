//! See [`fuzz::recovery_sheet`].
#![no_main]

fuzz::target!(recovery_sheet);
