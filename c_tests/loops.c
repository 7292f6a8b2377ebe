/* Loops as programs have them, which the compiler turns into calls of vector functions. Every result has the bits of
 * the library's scalar function; libmvec's often do not. The driver sees which symbols were called.
 *
 * The way to vector functions is the driver's choice: -DHALFULP_SIMD, -DDECLARE_SIMD with -fopenmp-simd, or
 * -ffast-math, where <math.h> declares them. */
#include "check.h"

#ifdef __cplusplus
#include <cmath>
#endif
#ifdef HALFULP_SIMD
#include "halfulp.h"
#endif

#ifdef DECLARE_SIMD
#pragma omp declare simd notinbranch
float erff(float x) __attribute__((const));
#pragma omp declare simd notinbranch
float expf(float x) __attribute__((const));
#pragma omp declare simd notinbranch
float erfcf(float x) __attribute__((const));
#endif

#ifdef __cplusplus
using std::erf;
using std::erfc;
using std::exp;
#else
#define erf erff
#define erfc erfcf
#define exp expf
#endif

enum { N = 4 * 4096 + 15 }; /* full vectors and a rest, of every width */
static float x[N], y[N];

static void erf_of_all(void) {
    for (int i = 0; i < N; i++) {
        y[i] = erf(x[i]);
    }
}

static void exp_of_all(void) {
    for (int i = 0; i < N; i++) {
        y[i] = exp(x[i]);
    }
}

static void erfc_of_all(void) {
    for (int i = 0; i < N; i++) {
        y[i] = erfc(x[i]);
    }
}

/* To nearest, as the compiler expects. */
static void expect_bits_of_scalar_calls(const char *name, void (*of_all)(void), float range) {
    const struct function *function = function_named(name); /* no vector function here */
    for (int i = 0; i < N; i++) {
        x[i] = range * ((float)i * (2.0f / N) - 1.0f);
    }
    of_all();
    for (int i = 0; i < N; i++) {
        uint64_t right = value_of(function, bits(x[i]));
        if (bits(y[i]) != right) {
            fail("%s(%s) gives %s in a loop instead of %s", name, text(function->format, bits(x[i])),
                 text(function->format, bits(y[i])), text(function->format, right));
        }
    }
}

int main(void) {
    if (!functions_are_halfulp()) {
        return 1;
    }
    level = "first choice";
    expect_bits_of_scalar_calls("erff", erf_of_all, 5.0f);
    expect_bits_of_scalar_calls("expf", exp_of_all, 87.0f);
    expect_bits_of_scalar_calls("erfcf", erfc_of_all, 10.0f);
    return result();
}
