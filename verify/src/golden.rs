//! The golden files: for every function and mode a digest of each block's right results, and the list of the inputs
//! whose values lie nearest to a rounding boundary, with their right results.
//!
//! They are made from the oracle's arithmetic and, where that lands near a boundary, by MPFR; never from the kernels.

use std::collections::HashMap;

use anyhow::{Context, Result};

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
        let digests = rows(digests).map(|row| row.map(|[block, modes @ ..]| (block as u32, modes)));
        let hard = rows(hard).map(|row| {
            row.map(|[x, results @ ..]| (f32::from_bits(x as u32), results.map(|result| f32::from_bits(result as u32))))
        });
        Ok(Golden { digests: digests.collect::<Result<_>>()?, hard: hard.collect::<Result<_>>()? })
    }

    pub fn digest(&self, block: u32, mode: Mode) -> Option<u64> {
        Some(self.digests.get(&block)?[mode as usize])
    }
}

/// The rows of a golden file: five numbers in hexadecimal; `#` begins a comment.
fn rows(text: &str) -> impl Iterator<Item = Result<[u64; 5]>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let words = line.split_whitespace().map(|word| u64::from_str_radix(word, 16));
        let row = words.collect::<Result<Vec<_>, _>>().with_context(|| format!("golden file: bad row {line:?}"))?;
        row.try_into().map_err(|_| anyhow::anyhow!("golden file: {line:?} has not five numbers"))
    })
}
