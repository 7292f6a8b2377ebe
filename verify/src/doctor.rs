//! `doctor`: which library a program's functions really come from.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use libloading::os::unix;
use object::elf;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Object, ObjectSymbol};

use crate::entry::Unary;
use crate::library::Library;
use crate::symbols::{AARCH64_VECTORS, SONAME, X86_64_VECTORS, parse, read};

/// What halfulp takes the place of, beside the vector functions.
const FUNCTIONS: [&str; 6] = ["erf", "erfc", "erfcf", "erff", "expf", "__expf_finite"];
/// Only halfulp defines this name.
const MARK: &str = "halfulp_version";

/// Tell which library a program's erf, erfc, erfcf, erff and expf come from, and which level runs.
///
/// The program is not run: its own dynamic loader is asked to bind its symbols and stop. LD_PRELOAD and
/// LD_LIBRARY_PATH count as they would in a run. Libraries that the program loads later by itself can't be seen.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program's file; without it, what any program linked with -lm would get in this environment
    program: Option<PathBuf>,
}

/// A function and where it comes from.
struct Binding {
    function: String,
    /// The file that calls it, if that is not the program itself.
    caller: Option<String>,
    provider: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut bindings = match &arguments.program {
        Some(program) => of_program(program)?,
        None => of_environment()?,
    };
    bindings.sort_by(|a, b| a.function.cmp(&b.function));
    if bindings.is_empty() {
        println!(
            "none of halfulp's functions is linked, as far as the symbol tables tell: there is nothing for it to do"
        );
        return Ok(());
    }
    let mut strangers = vec![];
    for Binding { function, caller, provider } in &bindings {
        let caller = caller.iter().map(|file| format!(" called by {file}")).collect::<String>();
        let halfulp = halfulp(provider)?;
        println!("{function}{caller}: {}, {}", provider.display(), halfulp.as_deref().unwrap_or("not halfulp"));
        if halfulp.is_none() {
            strangers.push(function.as_str());
        }
    }
    strangers.dedup();
    if !strangers.is_empty() {
        bail!(
            "{} not from halfulp: put -lhalfulp (or libhalfulp.a) before -lm when linking, or set LD_PRELOAD to the \
             path of libhalfulp.so",
            strangers.join(" and ")
        );
    }
    println!("all of these come from halfulp");
    Ok(())
}

/// Version and level of a file that holds halfulp.
fn halfulp(file: &Path) -> Result<Option<String>> {
    let data = read(file)?;
    let object = parse(file, &data)?;
    if object.dynamic_symbols().any(is_mark) {
        let library = Library::open(Some(file))?;
        let text = |value: Option<String>| value.unwrap_or_else(|| "unknown".into());
        return Ok(Some(format!("halfulp {}, level {}", text(library.version()), text(library.level()))));
    }
    Ok(object.symbols().any(is_mark).then(|| "halfulp, linked statically".into()))
}

fn is_replaced(name: &str) -> bool {
    [&FUNCTIONS[..], &X86_64_VECTORS, &AARCH64_VECTORS].iter().any(|names| names.contains(&name))
}

fn is_mark<'a>(symbol: impl ObjectSymbol<'a>) -> bool {
    symbol.name() == Ok(MARK) && !symbol.is_undefined()
}

fn of_program(program: &Path) -> Result<Vec<Binding>> {
    let data = read(program)?;
    if data.starts_with(b"#!") {
        bail!("{} is a script: give the program that runs it", program.display());
    }
    let object = parse(program, &data)?;
    let endian = object.endian();
    let segments = object.elf_program_headers();
    let loader = segments.iter().find_map(|segment| segment.interpreter(endian, &*data).transpose()).transpose()?;
    let mut bindings = vec![];
    match loader {
        Some(loader) => {
            let loader = Path::new(OsStr::from_bytes(loader));
            bindings = of_dynamic_program(&program.canonicalize()?, loader)?;
        }
        None if is_static_program(&object)? => {}
        None => bail!("{} is not a program", program.display()),
    }
    let own = object.symbols().filter(|symbol| symbol.is_global() && !symbol.is_undefined());
    let own = own.filter_map(|symbol| symbol.name().ok().filter(|name| is_replaced(name)));
    bindings.extend(own.map(|name| Binding { function: name.into(), caller: None, provider: program.into() }));
    Ok(bindings)
}

fn is_static_program(object: &ElfFile64) -> Result<bool> {
    let is_pie = |flags| elf::DynamicFlags1(flags).contains(elf::DF_1_PIE);
    let mut dynamic = object.elf_dynamic_table()?.iter();
    let fixed = object.elf_header().e_type(object.endian()) == elf::ET_EXEC;
    Ok(fixed || dynamic.any(|entry| entry.tag == elf::DT_FLAGS_1 && is_pie(entry.val)))
}

/// Asks glibc's loader, as `ldd -r` does: with LD_TRACE_LOADED_OBJECTS it loads the program and its libraries without
/// running them, with LD_WARN it binds their symbols as well, and with LD_DEBUG it says to what.
fn of_dynamic_program(program: &Path, loader: &Path) -> Result<Vec<Binding>> {
    let output = Command::new(loader)
        .arg(program)
        .envs([("LD_TRACE_LOADED_OBJECTS", "1"), ("LD_WARN", "1"), ("LD_BIND_NOW", "1"), ("LD_DEBUG", "bindings")])
        .env_remove("LD_DEBUG_OUTPUT")
        .output()
        .with_context(|| format!("cannot run {}, the loader of {}", loader.display(), program.display()))?;
    // Where the bindings are written differs between versions of glibc.
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
    if let Some((library, _)) = text.lines().find_map(|line| line.split_once(" => not found")) {
        bail!("{} is not found: install it, or put its folder into LD_LIBRARY_PATH", library.trim());
    }
    let bindings: Vec<_> = text.lines().filter_map(|line| binding(line, program)).collect();
    if bindings.is_empty() {
        bail!("{} does not tell what it binds; doctor understands that of glibc", loader.display());
    }
    Ok(bindings.into_iter().filter(|binding| is_replaced(&binding.function)).collect())
}

/// Reads a line such as "27940: binding file ./a.out [0] to /lib/libm.so.6 [0]: normal symbol `expf' [GLIBC_2.27]".
fn binding(line: &str, program: &Path) -> Option<Binding> {
    let (_, line) = line.split_once("binding file ")?;
    let (caller, line) = line.split_once(" [0] to ")?;
    let (provider, line) = line.split_once(" [0]: ")?;
    let (_, line) = line.split_once('`')?;
    let (function, _) = line.split_once('\'')?;
    let caller = (Path::new(caller) != program).then(|| caller.into());
    Some(Binding { function: function.into(), caller, provider: provider.into() })
}

/// Looks the functions up as the loader does for a program: what is preloaded comes first, then libm.
fn of_environment() -> Result<Vec<Binding>> {
    match Library::open(Some(Path::new(SONAME))) {
        Ok(library) => {
            let file = file_at(library.unary::<f32>("halfulp_erff")? as usize)?;
            println!("{SONAME}: the loader finds {}", file.display());
        }
        Err(_) => println!("{SONAME}: the loader does not find it"),
    }
    let libm = Library::open(Some(Path::new("libm.so.6")))?;
    let bind = |name: &str| {
        // SAFETY: only the address is used.
        let preloaded = unsafe { unix::Library::this().get::<Unary>(name) }.map(|function| *function);
        let function = preloaded.or_else(|_| libm.unary(name))?;
        Ok(Binding { function: name.into(), caller: None, provider: file_at(function as usize)? })
    };
    // __expf_finite is there for programs of old alone.
    FUNCTIONS.into_iter().filter(|name| !name.starts_with('_')).map(bind).collect()
}

/// The file that is mapped at an address of this process.
fn file_at(address: usize) -> Result<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").context("cannot read /proc/self/maps")?;
    let holds = |line: &&str| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let [start, end] = [start, end].map(|number| usize::from_str_radix(number, 16));
        Some((start.ok()?..end.ok()?).contains(&address))
    };
    let line = maps.lines().find(|line| holds(line) == Some(true)).context("a function lies in no file")?;
    Ok(line[line.find('/').context("a function lies in no file")?..].into())
}
