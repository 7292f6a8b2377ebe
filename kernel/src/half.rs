//! Functions over arrays of half-precision numbers, as `uint16_t`: the exact value rounded once, to nearest even.
//!
//! The arithmetic is that of single precision, in the faithful tier where there is one. A result that is within [`ROUGHLY`] ulps
//! of a tie between two halves says too little, and such elements take the value in double precision. GELU and the normal
//! distribution of bfloat16 are looked up instead, the same way on every CPU.

use core::mem::MaybeUninit;

use crate::data::bfloat16;

/// More ulps than a result of the faithful tier is off by, in any mode.
pub const ROUGHLY: u32 = 4;

/// A half-precision format.
pub trait Half {
    /// Bits of the fraction.
    const FRACTION: u32;
    /// The exponent of the smallest normal number, and of the largest.
    const LEAST: i32;
    const MOST: i32;

    /// Exact.
    fn widen(bits: u16) -> f32;
    /// A float rounded to nearest even, and whether something within [`ROUGHLY`] ulps is a tie. A NaN need not stay one.
    fn narrow(x: f32) -> (u16, bool);

    /// A double, no NaN, rounded to nearest even.
    #[inline(always)]
    fn round(x: f64) -> u16 {
        const IMPLICIT: u64 = 1 << 52;
        let sign = (x.to_bits() >> 48) as u16 & 0x8000;
        let magnitude = x.abs().to_bits();
        let exponent = (magnitude >> 52) as i32 - 1023;
        let unit = exponent.max(Self::LEAST);
        // So many bits of the significand are below the result's last one.
        let below = (52 - Self::FRACTION as i32 + unit - exponent) as u32;
        if below > 53 {
            return sign; // less than half the smallest number
        }
        if exponent > Self::MOST {
            return sign | Self::infinity();
        }
        let significand = magnitude & (IMPLICIT - 1) | IMPLICIT;
        // Of a normal number the leading bit adds one to the exponent, and a carry another one, up to infinity.
        let rounded = nearest_even(significand, below) + (((unit - Self::LEAST) as u64) << Self::FRACTION);
        sign | rounded as u16
    }

    #[inline(always)]
    fn infinity() -> u16 {
        ((Self::MOST - Self::LEAST + 2) as u16) << Self::FRACTION
    }
}

/// bits/2^below rounded to nearest even.
#[inline(always)]
fn nearest_even(bits: u64, below: u32) -> u64 {
    (bits + (1 << (below - 1)) - 1 + (bits >> below & 1)) >> below
}

/// The format of IEEE 754 with 16 bits.
pub struct Binary16;
impl Half for Binary16 {
    const FRACTION: u32 = 10;
    const LEAST: i32 = -14;
    const MOST: i32 = 15;

    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        let magnitude = u32::from(bits & 0x7fff);
        // What float and half differ by in the exponent; infinities and NaNs, by twice as much.
        const BIAS: u32 = (127 - 15) << 23;
        let bias = if magnitude >= 0x7c00 { 2 * BIAS } else { BIAS };
        let subnormal = magnitude as i32 as f32 * (1.0 / (1 << 24) as f32);
        let float = if magnitude < 0x0400 { subnormal.to_bits() } else { (magnitude << 13) + bias };
        f32::from_bits(float | u32::from(bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> (u16, bool) {
        const LEAST: u32 = 127 - 14;
        let magnitude = x.to_bits() & 0x7fff_ffff;
        let exponent = magnitude >> 23;
        let normal = exponent >= LEAST;
        let below = if normal { 13 } else { 13 + (LEAST - exponent).min(18) };
        let significand = if normal { magnitude - ((LEAST - 1) << 23) } else { magnitude & 0x007f_ffff | 0x0080_0000 };
        let tie = 1 << (below - 1);
        let rounded = (significand + (tie - 1) + (significand >> below & 1)) >> below;
        let near = (significand & (2 * tie - 1)).wrapping_sub(tie - ROUGHLY) <= 2 * ROUGHLY;
        ((x.to_bits() >> 16) as u16 & 0x8000 | rounded.min(0x7c00) as u16, near)
    }
}

/// The upper half of a float.
pub struct Bfloat16;
impl Half for Bfloat16 {
    const FRACTION: u32 = 7;
    const LEAST: i32 = -126;
    const MOST: i32 = 127;

    #[inline(always)]
    fn widen(bits: u16) -> f32 {
        f32::from_bits(u32::from(bits) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> (u16, bool) {
        let bits = x.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        (rounded as u16, (bits & 0xffff).wrapping_sub(0x8000 - ROUGHLY) <= 2 * ROUGHLY)
    }
}

/// 2^-100: what is smaller may have been a subnormal float, which some programs have the CPU take for zero.
const TINY: f32 = 1.0 / (1u128 << 100) as f32;

/// Elements at a time.
const BLOCK: usize = 512;

/// y[i] = f(x[i]) for all i < n. `roughly` gives f to within [`ROUGHLY`] ulps; `value` gives it in double
/// precision, for all but NaNs and, by the largest float for one, infinities.
///
/// # Safety
///
/// n halves are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each<H: Half>(
    roughly: unsafe extern "C" fn(usize, *const f32, *mut f32),
    value: unsafe extern "C" fn(f32) -> f64,
    n: usize,
    x: *const u16,
    y: *mut u16,
) {
    let mut inputs = MaybeUninit::<[f32; BLOCK]>::uninit();
    let mut results = MaybeUninit::<[f32; BLOCK]>::uninit();
    // A byte for each element that says whether its result is open.
    let mut open = MaybeUninit::<[u64; BLOCK / 8]>::uninit();
    let (inputs, results): (*mut f32, *mut f32) = (inputs.as_mut_ptr().cast(), results.as_mut_ptr().cast());
    let open: *mut u64 = open.as_mut_ptr().cast();
    for start in (0..n).step_by(BLOCK) {
        let length = BLOCK.min(n - start);
        // SAFETY: only elements below n, each read before it is written, and no more than `length` of the buffers.
        unsafe {
            let (x, y) = (x.add(start), y.add(start));
            for i in 0..length {
                *inputs.add(i) = H::widen(x.add(i).read_unaligned());
            }
            roughly(length, inputs, results);
            // Eight elements a word, the last word filled up with zeros.
            let words = length.div_ceil(8);
            *open.add(words - 1) = 0;
            for i in 0..length {
                let result = *results.add(i);
                let (half, near) = H::narrow(result);
                y.add(i).write_unaligned(half);
                *open.cast::<u8>().add(i) = u8::from(near | result.is_nan() | (result.abs() < TINY));
            }
            for word in 0..words {
                let mut bits = (*open.add(word)).to_le();
                while bits != 0 {
                    let i = word * 8 + bits.trailing_zeros() as usize / 8;
                    y.add(i).write_unaligned(one::<H>(value, *inputs.add(i)));
                    bits &= bits - 1;
                }
            }
        }
    }
}

/// All results that no simple rule gives, of numbers with so few digits that there are no more of them than a first-level
/// cache holds: from `first` on those of each magnitude and of its negative.
pub struct Results {
    pub first: u16,
    pub results: &'static [[u16; 16]],
}

/// GELU of bfloat16.
pub const GELU: Results = Results { first: bfloat16::GELU_FIRST, results: &bfloat16::GELU };
/// The normal distribution of bfloat16.
pub const NORMCDF: Results = Results { first: bfloat16::NORMCDF_FIRST, results: &bfloat16::NORMCDF };

impl Results {
    /// The place of a number's result, which is beyond the last where there is none: two a magnitude, and the sign, as the
    /// last bit, chooses.
    #[inline(always)]
    fn place(&self, bits: u16) -> u16 {
        bits.rotate_left(1).wrapping_sub(self.first << 1)
    }
}

/// y[i] = f(x[i]) for all i < n, of bfloat16, where `beyond` gives f of numbers that `results` hasn't, and no NaNs.
///
/// # Safety
///
/// n halves are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each_of(results: Results, beyond: impl Fn(u16) -> u16, n: usize, x: *const u16, y: *mut u16) {
    // So many that compilers don't unroll the first two loops, but make vector code of them.
    const AT_ONCE: usize = 64;
    let all = results.results.as_flattened();
    // SAFETY: elements below n, each read before it is written; and places that are there.
    unsafe {
        let one = |i: usize| {
            let bits = x.add(i).read_unaligned();
            let result = match all.get(usize::from(results.place(bits))) {
                Some(&result) => result,
                None if Bfloat16::widen(bits).is_nan() => quiet::<Bfloat16>(Bfloat16::widen(bits)),
                None => beyond(bits),
            };
            y.add(i).write_unaligned(result);
        };
        let whole = n - n % AT_ONCE;
        let mut places = [0; AT_ONCE];
        for start in (0..whole).step_by(AT_ONCE) {
            for (i, place) in places.iter_mut().enumerate() {
                *place = results.place(x.add(start + i).read_unaligned());
            }
            // One comparison for all of them.
            let farthest = places.iter().fold(0, |farthest, &place| place.max(farthest));
            if usize::from(farthest) < all.len() {
                for (i, &place) in places.iter().enumerate() {
                    y.add(start + i).write_unaligned(*all.get_unchecked(usize::from(place)));
                }
            } else {
                (start..start + AT_ONCE).for_each(one);
            }
        }
        (whole..n).for_each(one);
    }
}

/// GELU of a bfloat16, no NaN, below [`GELU`]'s first or beyond its last: x/2, or x, or 0.
#[inline(always)]
pub fn gelu_beyond(bits: u16) -> u16 {
    let (sign, magnitude) = (bits & 0x8000, bits & 0x7fff);
    match magnitude {
        0x0100.. if magnitude < GELU.first => bits - 0x80,
        // A subnormal half. The value is a little above x/2, so a tie rounds up.
        ..0x0100 => sign | (magnitude + 1 - (sign >> 15)) >> 1,
        _ if sign == 0 => bits,
        _ => sign,
    }
}

/// The normal distribution of a bfloat16, no NaN, below [`NORMCDF`]'s first or beyond its last: 1/2, or 1, or 0.
#[inline(always)]
pub fn normcdf_beyond(bits: u16) -> u16 {
    match bits & 0x7fff {
        magnitude if magnitude < NORMCDF.first => 0x3f00,
        _ if bits & 0x8000 == 0 => 0x3f80,
        _ => 0,
    }
}

/// A NaN in half precision, quiet.
#[inline(always)]
fn quiet<H: Half>(nan: f32) -> u16 {
    let payload = nan.to_bits() >> (23 - H::FRACTION) & ((1 << H::FRACTION) - 1);
    (nan.to_bits() >> 16) as u16 & 0x8000 | H::infinity() | 1 << (H::FRACTION - 1) | payload as u16
}

/// # Safety
///
/// The CPU has what `value` needs.
#[inline(always)]
unsafe fn one<H: Half>(value: unsafe extern "C" fn(f32) -> f64, x: f32) -> u16 {
    if x.is_nan() {
        return quiet::<H>(x);
    }
    // SAFETY: the caller's promise.
    H::round(unsafe { value(x.clamp(f32::MIN, f32::MAX)) })
}
