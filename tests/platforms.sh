#!/bin/sh
# Builds the library for other targets, and runs programs of c_tests/, and the verifier, on CPUs that this machine is not, which
# QEMU, wine and node emulate. Prints a row for each program and at last a table of the targets: built or not, how many programs
# ran and were right, and which digests of whole blocks of results were the golden ones. Exits 1 when something fails;
# what can't run is a row that says why. With names of targets (x86-64, AArch64, armv7 …) it does these alone.
#
# Takes Debian's packages rustc-web, cargo-web, rust-web-src, libstd-rust-web-dev and libxxhash-dev, and beside them, for
#   x86-64 qemu-user                                        AArch64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
#   armv7 gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user    riscv64 gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user
#   i686 gcc-i686-linux-gnu libc6-dev-i386-cross            musl musl-tools
#   windows gcc-mingw-w64-x86-64 wine64                     wasm32 clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 nodejs
#   thumbv7em gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
#
# shellcheck disable=SC2086 # flags, lists and the verifier's emulator are words
# shellcheck disable=SC2030,SC2031 # a target that runs beside the others has a folder of its own
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
# Not the folder of other builds: what Debian's compiler makes is nothing to another one.
crossed="$target/platforms"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
golden=$PWD/verify/golden
turn=$(git rev-list --count HEAD 2>/dev/null || echo 0)
wanted_targets=${*:-x86-64 AArch64 armv7 riscv64 i686 musl windows wasm32 thumbv7em}
. tests/rows.sh

# begin NAME COMMAND OR FILE...: whether all of these are there; if not, the target's row names the first that is missing.
begin() {
    part=$1 built=no ran=0 programs=0 digests=- flags='' output=program libraries="-lm -ldl -pthread" after=''
    shift
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null && ! [ -e "$tool" ]; then
            row "everything" "skipped: $tool is missing"
            printf '%-22s skipped: %s is missing\n' "$part" "$tool" >>"$work/table"
            return 1
        fi
    done
}

end() {
    printf '%-22s %-6s %-9s %s\n' "$part" "$built" "$ran of $programs" "$digests" >>"$work/table"
}

# build TRIPLE LINKER [ARGUMENTS]: Debian's compiler brings the source of the standard library, which -Zbuild-std compiles;
# RUSTC_BOOTSTRAP lets a stable compiler do so.
build() {
    triple=$1
    linker="CARGO_TARGET_$(echo "$1" | tr a-z- A-Z_)_LINKER=$2"
    shift 2
    if env "$linker" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo rustc -Zbuild-std=core --release \
        --package halfulp --quiet --config 'build.rustflags = ["-Dwarnings"]' --target "$triple" \
        --target-dir "$crossed" "$@" >"$work/log" 2>&1; then
        built=yes
    else
        failed "cargo build"
    fi
    [ $built = yes ]
}

# compile PROGRAM: with $compiler, $flags and $library, to $work/$output.
compile() {
    $compiler -std=c99 -O2 -fno-builtin -Iinclude "-I$work/include" "-DVERSION=\"$version\"" "-DGOLDEN=\"$golden\"" \
        $flags "c_tests/$1.c" -o "$work/$output" "$library" $libraries >"$work/log" 2>&1
}

# run PROGRAMS EMULATOR...: compiles each and runs it in the emulator.
run() {
    list=$1
    shift
    for program in $list; do
        programs=$((programs + 1))
        if compile "$program" && "$@" "$work/$output" $after >"$work/log" 2>&1; then
            ran=$((ran + 1))
            succeeded "$program.c"
        else
            failed "$program.c"
        fi
    done
}

# Blocks in which the functions do not rest: from 2^-15 to 8 on both sides, then where some of them end.
# interesting COUNT: so many, others with each commit.
interesting() {
    echo "63 191 64 192 62 190 65 193 61 189 60 188 66 194 56 184" | tr ' ' '\n' |
        awk -v first="$turn" -v count="$1" '{ block[NR - 1] = $1 }
            END { for (i = 0; i < count; i++) printf "%s%s", i ? "," : "", block[(first + i) % NR] }'
}

# digest BLOCKS EMULATOR...: compares the digests of these blocks. With -DBRIEF of each block one, in one mode, of calls one at a
# time or as an array; without it all.
digest() {
    blocks=$1 ordinary=$output
    shift
    output=digest-$output
    flags="$flags -DBLOCKS=$blocks"
    if compile digest && "$@" "$work/$output" $after >"$work/log" 2>&1; then
        digests="$(sed -n 's/^digests: //p' "$work/log" | tr -d '\r'), of blocks $blocks"
        row digest.c "ok: $digests"
    else
        digests=FAILED
        failed digest.c
    fi
    output=$ordinary
}

# here PATH: that the program's loader finds the library by its name.
here() {
    library=$1
    ln -sf "$(realpath "$library")" "$work/libhalfulp.so.${version%%.*}"
}

mkdir "$work/include"
[ ! -e /usr/include/xxhash.h ] || cp /usr/include/xxhash.h "$work/include"
cargo build --release --package halfulp --quiet --target-dir "$target"
# The names for programs that have no dlsym.
nm --dynamic --defined-only "$target/release/libhalfulp.so" |
    awk '$3 !~ /^_ZGV/ { print "EXPORTED(" $3 ")" }' >"$work/include/names.h"
named="-DEXPORTED_NAMES=\"names.h\""
std=/usr/lib/rustlib/src/rust/library/core
debian="/usr/bin/cargo /usr/bin/rustc $std $work/include/xxhash.h"

# Instructions that the emulated CPU lacks are illegal there: the library and the programs look at the CPU first. Left
# out is nans.c, which runs the same code as on this machine; .ci/run compares the digests of all levels on this machine.
# emulated_x86 CPU LETTER PROGRAMS: and gcc's loops with the vector functions that it calls under -mLETTER.
emulated_x86() {
    begin "x86-64 ($1)" qemu-x86_64 "${CC:-cc}" || return 0
    built=yes digests="elsewhere: .ci/run forces each level"
    compiler=${CC:-cc}
    here "$target/release/libhalfulp.so"
    flags=-DBRIEF
    run "$3" qemu-x86_64 -cpu "$1" -E "LD_LIBRARY_PATH=$work"
    flags="-DBRIEF -O3 -fbuiltin -DHALFULP_SIMD -m$2"
    run loops qemu-x86_64 -cpu "$1" -E "LD_LIBRARY_PATH=$work"
    end
}
x86_64() {
    if [ "$(uname -m)" != x86_64 ]; then
        begin x86-64 "an x86-64 CPU" || return 0
    fi
    # Without AVX; with AVX alone; with AVX2, but not the FMA that every other CPU with AVX2 has; with both.
    emulated_x86 Nehalem sse2 "values flags errno environment level threads interposition bulk scaled faithful lanes upper_halves"
    emulated_x86 SandyBridge avx "level lanes upper_halves"
    emulated_x86 Haswell,-fma avx2 "level lanes upper_halves"
    emulated_x86 Haswell avx2 "level scaled faithful lanes upper_halves"
}

# sweeps FUNCTION BLOCKS [VECTORS]: all instances that AArch64 has. Each has one mode a run, another with each commit: all four
# would take minutes more.
sweeps() {
    start=$(date +%s)
    set -- "$1" "$2" "${3-}" "--level scalar" "--level fma" "--level scalar --bulk" "--level fma --bulk" "--level neon --bulk"
    [ -z "$3" ] || set -- "$@" "--vector n2" "--vector n4"
    # The one that has no faithful form.
    [ "$1" = erfcf ] || set -- "$@" "--level fma --faithful" "--level neon --faithful"
    function=$1 blocks=$2
    shift 3
    for instance in "$@"; do
        mode=$(echo rn ru rd rz | cut -d ' ' -f $((turn % 4 + 1)))
        turn=$((turn + 1))
        options="$function --library $library $instance --mode $mode --blocks $blocks"
        $verify sweep $options --quick && $verify flags $options --every 4096 || return
    done
    echo "$# instances in blocks $blocks in $(($(date +%s) - start)) s"
}

# sixteenths FUNCTION...: one block in sixteen, by the function of arrays, and one in 64 by its faithful form.
sixteenths() {
    for function in "$@"; do
        options="$function --library $library --level neon --mode rn --offset $turn --quick"
        $verify sweep $options --bulk --sample 16 || return
        [ "$function" = erfcf ] || $verify sweep $options --faithful --sample 64 || return
    done
}

# swept WHAT PROCESS
swept() {
    if wait "$2"; then
        row "$1" "ok: $(tail -n 1 "$work/$1")"
    else
        digests=FAILED
        failed "$1" "$work/$1"
    fi
}

# QEMU 7.2 hangs in pthread_create with this C library: left out is threads.c, and the verifier has one thread.
aarch64() {
    root=/usr/aarch64-linux-gnu
    begin AArch64 qemu-aarch64 aarch64-linux-gnu-gcc $root/lib/libm.so.6 $debian || return 0
    library="$crossed/aarch64-unknown-linux-gnu/release/libhalfulp.so"
    verify="qemu-aarch64 -L $root -E RAYON_NUM_THREADS=1 $crossed/aarch64-unknown-linux-gnu/release/halfulp-verify"
    if ! CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        /usr/bin/cargo build -Zbuild-std=std,panic_abort --release --package halfulp --package halfulp-verify --quiet \
        --target aarch64-unknown-linux-gnu --target-dir "$crossed" >"$work/log" 2>&1; then
        failed "cargo build"
        end
        return
    fi
    built=yes digests="16 of 256 blocks of each function in arrays, 4 of its faithful form, and 1 to 4 through all instances"
    here "$library"
    # Blocks of tiny inputs, around 1 and where it saturates, or where it overflows and underflows, and of NaNs.
    # They run beside the programs.
    sweeps erff 0,63,64,255 vectors >"$work/erff" 2>&1 &
    erff=$!
    sweeps expf 0,66,194,255 vectors >"$work/expf" 2>&1 &
    expf=$!
    compiler=aarch64-linux-gnu-gcc flags=-DBRIEF
    set -- qemu-aarch64 -L $root -E "LD_LIBRARY_PATH=$work"
    run "values flags errno environment level nans bulk scaled faithful lanes kept_registers" "$@"
    flags="-DBRIEF -O3 -fbuiltin -DHALFULP_SIMD"
    run loops "$@"
    # That they call ours: there is no libmvec for AArch64 beside this C library.
    aarch64-linux-gnu-nm --dynamic "$work/program" >"$work/calls"
    check "calls of loops.c" awk '/ U _ZGVnN[24]v_/ { count++ } END { exit count != 6 }' "$work/calls"
    check "symbols" $verify symbols "$library"
    # The installed archive is linked anew from the built one.
    set -- env LD=aarch64-linux-gnu-ld AR=aarch64-linux-gnu-ar NM=aarch64-linux-gnu-nm \
        OBJCOPY=aarch64-linux-gnu-objcopy READELF=aarch64-linux-gnu-readelf
    check "install" "$@" packaging/install.sh --built "$(dirname "$library")" --destdir "$work/installed" --prefix /usr
    check "installed archive" $verify symbols "$work/installed/usr/lib/libhalfulp.a"
    swept erff $erff
    swept expf $expf
    sixteenths erff expf erfcf >"$work/sixteenths" 2>&1 &
    first=$!
    sixteenths normcdff geluf geluf_grad >"$work/sixteenths, rest" 2>&1 &
    rest=$!
    swept "sixteenths" $first
    swept "sixteenths, rest" $rest
    # Of the other functions one a run.
    case $((turn % 4)) in
    0) set -- erfcf 64 vectors ;;
    1) set -- normcdff 191 ;;
    2) set -- geluf 191 ;;
    *) set -- geluf_grad 191 ;;
    esac
    sweeps "$@" >"$work/$1" 2>&1 &
    swept "$1" $!
    for function in erf erfc normcdf; do
        check "hard inputs of $function" $verify double hard $function --library "$library"
    done
    check "half precision" $verify halves --library "$library"
    end
}

# linux NAME TRIPLE COMPILER ROOT BLOCKS FLAGS EMULATOR...: 32 bits, or an instruction set of which only the scalar level is made.
linux() {
    begin "$1" "$3" "$4/lib/libm.so.6" "$7" $debian || return 0
    triple=$2 compiler=$3 blocks=$5 flags=$6
    shift 6
    if build "$triple" "$compiler"; then
        here "$crossed/$triple/release/libhalfulp.so"
        run "values flags errno environment level nans bulk scaled faithful lanes kept_registers threads forks" "$@"
        digest "$blocks" "$@"
    fi
    end
}

armv7() {
    root=/usr/arm-linux-gnueabihf
    linux armv7 armv7-unknown-linux-gnueabihf arm-linux-gnueabihf-gcc $root "$(interesting 1)" -DBRIEF \
        qemu-arm -L $root -E "LD_LIBRARY_PATH=$work"
}

riscv64() {
    root=/usr/riscv64-linux-gnu
    linux riscv64 riscv64gc-unknown-linux-gnu riscv64-linux-gnu-gcc $root "$(interesting 1)" -DBRIEF \
        qemu-riscv64 -L $root -E "LD_LIBRARY_PATH=$work"
}

# On this machine's CPU, by its own loader: QEMU hangs in threads. The callers' arithmetic is x87's.
i686() {
    root=/usr/i686-linux-gnu
    linux i686 i686-unknown-linux-gnu i686-linux-gnu-gcc $root "$(interesting 4)" "-msse2 -mfpmath=387" \
        $root/lib/ld-linux.so.2 --library-path "$root/lib:$work"
}

# Static programs of another C library than glibc.
musl() {
    begin "musl (static)" musl-gcc $debian || return 0
    compiler=musl-gcc flags="$named -static -DBRIEF"
    if build x86_64-unknown-linux-musl musl-gcc --crate-type staticlib; then
        library="$crossed/$triple/release/libhalfulp.a"
        run "values flags errno environment level nans bulk scaled faithful lanes threads forks" env
        digest "$(interesting 4)" env
    fi
    end
}

windows() {
    begin windows x86_64-w64-mingw32-gcc /usr/lib/wine/wine64 $debian || return 0
    compiler=x86_64-w64-mingw32-gcc flags="$named -DBRIEF" output=program.exe libraries=-lm
    if build x86_64-pc-windows-gnu $compiler; then
        # A DLL, its import library, and a file for linkers of other makers.
        library="$crossed/$triple/release/libhalfulp.dll.a"
        cp "$crossed/$triple/release/halfulp.dll" "$work"
        check "halfulp.def" grep -q -x " *erff @[0-9]*" "$crossed/$triple/release/halfulp.def"
        golden=Z:$golden
        set -- env "WINEPREFIX=$work/wine" WINEDEBUG=-all /usr/lib/wine/wine64
        run "values flags errno environment level nans scaled faithful lanes kept_registers" "$@"
        digest "$(interesting 4)" "$@"
        # A program of the archive needs no DLL.
        rm "$work/halfulp.dll"
        library="$crossed/$triple/release/libhalfulp.a"
        run values "$@"
        golden=${golden#Z:}
    fi
    end
}

# No modes, no flags.
wasm32() {
    sysroot=/usr/lib/wasm32-wasi
    begin wasm32 clang-19 wasm-ld-19 node $sysroot/libc.a $debian || return 0
    compiler="clang-19 --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -L$sysroot -B$sysroot"
    flags="$named -DNEAREST_ONLY" libraries=-lm after=$golden
    if build wasm32-unknown-unknown wasm-ld-19 --crate-type staticlib; then
        library="$crossed/$triple/release/libhalfulp.a"
        # Before its version 20 node asked for this flag.
        set -- node --no-warnings --experimental-wasi-unstable-preview1 tests/platforms/run.mjs
        run "values level nans scaled faithful lanes" "$@"
        digest "$(interesting 4)" "$@"
    fi
    end
}

# No operating system and no errno; doubles in software, which round to nearest and raise nothing.
thumbv7em() {
    begin thumbv7em arm-none-eabi-gcc /usr/include/newlib/math.h qemu-system-arm $debian || return 0
    cpu="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
    compiler="$cpu --specs=rdimon.specs -T tests/platforms/bare-metal/memory.ld
        tests/platforms/bare-metal/start.c"
    flags="$named -DNEAREST_ONLY -DBRIEF" libraries=-lm
    if build thumbv7em-none-eabihf cc --crate-type staticlib; then
        library="$crossed/$triple/release/libhalfulp.a"
        set -- qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel
        run "values level nans scaled faithful lanes" "$@"
        # Whole, it links without newlib.
        every_name=$(sed 's/^EXPORTED(\(.*\))$/-Wl,-u,\1/' "$work/include/names.h")
        check "without a C library" $cpu -nostdlib -Wl,--entry=erff $every_name "$library" -o "$work/alone"
        # One function a run.
        only=$(echo erff expf erfcf normcdff geluf geluf_grad | cut -d ' ' -f $((turn % 6 + 1)))
        flags="$flags -DONLY=\"$only\""
        digest "$(interesting 1)" "$@"
        digests="$digests of $only"
    fi
    end
}

beside=
for wanted in $wanted_targets; do
    case $wanted in
    x86-64) x86_64 ;;
    AArch64)
        # Beside the others, each of which keeps one core busy; its rows come when they are done.
        mkdir "$work/beside"
        ln -s "$work/include" "$work/beside"
        (
            work=$work/beside
            aarch64
            exit $status
        ) >"$work/rows" 2>&1 &
        beside=$!
        ;;
    armv7) armv7 ;;
    riscv64) riscv64 ;;
    i686) i686 ;;
    musl) musl ;;
    windows) windows ;;
    wasm32) wasm32 ;;
    thumbv7em) thumbv7em ;;
    *)
        echo "tests/platforms.sh: no target $wanted" >&2
        exit 2
        ;;
    esac
done

if [ -n "$beside" ]; then
    wait $beside || status=1
    cat "$work/rows"
    cat "$work/beside/table" >>"$work/table"
fi
printf '\n%-22s %-6s %-9s %s\n' target built ran digests
cat "$work/table"
exit $status
