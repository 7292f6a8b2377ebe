//! The golden files: for every function and mode a digest of each block's right results, and the list of the inputs
//! whose values lie nearest to a rounding boundary, with their right results.
//!
//! They are made from the oracle's arithmetic and, where that lands near a boundary, by MPFR; never from the kernels. The
//! digests of the faithful tier are the one exception: its results are not the only right ones, but the same bits as ever.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};

use crate::contract::Function;
use crate::environment::Mode;

/// The golden files of one function.
pub struct Golden {
    digests: HashMap<u32, [u64; 4]>,
    pub hard: Vec<(f32, [f32; 4])>,
}

impl Golden {
    pub fn of(function: Function) -> Result<Self> {
        macro_rules! files {
            ($name:literal) => {
                (
                    include_str!(concat!("../golden/", $name, ".digests")),
                    include_str!(concat!("../golden/", $name, ".hard")),
                )
            };
        }
        let (digests, hard) = match function {
            Function::Erff => files!("erff"),
            Function::Expf => files!("expf"),
            Function::Erfcf => files!("erfcf"),
            Function::Normcdff => files!("normcdff"),
            Function::Geluf => files!("geluf"),
            Function::GelufGrad => files!("geluf_grad"),
        };
        let hard = rows(hard).map(|row| {
            row.map(|[x, results @ ..]| (f32::from_bits(x as u32), results.map(|result| f32::from_bits(result as u32))))
        });
        Ok(Golden { digests: digests_of(digests)?, hard: hard.collect::<Result<_>>()? })
    }

    /// Those of its faithful form, at a level.
    pub fn of_faithful(function: Function, level: Option<&str>) -> Result<Self> {
        let exact = Golden::of(function)?;
        let digests = match function {
            Function::Erff => include_str!("../golden/erff_faithful.digests"),
            Function::Expf => include_str!("../golden/expf_faithful.digests"),
            Function::Normcdff => include_str!("../golden/normcdff_faithful.digests"),
            Function::Geluf => include_str!("../golden/geluf_faithful.digests"),
            Function::GelufGrad => include_str!("../golden/geluf_grad_faithful.digests"),
            Function::Erfcf => bail!("there is no faithful erfcf"),
        };
        if level.is_some_and(|level| !is_fused(level)) {
            return Ok(exact);
        }
        Ok(Golden { digests: digests_of(digests)?, ..exact })
    }

    pub fn digest(&self, block: u32, mode: Mode) -> Option<u64> {
        Some(self.digests.get(&block)?[mode as usize])
    }
}

/// Whether a level has fused multiply-add. The others run the exact functions in the place of the faithful ones.
pub fn is_fused(level: &str) -> bool {
    !["scalar", "sse2"].contains(&level)
}

fn digests_of(text: &str) -> Result<HashMap<u32, [u64; 4]>> {
    rows(text).map(|row| row.map(|[block, modes @ ..]| (block as u32, modes))).collect()
}

/// The rows of a golden file: five numbers in hexadecimal; `#` begins a comment.
fn rows(text: &str) -> impl Iterator<Item = Result<[u64; 5]>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let words = line.split_whitespace().map(|word| u64::from_str_radix(word, 16));
        let row = words.collect::<Result<Vec<_>, _>>().with_context(|| format!("golden file: bad row {line:?}"))?;
        row.try_into().map_err(|_| anyhow::anyhow!("golden file: {line:?} has not five numbers"))
    })
}
