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

# musl's archive, of which only the functions' own members are linked: its libc would not load beside another.
musl=/usr/lib/$(uname -m)-linux-musl/libc.a
if [ -e "$musl" ]; then
    (cd "$work" && ar x "$musl" erff.lo expf.lo exp2f_data.lo __math_oflowf.lo __math_uflowf.lo __math_xflowf.lo)
    "${CC:-cc}" -shared -Wl,-Bsymbolic -o "$work/musl.so" "$work"/*.lo
    set -- "$work/musl.so" "$@"
else
    echo "skipped: musl's $musl is not there"
fi

for library in target/release/libhalfulp.so libm.so.6 "$@" "$work/single_precision_fma.so"; do
    sweep erff --library "$library"
    sweep expf --library "$library"
    # The published formula has only the other two.
    [ "$library" = "$work/single_precision_fma.so" ] || sweep erfcf --library "$library"
done
sweep erff --library "$work/abramowitz_stegun.so"
for function in normcdff geluf geluf_grad; do
    sweep "$function" --library target/release/libhalfulp.so
done
