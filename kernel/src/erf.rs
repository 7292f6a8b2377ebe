//! The error function, erf(x) = 2/√π · ∫₀ˣ exp(-t²) dt.

use crate::arrays;
use crate::cells::{Cells, Sum};
use crate::data::erf::{CELLS_A_UNIT, ROWS};
#[cfg(target_arch = "x86_64")]
use crate::data::erf_fast;
#[cfg(target_arch = "x86_64")]
use crate::isa::{Avx2, Avx512};
use crate::isa::{Isa, Wide};

/// The first float whose erf rounds to 1 in round-to-nearest, 0x1.f5a88ap+1: from here on only the mode matters.
const SATURATION: f32 = f32::from_bits(0x407a_d445);

/// erf(x), correctly rounded in every rounding mode.
///
/// abs(x) falls in the cell of width 1/16 around the nearest centre c = k/16, and with h = abs(x) - c, exact,
///
/// ```text
/// erf(c + h) = (e0 + e1·h) + h²·((e2 + e3·h) + h²·((e4 + e5·h) + h²·(e6 + e7·h)))
/// ```
///
/// a polynomial of degree 7 in double precision, relative error 2^-50.6. Cell 0 is odd about 0, so that the relative
/// error stays small down to the smallest subnormal. Beyond the saturation the argument is clamped: the value there lies
/// between the last float below 1 and 1, and rounds as the exact one. The cells need no branch, and only infinities and
/// NaNs take one.
#[inline(always)]
pub fn erff<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let finite = isa.below(isa.bits(isa.abs(x)), isa.u32(f32::INFINITY.to_bits()));
    if isa.all(finite) {
        return erff_finite(isa, x);
    }
    core::hint::cold_path();
    let nan = isa.below(isa.u32(f32::INFINITY.to_bits()), isa.bits(isa.abs(x)));
    let one = isa.float(isa.bits(x) & isa.u32(0x8000_0000) | isa.u32(1f32.to_bits()));
    let special = isa.select(nan, isa.quiet(x), one);
    isa.select(finite, erff_finite(isa, isa.select(finite, x, isa.f32(0.0))), special)
}

#[inline(always)]
fn erff_finite<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    isa.narrow(value(isa, x))
}

/// erf of finite x, not yet rounded.
#[inline(always)]
pub fn value<I: Isa>(isa: I, x: I::F32) -> I::F64 {
    let magnitude = isa.min_magnitude(isa.abs(x), isa.f32(SATURATION));
    // In [4, 8) a float's ulp is 2^-21: the leading bits are the cell, and the mode may move its edge by that much.
    let shifted = magnitude + isa.f32(4.0 + 0.5 / CELLS_A_UNIT as f32);
    const POINT: u32 = CELLS_A_UNIT.ilog2();
    const CELL: u32 = 21 - POINT;
    let cell = isa.bits(shifted) >> CELL;
    let centre = isa.fixed_point::<CELL, POINT>(shifted, (4f32.to_bits() >> CELL) as f64 / CELLS_A_UNIT as f64);
    // Of x = 0, +0 in every mode, and so is the sum below: the second and fourth coefficients of cell 0 are positive.
    let h = isa.widen(magnitude) - centre;
    isa.with_sign(polynomial(isa, h, isa.row(&ROWS, cell)), x)
}

/// The polynomial with these coefficients, constant term first.
#[inline(always)]
pub fn polynomial<I: Isa>(isa: I, h: I::F64, [e0, e1, e2, e3, e4, e5, e6, e7]: [I::F64; 8]) -> I::F64 {
    let square = h * h;
    let low = isa.mul_add(h, e1, e0);
    let middle = isa.mul_add(h, e3, e2);
    let high = isa.mul_add(square, isa.mul_add(h, e7, e6), isa.mul_add(h, e5, e4));
    isa.mul_add(square * square, high, isa.mul_add(square, middle, low))
}

/// erf(x) in single precision by [`Cells`]: an upper and a lower bound. Where both round to the same float it is the result.
/// Otherwise, and for arguments so small that an error term underflows, infinities and NaNs, the lane is left open.
pub struct Fast<L: Wide, const HIGHER: usize> {
    lanes: L,
    cells: &'static Cells<L::Table, HIGHER>,
}

impl<L: Wide, const HIGHER: usize> Clone for Fast<L, HIGHER> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Wide, const HIGHER: usize> Copy for Fast<L, HIGHER> {}

#[cfg(target_arch = "x86_64")]
impl From<Avx2> for Fast<Avx2, 6> {
    #[inline(always)]
    fn from(lanes: Avx2) -> Self {
        Fast { lanes, cells: &erf_fast::CELLS_8 }
    }
}
#[cfg(target_arch = "x86_64")]
impl From<Avx512> for Fast<Avx512, 3> {
    #[inline(always)]
    fn from(lanes: Avx512) -> Self {
        Fast { lanes, cells: &erf_fast::CELLS_32 }
    }
}

/// The bits of 2^-40: of smaller arguments an error term could be subnormal, since it is as small as 2^-72 times as large.
const SMALLEST: u32 = 0x2b80_0000;
/// From here on results are those here: 1 - 2^-25.1, which lies clearly beside the middle between two floats.
const LAST: f32 = 3.93;

impl<L: Wide, const HIGHER: usize> arrays::Fast for Fast<L, HIGHER> {
    const PIPELINED: bool = true;
    type Lanes = L;
    /// h, h and the value at the centre with the sign of x, and the index of the cell.
    type Located = (L::F32, L::F32, L::F32, L::U32);
    /// The result as a high word with a low word above and one below.
    type Evaluated = (L::F32, L::F32, L::F32);

    #[inline(always)]
    fn lanes(self) -> L {
        self.lanes
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let Fast { lanes, cells } = self;
        let magnitude = lanes.limited_magnitude(x, f32::from_bits(SMALLEST), LAST);
        let index = cells.index(lanes, magnitude);
        let value = lanes.flip_sign(lanes.lookup(&cells.value, index), x);
        let h = magnitude - lanes.lookup(&cells.centre, index);
        (h, lanes.flip_sign(h, x), value, index)
    }

    #[inline(always)]
    fn evaluate(self, (h, signed_h, value, index): Self::Located) -> Self::Evaluated {
        let Fast { lanes, cells } = self;
        let Sum { high, error, rest, margin } = cells.sum(lanes, index, value, h, signed_h);
        let error_below = lanes.mul_add_f32(high, margin, error);
        (high, lanes.mul_add_f32(signed_h, rest, error), lanes.mul_add_f32(signed_h, rest, error_below))
    }

    #[inline(always)]
    fn settle(self, x: L::F32, (high, above, below): Self::Evaluated) -> (L::F32, L::Mask) {
        let lanes = self.lanes;
        let result = high + above;
        let settled = lanes.same(ordinary(lanes, x), result, high + below);
        (lanes.select(settled, result, x), settled)
    }
}

#[inline(always)]
fn ordinary<L: Wide>(lanes: L, x: L::F32) -> L::Mask {
    lanes.within(SMALLEST, lanes.bits(lanes.abs(x)), f32::INFINITY.to_bits())
}
