/* The ways to the library's results: scalar calls, arrays, arrays with steps, and the vector functions that compilers
 * call, each through one shape, so that they can be checked alike. */
#ifndef WAYS_H
#define WAYS_H

#include "check.h"

/* Windows has none, and elsewhere the programs that have no dlsym do without. */
#if defined(__x86_64__) && !defined(EXPORTED_NAMES)
#define X86_VECTORS
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef void strided_function(size_t n, const void *x, ptrdiff_t incx, void *y, ptrdiff_t incy);

enum {
    /* Full vectors of every level, pairs of them, and a rest. */
    SHORT = 53,
    /* Beyond any block that an implementation may work in. */
#ifdef BRIEF
    LONG = 2501
#else
    LONG = 9001
#endif
};

struct way {
    const char *pattern; /* of the symbol's name; %s is the function's */
    size_t lanes;
    int needs; /* what a function must have to be called so */
    int (*available)(void);
    void (*call)(const struct function *function, void *symbol, size_t lanes, const void *x, void *y);
    int returns_wide; /* in a register of more than 128 bits */
    /* Filled in by ways_are_ready. */
    void *symbols[FUNCTIONS];
    char names[FUNCTIONS][40];
};

static int always(void) {
    return 1;
}

static void by_scalar(const struct function *function, void *symbol, size_t lanes, const void *x, void *y) {
    (void)lanes;
    put_number(function->format, y, 0, call_scalar(function->format, symbol, number_at(function->format, x, 0)));
}

static void by_array(const struct function *function, void *symbol, size_t lanes, const void *x, void *y) {
    (void)symbol;
    call_array(function, lanes, x, y);
}

/* With y backward. What lies between the elements is signalling, so that its use would be seen in the flags. */
static void by_steps(const struct function *function, void *symbol, size_t lanes, const void *x, void *y) {
    enum { INCX = 3, INCY = -2 };
    static uint64_t spread_x[INCX * LONG], spread_y[-INCY * LONG];
    const struct format *format = function->format;
    ptrdiff_t last = lanes == 0 ? 0 : ((ptrdiff_t)lanes - 1) * -INCY;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)lanes * INCX; i++) {
        put_number(format, spread_x, i, i % INCX == 0 ? number_at(format, x, i / INCX) : format->infinity | 1);
    }
    ((strided_function *)symbol)(lanes, spread_x, INCX, (char *)spread_y + last * (ptrdiff_t)format->size, INCY);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)lanes; i++) {
        put_number(format, y, i, number_at(format, spread_y, last + i * INCY));
    }
}

#ifdef X86_VECTORS
#define VECTOR_FUNCTION(letter, feature, vector, load, store)                                                      \
    static int has_##letter(void) {                                                                                \
        return __builtin_cpu_supports(feature) != 0;                                                               \
    }                                                                                                              \
    __attribute__((target(feature))) static void by_##letter(const struct function *function, void *symbol,        \
                                                             size_t lanes, const void *x, void *y) {               \
        (void)function;                                                                                            \
        (void)lanes;                                                                                               \
        store((float *)y, ((vector(*)(vector))symbol)(load((const float *)x)));                                    \
    }
VECTOR_FUNCTION(b, "sse2", __m128, _mm_loadu_ps, _mm_storeu_ps)
VECTOR_FUNCTION(c, "avx", __m256, _mm256_loadu_ps, _mm256_storeu_ps)
VECTOR_FUNCTION(d, "avx2", __m256, _mm256_loadu_ps, _mm256_storeu_ps)
VECTOR_FUNCTION(e, "avx512f", __m512, _mm512_loadu_ps, _mm512_storeu_ps)
#elif defined(__aarch64__)
#define VECTOR_FUNCTION(lanes_of_it, vector, load, store)                                                          \
    static void by_n##lanes_of_it(const struct function *function, void *symbol, size_t lanes, const void *x,      \
                                  void *y) {                                                                       \
        (void)function;                                                                                            \
        (void)lanes;                                                                                               \
        store((float *)y, ((vector(*)(vector))symbol)(load((const float *)x)));                                    \
    }
VECTOR_FUNCTION(2, float32x2_t, vld1_f32, vst1_f32)
VECTOR_FUNCTION(4, float32x4_t, vld1q_f32, vst1q_f32)
#endif

static struct way ways[] = {
    {"%s", 1, SCALAR, always, by_scalar, 0, {NULL}, {""}},
    {"halfulp_%s_n", SHORT, 0, always, by_array, 0, {NULL}, {""}},
    {"halfulp_%s_n", LONG, 0, always, by_array, 0, {NULL}, {""}},
    {"halfulp_%s_ni", SHORT, STEPS, always, by_steps, 0, {NULL}, {""}},
    {"halfulp_%s_ni", LONG, STEPS, always, by_steps, 0, {NULL}, {""}},
#ifdef X86_VECTORS
    {"_ZGVbN4v_%s", 4, VECTORS, has_b, by_b, 0, {NULL}, {""}},
    {"_ZGVcN8v_%s", 8, VECTORS, has_c, by_c, 1, {NULL}, {""}},
    {"_ZGVdN8v_%s", 8, VECTORS, has_d, by_d, 1, {NULL}, {""}},
    {"_ZGVeN16v_%s", 16, VECTORS, has_e, by_e, 1, {NULL}, {""}},
#elif defined(__aarch64__)
    {"_ZGVnN2v_%s", 2, VECTORS, always, by_n2, 0, {NULL}, {""}},
    {"_ZGVnN4v_%s", 4, VECTORS, always, by_n4, 0, {NULL}, {""}},
#endif
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static inline int has_way(int function, const struct way *way) {
    return (functions[function].has & way->needs) == way->needs && way->lanes > 0;
}

/* What each way's call is, for numbers of any format. */
static inline void call_by(const struct way *way, int function, const void *x, void *y) {
    way->call(&functions[function], way->symbols[function], way->lanes, x, y);
}

/* Finds the symbols. Returns 1, or 0 having said which the library lacks. A way that the CPU lacks gets no lanes. */
static inline int ways_are_ready(void) {
    if (!functions_are_halfulp()) {
        return 0;
    }
    for (struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            snprintf(way->names[function], sizeof way->names[function], way->pattern, functions[function].name);
            way->symbols[function] =
                way->needs == SCALAR ? functions[function].scalar : library_symbol(way->names[function]);
            if (has_way(function, way) && way->symbols[function] == NULL) {
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
