//! `halfulp-verify`: checks a library's functions against the exact values.
fn main() {}
