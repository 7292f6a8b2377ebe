/* A program that defines functions of the library's names itself does not change what the library's own functions
 * compute: no call inside the library goes through a symbol that another file may preempt. The first argument names the
 * function that makes the process's first call. */
#include "check.h"

#include "cases.h"

static const float WRONG = 42.0f;

__attribute__((noinline)) static float wrong(float x) {
    (void)x;
    return WRONG;
}

float erff(float x) {
    return wrong(x);
}
float expf(float x) {
    return wrong(x);
}
float __expf_finite(float x);
float __expf_finite(float x) {
    return wrong(x);
}
float halfulp_erff(float x);
float halfulp_erff(float x) {
    return wrong(x);
}
float halfulp_expf(float x);
float halfulp_expf(float x) {
    return wrong(x);
}

static void expect_right(void *library, const char *name, const char *iso_name) {
    function *call = (function *)dlsym(library, name);
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        if (strcmp(row->function, iso_name) == 0) {
            float value = call == NULL ? WRONG : call(row->x);
            if (bits(value) != bits(row->right[0])) {
                fail(name, row->x, "gives %a instead of %a", (double)value, (double)row->right[0]);
            }
        }
    }
}

int main(int count, char **arguments) {
    /* Each name, and which function it is. */
    static const char *const names[][2] = {{"erff", "erff"}, {"halfulp_erff", "erff"}, {"expf", "expf"},
                                           {"halfulp_expf", "expf"}, {"__expf_finite", "expf"}};
    enum { NAMES = sizeof names / sizeof names[0] };
    void *library = dlopen("libhalfulp.so.0", RTLD_NOW | RTLD_LOCAL);
    if (count != 2 || library == NULL) {
        printf("usage: shadowing FIRST, where the loader finds libhalfulp.so.0\n");
        return 1;
    }
    for (int i = 0; i < NAMES; i++) {
        function *preempting = (function *)dlsym(RTLD_DEFAULT, names[i][0]);
        if (preempting == NULL || preempting(0.0f) != WRONG) {
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
