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


def real(value):
    """A Fraction as an mpf."""
    return mpf(value.numerator) / value.denominator


def closeness(value):
    """The distance from a value to the nearest float or midpoint between floats, relative to it."""
    exact = fraction(value)
    return abs(float((round_to(exact, 25, RN, -150) - exact) / exact))


def single(bits):
    """The value of the float with these bits."""
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def single_bits(value):
    """The bits of the float nearest to a number."""
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


class Single(float):
    """A float of single precision, printed in the shortest decimal form that gives it back."""

    def __repr__(self):
        texts = (f"{float(self):.{n}g}" for n in range(1, 10))
        return repr(float(next(text for text in texts if single_near(text) == self)))


def single_near(value):
    """The float nearest to a number or a decimal."""
    return Single(struct.unpack("<f", struct.pack("<f", float(value)))[0])


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

    def polynomial(self, row, h):
        """That of degree 7 of kernel/src/erf.rs."""
        e0, e1, e2, e3, e4, e5, e6, e7 = row
        square = self.f64(h * h)
        low = self.mul_add(h, e1, e0)
        middle = self.mul_add(h, e3, e2)
        high = self.mul_add(square, self.mul_add(h, e7, e6), self.mul_add(h, e5, e4))
        return self.mul_add(self.f64(square * square), high, self.mul_add(square, middle, low))


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


class Half(int):
    """The bits of a number in half precision."""


class Some(tuple):
    """The one thing in it, which Rust keeps in an Option."""


class Table(tuple):
    """Floats for a look-up in registers."""


def rust(value):
    """A Rust expression: floats in the shortest decimal form that gives each back, integers in hexadecimal."""
    if value is None:
        return "None"
    if isinstance(value, Some):
        return "Some(" + rust(value[0]) + ")"
    if isinstance(value, Table):
        return "Table(" + rust(list(value)) + ")"
    if isinstance(value, Half):
        return f"0x{value:04x}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(rust(v) for v in value) + "]"
    return repr(value) if isinstance(value, float) else f"0x{value:016x}" if value > 9999 else str(value)


# Where the types of data live.
TYPES = {"Split": "isa", "Table": "isa", "Cells": "cells", "Powers": "exp"}


def write_rust(path, script, header, items, types=TYPES):
    """A data file: what it is and how good, then its items (comment, name, type, value): a row of a table a line, and a
    field of a struct, which is a dictionary, a line."""
    used = sorted({word for _, _, kind, _ in items for word in kind.replace("<", " ").split()} & types.keys(), key=types.get)
    with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
        file.write(f"//! Written by coeffs/{script}; do not edit.\n//!\n")
        file.writelines(f"//! {line}\n" for line in header)
        file.writelines(["\n"] * bool(used) + [f"use crate::{types[kind]}::{kind};\n" for kind in used])
        for comment, name, kind, value in items:
            table = isinstance(value, (list, tuple)) and not isinstance(value, Table) and len(value) > 8
            if isinstance(value, dict):
                fields = "".join(f"    {field}: {rust(v)},\n" for field, v in value.items())
                text = kind.split("<")[0] + " {\n" + fields + "}"
            else:
                text = "[\n" + "".join(f"    {rust(row)},\n" for row in value) + "]" if table else rust(value)
            static = table or isinstance(value, (dict, Table))
            file.write(f"\n/// {comment}.\npub {'static' if static else 'const'} {name}: {kind} = {text};\n")
