/* A call leaves the floating-point environment's control bits alone, and works when somebody else in the process has
 * set x86's bits that take subnormal numbers for zero. */
#include "check.h"

#include "cases.h"
#include "ways.h"

struct controls {
    int rounding;
#ifdef __x86_64__
    unsigned vector;     /* MXCSR without its flags: mode, masks, flush-to-zero, denormals-are-zero */
    uint16_t x87;        /* the x87 control word: mode, masks, precision */
    uint16_t x87_in_use; /* the x87 registers in use, from their tag word, in which 3 says empty */
#endif
};

static struct controls controls(void) {
    struct controls now;
    memset(&now, 0, sizeof now);
    now.rounding = fegetround();
#ifdef __x86_64__
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

static void call_and_compare_controls(const struct way *way, int function, const float *x, float *y) {
    struct controls before = controls(), after;
    way->call(way->symbols[function], way->lanes, x, y);
    after = controls();
    if (memcmp(&before, &after, sizeof before) != 0) {
        fail(way->names[function], x[0], "and %d other lanes change the environment's control bits",
             (int)way->lanes - 1);
    }
}

#ifdef __x86_64__
static int is_subnormal(float x) {
    uint32_t magnitude = bits(x) & 0x7fffffff;
    return magnitude != 0 && magnitude < 0x00800000;
}

/* A subnormal input may count as zero, and so may a subnormal result. */
static void expect_same_but_subnormals(const struct way *way, int function, const float *x,
                                       unsigned subnormals_are_zero) {
    static float zeros[LONG], right[LONG], at_zero[LONG], value[LONG];
    unsigned ordinary = _mm_getcsr();
    for (size_t lane = 0; lane < way->lanes; lane++) {
        zeros[lane] = from_bits(bits(x[lane]) & 0x80000000);
    }
    way->call(way->symbols[function], way->lanes, x, right);
    way->call(way->symbols[function], way->lanes, zeros, at_zero);
    _mm_setcsr(ordinary | subnormals_are_zero);
    call_and_compare_controls(way, function, x, value);
    _mm_setcsr(ordinary);
    for (size_t lane = 0; lane < way->lanes; lane++) {
        if (bits(value[lane]) != bits(right[lane]) &&
            !(is_subnormal(x[lane]) && bits(value[lane]) == bits(at_zero[lane])) &&
            !(is_subnormal(right[lane]) && (bits(value[lane]) & 0x7fffffff) == 0)) {
            fail(way->names[function], x[lane], "gives %a instead of %a when MXCSR has 0x%x set, in lane %d of %d",
                 (double)value[lane], (double)right[lane], subnormals_are_zero, (int)lane, (int)way->lanes);
        }
    }
}
#endif

static void expect(const struct way *way, int function, const float *x) {
    static float y[LONG];
    call_and_compare_controls(way, function, x, y);
#ifdef __x86_64__
    {
        const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040; /* bits of MXCSR */
        expect_same_but_subnormals(way, function, x, flush_to_zero);
        expect_same_but_subnormals(way, function, x, denormals_are_zero);
        expect_same_but_subnormals(way, function, x, flush_to_zero | denormals_are_zero);
    }
#endif
}

/* All rows, then every STEP-th bit pattern, in an order that leaves no two alike side by side. */
enum { WALK = ROWS + 65536 };

static float walk(size_t i) {
    return i < ROWS ? rows[i].x : from_bits((uint32_t)(i * 40503 % 65536 * STEP));
}

static void expect_all(const struct way *way) {
    static float x[LONG];
    for (int function = 0; function < FUNCTIONS; function++) {
        for (size_t i = 0; i < WALK && way->lanes > 0; i += way->lanes) {
            for (size_t lane = 0; lane < way->lanes; lane++) {
                x[lane] = walk((i + lane) % WALK);
            }
            expect(way, function, x);
        }
    }
}

static void environment_is_left_alone(void) {
    expect_all(&scalar);
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        expect_all(way);
    }
}

int main(void) {
#ifndef __x86_64__
    printf("skipped: control bits other than the mode, which this program knows on x86-64 only\n");
#endif
    return ways_are_ready() ? in_every_mode_at_every_level(environment_is_left_alone) : 1;
}
