//! The functions of other crates, in a shared library as halfulp's are: a call from the program into a library far away
//! in memory takes longer than one within the program. Like archive.c it exports addresses.

type Function = unsafe extern "C" fn(f32) -> f32;

/// C code, which the crate compiles for the CPU it is built on.
#[unsafe(no_mangle)]
pub static CORE_MATH_ERFF: Function = core_math_sys::cr_erff;
#[unsafe(no_mangle)]
pub static CORE_MATH_EXPF: Function = core_math_sys::cr_expf;

macro_rules! address {
    ($name:ident, $function:path) => {
        #[unsafe(no_mangle)]
        pub static $name: Function = {
            extern "C" fn function(x: f32) -> f32 {
                $function(x)
            }
            function
        };
    };
}

address!(PXFM_ERFF, pxfm::f_erff);
address!(PXFM_EXPF, pxfm::f_expf);
address!(LIBM_ERFF, libm::erff);
address!(LIBM_EXPF, libm::expf);
