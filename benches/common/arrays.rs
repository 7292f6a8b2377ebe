//! Timing functions of an array.

use anyhow::{Result, ensure};

use super::comparison::{self, Candidate, Column, Comparison, timed};
use super::name::Name;
use super::number::Number;
use super::{ARGUMENTS, Distribution, WINDOW, right_results};

/// Computes a result for each argument.
pub type ArrayFunction<T> = Box<dyn Fn(&[T], &mut [T])>;

/// Nanoseconds an element: a column for each distribution and size. `beside` are functions in single precision that get the
/// same arguments.
pub fn measure<T: Number>(
    name: Name,
    candidates: impl IntoIterator<Item = Candidate<ArrayFunction<T>>>,
    beside: Vec<(String, ArrayFunction<f32>)>,
    distributions: &[Distribution<T>],
    sizes: &[usize],
    rounds: u32,
) -> Result<Comparison> {
    let x: Vec<_> = distributions.iter().flat_map(|(_, x)| &x[..WINDOW]).copied().collect();
    let right = right_results(name, &x)?;
    let subjects = comparison::subjects(name, candidates, &x, &right, |function, x, y| function(x, y));
    ensure!(!subjects.is_empty(), "nothing can be timed");
    let mut columns = Vec::new();
    for &size in sizes {
        let arguments: Vec<_> = distributions.iter().map(|(_, x)| repeated(x, size)).collect::<Result<_>>()?;
        let mut results = arguments[0].clone();
        let single = |x: &Aligned<T>| Aligned::new(x.elements().iter().map(|x| x.to_f64() as f32));
        let singles: Vec<_> = if beside.is_empty() { vec![] } else { arguments.iter().map(single).collect() };
        let mut single_results = singles.first().cloned();
        let loads: Vec<_> = arguments.iter().map(|x| vec![x.elements()]).collect();
        let all = subjects.len() + beside.len();
        let times = comparison::take_turns(rounds_of(size, rounds), all, &loads, |load, subject, x| {
            Ok(match (subjects.get(subject), &mut single_results) {
                (None, Some(results)) => {
                    let function = &beside[subject - subjects.len()].1;
                    timed(|| of_each_array(function, size, singles[load].elements(), results.elements_mut()))
                }
                (Some((_, function)), _) => timed(|| of_each_array(function, size, x, results.elements_mut())),
                (None, None) => unreachable!("there are arrays in single precision for what wants them"),
            })
        })?;
        let column = |((distribution, _), times): (&Distribution<T>, _)| Column {
            keys: vec![distribution.to_string(), size.to_string()],
            times,
        };
        columns.extend(distributions.iter().zip(times).map(column));
    }
    let names = subjects.into_iter().map(|(name, _)| name);
    let subjects = names.chain(beside.into_iter().map(|(name, _)| name)).collect();
    Ok(Comparison { function: name.text(), subjects, columns })
}

/// Arrays of one size that follow each other until as many elements are done as no branch predictor learns by heart. The time
/// is that of whole arrays.
pub fn repeated<T: Number>(x: &[T], size: usize) -> Result<Aligned<T>> {
    ensure!(size.is_multiple_of(16) && size > 0, "{size} elements are not a multiple of 16");
    let arrays = ARGUMENTS.div_ceil(size);
    Ok(Aligned::new(x.iter().cycle().take(arrays * size).copied()))
}

pub fn of_each_array<T>(function: &ArrayFunction<T>, size: usize, x: &[T], y: &mut [T]) {
    for (x, y) in x.chunks(size).zip(y.chunks_mut(size)) {
        function(x, y);
    }
}

/// Fewer rounds for large arrays: each takes long enough to be measured well.
pub fn rounds_of(size: usize, rounds: u32) -> u32 {
    let few = rounds.min(10);
    let affordable = rounds as usize * 8 * ARGUMENTS / size;
    affordable.clamp(few as usize, rounds as usize) as u32
}

/// An array that begins at a cache line, with memory behind all of its pages since it has been written.
pub struct Aligned<T> {
    memory: Vec<T>,
    start: usize,
}

impl<T: Number> Aligned<T> {
    pub fn new(elements: impl Iterator<Item = T>) -> Self {
        const LINE: usize = 64;
        let (length, _) = elements.size_hint();
        let mut memory: Vec<T> = Vec::with_capacity(length + LINE / size_of::<T>());
        let start = memory.as_ptr().align_offset(LINE);
        memory.resize(start, T::default());
        memory.extend(elements);
        Aligned { memory, start }
    }

    pub fn elements(&self) -> &[T] {
        &self.memory[self.start..]
    }

    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.start..]
    }
}

impl<T: Number> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Aligned::new(self.elements().iter().copied())
    }
}
