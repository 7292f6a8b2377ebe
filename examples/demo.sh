#!/bin/sh
# Builds halfulp, prices options with the system's libm and once more with halfulp preloaded, and compares the two. Then
# looks at the tail of the normal distribution, where the formula with erf gives 0 and halfulp's function does not.
# Needs Linux, cargo and a C compiler.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
work=$target/demo

cargo build --release --package halfulp --target-dir "$target"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -std=c99 -O2 -o "$work/black_scholes" examples/black_scholes.c -lm

echo "Pricing with the system's libm"
"$work/black_scholes" record "$work/system"
echo "Pricing with halfulp preloaded"
LD_PRELOAD=$target/release/libhalfulp.so "$work/black_scholes" record "$work/halfulp"
"$work/black_scholes" compare "$work/system" "$work/halfulp"

"${CC:-cc}" -std=c99 -O2 -Iinclude -o "$work/tail" examples/tail.c "$target/release/libhalfulp.a" -lm -ldl
"$work/tail"
