/* The formulas by which programs get what <math.h> lacks, over functions that the bench names before the first call. The
 * lower tail of each is wrong. */
extern float (*inner_erff)(float), (*inner_expf)(float), (*inner_erfcf)(float);
extern double (*inner_erfc)(double);
float (*inner_erff)(float), (*inner_expf)(float), (*inner_erfcf)(float);
double (*inner_erfc)(double);

float normcdff(float x);
float geluf(float x);
float geluf_grad(float x);
double normcdf(double x);

#define ROOT_OF_HALF 0x1.6a09e667f3bcdp-1

float normcdff(float x)
{
    return 0.5f * inner_erfcf(x * -(float)ROOT_OF_HALF);
}

float geluf(float x)
{
    return 0.5f * x * (1.0f + inner_erff(x * (float)ROOT_OF_HALF));
}

/* 1/sqrt(2*pi) times exp is the density. */
float geluf_grad(float x)
{
    float density = 0x1.988454p-2f * inner_expf(-0.5f * x * x);
    return 0.5f * (1.0f + inner_erff(x * (float)ROOT_OF_HALF)) + x * density;
}

double normcdf(double x)
{
    return 0.5 * inner_erfc(x * -ROOT_OF_HALF);
}
