/* Every result is the exact value rounded once, in the mode that the caller has set, under every name. */
#include "check.h"

#include "cases.h"

static void expect(const char *name, function *call, const struct row *row) {
    float right = row->right[mode - modes];
    float value = call(row->x);
    if (bits(value) != bits(right)) {
        fail(name, row->x, "gives %a instead of %a (%s)", (double)value, (double)right, row->note);
    }
}

/* erff is odd, and upward for one sign is downward for the other. */
static void expect_odd(float x) {
    int rounding = mode->rounding;
    int mirrored = rounding == FE_UPWARD ? FE_DOWNWARD : rounding == FE_DOWNWARD ? FE_UPWARD : rounding;
    float value = erff(x);
    float opposite;
    fesetround(mirrored);
    opposite = erff(-x);
    fesetround(rounding);
    if (bits(value) != bits(-opposite)) {
        fail("erff", x, "gives %a, but its mirror image %a", (double)value, (double)opposite);
    }
}

static void values_are_right(void) {
    /* The names beside those of <math.h>, and which function each is. */
    static const char *const twins[][2] = {
        {"halfulp_erff", "erff"}, {"halfulp_expf", "expf"}, {"__expf_finite", "expf"}};
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        expect(row->function, function_named(row->function), row);
        for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
            function *twin = (function *)dlsym(RTLD_DEFAULT, twins[i][0]);
            if (strcmp(twins[i][1], row->function) != 0) {
                continue;
            }
            if (twin == NULL) {
                fail(twins[i][0], row->x, "does not exist");
            } else {
                expect(twins[i][0], twin, row);
            }
        }
    }
    for (uint64_t pattern = 0; pattern < bits(INFINITY); pattern += STEP) {
        expect_odd(from_bits((uint32_t)pattern));
    }
}

int main(void) {
    return in_every_mode_at_every_level(values_are_right);
}
