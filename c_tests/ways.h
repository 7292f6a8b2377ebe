/* The library's ways to many results with one call: arrays, arrays with steps, and the vector functions that compilers
 * call, each through one shape, so that they can be checked alike. */
#ifndef WAYS_H
#define WAYS_H

#include "check.h"

#include <stddef.h>
#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef void array_function(size_t n, const float *x, float *y);
typedef void strided_function(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

enum {
    /* Full vectors of every level, pairs of them, and a rest. */
    SHORT = 53,
    /* Beyond any block that an implementation may work in. */
    LONG = 9001
};

struct way {
    const char *pattern; /* of the symbol's name; %s is the function's */
    size_t lanes;
    int (*available)(void);
    void (*call)(void *symbol, size_t lanes, const float *x, float *y);
    int returns_wide; /* in a register of more than 128 bits */
    /* Filled in by ways_are_ready. */
    void *symbols[FUNCTIONS];
    char names[FUNCTIONS][32];
};

static int always(void) {
    return 1;
}

static void call_scalar(void *symbol, size_t lanes, const float *x, float *y) {
    (void)lanes;
    *y = ((function *)symbol)(*x);
}

static void call_array(void *symbol, size_t lanes, const float *x, float *y) {
    ((array_function *)symbol)(lanes, x, y);
}

/* With y backward. What lies between the elements is signalling, so that its use would be seen in the flags. */
static void call_strided(void *symbol, size_t lanes, const float *x, float *y) {
    enum { INCX = 3, INCY = -2 };
    static float spread_x[INCX * LONG], spread_y[-INCY * LONG];
    float *last = spread_y + (lanes == 0 ? 0 : lanes - 1) * -INCY;
    for (size_t i = 0; i < lanes * INCX; i++) {
        spread_x[i] = i % INCX == 0 ? x[i / INCX] : from_bits(0x7f800001);
    }
    ((strided_function *)symbol)(lanes, spread_x, INCX, last, INCY);
    for (size_t i = 0; i < lanes; i++) {
        y[i] = last[(ptrdiff_t)i * INCY];
    }
}

#ifdef __x86_64__
#define VECTOR_FUNCTION(letter, feature, vector, load, store)                                             \
    static int has_##letter(void) {                                                                       \
        return __builtin_cpu_supports(feature) != 0;                                                      \
    }                                                                                                     \
    __attribute__((target(feature))) static void call_##letter(void *symbol, size_t lanes, const float *x, \
                                                               float *y) {                                \
        (void)lanes;                                                                                      \
        store(y, ((vector(*)(vector))symbol)(load(x)));                                                   \
    }
VECTOR_FUNCTION(b, "sse2", __m128, _mm_loadu_ps, _mm_storeu_ps)
VECTOR_FUNCTION(c, "avx", __m256, _mm256_loadu_ps, _mm256_storeu_ps)
VECTOR_FUNCTION(d, "avx2", __m256, _mm256_loadu_ps, _mm256_storeu_ps)
VECTOR_FUNCTION(e, "avx512f", __m512, _mm512_loadu_ps, _mm512_storeu_ps)
#elif defined(__aarch64__)
#define VECTOR_FUNCTION(lanes_of_it, vector, load, store)                                           \
    static void call_n##lanes_of_it(void *symbol, size_t lanes, const float *x, float *y) {          \
        (void)lanes;                                                                                \
        store(y, ((vector(*)(vector))symbol)(load(x)));                                             \
    }
VECTOR_FUNCTION(2, float32x2_t, vld1_f32, vst1_f32)
VECTOR_FUNCTION(4, float32x4_t, vld1q_f32, vst1q_f32)
#endif

/* One at a time, for checks that hold for scalar calls too. */
static const struct way scalar = {"%s", 1, always, call_scalar, 0, {(void *)erff, (void *)expf}, {"erff", "expf"}};

static struct way ways[] = {
    {"halfulp_%s_n", SHORT, always, call_array, 0, {NULL}, {""}},
    {"halfulp_%s_n", LONG, always, call_array, 0, {NULL}, {""}},
    {"halfulp_%s_ni", SHORT, always, call_strided, 0, {NULL}, {""}},
    {"halfulp_%s_ni", LONG, always, call_strided, 0, {NULL}, {""}},
#ifdef __x86_64__
    {"_ZGVbN4v_%s", 4, has_b, call_b, 0, {NULL}, {""}},
    {"_ZGVcN8v_%s", 8, has_c, call_c, 1, {NULL}, {""}},
    {"_ZGVdN8v_%s", 8, has_d, call_d, 1, {NULL}, {""}},
    {"_ZGVeN16v_%s", 16, has_e, call_e, 1, {NULL}, {""}},
#elif defined(__aarch64__)
    {"_ZGVnN2v_%s", 2, always, call_n2, 0, {NULL}, {""}},
    {"_ZGVnN4v_%s", 4, always, call_n4, 0, {NULL}, {""}},
#endif
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Finds the symbols. Returns 1, or 0 having said which the library lacks. A way that the CPU lacks gets no lanes. */
static inline int ways_are_ready(void) {
    for (struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            snprintf(way->names[function], sizeof way->names[function], way->pattern, functions[function].name);
            way->symbols[function] = library_symbol(way->names[function]);
            if (way->symbols[function] == NULL) {
                printf("%s is not halfulp's\n", way->names[function]);
                return 0;
            }
        }
        if (!way->available()) {
            printf("skipped: this CPU cannot call %s\n", way->names[0]);
            way->lanes = 0;
        }
    }
    return 1;
}

#endif
