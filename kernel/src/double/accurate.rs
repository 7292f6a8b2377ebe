//! The accurate phase: integers of 128 bits, the same for every instruction set and in every rounding mode.
//!
//! ```text
//! erfc(a) = exp(-a²)·erfcx(a)    exp(-a²) = 2^-n·2^(i/64)·2^(j/4096)·2^(z/4096)
//! ```
//!
//! with -a²·log2(e) = -n + i/64 + (j + z)/4096, and with polynomials for erfcx and the last power. erf(x) is 1 - erfc(x), or
//! below 1/16 x times a polynomial in x². All sums are of positive terms; every product is the high half of 256 bits, too
//! small by less than 3 units of its last place. Relative errors, in units of 2^-128:
//!
//! * a²·log2(e), below 2^10.2, has 117 bits after the point. It is off by at most 2.1 units from the product and the
//!   constant, and by one more from 1 - f being taken as !f: together 3.1·2^11·ln2, less than 4400.
//! * erfcx: its coefficients 40500 (2^-112.7, as data/double.rs has it, mostly the rounding of those over 2^116); its short
//!   sum 5·2^12/0.28, less than 73200; its long one less than 300.
//! * the last power: its coefficients 10300, its short sum 20500, its long one less than 60.
//! * of the normal distribution a = x/√2, by 4·2^-122 in a: less than 300 in erfcx, as -a·erfcx'(a) < erfcx(a).
//! * products with 126, 125 and 124 bits after the point: 3·(4 + 8 + 16)/0.28, 300.
//!
//! That is 2^-110.8 for erfc, 2^-107 for erf, which may be as small as 0.07 where it is a difference, and below 1/16 2^-120.
//!
//! With that error only such results may still be rounded wrongly whose value agrees with a rounding boundary to some 54 bits
//! beyond the round bit. The known lists of hard inputs hold all of their ranges that agree to 43 bits or more: erfc, and erf
//! from 2^-61 on. What is right on the lists, in four modes, is right in their ranges. Below 2^-61 erf(x) is 2/√π·x to
//! 2^-123, and data/double.rs has how near that comes to a boundary, in subnormal results too: 2^-109.5. Of the normal
//! distribution there is no such list.

use core::hint::black_box;

use crate::data::double::{COARSE, FINE, FIRST, LATER, LOG2_E, POWER_FIRST, POWER_LATER, SQRT_HALF};

const SIGN: u64 = 1 << 63;
const MANTISSA: u64 = (1 << 52) - 1;

/// A finite number's exponent and mantissa, abs(x) = mantissa·2^(exponent - 52), where the mantissa has 53 bits.
/// Zero won't do.
#[inline(always)]
fn take_apart(x: f64) -> (i32, u64) {
    let bits = x.to_bits() & !SIGN;
    let exponent = (bits >> 52) as i32;
    if exponent != 0 {
        (exponent - 1023, bits & MANTISSA | 1 << 52)
    } else {
        let shift = bits.leading_zeros() - 11;
        (-1022 - shift as i32, bits << shift)
    }
}

/// A number mantissa·2^(exponent - 127), where the mantissa has 128 bits.
#[derive(Clone, Copy)]
struct Number {
    mantissa: u128,
    exponent: i32,
}

impl Number {
    /// value·2^(exponent - 127); the value is not 0.
    #[inline(always)]
    fn normalised(value: u128, exponent: i32) -> Self {
        let zeros = value.leading_zeros();
        Number { mantissa: value << (zeros & 127), exponent: exponent - zeros as i32 }
    }

    /// whole + self or whole - self, where whole is 1 or 2 and self less than 1: but for 2^-125, so that the sum is no double.
    #[inline(always)]
    fn added_to(self, whole: u128, negative: bool) -> Self {
        let shift = (2 - self.exponent).clamp(0, 127) as u32;
        let term = self.mantissa >> shift | 1;
        let whole = whole << 125;
        Self::normalised(if negative { whole - term } else { whole + term }, 2)
    }

    /// The nearest double in the caller's mode, with its flags. The number stands for one that is not a double.
    #[inline(always)]
    fn rounded(self, sign: u64) -> f64 {
        // One addition of the integer that the leading bits are and the fraction that the others are, never 0, rounds; of
        // subnormal results the integer has fewer bits, and 2^52 on top so that the sum is rounded to an integer as well.
        const TOP: f64 = (1u64 << 52) as f64;
        let missing = (-1022 - self.exponent).max(0);
        let sum = |mantissa: u128, top: u64| {
            let whole = ((mantissa >> 75) as u64 | top) as i64 as f64;
            let fraction = ((mantissa >> 22) as u64 & (2 * MANTISSA + 1) | 1) as i64 as f64 * (0.5 / TOP);
            f64::from_bits(whole.to_bits() ^ sign) + f64::from_bits(fraction.to_bits() ^ sign)
        };
        let steps = |sum: f64| (sum.to_bits() & !SIGN).wrapping_sub(TOP.to_bits());
        if missing == 0 {
            let exponent = ((self.exponent + 1023) as u64) << 52;
            return f64::from_bits(steps(sum(self.mantissa, 0)).wrapping_add(exponent) | sign);
        }
        // Tiny, unless rounding to 53 bits makes it normal on a machine that looks after it has rounded.
        let before_rounding = cfg!(any(target_arch = "aarch64", target_arch = "arm"));
        if before_rounding || missing > 1 || steps(sum(self.mantissa, 0)) != 1 << 52 {
            black_box(black_box(f64::MIN_POSITIVE) * f64::MIN_POSITIVE);
        }
        f64::from_bits(steps(sum(self.mantissa >> missing.min(64), 1 << 52)) | sign)
    }
}

/// a·b/2^128, less at most 3.
#[inline(always)]
fn multiply_high(a: u128, b: u128) -> u128 {
    let product = |a: u64, b: u64| a as u128 * b as u128;
    let ((a_high, a_low), (b_high, b_low)) = (((a >> 64) as u64, a as u64), ((b >> 64) as u64, b as u64));
    product(a_high, b_high).wrapping_add(product(a_high, b_low) >> 64).wrapping_add(product(a_low, b_high) >> 64)
}

/// A polynomial, over 2^127, of t over 2^128, with its first coefficients over 2^127 and the others over 2^116.
#[inline(always)]
fn polynomial<const LONG: usize, const SHORT: usize>(long: &[u128; LONG], short: &[u64; SHORT], t: u128) -> u128 {
    const { assert!(LONG.is_multiple_of(2)) };
    let high = (t >> 64) as u64;
    let short = short.iter().rev().fold(0u64, |sum, &c| c.wrapping_add(((sum as u128 * high as u128) >> 64) as u64));
    // Even and odd terms apart: two chains are done sooner than one.
    let square = multiply_high(t, t);
    let rest = multiply_high((short as u128) << 11, t);
    let mut pairs = long.as_chunks::<2>().0.iter().rev();
    let &[even, odd] = pairs.next().unwrap_or(&[0; 2]);
    let (even, odd) = pairs.fold((even, odd.wrapping_add(rest)), |(even, odd), &[c_even, c_odd]| {
        (c_even.wrapping_add(multiply_high(even, square)), c_odd.wrapping_add(multiply_high(odd, square)))
    });
    even.wrapping_add(multiply_high(odd, t))
}

/// The polynomial of a cell.
#[inline(always)]
fn cell(index: usize, s: u128) -> u128 {
    const { assert!(FIRST.len() == LATER.len()) };
    let index = index.min(FIRST.len() - 1);
    polynomial(&FIRST[index], &LATER[index], s)
}

/// erfc(a), with 1 + a over 2^122 and a² over 2^118. a is at least 1/16 and at most 27.5.
#[inline(always)]
fn erfc_of(one_and_a: u128, square: u128) -> Number {
    let octave = 5 - one_and_a.leading_zeros() as i32;
    let fraction = one_and_a << ((6 - octave) & 127);
    let erfcx = cell((octave as usize) << 4 | (fraction >> 124) as usize, !(fraction << 4));

    let log2 = multiply_high(square, LOG2_E);
    let n = (log2 >> 117) as i32;
    // 1 - the fraction: the power is 2^-(n + 1) times that of a positive number.
    let positive = !log2 << 11;
    let (coarse, fine) = (COARSE[(positive >> 122) as usize & 63], FINE[(positive >> 116) as usize & 63]);
    let power = multiply_high(multiply_high(coarse, fine), polynomial(&POWER_FIRST, &POWER_LATER, positive << 12));
    Number::normalised(multiply_high(power, erfcx), 3 - (n + 1) - octave)
}

/// erf(a) or erfc(a), whichever is computed first.
enum Either {
    Erf(Number),
    Erfc(Number),
}

/// Of a = abs(x), or abs(x)/√2 for the normal distribution. a is not 0, and at most 27.5.
#[inline(never)]
fn erf_or_erfc(x: f64, normal: bool) -> Either {
    let (exponent, mantissa) = take_apart(x);
    let over_root_2 = |value: u128| if normal { multiply_high(value, SQRT_HALF) } else { value };
    let square = mantissa as u128 * mantissa as u128;
    let halves = normal as i32;
    if exponent <= -4 {
        // Over 2^128.
        let shift = 24 + 2 * exponent - halves;
        let square = if shift >= 0 { square << (shift & 127) } else { square >> (-shift).min(127) };
        if square < 1 << 120 {
            let product = multiply_high((mantissa as u128) << 75, over_root_2(cell(0, !(square << 8))));
            return Either::Erf(Number::normalised(product, exponent + 1));
        }
    }
    let a = over_root_2((mantissa as u128) << ((70 + exponent) & 127));
    Either::Erfc(erfc_of((1 << 122) + a, square << ((14 + 2 * exponent - halves) & 127)))
}

/// erfc of a number of that sign.
#[inline(always)]
fn complement(value: Either, negative: bool) -> Number {
    match value {
        Either::Erf(erf) => erf.added_to(1, !negative),
        Either::Erfc(erfc) if negative => erfc.added_to(2, true),
        Either::Erfc(erfc) => erfc,
    }
}

/// erf(x) of what is not 0, and at most 27.5.
#[cold]
#[inline(never)]
pub fn erf(x: f64) -> f64 {
    let value = match erf_or_erfc(x, false) {
        Either::Erf(erf) => erf,
        Either::Erfc(erfc) => erfc.added_to(1, true),
    };
    value.rounded(x.to_bits() & SIGN)
}

/// erfc(x) of what is not 0, and at most 27.5.
#[cold]
#[inline(never)]
pub fn erfc(x: f64) -> f64 {
    complement(erf_or_erfc(x, false), x.is_sign_negative()).rounded(0)
}

/// The normal distribution at what is not 0, and at most 38.8.
#[cold]
#[inline(never)]
pub fn normcdf(x: f64) -> f64 {
    let twice = complement(erf_or_erfc(x, true), x.is_sign_positive());
    Number { exponent: twice.exponent - 1, ..twice }.rounded(0)
}
