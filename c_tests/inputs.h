/* What the checks of arrays and vector functions compute with: inputs, and for each function and mode the result and
 * the flags that the scalar function gives at the level "scalar", which the sweeps prove over all inputs. */
#ifndef INPUTS_H
#define INPUTS_H

#include "check.h"

#include "cases.h"

/* Beside the rows of cases.h. The first is one whose result is exact: it raises nothing. */
static const uint32_t patterns[] = {
    0x00000000, 0x80000000,                         /* zeros */
    0x7f800000, 0xff800000,                         /* infinities */
    0x7fc00000, 0xffc00000, 0x7fd5a5a5, 0xffffffff, /* quiet NaNs */
    0x7f800001, 0xff800001, 0x7f95a5a5, 0xffbfffff, /* signalling NaNs */
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, /* subnormals */
    0x00800000, 0x80800000,                         /* the smallest normals */
    0x0da24260, 0x8da24260, 0x1e3ce508, 0x9e3ce508, /* 1e-30 and 1e-20 */
    0x42c80000, 0xc2c80000, 0x7149f2ca, 0xf149f2ca, /* 100 and 1e30 */
    0x7f7fffff, 0xff7fffff,                         /* the largest */
};

enum {
    ZERO = 0,
    PATTERNS = sizeof patterns / sizeof patterns[0],
    SPECIAL = PATTERNS + ROWS, /* as many are special: the first ones */
    HARD = 128,                /* so many lie very near to a rounding boundary */
    ORDINARY = 256,            /* and the rest spreads over the range of the results */
    INPUTS = SPECIAL + HARD + ORDINARY
};

struct input {
    float x;
    uint32_t right[MODES];
    int flags[MODES];
};

static struct input inputs[FUNCTIONS][INPUTS];

/* What stands at a place of an array that mixes all kinds: in any 64 elements 8 are hard and 4 are special. Now and
 * then comes a stretch of hard ones, or special ones, alone; after MIXED places the stretches begin again. */
enum { STRETCH = 512, STRETCHES = 8, MIXED = STRETCH * STRETCHES };

static inline size_t mixed(size_t place) {
    size_t stretch = place / STRETCH % STRETCHES;
    if (stretch == 5 || (stretch != 3 && place % 16 == 6)) {
        return (place * 7 + place / 16) % SPECIAL;
    }
    if (stretch == 3 || place % 8 == 3) {
        return SPECIAL + (place * 5 + place / 8) % HARD;
    }
    return SPECIAL + HARD + place % ORDINARY;
}

static void compute_right(void) {
    for (int function = 0; function < FUNCTIONS; function++) {
        for (struct input *input = inputs[function]; input < inputs[function] + INPUTS; input++) {
            set_flags(0);
            input->right[mode - modes] = bits(functions[function].call(input->x));
            input->flags[mode - modes] = raised_flags();
        }
    }
}

/* Reads hard inputs, spread over the golden file, whose lines have the results too. Returns how many there were. The
 * driver defines GOLDEN as the folder. */
static int read_hard_inputs(int function, uint32_t right[][MODES]) {
    char name[4096], line[256];
    int lines = 0, found = 0;
    FILE *file;
    snprintf(name, sizeof name, "%s/%s.hard", GOLDEN, functions[function].name);
    file = fopen(name, "r");
    while (file != NULL && found < HARD && fgets(line, sizeof line, file) != NULL) {
        unsigned x, to_nearest, upward, downward, toward_zero;
        if (sscanf(line, "%8x %8x %8x %8x %8x", &x, &to_nearest, &upward, &downward, &toward_zero) == 5 &&
            lines++ % 61 == 0) {
            const uint32_t results[MODES] = {to_nearest, upward, downward, toward_zero};
            inputs[function][SPECIAL + found].x = from_bits(x);
            memcpy(right[found++], results, sizeof results);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* Fills the table. Returns 1, or 0 having said what is missing or wrong. */
static inline int inputs_are_ready(void) {
    static uint32_t right[FUNCTIONS][HARD][MODES];
    uint32_t random = 1;
    if (!functions_are_halfulp()) {
        return 0;
    }
    for (int function = 0; function < FUNCTIONS; function++) {
        float range = strcmp(functions[function].name, "erff") == 0 ? 4.0f : 100.0f;
        struct input *input = inputs[function];
        for (size_t i = 0; i < PATTERNS; i++) {
            input++->x = from_bits(patterns[i]);
        }
        for (size_t i = 0; i < ROWS; i++) {
            input++->x = rows[i].x;
        }
        if (read_hard_inputs(function, right[function]) < HARD) {
            printf("there are no %d hard inputs of %s in %s\n", HARD, functions[function].name, GOLDEN);
            return 0;
        }
        for (input += HARD; input < inputs[function] + INPUTS; input++) {
            random = random * UINT32_C(1664525) + UINT32_C(1013904223);
            input->x = range * ((float)(random >> 8) * 0x1p-23f - 1.0f);
        }
    }
    level = "scalar";
    set_level(level);
    in_every_mode(compute_right);
    for (int function = 0; function < FUNCTIONS; function++) {
        for (int i = 0; i < HARD; i++) {
            const struct input *input = &inputs[function][SPECIAL + i];
            if (memcmp(input->right, right[function][i], sizeof input->right) != 0) {
                fail(functions[function].name, input->x, "does not give what the golden file has");
            }
        }
    }
    return failures == 0;
}

#endif
