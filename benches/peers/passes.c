/* What a program does around erf where nothing is fused: each a pass over memory of its own. */
#include <stddef.h>

void scale_n(size_t n, float factor, const float *restrict x, float *restrict y);
void increment_n(size_t n, float *y);
void halve_n(size_t n, float *y);
void multiply_halves_n(size_t n, const float *restrict x, float *restrict y);

void scale_n(size_t n, float factor, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = factor * x[i];
}

void increment_n(size_t n, float *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += 1.0f;
}

void halve_n(size_t n, float *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= 0.5f;
}

void multiply_halves_n(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= 0.5f * x[i];
}
