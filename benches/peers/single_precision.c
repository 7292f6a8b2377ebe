/* The algorithm that halfulp began with, over arrays: verify/formulas/single_precision_fma.c in a form of which compilers make
 * vector code, without branches and without calls: the same operations in the same order. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void erff_n(size_t n, const float *restrict x, float *restrict y);
void expf_n(size_t n, const float *restrict x, float *restrict y);

/* A polynomial in x, its coefficients from the highest power down. */
#define POLYNOMIAL(x, ...) polynomial(x, sizeof(float[]){__VA_ARGS__} / sizeof(float), (const float[]){__VA_ARGS__})

static inline float polynomial(float x, size_t terms, const float *coefficients)
{
    float sum = coefficients[0];
    for (size_t i = 1; i < terms; i++)
        sum = fmaf(sum, x, coefficients[i]);
    return sum;
}

/* exp(a) is the result times 2^k. */
static inline float reduced_exp(float a, int32_t *k)
{
    const float shift = 0x1.8p+23f;
    float whole = fmaf(a, 0x1.715476p+0f, shift) - shift;
    float f = fmaf(whole, -0x1.7f7d1cp-20f, fmaf(whole, -0x1.62e400p-1f, a));
    *k = (int32_t)whole;
    return POLYNOMIAL(f, 0x1.6a98dap-10f, 0x1.1272cap-7f, 0x1.555a20p-5f, 0x1.55542ep-3f, 0x1.fffff6p-2f, 1.0f, 1.0f);
}

/* y times 2^k, where that is a normal number. */
static inline float scale(float y, int32_t k)
{
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits += (uint32_t)k << 23;
    memcpy(&y, &bits, sizeof y);
    return y;
}

void erff_n(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        float a = x[i], t = fabsf(a), s = a * a;
        float upper = fmaf(0x1.222900p-16f, t, -0x1.91d2ccp-12f), lower = fmaf(0x1.fd1336p-9f, t, -0x1.8d6300p-6f);
        float q = POLYNOMIAL(t, fmaf(upper, s, lower), 0x1.b55cb0p-4f, 0x1.450aa0p-1f, 0x1.079d0cp-3f);
        float r = fmaf(q, t, t);
        int32_t k;
        /* Whatever is less than exp(-80) is as little beside 1. */
        float e = reduced_exp(r < 80.0f ? -r : -80.0f, &k);
        float large = copysignf(1.0f - scale(e, k), a);
        float p = POLYNOMIAL(s, -0x1.3a1a82p-11f, 0x1.473f48p-8f, -0x1.b68bd2p-6f, 0x1.ce1a46p-4f, -0x1.8126e0p-2f,
                             0x1.06eba6p-3f);
        y[i] = t > 0.921875f ? large : fmaf(p, a, a);
    }
}

void expf_n(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        int32_t k;
        float e = reduced_exp(x[i], &k);
        /* In two steps, of which the first is exact: the result may be subnormal or infinite. */
        e = scale(e, k >> 1) * scale(1.0f, k - (k >> 1));
        y[i] = x[i] >= 104.0f ? INFINITY : x[i] <= -104.0f ? 0.0f : e;
    }
}
