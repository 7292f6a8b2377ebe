/* Every NaN comes back quiet, with its sign and payload. A signalling one raises invalid, and nothing else happens. */
#include "check.h"

#include <errno.h>

static void expect_quiet(const struct function *function, uint64_t nan) {
    const struct format *format = function->format;
    uint64_t quiet = nan | quiet_of(format), value;
    int promised = nan == quiet ? 0 : FE_INVALID, raised;
    errno = 0;
    set_flags(0);
    value = value_of(function, nan);
    raised = raised_flags();
    if (value != quiet) {
        fail("%s(%s) gives %s instead of %s", function->name, text(format, nan), text(format, value),
             text(format, quiet));
    }
    if (function->has & FLAGS && (raised & ~unasked_flags(function)) != promised) {
        fail("%s(%s) raises 0x%x instead of 0x%x", function->name, text(format, nan), (unsigned)raised,
             (unsigned)promised);
    }
    if (errno != 0) {
        fail("%s(%s) sets errno to %d", function->name, text(format, nan), errno);
    }
}

/* All of halves. Of others all whose payload is one bit, or all but one, and many between. */
static void expect_all_quiet(const struct function *function) {
    const struct format *format = function->format;
    uint64_t last = sign_of(format) - 1;
    uint64_t step = format->size == 2 ? 1 : format->size == 4 ? 509 : UINT64_C(137438953481); /* primes */
    for (int negative = 0; negative <= 1; negative++) {
        uint64_t sign = negative ? sign_of(format) : 0;
        for (uint64_t nan = format->infinity + 1; nan <= last; nan += step) {
            expect_quiet(function, sign | nan);
        }
        for (uint64_t bit = 1; bit < normal_of(format); bit <<= 1) {
            expect_quiet(function, sign | format->infinity | bit);
            expect_quiet(function, sign | (last ^ bit));
        }
        expect_quiet(function, sign | last);
    }
}

static void nans_come_back_quiet(void) {
    for (int i = 0; i < FUNCTIONS; i++) {
        expect_all_quiet(&functions[i]);
    }
}

int main(void) {
    return in_every_mode_at_every_level(nans_come_back_quiet);
}
