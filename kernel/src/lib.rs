//! The mathematics of halfulp: one generic definition a function, written over the lanes of an
//! instruction set ([`isa::Isa`]). Safe code, no library calls, no allocation; intrinsics live in `isa/` alone.
#![no_std]

pub mod arrays;
mod cells;
pub mod double;
pub mod erf;
pub mod erfc;
pub mod exp;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))] // no other target has fused multiply-add that is worth it
pub mod faithful;
pub mod half;
pub mod isa;
pub mod normal;
pub mod tail;

// Written by coeffs/. A coefficient may come near a constant that has a name, and is not it.
#[rustfmt::skip]
#[expect(clippy::approx_constant)]
mod data {
    pub mod bfloat16;
    pub mod double;
    pub mod double_fast;
    pub mod erf;
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // no other instruction set has a fast phase
    pub mod erf_fast;
    pub mod erfc;
    pub mod exp;
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub mod exp_fast;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub mod faithful;
    pub mod normal;
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub mod tail_fast;
}
