/* The probability that a stock ends below a strike in 30 days, far out in the tail, where (1 + erf(d / sqrt(2))) / 2
 * becomes 0 with any libm: erf is next to -1 there. halfulp's normal distribution function does not. The results are
 * checked against the system's erfcl; the program ends non-zero where halfulp is wrong.
 *
 *   cc examples/tail.c -Iinclude target/release/libhalfulp.a -lm
 */
#define _GNU_SOURCE /* for RTLD_NEXT and M_SQRT1_2 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#include "halfulp.h"

/* How far the strike lies from the median, in standard deviations, as Black and Scholes have it without interest. */
static float deviations(float spot, float strike, float volatility, float years)
{
    float deviation = volatility * sqrtf(years);
    return logf(strike / spot) / deviation + 0.5f * deviation;
}

/* Whether the results are the right ones: the float that is nearest to the exact value, and a double within a hair of
 * half a unit in its last place, which is as much as a long double tells. */
static int are_right(float d, float single, double precise)
{
    long double value = 0.5L * erfcl(-(long double)d * sqrtl(0.5L));
    double unit = nextafter(precise, 1.0) - precise;
    return (float)(value * (1 - 0x1p-55L)) == single && (float)(value * (1 + 0x1p-55L)) == single &&
           fabsl((long double)precise - value) <= 0.51L * (long double)unit;
}

int main(void)
{
    static const float strikes[] = {90.0f, 70.0f, 55.0f, 50.0f, 45.0f, 40.0f, 35.0f, 25.0f};
    /* The system's own: in this program the names without more lead to halfulp. */
    float (*system_erff)(float) = (float (*)(float))dlsym(RTLD_NEXT, "erff");
    double (*system_erf)(double) = (double (*)(double))dlsym(RTLD_NEXT, "erf");
    int all_right = 1;
    if (system_erff == NULL || system_erf == NULL) {
        fprintf(stderr, "tail: the system's erff and erf are not to be found\n");
        return 1;
    }
    printf("\nThe probability that a stock at 100 ends below the strike, in 30 days at volatility 0.4:\n\n");
    printf("                       single precision                     double precision\n");
    printf("  strike        d  (1 + erff)/2   halfulp_normcdff      (1 + erf)/2    halfulp_normcdf\n");
    for (size_t i = 0; i < sizeof strikes / sizeof strikes[0]; i++) {
        float d = deviations(100.0f, strikes[i], 0.4f, 30.0f / 365.0f);
        float single = halfulp_normcdff(d);
        double precise = halfulp_normcdf((double)d);
        printf("  %6.0f %8.3f %13.5e %18.5e %16.5e %18.5e\n", (double)strikes[i], (double)d,
               (double)(0.5f * (1.0f + system_erff(d * (float)M_SQRT1_2))), (double)single,
               0.5 * (1.0 + system_erf((double)d * M_SQRT1_2)), precise);
        all_right = all_right && single > 0.0f && precise > 0.0 && are_right(d, single, precise);
    }
    printf("\nerff and erf are those of the system's libm. halfulp's results, checked with erfcl, are %s.\n",
           all_right ? "right" : "WRONG");
    return !all_right;
}
