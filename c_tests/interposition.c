/* A preloaded library is what every way to libm's functions leads to: the dynamic symbols by name, and the symbols of
 * old programs, which carry glibc's version of the day. */
#include "check.h"

#ifdef __GLIBC__
#if defined(__x86_64__)
#define BINDS_OLD_VERSIONS
/* expf has been in glibc since 2.2.5, and without its wrapper for errno since 2.27. gcc's -ffast-math called
 * __expf_finite from 2.15 to 2.30. */
extern float expf_of_2_2_5(float x);
extern float expf_of_2_27(float x);
extern float expf_finite_of_2_15(float x);
__asm__(".symver expf_of_2_2_5, expf@GLIBC_2.2.5");
__asm__(".symver expf_of_2_27, expf@GLIBC_2.27");
__asm__(".symver expf_finite_of_2_15, __expf_finite@GLIBC_2.15");
#endif
#endif

static void expect_halfulp(const char *way, void *address) {
    if (!is_halfulp(address)) {
        Dl_info file;
        printf("%s leads to %s\n", way, dladdr(address, &file) != 0 ? file.dli_fname : "nothing");
        failures++;
    }
}

int main(void) {
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].iso != NULL) {
            expect_halfulp(functions[i].name, functions[i].iso);
            expect_halfulp("dlsym(RTLD_DEFAULT, it)", dlsym(RTLD_DEFAULT, functions[i].name));
            expect_halfulp("dlsym(RTLD_NEXT, it)", dlsym(RTLD_NEXT, functions[i].name));
        }
    }
#ifdef BINDS_OLD_VERSIONS
    expect_halfulp("expf@GLIBC_2.2.5", (void *)expf_of_2_2_5);
    expect_halfulp("expf@GLIBC_2.27", (void *)expf_of_2_27);
    expect_halfulp("__expf_finite@GLIBC_2.15", (void *)expf_finite_of_2_15);
#else
    printf("skipped: the versioned symbols, which are those of glibc on x86-64\n");
#endif
    return result();
}
