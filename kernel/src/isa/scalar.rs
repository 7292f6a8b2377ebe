//! One lane: plain Rust arithmetic, which every target has.

use core::hint::black_box;

use super::{Isa, KEEPS_NANS, Lanes};

/// One lane without fused multiply-add.
#[derive(Clone, Copy)]
pub struct Scalar;

/// The operations that one lane does the same way whether or not it can fuse.
macro_rules! one_lane {
    () => {
        const LANES: usize = 1;

        type F32 = f32;
        type U32 = u32;
        type Mask = bool;

        #[inline(always)]
        fn f32(self, value: f32) -> f32 {
            value
        }
        #[inline(always)]
        fn u32(self, value: u32) -> u32 {
            value
        }
        #[inline(always)]
        fn bits(self, x: f32) -> u32 {
            x.to_bits()
        }
        #[inline(always)]
        fn float(self, bits: u32) -> f32 {
            f32::from_bits(bits)
        }
        #[inline(always)]
        fn below(self, a: u32, b: u32) -> bool {
            (a as i32) < b as i32
        }
        #[inline(always)]
        fn within(self, low: u32, bits: u32, high: u32) -> bool {
            bits.wrapping_sub(low) < high.wrapping_sub(low)
        }
        #[inline(always)]
        fn select(self, mask: bool, yes: f32, no: f32) -> f32 {
            if mask { yes } else { no }
        }
        #[inline(always)]
        unsafe fn load(self, x: *const f32) -> f32 {
            unsafe { x.read_unaligned() }
        }
        #[inline(always)]
        unsafe fn store(self, value: f32, y: *mut f32) {
            unsafe { y.write_unaligned(value) };
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use one_lane;

/// The same of double precision.
macro_rules! one_lane_of_doubles {
    () => {
        type F64 = f64;

        #[inline(always)]
        fn f64(self, value: f64) -> f64 {
            value
        }
        #[inline(always)]
        fn widen(self, x: f32) -> f64 {
            x as f64
        }
        #[inline(always)]
        fn narrow(self, x: f64) -> f32 {
            x as f32
        }
        #[inline(always)]
        fn limited(self, x: f64, least: f64, most: f64) -> f64 {
            const SIGN: u64 = 1 << 63;
            f64::from_bits((x.to_bits() & !SIGN).clamp(least.to_bits(), most.to_bits()) | x.to_bits() & SIGN)
        }
        #[inline(always)]
        fn with_sign(self, magnitude: f64, sign: f32) -> f64 {
            f64::from_bits(magnitude.to_bits() ^ ((sign.to_bits() as u64 & 0x8000_0000) << 32))
        }
        #[inline(always)]
        fn all(self, mask: bool) -> bool {
            mask
        }
        #[inline(always)]
        fn row<const COLUMNS: usize, const ROWS: usize>(
            self,
            table: &'static [[f64; COLUMNS]; ROWS],
            index: u32,
        ) -> [f64; COLUMNS] {
            const { assert!(ROWS.is_power_of_two()) };
            table[index as usize % ROWS]
        }
        #[inline(always)]
        fn exp2_lookup<const SIZE: usize>(self, table: &'static [u64; SIZE], index: u32) -> f64 {
            $crate::isa::scalar::power(table, index)
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use one_lane_of_doubles;

/// [`Isa::exp2_lookup`] for one index.
#[inline(always)]
pub(super) fn power<const SIZE: usize>(table: &'static [u64; SIZE], index: u32) -> f64 {
    const { assert!(SIZE.is_power_of_two()) };
    f64::from_bits(table[index as usize % SIZE].wrapping_add((index as u64) << (52 - SIZE.ilog2())))
}

/// 2^(52 - POINT) + n/2^POINT: a double that holds a fixed-point number in its last bits.
#[inline(always)]
pub(super) const fn fixed<const POINT: u32>(n: u32) -> f64 {
    f64::from_bits((1023 + 52 - POINT as u64) << 52 | n as u64)
}

impl Lanes for Scalar {
    one_lane!();

    // The compiler makes one instruction of this, and a branch or a slow conversion of a comparison of bits.
    #[inline(always)]
    fn min_magnitude(self, a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }
    #[inline(always)]
    fn quiet(self, nan: f32) -> f32 {
        const QUIET: u32 = 0x0040_0000;
        let sum = nan + 0.0;
        if KEEPS_NANS {
            return sum;
        }
        black_box(sum);
        f32::from_bits(nan.to_bits() | QUIET)
    }
    #[inline(always)]
    fn mul_add_f32(self, a: f32, b: f32, c: f32) -> f32 {
        // The product is exact, and no f64 underflows.
        (a as f64 * b as f64 + c as f64) as f32
    }
}

impl Isa for Scalar {
    const FUSED: bool = false;
    one_lane_of_doubles!();

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: f32, zero: f64) -> f64 {
        fixed::<POINT>(x.to_bits() >> SHIFT) - (fixed::<POINT>(0) + zero)
    }
}
