"""Writes kernel/src/data/bfloat16.rs: all results of GELU and of the normal distribution in bfloat16 that no simple rule gives."""

from fractions import Fraction

from mpmath import erfc, mp, mpf, sqrt

from common import Half, fraction, round_to, write_rust

mp.prec = 200

BITS = 8  # of a significand
SMALLEST = -133  # exponent of the smallest subnormal number
BIAS = 127


def value(magnitude):
    """What the bits of a positive normal number mean."""
    return mpf(128 + magnitude % 128) * mpf(2) ** (magnitude // 128 - BIAS - 7)


def nearest(real):
    """The bits of the bfloat16 nearest to a real number."""
    rounded = round_to(fraction(abs(real)), BITS, smallest=SMALLEST)
    unit = Fraction(2) ** SMALLEST
    while rounded >= unit * 2**BITS:
        unit *= 2
    # The exponent counts units; of a normal number the leading bit adds one to it.
    exponent = unit.numerator.bit_length() - unit.denominator.bit_length() - SMALLEST
    return Half((0x8000 if real < 0 else 0) + exponent * 128 + int(rounded / unit))


def distribution(x):
    return erfc(-x / sqrt(2)) / 2


def gelu(x):
    return x * distribution(x)


def results(function, first):
    """For each magnitude from these bits to those of 14 the results of it and of its negative, eight a row."""
    magnitudes = range(first, (3 + BIAS) * 128 + 96, 8)
    return [[nearest(function(x)) for m in range(start, start + 8) for x in (value(m), -value(m))] for start in magnitudes]


def main():
    items = []
    # Below, GELU is x/2, since (1 + 0.8*abs(x)) times that is no other number, and the distribution is 1/2. From 14 on both
    # are what they tend to.
    for name, function, first in [("GELU", gelu, -11), ("NORMCDF", distribution, -10)]:
        first_bits = Half((first + BIAS) * 128)
        rows = results(function, first_bits)
        comment = f"Results of 2^{first} and of its negative, and so on for each magnitude below 14"
        items.append((comment, name, f"[[u16; 16]; {len(rows)}]", rows))
        items.append((f"The bits of 2^{first}", f"{name}_FIRST", "u16", first_bits))
    write_rust("kernel/src/data/bfloat16.rs", "bfloat16.py", ["Correctly rounded from 200 bits."], items)


if __name__ == "__main__":
    main()
