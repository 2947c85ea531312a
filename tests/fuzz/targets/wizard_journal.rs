//! See [`fuzz::wizard_journal`].
#![no_main]

fuzz::target!(wizard_journal);
