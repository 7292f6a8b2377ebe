/* The least that a call through a pointer into a shared library costs. */
float empty(float x);

float empty(float x)
{
    return x;
}
