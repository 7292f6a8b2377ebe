#!/bin/sh
# Runs programs of c_tests/ on CPUs that this machine is not, which QEMU emulates, and prints a row for each. Exits 1 when
# one fails. Takes Debian's packages qemu-user, and for AArch64 gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and
# rust-web-src with the compiler beside it (rustc-web, cargo-web, libstd-rust-web-dev).
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
status=0

row() {
    printf '%-17s %-16s %s\n' "$cpu" "$1" "$2"
}

failed() {
    row "$1" FAILED
    cat "$work/log"
    status=1
}

# Whether all of these commands and files are there; if not, a row names the first that is missing.
have() {
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null && ! [ -e "$tool" ]; then
            row "everything" "skipped: $tool is missing"
            return 1
        fi
    done
}

# run COMPILER LIBRARY PROGRAMS EMULATOR...: compiles each program with the library and runs it in the emulator.
run() {
    compiler=$1 library=$2 programs=$3
    shift 3
    ln -sf "$(realpath "$library")" "$work/libhalfulp.so.${version%%.*}"
    for program in $programs; do
        if "$compiler" -std=c99 -O2 -fno-builtin -Iinclude "-DVERSION=\"$version\"" "c_tests/$program.c" \
            -o "$work/program" "$library" -lm -ldl -pthread >"$work/log" 2>&1 &&
            "$@" -E "LD_LIBRARY_PATH=$work" "$work/program" >"$work/log" 2>&1; then
            row "$program.c" "ok$(sed -n "s/^skipped/; &/p" "$work/log")"
        else
            failed "$program.c"
        fi
    done
}

# Without FMA and AVX, which would be illegal instructions: the exports hold them behind a look at the CPU. Left out is
# nans.c, which runs the same code as on this machine.
cpu="x86-64 (Nehalem)"
if [ "$(uname -m)" != x86_64 ]; then
    row "everything" "skipped: this machine is no x86-64"
elif have qemu-x86_64 "${CC:-cc}"; then
    cargo build --release --package halfulp --quiet --target-dir "$target"
    run "${CC:-cc}" "$target/release/libhalfulp.so" "values flags errno environment level threads interposition" \
        qemu-x86_64 -cpu Nehalem
fi

# Debian's compiler brings the source of core, which -Zbuild-std compiles; RUSTC_BOOTSTRAP lets a stable compiler do so.
# Left out is threads.c: QEMU 7.2 hangs in pthread_create with this C library.
cpu="AArch64"
root=/usr/aarch64-linux-gnu
if have qemu-aarch64 aarch64-linux-gnu-gcc $root/lib/libm.so.6 /usr/bin/cargo /usr/bin/rustc \
    /usr/lib/rustlib/src/rust/library/core; then
    triple=aarch64-unknown-linux-gnu
    if CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo build -Zbuild-std=core --release --package halfulp --quiet --target $triple \
        --target-dir "$target/emulated" >"$work/log" 2>&1; then
        run aarch64-linux-gnu-gcc "$target/emulated/$triple/release/libhalfulp.so" \
            "values flags errno environment level nans" qemu-aarch64 -L $root
    else
        failed "cargo build"
    fi
fi
exit $status
