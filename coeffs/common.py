"""What the scripts of this folder share: exact rounding, the arithmetic of a kernel, fits, and the look of a data file."""

import math
import os
import struct
from fractions import Fraction

from mpmath import chebyfit, mp, mpf

mp.prec = 200

RN, RU, RD, RZ = MODES = range(4)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def fraction(value):
    """The exact value of a float or an mpf."""
    if isinstance(value, mpf):
        sign, mantissa, exponent, _ = value._mpf_
        return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** exponent
    return Fraction(value)


def round_to(value, bits, mode=RN, smallest=-1074):
    """A Fraction rounded to `bits` significant bits and to a multiple of 2^smallest, as a Fraction."""
    if value == 0:
        return value
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, smallest)
    floor, rest = divmod(value, unit)
    if mode == RN:
        up = 2 * rest > unit or (2 * rest == unit and floor % 2 == 1)
    else:
        up = rest > 0 and (mode == RU or (mode == RZ and value < 0))
    return (floor + up) * unit


def double(value):
    """The double nearest to an mpf."""
    return float(round_to(fraction(value), 53))


def single(bits):
    """The value of the float with these bits."""
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def single_near(text):
    """The float nearest to a decimal, as a Python float."""
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


class Arithmetic:
    """The operations of a kernel's instruction set on Fractions, rounded as the CPU rounds them."""

    def __init__(self, mode, fused):
        self.mode, self.fused = mode, fused

    def f32(self, value):
        return round_to(value, 24, self.mode, -149)

    def f64(self, value):
        return round_to(value, 53, self.mode)

    def mul_add(self, a, b, c):
        return self.f64(a * b + c) if self.fused else self.f64(self.f64(a * b) + c)


# Every way in which a kernel runs: four modes, with and without fused multiply-add.
ARITHMETICS = [Arithmetic(mode, fused) for mode in MODES for fused in (True, False)]


def hard_inputs(function):
    """The inputs nearest to a rounding boundary, with their right results in the four modes, as bits."""
    with open(os.path.join(ROOT, "verify/golden", function + ".hard"), encoding="ascii") as file:
        rows = [[int(word, 16) for word in line.split()] for line in file if not line.startswith("#")]
    return [(row[0], row[1:]) for row in rows]


def moved(value, steps):
    """The double so many ulps away."""
    for _ in range(abs(steps)):
        value = math.nextafter(value, math.inf if steps > 0 else -math.inf)
    return value


def nearest_first(limit):
    """0, 1, -1, 2, -2, … up to the limit."""
    yield 0
    for step in range(1, limit + 1):
        yield step
        yield -step


def fit(function, low, high, degree):
    """Near-minimax polynomial (interpolation at the Chebyshev nodes), constant term first."""
    return list(reversed(chebyfit(function, [mpf(low), mpf(high)], degree + 1)))


def polynomial(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def log2(x):
    return float(mp.log(x, 2))


def rust(value):
    """A Rust expression: doubles in the shortest decimal form that gives each back, integers in hexadecimal."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(rust(v) for v in value) + "]"
    return repr(value) if isinstance(value, float) else f"0x{value:016x}" if value > 9999 else str(value)


def write_rust(path, script, header, items):
    """A data file: what it is and how good, then its items (comment, name, type, value), a row of a table a line."""
    uses_split = any(kind == "Split" for _, _, kind, _ in items)
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(f"//! Written by coeffs/{script}; do not edit.\n//!\n")
        file.writelines(f"//! {line}\n" for line in header)
        if uses_split:
            file.write("\nuse crate::isa::Split;\n")
        for comment, name, kind, value in items:
            table = isinstance(value, (list, tuple)) and len(value) > 8
            if kind == "f32":
                value = float(next(text for text in (f"{value:.{n}g}" for n in range(1, 10)) if single_near(text) == value))
            text = "[\n" + "".join(f"    {rust(row)},\n" for row in value) + "]" if table else rust(value)
            file.write(f"\n/// {comment}.\npub {'static' if table else 'const'} {name}: {kind} = {text};\n")
