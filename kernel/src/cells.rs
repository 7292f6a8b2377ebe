//! Functions by cells in single precision, to about twice as many bits as a float has: what fast phases are made of.

use crate::isa::Wide;

/// Tables that an instruction set looks up in registers.
pub struct Cells<T: 'static, const HIGHER: usize> {
    /// The leading bits of start + scale·abs(x) are the cell: half of the cells are from one power of two to the next.
    pub start: f32,
    pub scale: f32,
    /// The lower bound is the result times 1 + floor + bend·h², where cells are so wide that this matters.
    pub floor: f32,
    pub bend: Option<T>,
    pub centre: T,
    pub value: T,
    pub slope: T,
    pub slope_low: T,
    pub curvature: T,
    pub higher: [T; HIGHER],
}

/// A function's value: high + error + h·rest, and what the lower bound is more than that, relative to it.
#[derive(Clone, Copy)]
pub struct Sum<F> {
    pub high: F,
    pub error: F,
    pub rest: F,
    pub margin: F,
}

impl<T: 'static, const HIGHER: usize> Cells<T, HIGHER> {
    /// The index of the cell of a magnitude.
    #[inline(always)]
    pub fn index<L: Wide<Table = T>>(&self, lanes: L, magnitude: L::F32) -> L::U32 {
        let shifted = lanes.mul_add_f32(magnitude, lanes.f32(self.scale), lanes.f32(self.start));
        lanes.bits(shifted) >> (24 - L::ENTRIES.ilog2())
    }

    /// A magnitude falls in a cell, and with h, exact, from its centre c, where the value is nearly a float e,
    ///
    /// ```text
    /// f(c + h) = e + h·((c1 + c2·h) + h²·(c3 + h·(c4 + …)))
    /// ```
    ///
    /// The sum in the inner brackets and the outermost one are kept with their rounding errors, so that what is lost is of
    /// the size of h³·c3·2^-23. The coefficients are of a function too large by the largest such error; the lower bound is
    /// as much too small. `value` is e and `signed_h` is h, both perhaps negated.
    #[inline(always)]
    pub fn sum<L: Wide<Table = T>>(
        &'static self,
        lanes: L,
        index: L::U32,
        value: L::F32,
        h: L::F32,
        signed_h: L::F32,
    ) -> Sum<L::F32> {
        let lookup = |table| lanes.lookup(table, index);
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let square = h * h;
        let cubic = self.cubic(lanes, index, h, square);
        let (c1, c2) = (lookup(&self.slope), lookup(&self.curvature));
        let slope = mul_add(h, c2, c1);
        let slope_error = mul_add(h, c2, c1 - slope) + lookup(&self.slope_low);
        let high = mul_add(signed_h, slope, value);
        let error = mul_add(signed_h, slope, value - high);
        let floor = lanes.f32(self.floor);
        let margin = match &self.bend {
            Some(bend) => mul_add(square, lookup(bend), floor),
            None => floor,
        };
        Sum { high, error, rest: mul_add(square, cubic, slope_error), margin }
    }

    /// c3 + h·(c4 + …)
    #[inline(always)]
    fn cubic<L: Wide<Table = T>>(&'static self, lanes: L, index: L::U32, h: L::F32, square: L::F32) -> L::F32 {
        let lookup = |table| lanes.lookup(table, index);
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        // Pairs of terms, so that the chain is short; but c3, whose rounding counts, comes last.
        let c = &self.higher;
        let (mut sum, mut next) = if HIGHER.is_multiple_of(2) {
            (lookup(&c[HIGHER - 1]), HIGHER - 1)
        } else {
            (mul_add(h, lookup(&c[HIGHER - 1]), lookup(&c[HIGHER - 2])), HIGHER - 2)
        };
        while next > 1 {
            next -= 2;
            sum = mul_add(square, sum, mul_add(h, lookup(&c[next + 1]), lookup(&c[next])));
        }
        mul_add(h, sum, lookup(&c[0]))
    }
}
