//! The drivers of arrays over the lanes of any CPU: every length, step and alignment that differs, in place and not. Miri
//! runs them too, and tells of a read or write outside the elements: the memory ends where they end.

use std::iter::once;

use halfulp_kernel::arrays::{each, each_double, strided};
use halfulp_kernel::half::{self, each_of};
use halfulp_kernel::isa::Scalar;
use halfulp_kernel::{double, erf};

const LENGTHS: std::ops::Range<usize> = 0..70;

fn inputs(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32 * 0.11 - 3.5).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

unsafe extern "C" fn erff_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: the caller's promise.
    unsafe { each(Scalar, |x| erf::erff(Scalar, x), n, x, y) }
}

#[test]
fn every_element_and_no_other() {
    for n in LENGTHS {
        let x = inputs(n);
        let right: Vec<f32> = x.iter().map(|&x| erf::erff(Scalar, x)).collect();
        let (mut apart, mut in_place) = (vec![0.0; n], x.clone());
        // SAFETY: vectors of n floats.
        unsafe {
            erff_n(n, x.as_ptr(), apart.as_mut_ptr());
            let y = in_place.as_mut_ptr();
            erff_n(n, y, y);
        }
        assert_eq!(bits(&apart), bits(&right), "{n} elements");
        assert_eq!(bits(&in_place), bits(&right), "{n} elements in place");
    }
}

#[test]
fn doubles() {
    for n in LENGTHS.step_by(23) {
        let x: Vec<f64> = inputs(n).into_iter().map(f64::from).collect();
        let mut y = vec![0.0; n];
        // SAFETY: vectors of n doubles.
        unsafe { each_double(|x| double::erf(Scalar, x), n, x.as_ptr(), y.as_mut_ptr()) };
        assert!(x.iter().zip(&y).all(|(&x, &y)| double::erf(Scalar, x) == y), "{n} elements");
    }
}

#[test]
fn results_that_are_looked_up() {
    // Numbers that the table has, and among the first 64 some that it hasn't.
    let x = (0..150).map(|i| if i < 64 && i % 23 == 22 { 0x0080 << (i % 5) } else { 0x3d00 + i * 7 + ((i % 2) << 15) });
    let x: Vec<u16> = x.collect();
    // SAFETY of every use: as many halves are at y.
    let gelu = |x: &[u16], y: *mut u16| unsafe { each_of(half::GELU, half::gelu_beyond, x.len(), x.as_ptr(), y) };
    let mut alone = vec![0; x.len()];
    for (x, y) in x.chunks(1).zip(&mut alone) {
        gelu(x, y);
    }
    for n in (0..x.len()).step_by(7) {
        let mut apart = vec![0; n];
        gelu(&x[..n], apart.as_mut_ptr());
        assert_eq!(apart, alone[..n], "{n} elements");
        // In place, and a byte beyond a half's place.
        let mut bytes: Vec<u8> = once(0).chain(x[..n].iter().flat_map(|x| x.to_ne_bytes())).collect();
        // SAFETY: n halves are there.
        unsafe {
            let y = bytes.as_mut_ptr().wrapping_add(1).cast();
            each_of(half::GELU, half::gelu_beyond, n, y, y);
        }
        let results = bytes[1..].chunks_exact(2).map(|place| u16::from_ne_bytes(place.try_into().unwrap()));
        assert_eq!(results.collect::<Vec<_>>(), alone[..n], "{n} elements in place");
    }
}

/// Memory for n elements with this step, and where the first one is.
fn area(n: usize, step: isize) -> (Vec<f32>, usize) {
    let reach = n.saturating_sub(1) * step.unsigned_abs();
    (vec![f32::NAN; if n == 0 { 0 } else { reach + 1 }], if step < 0 { reach } else { 0 })
}

#[test]
fn steps() {
    // 512 elements at a time go through a buffer.
    for n in [0, 1, 2, 7, 511, 512, 513] {
        for (incx, incy) in [(1, 1), (2, -3), (-1, 1), (0, 2), (-2, -2)] {
            let (mut x, first_x) = area(n, incx);
            let (mut y, first_y) = area(n, incy);
            let place = |first: usize, i: usize, step: isize| first.wrapping_add_signed(i as isize * step);
            for (i, value) in inputs(n).into_iter().enumerate() {
                x[place(first_x, i, incx)] = value;
            }
            let x_before = x.clone();
            // SAFETY: the elements are there. The addresses of none are where an empty vector is.
            unsafe {
                let (from, to) = (x.as_ptr().wrapping_add(first_x), y.as_mut_ptr().wrapping_add(first_y));
                strided(erff_n, n, from, incx, to, incy);
            }
            for i in 0..n {
                let value = &mut y[place(first_y, i, incy)];
                let right = erf::erff(Scalar, x[place(first_x, i, incx)]);
                assert_eq!(value.to_bits(), right.to_bits(), "element {i} of {n} by {incx} and {incy}");
                *value = f32::NAN;
            }
            assert!(y.iter().all(|value| value.is_nan()), "what lies between the steps of {incy} has changed");
            if incx != 0 {
                // SAFETY: the elements are there.
                unsafe {
                    let in_place = x.as_mut_ptr().wrapping_add(first_x);
                    strided(erff_n, n, in_place, incx, in_place, incx);
                }
                let right = |&before: &f32| if before.is_nan() { before } else { erf::erff(Scalar, before) };
                assert_eq!(bits(&x), bits(&x_before.iter().map(right).collect::<Vec<_>>()), "{n} by {incx} in place");
            }
        }
    }
}

#[test]
fn at_any_byte() {
    let (n, size) = (9, size_of::<f32>());
    let right: Vec<u32> = inputs(n).into_iter().map(|x| erf::erff(Scalar, x).to_bits()).collect();
    for offset in 0..size {
        let mut bytes = vec![0; offset + n * size];
        for (place, x) in bytes[offset..].chunks_exact_mut(size).zip(inputs(n)) {
            place.copy_from_slice(&x.to_ne_bytes());
        }
        // SAFETY: n floats are there.
        unsafe {
            let y = bytes.as_mut_ptr().wrapping_add(offset).cast();
            erff_n(n, y, y);
        }
        let results = bytes[offset..].chunks_exact(size).map(|place| u32::from_ne_bytes(place.try_into().unwrap()));
        assert_eq!(results.collect::<Vec<_>>(), right, "{offset} bytes beyond a float's place");
    }
}
