"""Writes kernel/src/data/tail_fast.rs: the tables of the fast phase of erfcf, normcdff and geluf, one layout for each size of
a table in registers: powers, which allow for the cells' errors too, and cells of the ratios."""

from mpmath import erfc, exp, mpf, sqrt

from cells import Layout, items
from common import write_rust
from exp_fast import powers

# Beyond the kernel's limits, which are as far, nothing is asked of the cells.
END = 5.625
# Of the cubic term of the cells, and of the quadratic term of the powers: more than where no product follows.
ROUNDINGS = 5.2
POWERS_ROUNDINGS = 5.2
# (entries, start, degree, floor, bends, degree of the powers). The first cell, around 0, is half as wide as the second.
SHAPES = [(8, 1.375, 8, -31.3, True, 5), (32, 1.03125, 5, -31.3, False, 3)]


def ratio(a):
    """erfc(a)/exp(-a²)."""
    return exp(a * a) * erfc(a)


def normal_ratio(a):
    """Minus Φ(-a)/exp(-a²/2): negative, since the kernel flips its sign where x is positive."""
    return -ratio(a / sqrt(2)) / 2


def layouts(function, end):
    return [
        Layout(function, end, entries, start, degree, floor, bends, roundings=ROUNDINGS, biased=False)
        for entries, start, degree, floor, bends, _ in SHAPES
    ]


def main():
    header, tables = items(layouts(ratio, END), "erfc: ")
    normal_header, normal_tables = items(layouts(normal_ratio, END * 2**0.5), "normal: ")
    header += normal_header
    tables += normal_tables
    for entries, _, _, floor, _, degree in SHAPES:
        fields, _ = powers(entries, degree, mpf(2) ** floor, POWERS_ROUNDINGS)
        tables.append((f"For look-ups of {entries} floats", f"POWERS_{entries}", f"Powers<Table<{entries}>, {degree - 1}>", fields))
    print("\n".join(header))
    write_rust("kernel/src/data/tail_fast.rs", "tail_fast.py", header, tables)


if __name__ == "__main__":
    main()
