//! The 2^32 inputs, in 256 blocks of 2^24: block b holds the floats whose bits begin with the byte b.

use std::ops::Range;

use clap::Args;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::entry::Call;
use crate::environment::{Mode, with_mode};

pub const BLOCKS: u32 = 256;
pub const INPUTS_A_BLOCK: u32 = 1 << 24;
/// Results are computed so many at a time: they and the inputs stay in the second cache.
pub const CHUNK: usize = 1 << 14;
/// So many floats are in a cache line.
const LINE: usize = 16;

/// Which blocks are looked at.
#[derive(Args, Clone)]
pub struct Selection {
    /// Look at one block in N only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    sample: u32,

    /// With --sample: begin at block K mod N, so that runs with different K see different blocks
    #[arg(long, value_name = "K", default_value_t = 0)]
    offset: u32,

    /// Look at these blocks only
    #[arg(long, value_name = "B,…", value_delimiter = ',', conflicts_with_all = ["sample", "offset"],
          value_parser = clap::value_parser!(u32).range(0..256))]
    blocks: Vec<u32>,
}

impl Selection {
    pub fn blocks(&self) -> Vec<u32> {
        if self.blocks.is_empty() {
            (self.offset % self.sample..BLOCKS).step_by(self.sample as usize).collect()
        } else {
            self.blocks.clone()
        }
    }

    /// How many runs with smaller offsets have seen the same blocks.
    pub fn turn(&self) -> u32 {
        self.offset / self.sample
    }
}

/// The chunks of a block, as ranges of bit patterns.
pub fn chunks(block: u32) -> impl Iterator<Item = Range<u64>> {
    let start = u64::from(block) * u64::from(INPUTS_A_BLOCK);
    (start..start + u64::from(INPUTS_A_BLOCK)).step_by(CHUNK).map(|first| first..first + CHUNK as u64)
}

/// The inputs of a chunk.
pub fn inputs(chunk: Range<u64>) -> impl Iterator<Item = f32> {
    chunk.map(|bits| f32::from_bits(bits as u32))
}

/// The results for the inputs of a chunk, in a mode.
pub fn results(call: &Call, mode: Mode, chunk: Range<u64>, results: &mut [f32; CHUNK]) {
    // Each mode has another turn, so that all of a block is called for in long and in short arrays.
    let turn = chunk.start / CHUNK as u64 + mode as u64;
    // Inputs and results lie differently in their cache lines, so that a piece has any alignment of both.
    let mut room = [0.0; CHUNK + LINE];
    let places = &mut room[turn as usize % LINE..][..CHUNK];
    for (place, x) in places.iter_mut().zip(inputs(chunk)) {
        *place = x;
    }
    with_mode(mode, || call.sweep(turn, places, results));
}

/// Runs `work` on every block, on all cores, behind a progress bar on a terminal's standard error.
pub fn each<T: Send>(title: &str, blocks: &[u32], work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let style = ProgressStyle::with_template("{msg:30} {wide_bar} {pos}/{len} blocks, {eta} left")
        .expect("the template is well formed");
    let bar = ProgressBar::new(blocks.len() as u64).with_style(style).with_message(title.to_string());
    // One block at a time: their costs differ, and halves of the range would leave a core idle.
    let results = blocks.par_iter().with_max_len(1).progress_with(bar.clone()).map(|&block| apart(block, &work));
    let results = results.collect();
    bar.finish_and_clear();
    results
}

/// Keeps the work's arrays out of the frames of the pool's own functions, which call one another many times over.
#[inline(never)]
fn apart<T>(block: u32, work: &impl Fn(u32) -> T) -> T {
    work(block)
}

/// The digest of results: XXH3 (64 bits) of their bit patterns, little-endian, in the order of their inputs.
#[derive(Default)]
pub struct Digest(Xxh3);

impl Digest {
    pub fn add(&mut self, results: &[f32; CHUNK]) {
        let mut bytes = [[0; 4]; CHUNK];
        for (bytes, result) in bytes.iter_mut().zip(results) {
            *bytes = result.to_bits().to_le_bytes();
        }
        self.0.update(bytes.as_flattened());
    }

    pub fn value(&self) -> u64 {
        self.0.digest()
    }
}
