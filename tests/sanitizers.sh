#!/bin/sh
# Runs C programs of c_tests/ under valgrind and under the address and undefined-behaviour sanitizers, with the shared library
# and the archive, and the kernels' tests in Miri; prints a row for each. Exits 1 when one fails. Takes Debian's packages valgrind
# and gcc, and for Miri `rustup component add --toolchain nightly miri rust-src`.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
. tests/rows.sh

cargo build --release --package halfulp --quiet --target-dir "$target"
ln -s "$(realpath "$target/release/libhalfulp.so")" "$work/libhalfulp.so.${version%%.*}"

# compiled PROGRAM LIBRARY FLAG...
compiled() {
    program=$1 library=$2
    shift 2
    "${CC:-cc}" -std=c99 -O1 -g -fno-builtin -Iinclude -DBRIEF "-DVERSION=\"$version\"" "-DGOLDEN=\"$PWD/verify/golden\"" \
        "$@" "c_tests/$program.c" -o "$work/program" "$library" -Wl,--export-dynamic -lm -ldl -pthread
}

# It has no AVX-512, no flags, and no rounding modes of fused multiply-add.
part=valgrind
if command -v valgrind >/dev/null; then
    for program in values bulk errno reload; do
        library=$target/release/libhalfulp.so
        [ "$program" != reload ] || library=-lm # it loads the library itself
        compiled "$program" "$library" -DNEAREST_ONLY
        check "$program.c" env LD_LIBRARY_PATH="$work" valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite \
            --error-exitcode=1 "$work/program"
    done
else
    row "everything" "skipped: valgrind is missing"
fi

for kind in so a; do
    part="sanitizers, .$kind"
    for program in values nans flags errno environment bulk scaled faithful lanes level upper_halves signals threads forks; do
        compiled "$program" "$target/release/libhalfulp.$kind" -fsanitize=address,undefined -fno-sanitize-recover=all
        check "$program.c" env LD_LIBRARY_PATH="$work" "$work/program"
    done
done

part=Miri
if cargo +nightly miri --version >/dev/null 2>&1; then
    check "arrays.rs" cargo +nightly miri test --package halfulp-kernel --test arrays --target-dir "$target/miri"
else
    row "arrays.rs" "skipped: Miri is missing"
fi
exit $status
