//! The functions of other crates, in a shared library as halfulp's are: a call from the program into a library far away
//! in memory takes longer than one within the program. Like archive.c it exports addresses.

macro_rules! addresses {
    ($type:ty: $($name:ident = $function:path),+ $(,)?) => {$(
        #[unsafe(no_mangle)]
        pub static $name: unsafe extern "C" fn($type) -> $type = {
            extern "C" fn function(x: $type) -> $type {
                $function(x)
            }
            function
        };
    )+};
}

// C code, which the crate compiles for the CPU it is built on.
macro_rules! c_addresses {
    ($type:ty: $($name:ident = $function:path),+ $(,)?) => {$(
        #[unsafe(no_mangle)]
        pub static $name: unsafe extern "C" fn($type) -> $type = $function;
    )+};
}

c_addresses!(f32: CORE_MATH_ERFF = core_math_sys::cr_erff, CORE_MATH_EXPF = core_math_sys::cr_expf);
c_addresses!(f32: CORE_MATH_ERFCF = core_math_sys::cr_erfcf);
c_addresses!(f64: CORE_MATH_ERF = core_math_sys::cr_erf, CORE_MATH_ERFC = core_math_sys::cr_erfc);

addresses!(f32: PXFM_ERFF = pxfm::f_erff, PXFM_EXPF = pxfm::f_expf, PXFM_ERFCF = pxfm::f_erfcf);
addresses!(f64: PXFM_ERF = pxfm::f_erf, PXFM_ERFC = pxfm::f_erfc);

addresses!(f32: LIBM_ERFF = libm::erff, LIBM_EXPF = libm::expf, LIBM_ERFCF = libm::erfcf);
addresses!(f64: LIBM_ERF = libm::erf, LIBM_ERFC = libm::erfc);
