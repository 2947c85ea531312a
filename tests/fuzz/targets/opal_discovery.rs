//! See [`fuzz::opal_discovery`].
#![no_main]

fuzz::target!(opal_discovery);
