//! The types of numbers that halfulp's functions take.

use half::{bf16, f16};

/// A number of an IEEE 754 format.
pub trait Number: Copy + Default + 'static {
    fn from_f64(x: f64) -> Self;
    fn to_f64(self) -> f64;
    /// Its place in the order of all numbers of its type, counted from zero.
    fn place(self) -> i64;

    /// How many ulp lie between two numbers.
    fn distance(self, other: Self) -> u64 {
        self.place().abs_diff(other.place())
    }
}

macro_rules! number {
    ($type:ty, $from:expr, $to:expr) => {
        impl Number for $type {
            fn from_f64(x: f64) -> $type {
                $from(x)
            }

            fn to_f64(self) -> f64 {
                $to(self)
            }

            fn place(self) -> i64 {
                let magnitude = self.to_bits() & (!0 >> 1);
                magnitude as i64 * if self.is_sign_negative() { -1 } else { 1 }
            }
        }
    };
}

number!(f32, |x| x as f32, f64::from);
number!(f64, |x| x, |x| x);
number!(f16, f16::from_f64, f16::to_f64);
number!(bf16, bf16::from_f64, bf16::to_f64);

/// A number that C functions take in a register.
pub trait Scalar: Number {
    /// The number, after `y` is known: the bits of `y` AND a zero that the compiler can't see, OR those of the number. That
    /// takes two cycles in a register for vectors, where floats are passed. The compiler alone would use an integer
    /// register, and going there and back takes some cycles more.
    fn after(self, y: Self, zero: Self) -> Self;
}

macro_rules! scalar {
    ($type:ty, $set:ident, $and:ident, $or:ident, $get:ident) => {
        impl Scalar for $type {
            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn after(self, y: $type, zero: $type) -> $type {
                use std::arch::x86_64::{$and, $get, $or, $set};
                // SAFETY: every x86-64 CPU has SSE2.
                unsafe { $get($or($and($set(y), $set(zero)), $set(self))) }
            }

            #[cfg(not(target_arch = "x86_64"))]
            #[inline(always)]
            fn after(self, y: $type, zero: $type) -> $type {
                <$type>::from_bits(y.to_bits() & zero.to_bits() | self.to_bits())
            }
        }
    };
}

scalar!(f32, _mm_set_ss, _mm_and_ps, _mm_or_ps, _mm_cvtss_f32);
scalar!(f64, _mm_set_sd, _mm_and_pd, _mm_or_pd, _mm_cvtsd_f64);
