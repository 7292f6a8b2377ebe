#!/bin/sh
# Fuzzes the functions of arrays against the scalar functions for so many seconds, 60 if not told. Takes cargo-fuzz
# (`cargo install cargo-fuzz`, a minute) and a C++ compiler; a stable compiler will do. Exits 1 when a case fails, which is then
# in fuzz/artifacts/.
set -eu
cd "$(dirname "$0")/.."
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "skipped: cargo-fuzz is not installed"
    exit
fi
# RUSTC_BOOTSTRAP lets a stable compiler take the options that cargo-fuzz passes. No address sanitizer: the library is not
# compiled for it.
RUSTC_BOOTSTRAP=1 cargo fuzz run bulk --release --sanitizer none -- -max_total_time="${1:-60}" -max_len=8192 -verbosity=0 \
    -print_final_stats=1
