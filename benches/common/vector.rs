//! Vector functions as compilers call them from loops: a register of floats in, a register of floats out. They are
//! called through their addresses, as one would through the table of a shared library's functions.

#![allow(
    improper_ctypes_definitions,
    reason = "the registers are the vector function ABI's, which the lint does not know"
)]

pub use here::VectorFunction;

/// The sets of vector registers, by their letters in the x86-64 vector function ABI (`_ZGVdN8v_erff`).
#[derive(Clone, Copy, PartialEq)]
pub enum Letter {
    B,
    C,
    D,
    E,
}

impl Letter {
    pub const ALL: [Letter; 4] = [Letter::B, Letter::C, Letter::D, Letter::E];

    pub fn text(self) -> &'static str {
        self.of(["b", "c", "d", "e"])
    }

    /// Floats in a register.
    pub fn lanes(self) -> usize {
        self.of([4, 8, 8, 16])
    }

    /// What belongs to this letter, of what belongs to each.
    pub fn of<T: Copy>(self, each: [T; 4]) -> T {
        each[self as usize]
    }
}

#[cfg(target_arch = "x86_64")]
mod here {
    use std::arch::x86_64::{__m128, __m256, __m512};
    use std::is_x86_feature_detected as has;

    use anyhow::{Result, ensure};
    use libloading::Library;

    use super::Letter;

    /// A vector function that this CPU can run.
    #[derive(Clone, Copy)]
    pub enum VectorFunction {
        Four(unsafe extern "C" fn(__m128) -> __m128),
        Eight(unsafe extern "C" fn(__m256) -> __m256),
        Sixteen(unsafe extern "C" fn(__m512) -> __m512),
    }

    impl Letter {
        /// Whether this CPU has what the compared libraries' code for the letter takes.
        pub fn runs(self) -> Result<()> {
            let (present, what) = self.of([
                (has!("sse4.2"), "SSE4"),
                (has!("avx"), "AVX"),
                (has!("avx2") && has!("fma"), "AVX2 with FMA"),
                (has!("avx512f"), "AVX-512"),
            ]);
            ensure!(present, "this CPU has no {what}");
            Ok(())
        }
    }

    impl VectorFunction {
        pub fn find(library: &Library, name: &str, letter: Letter) -> Result<VectorFunction> {
            letter.runs()?;
            // SAFETY: what the benches look up here takes and returns a register of the letter's width.
            Ok(unsafe {
                match letter {
                    Letter::B => VectorFunction::Four(*library.get(name)?),
                    Letter::C | Letter::D => VectorFunction::Eight(*library.get(name)?),
                    Letter::E => VectorFunction::Sixteen(*library.get(name)?),
                }
            })
        }

        /// Calls that don't wait for each other, over arrays of full vectors.
        pub fn throughput(self, x: &[f32], y: &mut [f32]) {
            // SAFETY: `find` has asked for the features.
            unsafe {
                match self {
                    VectorFunction::Four(function) => four::throughput(function, x, y),
                    VectorFunction::Eight(function) => eight::throughput(function, x, y),
                    VectorFunction::Sixteen(function) => sixteen::throughput(function, x, y),
                }
            }
        }

        /// Calls of which each waits for the one before.
        pub fn latency(self, x: &[f32]) -> f32 {
            // SAFETY: as above.
            unsafe {
                match self {
                    VectorFunction::Four(function) => four::latency(function, x),
                    VectorFunction::Eight(function) => eight::latency(function, x),
                    VectorFunction::Sixteen(function) => sixteen::latency(function, x),
                }
            }
        }
    }

    /// The two ways of calling for one width, compiled for the instructions that move its registers.
    macro_rules! width {
        ($module:ident, $lanes:literal, $feature:literal, $register:ident,
         $load:ident, $store:ident, $set:ident, $and:expr, $or:expr) => {
            mod $module {
                use std::arch::x86_64::*;
                use std::hint::black_box;

                type Function = unsafe extern "C" fn($register) -> $register;

                #[target_feature(enable = $feature)]
                #[inline(never)]
                pub fn throughput(function: Function, x: &[f32], y: &mut [f32]) {
                    for (x, y) in x.chunks_exact($lanes).zip(y.chunks_exact_mut($lanes)) {
                        // SAFETY: both chunks are as long as a register; mathematical functions take any argument.
                        unsafe { $store(y.as_mut_ptr(), function($load(x.as_ptr()))) }
                    }
                }

                #[target_feature(enable = $feature)]
                #[inline(never)]
                pub fn latency(function: Function, x: &[f32]) -> f32 {
                    // As for scalars: the last result AND a zero that the compiler can't see, OR the next argument.
                    let zero = $set(black_box(0f32));
                    let mut last = zero;
                    for x in x.chunks_exact($lanes) {
                        // SAFETY: as above.
                        unsafe { last = function($or($and(last, zero), $load(x.as_ptr()))) }
                    }
                    let mut lanes = [0.0; $lanes];
                    // SAFETY: the array is as long as a register.
                    unsafe { $store(lanes.as_mut_ptr(), last) }
                    lanes[0]
                }
            }
        };
    }

    width!(four, 4, "sse2", __m128, _mm_loadu_ps, _mm_storeu_ps, _mm_set1_ps, _mm_and_ps, _mm_or_ps);
    width!(eight, 8, "avx", __m256, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_and_ps, _mm256_or_ps);
    // The operations on floats belong to AVX-512DQ, those on integers to AVX-512F.
    width!(
        sixteen,
        16,
        "avx512f",
        __m512,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_set1_ps,
        |a, b| _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(a), _mm512_castps_si512(b))),
        |a, b| _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(a), _mm512_castps_si512(b)))
    );
}

/// Elsewhere there are none that Rust could call: AArch64's have a calling convention of their own.
#[cfg(not(target_arch = "x86_64"))]
mod here {
    use anyhow::{Result, bail};
    use libloading::Library;

    use super::Letter;

    impl Letter {
        pub fn runs(self) -> Result<()> {
            bail!("vector functions are called on x86-64 alone")
        }
    }

    #[derive(Clone, Copy)]
    pub enum VectorFunction {}

    impl VectorFunction {
        pub fn find(_: &Library, _: &str, letter: Letter) -> Result<VectorFunction> {
            letter.runs().map(|()| unreachable!("no letter runs"))
        }

        pub fn throughput(self, _: &[f32], _: &mut [f32]) {
            match self {}
        }

        pub fn latency(self, _: &[f32]) -> f32 {
            match self {}
        }
    }
}
