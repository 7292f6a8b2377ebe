//! `halfulp-verify symbols` passes what ships, and names the fault of each library that breaks one promise.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{compile, compile_with, library_folder, succeed, verify, written};

/// A library that keeps every promise as far as `symbols` looks.
const GOOD: &str = "
    extern int *__errno_location(void);
    #define ONE(type, name) type name(type x) { return x; }
    #define ARRAY(type, name) void name(unsigned long n, const type *x, type *y) { if (n) *y = *x; }
    #define STEPS(type, name) \\
        void name(unsigned long n, const type *x, long i, type *y, long j) { if (n + i + j) *y = *x; }
    #define ALL(type, name) ONE(type, name) ARRAY(type, name##_n) STEPS(type, name##_ni)
    #define HALVES(name) ARRAY(unsigned short, name##_f16_n) ARRAY(unsigned short, name##_bf16_n)
    float erff(float x) { return x; }
    float expf(float x) { *__errno_location() = 34; return x; }
    float __expf_finite(float x) { return x; }
    ONE(float, erfcf) ONE(double, erf) ONE(double, erfc)
    void halfulp_erff_n(unsigned long n, const float *x, float *y) { if (n) *y = *x; }
    ONE(float, halfulp_erff) STEPS(float, halfulp_erff_ni) ALL(float, halfulp_expf) ALL(float, halfulp_erfcf)
    ALL(float, halfulp_normcdff) ALL(float, halfulp_geluf) ALL(float, halfulp_geluf_grad)
    ALL(double, halfulp_erf) ALL(double, halfulp_erfc) ALL(double, halfulp_normcdf)
    HALVES(halfulp_erf) HALVES(halfulp_exp) HALVES(halfulp_normcdf) HALVES(halfulp_gelu)
    ARRAY(float, halfulp_erff_faithful_n) ARRAY(float, halfulp_expf_faithful_n) ARRAY(float, halfulp_normcdff_faithful_n)
    ARRAY(float, halfulp_geluf_faithful_n) ARRAY(float, halfulp_geluf_grad_faithful_n)
    void halfulp_normcdff_scaled_n(unsigned long n, float mean, float sd, const float *x, float *y)
    { if (n) *y = *x + mean + sd; }
    const char *halfulp_version(void) { return \"\"; }
    const char *halfulp_level(void) { return \"\"; }
    int halfulp_set_level(const char *name) { return name != 0; }
    #define VECTOR(name, attribute, bytes) __attribute__((attribute)) TYPE(bytes) name(TYPE(bytes) x) { return x; }
    #define TYPE(bytes) v##bytes
    typedef float v8 __attribute__((vector_size(8)));
    typedef float v16 __attribute__((vector_size(16)));
    typedef float v32 __attribute__((vector_size(32)));
    typedef float v64 __attribute__((vector_size(64)));
    #ifdef __x86_64__
    VECTOR(_ZGVbN4v_erff, target(\"sse4.2\"), 16)
    VECTOR(_ZGVbN4v_expf, target(\"sse4.2\"), 16)
    VECTOR(_ZGVbN4v_erfcf, target(\"sse4.2\"), 16)
    VECTOR(_ZGVcN8v_erff, target(\"avx\"), 32)
    VECTOR(_ZGVcN8v_expf, target(\"avx\"), 32)
    VECTOR(_ZGVcN8v_erfcf, target(\"avx\"), 32)
    VECTOR(_ZGVdN8v_erff, target(\"avx2\"), 32)
    VECTOR(_ZGVdN8v_expf, target(\"avx2\"), 32)
    VECTOR(_ZGVdN8v_erfcf, target(\"avx2\"), 32)
    VECTOR(_ZGVeN16v_erff, target(\"avx512f\"), 64)
    VECTOR(_ZGVeN16v_expf, target(\"avx512f\"), 64)
    VECTOR(_ZGVeN16v_erfcf, target(\"avx512f\"), 64)
    #else
    VECTOR(_ZGVnN2v_erff, aarch64_vector_pcs, 8)
    VECTOR(_ZGVnN2v_expf, aarch64_vector_pcs, 8)
    VECTOR(_ZGVnN2v_erfcf, aarch64_vector_pcs, 8)
    VECTOR(_ZGVnN4v_erff, aarch64_vector_pcs, 16)
    VECTOR(_ZGVnN4v_expf, aarch64_vector_pcs, 16)
    VECTOR(_ZGVnN4v_erfcf, aarch64_vector_pcs, 16)
    #endif
";
const OPTIONS: [&str; 7] =
    ["-shared", "-fPIC", "-fno-builtin", "-nostdlib", "-Wl,-soname,libhalfulp.so.0", "-Wl,--no-as-needed", "-lc"];

/// What `symbols` says about a library made from `source`.
fn symbols_of(source: &str, options: &[&str], success: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    symbols(&compile(folder.path(), "library.so", source, options), success)
}

fn symbols(file: &Path, success: bool) -> String {
    written(verify("symbols").arg(file), success)
}

/// Asserts that one check fails, and that its line holds `fault`.
fn fails(text: &str, fault: &str) {
    let failures: Vec<_> = text.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert!(failures.len() == 1 && failures[0].contains(fault), "{fault:?} expected: {text}");
}

#[test]
fn what_ships() {
    let folder = library_folder();
    for file in ["libhalfulp.so", "libhalfulp.a"] {
        let text = symbols(&folder.join(file), true);
        let count = if cfg!(target_arch = "x86_64") { 62 } else { 56 };
        assert!(text.contains(&format!("ok    exports exactly the {count} promised names")), "{text}");
        assert!(text.contains("ok    has no panic path"), "{text}");
        let looks_first =
            text.contains("ok    executes nothing that its callers may lack before it has looked at the CPU");
        assert_eq!(looks_first, cfg!(target_arch = "x86_64"), "{text}");
    }
}

#[test]
fn what_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let mut install = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../packaging/install.sh"));
    install.arg("--prefix=/usr").arg("--built").arg(library_folder()).arg("--destdir").arg(folder.path());
    succeed(&mut install);
    for (file, promise) in [
        ("libhalfulp.so", "asks for no version of a symbol that is newer than glibc 2.17"),
        ("libhalfulp.a", "has no name global but those that it exports"),
    ] {
        let text = symbols(&folder.path().join("usr/lib").join(file), true);
        assert!(text.contains(&format!("ok    {promise}")), "{text}");
    }
}

#[test]
fn stripped() {
    let text = symbols_of(GOOD, &[&OPTIONS[..], &["-s"]].concat(), true);
    assert!(text.contains("?     has no panic path"), "{text}");
}

#[test]
fn extra_export() {
    let source = format!("{GOOD} float gamma(float x) {{ return x; }}");
    fails(&symbols_of(&source, &OPTIONS, false), "gamma is not promised");
}

#[test]
fn missing_export() {
    let source = GOOD.replace("float __expf_finite", "static float __expf_finite");
    fails(&symbols_of(&source, &OPTIONS, false), "__expf_finite is missing");
}

#[test]
fn undefined_name() {
    let source = GOOD.replace("return name != 0", "extern int puts(const char *); return puts(name)");
    fails(&symbols_of(&source, &OPTIONS, false), "puts is not promised");
}

#[test]
fn needed_library() {
    fails(&symbols_of(GOOD, &[&OPTIONS[..], &["-lm"]].concat(), false), "libm.so.6 is not promised");
}

#[test]
fn wrong_soname() {
    let options = OPTIONS.map(|option| option.replace("halfulp.so.0", "halfulp.so.9"));
    let text = symbols_of(GOOD, &options.each_ref().map(String::as_str), false);
    fails(&text, "libhalfulp.so.0 is missing, libhalfulp.so.9 is not promised");
}

/// glibc has this function since 2.25.
#[test]
fn symbol_of_new_glibc() {
    let source =
        GOOD.replace("return name != 0", "extern long getrandom(void *, long, int); return getrandom(0, 0, 0)");
    let text = symbols_of(&source, &OPTIONS, false);
    assert!(
        text.contains("FAIL  asks for no version of a symbol that is newer than glibc 2.17: GLIBC_2.25\n"),
        "{text}"
    );
}

#[test]
fn executable_stack() {
    fails(&symbols_of(GOOD, &[&OPTIONS[..], &["-Wl,-z,execstack"]].concat(), false), "PT_GNU_STACK is executable");
}

#[test]
fn writable_code() {
    let source = format!("{GOOD} __asm__(\".section .both, \\\"awx\\\"; .byte 0; .text\");");
    fails(&symbols_of(&source, &OPTIONS, false), "both writable and executable");
}

#[test]
fn relocations_in_code() {
    let source = format!("{GOOD} __asm__(\".text; .quad erff\");");
    fails(&symbols_of(&source, &[&OPTIONS[..], &["-Wl,-z,notext"]].concat(), false), "TEXTREL");
}

#[test]
fn too_large() {
    // The limit, 320 KB, in one table.
    let source = GOOD.replace("return \"\"", "static const char table[320 << 10] = {1}; return table");
    fails(&symbols_of(&source, &OPTIONS, false), "too large");
}

/// An instruction of another encoding, one of the old encoding, and one that comes after a look at the CPU.
#[cfg(target_arch = "x86_64")]
#[test]
fn instructions_beyond_the_baseline() {
    let good = "float erff(float x) { return x; }";
    assert!(GOOD.contains(good));
    let symbols_with =
        |erff, success| symbols_of(&GOOD.replace(good, erff), &[&OPTIONS[..], &["-O1"]].concat(), success);
    let avx = "__attribute__((target(\"avx\"))) float erff(float x) { return x + 1; }";
    fails(&symbols_with(avx, false), "erff executes Vaddss at +0x0, which takes [AVX]");
    let sse4 = "float erff(float x) { __asm__(\"roundss $0, %0, %0\" : \"+x\"(x)); return x; }";
    fails(&symbols_with(sse4, false), "erff executes Roundss at +0x0, which takes [SSE4_1]");
    let behind = "static volatile int has_avx;
        __attribute__((target(\"avx\"))) float erff(float x) { if (has_avx) return x + 1; return halfulp_erff(x); }";
    symbols_with(&format!("extern float halfulp_erff(float x); {behind}"), true);
}

/// Vector functions may begin with what their callers must have, and with no more.
#[cfg(target_arch = "x86_64")]
#[test]
fn instructions_beyond_the_letter() {
    for (name, instruction, fault) in [
        ("_ZGVbN4v_erff", "roundps $0, %xmm0, %xmm0", None),
        ("_ZGVbN4v_erff", "vaddps %xmm0, %xmm0, %xmm0", Some("Vaddps at +0x0, which takes [AVX]")),
        ("_ZGVcN8v_erff", "vaddps %ymm0, %ymm0, %ymm0", None),
        ("_ZGVcN8v_erff", "vpaddd %ymm0, %ymm0, %ymm0", Some("Vpaddd at +0x0, which takes [AVX2]")),
        ("_ZGVdN8v_erff", "vpaddd %ymm0, %ymm0, %ymm0", None),
        ("_ZGVdN8v_erff", "vfmadd132ps %ymm0, %ymm0, %ymm0", Some("Vfmadd132ps at +0x0, which takes [FMA]")),
        ("_ZGVeN16v_erff", "vfmadd132ps %zmm0, %zmm0, %zmm0", None),
        ("_ZGVeN16v_erff", "vfmadd132ps %ymm0, %ymm0, %ymm0", Some("Vfmadd132ps at +0x0, which takes [FMA]")),
        ("_ZGVeN16v_erff", "vandps %zmm0, %zmm0, %zmm0", Some("Vandps at +0x0, which takes [AVX512DQ]")),
        ("halfulp_erff_n", "roundps $0, %xmm0, %xmm0", Some("Roundps at +0x0, which takes [SSE4_1]")),
    ] {
        // The whole function is this instruction.
        let source = GOOD.replace(&format!("VECTOR({name}, "), "VECTOR(static other, ");
        let source = source.replace(&format!("void {name}("), "static void other(");
        let source =
            format!("{source} __asm__(\".globl {name}; .type {name}, @function; {name}: {instruction}; ret\");");
        let text = symbols_of(&source, &OPTIONS, fault.is_none());
        if let Some(fault) = fault {
            fails(&text, &format!("{name} executes {fault}"));
        }
    }
}

/// Of AArch64's vector functions the loader must know that they keep more registers than others.
#[test]
fn vector_functions_of_aarch64() {
    const COMPILER: &str = "aarch64-linux-gnu-gcc";
    if Command::new(COMPILER).arg("--version").output().is_err() {
        println!("skipped: {COMPILER} is missing");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let library = |source: &str| compile_with(COMPILER, folder.path(), "library.so", source, &OPTIONS);
    let text = symbols(&library(GOOD), true);
    assert!(text.contains("ok    exports exactly the 56 promised names"), "{text}");
    assert!(text.contains("ok    says of its vector functions that they keep v8 to v23"), "{text}");
    let source = GOOD.replace("expf, aarch64_vector_pcs, 16", "expf, noinline, 16");
    fails(&symbols(&library(&source), false), "v8 to v23: _ZGVnN4v_expf");
}

/// A real panic: an index out of bounds, which the optimiser can't rule out.
#[test]
fn panic_path() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("library.rs");
    let text = "#![no_std]
        #[unsafe(no_mangle)] pub extern \"C\" fn erff(x: f32) -> f32 { [1.0, x, 2.0][x as usize] }
        #[panic_handler] fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }";
    std::fs::write(&source, text).unwrap();
    for kind in ["cdylib", "staticlib"] {
        let library = folder.path().join(kind);
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "-Cpanic=abort", "-Copt-level=3", "-Clto=fat", "-Clink-arg=-nostartfiles"]);
        succeed(rustc.args(["--crate-type", kind, "-o"]).arg(&library).arg(&source));
        let text = symbols(&library, false);
        assert!(
            text.lines().any(|line| line.starts_with("FAIL  has no panic path: ") && line.contains("panicking")),
            "{text}"
        );
    }
}

#[test]
fn archives() {
    let folder = tempfile::tempdir().unwrap();
    let object = |name: &str, source: &str| compile(folder.path(), name, source, &["-c", "-fPIC", "-fno-builtin"]);
    let made_of = |objects: &[PathBuf]| {
        let archive = folder.path().join(format!("{}.a", objects.len()));
        succeed(Command::new("ar").arg("rcs").arg(&archive).args(objects));
        archive
    };
    let archive = |source: &str| made_of(&[object("object.o", source)]);
    symbols(&archive(GOOD), true);
    // Hidden, the compiler's own functions may be there, as rustc adds them, but not in an archive of one object.
    let hidden = "__attribute__((visibility(\"hidden\"))) float cosf(float x) { return x; }";
    symbols(&made_of(&[object("object.o", GOOD), object("other.o", hidden)]), true);
    fails(&symbols(&archive(&format!("{GOOD} {hidden}")), false), "cosf is");
    fails(&symbols(&archive(&format!("{GOOD} float cosf(float x) {{ return x; }}")), false), "cosf is not promised");
}

#[test]
fn bad_files() {
    let folder = tempfile::tempdir().unwrap();
    let object = compile(folder.path(), "object.o", GOOD, &["-c", "-fno-builtin"]);
    for (file, fault) in [
        (folder.path().join("nothing.so"), "cannot read"),
        (folder.path().join("object.o.c"), "is not a 64-bit ELF file"),
        (object, "not a shared library"),
    ] {
        let text = symbols(&file, false);
        assert!(text.starts_with("error: ") && text.contains(fault), "{text}");
    }
}
