/* The header in a program that includes it before or after MATH_HEADER, or without one: this text is C and C++, from
 * their oldest standards on. It is compiled, not run. */
#ifdef MATH_FIRST
#include MATH_HEADER
#endif
#include "halfulp.h"
#include "halfulp.h" /* twice is as good as once */
#if defined(MATH_HEADER) && !defined(MATH_FIRST)
#include MATH_HEADER
#endif

/* One after the other: what the calls compute does not matter here. */
float float_of_all(float x);
float float_of_all(float x) {
    float y[2];
    x = halfulp_erff(x) + halfulp_expf(x) + halfulp_erfcf(x);
    x += halfulp_normcdff(x) + halfulp_geluf(x) + halfulp_geluf_grad(x);
    halfulp_erff_n(1, &x, y);
    halfulp_expf_n(2, y, y);
    halfulp_erfcf_n(2, y, y);
    halfulp_normcdff_n(2, y, y);
    halfulp_geluf_n(2, y, y);
    halfulp_geluf_grad_n(2, y, y);
    halfulp_normcdff_scaled_n(2, 0.5f, 2.0f, y, y);
    halfulp_erff_faithful_n(2, y, y);
    halfulp_expf_faithful_n(2, y, y);
    halfulp_normcdff_faithful_n(2, y, y);
    halfulp_geluf_faithful_n(2, y, y);
    halfulp_geluf_grad_faithful_n(2, y, y);
    halfulp_erff_ni(2, &x, 0, y, 1);
    halfulp_expf_ni(2, y, 1, y, 1);
    halfulp_erfcf_ni(2, y, 1, y, 1);
    halfulp_normcdff_ni(2, y, 1, y, 1);
    halfulp_geluf_ni(2, y, 1, y, 1);
    halfulp_geluf_grad_ni(2, y, 1, y, 1);
#ifdef HALFULP_DECLARE_C99
    y[0] += erff(x) + expf(x) + erfcf(x);
#endif
    return halfulp_set_level(halfulp_level()) == 0 && halfulp_version() != 0 ? y[0] + y[1] : x;
}

double double_of_all(double x);
double double_of_all(double x) {
    double y[2];
    x = halfulp_erf(x) + halfulp_erfc(x) + halfulp_normcdf(x);
    halfulp_erf_n(1, &x, y);
    halfulp_erfc_n(2, y, y);
    halfulp_normcdf_n(2, y, y);
    halfulp_erf_ni(2, &x, 0, y, 1);
    halfulp_erfc_ni(2, y, 1, y, 1);
    halfulp_normcdf_ni(2, y, 1, y, 1);
#ifdef HALFULP_DECLARE_C99
    y[0] += erf(x) + erfc(x);
#endif
    return y[0] + y[1];
}

uint16_t half_of_all(uint16_t x);
uint16_t half_of_all(uint16_t x) {
    halfulp_erf_f16_n(1, &x, &x);
    halfulp_exp_f16_n(1, &x, &x);
    halfulp_normcdf_f16_n(1, &x, &x);
    halfulp_gelu_f16_n(1, &x, &x);
    halfulp_erf_bf16_n(1, &x, &x);
    halfulp_exp_bf16_n(1, &x, &x);
    halfulp_normcdf_bf16_n(1, &x, &x);
    halfulp_gelu_bf16_n(1, &x, &x);
    return x;
}
