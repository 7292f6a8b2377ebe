//! Other libraries' functions of a register of floats.

use anyhow::{Context, Result};

use super::{Intel, glibc_version, intel_name};
use crate::common::comparison::{Candidate, Tolerance};
use crate::common::name::Name;
use crate::common::open;
use crate::common::vector::{Letter, VectorFunction};

/// Everybody's function of that name for registers of that letter.
pub fn peers(name: Name, letter: Letter, intel: &Intel) -> Vec<Candidate<VectorFunction>> {
    // High accuracy (below 1 ulp) and low (4 ulp); of expf there is a correctly rounded one too.
    let mut peers: Vec<_> =
        [("SVML HA", "_ha"), ("SVML LA", "")].map(|(peer, suffix)| svml(peer, suffix, name, letter, intel)).into();
    if name == Name::Expf {
        peers.push(svml("SVML CR", "_cr", name, letter, intel));
    }
    if name.is_iso() {
        peers.insert(0, libmvec(name, letter));
        peers.push(sleef(name, letter));
    }
    peers
}

/// The name of a function in the vector function ABI.
pub fn symbol(name: Name, letter: Letter) -> String {
    format!("_ZGV{}N{}v_{}", letter.text(), letter.lanes(), name.text())
}

pub fn libmvec(name: Name, letter: Letter) -> Candidate<VectorFunction> {
    let function =
        open("libmvec.so.1").and_then(|library| VectorFunction::find(library, &symbol(name, letter), letter));
    Candidate::new(
        format!("libmvec {} (glibc {})", letter.text(), glibc_version().unwrap_or_default()),
        function,
        Tolerance::Ulps(4),
    )
}

/// The code that SVML has for the letter's instructions, by the name of the code itself: the general name chooses by the
/// CPU's maker as well, and costs a jump.
fn svml(peer: &str, accuracy: &str, name: Name, letter: Letter, intel: &Intel) -> Candidate<VectorFunction> {
    let code = letter.of(["h8", "e9", "l9", "z0"]);
    let symbol = format!("__svml_{}{}{accuracy}_{code}", intel_name(name), letter.lanes());
    let function = intel.open("libsvml.so").and_then(|library| VectorFunction::find(library, &symbol, letter));
    Candidate::new(format!("{peer} {}", letter.text()), function, Tolerance::Ulps(5))
}

fn sleef(name: Name, letter: Letter) -> Candidate<VectorFunction> {
    let code = letter.of(["sse4", "avx", "avx2", "avx512f"]);
    let accuracy = if name == Name::Erfcf { "u15" } else { "u10" };
    let symbol = format!("Sleef_{}{}_{accuracy}{code}", name.text(), letter.lanes());
    let function: Result<_> =
        open("libsleef.so.3").context("libsleef").and_then(|library| VectorFunction::find(library, &symbol, letter));
    Candidate::new(format!("SLEEF {}", letter.text()), function, Tolerance::Ulps(5))
}
