//! What a kernel may ask of an instruction set.
//!
//! An instruction set has a number of f32 lanes; [`Isa::F64`] holds the same lanes as f64. One lane is an
//! instruction set like any other, so the scalar functions and the vector functions are one definition.
//!
//! Every operation rounds in the mode that the caller of the library has set, unless it says otherwise, and raises
//! the flags that IEEE 754 gives it. Kernels are proven in all four modes; they never change the mode.

use core::ops::{Add, BitAnd, BitOr, Mul, Shr, Sub};

mod fma;
mod scalar;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use fma::Fma;
pub use scalar::Scalar;

/// Lanes of floating-point numbers.
pub trait Float: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}
impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Float for T {}

/// Lanes of bit patterns.
pub trait Bits: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Shr<u32, Output = Self> {}
impl<T: Copy + BitAnd<Output = T> + BitOr<Output = T> + Shr<u32, Output = T>> Bits for T {}

/// A double constant and the same constant cut in two, for [`Isa::reduce`].
#[derive(Clone, Copy)]
pub struct Split {
    whole: f64,
    head: f64,
    tail: f64,
}

impl Split {
    /// `value` = head + tail exactly, where head has `bits` significant bits (the leading one included).
    pub const fn new(value: f64, bits: u32) -> Self {
        let head = f64::from_bits(value.to_bits() >> (53 - bits) << (53 - bits));
        Split { whole: value, head, tail: value - head }
    }
}

/// An instruction set: a zero-sized proof that the CPU has it, and the operations on its lanes.
///
/// Everything here is `#[inline(always)]`: code is outlined only where `#[target_feature]` names the features.
pub trait Isa: Copy {
    /// Whether [`Isa::mul_add`] rounds once.
    const FUSED: bool;

    type F32: Float;
    type F64: Float;
    /// Bit patterns of the f32 lanes.
    type U32: Bits;
    /// A truth value for each lane.
    type Mask: Copy;

    fn f32(self, value: f32) -> Self::F32;
    fn f64(self, value: f64) -> Self::F64;
    fn u32(self, value: u32) -> Self::U32;

    fn bits(self, x: Self::F32) -> Self::U32;
    fn float(self, bits: Self::U32) -> Self::F32;

    /// Exact.
    fn widen(self, x: Self::F32) -> Self::F64;
    /// The one rounding to single precision: it raises overflow, underflow and inexact where the result does.
    fn narrow(self, x: Self::F64) -> Self::F32;

    /// a·b + c, fused where the hardware has it, else rounded twice. Never a software fma.
    fn mul_add(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;

    /// a·b + c in single precision, where c is so large that nothing underflows on the way: fused, or by way of f64.
    fn mul_add_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;

    /// The bits of `x` from bit `SHIFT` on as a fixed-point number with `POINT` bits after the point, less `zero`: exact, a
    /// difference of two doubles (so that 0 is -0 in round-downward).
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: Self::F32, zero: f64) -> Self::F64;

    /// The smaller of two numbers of which neither is negative nor NaN: their bits are in their order.
    #[inline(always)]
    fn min_magnitude(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        self.select(self.below(self.bits(a), self.bits(b)), a, b)
    }
    /// `magnitude`, which is not negative, with the sign of `sign`.
    fn with_sign(self, magnitude: Self::F64, sign: Self::F32) -> Self::F64;

    /// Lanes where a < b, as unsigned integers. Raises nothing, whatever the bits mean.
    fn below(self, a: Self::U32, b: Self::U32) -> Self::Mask;
    fn all(self, mask: Self::Mask) -> bool;
    fn select(self, mask: Self::Mask, yes: Self::F32, no: Self::F32) -> Self::F32;

    /// Row `index` mod `ROWS` of a table; `ROWS` is a power of two.
    fn row<const COLUMNS: usize, const ROWS: usize>(
        self,
        table: &'static [[f64; COLUMNS]; ROWS],
        index: Self::U32,
    ) -> [Self::F64; COLUMNS];

    /// Row `index` mod `SIZE` of a table of the bits of powers of two, plus `index`·2^52/SIZE: where the table holds
    /// 2^(i/SIZE) less that of its own index, adding sets mantissa and exponent at once.
    fn exp2_lookup<const SIZE: usize>(self, table: &'static [u64; SIZE], index: Self::U32) -> Self::F64;

    /// x - k·c where k·c is near x: one rounding of the difference when fused; else c's head must be short
    /// enough for k·head to be exact, and the small k·tail is rounded.
    #[inline(always)]
    fn reduce(self, x: Self::F64, k: Self::F64, c: Split) -> Self::F64 {
        if Self::FUSED {
            self.mul_add(k, self.f64(-c.whole), x)
        } else {
            x - k * self.f64(c.head) - k * self.f64(c.tail)
        }
    }

    #[inline(always)]
    fn abs(self, x: Self::F32) -> Self::F32 {
        self.float(self.bits(x) & self.u32(0x7fff_ffff))
    }
}
