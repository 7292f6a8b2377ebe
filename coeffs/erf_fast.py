"""Writes kernel/src/data/erf_fast.rs: the cells of erff's fast phase, one layout for each size of a table in registers."""

from mpmath import erf

from cells import Layout, items
from common import write_rust

# Where the last cell ends. Beyond the kernel's LAST, 3.93, results are those at 3.93.
END = 3.9375
# From here on erf is so flat that few floats are near a centre.
FLAT = 3.5
# Start and degree were tried: fewer elements left open cost more operations (`cargo bench --bench phases`).
LAYOUTS = [
    Layout(erf, END, 8, 1.75, 8, -32.7, True, odd=True, flat=FLAT),
    Layout(erf, END, 32, 1.75, 5, -31.5, False, odd=True, flat=FLAT),
]


def main():
    header, tables = items(LAYOUTS)
    print("\n".join(header))
    write_rust("kernel/src/data/erf_fast.rs", "erf_fast.py", header, tables)


if __name__ == "__main__":
    main()
