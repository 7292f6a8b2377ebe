/* A call leaves the floating-point environment's control bits alone, and works when somebody else in the process has
 * set x86's bits that take subnormal numbers for zero. */
#include "check.h"

#include "cases.h"
#include "ways.h"

struct controls {
    int rounding;
#ifdef __SSE2__
    unsigned vector;     /* MXCSR without its flags: mode, masks, flush-to-zero, denormals-are-zero */
    uint16_t x87;        /* the x87 control word: mode, masks, precision */
    uint16_t x87_in_use; /* the x87 registers in use, from their tag word, in which 3 says empty */
#endif
};

static struct controls controls(void) {
    struct controls now;
    memset(&now, 0, sizeof now);
    now.rounding = fegetround();
#ifdef __SSE2__
    {
        uint32_t environment[7]; /* fnstenv's layout: control word, status word, tag word, four of addresses */
        /* Storing it masks all exceptions, so it is loaded again. */
        __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment));
        now.vector = _mm_getcsr() & ~(unsigned)_MM_EXCEPT_MASK;
        now.x87 = (uint16_t)environment[0];
        now.x87_in_use = (uint16_t)~environment[2];
    }
#endif
    return now;
}

static void call_and_compare_controls(const struct way *way, int function, const void *x, void *y) {
    const struct format *format = functions[function].format;
    struct controls before = controls(), after;
    call_by(way, function, x, y);
    after = controls();
    if (memcmp(&before, &after, sizeof before) != 0) {
        fail("%s(%s) and %d other lanes change the environment's control bits", way->names[function],
             text(format, number_at(format, x, 0)), (int)way->lanes - 1);
    }
}

#ifdef __SSE2__
/* A subnormal input may count as zero, and so may a subnormal result. */
static void expect_same_but_subnormals(const struct way *way, int function, const void *x,
                                       unsigned subnormals_are_zero) {
    static uint64_t zeros[LONG], right[LONG], at_zero[LONG], value[LONG];
    const struct format *format = functions[function].format;
    unsigned ordinary = _mm_getcsr();
    for (ptrdiff_t lane = 0; lane < (ptrdiff_t)way->lanes; lane++) {
        put_number(format, zeros, lane, number_at(format, x, lane) & sign_of(format));
    }
    call_by(way, function, x, right);
    call_by(way, function, zeros, at_zero);
    _mm_setcsr(ordinary | subnormals_are_zero);
    call_and_compare_controls(way, function, x, value);
    _mm_setcsr(ordinary);
    for (ptrdiff_t lane = 0; lane < (ptrdiff_t)way->lanes; lane++) {
        uint64_t in = number_at(format, x, lane), out = number_at(format, value, lane);
        uint64_t promised = number_at(format, right, lane);
        if (out != promised && !(is_subnormal(format, in) && out == number_at(format, at_zero, lane)) &&
            !(is_subnormal(format, promised) && magnitude_of(format, out) == 0)) {
            fail("%s(%s) gives %s instead of %s when MXCSR has 0x%x set, in lane %d of %d", way->names[function],
                 text(format, in), text(format, out), text(format, promised), subnormals_are_zero, (int)lane,
                 (int)way->lanes);
        }
    }
}
#endif

static void expect(const struct way *way, int function, const void *x) {
    static uint64_t y[LONG];
    call_and_compare_controls(way, function, x, y);
#ifdef __SSE2__
    {
        const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040; /* bits of MXCSR */
        expect_same_but_subnormals(way, function, x, flush_to_zero);
        expect_same_but_subnormals(way, function, x, denormals_are_zero);
        expect_same_but_subnormals(way, function, x, flush_to_zero | denormals_are_zero);
    }
#endif
}

/* All rows, then a walk over the bit patterns, in an order that leaves no two alike side by side. */
enum { WALK = ROWS + 16384 };

static uint64_t argument(const struct format *format, size_t i) {
    return i < ROWS ? number_from(format, rows[i].x) : walk_at(format, i * 40503 % 65536);
}

static void environment_is_left_alone(void) {
    static uint64_t x[LONG];
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            for (size_t i = 0; i < WALK && has_way(function, way); i += way->lanes) {
                const struct format *format = functions[function].format;
                for (size_t lane = 0; lane < way->lanes; lane++) {
                    put_number(format, x, (ptrdiff_t)lane, argument(format, (i + lane) % WALK));
                }
                expect(way, function, x);
            }
        }
    }
}

int main(void) {
#ifndef __SSE2__
    printf("skipped: control bits other than the mode, which this program knows of x86 only\n");
#endif
    return ways_are_ready() ? in_every_mode_at_every_level(environment_is_left_alone) : 1;
}
