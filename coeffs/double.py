"""What the accurate phase of erf, erfc and normcdf in double precision computes with: integers of 128 and of 64 bits.

erfcx(a) = exp(a²)·erfc(a) is a polynomial in cells between which 1 + a grows by a sixteenth of a power of two, in the
distance s to the upper end of the cell, over its width. erfcx falls, and all its derivatives have alternating signs, so that
in s every coefficient is positive. The same holds for erf(x)/x as a function of x², which stands in the first cell's place.
"""

import struct

from mpmath import erf, erfc, exp, factorial, log, mp, mpf, pi, sqrt

from common import fit, log2, polynomial, write_rust

mp.prec = 240

# Coefficients are integers over 2^127, the later ones over 2^116.
POINT, LATER_POINT = 127, 116
FIRST, LATER = 14, 5
CELLS_AN_OCTAVE = 16
SMALL = mpf(1) / CELLS_AN_OCTAVE
# 1 + a up to here: beyond, everything rounds as it does here.
LARGEST = mpf("27.5")
STEPS = 64
POWER_FIRST, POWER_LATER = 4, 5


def fixed(value, point=POINT):
    return int(mp.floor(value * mpf(2) ** point + mpf("0.5")))


def cells():
    """For each cell its octave, and the function of s over [0, 1] that it holds."""
    yield 0, lambda s: erf_over_x(SMALL**2 * (1 - s))
    index = 1
    while True:
        octave, step = divmod(index, CELLS_AN_OCTAVE)
        width = mpf(2) ** octave / CELLS_AN_OCTAVE
        end = mpf(2) ** octave + (step + 1) * width - 1
        yield octave, lambda s, octave=octave, width=width, end=end: erfcx(end - s * width) * 2**octave
        if end > LARGEST:
            return
        index += 1


def erfcx(a):
    return exp(a * a) * erfc(a)


def erf_over_x(square):
    return erf(sqrt(square)) / sqrt(square) if square else 2 / sqrt(pi)


def row(function):
    """A cell's coefficients as integers, and their largest relative error."""
    coefficients = fit(function, 0, 1, FIRST + LATER - 1)
    first = [fixed(c) for c in coefficients[:FIRST]]
    later = [fixed(c, LATER_POINT) for c in coefficients[FIRST:]]
    assert all(0 <= c < 2**128 for c in first) and all(0 <= c < 2**64 for c in later)
    # Partial sums are the larger the more terms they have.
    assert sum(first) + (sum(later) << (POINT - LATER_POINT)) < 2**128
    rounded = [c / mpf(2) ** POINT for c in first] + [c / mpf(2) ** LATER_POINT for c in later]
    places = [mpf(k) / 64 for k in range(65)]
    return first, later, max(abs(polynomial(rounded, s) / function(s) - 1) for s in places)


def double_bits(bits):
    return mpf(struct.unpack("<d", struct.pack("<Q", bits))[0])


def last_above(function, limit, low, high):
    """The largest double of which a falling function is above the limit."""
    low, high = (struct.unpack("<Q", struct.pack("<d", x))[0] for x in (low, high))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if function(double_bits(middle)) > limit else (low, middle)
    return float(double_bits(low))


def nearest_to_boundary():
    """How near 2/√π times an integer below 2^53 comes to a half-integer, over the product: a bound for tiny arguments.

    With |m·c - n/2| as |2·m·c - n|/2, the convergents of 2·c are the best approximations with denominators so large."""
    ratio, best = 4 / sqrt(pi), mpf(1)
    (p0, q0), (p1, q1), rest = (0, 1), (1, 0), ratio
    while q1 < 2**53:
        whole = int(mp.floor(rest))
        (p0, q0), (p1, q1) = (p1, q1), (whole * p1 + p0, whole * q1 + q0)
        rest = 1 / (rest - whole)
        if q1 < 2**53:
            best = abs(ratio * q1 - p1)
    return best / 2 / (ratio / 2 * mpf(2) ** 53)


rows = [(octave, *row(function)) for octave, function in cells()]
error = max(e for *_, e in rows[1:])
rate = log(2) / STEPS**2
powers = [rate**k / factorial(k) for k in range(POWER_FIRST + POWER_LATER)]
power_error = rate ** len(powers) / factorial(len(powers)) + POWER_LATER * mpf(2) ** -(LATER_POINT + 1)
range_end = last_above(erfc, mpf(2) ** -1075, 27.0, 27.5)

write_rust(
    "kernel/src/data/double.rs",
    "double.py",
    [
        f"erfcx in {len(rows) - 1} cells, and erf(x)/x below {float(SMALL)} in the place of the first: degree {FIRST + LATER - 1}, with the",
        f"coefficients as they stand here off by 2^{log2(error):.1f} and 2^{log2(rows[0][-1]):.1f} at most. The last power of two: 2^{log2(power_error):.1f}.",
        f"m·2/√π for integers m < 2^53 keeps off every half-integer by 2^{log2(nearest_to_boundary()):.1f} of itself.",
    ],
    [
        (
            "The largest number whose erfc does not round to 0 in round-to-nearest",
            "LARGEST",
            "f64",
            range_end,
        ),
        ("Of each cell the first coefficients, over 2^127", "FIRST", f"[[u128; {FIRST}]; {len(rows)}]", [r[1] for r in rows]),
        ("The others, over 2^116", "LATER", f"[[u64; {LATER}]; {len(rows)}]", [r[2] for r in rows]),
        ("2^(i/64), over 2^127", "COARSE", f"[u128; {STEPS}]", [fixed(mpf(2) ** (mpf(i) / STEPS)) for i in range(STEPS)]),
        ("2^(i/4096), over 2^127", "FINE", f"[u128; {STEPS}]", [fixed(mpf(2) ** (mpf(i) / STEPS**2)) for i in range(STEPS)]),
        (
            "Of 2^(z/4096), over 2^127",
            "POWER_FIRST",
            f"[u128; {POWER_FIRST}]",
            [fixed(c) for c in powers[:POWER_FIRST]],
        ),
        ("The others, over 2^116", "POWER_LATER", f"[u64; {POWER_LATER}]", [fixed(c, LATER_POINT) for c in powers[POWER_FIRST:]]),
        ("The logarithm of e to the base 2, over 2^127", "LOG2_E", "u128", fixed(1 / log(2))),
        ("The square root of 1/2, over 2^128", "SQRT_HALF", "u128", fixed(sqrt(mpf(1) / 2), 128)),
    ],
)
