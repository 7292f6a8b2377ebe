//! The error function, erf(x) = 2/√π · ∫₀ˣ exp(-t²) dt.

use crate::data::erf::{CELLS_A_UNIT, ROWS};
use crate::isa::Isa;

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
    // x + 0 quiets a signalling NaN and raises invalid for it.
    let special = isa.select(nan, x + isa.f32(0.0), one);
    isa.select(finite, erff_finite(isa, isa.select(finite, x, isa.f32(0.0))), special)
}

#[inline(always)]
fn erff_finite<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let magnitude = isa.min_magnitude(isa.abs(x), isa.f32(SATURATION));
    // In [4, 8) a float's ulp is 2^-21: the leading bits are the cell, and the mode may move its edge by that much.
    let shifted = magnitude + isa.f32(4.0 + 0.5 / CELLS_A_UNIT as f32);
    const POINT: u32 = CELLS_A_UNIT.ilog2();
    const CELL: u32 = 21 - POINT;
    let cell = isa.bits(shifted) >> CELL;
    let centre = isa.fixed_point::<CELL, POINT>(shifted, (4f32.to_bits() >> CELL) as f64 / CELLS_A_UNIT as f64);
    // Of x = 0, +0 in every mode, and so is the sum below: the second and fourth coefficients of cell 0 are positive.
    let h = isa.widen(magnitude) - centre;
    let [e0, e1, e2, e3, e4, e5, e6, e7] = isa.row(&ROWS, cell);
    let square = h * h;
    let low = isa.mul_add(h, e1, e0);
    let middle = isa.mul_add(h, e3, e2);
    let high = isa.mul_add(square, isa.mul_add(h, e7, e6), isa.mul_add(h, e5, e4));
    let value = isa.mul_add(square * square, high, isa.mul_add(square, middle, low));
    isa.narrow(isa.with_sign(value, x))
}
