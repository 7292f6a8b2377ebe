/* Every result is the exact value rounded once, in the mode that the caller has set, under every name; of halves to
 * nearest, in every mode. */
#include "check.h"

#include "cases.h"

static void expect(const char *name, const struct format *format, uint64_t x, uint64_t value, uint64_t right,
                   const char *note) {
    if (value != right) {
        fail("%s(%s) gives %s instead of %s (%s)", name, text(format, x), text(format, value), text(format, right),
             note);
    }
}

static void expect_under_name(const char *name, const struct row *row) {
    const struct format *format = function_named(row->function)->format;
    uint64_t x = number_from(format, row->x), right = number_from(format, row->right[mode - modes]);
    void *symbol = library_symbol(name);
    if (symbol == NULL) {
        fail("%s is not halfulp's", name);
    } else {
        expect(name, format, x, call_scalar(format, symbol, x), right, row->note);
    }
}

static void expect_row(const struct row *row) {
    const struct function *function = function_named(row->function);
    uint64_t x = number_from(function->format, row->x);
    char name[40];
    snprintf(name, sizeof name, "halfulp_%s", row->function);
    expect_under_name(name, row);
    if (function->iso != NULL) {
        expect(row->function, function->format, x, value_of(function, x),
               number_from(function->format, row->right[mode - modes]), row->note);
    }
    if (strcmp(row->function, "expf") == 0) {
        expect_under_name("__expf_finite", row);
    }
}

/* erf is odd, and upward for one sign is downward for the other. */
static void expect_odd(const char *name) {
    const struct function *function = function_named(name);
    const struct format *format = function->format;
    int rounding = mode->rounding;
    int mirrored = rounding == FE_UPWARD ? FE_DOWNWARD : rounding == FE_DOWNWARD ? FE_UPWARD : rounding;
    for (uint64_t i = 0; walk_at(format, i) < format->infinity; i++) {
        uint64_t x = walk_at(format, i), value = value_of(function, x), opposite;
        fesetround(mirrored);
        opposite = value_of(function, x | sign_of(format));
        fesetround(rounding);
        if ((value ^ sign_of(format)) != opposite) {
            fail("%s(%s) gives %s, but its mirror image %s", name, text(format, x), text(format, value),
                 text(format, opposite));
        }
    }
}

static void values_are_right(void) {
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        expect_row(row);
    }
    for (const struct half_row *row = half_rows; row < half_rows + HALF_ROWS; row++) {
        const struct function *function = function_named(row->function);
        expect(row->function, function->format, row->x, value_of(function, row->x), row->right, row->note);
    }
    expect_odd("erff");
    expect_odd("erf");
}

int main(void) {
    return in_every_mode_at_every_level(values_are_right);
}
