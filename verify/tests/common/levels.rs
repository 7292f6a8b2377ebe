//! What the tests of results share: the levels of this CPU.

/// Levels, and whether this CPU has them.
#[cfg(target_arch = "x86_64")]
pub fn levels() -> Vec<(&'static str, bool)> {
    use std::arch::is_x86_feature_detected as has;
    let fma = has!("fma");
    let avx2 = fma && has!("avx2");
    vec![("scalar", true), ("sse2", true), ("fma", fma), ("avx2", avx2), ("avx512", avx2 && has!("avx512f"))]
}
#[cfg(target_arch = "aarch64")]
pub fn levels() -> Vec<(&'static str, bool)> {
    vec![("scalar", true), ("fma", true), ("neon", true)]
}

/// The names of those that this CPU has; the others are said to be skipped.
pub fn available(all: Vec<(&'static str, bool)>) -> Vec<&'static str> {
    for (name, _) in all.iter().filter(|(_, has)| !has) {
        println!("skipped: this CPU lacks what {name} takes");
    }
    all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}
