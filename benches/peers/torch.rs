//! torch, in a process of its own: time_torch.py.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use super::folder;

pub struct Torch {
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    pub version: String,
}

impl Torch {
    /// Starts an interpreter that has torch.
    pub fn start(python: &Path) -> Result<Torch> {
        let mut process = Command::new(python)
            .arg(folder().join("time_torch.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| python.display().to_string())?;
        let (Some(commands), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("no pipes");
        };
        let mut torch = Torch { commands, answers: BufReader::new(answers), version: String::new() };
        torch.version = torch.answer().with_context(|| format!("{} has no torch", python.display()))?;
        Ok(torch)
    }

    /// What the next commands are about: arrays of that size.
    pub fn load(&mut self, x: &[f32], size: usize) -> Result<()> {
        let bytes: Vec<u8> = x.iter().flat_map(|x| x.to_ne_bytes()).collect();
        let file = NamedTempFile::new()?;
        fs::write(file.path(), bytes)?;
        self.ask(&format!("load\t{}\t{size}", file.path().display())).map(drop)
    }

    /// How long a function takes for all arrays.
    pub fn time(&mut self, function: &str) -> Result<Duration> {
        Ok(Duration::from_nanos(self.ask(&format!("time\t{function}"))?.parse()?))
    }

    /// The results of what was timed last.
    pub fn results(&mut self) -> Result<Vec<f32>> {
        let file = NamedTempFile::new()?;
        self.ask(&format!("save\t{}", file.path().display()))?;
        let bytes = fs::read(file.path())?;
        Ok(bytes.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes)).collect())
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        writeln!(self.commands, "{command}")?;
        self.answer()
    }

    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.strip_suffix('\n').context("torch has ended")?.into())
    }
}
