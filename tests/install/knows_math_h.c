/* Knows <math.h> alone. Each result is the number nearest to the exact value, by MPFR; glibc 2.36 has all of them wrong. */
#include <math.h>
#include <stdio.h>

static int wrong;

static void expect(const char *call, double result, double right) {
    if (result != right) {
        printf("%s gives %a instead of %a\n", call, result, right);
        wrong = 1;
    }
}

int main(void) {
    /* Volatile: else the compiler computes the results. */
    volatile float middle = 0x1.ac6212p-1f, small = 0.576171875f, large = 3.125f;
    volatile double quarter = 0.25, tail = 1.578125;
    expect("erff(0x1.ac6212p-1)", erff(middle), 0x1.86ce0ep-1);
    expect("expf(0.576171875)", expf(small), 0x1.c77a96p+0);
    expect("erfcf(3.125)", erfcf(large), 0x1.4c144ep-17);
    expect("erf(0.25)", erf(quarter), 0x1.1af54e232d609p-2);
    expect("erfc(1.578125)", erfc(tail), 0x1.a3e2cb2ae9edbp-6);
    return wrong;
}
