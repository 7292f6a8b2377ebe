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

float sum_of_all(float x);
float sum_of_all(float x) {
    float sum = halfulp_erff(x) + halfulp_expf(x), y[2];
    halfulp_erff_n(1, &x, y);
    halfulp_expf_n(1, &x, &y[1]);
    sum += y[0] + y[1];
    halfulp_erff_ni(2, &x, 0, y, 1);
    halfulp_expf_ni(2, y, 1, y, 1);
    sum += y[0] + y[1];
#ifdef HALFULP_DECLARE_C99
    sum += erff(x) + expf(x);
#endif
    return halfulp_set_level(halfulp_level()) == 0 && halfulp_version() != 0 ? sum : x;
}
