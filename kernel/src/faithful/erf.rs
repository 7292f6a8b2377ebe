//! The error function.

use super::LookUp;
use crate::arrays;
use crate::data::faithful::ERF;
use crate::isa::Fused;

/// From here on results are those here: 1 - 2^-25.1, which rounds to 1.
const LAST: f32 = 3.93;

/// erf(x) = e + h·p(h) with e the value at a centre that was chosen so that it is nearly a float; in the first cell, around
/// 0, abs(x) + h·p(h).
#[derive(Clone, Copy)]
pub struct Erf<L>(pub L);

impl<L: Fused> arrays::Fast for Erf<L> {
    const PIPELINED: bool = L::LANES == 16;
    type Lanes = L;
    /// h, what it is added to, and the index of the cell.
    type Located = (L::F32, L::F32, L::U32);
    /// h, what it is added to, and p(h).
    type Evaluated = (L::F32, L::F32, L::F32);

    #[inline(always)]
    fn lanes(self) -> L {
        self.0
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let lanes = self.0;
        let magnitude = lanes.min_magnitude(lanes.abs(x), lanes.f32(LAST));
        let position = ERF.position(lanes, magnitude);
        let index = position >> 20;
        let h = magnitude - ERF.centre.entry(lanes, index);
        // How a sum near the edge is rounded depends on the mode, so it, not the magnitude, tells on which side that is.
        let beyond = lanes.below(lanes.u32(ERF.edge.to_bits()), position);
        (h, lanes.select(beyond, ERF.value.entry(lanes, index), magnitude), index)
    }

    #[inline(always)]
    fn evaluate(self, (h, base, index): Self::Located) -> Self::Evaluated {
        (h, base, ERF.slope(self.0, index, h))
    }

    #[inline(always)]
    fn settle(self, x: L::F32, (h, base, slope): Self::Evaluated) -> (L::F32, L::Mask) {
        let lanes = self.0;
        (lanes.flip_sign(lanes.mul_add_f32(h, slope, base), x), lanes.number(x))
    }
}
