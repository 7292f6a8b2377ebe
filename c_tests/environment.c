/* A call leaves the floating-point environment's control bits alone, and works when somebody else in the process has
 * set x86's bits that take subnormal numbers for zero. */
#include "check.h"

#include "cases.h"

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

static float call_and_compare_controls(const struct named_function *function, float x) {
    struct controls before = controls(), after;
    float value = function->call(x);
    after = controls();
    if (memcmp(&before, &after, sizeof before) != 0) {
        fail(function->name, x, "changes the environment's control bits");
    }
    return value;
}

#ifdef __x86_64__
static int is_subnormal(float x) {
    uint32_t magnitude = bits(x) & 0x7fffffff;
    return magnitude != 0 && magnitude < 0x00800000;
}

/* A subnormal input may count as zero, and so may a subnormal result. */
static void expect_same_but_subnormals(const struct named_function *function, float x, unsigned subnormals_are_zero) {
    unsigned ordinary = _mm_getcsr();
    float right = function->call(x);
    float at_zero = function->call(from_bits(bits(x) & 0x80000000));
    float value;
    _mm_setcsr(ordinary | subnormals_are_zero);
    value = call_and_compare_controls(function, x);
    _mm_setcsr(ordinary);
    if (bits(value) != bits(right) && !(is_subnormal(x) && bits(value) == bits(at_zero)) &&
        !(is_subnormal(right) && (bits(value) & 0x7fffffff) == 0)) {
        fail(function->name, x, "gives %a instead of %a when MXCSR has 0x%x set", (double)value, (double)right,
             subnormals_are_zero);
    }
}
#endif

static void expect_at(const struct named_function *function, float x) {
    call_and_compare_controls(function, x);
#ifdef __x86_64__
    {
        const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040; /* bits of MXCSR */
        expect_same_but_subnormals(function, x, flush_to_zero);
        expect_same_but_subnormals(function, x, denormals_are_zero);
        expect_same_but_subnormals(function, x, flush_to_zero | denormals_are_zero);
    }
#endif
}

static void environment_is_left_alone(void) {
    for (int i = 0; i < FUNCTIONS; i++) {
        for (const struct row *row = rows; row < rows + ROWS; row++) {
            expect_at(&functions[i], row->x);
        }
        for (uint64_t pattern = 0; pattern <= UINT32_MAX; pattern += STEP) {
            expect_at(&functions[i], from_bits((uint32_t)pattern));
        }
    }
}

int main(void) {
#ifndef __x86_64__
    printf("skipped: control bits other than the mode, which this program knows on x86-64 only\n");
#endif
    return in_every_mode_at_every_level(environment_is_left_alone);
}
