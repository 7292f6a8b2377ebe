/* The algorithm that halfulp began with: erff and expf in single precision with fused multiply-add, faithfully rounded.
 * A verifier must find its largest errors: 0.99993 ulp for erff, at 0x1.c9e0f2p-1, with 362574200 wrong results, and
 * 0.87161 ulp for expf. Compile with -ffp-contract=off, so that only the fused operations written here are fused. */
#include <math.h>

/* exp(a) = 2^k * exp(f), k the integer nearest to a/ln2, f reduced in two steps. */
float expf(float a)
{
    if (fabsf(a) >= 104.0f)
        return a > 0.0f ? INFINITY : a < 0.0f ? 0.0f : a + a;
    const float shift = 0x1.8p+23f;
    float k = fmaf(a, 0x1.715476p+0f, shift) - shift;
    float f = fmaf(k, -0x1.62e400p-1f, a);
    f = fmaf(k, -0x1.7f7d1cp-20f, f);
    float r = 0x1.6a98dap-10f;
    r = fmaf(r, f, 0x1.1272cap-7f);
    r = fmaf(r, f, 0x1.555a20p-5f);
    r = fmaf(r, f, 0x1.55542ep-3f);
    r = fmaf(r, f, 0x1.fffff6p-2f);
    r = fmaf(r, f, 1.0f);
    r = fmaf(r, f, 1.0f);
    return scalbnf(r, (int)k);
}

/* Beyond 0.92, 1 - exp(-t*q(t)); below, a*p(a*a). */
float erff(float a)
{
    float t = fabsf(a), s = a * a;
    if (t > 0.921875f) {
        float r = fmaf(0x1.222900p-16f, t, -0x1.91d2ccp-12f);
        float u = fmaf(0x1.fd1336p-9f, t, -0x1.8d6300p-6f);
        r = fmaf(r, s, u);
        r = fmaf(r, t, 0x1.b55cb0p-4f);
        r = fmaf(r, t, 0x1.450aa0p-1f);
        r = fmaf(r, t, 0x1.079d0cp-3f);
        r = fmaf(r, t, t);
        return copysignf(1.0f - expf(-r), a);
    }
    float r = -0x1.3a1a82p-11f;
    r = fmaf(r, s, 0x1.473f48p-8f);
    r = fmaf(r, s, -0x1.b68bd2p-6f);
    r = fmaf(r, s, 0x1.ce1a46p-4f);
    r = fmaf(r, s, -0x1.8126e0p-2f);
    r = fmaf(r, s, 0x1.06eba6p-3f);
    return fmaf(r, a, a);
}
