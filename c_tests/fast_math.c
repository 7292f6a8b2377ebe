/* A program that is compiled and linked with -ffast-math, which takes subnormal numbers for zero all over the process: of
 * normal numbers the results are the same bits. Old compilers called __expf_finite then. */
#include "check.h"

#include "cases.h"
#include "ways.h"

#ifndef __FAST_MATH__
#error "not compiled with -ffast-math"
#endif

extern float __expf_finite(float x);

static int is_normal(const struct format *format, double x) {
    uint64_t magnitude = magnitude_of(format, number_from(format, x));
    return magnitude >= normal_of(format) && magnitude < format->infinity;
}

static void expect(const struct row *row, const struct way *way, int function) {
    static uint64_t x[LONG], y[LONG];
    const struct format *format = functions[function].format;
    uint64_t right = number_from(format, row->right[0]);
    for (size_t lane = 0; lane < way->lanes; lane++) {
        put_number(format, x, (ptrdiff_t)lane, number_from(format, row->x));
    }
    call_by(way, function, x, y);
    for (size_t lane = 0; lane < way->lanes; lane++) {
        uint64_t value = number_at(format, y, (ptrdiff_t)lane);
        if (value != right) {
            fail("%s(%s) gives %s instead of %s", way->names[function], text(format, x[0]), text(format, value),
                 text(format, right));
        }
    }
}

static void results_are_the_same_bits(void) {
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        int function = (int)(function_named(row->function) - functions);
        const struct format *format = functions[function].format;
        for (const struct way *way = ways; way < ways + WAYS; way++) {
            if (has_way(function, way) && is_normal(format, row->x) && is_normal(format, row->right[0])) {
                expect(row, way, function);
            }
        }
        if (strcmp(row->function, "expf") == 0 && is_normal(format, row->right[0]) && is_normal(format, row->x) &&
            bits(__expf_finite((float)row->x)) != bits((float)row->right[0])) {
            fail("__expf_finite(%a) does not give %a", row->x, row->right[0]);
        }
    }
}

int main(void) {
#ifdef __x86_64__
    const unsigned subnormals_are_zero = 0x8040; /* bits of MXCSR */
    if ((_mm_getcsr() & subnormals_are_zero) != subnormals_are_zero) {
        printf("subnormal numbers are not taken for zero, so nothing is tested\n");
        return 1;
    }
#endif
    if (!ways_are_ready()) {
        return 1;
    }
    for (int i = 0; i < LEVELS; i++) {
        level = levels[i];
        if (set_level(level) == 0) {
            results_are_the_same_bits();
        }
    }
    return result();
}
