//! Functions over arrays, a register at a time. In place is allowed, so these take pointers: a shared and a mutable
//! slice of the same memory must not be.

use core::hint::{black_box, cold_path};
use core::mem::MaybeUninit;

use crate::isa::{Fused, Gather, Isa, Lanes};

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

/// The fast phase of a function: a result, and whether it is certainly one that the tier promises. It is one long chain of
/// operations, longer than what a CPU looks ahead, so it is cut in three.
pub trait Fast: Copy {
    /// Whether a loop works on three registers at a time, for which there must be enough of them.
    const PIPELINED: bool;

    type Lanes: Fused;
    type Located: Copy;
    type Evaluated: Copy;

    fn lanes(self) -> Self::Lanes;
    fn locate(self, x: F32<Self>) -> Self::Located;
    fn evaluate(self, located: Self::Located) -> Self::Evaluated;
    /// The result, and where it is settled. Elsewhere it is x, but for [`each_faithful`] it may be anything.
    fn settle(self, x: F32<Self>, evaluated: Self::Evaluated) -> (F32<Self>, Mask<Self>);
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

    /// Of a block of that length, no word of which is written yet.
    #[inline(always)]
    fn unwritten(length: usize) -> Self {
        Unsettled { words: [MaybeUninit::uninit(); BLOCK / 64], length }
    }

    /// Sets bits of one word from this place on. All words are written when the first are.
    #[cold]
    #[inline(never)]
    fn set(&mut self, any: &mut bool, place: usize, bits: u32) {
        if !*any {
            *any = true;
            for word in self.words.iter_mut() {
                // Seen by nobody, so that the compiler makes no call of memset.
                word.write(black_box(0));
            }
        }
        // SAFETY: the word of a place of the block; it is written.
        unsafe { *self.words.as_mut_ptr().cast::<u64>().add(place / 64) |= u64::from(bits) << (place % 64) };
    }

    /// Where a bit is set, in order.
    fn each_place(&self, mut work: impl FnMut(usize)) {
        for (number, mut word) in self.words().enumerate() {
            while word != 0 {
                work(64 * number + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
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
            let words = unsettled.words.as_mut_ptr().cast();
            registers(fast, Always(words), unsettled.length, x.add(start), y);
            repair(y, &unsettled);
        }
    }
}

/// The same where `fast` leaves little open, and `exact`, a function of an array, gives that.
///
/// # Safety
///
/// As of [`each_fast`].
#[inline(always)]
pub unsafe fn each_faithful<F: Fast>(
    fast: F,
    exact: unsafe extern "C" fn(usize, *const f32, *mut f32),
    n: usize,
    x: *const f32,
    y: *mut f32,
) {
    for start in (0..n).step_by(BLOCK) {
        // SAFETY: elements from `start` to the end of a block or to n.
        unsafe {
            let y = y.add(start);
            let mut unsettled = Unsettled::unwritten(BLOCK.min(n - start));
            let length = unsettled.length;
            let mut seldom = Seldom { unsettled: &mut unsettled, any: false };
            registers(fast, &mut seldom, length, x.add(start), y);
            if seldom.any {
                redo(exact, y, &unsettled);
            }
        }
    }
}

/// Where the bits of lanes that are open go.
trait Note {
    /// Whether registers that have none are not noted.
    const SELDOM: bool;
    /// Notes the bits of the register that begins at this place, as many as it has lanes.
    fn note(&mut self, place: usize, lanes: usize, open: u32);
}

/// Each register's in their place: where many lanes are open, without a branch.
struct Always(*mut u64);
impl Note for Always {
    const SELDOM: bool = false;
    #[inline(always)]
    fn note(&mut self, place: usize, lanes: usize, open: u32) {
        // SAFETY: the bits of a block's elements, to the end of the register that has the last one.
        unsafe { self.0.cast::<u8>().add(place / 8).copy_from_nonoverlapping(open.to_le_bytes().as_ptr(), lanes / 8) };
    }
}

/// Where open lanes are so rare that a branch is foreseen. Until there are any, no word is written.
struct Seldom<'a> {
    unsettled: &'a mut Unsettled,
    any: bool,
}
impl Note for &mut Seldom<'_> {
    const SELDOM: bool = true;
    #[inline(always)]
    fn note(&mut self, place: usize, _lanes: usize, open: u32) {
        self.unsettled.set(&mut self.any, place, open);
    }
}

/// The loop over registers.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
#[inline(always)]
unsafe fn registers<F: Fast, N: Note>(fast: F, mut note: N, n: usize, x: *const f32, y: *mut f32) {
    let (lanes, width) = (fast.lanes(), F::Lanes::LANES);
    let rest = n % width;
    let whole = n - rest;
    // SAFETY: only elements below n are touched, and each is read before it is written.
    unsafe {
        if whole > 0 && F::PIPELINED {
            // One is located while the one before it is evaluated and the one before that settled. Beyond the end the first
            // register is worked on again, for nothing.
            let load = |i: usize| lanes.load(x.add(if i < whole { i } else { 0 }));
            let mut evaluated = fast.evaluate(fast.locate(load(0)));
            let mut located = fast.locate(load(width));
            for i in (0..whole).step_by(width) {
                let next = fast.locate(load(i + 2 * width));
                let after = fast.evaluate(located);
                finish(fast, &mut note, load(i), evaluated, i, y);
                (located, evaluated) = (next, after);
            }
        } else {
            for i in (0..whole).step_by(width) {
                let x = lanes.load(x.add(i));
                finish(fast, &mut note, x, fast.evaluate(fast.locate(x)), i, y);
            }
        }
        if rest > 0 {
            let x = lanes.load_first(x.add(whole), rest);
            let (result, settled) = fast.settle(x, fast.evaluate(fast.locate(x)));
            lanes.store_first(lanes.select(settled, result, x), y.add(whole), rest);
            let open = !lanes.lanes_of(settled) & ((1 << rest) - 1);
            if !N::SELDOM || open != 0 {
                note.note(whole, width, open);
            }
        }
    }
}

/// Stores and notes what a register comes to.
///
/// # Safety
///
/// A register of floats is at this place of y.
#[inline(always)]
unsafe fn finish<F: Fast, N: Note>(
    fast: F,
    note: &mut N,
    x: F32<F>,
    evaluated: F::Evaluated,
    place: usize,
    y: *mut f32,
) {
    let (lanes, width) = (fast.lanes(), F::Lanes::LANES);
    let (result, settled) = fast.settle(x, evaluated);
    let open = !lanes.lanes_of(settled) & (u32::MAX >> (32 - width));
    // SAFETY: the caller's promise.
    unsafe {
        lanes.store(result, y.add(place));
        if !N::SELDOM {
            note.note(place, width, open);
        } else if open != 0 {
            cold_path();
            lanes.store(lanes.select(settled, result, x), y.add(place));
            note.note(place, width, open);
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

/// Gives the missing results of a block by a function of an array.
///
/// # Safety
///
/// y is where the block is.
#[cold]
#[inline(never)]
unsafe fn redo(function: unsafe extern "C" fn(usize, *const f32, *mut f32), y: *mut f32, unsettled: &Unsettled) {
    let mut elements = MaybeUninit::<[f32; BLOCK]>::uninit();
    let elements: *mut f32 = elements.as_mut_ptr().cast();
    let mut count = 0;
    // SAFETY: places of the block, and no more of them than it has.
    unsafe {
        unsettled.each_place(|place| {
            elements.add(count).write(y.add(place).read_unaligned());
            count += 1;
        });
        function(count, elements, elements);
        count = 0;
        unsettled.each_place(|place| {
            y.add(place).write_unaligned(elements.add(count).read());
            count += 1;
        });
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
