#!/bin/sh
# Runs programs that know nothing of halfulp, just as they are installed, with the library preloaded, and proves of each
# that the loader gives it the library's functions and that what it prints is right, at inputs where glibc 2.36 is wrong. A
# program that is not installed is skipped by name. Exits 1 when one fails.
#
# ggml is a library of Python packages: HALFULP_GGML names the folder where libggml-cpu.so lies, for example target/ggml after
# pip install --no-deps --target target/ggml pywhispercpp
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
library=$(realpath "$target")/release/libhalfulp.so
ggml=${HALFULP_GGML:-$target/ggml}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# Function, input, and the bits of the right result, then as C prints it with %a; by MPFR.
cat >"$work/table" <<'END'
erf 0.046875 3fab0fafef135745 0x1.b0fafef135745p-5
erf 0.21875 3fcf190aa85540e2 0x1.f190aa85540e2p-3
erf 0.25 3fd1af54e232d609 0x1.1af54e232d609p-2
erf 1.25 3fed8865d98abe01 0x1.d8865d98abe01p-1
erf 1.421875 3fee94be342e6743 0x1.e94be342e6743p-1
erfc -0.890625 3ffcacb28cc06d19 0x1.cacb28cc06d19p+0
erfc -0.71875 3ffb0caab03ee8af 0x1.b0caab03ee8afp+0
erfc 0.671875 3fd5e3b66b9405a9 0x1.5e3b66b9405a9p-2
erfc 1.09375 3fbf35a715b2f3e1 0x1.f35a715b2f3e1p-4
erfc 1.578125 3f9a3e2cb2ae9edb 0x1.a3e2cb2ae9edbp-6
erfc 3.140625 3ee2bbc1d878d272 0x1.2bbc1d878d272p-17
erff 0.09375 3dd80409 0x1.b00812p-4
erff 0.171875 3e44a808 0x1.89501p-3
erff 0.734375 3f337437 0x1.66e86ep-1
erff 1.703125 3f7be677 0x1.f7cceep-1
erfcf 1.09375 3df9ad39 0x1.f35a72p-4
erfcf 1.578125 3cd1f166 0x1.a3e2ccp-6
erfcf 3.125 37260a27 0x1.4c144ep-17
erfcf 3.640625 348ce119 0x1.19c232p-22
erfcf 4.71875 2ddbf8fa 0x1.b7f1f4p-36
erfcf 5.46875 283bc5f1 0x1.778be2p-47
expf -2.9814453125 3d4fbf39 0x1.9f7e72p-5
expf -0.9248046875 3ecb1051 0x1.9620a2p-2
expf -0.1005859375 3f6780b0 0x1.cf016p-1
expf 0.576171875 3fe3bd4b 0x1.c77a96p+0
END

row() {
    printf '%-10s %s\n' "$1" "$2"
}

# failed NAME WHAT [LOG]
failed() {
    row "$1" "FAILED: $2"
    [ $# -lt 3 ] || cat "$3"
    failed=$((failed + 1))
}

# Whether these commands and files are there; if not, a row names the first that is missing.
have() {
    name=$1
    shift
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null && ! [ -e "$tool" ]; then
            row "$name" "skipped: $tool is missing"
            skipped=$((skipped + 1))
            return 1
        fi
    done
}

# preloaded COMMAND...: the loader writes which file each function comes from.
preloaded() {
    rm -f "$work"/bindings.*
    (
        export LD_PRELOAD="$library" LD_DEBUG=bindings LD_DEBUG_OUTPUT="$work/bindings"
        "$@"
    )
}

# is_served FUNCTION: whether the last preloaded program called the library's.
is_served() {
    cat "$work"/bindings.* | grep -q "to $library \[0\]: normal symbol .$1'"
}

# check NAME COLUMN FUNCTIONS COMMAND...: the command reads lines "function input …", of these functions, and answers with
# "function input result", the result written as in this column of the table.
check() {
    name=$1 column=$2 functions=$3
    shift 3
    for function in $functions; do
        grep "^$function " "$work/table"
    done >"$work/questions"
    cut -d ' ' -f "1,2,$column" "$work/questions" >"$work/right"
    if ! preloaded "$@" <"$work/questions" >"$work/halfulp" 2>"$work/log"; then
        failed "$name" "it ends with an error" "$work/log"
        return
    fi
    if ! diff "$work/right" "$work/halfulp" >"$work/log"; then
        failed "$name" "wrong results" "$work/log"
        return
    fi
    for function in $functions; do
        if ! is_served "$function"; then
            failed "$name" "it does not call halfulp's $function"
            return
        fi
    done
    "$@" <"$work/questions" >"$work/system" 2>/dev/null
    wrong=$(diff "$work/right" "$work/system" | grep -c '^>' || true)
    row "$name" "ok: $functions; $(wc -l <"$work/right") results right, of which the system's libm has $wrong wrong"
    passed=$((passed + 1))
}

bits_of_python='
import math, struct, sys
for line in sys.stdin:
    name, x = line.split()[:2]
    print(name, x, struct.pack(">d", getattr(math, name)(float(x))).hex())'

# Its erf and erfc are those of libm.
answers_of_gnuplot() {
    awk '{ printf "print sprintf(\"%s %s %%a\", %s(%s))\n", $1, $2, $1, $2 }' >"$work/script"
    gnuplot -e 'set print "-"' "$work/script"
}

bits_of_octave='
while (ischar (line = fgetl (stdin)))
  words = strsplit (line);
  x = str2double (words{2});
  switch (words{1})
    case "erff"  y = erf (single (x));
    case "erfcf" y = erfc (single (x));
    case "expf"  y = exp (single (x));
    case "erf"   y = erf (x);
    case "erfc"  y = erfc (x);
  end
  printf ("%s %s %s\n", words{1}, words{2}, num2hex (y));
end'

cargo build --release --package halfulp --quiet --target-dir "$target"
if have python python3; then
    check python 3 "erf erfc" python3 -c "$bits_of_python"
fi
if have gnuplot gnuplot; then
    check gnuplot 4 "erf erfc" answers_of_gnuplot
fi
if have octave octave-cli; then
    check octave 3 "erff erfcf expf erf erfc" octave-cli --norc --quiet --eval "$bits_of_octave"
fi
answers_of_fortran() {
    "$work/functions" | tr '[:upper:]' '[:lower:]'
}
# Not vectorised: the calls of one number that most programs make.
if have gfortran gfortran; then
    gfortran -O1 tests/real-software/functions.f90 -o "$work/functions"
    check gfortran 3 "erff erfcf expf erf erfc" answers_of_fortran
fi
if have ggml python3 "$ggml/libggml-cpu.so"; then
    gelu=tests/real-software/gelu_erf.py
    before=$(python3 $gelu run "$ggml" "$work/system")
    after=$(LD_PRELOAD=$library python3 $gelu run "$ggml" "$work/halfulp")
    preloaded python3 $gelu run "$ggml" "$work/halfulp" >/dev/null
    if ! is_served erff; then
        failed ggml "it does not call halfulp's erff"
    elif python3 $gelu compare "$work/system" "$work/halfulp" >"$work/log"; then
        row ggml "ok: ggml_gelu_erf: $(cat "$work/log"); $before ns an element before, $after after"
        passed=$((passed + 1))
    else
        failed ggml "wrong results" "$work/log"
    fi
fi
echo "real software: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
