"""Writes kernel/src/data/exp.rs: the table and the cubic of the scalar expf.

The cubic alone leaves an error of 2^-48, too much for some inputs near a rounding boundary. The hard inputs
(verify/golden/expf.hard, decided by MPFR) are run through the kernel's arithmetic in all modes, fused and not; each entry
of the table is moved by as few ulps as make its inputs round right. The entry of 2^0 stays 1, so the cubic is moved until
it serves the inputs around 0. The sweep over all inputs proves the result.
"""

import math
import struct
from fractions import Fraction

from mpmath import log, mp, mpf

from common import ARITHMETICS, RZ, closeness, double, fraction, hard_inputs, log2, moved, nearest_first, polynomial, real
from common import round_to, single, single_near, write_rust

POWERS = 512
STEP = log(2) / POWERS
# k has 17 bits: k·head is exact.
HEAD_BITS = 36
INFINITY = 0x7F800000
# k comes from a float near SHIFT, whose last bits are a fraction.
FRACTION_BITS = 5
SHIFT = 3 << (22 - FRACTION_BITS)
SCALE = round_to(fraction(POWERS / log(2)), 24)
# What the bits of SHIFT, less the fraction, add to every index: a multiple of POWERS.
INDEX_OF_ZERO = struct.unpack("<I", struct.pack("<f", SHIFT))[0] >> FRACTION_BITS
assert INDEX_OF_ZERO % POWERS == 0


class Split(float):
    """A double that Rust keeps whole and in two parts."""

    def __new__(cls, value, bits):
        split = super().__new__(cls, value)
        split.bits = bits
        return split

    def __repr__(self):
        return f"Split::new({float(self)!r}, {self.bits})"


def cubic():
    """1 + r + c2·r² + c3·r³ for abs(r) <= STEP/2 = R: with u = (r/R)², r⁴/24 - (c2 - 1/2)·r² is u² - a·u but for a
    factor, smallest on [0, 1] for a = 2·(√2 - 1)."""
    half = STEP / 2
    return [double(mpf(1) / 2 + 2 * (mp.sqrt(2) - 1) * half**2 / 24), double(mpf(1) / 6)]


def index_of(arithmetic, x):
    """k of kernel/src/exp.rs."""
    shifted = x * SCALE + SHIFT + Fraction(1, 2)
    return math.floor(arithmetic.f32(shifted if arithmetic.fused else arithmetic.f64(shifted))) - SHIFT


def rest(arithmetic, x, k, c2, c3):
    """The rest of kernel/src/exp.rs, exp(x)/2^(k/POWERS) - 1."""
    mul_add, f64 = arithmetic.mul_add, arithmetic.f64
    step = Fraction(double(STEP))
    if arithmetic.fused:
        r = mul_add(Fraction(k), -step, x)
    else:
        head = round_to(step, HEAD_BITS, RZ)
        r = f64(f64(x - k * head) - f64(k * (step - head)))
    return mul_add(f64(r * r), mul_add(r, c3, c2), r)


def kernel(arithmetic, x, k, power, c2, c3):
    """expf of kernel/src/exp.rs, from the power on."""
    return arithmetic.f32(arithmetic.mul_add(power, rest(arithmetic, x, k, c2, c3), power) * Fraction(2) ** (k // POWERS))


def closest(cases):
    """The cases that an error of 2^-47 could make wrong: the others need no arithmetic."""
    return [case for case in cases if closeness(mp.exp(real(case[1]))) < mpf(2) ** -47]


def serves(cases, power, c2, c3):
    power = Fraction(power)
    return all(kernel(arithmetic, x, k, power, c2, c3) == right for arithmetic, x, k, right in cases)


def search(cases, c2, c3):
    """The nearest cubic with which an entry exists for all inputs of each index, and the entries' moves in ulp. The
    entry of 2^0 stays 1."""
    # The index that ruled out the last cubic is asked first.
    order = list(range(POWERS))
    # A step moves the sum by 2^-54 at the end of r's interval.
    for step in nearest_first(500):
        candidate = double(mpf(c2) + step * mpf(2) ** -33)
        cubic = Fraction(candidate), Fraction(c3)
        moves = {}
        for i in order:
            steps = nearest_first(100) if i else [0]
            moves[i] = next((move for move in steps if serves(cases[i], moved(POWER[i], move), *cubic)), None)
            if moves[i] is None:
                order.remove(i)
                order.insert(0, i)
                break
        else:
            return step, candidate, [moves[i] for i in range(POWERS)]
    raise SystemExit("exp: no cubic and no entries serve all hard inputs")


POWER = [double(mpf(2) ** (mpf(i) / POWERS)) for i in range(POWERS)]


def main():
    cases = [[] for _ in range(POWERS)]
    for bits, results in hard_inputs("expf"):
        x = single(bits)
        if INFINITY in results:
            continue  # an overflow is no close call for the table: the sweep sees it
        for arithmetic in ARITHMETICS:
            k = index_of(arithmetic, x)
            cases[k % POWERS].append((arithmetic, x, k, single(results[arithmetic.mode])))
    cases = [closest(of_index) for of_index in cases]
    c2, c3 = cubic()
    step, c2, moves = search(cases, c2, c3)

    powers = []
    for i in range(POWERS):
        bits = struct.unpack("<Q", struct.pack("<d", moved(POWER[i], moves[i])))[0]
        powers.append((bits - ((i + INDEX_OF_ZERO) << 52) // POWERS) % 2**64)
    half = STEP / 2
    worst = max(abs(polynomial([1, 1, c2, c3], half * i / 50) / mp.exp(half * i / 50) - 1) for i in range(-50, 51))
    header = [
        f"exp by {POWERS} powers a doubling and a cubic, relative error 2^{log2(worst):.1f} before rounding. For the sake of",
        f"hard inputs c2 is moved by {step}·2^-33, {sum(move != 0 for move in moves)} powers by up to {max(map(abs, moves))} ulp.",
    ]
    print("\n".join(header))
    write_rust(
        "kernel/src/data/exp.rs",
        "exp.py",
        header,
        [
            ("512/ln(2)", "SCALE", "f32", single_near(SCALE)),
            ("ln(2)/512; its head is exact times a k of 17 bits", "STEP", "Split", Split(double(STEP), HEAD_BITS)),
            ("c2 and c3", "CUBIC", "[f64; 2]", [c2, c3]),
            ("A float near it has as many bits after the point", "SHIFT", "f32", single_near(SHIFT)),
            ("How many", "FRACTION_BITS", "u32", FRACTION_BITS),
            ("Bits of 2^(i/512), less what an index adds: i, and what the bits of SHIFT add to it", "POWERS", f"[u64; {POWERS}]", powers),
        ],
    )


if __name__ == "__main__":
    main()
