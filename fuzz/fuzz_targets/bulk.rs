//! A function of an array, with or without steps, at any place, in place or not, in any rounding mode and at any level:
//! each result has the bits that the scalar function gives, or where there is none an array of one element, and no other
//! byte changes. Reads beyond the elements are not seen here, but by c_tests/bulk.c, whose arrays end at guard pages.
#![no_main]

use std::ffi::{CStr, c_char, c_int};
use std::mem::size_of;

use arbitrary::Arbitrary;
use libfuzzer_sys::{Corpus, fuzz_target};

/// What a case is made of. The numbers are bit patterns, as many as the array has elements.
#[derive(Arbitrary, Debug)]
struct Case<T> {
    function: u8,
    level: u8,
    mode: u8,
    in_place: bool,
    with_steps: bool,
    incx: i8,
    incy: i8,
    x_offset: u8,
    y_offset: u8,
    numbers: Vec<T>,
}

#[derive(Arbitrary, Debug)]
enum Input {
    Float(Case<u32>),
    Faithful(Case<u32>),
    Double(Case<u64>),
    Half(Case<u16>),
}

type Array = unsafe extern "C" fn(usize, *const u8, *mut u8);
type Strided = unsafe extern "C" fn(usize, *const u8, isize, *mut u8, isize);

/// A function of arrays, that with steps if there is one, and the bits that one number gives.
struct Function<T> {
    array: Array,
    strided: Option<Strided>,
    value: fn(T) -> T,
}

macro_rules! declare {
    ($($array:ident),* ; $($strided:ident),* ; $($float:ident),* ; $($double:ident),*) => {
        unsafe extern "C" {
            $(fn $array(n: usize, x: *const u8, y: *mut u8);)*
            $(fn $strided(n: usize, x: *const u8, incx: isize, y: *mut u8, incy: isize);)*
            $(safe fn $float(x: f32) -> f32;)*
            $(safe fn $double(x: f64) -> f64;)*
            fn halfulp_set_level(name: *const c_char) -> c_int;
            /// Of <fenv.h>.
            safe fn fesetround(mode: c_int) -> c_int;
        }
    };
}
declare!(
    halfulp_erff_n, halfulp_expf_n, halfulp_erfcf_n, halfulp_normcdff_n, halfulp_geluf_n, halfulp_geluf_grad_n,
    halfulp_erf_n, halfulp_erfc_n, halfulp_normcdf_n, halfulp_erf_f16_n, halfulp_erf_bf16_n, halfulp_exp_f16_n,
    halfulp_exp_bf16_n, halfulp_normcdf_f16_n, halfulp_normcdf_bf16_n, halfulp_gelu_f16_n, halfulp_gelu_bf16_n,
    halfulp_erff_faithful_n, halfulp_expf_faithful_n, halfulp_normcdff_faithful_n, halfulp_geluf_faithful_n,
    halfulp_geluf_grad_faithful_n;
    halfulp_erff_ni, halfulp_expf_ni, halfulp_erfcf_ni, halfulp_normcdff_ni, halfulp_geluf_ni, halfulp_geluf_grad_ni,
    halfulp_erf_ni, halfulp_erfc_ni, halfulp_normcdf_ni;
    halfulp_erff, halfulp_expf, halfulp_erfcf, halfulp_normcdff, halfulp_geluf, halfulp_geluf_grad;
    halfulp_erf, halfulp_erfc, halfulp_normcdf
);

macro_rules! with_scalar {
    ($type:ident: $(($array:ident, $strided:ident, $scalar:ident)),*) => {
        [$(Function {
            array: $array,
            strided: Some($strided),
            value: |x| $scalar($type::from_bits(x)).to_bits(),
        }),*]
    };
}
/// Without a scalar function: what one number gives is what the array of that number alone gives.
macro_rules! array_alone {
    ($type:ident: $($array:ident),*) => {
        [$(Function {
            array: $array,
            strided: None,
            value: |x: $type| {
                let mut y = x;
                // SAFETY: one number, in place.
                unsafe { $array(1, (&raw const y).cast(), (&raw mut y).cast()) };
                y
            },
        }),*]
    };
}
static FLOAT: [Function<u32>; 6] = with_scalar!(f32:
    (halfulp_erff_n, halfulp_erff_ni, halfulp_erff), (halfulp_expf_n, halfulp_expf_ni, halfulp_expf),
    (halfulp_erfcf_n, halfulp_erfcf_ni, halfulp_erfcf), (halfulp_normcdff_n, halfulp_normcdff_ni, halfulp_normcdff),
    (halfulp_geluf_n, halfulp_geluf_ni, halfulp_geluf),
    (halfulp_geluf_grad_n, halfulp_geluf_grad_ni, halfulp_geluf_grad)
);
static FAITHFUL: [Function<u32>; 5] = array_alone!(u32:
    halfulp_erff_faithful_n, halfulp_expf_faithful_n, halfulp_normcdff_faithful_n, halfulp_geluf_faithful_n,
    halfulp_geluf_grad_faithful_n
);
static DOUBLE: [Function<u64>; 3] = with_scalar!(f64:
    (halfulp_erf_n, halfulp_erf_ni, halfulp_erf), (halfulp_erfc_n, halfulp_erfc_ni, halfulp_erfc),
    (halfulp_normcdf_n, halfulp_normcdf_ni, halfulp_normcdf)
);
static HALF: [Function<u16>; 8] = array_alone!(u16:
    halfulp_erf_f16_n,
    halfulp_erf_bf16_n,
    halfulp_exp_f16_n,
    halfulp_exp_bf16_n,
    halfulp_normcdf_f16_n,
    halfulp_normcdf_bf16_n,
    halfulp_gelu_f16_n,
    halfulp_gelu_bf16_n
);

const LEVELS: [&CStr; 5] = [c"scalar", c"sse2", c"fma", c"avx2", c"avx512"];
/// The rounding modes as x86-64's <fenv.h> numbers them.
const MODES: [c_int; 4] = [0, 0x400, 0x800, 0xc00];
/// No function gives this byte by itself in all places of a number.
const UNTOUCHED: u8 = 0xa5;
/// Bytes behind the elements, of the widest vector. Those before them are the offset.
const BEYOND: usize = 64;

/// Memory of elements with a step, in bytes, and where the first one is.
struct Area {
    bytes: Vec<u8>,
    first: usize,
    step: isize,
}

impl Area {
    fn new(n: usize, size: usize, step: isize, offset: usize) -> Area {
        let step = step * size as isize;
        let reach = n.saturating_sub(1) * step.unsigned_abs();
        let length = if n == 0 { offset } else { offset + reach + size } + BEYOND;
        Area { bytes: vec![UNTOUCHED; length], first: offset + if step < 0 { reach } else { 0 }, step }
    }

    fn element(&mut self, i: usize, size: usize) -> &mut [u8] {
        let start = self.first.wrapping_add_signed(i as isize * self.step);
        &mut self.bytes[start..][..size]
    }
}

fn check<T: Copy + PartialEq + std::fmt::LowerHex + Default>(case: Case<T>, functions: &[Function<T>]) -> Corpus
where
    T: ToBytes,
{
    let size = size_of::<T>();
    let function = &functions[usize::from(case.function) % functions.len()];
    let with_steps = case.with_steps && function.strided.is_some();
    let incx = if with_steps { case.incx.into() } else { 1 };
    let incy = if case.in_place {
        incx
    } else if with_steps {
        case.incy.into()
    } else {
        1
    };
    // SAFETY: a string.
    let chosen = unsafe { halfulp_set_level(LEVELS[usize::from(case.level) % LEVELS.len()].as_ptr()) };
    // Results that overlap are not promised, nor is a level that the CPU lacks.
    if incy == 0 || chosen != 0 {
        return Corpus::Reject;
    }
    let n = case.numbers.len();
    let mut y = Area::new(n, size, incy, case.y_offset.into());
    let mut x = Area::new(n, size, incx, case.x_offset.into());
    let input = if case.in_place { &mut y } else { &mut x };
    for (i, number) in case.numbers.iter().enumerate() {
        input.element(i, size).copy_from_slice(number.bytes().as_ref());
    }
    // With a step of 0 all have the last one.
    let numbers: Vec<T> = (0..n).map(|i| if incx == 0 { case.numbers[n - 1] } else { case.numbers[i] }).collect();
    fesetround(MODES[usize::from(case.mode) % MODES.len()]);
    let right: Vec<T> = numbers.into_iter().map(function.value).collect();
    let to = y.bytes.as_mut_ptr().wrapping_add(y.first);
    let from = if case.in_place { to.cast_const() } else { x.bytes.as_ptr().wrapping_add(x.first) };
    // SAFETY: the areas have these elements.
    unsafe {
        match function.strided {
            Some(strided) if with_steps => strided(n, from, incx, to, incy),
            _ => (function.array)(n, from, to),
        }
    }
    fesetround(MODES[0]);
    for (i, right) in right.iter().enumerate() {
        let element = y.element(i, size);
        assert_eq!(element, right.bytes().as_ref(), "element {i} of {n} is not {right:x}");
        element.fill(UNTOUCHED);
    }
    assert!(y.bytes.iter().all(|&byte| byte == UNTOUCHED), "a byte that belongs to no element has changed");
    Corpus::Keep
}

trait ToBytes {
    fn bytes(self) -> impl AsRef<[u8]>;
}
macro_rules! to_bytes {
    ($($type:ty),*) => {
        $(impl ToBytes for $type {
            fn bytes(self) -> impl AsRef<[u8]> {
                self.to_ne_bytes()
            }
        })*
    };
}
to_bytes!(u16, u32, u64);

fuzz_target!(|input: Input| -> Corpus {
    match input {
        Input::Float(case) => check(case, &FLOAT),
        Input::Faithful(case) => check(case, &FAITHFUL),
        Input::Double(case) => check(case, &DOUBLE),
        Input::Half(case) => check(case, &HALF),
    }
});
