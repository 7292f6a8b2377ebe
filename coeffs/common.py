"""What every script of this folder shares: exact rounding, near-minimax fits, and the way a data file looks."""

from fractions import Fraction

from mpmath import mp, mpf, chebyfit

mp.prec = 200

RN, RU, RD, RZ = "rn", "ru", "rd", "rz"
MODES = (RN, RU, RD, RZ)


def fraction(value):
    """The exact value of a float or an mpf."""
    if isinstance(value, mpf):
        sign, mantissa, exponent, _ = value._mpf_
        return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** exponent
    return Fraction(value)


def round_to(value, bits, mode=RN, smallest=-1074):
    """A Fraction rounded to `bits` significant bits (no multiple of less than 2^smallest), as a Fraction."""
    if value == 0:
        return Fraction(0)
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, smallest)
    scaled = value / unit
    floor = scaled.numerator // scaled.denominator
    rest = scaled - floor
    up = {
        RN: rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1),
        RU: rest > 0,
        RD: False,
        RZ: rest > 0 and value < 0,
    }[mode]
    return (floor + up) * unit


def double(value):
    """The double nearest to an mpf."""
    return float(round_to(fraction(value), 53))


def single_bits_value(bits):
    """The value of an f32 bit pattern, exactly."""
    import struct

    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def neighbours(value, count):
    """`value`, then the doubles beside it, nearest first: `count` to each side."""
    import math

    yield value
    below = above = value
    for _ in range(count):
        below, above = math.nextafter(below, -math.inf), math.nextafter(above, math.inf)
        yield below
        yield above


def fit(function, low, high, degree):
    """Near-minimax polynomial (interpolation at the Chebyshev nodes), constant term first."""
    return list(reversed(chebyfit(function, [mpf(low), mpf(high)], degree + 1)))


def polynomial(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def rust_array(values):
    """A Rust array expression of doubles, in the shortest decimal form that gives each back."""
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def log2(x):
    return float(mp.log(x, 2)) if x else float("-inf")
