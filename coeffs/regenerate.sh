#!/bin/sh
# Writes every data file anew from its script. `git diff --exit-code` afterwards tells whether they were true.
# Needs Python 3 with mpmath and NumPy (Debian: python3-mpmath, python3-numpy). About three minutes.
set -eu
cd "$(dirname "$0")"
for script in oracle.py erf.py exp.py erfc.py erf_fast.py exp_fast.py tail_fast.py double.py double_fast.py faithful.py \
    bfloat16.py; do
    "${PYTHON:-python3}" "$script"
done
