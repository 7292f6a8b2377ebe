//! Timing functions of an array of floats.

use anyhow::{Result, ensure};

use super::comparison::{self, Candidate, Column, Comparison, Name};
use super::{ARGUMENTS, WINDOW};

/// Computes a result for each argument.
pub type ArrayFunction = Box<dyn Fn(&[f32], &mut [f32])>;

/// Nanoseconds an element: a column for each distribution and size.
pub fn measure(
    name: Name,
    candidates: impl IntoIterator<Item = Candidate<ArrayFunction>>,
    distributions: &[(&'static str, Vec<f32>)],
    sizes: &[usize],
    rounds: u32,
) -> Result<Comparison> {
    let x: Vec<_> = distributions.iter().flat_map(|(_, x)| &x[..WINDOW]).copied().collect();
    let subjects = comparison::subjects(name, candidates, &x, |function, x, y| function(x, y))?;
    ensure!(!subjects.is_empty(), "nothing can be timed");
    let mut columns = Vec::new();
    for &size in sizes {
        ensure!(size % 16 == 0 && size > 0, "{size} elements are not a multiple of 16");
        // Small arrays follow each other until as many elements are done as no branch predictor learns by heart. The
        // time is that of whole arrays.
        let arrays = ARGUMENTS.div_ceil(size);
        let repeated = |(_, x): &(_, Vec<f32>)| Aligned::new(x.iter().cycle().take(arrays * size).copied());
        let arguments: Vec<_> = distributions.iter().map(repeated).collect();
        let mut results = Aligned::new((0..arrays * size).map(|_| 1.0));
        let loads: Vec<_> = arguments.iter().map(|x| vec![x.elements()]).collect();
        let times = comparison::take_turns(rounds_of(size, rounds), subjects.len(), &loads, |_, subject, x| {
            let function = &subjects[subject].1;
            for (x, y) in x.chunks(size).zip(results.elements_mut().chunks_mut(size)) {
                function(x, y);
            }
        });
        let column = |((distribution, _), times): (&(&str, _), _)| Column {
            keys: vec![distribution.to_string(), size.to_string()],
            times,
        };
        columns.extend(distributions.iter().zip(times).map(column));
    }
    let subjects = subjects.into_iter().map(|(subject, _)| subject).collect();
    Ok(Comparison { function: name.text().into(), subjects, columns })
}

/// Fewer rounds for large arrays: each takes long enough to be measured well.
fn rounds_of(size: usize, rounds: u32) -> u32 {
    let few = rounds.min(10);
    let affordable = rounds as usize * 8 * ARGUMENTS / size;
    affordable.clamp(few as usize, rounds as usize) as u32
}

/// An array that begins at a cache line, with memory behind all of its pages since it has been written.
struct Aligned {
    memory: Vec<f32>,
    start: usize,
}

impl Aligned {
    fn new(elements: impl Iterator<Item = f32>) -> Aligned {
        const LINE: usize = 64;
        let (length, _) = elements.size_hint();
        let mut memory: Vec<f32> = Vec::with_capacity(length + LINE / size_of::<f32>());
        let start = memory.as_ptr().align_offset(LINE);
        memory.resize(start, 0.0);
        memory.extend(elements);
        Aligned { memory, start }
    }

    fn elements(&self) -> &[f32] {
        &self.memory[self.start..]
    }

    fn elements_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..]
    }
}
