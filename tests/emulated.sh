#!/bin/sh
# Runs programs of c_tests/, and the verifier, on CPUs that this machine is not, which QEMU emulates, and prints a row for
# each. Exits 1 when one fails. Takes Debian's packages qemu-user, and for AArch64 gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and
# rust-web-src with the compiler beside it (rustc-web, cargo-web, libstd-rust-web-dev).
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
status=0

row() {
    printf '%-22s %-16s %s\n' "$cpu" "$1" "$2"
}

# failed NAME [LOG]
failed() {
    row "$1" FAILED
    cat "${2:-$work/log}"
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

# run COMPILER LIBRARY PROGRAMS EMULATOR...: compiles each program with the library, and with $flags, and runs it in the
# emulator.
run() {
    compiler=$1 library=$2 programs=$3
    shift 3
    ln -sf "$(realpath "$library")" "$work/libhalfulp.so.${version%%.*}"
    for program in $programs; do
        # shellcheck disable=SC2086 # flags are words
        if "$compiler" -std=c99 -O2 -fno-builtin -Iinclude -DBRIEF "-DVERSION=\"$version\"" \
            "-DGOLDEN=\"$PWD/verify/golden\"" $flags "c_tests/$program.c" \
            -o "$work/program" "$library" -lm -ldl -pthread >"$work/log" 2>&1 &&
            "$@" -E "LD_LIBRARY_PATH=$work" "$work/program" >"$work/log" 2>&1; then
            row "$program.c" "ok$(sed -n "s/^skipped: /; skipped: /p" "$work/log" | tr -d '\n')"
        else
            failed "$program.c"
        fi
    done
}

# Instructions that the emulated CPU lacks are illegal there: the library and the programs look at the CPU first. Left
# out is nans.c, which runs the same code as on this machine.
# emulated_x86 CPU LETTER PROGRAMS: and gcc's loops with the vector functions that it calls under -mLETTER.
emulated_x86() {
    cpu="x86-64 ($1)" flags=
    run "${CC:-cc}" "$target/release/libhalfulp.so" "$3" qemu-x86_64 -cpu "$1"
    flags="-O3 -fbuiltin -DHALFULP_SIMD -m$2"
    run "${CC:-cc}" "$target/release/libhalfulp.so" loops qemu-x86_64 -cpu "$1"
}
cpu="x86-64"
if [ "$(uname -m)" != x86_64 ]; then
    row "everything" "skipped: this machine is no x86-64"
elif have qemu-x86_64 "${CC:-cc}"; then
    cargo build --release --package halfulp --quiet --target-dir "$target"
    # Without AVX; with AVX alone; with AVX2, but not the FMA that every other CPU with AVX2 has; with both.
    emulated_x86 Nehalem sse2 "values flags errno environment level threads interposition bulk scaled lanes upper_halves"
    emulated_x86 SandyBridge avx "level lanes upper_halves"
    emulated_x86 Haswell,-fma avx2 "level lanes upper_halves"
    emulated_x86 Haswell avx2 "level scaled lanes upper_halves"
fi

# checked NAME COMMAND...
checked() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then row "$name" ok; else failed "$name"; fi
}

# sweeps FUNCTION BLOCKS [VECTORS]: all instances that AArch64 has. Each has one mode a run, another with each commit: all four
# would take minutes more.
sweeps() {
    start=$(date +%s)
    turn=$(git rev-list --count HEAD 2>/dev/null || echo 0)
    set -- "$1" "$2" "${3-}" "--level scalar" "--level fma" "--level scalar --bulk" "--level fma --bulk" "--level neon --bulk"
    [ -z "$3" ] || set -- "$@" "--vector n2" "--vector n4"
    function=$1 blocks=$2
    shift 3
    for instance in "$@"; do
        mode=$(echo rn ru rd rz | cut -d ' ' -f $((turn % 4 + 1)))
        turn=$((turn + 1))
        options="$function --library $library $instance --mode $mode --blocks $blocks"
        # shellcheck disable=SC2086 # options are words
        $verify sweep $options --quick && $verify flags $options --every 4096 || return
    done
    echo "$# instances in blocks $blocks in $(($(date +%s) - start)) s"
}

# swept FUNCTION PROCESS
swept() {
    if wait "$2"; then row "sweep of $1" "ok: $(tail -n 1 "$work/$1")"; else failed "sweep of $1" "$work/$1"; fi
}

# Debian's compiler brings the source of std, which -Zbuild-std compiles; RUSTC_BOOTSTRAP lets a stable compiler do so.
# QEMU 7.2 hangs in pthread_create with this C library: left out is threads.c, and the verifier has one thread.
cpu="AArch64" flags=
root=/usr/aarch64-linux-gnu
if have qemu-aarch64 aarch64-linux-gnu-gcc $root/lib/libm.so.6 /usr/bin/cargo /usr/bin/rustc \
    /usr/lib/rustlib/src/rust/library/std; then
    triple=aarch64-unknown-linux-gnu
    library="$target/emulated/$triple/release/libhalfulp.so"
    verify="qemu-aarch64 -L $root -E RAYON_NUM_THREADS=1 $target/emulated/$triple/release/halfulp-verify"
    if CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo build -Zbuild-std=std,panic_abort --release --package halfulp --package halfulp-verify --quiet \
        --target $triple --target-dir "$target/emulated" >"$work/log" 2>&1; then
        # Blocks of tiny inputs, around 1 and where it saturates, or where it overflows and underflows, and of NaNs.
        # They run beside the programs, on two cores.
        sweeps erff 0,63,64,255 vectors >"$work/erff" 2>&1 &
        erff=$!
        sweeps expf 0,66,194,255 vectors >"$work/expf" 2>&1 &
        expf=$!
        run aarch64-linux-gnu-gcc "$library" "values flags errno environment level nans bulk scaled lanes kept_registers" \
            qemu-aarch64 -L $root
        flags="-O3 -fbuiltin -DHALFULP_SIMD"
        run aarch64-linux-gnu-gcc "$library" loops qemu-aarch64 -L $root
        # That they call ours: there is no libmvec for AArch64 beside this C library.
        aarch64-linux-gnu-nm --dynamic "$work/program" >"$work/calls"
        checked "calls of loops.c" awk '/ U _ZGVnN[24]v_/ { count++ } END { exit count != 6 }' "$work/calls"
        # shellcheck disable=SC2086 # the verifier is a command with options
        checked "symbols" $verify symbols "$library"
        swept erff $erff
        swept expf $expf
        # Of the other functions one a run.
        case $(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 4)) in
        0) set -- erfcf 64 vectors ;;
        1) set -- normcdff 191 ;;
        2) set -- geluf 191 ;;
        *) set -- geluf_grad 191 ;;
        esac
        sweeps "$@" >"$work/$1" 2>&1 &
        swept "$1" $!
        for function in erf erfc normcdf; do
            # shellcheck disable=SC2086 # as above
            checked "hard inputs of $function" $verify double hard $function --library "$library"
        done
        # shellcheck disable=SC2086 # as above
        checked "half precision" $verify halves --library "$library"
    else
        failed "cargo build"
    fi
fi
exit $status
