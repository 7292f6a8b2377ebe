/* Levels are chosen by name; a name that is null, unknown or not for this CPU changes nothing. The driver defines
 * VERSION as the package's. */
#include "check.h"

#include "halfulp.h"

static void expect(int holds, const char *promise, const char *name) {
    if (!holds) {
        printf("%s: \"%s\", at level \"%s\"\n", promise, name == NULL ? "(null)" : name, halfulp_level());
        failures++;
    }
}

static int cpu_has_fma(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma") != 0;
#elif defined(__aarch64__)
    return 1;
#else
    return 0;
#endif
}

static void expect_refused(const char *name) {
    const char *before = halfulp_level();
    expect(halfulp_set_level(name) != 0, "not refused", name);
    expect(strcmp(halfulp_level(), before) == 0, "refused, but the level has changed", name);
}

static void expect_accepted(const char *name) {
    expect(halfulp_set_level(name) == 0, "not accepted", name);
    expect(strcmp(halfulp_level(), name) == 0, "accepted, but another level runs", name);
}

int main(void) {
    static const char *const unknown[] = {NULL, "", "f", "fm", "fmaa", "FMA", " fma", "scala", "scalar ", "avx9000",
                                          "undecided"};
    const char *known[] = {"scalar", cpu_has_fma() ? "fma" : "scalar"};
    expect(strcmp(halfulp_version(), VERSION) == 0, "not the package's version", halfulp_version());
    expect(strcmp(halfulp_level(), known[1]) == 0, "not the first choice", known[1]);
    for (size_t i = 0; i < 2; i++) {
        expect_accepted(known[i]);
        for (size_t j = 0; j < sizeof unknown / sizeof unknown[0]; j++) {
            expect_refused(unknown[j]);
        }
        if (!cpu_has_fma()) {
            expect_refused("fma");
        }
    }
    return result();
}
