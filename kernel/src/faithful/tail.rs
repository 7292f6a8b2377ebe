//! The normal distribution, GELU, and its derivative: what they have for a base, less a tail.

use core::f32::consts::LOG2_E;
use core::marker::PhantomData;

use super::{Cells, LookUp, MAGIC};
use crate::arrays;
use crate::data::faithful::{BELL, RATIO, SHORT_LOW, SHORT_POWERS, SLOPE_RATIO, TWO_LN2, ZERO};
use crate::isa::{Fused, Table};

/// One of the functions, by exp(-a²/2)·ratio(a) with a = abs(x), as t·e + t·small with an exact first product.
pub trait Function: Copy {
    /// The ratio, negated.
    const CELLS: &'static Cells<Table<16>, 5>;
    /// Whether a product could underflow where abs(x) is smaller than [`SMALLEST`].
    const UNDERFLOWS: bool;
    /// The result from x, a, t, e and `small`. Its tail is rounded before the base is added, which is exact or adds no more
    /// than half an ulp: where both are of one size, their sum is too.
    fn result<L: Fused>(lanes: L, x: L::F32, a: L::F32, t: L::F32, e: L::F32, small: L::F32) -> L::F32;
}

/// The distribution function Φ(x): 0 or 1, less sign(x)·Φ(-a).
#[derive(Clone, Copy)]
pub struct Distribution;
impl Function for Distribution {
    const CELLS: &'static Cells<Table<16>, 5> = &RATIO;
    const UNDERFLOWS: bool = false;
    #[inline(always)]
    fn result<L: Fused>(lanes: L, x: L::F32, _a: L::F32, t: L::F32, e: L::F32, small: L::F32) -> L::F32 {
        let t = lanes.flip_sign(t, x);
        one_or_zero(lanes, x) + lanes.mul_add_f32(t, small, t * e)
    }
}

/// GELU, x·Φ(x): 0 or x, less a·Φ(-a).
#[derive(Clone, Copy)]
pub struct Gelu;
impl Function for Gelu {
    const CELLS: &'static Cells<Table<16>, 5> = &RATIO;
    const UNDERFLOWS: bool = true;
    #[inline(always)]
    fn result<L: Fused>(lanes: L, x: L::F32, a: L::F32, t: L::F32, e: L::F32, small: L::F32) -> L::F32 {
        lanes.positive_part(x) + lanes.mul_add_f32(a, t * e, a * t * small)
    }
}

/// The derivative of GELU, Φ(x) + x·φ(x): 0 or 1, less sign(x)·(Φ(-a) - a·φ(a)). The ratio is that without its zero.
#[derive(Clone, Copy)]
pub struct Slope;
impl Function for Slope {
    const CELLS: &'static Cells<Table<16>, 5> = &SLOPE_RATIO;
    const UNDERFLOWS: bool = false;
    #[inline(always)]
    fn result<L: Fused>(lanes: L, x: L::F32, a: L::F32, t: L::F32, e: L::F32, small: L::F32) -> L::F32 {
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        // How far a is from the zero, in two words. The zero's first has so few bits that only small a lose any to it.
        let [zero, zero_low, zero_lowest] = ZERO.map(|c| lanes.f32(c));
        let near = a - zero;
        let lost = a - (near + zero);
        let distance = near - zero_low;
        let lost = ((near - distance) - zero_low) + (lost - zero_lowest);
        let t = lanes.flip_sign(t, x);
        let large = t * e;
        one_or_zero(lanes, x) + mul_add(distance, large, mul_add(distance, t * small, lost * large))
    }
}

/// 1; and 0 where x is negative.
#[inline(always)]
fn one_or_zero<L: Fused>(lanes: L, x: L::F32) -> L::F32 {
    lanes.select(lanes.below(lanes.bits(x), lanes.u32(0)), lanes.f32(0.0), lanes.f32(1.0))
}

/// Beyond, the lane is left open: cells up to here are narrow enough for their degree.
const LIMIT: f32 = 7.0;
/// 2^-40: smaller magnitudes count as this.
const SMALLEST: f32 = f32::from_bits(0x2b80_0000);

/// The bell is t·(1 + q), with t one of 16 powers of two an octave to 12 bits; the ratio is e + d, with e the value at the
/// centre of a cell, which was chosen so that it has nearly 12 bits. So t·e is exact, and what is added to it is small:
///
/// ```text
/// t·(1 + q)·(e + d) = t·e + t·(d + q·(e + d))
/// ```
#[derive(Clone, Copy)]
pub struct Tail<L, F>(L, PhantomData<F>);

impl<L, F> Tail<L, F> {
    #[inline(always)]
    pub fn new(lanes: L) -> Self {
        Tail(lanes, PhantomData)
    }
}

impl<L: Fused, F: Function> arrays::Fast for Tail<L, F> {
    const PIPELINED: bool = false;
    type Lanes = L;
    /// The index of the power, how many octaves it is, and the rest of a²; the index of the cell and h.
    type Located = (L::U32, L::F32, L::F32, L::U32, L::F32);
    /// t, e and d + q·(e + d).
    type Evaluated = (L::F32, L::F32, L::F32);

    #[inline(always)]
    fn lanes(self) -> L {
        self.0
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let lanes = self.0;
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let a = lanes.limited_magnitude(x, SMALLEST, LIMIT);
        let shifted = mul_add(a * a, lanes.f32(-0.5 * LOG2_E), lanes.f32(MAGIC));
        let octaves = shifted - lanes.f32(MAGIC);
        // This product is exact, so the square needs no second word.
        let r = mul_add(a, a, octaves * lanes.f32(TWO_LN2[0]));
        let cell = F::CELLS.index(lanes, a);
        (lanes.bits(shifted), octaves, r, cell, a - F::CELLS.centre.entry(lanes, cell))
    }

    #[inline(always)]
    fn evaluate(self, (index, octaves, r, cell, h): Self::Located) -> Self::Evaluated {
        let lanes = self.0;
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let r = r + mul_add(octaves, lanes.f32(TWO_LN2[1]), SHORT_LOW.entry(lanes, index));
        let [c1, c2, c3] = BELL.map(|c| lanes.f32(c));
        let q = mul_add(mul_add(c3, r, c2), r, c1) * r;
        let e = F::CELLS.value.entry(lanes, cell);
        let d = h * F::CELLS.slope(lanes, cell, h);
        (lanes.exp2_lookup_16(&SHORT_POWERS, index), e, mul_add(q, e + d, d))
    }

    #[inline(always)]
    fn settle(self, x: L::F32, (t, e, small): Self::Evaluated) -> (L::F32, L::Mask) {
        let lanes = self.0;
        let (magnitude, a) = (lanes.abs(x), lanes.limited_magnitude(x, SMALLEST, LIMIT));
        let settled = if F::UNDERFLOWS {
            lanes.identical(magnitude, a)
        } else {
            lanes.below(lanes.bits(magnitude), lanes.u32(LIMIT.to_bits()))
        };
        (F::result(lanes, x, a, t, e, small), settled)
    }
}
