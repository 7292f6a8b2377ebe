"""Writes kernel/src/data/erf.rs: the cells of the scalar erff."""

from mpmath import erf, mpf, sqrt, pi

from common import double, fit, log2, polynomial, rust_array

CELLS_A_UNIT = 16
DEGREE = 7
LAST = 63  # the clamp, 3.9192, lies in cell 63


def cell(k):
    """Eight doubles, and the largest relative error of their polynomial before any rounding of the evaluation."""
    centre = mpf(k) / CELLS_A_UNIT
    half = mpf(1) / (2 * CELLS_A_UNIT) + mpf(2) ** -21  # the mode moves the cell's edge by an ulp
    if k == 0:
        # Odd: x·g(x²), fitted in relative error.
        def g(u):
            return erf(sqrt(u)) / sqrt(u) if u else 2 / sqrt(pi)

        odd = fit(g, 0, half**2, DEGREE // 2)
        coefficients = [mpf(0) if i % 2 == 0 else odd[i // 2] for i in range(DEGREE + 1)]
    else:
        coefficients = fit(lambda h: erf(centre + h), -half, half, DEGREE)
    coefficients = [double(c) for c in coefficients]
    worst = mpf(0)
    for i in range(-60, 61):
        h = half * i / 60
        if centre + h > 0:
            exact = erf(centre + h)
            worst = max(worst, abs(polynomial(coefficients, h) / exact - 1))
    return coefficients, worst


def main():
    rows = []
    worst = mpf(0)
    for k in range(LAST + 1):
        coefficients, error = cell(k)
        rows.append(coefficients)
        worst = max(worst, error)
    print("worst", log2(worst))
    body = "".join(f"    {rust_array(row)},\n" for row in rows)
    open("kernel/src/data/erf.rs", "w").write(
        f"pub const CELLS_A_UNIT: u32 = {CELLS_A_UNIT};\npub static ROWS: [[f64; 8]; {LAST + 1}] = [\n{body}];\n"
    )


main()
