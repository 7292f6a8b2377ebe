//! errno, the one thing that the library takes from the C library beside it.

/// Reports a range error: errno = ERANGE.
#[cold]
pub fn range_error() {
    #[cfg(all(feature = "errno", any(target_os = "linux", windows)))]
    {
        use core::ffi::c_int;

        const ERANGE: c_int = 34;
        unsafe extern "C" {
            #[cfg_attr(windows, link_name = "_errno")]
            safe fn __errno_location() -> *mut c_int;
        }
        // SAFETY: the C library gives each thread its own errno, always valid.
        unsafe { *__errno_location() = ERANGE };
    }
}
