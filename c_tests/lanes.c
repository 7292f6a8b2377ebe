/* Calls that compute many results give each the bits that the scalar function gives, whatever the lanes beside it hold.
 * Together they raise what the scalar calls would raise, but that inexact may come unasked; they lower no flag and
 * never touch errno. */
#include "check.h"

#include <errno.h>

#include "inputs.h"
#include "ways.h"

static const int UNTOUCHED = EDOM; /* some scalar functions set ERANGE */

/* Calls with these inputs, which are places in the table, when the flags `before` are raised. */
static void expect(const struct way *way, int function, const size_t *chosen, int before) {
    static uint64_t x[LONG], y[LONG];
    const struct format *format = functions[function].format;
    const struct input *table = inputs[function];
    const char *name = way->names[function];
    int others = (int)way->lanes - 1, promised = 0, raised, number;
    for (size_t lane = 0; lane < way->lanes; lane++) {
        put_input(function, &table[chosen[lane]], x, lane);
        promised |= table[chosen[lane]].flags[mode - modes];
    }
    errno = UNTOUCHED;
    set_flags(before);
    call_by(way, function, x, y);
    raised = raised_flags();
    number = errno;
    for (size_t lane = 0; lane < way->lanes; lane++) {
        const struct input *input = &table[chosen[lane]];
        uint64_t value = number_at(format, y, (ptrdiff_t)lane);
        if (value != input->right[mode - modes]) {
            fail("%s(%s) gives %s instead of %s in lane %d of %d", name, text(format, input->x), text(format, value),
                 text(format, input->right[mode - modes]), (int)lane, (int)way->lanes);
        }
    }
    if (!flags_are_right(function, raised, promised, before)) {
        fail("%s(%s) and %d other lanes leave the flags 0x%x instead of 0x%x, after 0x%x", name,
             text(format, table[chosen[0]].x), others, (unsigned)raised, (unsigned)promised, (unsigned)before);
    }
    if (number != UNTOUCHED) {
        fail("%s(%s) and %d other lanes set errno to %d", name, text(format, table[chosen[0]].x), others, number);
    }
}

/* Every special input in this lane: among zeros, which raise nothing, then among everything. A long array has one of
 * each kind, here and there. */
static void expect_special_in(const struct way *way, int function, size_t lane) {
    static size_t zeros[LONG], everything[LONG]; /* the first is ZERO everywhere */
    size_t specials = way->lanes == LONG ? PATTERNS : SPECIAL;
    for (size_t special = 0; special < specials; special++) {
        for (size_t i = 0; i < way->lanes; i++) {
            everything[i] = mixed(special * 64 + i);
        }
        zeros[lane] = everything[lane] = special;
        expect(way, function, zeros, 0);
        expect(way, function, zeros, ALL_FLAGS);
        expect(way, function, everything, 0);
        zeros[lane] = ZERO;
        if (way->lanes == LONG) {
            lane = (lane + LONG / 4) % LONG;
        }
    }
}

static void lanes_are_independent(void) {
    compute_right_of_this_level();
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            size_t lanes = way->lanes == LONG ? 1 : way->lanes;
            for (size_t lane = 0; lane < lanes && has_way(function, way) && way->needs != SCALAR; lane++) {
                expect_special_in(way, function, lane);
            }
        }
    }
}

int main(void) {
    if (!inputs_are_ready() || !ways_are_ready()) {
        return 1;
    }
    return in_every_mode_at_every_level(lanes_are_independent);
}
