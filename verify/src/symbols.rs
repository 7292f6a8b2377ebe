//! `symbols`: what a built library shows the linker and the loader, against what is promised.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, FlowControl};
use object::elf;
use object::read::archive::ArchiveFile;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Architecture, FileKind, Object, ObjectSection, ObjectSymbol, SymbolKind, SymbolScope};

/// The name that programs linked with the shared library ask the loader for, as build.rs has it.
pub const SONAME: &str = concat!("libhalfulp.so.", env!("CARGO_PKG_VERSION_MAJOR"));

const EXPORTS: [&str; 8] = [
    "__expf_finite",
    "erff",
    "expf",
    "halfulp_erff",
    "halfulp_expf",
    "halfulp_level",
    "halfulp_set_level",
    "halfulp_version",
];
/// What the library takes from the C library beside it: errno.
const IMPORTS: [&str; 1] = ["__errno_location"];
/// Where `__errno_location` lives with glibc. Built without a C runtime the library names nothing at all.
const NEEDED: [&str; 1] = ["libc.so.6"];
/// Every panic goes through `core::panicking` to the panic handler, whose symbol ends in this name.
const PANIC_PATH: [&str; 2] = ["core9panicking", "rust_begin_unwind"];
/// What every x86-64 CPU has: what the 8086 and its successors brought, and the baseline of the System V ABI.
const BASELINE: [CpuidFeature; 16] = [
    CpuidFeature::INTEL8086,
    CpuidFeature::INTEL186,
    CpuidFeature::INTEL386,
    CpuidFeature::INTEL486,
    CpuidFeature::X64,
    CpuidFeature::CMOV,
    CpuidFeature::CPUID,
    CpuidFeature::CX8,
    CpuidFeature::FPU,
    CpuidFeature::FXSR,
    CpuidFeature::MMX,
    CpuidFeature::SSE,
    CpuidFeature::SSE2,
    CpuidFeature::SYSCALL,
    CpuidFeature::MULTIBYTENOP,
    // endbr64, with which some compilers begin every function: older CPUs take it for a nop.
    CpuidFeature::CET_IBT,
];
const BASELINE_PROMISE: &str = "executes nothing beyond the x86-64 baseline before it has looked at the CPU";
/// The promise is "under 256 KB"; the library of today has a twentieth of that.
const SIZE_LIMIT: u64 = 256 << 10;

/// Check exported names, dependencies and hygiene of a built library.
#[derive(clap::Args)]
pub struct Arguments {
    /// The shared library (libhalfulp.so) or the archive (libhalfulp.a)
    file: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let file = &arguments.file;
    let data = read(file)?;
    let mut report = Report::default();
    match FileKind::parse(&*data) {
        Ok(FileKind::Archive) => archive(&data, &mut report).with_context(|| file.display().to_string())?,
        _ => shared(&parse(file, &data)?, &mut report).with_context(|| file.display().to_string())?,
    }
    if report.failed > 0 {
        bail!("{}: {} of {} checks failed", file.display(), report.failed, report.made);
    }
    Ok(())
}

pub fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

pub fn parse<'a>(file: &Path, data: &'a [u8]) -> Result<ElfFile64<'a>> {
    if !matches!(FileKind::parse(data), Ok(FileKind::Elf64)) {
        bail!("{} is not a 64-bit ELF file", file.display());
    }
    ElfFile64::parse(data).with_context(|| format!("{} is damaged", file.display()))
}

/// Counts the checks, and prints a line for each.
#[derive(Default)]
struct Report {
    made: u32,
    failed: u32,
}

impl Report {
    fn check(&mut self, promise: &str, faults: Vec<String>) {
        self.made += 1;
        if faults.is_empty() {
            println!("ok    {promise}");
        } else {
            self.failed += 1;
            println!("FAIL  {promise}: {}", faults.join(", "));
        }
    }
}

fn shared(library: &ElfFile64, report: &mut Report) -> Result<()> {
    if library.elf_header().e_type(library.endian()) != elf::ET_DYN {
        bail!("not a shared library");
    }
    let (imports, exports): (Vec<_>, Vec<_>) = library.dynamic_symbols().partition(|symbol| symbol.is_undefined());
    report.check(&exports_promise(), exactly(&EXPORTS, names(exports.iter().copied())));
    report.check(&imports_promise(), beyond(&IMPORTS, &names(imports)));
    dynamic_section(library, report)?;
    segments(library, report);
    if library.architecture() == Architecture::X86_64 {
        report.check(BASELINE_PROMISE, beyond_baseline(library, &exports)?);
    }
    if library.symbols().next().is_some() {
        report.check("has no panic path", panic_path(library));
    } else {
        println!("?     has no panic path: can't be told from a stripped file");
    }
    Ok(())
}

fn dynamic_section(library: &ElfFile64, report: &mut Report) -> Result<()> {
    let (mut needed, mut sonames, mut text_relocations) = (BTreeSet::new(), BTreeSet::new(), vec![]);
    let dynamic = library.elf_dynamic_table()?;
    for entry in &dynamic {
        let text = || dynamic.string(entry).map(|name| String::from_utf8_lossy(name).into_owned());
        match entry.tag {
            elf::DT_NEEDED => _ = needed.insert(text()?),
            elf::DT_SONAME => _ = sonames.insert(text()?),
            elf::DT_TEXTREL => text_relocations.push("DT_TEXTREL is there".into()),
            elf::DT_FLAGS if elf::DynamicFlags(entry.val).contains(elf::DF_TEXTREL) => {
                text_relocations.push("DF_TEXTREL is set".into());
            }
            _ => {}
        }
    }
    report.check(&format!("needs no library but {}", NEEDED.join(", ")), beyond(&NEEDED, &needed));
    report.check(&format!("is named {SONAME}"), exactly(&[SONAME], sonames));
    report.check("has no relocations in its code", text_relocations);
    Ok(())
}

fn segments(library: &ElfFile64, report: &mut Report) {
    let endian = library.endian();
    let of_type = |wanted| library.elf_program_headers().iter().filter(move |segment| segment.p_type(endian) == wanted);
    let has = |segment: &elf::ProgramHeader64<_>, flag| segment.p_flags(endian).contains(flag);

    let stack = match of_type(elf::PT_GNU_STACK).next() {
        None => vec!["PT_GNU_STACK is missing".into()],
        Some(stack) if has(stack, elf::PF_X) => vec!["PT_GNU_STACK is executable".into()],
        Some(_) => vec![],
    };
    report.check("asks for a stack that is not executable", stack);

    let open = of_type(elf::PT_LOAD).filter(|&segment| has(segment, elf::PF_W) && has(segment, elf::PF_X));
    let open = open.map(|segment| format!("the one at {:#x} is", segment.p_vaddr(endian))).collect();
    report.check("has no segment both writable and executable", open);

    // What strip leaves, but for the section headers: all that is not loaded can go.
    let size: u64 = of_type(elf::PT_LOAD).map(|segment| segment.p_filesz(endian)).sum();
    let too_large = (size >= SIZE_LIMIT).then(|| "too large".into());
    report.check(&format!("loads {size} bytes, of less than {SIZE_LIMIT}"), too_large.into_iter().collect());
}

fn archive(data: &[u8], report: &mut Report) -> Result<()> {
    let (mut exported, mut undefined, mut panics) = (BTreeSet::new(), BTreeSet::new(), vec![]);
    let (mut is_x86_64, mut too_early) = (false, vec![]);
    for member in ArchiveFile::parse(data)?.members() {
        let member = member?;
        let file = PathBuf::from(String::from_utf8_lossy(member.name()).into_owned());
        let object = parse(&file, member.data(data)?)?;
        // Hidden names, which only the archive's own members see, are no exports.
        let exports: Vec<_> = object.symbols().filter(|symbol| symbol.scope() == SymbolScope::Dynamic).collect();
        // The other members hold the compiler's run-time functions, and no linker takes one unless ours asks for it.
        if !exports.is_empty() {
            undefined.extend(names(object.symbols().filter(|symbol| symbol.is_undefined())));
            panics.extend(panic_path(&object));
            if object.architecture() == Architecture::X86_64 {
                is_x86_64 = true;
                too_early.extend(beyond_baseline(&object, &exports)?);
            }
        }
        exported.extend(names(exports));
    }
    report.check(&exports_promise(), exactly(&EXPORTS, exported));
    report.check(&imports_promise(), beyond(&IMPORTS, &undefined));
    report.check("has no panic path", panics);
    if is_x86_64 {
        report.check(BASELINE_PROMISE, too_early);
    }
    Ok(())
}

fn exports_promise() -> String {
    format!("exports exactly the {} promised names", EXPORTS.len())
}

fn imports_promise() -> String {
    format!("leaves nothing undefined but {}", IMPORTS.join(", "))
}

fn names<'a>(symbols: impl IntoIterator<Item = impl ObjectSymbol<'a>>) -> BTreeSet<String> {
    symbols
        .into_iter()
        .filter_map(|symbol| Some(symbol.name().ok()?.to_owned()))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Symbols of panicking code. Fat LTO keeps none where no panic can happen.
fn panic_path(object: &ElfFile64) -> Vec<String> {
    let panics = |name: &String| PANIC_PATH.iter().any(|part| name.contains(part));
    names(object.symbols()).into_iter().filter(panics).collect()
}

/// Functions that execute something beyond the x86-64 baseline before their first jump. The exports are compiled for
/// newer CPUs and begin with a test of what this one has; no compiler promises that it moves none of the rest in front of
/// that test. Calls are not followed.
fn beyond_baseline<'a>(object: &ElfFile64, exports: &[impl ObjectSymbol<'a>]) -> Result<Vec<String>> {
    let mut faults = vec![];
    for function in exports.iter().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let name = function.name()?;
        let section = object.section_by_index(function.section_index().context("a function without a section")?)?;
        let start = function.address().checked_sub(section.address()).context("a function outside its section")?;
        let code = section.data()?.get(start as usize..).context("a function outside its section")?;
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            let features = instruction.cpuid_features();
            if instruction.is_invalid() || features.iter().any(|feature| !BASELINE.contains(feature)) {
                let (mnemonic, offset) = (instruction.mnemonic(), instruction.ip());
                faults.push(format!("{name} executes {mnemonic:?} at +{offset:#x}, which takes {features:?}"));
                break;
            }
            if !matches!(instruction.flow_control(), FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall)
            {
                break;
            }
        }
    }
    Ok(faults)
}

/// What is wrong with a set that should be exactly the promised one.
fn exactly(promised: &[&str], found: BTreeSet<String>) -> Vec<String> {
    let missing = promised.iter().filter(|&&name| !found.contains(name));
    missing.map(|name| format!("{name} is missing")).chain(beyond(promised, &found)).collect()
}

/// What is wrong with a set that should hold nothing beyond the promised one.
fn beyond(promised: &[&str], found: &BTreeSet<String>) -> Vec<String> {
    found
        .iter()
        .filter(|name| !promised.contains(&name.as_str()))
        .map(|name| format!("{name} is not promised"))
        .collect()
}
