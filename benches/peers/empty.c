/* The least that a call through a pointer into a shared library costs. */
float empty_single(float x);
double empty_double(double x);

float empty_single(float x)
{
    return x;
}

double empty_double(double x)
{
    return x;
}
