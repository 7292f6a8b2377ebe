//! Functions over arrays, a register at a time. In place is allowed, so these take pointers: a shared and a mutable
//! slice of the same memory must not be.

use core::hint::black_box;
use core::mem::MaybeUninit;

use crate::isa::{Gather, Isa, Lanes, Wide};

/// y[i] = function(x[i]) for all i < n.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each<I: Isa>(isa: I, function: impl Fn(I::F32) -> I::F32, n: usize, x: *const f32, y: *mut f32) {
    if n == 0 {
        return;
    }
    // SAFETY: only elements below n are touched. Black boxes, since the compiler would make of such loops calls of memcpy.
    unsafe {
        // The first argument in place of those that are none: it raises nothing of its own.
        let mut lanes = [black_box(x.read_unaligned()); MOST_LANES];
        let few = n < I::LANES;
        let (length, from, to) = if few {
            for (i, lane) in lanes.iter_mut().enumerate().take(n) {
                *lane = black_box(x.add(i).read_unaligned());
            }
            (I::LANES, lanes.as_ptr(), lanes.as_mut_ptr())
        } else {
            (n, x, y)
        };
        // The last register overlaps with the one before it, so it is read before that one may be overwritten; where they
        // overlap they give the same.
        let last = isa.load(from.add(length - I::LANES));
        let registers = length.div_ceil(I::LANES);
        for register in 1..=registers {
            let (at, x) = if register < registers {
                let at = (register - 1) * I::LANES;
                (at, isa.load(from.add(at)))
            } else {
                (length - I::LANES, last)
            };
            isa.store(function(x), to.add(at));
        }
        if few {
            for (i, &lane) in lanes.iter().enumerate().take(n) {
                y.add(i).write_unaligned(black_box(lane));
            }
        }
    }
}

/// Of an instruction set with doubles.
const MOST_LANES: usize = 8;

/// The fast phase of a function: a result, and whether it is certainly the right one. It is one long chain of
/// operations, longer than what a CPU looks ahead, so it is cut in three; a loop works on three registers at a time.
pub trait Fast: Copy {
    type Lanes: Wide;
    type Located: Copy;
    type Evaluated: Copy;

    fn lanes(self) -> Self::Lanes;
    fn locate(self, x: F32<Self>) -> Self::Located;
    fn evaluate(self, located: Self::Located) -> Self::Evaluated;
    /// The result where it is settled, x where it is not; and where it is settled.
    fn settle(self, x: F32<Self>, evaluated: Self::Evaluated) -> (F32<Self>, Mask<Self>);

    /// What the other way from `locate` gives, to [`half::ROUGHLY`](crate::half::ROUGHLY) ulps alone.
    type Rough: Copy;
    fn evaluate_roughly(self, located: Self::Located) -> Self::Rough;
    /// NaN where nothing is known.
    fn settle_roughly(self, x: F32<Self>, rough: Self::Rough) -> F32<Self>;
}
type F32<F> = <<F as Fast>::Lanes as Lanes>::F32;
type Mask<F> = <<F as Fast>::Lanes as Lanes>::Mask;

/// The results of one register, if all are settled.
#[inline(always)]
pub fn settled<F: Fast>(fast: F, x: F32<F>) -> Option<F32<F>> {
    let (result, settled) = fast.settle(x, fast.evaluate(fast.locate(x)));
    let all = u32::MAX >> (32 - F::Lanes::LANES);
    if fast.lanes().lanes_of(settled) == all { Some(result) } else { None }
}

/// Elements after which the unsettled ones are repaired: a block stays in the first-level cache.
const BLOCK: usize = 2048;
/// A bit for each element of a block: set where the result is missing and y holds x.
pub struct Unsettled {
    words: [MaybeUninit<u64>; BLOCK / 64],
    length: usize,
}

impl Unsettled {
    /// Of a block of that length. What is beyond it in the last word is 0, all else is yet to be written.
    #[inline(always)]
    fn new(length: usize) -> Self {
        let mut words = [MaybeUninit::uninit(); BLOCK / 64];
        if let Some(last) = words.get_mut((length - 1) / 64) {
            last.write(0);
        }
        Unsettled { words, length }
    }

    /// The bits, 64 elements a word.
    #[inline(always)]
    pub fn words(&self) -> impl Iterator<Item = u64> {
        // SAFETY: up to the length all are written before anyone else sees this.
        self.words.iter().take(self.length.div_ceil(64)).map(|word| unsafe { word.assume_init() })
    }
}

/// y[i] = function(x[i]) for all i < n. `repair` gives what `fast` leaves open in a block.
///
/// Large arrays get nothing of their own: prefetching and streaming stores, tried by hand on Zen 4, made 16 Mi elements
/// slower, and arrays that begin at no cache line took too little more for a prologue.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each_fast<F: Fast>(fast: F, repair: impl Fn(*mut f32, &Unsettled), n: usize, x: *const f32, y: *mut f32) {
    for start in (0..n).step_by(BLOCK) {
        // SAFETY: elements from `start` to the end of a block or to n.
        unsafe {
            let y = y.add(start);
            let mut unsettled = Unsettled::new(BLOCK.min(n - start));
            block(fast, x.add(start), y, &mut unsettled);
            repair(y, &unsettled);
        }
    }
}

/// # Safety
///
/// As many floats as `unsettled` says are at x and at y, which are the same or don't overlap.
#[inline(always)]
unsafe fn block<F: Fast>(fast: F, x: *const f32, y: *mut f32, unsettled: &mut Unsettled) {
    let settle = Settle { fast, bits: unsettled.words.as_mut_ptr().cast() };
    // SAFETY: the caller's promise.
    unsafe { pipeline(fast, settle, unsettled.length, x, y) }
}

/// What the loop does after `locate`. A trait, since closures may be outlined, without the instruction set.
trait Finish<F: Fast> {
    type Evaluated: Copy;
    fn evaluate(&self, located: F::Located) -> Self::Evaluated;
    /// The results, and a bit for each lane where there is none.
    fn finish(&self, x: F32<F>, evaluated: Self::Evaluated) -> (F32<F>, u32);
    /// Those bits of the register that begins at this place.
    fn note(&self, place: usize, open: u32);
}

/// The results that are settled, and a bit for each element where it is not.
struct Settle<F> {
    fast: F,
    bits: *mut u8,
}
impl<F: Fast> Finish<F> for Settle<F> {
    type Evaluated = F::Evaluated;
    #[inline(always)]
    fn evaluate(&self, located: F::Located) -> F::Evaluated {
        self.fast.evaluate(located)
    }
    #[inline(always)]
    fn finish(&self, x: F32<F>, evaluated: F::Evaluated) -> (F32<F>, u32) {
        let (result, settled) = self.fast.settle(x, evaluated);
        (result, !self.fast.lanes().lanes_of(settled))
    }
    #[inline(always)]
    fn note(&self, place: usize, open: u32) {
        let at = place / 8;
        // SAFETY: the bits of a block's elements, to the end of the register that has the last one.
        unsafe { self.bits.add(at).copy_from_nonoverlapping(open.to_le_bytes().as_ptr(), F::Lanes::LANES / 8) };
    }
}

/// Rough results; none is noted, since a NaN says as much.
struct Roughly<F> {
    fast: F,
}
impl<F: Fast> Finish<F> for Roughly<F> {
    type Evaluated = F::Rough;
    #[inline(always)]
    fn evaluate(&self, located: F::Located) -> F::Rough {
        self.fast.evaluate_roughly(located)
    }
    #[inline(always)]
    fn finish(&self, x: F32<F>, rough: F::Rough) -> (F32<F>, u32) {
        (self.fast.settle_roughly(x, rough), 0)
    }
    #[inline(always)]
    fn note(&self, _place: usize, _open: u32) {}
}

/// y[i] is roughly function(x[i]) for all i < n, or a NaN.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each_roughly<F: Fast>(fast: F, n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: the caller's promise.
    unsafe { pipeline(fast, Roughly { fast }, n, x, y) }
}

/// The loop over registers: one is located while the one before it is evaluated and the one before that finished.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
#[inline(always)]
unsafe fn pipeline<F: Fast>(fast: F, finish: impl Finish<F>, n: usize, x: *const f32, y: *mut f32) {
    let (lanes, width) = (fast.lanes(), F::Lanes::LANES);
    let rest = n % width;
    let whole = n - rest;
    // SAFETY: only elements below n are touched, and each is read before it is written.
    unsafe {
        if whole > 0 {
            // Beyond the end the first register is worked on again, for nothing.
            let load = |i: usize| lanes.load(x.add(if i < whole { i } else { 0 }));
            let mut evaluated = finish.evaluate(fast.locate(load(0)));
            let mut located = fast.locate(load(width));
            for i in (0..whole).step_by(width) {
                let next = fast.locate(load(i + 2 * width));
                let after = finish.evaluate(located);
                let (result, open) = finish.finish(load(i), evaluated);
                lanes.store(result, y.add(i));
                finish.note(i, open);
                (located, evaluated) = (next, after);
            }
        }
        if rest > 0 {
            let x = lanes.load_first(x.add(whole), rest);
            let (result, open) = finish.finish(x, finish.evaluate(fast.locate(x)));
            lanes.store_first(result, y.add(whole), rest);
            finish.note(whole, open & ((1 << rest) - 1));
        }
    }
}

/// Gives the missing results of a block.
///
/// # Safety
///
/// y is where the block is.
#[inline(always)]
pub unsafe fn repair<I: Gather>(isa: I, sure: impl Fn(I::F32) -> I::F32, y: *mut f32, unsettled: &Unsettled) {
    // Their places, two at a time without a branch: more are rare in 64. What lies beyond the last is overwritten.
    const AT_ONCE: usize = 2;
    let mut places = MaybeUninit::<[u16; BLOCK + 8]>::uninit();
    let places: *mut u16 = places.as_mut_ptr().cast();
    let mut count = 0;
    for (number, word) in unsettled.words().enumerate() {
        if word == 0 {
            continue;
        }
        let (mut left, mut end) = (word, count);
        loop {
            for place in 0..AT_ONCE {
                // SAFETY: no more than AT_ONCE beyond one place for each element.
                unsafe { *places.add(end + place) = (64 * number) as u16 + left.trailing_zeros() as u16 };
                left &= left.wrapping_sub(1);
            }
            if left == 0 {
                break;
            }
            end += AT_ONCE;
        }
        count += word.count_ones() as usize;
    }
    // SAFETY: every place is one of the block; there are as many as a register has lanes beyond the last, which is repeated.
    unsafe {
        if count > 0 {
            let last = *places.add(count - 1);
            for lane in 0..I::LANES {
                *places.add(count + lane) = last;
            }
        }
        for first in (0..count).step_by(I::LANES) {
            let places = places.add(first);
            let mut lanes = [0f32; MOST_LANES];
            isa.store(sure(isa.load_at(y, places)), lanes.as_mut_ptr());
            for (i, &lane) in lanes.iter().enumerate().take(I::LANES) {
                y.add((*places.add(i)).into()).write_unaligned(lane);
            }
        }
    }
}

/// y[i·incy] = function(x[i·incx]) for all i < n, by a function of contiguous elements that works in place.
///
/// # Safety
///
/// The elements are there; x and y don't overlap, or are the same and so are their steps.
#[inline(never)]
pub unsafe fn strided<T: Copy>(
    function: unsafe extern "C" fn(usize, *const T, *mut T),
    n: usize,
    x: *const T,
    incx: isize,
    y: *mut T,
    incy: isize,
) {
    const AT_ONCE: usize = 512;
    let mut elements = MaybeUninit::<[T; AT_ONCE]>::uninit();
    let elements: *mut T = elements.as_mut_ptr().cast();
    for start in (0..n).step_by(AT_ONCE) {
        let length = AT_ONCE.min(n - start);
        // SAFETY: only elements below n, each read before it is written. No more than `length` of the buffer.
        unsafe {
            for i in 0..length {
                *elements.add(i) = x.offset((start + i) as isize * incx).read_unaligned();
            }
            function(length, elements, elements);
            for i in 0..length {
                y.offset((start + i) as isize * incy).write_unaligned(*elements.add(i));
            }
        }
    }
}

/// y[i] = function(x[i]) for all i < n, one after the other.
///
/// # Safety
///
/// n doubles are at x and at y, which are the same or don't overlap.
#[inline(always)]
pub unsafe fn each_double(function: impl Fn(f64) -> f64, n: usize, x: *const f64, y: *mut f64) {
    for i in 0..n {
        // SAFETY: elements below n.
        unsafe { y.add(i).write_unaligned(function(x.add(i).read_unaligned())) }
    }
}
