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

/* Whether the CPU has what the level needs. */
static int available(const char *name) {
#if defined(__x86_64__)
    int fma = __builtin_cpu_supports("fma") != 0;
    int avx2 = fma && __builtin_cpu_supports("avx2") != 0;
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") != 0;
    return strcmp(name, "fma") == 0      ? fma
           : strcmp(name, "avx2") == 0   ? avx2
           : strcmp(name, "avx512") == 0 ? avx512
                                         : 1;
#else
    (void)name;
    return 1;
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
    static const char *const unknown[] = {NULL,   "",       "f",        "fm",     "fmaa",   "FMA",     " fma",
                                          "sse",  "sse2 ",  "sse4.2",   "avx",    "avx22",  "AVX2",    "avx51",
                                          "avx5", "avx512f", "avx5122", "neo",    "neon64", "scala",   "scalar ",
                                          "sve",  "avx9000", "undecided",
#if defined(__x86_64__)
                                          "neon"
#else
                                          "sse2", "avx2", "avx512"
#endif
    };
    const char *best = levels[0];
    for (int i = 0; i < LEVELS; i++) {
        best = available(levels[i]) ? levels[i] : best;
    }
    expect(strcmp(halfulp_version(), VERSION) == 0, "not the package's version", halfulp_version());
    expect(strcmp(halfulp_level(), best) == 0, "not the first choice", best);
    for (int i = 0; i < LEVELS; i++) {
        if (!available(levels[i])) {
            expect_refused(levels[i]);
            continue;
        }
        expect_accepted(levels[i]);
        for (size_t j = 0; j < sizeof unknown / sizeof unknown[0]; j++) {
            expect_refused(unknown[j]);
        }
        for (int j = 0; j < LEVELS; j++) {
            if (!available(levels[j])) {
                expect_refused(levels[j]);
            }
        }
    }
    return result();
}
