"""Writes kernel/src/data/erf.rs: the cells of the scalar erff.

Each cell's polynomial is a near-minimax fit. The hard inputs (verify/golden/erff.hard, decided by MPFR) are then run
through the kernel's arithmetic in all modes, fused and not; where one rounds wrong, the two leading coefficients of its
cell are moved, by an ulp or so, until all round right. The sweep over all inputs proves the result.
"""

from fractions import Fraction

from mpmath import erf, mpf, pi, sqrt

from common import ARITHMETICS, double, fit, fraction, hard_inputs, log2, moved, nearest_first, polynomial, single, write_rust

CELLS_A_UNIT = 16
CELLS = 64
DEGREE = 7
# As in kernel/src/erf.rs: the smallest float that rounds to 1, and how a magnitude finds its cell.
SATURATION = single(0x407AD445)
ROUNDING = 4 + Fraction(1, 2 * CELLS_A_UNIT)
# Positive, so that the kernel's sums at x = 0 are +0 in round-downward too, and too small to matter.
NOTHING = 2.0**-200


def fitted(k):
    """The doubles nearest to the fit of cell k, and its largest relative error."""
    centre = mpf(k) / CELLS_A_UNIT
    half = mpf(1) / (2 * CELLS_A_UNIT) + mpf(2) ** -21
    if k == 0:
        # x·g(x²), fitted in relative error.
        e1, e3, e5, e7 = fit(lambda u: erf(sqrt(u)) / sqrt(u) if u else 2 / sqrt(pi), 0, half**2, DEGREE // 2)
        row = [0, e1, NOTHING, e3, NOTHING, e5, 0, e7]
    else:
        row = fit(lambda h: erf(centre + h), -half, half, DEGREE)
    row = [double(mpf(e)) for e in row]
    points = [half * i / 50 for i in range(-50, 51) if centre + half * i / 50 > 0]
    return row, max(abs(polynomial(row, h) / erf(centre + h) - 1) for h in points)


def cell_of(arithmetic, magnitude):
    return int((arithmetic.f32(magnitude + ROUNDING) - 4) * CELLS_A_UNIT)


def kernel(arithmetic, x, cell, row):
    """erff of kernel/src/erf.rs, from the cell on."""
    h = min(abs(x), SATURATION) - Fraction(cell, CELLS_A_UNIT)
    value = arithmetic.polynomial(row, h)
    return arithmetic.f32(value if x > 0 else -value)


def search(row, cases, cell):
    """The nearest row that serves all cases, as its leading coefficients' moves in ulp."""
    for total in range(40):
        for step in nearest_first(total):
            rest = total - abs(step)
            for other in {rest, -rest}:
                # The constant of cell 0 is 0; its slope and cubic take the moves.
                at, beside = (1, 3) if cell == 0 else (0, 1)
                candidate = list(row)
                candidate[at], candidate[beside] = moved(row[at], step), moved(row[beside], other)
                exact = [Fraction(e) for e in candidate]
                if all(kernel(arithmetic, x, cell, exact) == right for arithmetic, x, right in cases):
                    return candidate, (step, other)
    raise SystemExit(f"erf: cell {cell}: no coefficients serve all hard inputs")


def main():
    cases = [[] for _ in range(CELLS)]
    for bits, results in hard_inputs("erff"):
        x = single(bits)
        for arithmetic in ARITHMETICS:
            right = single(results[arithmetic.mode])
            cases[cell_of(arithmetic, min(abs(x), SATURATION))].append((arithmetic, x, right))
    rows, moves, worst = [], 0, mpf(0)
    for k in range(CELLS):
        row, error = fitted(k)
        row, move = search(row, cases[k], k)
        rows.append(row)
        moves += move != (0, 0)
        worst = max(worst, error)
    header = [
        f"erf in {CELLS} cells of width 1/{CELLS_A_UNIT} around k/{CELLS_A_UNIT}: degree {DEGREE}, largest relative error",
        f"2^{log2(worst):.1f} before rounding; {moves} cells moved by some ulp for the sake of a hard input.",
    ]
    print("\n".join(header))
    write_rust(
        "kernel/src/data/erf.rs",
        "erf.py",
        header,
        [
            ("Cells in a unit", "CELLS_A_UNIT", "u32", CELLS_A_UNIT),
            ("The coefficients of each cell, constant term first", "ROWS", f"[[f64; {DEGREE + 1}]; {CELLS}]", rows),
        ],
    )


if __name__ == "__main__":
    main()
