//! The fast phase of functions with a tail like that of the normal distribution: erfcf, normcdff and geluf.

use core::f32::consts::LOG2_E;
use core::marker::PhantomData;

use crate::arrays;
use crate::cells::{Cells, Sum};
use crate::data::exp_fast::LN2;
#[cfg(target_arch = "x86_64")]
use crate::data::tail_fast;
use crate::exp::{NOTHING, Powers};
use crate::isa::Wide;
#[cfg(target_arch = "x86_64")]
use crate::isa::{Avx2, Avx512, Table};

/// One of the functions: exp(-exponent·a²)·ratio(a) with a = abs(x) where its tail is, and `whole` less that on the other
/// side of 0.
pub trait Tail: Copy {
    const EXPONENT: f32;
    /// Where exponent·a² is 31.4 and the tail below 2^-48. From here on the lane is left open.
    const LIMIT: f32;
    const WHOLE: f32;
    /// Whether the tail is at negative x. Then the tables hold the ratio negated.
    const BELOW: bool;
    /// Whether all is multiplied by x.
    const TIMES_X: bool;
}

/// Tables: the powers of [`crate::exp`], and the ratio by cells.
pub struct Tables<T: 'static, const POWERS: usize, const CELLS: usize> {
    pub powers: &'static Powers<T, POWERS>,
    pub cells: &'static Cells<T, CELLS>,
}

/// The tail in single precision, to about twice as many bits as a float has: the product of [`Powers::sum`], whose argument
/// is the square in two words, and of [`Cells::sum`], both a high and a low word. An upper and a lower bound follow, and
/// where both round to the same float it is the result. Otherwise, and for zeros, infinities, NaNs, and arguments below
/// 2^-40 or from [`Tail::LIMIT`] on, the lane is left open.
pub struct Fast<L: Wide, F, const POWERS: usize, const CELLS: usize> {
    lanes: L,
    tables: &'static Tables<L::Table, POWERS, CELLS>,
    function: PhantomData<F>,
}

/// erfc(x).
#[derive(Clone, Copy)]
pub struct Erfc;
impl Tail for Erfc {
    const EXPONENT: f32 = 1.0;
    const LIMIT: f32 = 5.6;
    const WHOLE: f32 = 2.0;
    const BELOW: bool = false;
    const TIMES_X: bool = false;
}
/// Φ(x), or x·Φ(x).
#[derive(Clone, Copy)]
pub struct Normal<const TIMES_X: bool>;
impl<const TIMES_X: bool> Tail for Normal<TIMES_X> {
    const EXPONENT: f32 = 0.5;
    const LIMIT: f32 = 7.919;
    const WHOLE: f32 = 1.0;
    const BELOW: bool = true;
    const TIMES_X: bool = TIMES_X;
}

#[cfg(target_arch = "x86_64")]
static ERFC_8: Tables<Table<8>, 4, 6> = Tables { powers: &tail_fast::POWERS_8, cells: &tail_fast::ERFC_CELLS_8 };
#[cfg(target_arch = "x86_64")]
static ERFC_32: Tables<Table<32>, 2, 3> = Tables { powers: &tail_fast::POWERS_32, cells: &tail_fast::ERFC_CELLS_32 };
#[cfg(target_arch = "x86_64")]
static NORMAL_8: Tables<Table<8>, 4, 6> = Tables { powers: &tail_fast::POWERS_8, cells: &tail_fast::NORMAL_CELLS_8 };
#[cfg(target_arch = "x86_64")]
static NORMAL_32: Tables<Table<32>, 2, 3> =
    Tables { powers: &tail_fast::POWERS_32, cells: &tail_fast::NORMAL_CELLS_32 };

#[cfg(target_arch = "x86_64")]
impl From<Avx2> for Fast<Avx2, Erfc, 4, 6> {
    #[inline(always)]
    fn from(lanes: Avx2) -> Self {
        Fast { lanes, tables: &ERFC_8, function: PhantomData }
    }
}
#[cfg(target_arch = "x86_64")]
impl From<Avx512> for Fast<Avx512, Erfc, 2, 3> {
    #[inline(always)]
    fn from(lanes: Avx512) -> Self {
        Fast { lanes, tables: &ERFC_32, function: PhantomData }
    }
}
#[cfg(target_arch = "x86_64")]
impl<const TIMES_X: bool> From<Avx2> for Fast<Avx2, Normal<TIMES_X>, 4, 6> {
    #[inline(always)]
    fn from(lanes: Avx2) -> Self {
        Fast { lanes, tables: &NORMAL_8, function: PhantomData }
    }
}
#[cfg(target_arch = "x86_64")]
impl<const TIMES_X: bool> From<Avx512> for Fast<Avx512, Normal<TIMES_X>, 2, 3> {
    #[inline(always)]
    fn from(lanes: Avx512) -> Self {
        Fast { lanes, tables: &NORMAL_32, function: PhantomData }
    }
}

impl<L: Wide, F: Copy, const POWERS: usize, const CELLS: usize> Clone for Fast<L, F, POWERS, CELLS> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Wide, F: Copy, const POWERS: usize, const CELLS: usize> Copy for Fast<L, F, POWERS, CELLS> {}

/// The bits of 2^-40: of smaller arguments an error term could be subnormal.
const SMALLEST: u32 = 0x2b80_0000;

impl<L: Wide, F: Tail, const POWERS: usize, const CELLS: usize> arrays::Fast for Fast<L, F, POWERS, CELLS> {
    const PIPELINED: bool = true;
    type Lanes = L;
    /// k, the index of its table and r; what the square's high word lacks; the index of the cell and h.
    type Located = (L::F32, L::U32, L::F32, L::F32, L::U32, L::F32);
    /// The tail as a high word with a low word for the upper bound, and the lower bound's.
    type Evaluated = (L::F32, L::F32, L::F32);

    #[inline(always)]
    fn lanes(self) -> L {
        self.lanes
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let Fast { lanes, tables, .. } = self;
        let magnitude = lanes.limited_magnitude(x, f32::from_bits(SMALLEST), F::LIMIT);
        let negative = magnitude * lanes.f32(-F::EXPONENT);
        let square = negative * magnitude;
        let square_low = lanes.mul_add_f32(negative, magnitude, lanes.f32(-0.0) - square);
        let (k, power, r) = lanes.reduce_f32(lanes.every_lane(), square, LOG2_E, LN2[0], NOTHING);
        let cell = tables.cells.index(lanes, magnitude);
        (k, power, r, square_low, cell, magnitude - lanes.lookup(&tables.cells.centre, cell))
    }

    #[inline(always)]
    fn evaluate(self, (k, index, r, square_low, cell, h): Self::Located) -> Self::Evaluated {
        let Fast { lanes, tables: Tables { powers, cells }, .. } = self;
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let z = self.z(k, index, square_low);
        let power = self.power(k, index);
        let second = mul_add(z, lanes.f32(0.5), lanes.f32(powers.higher[0]));
        let (bell, bell_low) = powers.sum(lanes, power, r, z, second);
        let ratio = cells.sum(lanes, cell, lanes.lookup(&cells.value, cell), h, h);
        let Sum { high: ratio, error, rest, margin: ratio_margin } = ratio;
        let ratio_low = mul_add(h, rest, error);
        let high = bell * ratio;
        let error = mul_add(bell, ratio, lanes.f32(-0.0) - high);
        let above = mul_add(bell, ratio_low, mul_add(bell_low, ratio + ratio_low, error));
        (high, above, mul_add(high, ratio_margin - lanes.f32(powers.margin), above))
    }

    #[inline(always)]
    fn settle(self, x: L::F32, evaluated: Self::Evaluated) -> (L::F32, L::Mask) {
        let lanes = self.lanes;
        let (high, above, below) = self.finish(x, evaluated);
        let result = high + above;
        let settled = lanes.same(ordinary::<L, F>(lanes, x), result, high + below);
        (lanes.select(settled, result, x), settled)
    }
}

impl<L: Wide, F: Tail, const POWERS: usize, const CELLS: usize> Fast<L, F, POWERS, CELLS> {
    #[inline(always)]
    fn z(self, k: L::F32, index: L::U32, square_low: L::F32) -> L::F32 {
        let Fast { lanes, tables, .. } = self;
        let low = lanes.lookup(&tables.powers.low, index);
        lanes.mul_add_f32(k, lanes.f32(-LN2[1] / L::UNIT), low) + square_low
    }

    #[inline(always)]
    fn power(self, k: L::F32, index: L::U32) -> L::F32 {
        let Fast { lanes, tables, .. } = self;
        let power = lanes.lookup(&tables.powers.power, index);
        lanes.scale(lanes.every_lane(), power, k, index, power)
    }

    /// 0 on the tail's side, and what the tail is subtracted from on the other.
    #[inline(always)]
    fn base(self, x: L::F32) -> L::F32 {
        let lanes = self.lanes;
        let negative = lanes.below(lanes.bits(x), lanes.u32(0));
        let (whole, zero) = (lanes.f32(F::WHOLE), lanes.f32(0.0));
        if F::BELOW { lanes.select(negative, zero, whole) } else { lanes.select(negative, whole, zero) }
    }

    /// The function from its tail: a high word and two low ones, for the bounds.
    #[inline(always)]
    fn finish(self, x: L::F32, (tail, above, below): (L::F32, L::F32, L::F32)) -> (L::F32, L::F32, L::F32) {
        let lanes = self.lanes;
        let base = self.base(x);
        let tail = lanes.flip_sign(tail, x);
        let high = base + tail;
        let error = (base - high) + tail;
        let above = error + lanes.flip_sign(above, x);
        let below = error + lanes.flip_sign(below, x);
        if !F::TIMES_X {
            return (high, above, below);
        }
        // Elsewhere x could be an infinity, or overflow.
        let x = lanes.select(ordinary::<L, F>(lanes, x), x, lanes.f32(0.0));
        let product = x * high;
        let error = lanes.mul_add_f32(x, high, lanes.f32(-0.0) - product);
        (product, lanes.mul_add_f32(x, above, error), lanes.mul_add_f32(x, below, error))
    }
}

#[inline(always)]
fn ordinary<L: Wide, F: Tail>(lanes: L, x: L::F32) -> L::Mask {
    lanes.within(SMALLEST, lanes.bits(lanes.abs(x)), F::LIMIT.to_bits())
}
