"""What the fast phase of erf, erfc and normcdf in double precision computes with.

A cell is a polynomial about its centre, with the value and the slope there as two words each; the slope's first word is so
short that its products with halves of doubles are exact. Beside the cells there are margins: by how much a sum may be off,
in every rounding mode, as a multiple of its second-order term and a multiple of the result. They are proven here for each
cell by a running error analysis over a grid of arguments, fused and unfused.
"""

from mpmath import erf, erfc, exp, log, mp, mpf, pi, sqrt

from common import double, fit, fraction, log2, polynomial, round_to, write_rust

DEGREE = 10
SLOPE_BITS = 26
# In the directed modes an operation is off by less than this of its result.
UNIT = 2.0**-52
# Cells reach so much further: an addition in the caller's mode finds their number.
OVERLAP = mpf(2) ** -46
# Of the result 1 or 2 from which a smaller one is subtracted.
COMPLEMENT_MARGIN = 2.0**-98
# Where a cell is looked at, over half of its width: densely, and more so near its centre, where the second-order term vanishes.
STEPS = [mpf(k) / 16 for k in range(-16, 17)] + [sign * mpf(2) ** -k for sign in (-1, 1) for k in range(5, 12)]
# What of the result a margin may be beside the second-order term's part, which is as small as that lets it be.
LARGEST_FLOOR = mpf(2) ** -64
# Beyond FAR there are so many cells from a power of two to the next.
FAR, FAR_CELLS = mpf(4.5), 32
POWERS = 128
# The power of two, and its product with erfcx, which is above 2^-6, are normal.
FURTHEST = 1015 * log(2)
# A step of so many bits times an integer below 2^18 is exact, and so is that less a double of at least 8 that is near it.
STEP_BITS = 32


def normcdf_below(a):
    return erfc(a / sqrt(mpf(2))) / 2


def erfcx(a):
    return exp(a * a) * erfc(a)


def normcdf_below_x(a):
    return exp(a * a / 2) * normcdf_below(a)


def row(coefficients):
    """[value, its low word, slope, its low word, the others] from coefficients with many digits."""
    value = double(coefficients[0])
    slope = mpf(float(round_to(fraction(coefficients[1]), SLOPE_BITS)))
    return [value, double(coefficients[0] - value), float(slope), double(coefficients[1] - slope)] + [
        double(c) for c in coefficients[2:]
    ]


def cells(function, width, count, odd):
    """The rows of cells about 0, width, 2·width …, where a function that is odd about 0 has an odd cell there."""
    for index in range(count):
        half = width / 2 + OVERLAP
        if odd and index == 0:
            over_x = fit(lambda v: function(sqrt(v)) / sqrt(v) if v else 2 / sqrt(pi), 0, half * half, DEGREE // 2 - 1)
            coefficients = [mpf(0)] + [c for pair in zip(over_x, [mpf(0)] * len(over_x)) for c in pair]
        else:
            coefficients = fit(lambda h, index=index: function(index * width + h), -half, half, DEGREE)
        yield row(coefficients)


class Computed:
    """The value of what is meant, to the accuracy of a double, and how far what is computed may be from it."""

    def __init__(self, value, error=0):
        self.value, self.error = float(value), float(error)

    def rounded(self):
        return Computed(self.value, self.error + UNIT * (abs(self.value) + self.error))

    def __add__(self, other):
        return Computed(self.value + other.value, self.error + other.error).rounded()

    def product(self, other):
        error = abs(self.value) * other.error + abs(other.value) * self.error + self.error * other.error
        return Computed(self.value * other.value, error)

    def __mul__(self, other):
        return self.product(other).rounded()


def bound(cell, h, fused, complement):
    """The largest error of the sum at h, as the kernel forms it, and the second-order term and the first sum."""

    def mul_add(a, b, c):
        product = a.product(b) if fused else a * b
        return Computed(product.value + c.value, product.error + c.error).rounded()

    value, value_low, slope, slope_low, *higher = (Computed(c) for c in cell)
    c2, c3, c4, c5, c6, c7, c8, c9, c10 = higher
    h = Computed(h)
    square = h * h
    low = mul_add(square, mul_add(h, c6, c5), mul_add(h, c4, c3))
    high = mul_add(square, mul_add(h, c10, c9), mul_add(h, c8, c7))
    second = mul_add(h, mul_add(square * square, high, low), c2)
    first = value.value + h.value * slope.value
    # The kernel's differences of the first sum are exact: it is no less than half of the value and no more than twice.
    assert cell[0] == 0 or cell[0] / 2 < first < cell[0] * 2
    # What the first sum leaves: less than a unit of it and, unfused, the product of the argument's lower half.
    rest = UNIT * abs(first) * (1 + UNIT)
    if not fused:
        rest += abs(h.value * slope.value) * 2.0**-26
    rest = Computed(rest, rest * 2 * UNIT)
    if complement:
        rest = Computed(rest.value + UNIT * 2, rest.error + 2 * UNIT * UNIT)
    low_words = mul_add(h, slope_low, value_low)
    # The margin is added to the low words, in a sum of its own.
    rest += Computed(abs(low_words.value), low_words.error)
    rest = rest.rounded()
    widened = Computed(square.value, square.error).rounded()
    low = mul_add(widened, Computed(abs(second.value), second.error), rest)
    return low.error, square.value * second.value, first


def margins(function, width, rows, sign, complement):
    """[multiple of the second-order term, multiple of the result] for fused and unfused, and the approximation's error."""
    result, worst = [], mpf(0)
    approximations = {}
    for index, cell in enumerate(rows):
        for step in STEPS:
            h = step * (width / 2 + OVERLAP)
            if index == 0 and h <= 0:
                continue
            exact = function(index * width + h)
            total = cell[0] + mpf(cell[1]) + (cell[2] + mpf(cell[3])) * h + h * h * polynomial(cell[4:], h)
            approximations[index, step] = (h, exact, abs(total - exact))
            worst = max(worst, abs(total / exact - 1))
    for fused in (True, False):
        bounds = [
            (error * mpf("1.25"), *bound(rows[index], h, fused, False), complement and bound(rows[index], h, fused, True)[0])
            for (index, _), (h, _, error) in approximations.items()
        ]
        for units in range(2, 20):
            curve = sign * units * UNIT
            floor = max((error + rounding - curve * second_order) / first for error, rounding, second_order, first, _ in bounds)
            # Twice as much is on the safe side of the grid and costs little.
            floor = mpf(2) ** mp.ceil(mp.log(2 * max(floor, mpf(2) ** -80), 2))
            if floor <= LARGEST_FLOOR:
                break
        else:
            raise ValueError("no margin will do")
        for error, rounding, second_order, first, whole_rounding in bounds:
            margin = curve * second_order + floor * first + complement * COMPLEMENT_MARGIN
            assert error + whole_rounding < margin
        result.append([float(curve), float(floor)])
    return result, worst


def far_cells(function, end):
    """Rows about the centres of cells between FAR and an end, and the largest error of the kernel's sum over the sum."""
    rows, worst, steepest = [], mpf(0), mpf(0)
    low = FAR
    while low < end:
        half = mpf(2) ** (mp.frexp(low)[1] - 1) / FAR_CELLS / 2
        centre = low + half
        cell = row(fit(lambda h: function(centre + h), -half, half, DEGREE))
        for step in STEPS:
            h = step * half
            exact = function(centre + h)
            total = cell[0] + mpf(cell[1]) + (cell[2] + mpf(cell[3])) * h + h * h * polynomial(cell[4:], h)
            for fused in (True, False):
                rounding, second_order, first = bound(cell, h, fused, False)
                worst = max(worst, (abs(total - exact) * mpf("1.25") + rounding) / first)
                steepest = max(steepest, abs(second_order / first))
        rows.append(cell)
        low += 2 * half
    return rows, worst, steepest


items = [
    ("By how much 1 or 2 less a smaller number may be off beside that", "COMPLEMENT_MARGIN", "f64", COMPLEMENT_MARGIN),
]
header = []
for name, function, cells_a_unit, end, sign, complement in (
    ("ERF", erf, 16, 6, -1, 0),
    ("ERFC", erfc, 32, 4.5, 1, 2),
    ("NORMCDF", normcdf_below, 16, 4.5, 1, 1),
):
    width = mpf(1) / cells_a_unit
    rows = list(cells(function, width, int(end * cells_a_unit) + 1, name == "ERF"))
    found, error = margins(function, width, rows, sign, complement)
    kind = f"[[f64; {DEGREE + 3}]; {len(rows)}]"
    header.append(f"{name.lower()}: {len(rows)} cells of width 1/{cells_a_unit}, largest relative error 2^{log2(error):.1f};")
    for way, (curve, floor) in zip(("fused", "unfused"), found):
        header.append(f"  margin {way}: {abs(curve) / float(UNIT):.0f}·2^-52 of the second-order term and 2^{log2(floor):.0f} of the result.")
    items.append(("Cells a unit, as a power of two", name + "_POINT", "u32", cells_a_unit.bit_length() - 1))
    items.append(("Margins over the second-order term and over the result: unfused and fused", name + "_MARGINS", "[[f64; 2]; 2]", found[::-1]))
    items.append(("Value, slope, both in two words, and the other coefficients of each cell", name, kind, rows))

step = log(2) / POWERS
step_high = float(round_to(fraction(step), STEP_BITS))
items += [
    ("How many steps of the powers below make a factor of e", "FAR_RATE", "f64", double(1 / step)),
    ("The logarithm of a step in two words, the first of them short", "FAR_STEP", "[f64; 2]", [step_high, double(step - mpf(step_high))]),
    (
        "2^(i/128) in two words",
        "POWERS",
        f"[[f64; 2]; {POWERS}]",
        [[double(power), double(power - double(power))] for power in (mpf(2) ** (mpf(i) / POWERS) for i in range(POWERS))],
    ),
]
far_margin = mpf(0)
for name, function, end in (("ERFC", erfcx, sqrt(FURTHEST)), ("NORMCDF", normcdf_below_x, sqrt(2 * FURTHEST))):
    rows, error, steepest = far_cells(function, end)
    # Eight more operations on low words that are at most so large, 16 units of exp(r) - 1 - r, which is below 2^-17.9, and
    # for the rest of what kernel/src/double.rs lists.
    far_margin = max(far_margin, error + 8 * UNIT * steepest + 16 * UNIT * mpf(2) ** mpf("-17.9") + mpf(2) ** -65)
    header.append(f"{name.lower()} beyond {float(FAR)}: {len(rows)} cells, second-order terms up to 2^{log2(steepest):.1f}, error 2^{log2(error):.1f}.")
    items.append(("The end of the cells that follow", name + "_FAR_END", "f64", float(mp.floor(end * 8) / 8)))
    items.append(("As above, of the function over exp", name + "_FAR", f"[[f64; {DEGREE + 3}]; {len(rows)}]", rows))
header.append(f"There the margin is 2^{log2(far_margin):.1f}.")
items.append(("By how much results there may be off, over the result", "FAR_MARGIN", "f64", double(far_margin)))

write_rust("kernel/src/data/double_fast.rs", "double_fast.py", header, items)
