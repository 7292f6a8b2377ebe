//! What programs do around erf and erfc where nothing is fused.

use std::cell::RefCell;
use std::f32::consts::FRAC_1_SQRT_2;

use anyhow::Result;

use super::compile;
use crate::common::arrays::{Aligned, ArrayFunction};
use crate::common::name::Name;

/// normcdff, (1 + erf(x/sqrt(2)))/2 or erfc(-x/sqrt(2))/2, or geluf, x times that: four passes over memory or three, one of
/// which is `inner`'s, the array function erff or erfcf.
pub fn chain(name: Name, inner_name: Name, inner: ArrayFunction<f32>) -> Result<ArrayFunction<f32>> {
    type InPlace = unsafe extern "C" fn(usize, *mut f32);
    let library = compile("cc", &["-O3", "-march=native"], "passes.c", "passes", None)?;
    // SAFETY: these are the prototypes of passes.c.
    let (scale, increment, halve, multiply_halves) = unsafe {
        (
            *library.get::<unsafe extern "C" fn(usize, f32, *const f32, *mut f32)>("scale_n")?,
            *library.get::<InPlace>("increment_n")?,
            *library.get::<InPlace>("halve_n")?,
            *library.get::<unsafe extern "C" fn(usize, *const f32, *mut f32)>("multiply_halves_n")?,
        )
    };
    let factor = if inner_name == Name::Erfcf { -FRAC_1_SQRT_2 } else { FRAC_1_SQRT_2 };
    let scaled = RefCell::new(Aligned::new(std::iter::empty()));
    Ok(Box::new(move |x, y| {
        let n = x.len().min(y.len());
        let mut scaled = scaled.borrow_mut();
        if scaled.elements().len() != n {
            *scaled = Aligned::new(x.iter().take(n).copied());
        }
        // SAFETY: all three arrays have n elements, and they don't overlap.
        unsafe {
            scale(n, factor, x.as_ptr(), scaled.elements_mut().as_mut_ptr());
            inner(scaled.elements(), y);
            if inner_name == Name::Erff {
                increment(n, y.as_mut_ptr());
            }
            match name {
                Name::Normcdff => halve(n, y.as_mut_ptr()),
                _ => multiply_halves(n, x.as_ptr(), y.as_mut_ptr()),
            }
        }
    }))
}
