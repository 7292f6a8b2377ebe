#!/bin/sh
# The accuracy table of README.md: sweeps halfulp, the libraries that are installed and two published formulas over all
# 2^32 inputs to nearest. Two minutes a row on two cores. Further libraries can be named as arguments.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet --package halfulp --package halfulp-verify

for formula in single_precision_fma abramowitz_stegun; do
    "${CC:-cc}" -O2 -mfma -ffp-contract=off -fno-builtin -fPIC -shared -Wl,-Bsymbolic -o "$work/$formula.so" \
        "verify/formulas/$formula.c" -lm
done

sweep() {
    # A failed sweep is what a row of this table is about.
    target/release/halfulp-verify sweep "$@" || true
}

for library in target/release/libhalfulp.so libm.so.6 /usr/lib/musl/lib/libc.so "$@" "$work/single_precision_fma.so"; do
    case $library in
    */*) [ -e "$library" ] || { echo "skipped: $library is not there"; continue; } ;;
    esac
    sweep erff --library "$library"
    sweep expf --library "$library"
done
sweep erff --library "$work/abramowitz_stegun.so"
