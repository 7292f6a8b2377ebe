//! The level of the first call is the best of those that the CPU has, as Rust's standard library sees it, and no other can
//! be chosen.

use std::ffi::{CStr, c_char, c_int};

use libloading::{Library, Symbol};

use crate::toolchain::LIBRARY;

/// All levels, each better than the one before, and whether this CPU has what it needs.
#[cfg(target_arch = "x86_64")]
fn levels() -> Vec<(&'static CStr, bool)> {
    use std::arch::is_x86_feature_detected as has;
    let fma = has!("fma");
    let avx2 = fma && has!("avx2") && has!("bmi1") && has!("popcnt");
    vec![(c"scalar", true), (c"sse2", true), (c"fma", fma), (c"avx2", avx2), (c"avx512", avx2 && has!("avx512f"))]
}
#[cfg(target_arch = "aarch64")]
fn levels() -> Vec<(&'static CStr, bool)> {
    vec![(c"scalar", true), (c"fma", true), (c"neon", std::arch::is_aarch64_feature_detected!("neon"))]
}

#[test]
fn levels_are_those_of_the_cpu() {
    // SAFETY: the library has no code that runs when it is loaded, and these are its functions.
    unsafe {
        let library = Library::new(&LIBRARY.shared).expect("the library can be loaded");
        let level: Symbol<unsafe extern "C" fn() -> *const c_char> = library.get(b"halfulp_level\0").unwrap();
        let set: Symbol<unsafe extern "C" fn(*const c_char) -> c_int> = library.get(b"halfulp_set_level\0").unwrap();
        let in_force = || CStr::from_ptr(level());
        let best = levels().into_iter().rfind(|(_, available)| *available).map(|(name, _)| name);
        assert_eq!(Some(in_force()), best, "at the first call");
        for (name, available) in levels() {
            let before = in_force();
            assert_eq!(set(name.as_ptr()) == 0, available, "{name:?}");
            assert_eq!(in_force(), if available { name } else { before });
        }
    }
}
