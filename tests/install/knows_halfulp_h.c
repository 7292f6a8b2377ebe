/* Uses what <math.h> lacks. The build defines VERSION as the package's. */
#include <halfulp.h>
#include <stdio.h>
#include <string.h>

static int broken;

static void expect(int holds, const char *promise) {
    if (!holds) {
        printf("broken: %s\n", promise);
        broken = 1;
    }
}

int main(void) {
    static const float x[] = {-6.0f, 0x1.ac6212p-1f, 0x1.cb2452p-1f, 4.0f};
    static const float right[] = {-1.0f, 0x1.86ce0ep-1f, 0x1.972ea8p-1f, 1.0f};
    float y[4] = {0};
    halfulp_erff_n(4, x, y);
    expect(memcmp(y, right, sizeof y) == 0, "arrays have the results nearest to the exact values");
    expect(halfulp_normcdff(-14.0f) > 0, "the tail of the normal distribution is no zero");
    expect(strcmp(halfulp_version(), VERSION) == 0, "the package's version is the library's");
    expect(halfulp_set_level("scalar") == 0 && strcmp(halfulp_level(), "scalar") == 0, "a level can be chosen");
    return broken;
}
