/* Every NaN comes back quiet, with its sign and payload. A signalling one raises invalid, and nothing else happens. */
#include "check.h"

#include <errno.h>

static const uint32_t SIGN = 0x80000000;
static const uint32_t QUIET = 0x00400000;
/* The smallest and the largest pattern of a positive NaN. */
static const uint32_t FIRST = 0x7f800001;
static const uint32_t LAST = 0x7fffffff;

static void expect_quiet(const struct named_function *function, uint32_t nan) {
    int promised = nan & QUIET ? 0 : FE_INVALID;
    uint32_t value;
    int raised;
    errno = 0;
    set_flags(0);
    value = bits(function->call(from_bits(nan)));
    raised = raised_flags();
    if (value != (nan | QUIET)) {
        fail(function->name, from_bits(nan), "gives 0x%08x instead of 0x%08x", (unsigned)value,
             (unsigned)(nan | QUIET));
    }
    if (raised != promised) {
        fail(function->name, from_bits(nan), "raises 0x%x instead of 0x%x", (unsigned)raised, (unsigned)promised);
    }
    if (errno != 0) {
        fail(function->name, from_bits(nan), "sets errno to %d", errno);
    }
}

static void nans_come_back_quiet(void) {
    for (int i = 0; i < FUNCTIONS; i++) {
        for (uint32_t nan = FIRST; nan <= LAST; nan++) {
            expect_quiet(&functions[i], nan);
            expect_quiet(&functions[i], nan | SIGN);
        }
    }
}

int main(void) {
    return in_every_mode_at_every_level(nans_come_back_quiet);
}
