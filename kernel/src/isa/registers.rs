//! Vector registers as types with operators.

use core::ops::{Add, Mul, Sub};

use super::Float;

/// Runs intrinsics.
///
/// SAFETY of every use: a token of the instruction set is there, or a value that only such a token makes, and the token
/// is the proof that this CPU has the instructions.
macro_rules! proven {
    ($($body:tt)*) => { unsafe { $($body)* } };
}
pub(super) use proven;

/// A type for a register, with operators that are one instruction each.
macro_rules! register {
    ($name:ident($register:ty) $($operator:ident::$method:ident = $intrinsic:ident),+) => {
        #[derive(Clone, Copy)]
        pub struct $name(pub $register);

        $(impl core::ops::$operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                proven! { Self($intrinsic(self.0, other.0)) }
            }
        })+
    };
}
pub(super) use register;

/// The lanes of one register of f32 as f64: the lower half and the upper half.
#[derive(Clone, Copy)]
pub struct Pair<T>(pub(super) T, pub(super) T);

impl<T> Pair<T> {
    #[inline(always)]
    pub(super) fn map<U>(self, f: impl Fn(T) -> U) -> Pair<U> {
        Pair(f(self.0), f(self.1))
    }
    #[inline(always)]
    pub(super) fn zip<U>(self, other: Pair<U>) -> Pair<(T, U)> {
        Pair((self.0, other.0), (self.1, other.1))
    }
}

impl<T: Float> Add for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Pair(self.0 + other.0, self.1 + other.1)
    }
}
impl<T: Float> Sub for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Pair(self.0 - other.0, self.1 - other.1)
    }
}
impl<T: Float> Mul for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Pair(self.0 * other.0, self.1 * other.1)
    }
}
