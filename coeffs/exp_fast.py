"""Writes kernel/src/data/exp_fast.rs: the powers of expf's fast phase, one table for each size of a table in registers."""

from mpmath import exp, log, mpf

from common import Table, fit, log2, polynomial, single_near, write_rust

LN2_HIGH = single_near(log(2))
LN2_LOW = single_near(log(2) - mpf(LN2_HIGH))


# The reduction by a float of ln2 is exact, and what it leaves out adds up to this, with the low word of a power.
LARGEST_Z = mpf(2) ** -mpf(21.8)
# Roundings of the quadratic term that count, with a relative error of 2^-23 each. The sweep of halfulp_expf_n over all inputs
# in all modes shows that these suffice.
ROUNDINGS = 3.6


def powers(steps, degree, slack=0, roundings=ROUNDINGS):
    """The fields of a table that allows for some more error, and the relative error of its polynomial."""
    half = log(2) / steps / 2 + mpf(2) ** -20
    rest = fit(lambda r: (exp(r) - 1 - r) / r**2 if r else mpf(1) / 2, -half, half, degree - 2)
    higher = [single_near(c) for c in rest]
    points = [half * i / 50 for i in range(-50, 51)]
    error = max(abs((1 + r + r**2 * polynomial([mpf(c) for c in higher], r)) / exp(r) - 1) for r in points)
    # The kernel leaves z·r²/2 out.
    bound = error + (roundings * mpf(2) ** -23 + LARGEST_Z) * half**2 / 2 + slack
    exact = [mpf(2) ** (mpf(i) / steps) for i in range(steps)]
    power = [single_near(e) for e in exact]
    low = [single_near(log(e / mpf(p)) + bound) for e, p in zip(exact, power)]
    return {"power": Table(power), "low": Table(low), "margin": single_near(2 * bound), "higher": higher}, error


def main():
    header, items = [], [("ln2 as a float and the float nearest to the rest", "LN2", "[f32; 2]", [LN2_HIGH, LN2_LOW])]
    for steps, degree in [(8, 5), (32, 3)]:
        fields, error = powers(steps, degree)
        header.append(f"{steps} powers a doubling, degree {degree}: relative error 2^{log2(error):.1f} before rounding.")
        items.append((f"For look-ups of {steps} floats", f"POWERS_{steps}", f"Powers<Table<{steps}>, {degree - 1}>", fields))
    print("\n".join(header))
    write_rust("kernel/src/data/exp_fast.rs", "exp_fast.py", header, items)


if __name__ == "__main__":
    main()
