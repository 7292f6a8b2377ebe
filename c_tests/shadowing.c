/* A program that defines functions of the library's names itself does not change what the library's own functions
 * compute: no call inside the library goes through a symbol that another file may preempt. The first argument names the
 * function that makes the process's first call. */
#include "check.h"

#include "cases.h"

static const float WRONG = 42.0f;

__attribute__((noinline)) static float wrong(void) {
    return WRONG;
}

#define SHADOW(type, name) \
    type name(type x);     \
    type name(type x) {    \
        (void)x;           \
        return wrong();    \
    }
#define SHADOW_BOTH(type, name) SHADOW(type, name) SHADOW(type, halfulp_##name)
SHADOW_BOTH(float, erff)
SHADOW_BOTH(float, expf)
SHADOW(float, __expf_finite)
SHADOW_BOTH(float, erfcf)
SHADOW(float, halfulp_normcdff)
SHADOW(float, halfulp_geluf)
SHADOW(float, halfulp_geluf_grad)
SHADOW_BOTH(double, erf)
SHADOW_BOTH(double, erfc)
SHADOW(double, halfulp_normcdf)

static void expect_right(void *library, const char *name, const char *function) {
    const struct format *format = function_named(function)->format;
    void *symbol = dlsym(library, name);
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        if (strcmp(row->function, function) == 0) {
            uint64_t x = number_from(format, row->x), right = number_from(format, row->right[0]);
            uint64_t value = symbol == NULL ? ~right : call_scalar(format, symbol, x);
            if (value != right) {
                fail("%s(%s) gives %s instead of %s", name, text(format, x), text(format, value),
                     text(format, right));
            }
        }
    }
}

int main(int count, char **arguments) {
    /* Each name, and which function it is. */
    static const char *const names[][2] = {
        {"erff", "erff"},          {"halfulp_erff", "erff"},
        {"expf", "expf"},          {"halfulp_expf", "expf"},
        {"__expf_finite", "expf"}, {"halfulp_normcdff", "normcdff"},
        {"erfcf", "erfcf"},        {"halfulp_erfcf", "erfcf"},
        {"erf", "erf"},            {"halfulp_erf", "erf"},
        {"erfc", "erfc"},          {"halfulp_erfc", "erfc"},
        {"halfulp_geluf", "geluf"}, {"halfulp_geluf_grad", "geluf_grad"},
        {"halfulp_normcdf", "normcdf"}};
    enum { NAMES = sizeof names / sizeof names[0] };
    void *library = dlopen("libhalfulp.so.0", RTLD_NOW | RTLD_LOCAL);
    if (count != 2 || library == NULL) {
        printf("usage: shadowing FIRST, where the loader finds libhalfulp.so.0\n");
        return 1;
    }
    for (int i = 0; i < NAMES; i++) {
        const struct format *format = function_named(names[i][1])->format;
        void *preempting = dlsym(RTLD_DEFAULT, names[i][0]);
        if (preempting == NULL || call_scalar(format, preempting, 0) != number_from(format, (double)WRONG)) {
            printf("%s is not preempted, so nothing is tested\n", names[i][0]);
            return 1;
        }
        if (strcmp(names[i][0], arguments[1]) == 0) {
            expect_right(library, names[i][0], names[i][1]);
        }
    }
    level = "later calls";
    for (int i = 0; i < NAMES; i++) {
        expect_right(library, names[i][0], names[i][1]);
    }
    return result();
}
