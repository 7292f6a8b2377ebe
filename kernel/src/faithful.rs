//! The faithful tier: errors below 1 ulp in round-to-nearest, by arithmetic in single precision with fused multiply-add.
//!
//! Tables have 8 or 16 entries and the order of operations is one, whatever the instruction set, so all give the same bits.
//! The error of a result is half an ulp, of the last addition, and those of the smaller addend before it: so every function is
//! a sum of a large addend that is as good as exact and a small one.

pub mod erf;
pub mod exp;
pub mod tail;

use crate::isa::{Fused, Table};

/// A function by cells: base + h·(c1 + h·(c2 + …)), with h the distance from the centre of a magnitude's cell.
pub struct Cells<T, const DEGREE: usize> {
    /// The leading bits of start + scale·abs(x) are the cell: 8 cells are from one power of two to the next.
    pub start: f32,
    pub scale: f32,
    /// The last sum in the first cell.
    pub edge: f32,
    pub centre: T,
    /// The value at the centre, nearly exact.
    pub value: T,
    pub coefficients: [T; DEGREE],
}

impl<T: LookUp, const DEGREE: usize> Cells<T, DEGREE> {
    /// The bits of start + scale·abs(x).
    #[inline(always)]
    fn position<L: Fused>(&self, lanes: L, magnitude: L::F32) -> L::U32 {
        lanes.bits(lanes.mul_add_f32(magnitude, lanes.f32(self.scale), lanes.f32(self.start)))
    }

    /// The index of the cell of a magnitude.
    #[inline(always)]
    fn index<L: Fused>(&self, lanes: L, magnitude: L::F32) -> L::U32 {
        self.position(lanes, magnitude) >> 20
    }

    /// c1 + h·(c2 + …)
    #[inline(always)]
    fn slope<L: Fused>(&'static self, lanes: L, index: L::U32, h: L::F32) -> L::F32 {
        let mut sum = self.coefficients[DEGREE - 1].entry(lanes, index);
        for table in self.coefficients[..DEGREE - 1].iter().rev() {
            sum = lanes.mul_add_f32(h, sum, table.entry(lanes, index));
        }
        sum
    }
}

/// A table of as many floats as every instruction set with fused multiply-add can look up.
pub trait LookUp: 'static {
    fn entry<L: Fused>(&'static self, lanes: L, index: L::U32) -> L::F32;
}
impl LookUp for Table<8> {
    #[inline(always)]
    fn entry<L: Fused>(&'static self, lanes: L, index: L::U32) -> L::F32 {
        lanes.lookup_8(self, index)
    }
}
impl LookUp for Table<16> {
    #[inline(always)]
    fn entry<L: Fused>(&'static self, lanes: L, index: L::U32) -> L::F32 {
        lanes.lookup_16(self, index)
    }
}

/// Between floats near it are 1/16, so adding it rounds to such steps, and the last four bits of a sum count them.
const MAGIC: f32 = (3 << 18) as f32;
