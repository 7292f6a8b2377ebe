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
#endif

#ifdef __cplusplus
using std::erf;
using std::exp;
#else
#define erf erff
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

/* To nearest, as the compiler expects. */
static void expect_bits_of_scalar_calls(const struct named_function *function, void (*of_all)(void), float range) {
    float (*volatile call)(float) = function->call; /* no vector function here */
    for (int i = 0; i < N; i++) {
        x[i] = range * ((float)i * (2.0f / N) - 1.0f);
    }
    of_all();
    for (int i = 0; i < N; i++) {
        float right = call(x[i]);
        if (bits(y[i]) != bits(right)) {
            fail(function->name, x[i], "gives %a in a loop instead of %a", (double)y[i], (double)right);
        }
    }
}

int main(void) {
    level = "first choice";
    expect_bits_of_scalar_calls(&functions[0], erf_of_all, 5.0f);
    expect_bits_of_scalar_calls(&functions[1], exp_of_all, 87.0f);
    return functions_are_halfulp() ? result() : 1;
}
