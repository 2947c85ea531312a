//! See [`fuzz::explain`].
#![no_main]

fuzz::target!(explain);
