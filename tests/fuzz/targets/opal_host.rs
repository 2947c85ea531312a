//! See [`fuzz::opal_host`].
#![no_main]

fuzz::target!(opal_host);
