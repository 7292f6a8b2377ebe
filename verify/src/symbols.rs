//! `symbols`: what a built library shows the linker and the loader, against what is promised.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, FlowControl};
use object::elf;
use object::read::archive::ArchiveFile;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Architecture, FileKind, Object, ObjectSection, ObjectSymbol, SymbolFlags, SymbolKind, SymbolScope};

/// The name that programs linked with the shared library ask the loader for, as build.rs has it.
pub const SONAME: &str = concat!("libhalfulp.so.", env!("CARGO_PKG_VERSION_MAJOR"));

/// The names that are there on every CPU.
const EXPORTS: [&str; 50] = [
    "__expf_finite",
    "erf",
    "erfc",
    "erfcf",
    "erff",
    "expf",
    "halfulp_erf",
    "halfulp_erf_bf16_n",
    "halfulp_erf_f16_n",
    "halfulp_erf_n",
    "halfulp_erf_ni",
    "halfulp_erfc",
    "halfulp_erfc_n",
    "halfulp_erfc_ni",
    "halfulp_erfcf",
    "halfulp_erfcf_n",
    "halfulp_erfcf_ni",
    "halfulp_erff",
    "halfulp_erff_faithful_n",
    "halfulp_erff_n",
    "halfulp_erff_ni",
    "halfulp_exp_bf16_n",
    "halfulp_exp_f16_n",
    "halfulp_expf",
    "halfulp_expf_faithful_n",
    "halfulp_expf_n",
    "halfulp_expf_ni",
    "halfulp_gelu_bf16_n",
    "halfulp_gelu_f16_n",
    "halfulp_geluf",
    "halfulp_geluf_grad",
    "halfulp_geluf_grad_faithful_n",
    "halfulp_geluf_grad_n",
    "halfulp_geluf_grad_ni",
    "halfulp_geluf_faithful_n",
    "halfulp_geluf_n",
    "halfulp_geluf_ni",
    "halfulp_level",
    "halfulp_normcdf",
    "halfulp_normcdf_bf16_n",
    "halfulp_normcdf_f16_n",
    "halfulp_normcdf_n",
    "halfulp_normcdf_ni",
    "halfulp_normcdff",
    "halfulp_normcdff_faithful_n",
    "halfulp_normcdff_n",
    "halfulp_normcdff_ni",
    "halfulp_normcdff_scaled_n",
    "halfulp_set_level",
    "halfulp_version",
];
/// The names of the vector function ABIs.
pub const X86_64_VECTORS: [&str; 12] = [
    "_ZGVbN4v_erfcf",
    "_ZGVbN4v_erff",
    "_ZGVbN4v_expf",
    "_ZGVcN8v_erfcf",
    "_ZGVcN8v_erff",
    "_ZGVcN8v_expf",
    "_ZGVdN8v_erfcf",
    "_ZGVdN8v_erff",
    "_ZGVdN8v_expf",
    "_ZGVeN16v_erfcf",
    "_ZGVeN16v_erff",
    "_ZGVeN16v_expf",
];
pub const AARCH64_VECTORS: [&str; 6] =
    ["_ZGVnN2v_erfcf", "_ZGVnN2v_erff", "_ZGVnN2v_expf", "_ZGVnN4v_erfcf", "_ZGVnN4v_erff", "_ZGVnN4v_expf"];
/// What the library takes from the C library beside it: errno.
const IMPORTS: [&str; 1] = ["__errno_location"];
/// Where `__errno_location` lives with glibc. Built without a C runtime the library names nothing at all.
const NEEDED: [&str; 1] = ["libc.so.6"];
/// The newest version of glibc that the loader may be asked for a symbol of: systems of 2012 have it, and no glibc for
/// AArch64 is older.
const NEWEST_GLIBC: [u32; 2] = [2, 17];
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
/// What the callers of vector functions have beside it, from the oldest to the newest.
const BEYOND_BASELINE: [CpuidFeature; 7] = [
    CpuidFeature::SSE3,
    CpuidFeature::SSSE3,
    CpuidFeature::SSE4_1,
    CpuidFeature::SSE4_2,
    CpuidFeature::AVX,
    CpuidFeature::AVX2,
    CpuidFeature::AVX512F,
];
/// Code for five instruction sets is half of the library of today, tables of double precision a quarter.
const SIZE_LIMIT: u64 = 320 << 10;

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
    let architecture = library.architecture();
    exported_names(architecture, names(exports.iter().copied()), report);
    report.check(&imports_promise(), beyond(&IMPORTS, &names(imports)));
    dynamic_section(library, report)?;
    segments(library, report);
    calls_promise(architecture, faulty_calls(library, &exports)?, report);
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
    let [major, minor] = NEWEST_GLIBC;
    let newer = version_references(library)?.into_iter().filter(|version| !is_old_enough(version)).collect();
    report.check(&format!("asks for no version of a symbol that is newer than glibc {major}.{minor}"), newer);
    report.check("has no relocations in its code", text_relocations);
    Ok(())
}

/// The versions of symbols that the loader must find in other libraries.
fn version_references(library: &ElfFile64) -> Result<BTreeSet<String>> {
    let (endian, data, sections) = (library.endian(), library.data(), library.elf_section_table());
    let mut versions = BTreeSet::new();
    if let Some((mut libraries, strings)) = sections.gnu_verneed(endian, data)? {
        let strings = sections.strings(endian, data, strings)?;
        while let Some((_, mut of_library)) = libraries.next()? {
            while let Some(version) = of_library.next()? {
                versions.insert(String::from_utf8_lossy(version.name(endian, strings)?).into_owned());
            }
        }
    }
    Ok(versions)
}

/// Whether this is a version of glibc, and not one newer than [`NEWEST_GLIBC`].
fn is_old_enough(version: &str) -> bool {
    let numbers = version.strip_prefix("GLIBC_").map(|numbers| numbers.split('.').map(str::parse).collect());
    matches!(numbers, Some(Ok::<Vec<u32>, _>(numbers)) if numbers.as_slice() <= &NEWEST_GLIBC[..])
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
    let (mut architecture, mut faulty) = (Architecture::Unknown, vec![]);
    let (mut members, mut global) = (0, BTreeSet::new());
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
            architecture = object.architecture();
            faulty.extend(faulty_calls(&object, &exports)?);
        }
        exported.extend(names(exports));
        global.extend(names(object.symbols().filter(|symbol| symbol.is_global() && symbol.is_definition())));
        members += 1;
    }
    if members == 1 {
        // The installer's: a hidden name would still take the place of the C library's own in a program.
        let unpromised = global.difference(&exported).map(|name| format!("{name} is")).collect();
        report.check("has no name global but those that it exports", unpromised);
    }
    exported_names(architecture, exported, report);
    report.check(&imports_promise(), beyond(&IMPORTS, &undefined));
    report.check("has no panic path", panics);
    calls_promise(architecture, faulty, report);
    Ok(())
}

fn exported_names(architecture: Architecture, found: BTreeSet<String>, report: &mut Report) {
    let vectors = match architecture {
        Architecture::X86_64 => &X86_64_VECTORS[..],
        Architecture::Aarch64 => &AARCH64_VECTORS,
        _ => &[],
    };
    let promised = [&EXPORTS, vectors].concat();
    report.check(&format!("exports exactly the {} promised names", promised.len()), exactly(&promised, found));
}

fn calls_promise(architecture: Architecture, faults: Vec<String>, report: &mut Report) {
    match architecture {
        Architecture::X86_64 => {
            report.check("executes nothing that its callers may lack before it has looked at the CPU", faults);
        }
        Architecture::Aarch64 => report.check("says of its vector functions that they keep v8 to v23", faults),
        _ => {}
    }
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

/// What is wrong with the way functions are called, as far as it can be seen.
fn faulty_calls<'a>(object: &ElfFile64, exports: &[impl ObjectSymbol<'a> + Copy]) -> Result<Vec<String>> {
    match object.architecture() {
        Architecture::X86_64 => too_early(object, exports),
        Architecture::Aarch64 => Ok(without_variant_pcs(exports)),
        _ => Ok(vec![]),
    }
}

/// Vector functions that are not marked: the dynamic loader would bind them lazily, by code that keeps only half of v8 to
/// v15 and nothing of v16 to v23.
fn without_variant_pcs<'a>(exports: &[impl ObjectSymbol<'a> + Copy]) -> Vec<String> {
    let is_marked = |flags| match flags {
        SymbolFlags::Elf { st_other, .. } => st_other.contains(elf::STO_AARCH64_VARIANT_PCS),
        _ => false,
    };
    let vectors = exports.iter().filter(|symbol| symbol.name().is_ok_and(|name| AARCH64_VECTORS.contains(&name)));
    names(vectors.filter(|symbol| !is_marked(symbol.flags())).copied()).into_iter().collect()
}

/// What the callers of a function have beside the baseline.
fn beyond_baseline(name: &str) -> &[CpuidFeature] {
    let count = match name.get(..5) {
        Some("_ZGVb") => 4,
        Some("_ZGVc") => 5,
        Some("_ZGVd") => 6,
        Some("_ZGVe") => 7,
        _ => 0,
    };
    &BEYOND_BASELINE[..count]
}

/// Functions that execute something that their callers' CPU may lack before their first jump. The exports are compiled for
/// newer CPUs and begin with a test of what this one has; no compiler promises that it moves none of the rest in front of
/// that test. Calls are not followed.
fn too_early<'a>(object: &ElfFile64, exports: &[impl ObjectSymbol<'a>]) -> Result<Vec<String>> {
    let mut faults = vec![];
    for function in exports.iter().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let name = function.name()?;
        let section = object.section_by_index(function.section_index().context("a function without a section")?)?;
        let start = function.address().checked_sub(section.address()).context("a function outside its section")?;
        let code = section.data()?.get(start as usize..).context("a function outside its section")?;
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            let features = instruction.cpuid_features();
            let has = |feature| BASELINE.contains(feature) || beyond_baseline(name).contains(feature);
            if instruction.is_invalid() || !features.iter().all(has) {
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
