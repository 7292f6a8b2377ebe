/* The faithful functions: at levels with fused multiply-add, to nearest, each result is one of the two floats around the
 * exact value, special values and flags are those of the exact functions, and all these levels give the same bits, in
 * every mode. At the other levels they are the exact functions. */
#include "check.h"

#include "cases.h"

enum { WALK = 65536, FORMS = 5 };

/* The exact function that this is the faithful form of. */
static const struct function *exact_form(const struct function *function) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(function->name) - strlen("_faithful")), function->name);
    return function_named(name);
}

/* Whether a float's bits are those of a zero, an infinity or a NaN. */
static int is_limit(uint64_t bits) {
    return (bits & 0x7fffffff) == 0 || (bits & 0x7f800000) == 0x7f800000;
}

static int is_one_of(uint64_t value, const uint64_t *right, const struct row *row) {
    int is_special = right[0] == right[1] && right[0] == right[2];
    /* In the other modes expf(0) and erff(inf) may be beside 1. */
    if (!level_is_fused() || (is_special && (mode == modes || is_limit(right[0])))) {
        return value == right[mode - modes];
    }
    /* Where erff is 1, and expf 0 or infinite, that is the result. */
    if (mode == modes && ((strcmp(row->function, "erff") == 0 && fabs(row->x) > 0x1.f5a888p+1) ||
                          (strcmp(row->function, "expf") == 0 && (row->x > 0x1.62e42ep+6 || row->x < -0x1.9fe368p+6)))) {
        return value == right[0];
    }
    return mode != modes || value == right[1] || value == right[2];
}

static void expect_row(const struct function *function, const struct row *row) {
    const struct format *format = function->format;
    uint64_t x = number_from(format, row->x), right[MODES], argument = 0, value = 0;
    int promised, raised;
    for (int of_mode = 0; of_mode < MODES; of_mode++) {
        right[of_mode] = number_from(format, row->right[of_mode]);
    }
    put_number(format, &argument, 0, x);
    set_flags(0);
    value_of(exact_form(function), x);
    promised = raised_flags();
    set_flags(0);
    call_array(function, 1, &argument, &value);
    raised = raised_flags();
    value = number_at(format, &value, 0);
    if (!is_one_of(value, right, row)) {
        fail("%s(%s) gives %s; between %s and %s it may (%s)", function->name, text(format, x), text(format, value),
             text(format, right[2]), text(format, right[1]), row->note);
    }
    if ((raised | FE_INEXACT) != (promised | FE_INEXACT) || (promised & ~raised) != 0) {
        fail("%s(%s) raises 0x%x instead of 0x%x", function->name, text(format, x), (unsigned)raised,
             (unsigned)promised);
    }
}

static uint32_t x[WALK], y[WALK], of_exact_form[WALK];
/* What the first level with fused multiply-add gives. */
static uint32_t first[FORMS][MODES][LEVELS > 1 ? WALK : 1];
static int is_known[FORMS][MODES];

static void expect_equal(const struct function *function, const uint32_t *right, const char *whose) {
    for (int i = 0; i < WALK; i++) {
        if (y[i] != right[i]) {
            fail("%s(%s) gives %s, and %s %s", function->name, text(&binary32, x[i]), text(&binary32, y[i]), whose,
                 text(&binary32, right[i]));
        }
    }
}

/* A negative zero is below 0 too. */
static void expect_in_range(const struct function *function, float from, float to) {
    for (int i = 0; i < WALK; i++) {
        float value = from_bits(y[i]);
        if (value < from || value > to || (from == 0.0f && y[i] >> 31 && value == value)) {
            fail("%s(%s) gives %s", function->name, text(&binary32, x[i]), text(&binary32, y[i]));
        }
    }
}

static void expect_odd(const struct function *function) {
    static uint32_t opposite[WALK];
    for (int i = 0; i < WALK; i++) {
        opposite[i] = x[i] ^ 0x80000000;
    }
    call_array(function, WALK, opposite, opposite);
    for (int i = 0; i < WALK; i++) {
        if ((y[i] ^ opposite[i]) != 0x80000000) {
            fail("%s(%s) gives %s, and of its opposite %s", function->name, text(&binary32, x[i]),
                 text(&binary32, y[i]), text(&binary32, opposite[i]));
        }
    }
}

static void expect_form(const struct function *function, int form) {
    const struct function *exact = exact_form(function);
    int this_mode = (int)(mode - modes);
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        if (strcmp(row->function, exact->name) == 0) {
            expect_row(function, row);
        }
    }
    call_array(function, WALK, x, y);
    if (!level_is_fused()) {
        call_array(exact, WALK, x, of_exact_form);
        expect_equal(function, of_exact_form, "its exact form");
    } else if (is_known[form][this_mode]) {
        expect_equal(function, first[form][this_mode], "another level");
    } else {
        memcpy(first[form][this_mode], y, sizeof first[form][this_mode]);
        is_known[form][this_mode] = 1;
    }
    if (strcmp(exact->name, "erff") == 0) {
        expect_in_range(function, -1.0f, 1.0f);
        if (mode == modes) {
            expect_odd(function);
        }
    } else if (strcmp(exact->name, "expf") == 0) {
        expect_in_range(function, 0.0f, INFINITY);
    } else if (strcmp(exact->name, "normcdff") == 0) {
        expect_in_range(function, 0.0f, 1.0f);
    }
}

static void faithful_results_are_right(void) {
    int form = 0;
    for (const struct function *function = functions; function < functions + FUNCTIONS; function++) {
        if (function->has & FAITHFUL) {
            expect_form(function, form++);
        }
    }
}

int main(void) {
    for (uint64_t i = 0; i < WALK; i++) {
        x[i] = (uint32_t)walk_at(&binary32, i);
    }
    return in_every_mode_at_every_level(faithful_results_are_right);
}
