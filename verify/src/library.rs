//! A shared library under test.

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use libloading::{Library as Handle, Symbol};

use crate::entry::{Bulk, Call, Entry, Unary};

/// Which library is under test, and at which level.
#[derive(Args)]
pub struct Target {
    /// The shared library [default: libhalfulp.so beside this program, else libhalfulp.so.0]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// The level to force, such as scalar or avx2 (halfulp only) [default: what the library chooses]
    #[arg(long)]
    level: Option<String>,
}

impl Target {
    pub fn open(&self) -> Result<Library> {
        let library = Library::open(self.library.as_deref())?;
        if let Some(level) = &self.level {
            library.set_level(level)?;
        }
        Ok(library)
    }
}

/// A loaded library. It stays loaded as long as the process: functions of it are kept in static places.
pub struct Library {
    handle: &'static Handle,
    path: PathBuf,
}

impl Library {
    /// Loads a file, or by default the libhalfulp.so that lies beside this program, else the one the loader finds.
    pub fn open(file: Option<&Path>) -> Result<Self> {
        let path = file.map_or_else(default_path, Path::to_path_buf);
        if path.components().count() > 1 && !path.exists() {
            bail!("no such file: {}", path.display());
        }
        // SAFETY: loading runs the library's constructors; whoever names a file to check trusts it that far.
        let handle = unsafe { Handle::new(&path) }.with_context(|| format!("cannot load {}", path.display()))?;
        Ok(Library { handle: Box::leak(Box::new(handle)), path })
    }

    /// A function of it in words: "erff of libhalfulp.so, level fma".
    pub fn describe(&self, symbol: &str) -> String {
        let level = self.level().map(|level| format!(", level {level}")).unwrap_or_default();
        format!("{symbol} of {}{level}", self.path.display())
    }

    fn symbol<T>(&self, name: &str) -> Result<Symbol<'static, T>> {
        // SAFETY: the callers below name the type that halfulp.h or <math.h> gives the symbol.
        let symbol = unsafe { self.handle.get::<T>(name) };
        symbol.map_err(|_| anyhow::anyhow!("{} has no symbol {name}", self.path.display()))
    }

    /// A function from a number to a number, by its name.
    pub fn unary<T: 'static>(&self, name: &str) -> Result<Unary<T>> {
        Ok(*self.symbol::<Unary<T>>(name)?)
    }

    /// A function over arrays of numbers, by its name.
    pub fn bulk<T: 'static>(&self, name: &str) -> Result<Bulk<T>> {
        Ok(*self.symbol::<Bulk<T>>(name)?)
    }

    /// A function of it by its name, which is of the type that the entry point has.
    pub fn call(&self, entry: Entry, name: &str) -> Result<Call> {
        entry.check()?;
        Ok(match entry {
            Entry::Scalar => Call::Scalar(self.unary(name)?),
            Entry::Bulk | Entry::Faithful => Call::Bulk(self.bulk(name)?),
            Entry::Vector(letter) => Call::Vector(letter, *self.symbol(name)?),
        })
    }

    /// The normal distribution over an array, by its name.
    #[cfg(feature = "judges")]
    pub fn scaled(&self, name: &str) -> Result<crate::scaled::Scaled> {
        Ok(*self.symbol::<crate::scaled::Scaled>(name)?)
    }

    /// The library's version if it is halfulp.
    pub fn version(&self) -> Option<String> {
        self.text("halfulp_version")
    }

    /// The level that runs, if it is halfulp.
    pub fn level(&self) -> Option<String> {
        self.text("halfulp_level")
    }

    pub fn set_level(&self, level: &str) -> Result<()> {
        let set = self.symbol::<unsafe extern "C" fn(*const c_char) -> c_int>("halfulp_set_level")?;
        let name = CString::new(level)?;
        // SAFETY: the argument ends in a zero byte.
        if unsafe { set(name.as_ptr()) } != 0 {
            bail!("level {level} is unknown or not available on this CPU");
        }
        Ok(())
    }

    fn text(&self, name: &str) -> Option<String> {
        let function = self.symbol::<extern "C" fn() -> *const c_char>(name).ok()?;
        // SAFETY: both functions return a string that lives as long as the program.
        Some(unsafe { CStr::from_ptr(function()) }.to_string_lossy().into_owned())
    }
}

fn default_path() -> PathBuf {
    let name = format!("{}halfulp{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(name)));
    // By its SONAME a library is searched for in the loader's own places.
    beside.filter(|path| path.exists()).unwrap_or_else(|| PathBuf::from("libhalfulp.so.0"))
}
