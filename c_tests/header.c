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
    float sum = halfulp_erff(x) + halfulp_expf(x);
#ifdef HALFULP_DECLARE_C99
    sum += erff(x) + expf(x);
#endif
    return halfulp_set_level(halfulp_level()) == 0 && halfulp_version() != 0 ? sum : x;
}
