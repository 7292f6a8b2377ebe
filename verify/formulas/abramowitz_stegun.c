/* Formula 7.1.26 of Abramowitz and Stegun's Handbook of Mathematical Functions, as many programs carry it: absolute error
 * below 1.5e-7, and so nothing right for small arguments. */
#include <math.h>

float erff(float x)
{
    float t = 1.0f / (1.0f + 0.3275911f * fabsf(x));
    float p = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
    return copysignf(1.0f - p * expf(-x * x), x);
}
