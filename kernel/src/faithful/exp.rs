//! The exponential function.

use core::f32::consts::LOG2_E;

use super::MAGIC;
use crate::arrays;
use crate::data::exp_fast::LN2;
use crate::data::faithful::{EXP, POWERS};
use crate::isa::Fused;

/// From the one to the other results are normal, and so are the powers in every rounding mode.
const LEAST: f32 = -87.29;
const MOST: f32 = 88.72;

/// exp(x) = t·(1 + q), where t is one of 16 powers of two an octave, all of them multiplied by the same number so that they
/// are nearly floats, and q a cubic in x less t's logarithm.
#[derive(Clone, Copy)]
pub struct Exp<L>(pub L);

impl<L: Fused> arrays::Fast for Exp<L> {
    const PIPELINED: bool = false;
    type Lanes = L;
    /// The index of the power, how many octaves it is, the rest, and whether the result is normal.
    type Located = (L::U32, L::F32, L::F32, L::Mask);
    /// The power, q, and whether the result is normal.
    type Evaluated = (L::F32, L::F32, L::Mask);

    #[inline(always)]
    fn lanes(self) -> L {
        self.0
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let lanes = self.0;
        let clamped = lanes.clamped(LEAST, x, MOST);
        let shifted = lanes.mul_add_f32(clamped, lanes.f32(LOG2_E), lanes.f32(MAGIC));
        let octaves = shifted - lanes.f32(MAGIC);
        let r = lanes.mul_add_f32(octaves, lanes.f32(-LN2[0]), clamped);
        (lanes.bits(shifted), octaves, r, lanes.identical(clamped, x))
    }

    #[inline(always)]
    fn evaluate(self, (index, octaves, r, normal): Self::Located) -> Self::Evaluated {
        let lanes = self.0;
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let [c0, c1, c2, c3] = EXP.map(|c| lanes.f32(c));
        let low = mul_add(octaves, lanes.f32(-LN2[1]), c0);
        let q = mul_add(mul_add(mul_add(c3, r, c2), r, c1), r, low);
        (lanes.exp2_lookup_16(&POWERS, index), q, normal)
    }

    #[inline(always)]
    fn settle(self, _x: L::F32, (power, q, normal): Self::Evaluated) -> (L::F32, L::Mask) {
        (self.0.mul_add_f32(power, q, power), normal)
    }
}
