//! The vector functions that compilers call from loops, and programs as part of libmvec's interface: one register of
//! arguments in, one register of results out. Their names say what the caller's CPU has, which is less than the fast
//! instances need, so each looks first.
#![allow(non_snake_case, improper_ctypes_definitions)] // a register is what this interface passes

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::*;

    use halfulp_kernel::arrays::settled;
    use halfulp_kernel::isa::{Avx2, Avx512, F32x4, F32x8, F32x16, Sse2};
    use halfulp_kernel::{erf, erfc, exp, tail};

    use crate::level::{at_least, place};

    /// The instances of one function. Where the fast phase leaves a lane open, the whole register is done again. They are
    /// functions of C because Rust's own would pass registers through memory.
    macro_rules! instances {
        ($function:ident, $family:ident, $fast:ty) => {
            mod $function {
                use super::*;

                #[inline(never)]
                pub extern "C" fn sse2(x: __m128) -> __m128 {
                    $family::$function(Sse2, F32x4(x)).0
                }

                #[target_feature(enable = "avx")]
                #[inline(never)]
                pub extern "C" fn sse2_twice(x: __m256) -> __m256 {
                    _mm256_set_m128(sse2(_mm256_extractf128_ps::<1>(x)), sse2(_mm256_castps256_ps128(x)))
                }

                #[target_feature(enable = "avx2,bmi1,fma,popcnt")]
                #[inline(never)]
                pub extern "C" fn avx2(x: __m256) -> __m256 {
                    match settled(<$fast>::from(Avx2::new()), F32x8(x)) {
                        Some(y) => y.0,
                        None => avx2_sure(x),
                    }
                }
                #[target_feature(enable = "avx2,bmi1,fma,popcnt")]
                #[cold]
                #[inline(never)]
                extern "C" fn avx2_sure(x: __m256) -> __m256 {
                    $family::$function(Avx2::new(), F32x8(x)).0
                }

                #[target_feature(enable = "avx512f,avx2,bmi1,fma,popcnt")]
                pub extern "C" fn avx512(x: __m512) -> __m512 {
                    match settled(<$fast>::from(Avx512::new()), F32x16(x)) {
                        Some(y) => y.0,
                        None => avx512_sure(x),
                    }
                }
                #[target_feature(enable = "avx512f,avx2,bmi1,fma,popcnt")]
                #[cold]
                #[inline(never)]
                extern "C" fn avx512_sure(x: __m512) -> __m512 {
                    let (lower, upper) = halves(x);
                    joined(avx2_sure(lower), avx2_sure(upper))
                }
            }
        };
    }
    instances!(erff, erf, erf::Fast<_, _>);
    instances!(expf, exp, exp::Fast<_, _>);
    instances!(erfcf, erfc, tail::Fast::<_, tail::Erfc, _, _>);

    /// The exports of one function, by what the letter promises: b nothing beyond SSE4, c AVX, d AVX2, e AVX-512F.
    ///
    /// SAFETY of every use: a level comes into force only when the CPU has its features.
    macro_rules! exports {
        ($function:ident, $b:ident, $c:ident, $d:ident, $e:ident) => {
            #[unsafe(no_mangle)]
            pub extern "C" fn $b(x: __m128) -> __m128 {
                #[target_feature(enable = "avx2,bmi1,fma,popcnt")]
                extern "C" fn avx2(x: __m128) -> __m128 {
                    // The same lanes twice: zeros would be left open by the fast phase.
                    _mm256_castps256_ps128($function::avx2(_mm256_set_m128(x, x)))
                }
                if at_least(place::AVX2) { unsafe { avx2(x) } } else { $function::sse2(x) }
            }

            #[unsafe(no_mangle)]
            #[target_feature(enable = "avx")]
            pub extern "C" fn $c(x: __m256) -> __m256 {
                if at_least(place::AVX2) { unsafe { $function::avx2(x) } } else { $function::sse2_twice(x) }
            }

            // As $c: some compilers call it where there is AVX alone.
            #[unsafe(no_mangle)]
            #[target_feature(enable = "avx")]
            pub extern "C" fn $d(x: __m256) -> __m256 {
                if at_least(place::AVX2) { unsafe { $function::avx2(x) } } else { $function::sse2_twice(x) }
            }

            #[unsafe(no_mangle)]
            #[target_feature(enable = "avx512f")]
            pub extern "C" fn $e(x: __m512) -> __m512 {
                #[target_feature(enable = "avx512f")]
                #[inline(never)]
                extern "C" fn halved(x: __m512) -> __m512 {
                    let (lower, upper) = halves(x);
                    if at_least(place::AVX2) {
                        unsafe { joined($function::avx2(lower), $function::avx2(upper)) }
                    } else {
                        joined($function::sse2_twice(lower), $function::sse2_twice(upper))
                    }
                }
                if at_least(place::AVX512) { unsafe { $function::avx512(x) } } else { halved(x) }
            }
        };
    }
    exports!(erff, _ZGVbN4v_erff, _ZGVcN8v_erff, _ZGVdN8v_erff, _ZGVeN16v_erff);
    exports!(expf, _ZGVbN4v_expf, _ZGVcN8v_expf, _ZGVdN8v_expf, _ZGVeN16v_expf);
    exports!(erfcf, _ZGVbN4v_erfcf, _ZGVcN8v_erfcf, _ZGVdN8v_erfcf, _ZGVeN16v_erfcf);

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn halves(x: __m512) -> (__m256, __m256) {
        (_mm512_castps512_ps256(x), _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1)))
    }
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn joined(lower: __m256, upper: __m256) -> __m512 {
        let lower = _mm512_castpd256_pd512(_mm256_castps_pd(lower));
        _mm512_castpd_ps(_mm512_insertf64x4(lower, _mm256_castps_pd(upper), 1))
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use core::arch::aarch64::float32x4_t;

    use halfulp_kernel::isa::{F32x4, Neon};
    use halfulp_kernel::{erf, erfc, exp};

    /// An export around a function of four lanes. Its callers rely on v8 to v23 being kept, where any other function keeps
    /// the lower halves of v8 to v15, and Rust has no word for such a function: this frame keeps them.
    ///
    /// SAFETY of every use: the stack pointer and all registers that functions keep are as before on return; argument and
    /// result are in v0 as those of the function inside.
    macro_rules! keeping {
        ($name:ident, $first:literal, $function:ident) => {
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub extern "C" fn $name() {
                core::arch::naked_asm!(
                    concat!(".variant_pcs ", stringify!($name)),
                    "stp x29, x30, [sp, #-272]!",
                    "mov x29, sp",
                    "stp q8, q9, [sp, #16]",
                    "stp q10, q11, [sp, #48]",
                    "stp q12, q13, [sp, #80]",
                    "stp q14, q15, [sp, #112]",
                    "stp q16, q17, [sp, #144]",
                    "stp q18, q19, [sp, #176]",
                    "stp q20, q21, [sp, #208]",
                    "stp q22, q23, [sp, #240]",
                    $first,
                    "bl {function}",
                    "ldp q8, q9, [sp, #16]",
                    "ldp q10, q11, [sp, #48]",
                    "ldp q12, q13, [sp, #80]",
                    "ldp q14, q15, [sp, #112]",
                    "ldp q16, q17, [sp, #144]",
                    "ldp q18, q19, [sp, #176]",
                    "ldp q20, q21, [sp, #208]",
                    "ldp q22, q23, [sp, #240]",
                    "ldp x29, x30, [sp], #272",
                    "ret",
                    function = sym $function,
                )
            }
        };
    }

    /// The exports of one function, for two lanes and for four. Two lanes are taken twice, since what is in the other half
    /// of the register may be anything.
    macro_rules! exports {
        ($function:ident, $family:ident, $n2:ident, $n4:ident) => {
            extern "C" fn $function(x: float32x4_t) -> float32x4_t {
                $family::$function(Neon, F32x4(x)).0
            }
            keeping!($n2, "dup v0.2d, v0.d[0]", $function);
            keeping!($n4, "", $function);
        };
    }
    exports!(erff, erf, _ZGVnN2v_erff, _ZGVnN4v_erff);
    exports!(expf, exp, _ZGVnN2v_expf, _ZGVnN4v_expf);
    exports!(erfcf, erfc, _ZGVnN2v_erfcf, _ZGVnN4v_erfcf);
}
