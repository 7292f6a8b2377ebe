//! The floating-point environment of the calling thread: rounding mode and exception flags.
//!
//! Only foreign functions are called under a changed mode; the compiler is free to assume the default one for
//! arithmetic of our own, and there is none between a change and its undoing.

use std::fmt;

use clap::ValueEnum;

/// A rounding direction of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Mode {
    /// to nearest, ties to even
    Rn,
    /// upward
    Ru,
    /// downward
    Rd,
    /// toward zero
    Rz,
}

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Rn, Mode::Ru, Mode::Rd, Mode::Rz];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(["RN", "RU", "RD", "RZ"][*self as usize])
    }
}

/// A set of exception flags.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u8);

impl Flags {
    pub const INVALID: Flags = Flags(1);
    pub const OVERFLOW: Flags = Flags(2);
    pub const UNDERFLOW: Flags = Flags(4);
    pub const INEXACT: Flags = Flags(8);
    /// With division by zero, which no function raises.
    pub const ALL: Flags = Flags(31);

    #[must_use]
    pub fn with(self, other: Flags, condition: bool) -> Flags {
        if condition { Flags(self.0 | other.0) } else { self }
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names = ["NV", "OF", "UF", "NX", "DZ"].iter().enumerate().filter(|(i, _)| self.0 >> i & 1 == 1);
        let names: Vec<_> = names.map(|(_, name)| *name).collect();
        f.pad(&if names.is_empty() { "none".to_string() } else { names.join("+") })
    }
}

/// Runs `body` with the mode set and, at first, no flag raised.
pub fn with_mode<T>(mode: Mode, body: impl FnOnce() -> T) -> T {
    let before = machine::read();
    machine::set(mode);
    let result = body();
    machine::restore(before);
    result
}

pub use machine::{clear_flags, flags, raise_all_flags};

#[cfg(target_arch = "x86_64")]
mod machine {
    use super::{Flags, Mode};
    use std::arch::asm;

    const ALL_FLAGS: u32 = 0x3f;
    const MODE: u32 = 0x6000;

    pub fn read() -> u32 {
        let mut control = 0u32;
        // SAFETY: stores MXCSR into a variable of its size.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut control, options(nostack)) };
        control
    }

    pub fn restore(control: u32) {
        // SAFETY: the value was read from MXCSR, but for its mode and its flags.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &control, options(nostack)) };
    }

    pub fn set(mode: Mode) {
        let bits = [0x0000, 0x4000, 0x2000, 0x6000][mode as usize];
        restore(read() & !MODE & !ALL_FLAGS | bits);
    }

    #[inline(always)]
    pub fn clear_flags() {
        restore(read() & !ALL_FLAGS);
    }

    #[inline(always)]
    pub fn raise_all_flags() {
        restore(read() | ALL_FLAGS);
    }

    #[inline(always)]
    pub fn flags() -> Flags {
        // MXCSR: invalid, denormal operand, division by zero, overflow, underflow, inexact.
        let bits = read();
        let pick = |from: u32, to: u32| (bits >> from & 1) << to;
        Flags((pick(0, 0) | pick(3, 1) | pick(4, 2) | pick(5, 3) | pick(2, 4)) as u8)
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use super::{Flags, Mode};
    use std::arch::asm;

    const MODE: u64 = 3 << 22;
    const ALL_FLAGS: u64 = 0x9f;

    /// The control register; the flags have one of their own.
    pub fn read() -> u64 {
        let control: u64;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nostack)) };
        control
    }

    pub fn restore(control: u64) {
        // SAFETY: the value was read from FPCR, but for its mode.
        unsafe { asm!("msr fpcr, {}", in(reg) control, options(nostack)) };
    }

    pub fn set(mode: Mode) {
        restore(read() & !MODE | (mode as u64) << 22);
        clear_flags();
    }

    fn status() -> u64 {
        let status: u64;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpsr", out(reg) status, options(nostack)) };
        status
    }

    #[inline(always)]
    pub fn clear_flags() {
        // SAFETY: the value was read from FPSR, but for its flags.
        unsafe { asm!("msr fpsr, {}", in(reg) status() & !ALL_FLAGS, options(nostack)) };
    }

    #[inline(always)]
    pub fn raise_all_flags() {
        // SAFETY: the value was read from FPSR, but for its flags.
        unsafe { asm!("msr fpsr, {}", in(reg) status() | ALL_FLAGS, options(nostack)) };
    }

    #[inline(always)]
    pub fn flags() -> Flags {
        // FPSR: invalid, division by zero, overflow, underflow, inexact.
        let bits = status();
        let pick = |from: u32, to: u32| (bits >> from & 1) << to;
        Flags((pick(0, 0) | pick(2, 1) | pick(3, 2) | pick(4, 3) | pick(1, 4)) as u8)
    }
}
