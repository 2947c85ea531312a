//! See [`fuzz::opal_message`].
#![no_main]

fuzz::target!(opal_message);
