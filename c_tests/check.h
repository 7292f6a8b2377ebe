/* What the programs of this folder share: the functions under test, the runs at every level and in every mode, and
 * the report of what fails. It knows <math.h> alone and finds the library's own names at run time, so that one source
 * serves a program that links the library and a program that has it preloaded.
 *
 * Where no dlsym is, the driver defines EXPORTED_NAMES as a file that has a line EXPORTED(name) for each name of the
 * library; and where the CPU or the compiler's own arithmetic has no rounding modes and no flags, NEAREST_ONLY.
 *
 * Include it first: it asks the system's headers for GNU's names. */
#ifndef CHECK_H
#define CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#endif
#ifdef EXPORTED_NAMES
#include "halfulp.h"
#else
#include <dlfcn.h>
#endif
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#ifdef NEAREST_ONLY
/* In the place of <fenv.h>: no flag is ever up. */
enum {
    FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
    FE_INEXACT = 0, FE_INVALID = 0, FE_OVERFLOW = 0, FE_UNDERFLOW = 0, ALL_FLAGS = 0,
    NEAREST_ALONE = 1
};
static inline int fegetround(void) {
    return FE_TONEAREST;
}
static inline int fesetround(int rounding) {
    return rounding;
}
#else
#include <fenv.h>
/* Windows' FE_ALL_EXCEPT has one more, which a subnormal argument raises. */
enum { ALL_FLAGS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT, NEAREST_ALONE = 0 };
#endif

/* A kind of number. Numbers are handled as their bits, in the low end of 64. */
struct format {
    size_t size; /* in bytes */
    uint64_t infinity;
};
static const struct format binary16 = {2, 0x7c00}, bfloat16 = {2, 0x7f80}, binary32 = {4, 0x7f800000},
                           binary64 = {8, UINT64_C(0x7ff0000000000000)};

static inline uint64_t sign_of(const struct format *format) {
    return UINT64_C(1) << (8 * format->size - 1);
}

static inline uint64_t magnitude_of(const struct format *format, uint64_t number) {
    return number & (sign_of(format) - 1);
}

/* The smallest normal number. */
static inline uint64_t normal_of(const struct format *format) {
    return format->infinity & (~format->infinity + 1);
}

/* The bit that makes a NaN quiet. */
static inline uint64_t quiet_of(const struct format *format) {
    return normal_of(format) >> 1;
}

static inline int is_subnormal(const struct format *format, uint64_t number) {
    return magnitude_of(format, number) - 1 < normal_of(format) - 1;
}

/* The programs are compiled with -fno-builtin, where memcpy would be a call. */
#define BITS_AND_BACK(number_type, pattern_type, bits_name, from_bits_name) \
    static inline pattern_type bits_name(number_type x) {                   \
        pattern_type pattern;                                               \
        __builtin_memcpy(&pattern, &x, sizeof pattern);                     \
        return pattern;                                                     \
    }                                                                       \
    static inline number_type from_bits_name(pattern_type pattern) {        \
        number_type x;                                                      \
        __builtin_memcpy(&x, &pattern, sizeof x);                           \
        return x;                                                           \
    }
BITS_AND_BACK(float, uint32_t, bits, from_bits)
BITS_AND_BACK(double, uint64_t, double_bits, double_from_bits)

/* The number, or for halves one near it. */
static inline uint64_t number_from(const struct format *format, double x) {
    uint32_t magnitude;
    if (format->size == sizeof(double)) {
        return double_bits(x);
    }
    if (format->size == sizeof(float)) {
        return bits((float)x);
    }
    magnitude = bits((float)x) & 0x7fffffff;
    if (format == &binary16 && magnitude < 0x7f800000) {
        /* With this factor the exponents mean the same, and subnormal numbers are so in both. */
        magnitude = bits(from_bits(magnitude) * 0x1p-112f) >> 13;
        magnitude = magnitude < format->infinity ? magnitude : (uint32_t)format->infinity - 1;
    } else {
        magnitude = format == &binary16 ? (uint32_t)format->infinity : magnitude >> 16;
    }
    return (bits((float)x) >> 31) * sign_of(format) | magnitude;
}

/* The number at this place of an array, at any alignment. */
static inline uint64_t number_at(const struct format *format, const void *array, ptrdiff_t place) {
    const char *number = (const char *)array + place * (ptrdiff_t)format->size;
    uint64_t pattern = 0;
    if (format->size == 8) {
        __builtin_memcpy(&pattern, number, 8);
    } else if (format->size == 4) {
        uint32_t narrow;
        __builtin_memcpy(&narrow, number, 4);
        pattern = narrow;
    } else {
        uint16_t narrow;
        __builtin_memcpy(&narrow, number, 2);
        pattern = narrow;
    }
    return pattern;
}

static inline void put_number(const struct format *format, void *array, ptrdiff_t place, uint64_t pattern) {
    char *number = (char *)array + place * (ptrdiff_t)format->size;
    if (format->size == 8) {
        __builtin_memcpy(number, &pattern, 8);
    } else if (format->size == 4) {
        uint32_t narrow = (uint32_t)pattern;
        __builtin_memcpy(number, &narrow, 4);
    } else {
        uint16_t narrow = (uint16_t)pattern;
        __builtin_memcpy(number, &narrow, 2);
    }
}

/* What the library has of a function. Each has halfulp_NAME_n. */
enum {
    SCALAR = 1,  /* halfulp_NAME */
    STEPS = 2,   /* halfulp_NAME_ni */
    VECTORS = 4, /* _ZGVdN8v_NAME and the like */
    FLAGS = 8,   /* promises which flags it raises, and results that follow the rounding mode */
    SCALED = 16, /* an array function with a mean and a standard deviation */
    FAITHFUL = 32, /* an array function that is faithful, not exact, at levels with fused multiply-add */
    BY_LEVEL = SCALED | FAITHFUL, /* the results differ from level to level */
    ONE = SCALAR | STEPS | FLAGS
};

struct function {
    const char *name;
    const struct format *format;
    double range; /* the results of this magnitude's arguments are the interesting ones */
    int has;
    void *iso; /* where the program's own call by <math.h> leads; null if it knows no such function */
    /* Filled in by functions_are_halfulp. */
    void *scalar;
    void *array;
};

static struct function functions[] = {
    {"erff", &binary32, 4, ONE | VECTORS, (void *)erff, NULL, NULL},
    {"expf", &binary32, 100, ONE | VECTORS, (void *)expf, NULL, NULL},
    {"erfcf", &binary32, 10, ONE | VECTORS, (void *)erfcf, NULL, NULL},
    {"normcdff", &binary32, 14, ONE, NULL, NULL, NULL},
    {"geluf", &binary32, 14, ONE, NULL, NULL, NULL},
    {"geluf_grad", &binary32, 14, ONE, NULL, NULL, NULL},
    {"normcdff_scaled", &binary32, 14, FLAGS | SCALED, NULL, NULL, NULL},
    {"erff_faithful", &binary32, 4, FLAGS | FAITHFUL, NULL, NULL, NULL},
    {"expf_faithful", &binary32, 100, FLAGS | FAITHFUL, NULL, NULL, NULL},
    {"normcdff_faithful", &binary32, 14, FLAGS | FAITHFUL, NULL, NULL, NULL},
    {"geluf_faithful", &binary32, 14, FLAGS | FAITHFUL, NULL, NULL, NULL},
    {"geluf_grad_faithful", &binary32, 14, FLAGS | FAITHFUL, NULL, NULL, NULL},
    /* In C++ these names have more than one function. */
    {"erf", &binary64, 6, ONE, (void *)(double (*)(double))erf, NULL, NULL},
    {"erfc", &binary64, 27, ONE, (void *)(double (*)(double))erfc, NULL, NULL},
    {"normcdf", &binary64, 38, ONE, NULL, NULL, NULL},
    {"erf_f16", &binary16, 4, 0, NULL, NULL, NULL},
    {"erf_bf16", &bfloat16, 4, 0, NULL, NULL, NULL},
    {"exp_f16", &binary16, 18, 0, NULL, NULL, NULL},
    {"exp_bf16", &bfloat16, 100, 0, NULL, NULL, NULL},
    {"normcdf_f16", &binary16, 6, 0, NULL, NULL, NULL},
    {"normcdf_bf16", &bfloat16, 14, 0, NULL, NULL, NULL},
    {"gelu_f16", &binary16, 6, 0, NULL, NULL, NULL},
    {"gelu_bf16", &bfloat16, 14, 0, NULL, NULL, NULL},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static inline const struct function *function_named(const char *name) {
    const struct function *function = functions;
    while (strcmp(function->name, name) != 0) {
        function++;
    }
    return function;
}

/* What a scalar symbol of this format gives. */
static inline uint64_t call_scalar(const struct format *format, void *symbol, uint64_t x) {
    if (format == &binary64) {
        return double_bits(((double (*)(double))symbol)(double_from_bits(x)));
    }
    return bits(((float (*)(float))symbol)(from_bits((uint32_t)x)));
}

/* Pointers to all kinds of numbers are passed alike. */
typedef void array_function(size_t n, const void *x, void *y);
typedef void scaled_function(size_t n, float mean, float sd, const void *x, void *y);
static const float MEAN = 0.25f, SD = 1.5f; /* where all that is asked is that elements are treated alike */

static inline void call_array(const struct function *function, size_t n, const void *x, void *y) {
    if (function->has & SCALED) {
        ((scaled_function *)function->array)(n, MEAN, SD, x, y);
    } else {
        ((array_function *)function->array)(n, x, y);
    }
}

/* Of the scalar function, or where there is none, of the array's with one element. */
static inline uint64_t value_of(const struct function *function, uint64_t x) {
    uint64_t argument = 0, value = 0;
    if (function->has & SCALAR) {
        return call_scalar(function->format, function->scalar, x);
    }
    put_number(function->format, &argument, 0, x);
    call_array(function, 1, &argument, &value);
    return number_at(function->format, &value, 0);
}

/* The flags that may come with its results though none of them asks for it. */
static inline int unasked_flags(const struct function *function) {
    return function->has & SCALAR ? 0 : FE_INEXACT;
}

struct mode {
    const char *name;
    int rounding;
};
static const struct mode modes[] = {
    {"RN", FE_TONEAREST}, {"RU", FE_UPWARD}, {"RD", FE_DOWNWARD}, {"RZ", FE_TOWARDZERO}};
enum { MODES = sizeof modes / sizeof modes[0], MODES_HERE = NEAREST_ALONE ? 1 : MODES };

/* What runs now. */
static const char *level = "first call";
static const struct mode *mode = modes;

/* The pattern number i, of 65536, of a walk over all of a format: all its parts change. */
static inline uint64_t walk_at(const struct format *format, uint64_t i) {
    return i * UINT64_C(0x0001000100010001) & (sign_of(format) * 2 - 1);
}

static int failures;
enum { PRINTED = 20 }; /* so many failures are told in words */

/* A number as people read it, and its bits, for a failure. Good until the fourth call after this one. */
static inline const char *text(const struct format *format, uint64_t number) {
    static char texts[4][64];
    static int turn;
    char *text = texts[turn = (turn + 1) % 4];
    double value = format == &binary64 ? double_from_bits(number)
                                       : (double)from_bits((uint32_t)number << (format == &bfloat16 ? 16 : 0));
    if (failures >= PRINTED) {
        return "";
    }
    if (format == &binary16) {
        snprintf(text, sizeof texts[0], "0x%04x", (unsigned)number);
    } else {
        snprintf(text, sizeof texts[0], "%a = 0x%0*llx", value, (int)(2 * format->size), (unsigned long long)number);
    }
    return text;
}

/* Counts a failure, and prints the first ones: level, mode, and what is wrong. Ends the program when it is clear that
 * nothing is right. */
__attribute__((format(printf, 1, 2))) static inline void fail(const char *format, ...) {
    if (failures++ < PRINTED) {
        va_list arguments;
        printf("%s, %s: ", level, mode->name);
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        putchar('\n');
    }
    if (failures == 10000) {
        printf("%d checks failed, and perhaps more\n", failures);
        exit(1);
    }
}

/* The exit code of a program whose checks are done. */
static inline int result(void) {
    if (failures > 0) {
        printf("%d checks failed\n", failures);
    }
    return failures > 0;
}

/* The flags that are raised. x86-64 keeps a second copy in the x87 unit, where <fenv.h> would still find a flag that
 * the library has wrongly cleared: there the register is read itself. Its bits have the values of <fenv.h>. */
static inline int raised_flags(void) {
#if defined(NEAREST_ONLY)
    return 0;
#elif defined(__x86_64__)
    return (int)_mm_getcsr() & ALL_FLAGS;
#else
    return fetestexcept(ALL_FLAGS);
#endif
}

/* Raises these flags and lowers all others. */
static inline void set_flags(int flags) {
#if defined(NEAREST_ONLY)
    (void)flags;
#elif defined(__x86_64__)
    _mm_setcsr((_mm_getcsr() & ~(unsigned)ALL_FLAGS) | (unsigned)flags);
#else
    feclearexcept(ALL_FLAGS);
    feraiseexcept(flags);
#endif
}

#ifdef EXPORTED_NAMES
#define EXPORTED(name) {#name, (void *)name},
extern float __expf_finite(float);
static const struct {
    const char *name;
    void *address;
} exported[] = {
#include EXPORTED_NAMES
};
enum { EXPORTS = sizeof exported / sizeof exported[0] };

/* Of the ISO names this is true whoever serves them: there the values must tell, which other libraries have wrong. */
static inline int is_halfulp(void *address) {
    for (int i = 0; i < EXPORTS; i++) {
        if (exported[i].address == address) {
            return 1;
        }
    }
    return 0;
}

static inline void *library_symbol(const char *name) {
    for (int i = 0; i < EXPORTS; i++) {
        if (strcmp(exported[i].name, name) == 0) {
            return exported[i].address;
        }
    }
    return NULL;
}
#else
/* Whether the address lies in the same file as the library's own names, be that the shared library or this program. */
static inline int is_halfulp(void *address) {
    void *version = dlsym(RTLD_DEFAULT, "halfulp_version");
    Dl_info file, halfulp;
    return version != NULL && dladdr(address, &file) != 0 && dladdr(version, &halfulp) != 0 &&
           file.dli_fbase == halfulp.dli_fbase;
}

/* What the library has under that name; null if nothing. */
static inline void *library_symbol(const char *name) {
    void *symbol = dlsym(RTLD_DEFAULT, name);
    return is_halfulp(symbol) ? symbol : NULL;
}
#endif

static inline int set_level(const char *name) {
    int (*set)(const char *) = (int (*)(const char *))library_symbol("halfulp_set_level");
    return set == NULL ? -1 : set(name);
}

/* Finds the functions. Returns 1, or 0 having said which is not the library's: libm's must not be what passes. */
static inline int functions_are_halfulp(void) {
    for (struct function *function = functions; function < functions + FUNCTIONS; function++) {
        char name[40];
        snprintf(name, sizeof name, "halfulp_%s", function->name);
        function->scalar = function->iso != NULL ? function->iso : library_symbol(name);
        snprintf(name, sizeof name, "halfulp_%s_n", function->name);
        function->array = library_symbol(name);
        if (function->array == NULL || (function->has & SCALAR && !is_halfulp(function->scalar))) {
            printf("%s is not halfulp's\n", function->name);
            return 0;
        }
    }
    return 1;
}

/* Of this kind of CPU, each better than the one before. */
#if defined(__x86_64__)
static const char *const levels[] = {"scalar", "sse2", "fma", "avx2", "avx512"};
#elif defined(__aarch64__)
static const char *const levels[] = {"scalar", "fma", "neon"};
#else
static const char *const levels[] = {"scalar"};
#endif
enum { LEVELS = sizeof levels / sizeof levels[0] };

/* Whether the level has fused multiply-add: the others run the exact functions in the place of the faithful ones. */
static inline int level_is_fused(void) {
    return strcmp(level, "scalar") != 0 && strcmp(level, "sse2") != 0;
}

static inline void in_mode(const struct mode *chosen, void (*checks)(void)) {
    mode = chosen;
    fesetround(mode->rounding);
    checks();
    fesetround(FE_TONEAREST);
    mode = modes;
}

static inline void in_every_mode(void (*checks)(void)) {
    for (int i = 0; i < MODES_HERE; i++) {
        in_mode(&modes[i], checks);
    }
}

/* Runs the checks in every mode at every level that the CPU has, or where it is emulated and slow, with BRIEF, in two
 * modes: to nearest, and one that follows the level. Returns the program's exit code. */
static inline int in_every_mode_at_every_level(void (*checks)(void)) {
    if (!functions_are_halfulp()) {
        return 1;
    }
    for (int i = 0; i < LEVELS; i++) {
        level = levels[i];
        if (set_level(level) != 0) {
            printf("skipped: this CPU lacks the level %s\n", level);
            continue;
        }
#ifdef BRIEF
        in_mode(modes, checks);
        if (!NEAREST_ALONE) {
            in_mode(&modes[1 + i % 3], checks);
        }
#else
        in_every_mode(checks);
#endif
    }
    return result();
}

#endif
