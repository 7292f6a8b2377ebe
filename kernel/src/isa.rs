//! What a kernel may ask of an instruction set.
//!
//! An instruction set has a number of f32 lanes; [`Isa::F64`] holds the same lanes as f64. One lane is an
//! instruction set like any other, so the scalar functions and the vector functions are one definition.
//!
//! Every operation rounds in the mode that the caller of the library has set, unless it says otherwise, and raises
//! the flags that IEEE 754 gives it. Kernels are proven in all four modes; they never change the mode.

use core::ops::{Add, BitAnd, BitOr, Mul, Shr, Sub};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod fma;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod registers;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use fma::Fma;
#[cfg(target_arch = "aarch64")]
pub use neon::{F32x4, Neon};
pub use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
pub use {
    avx2::{Avx2, F32x8},
    avx512::{Avx512, F32x16},
    sse2::{F32x4, Sse2},
};

/// Whether arithmetic on a NaN gives this NaN again, quiet. RISC-V and WebAssembly give one of their own, and doubles in
/// software one without its sign.
pub const KEEPS_NANS: bool = cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"));

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

/// Lanes of single precision: a zero-sized proof that the CPU has an instruction set, and the operations on its lanes.
///
/// Everything here is `#[inline(always)]`: code is outlined only where `#[target_feature]` names the features.
pub trait Lanes: Copy {
    /// How many lanes there are.
    const LANES: usize;

    type F32: Float;
    /// Bit patterns of the f32 lanes.
    type U32: Bits;
    /// A truth value for each lane.
    type Mask: Copy;

    fn f32(self, value: f32) -> Self::F32;
    fn u32(self, value: u32) -> Self::U32;

    fn bits(self, x: Self::F32) -> Self::U32;
    fn float(self, bits: Self::U32) -> Self::F32;

    /// a·b + c: fused, or where c is so large that nothing underflows on the way, by way of f64.
    fn mul_add_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;

    /// The smaller of two numbers of which neither is negative nor NaN: their bits are in their order.
    #[inline(always)]
    fn min_magnitude(self, a: Self::F32, b: Self::F32) -> Self::F32 {
        self.select(self.below(self.bits(a), self.bits(b)), a, b)
    }
    #[inline(always)]
    fn abs(self, x: Self::F32) -> Self::F32 {
        self.float(self.bits(x) & self.u32(0x7fff_ffff))
    }

    /// NaNs made quiet, with their signs and payloads; raises invalid for a signalling one.
    #[inline(always)]
    fn quiet(self, nan: Self::F32) -> Self::F32 {
        nan + self.f32(0.0)
    }

    /// Lanes where a < b, as signed integers. Raises nothing, whatever the bits mean.
    fn below(self, a: Self::U32, b: Self::U32) -> Self::Mask;
    /// Lanes where low <= bits < high, as unsigned integers; where bits < high or low <= bits, if high < low.
    fn within(self, low: u32, bits: Self::U32, high: u32) -> Self::Mask;
    fn select(self, mask: Self::Mask, yes: Self::F32, no: Self::F32) -> Self::F32;

    /// All lanes from memory, at any address.
    ///
    /// # Safety
    ///
    /// The memory is there.
    unsafe fn load(self, x: *const f32) -> Self::F32;
    /// All lanes to memory, at any address.
    ///
    /// # Safety
    ///
    /// The memory is there.
    unsafe fn store(self, value: Self::F32, y: *mut f32);
}

/// An instruction set: its lanes of single precision, and the same lanes of double precision.
pub trait Isa: Lanes {
    /// Whether [`Isa::mul_add`] rounds once.
    const FUSED: bool;

    type F64: Float;

    fn f64(self, value: f64) -> Self::F64;

    /// Exact.
    fn widen(self, x: Self::F32) -> Self::F64;
    /// The one rounding to single precision: it raises overflow, underflow and inexact where the result does.
    fn narrow(self, x: Self::F64) -> Self::F32;

    /// a·b + c, fused where the hardware has it, else rounded twice. Never a software fma.
    fn mul_add(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;

    /// x, which is no NaN, with its magnitude at least `least` and at most `most`, which are positive.
    fn limited(self, x: Self::F64, least: f64, most: f64) -> Self::F64;

    /// The bits of `x` from bit `SHIFT` on as a fixed-point number with `POINT` bits after the point, less `zero`: exact, a
    /// difference of two doubles (so that 0 is -0 in round-downward).
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: Self::F32, zero: f64) -> Self::F64;

    /// `x`, negated where `sign` is negative.
    fn with_sign(self, x: Self::F64, sign: Self::F32) -> Self::F64;

    fn all(self, mask: Self::Mask) -> bool;

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
}

/// Floats for a look-up in registers: in a cache line where they fit, so that none is loaded from two.
#[repr(align(64))]
pub struct Table<const ENTRIES: usize>(pub [f32; ENTRIES]);

/// Lanes with fused multiply-add, and what array functions in single precision take beside arithmetic.
pub trait Fused: Lanes {
    /// abs(x), but at least `least` and at most `most`, which are positive. A NaN is larger than all.
    fn limited_magnitude(self, x: Self::F32, least: f32, most: f32) -> Self::F32;
    /// `x`, negated in lanes where `sign` is negative.
    fn flip_sign(self, x: Self::F32, sign: Self::F32) -> Self::F32;
    /// x, but at least `low`, which is negative, and at most `high`, which is positive; of a NaN one of them. Raises nothing.
    fn clamped(self, low: f32, x: Self::F32, high: f32) -> Self::F32;
    /// x where it is positive, else 0.
    fn positive_part(self, x: Self::F32) -> Self::F32;
    /// Lanes with the same bits in both.
    fn identical(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// Lanes where x is no NaN. Raises invalid for a signalling NaN at most.
    fn number(self, x: Self::F32) -> Self::Mask;
    /// The mask's truth values from the lowest bit on.
    fn lanes_of(self, mask: Self::Mask) -> u32;

    /// Entry `index` mod 8 of a table.
    fn lookup_8(self, table: &'static Table<8>, index: Self::U32) -> Self::F32;
    /// Entry `index` mod 16 of a table.
    fn lookup_16(self, table: &'static Table<16>, index: Self::U32) -> Self::F32;
    /// Entry `index` mod 16 of a table of the bits of 2^(i/16), plus `index`·2^23/16: where the table holds them less that of
    /// its own index, adding sets fraction and exponent at once.
    fn exp2_lookup_16(self, table: &'static Table<16>, index: Self::U32) -> Self::F32;

    /// The first `n` lanes from memory, fewer than all, and 0 in the others.
    ///
    /// # Safety
    ///
    /// The memory of these `n` is there.
    unsafe fn load_first(self, x: *const f32, n: usize) -> Self::F32;
    /// The first `n` lanes to memory, fewer than all.
    ///
    /// # Safety
    ///
    /// The memory of these `n` is there.
    unsafe fn store_first(self, value: Self::F32, y: *mut f32, n: usize);
}

/// As many entries in a look-up as an instruction set has, and whatever else a fast phase of the exact tier takes.
pub trait Wide: Fused {
    /// How many floats one look-up can tell apart, a power of two.
    const ENTRIES: u32;
    /// So many floats.
    type Table: 'static;
    /// Entry `index` mod ENTRIES of a table.
    fn lookup(self, table: &'static Self::Table, index: Self::U32) -> Self::F32;

    fn every_lane(self) -> Self::Mask;
    /// Lanes where x < limit; never where x is a NaN. Raises invalid for a signalling NaN alone.
    fn less(self, x: Self::F32, limit: f32) -> Self::Mask;
    /// Lanes of `among` where a = b.
    fn same(self, among: Self::Mask, a: Self::F32, b: Self::F32) -> Self::Mask;

    /// How many of what k of [`Wide::reduce_f32`] counts make a period.
    const UNIT: f32;
    /// Takes x apart into ENTRIES steps a period and a rest, with `rate` periods to one and `period` nearly 1/rate: k, i and
    /// x - k·period/UNIT, in one rounding. i is the integer nearest to x·rate·ENTRIES, whatever the mode, or at least its
    /// last bits are; k is i·UNIT/ENTRIES. Where the mask is false all is as for x = 0, so that nothing is raised; `nothing`
    /// is too small to matter, and keeps products of tiny x from underflowing.
    fn reduce_f32(
        self,
        mask: Self::Mask,
        x: Self::F32,
        rate: f32,
        period: f32,
        nothing: f32,
    ) -> (Self::F32, Self::U32, Self::F32);
    /// y·2^n, n being the integer part of k/UNIT, with that k and i: exact where the result is normal. `otherwise` where
    /// the mask is false.
    fn scale(self, mask: Self::Mask, y: Self::F32, k: Self::F32, i: Self::U32, otherwise: Self::F32) -> Self::F32;
}

/// An instruction set that does again what a fast phase leaves open.
pub trait Gather: Isa {
    /// The lanes from these places of memory.
    ///
    /// # Safety
    ///
    /// The memory of these places is there, and as many places as there are lanes.
    unsafe fn load_at(self, x: *const f32, places: *const u16) -> Self::F32;
}
