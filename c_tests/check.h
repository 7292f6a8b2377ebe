/* What the programs of this folder share: the two functions under test, the runs at every level and in every mode, and
 * the report of what fails. It knows <math.h> alone and finds the library's own names at run time, so that one source
 * serves a program that links the library and a program that has it preloaded.
 *
 * Include it first: it asks the system's headers for GNU's names. */
#ifndef CHECK_H
#define CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#endif
#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

typedef float function(float x);

struct named_function {
    const char *name;
    function *call;
};
static const struct named_function functions[] = {{"erff", erff}, {"expf", expf}};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static inline function *function_named(const char *name) {
    return strcmp(name, "erff") == 0 ? erff : expf;
}

struct mode {
    const char *name;
    int rounding;
};
static const struct mode modes[] = {
    {"RN", FE_TONEAREST}, {"RU", FE_UPWARD}, {"RD", FE_DOWNWARD}, {"RZ", FE_TOWARDZERO}};
enum { MODES = sizeof modes / sizeof modes[0] };

/* What runs now. */
static const char *level = "first call";
static const struct mode *mode = modes;

/* The step of a walk over all bit patterns: one more than 2^16, so that both halves of the pattern change. */
#define STEP UINT64_C(65537)

/* The programs are compiled with -fno-builtin, where memcpy would be a call. */
static inline uint32_t bits(float x) {
    uint32_t pattern;
    __builtin_memcpy(&pattern, &x, sizeof pattern);
    return pattern;
}

static inline float from_bits(uint32_t pattern) {
    float x;
    __builtin_memcpy(&x, &pattern, sizeof x);
    return x;
}

static int failures;

/* Counts a failure, and prints the first ones: level, mode, call, and what is wrong with it. */
__attribute__((format(printf, 3, 4))) static inline void fail(const char *name, float x, const char *format, ...) {
    enum { PRINTED = 20 };
    if (failures++ < PRINTED) {
        va_list arguments;
        printf("%s, %s: %s(%a = 0x%08x) ", level, mode->name, name, (double)x, (unsigned)bits(x));
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        putchar('\n');
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
#ifdef __x86_64__
    return (int)_mm_getcsr() & FE_ALL_EXCEPT;
#else
    return fetestexcept(FE_ALL_EXCEPT);
#endif
}

/* Raises these flags and lowers all others. */
static inline void set_flags(int flags) {
#ifdef __x86_64__
    _mm_setcsr((_mm_getcsr() & ~(unsigned)FE_ALL_EXCEPT) | (unsigned)flags);
#else
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(flags);
#endif
}

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

static inline int set_level(const char *name) {
    int (*set)(const char *) = (int (*)(const char *))library_symbol("halfulp_set_level");
    return set == NULL ? -1 : set(name);
}

/* Whether the program's erff and expf are the library's: libm's must not be what passes. */
static inline int functions_are_halfulp(void) {
    for (int i = 0; i < FUNCTIONS; i++) {
        if (!is_halfulp((void *)functions[i].call)) {
            printf("%s is not halfulp's\n", functions[i].name);
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

static inline void in_every_mode(void (*checks)(void)) {
    for (mode = modes; mode < modes + MODES; mode++) {
        fesetround(mode->rounding);
        checks();
        fesetround(FE_TONEAREST);
    }
    mode = modes;
}

/* Runs the checks in every mode at every level that the CPU has. Returns the program's exit code. */
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
        in_every_mode(checks);
    }
    return result();
}

#endif
