/* The algorithm that halfulp began with, over arrays: loops that a compiler can make vector code of. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^k for a k between -126 and 127. */
static inline float power(int32_t k)
{
    uint32_t bits = (uint32_t)(k + 127) << 23;
    float y;
    memcpy(&y, &bits, sizeof y);
    return y;
}

/* scalbnf for what expf makes of it: r near 1 and k between -151 and 150. In two steps, of which the first is exact. No
 * compiler makes vector code of the C library's. */
static inline float scale(float r, int k)
{
    return r * power(k >> 1) * power(k - (k >> 1));
}

/* The functions of that file, under names of their own, and with the above. */
static inline float single_erff(float x) __attribute__((always_inline));
static inline float single_expf(float x) __attribute__((always_inline));
#define erff single_erff
#define expf single_expf
#define scalbnf scale
#include "../../verify/formulas/single_precision_fma.c"

void erff_n(size_t n, const float *restrict x, float *restrict y);
void expf_n(size_t n, const float *restrict x, float *restrict y);

void erff_n(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = single_erff(x[i]);
}

void expf_n(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = single_expf(x[i]);
}
