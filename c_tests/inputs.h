/* What the checks of arrays and vector functions compute with: inputs, and for each function and mode the result and
 * the flags that the scalar function gives at the level "scalar", which the sweeps prove over all inputs. A function
 * of arrays alone is called with one element instead, and the results of halves are those to nearest in every mode. */
#ifndef INPUTS_H
#define INPUTS_H

#include "check.h"

#include "cases.h"

/* Beside the function's rows of cases.h, of either sign. Zero is the first: its result is exact, or the flags are not
 * promised. */
static inline uint64_t pattern_of(const struct format *format, size_t i) {
    const uint64_t infinity = format->infinity, quiet = quiet_of(format), normal = normal_of(format);
    const uint64_t payload = UINT64_C(0xa5a5a5a5a5a5a5a5) & (quiet - 1);
    const uint64_t patterns[] = {
        0, infinity,
        infinity | quiet, infinity | quiet | payload, infinity | quiet | (quiet - 1), /* quiet NaNs */
        infinity | 1, infinity | payload, infinity | (quiet - 1),                     /* signalling NaNs */
        1, normal - 1,                                                                /* subnormal */
        normal, infinity - 1,                                                         /* the smallest and largest */
        infinity / 8 | payload, infinity / 4, infinity / 2 + 6 * normal, infinity / 4 * 3, /* tiny, 96, huge */
    };
    return patterns[i / 2] | i % 2 * sign_of(format);
}

enum {
    ZERO = 0,
    PATTERNS = 32,
    SPECIAL = PATTERNS + 40, /* as many are special: the first ones */
    HARD = 128,              /* so many lie very near to a rounding boundary, of floats */
    ORDINARY = 256,          /* and the rest spreads over the range of the results */
    INPUTS = SPECIAL + HARD + ORDINARY
};

struct input {
    uint64_t x;
    uint64_t right[MODES];
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

static inline const struct input *input_at(int function, size_t place) {
    return &inputs[function][mixed(place)];
}

/* Writes an input, or a result, to this place of an array. */
static inline void put_input(int function, const struct input *input, void *array, size_t place) {
    put_number(functions[function].format, array, (ptrdiff_t)place, input->x);
}

static void compute_right_of(int function) {
    int follows = functions[function].has & FLAGS;
    for (struct input *input = inputs[function]; input < inputs[function] + INPUTS; input++) {
        set_flags(0);
        input->right[mode - modes] = follows || mode == modes ? value_of(&functions[function], input->x)
                                                              : input->right[0];
        input->flags[mode - modes] = raised_flags();
    }
}

static void compute_right(void) {
    for (int function = 0; function < FUNCTIONS; function++) {
        compute_right_of(function);
    }
}

/* Some functions have the same bits everywhere at one level alone. To be called before checks at another. */
static inline void compute_right_of_this_level(void) {
    for (int function = 0; function < FUNCTIONS; function++) {
        if (functions[function].has & BY_LEVEL) {
            compute_right_of(function);
        }
    }
}

/* Whether the flags `raised` by a call over elements that promise these are right, if these were up before. */
static inline int flags_are_right(int function, int raised, int promised, int before) {
    if (!(functions[function].has & FLAGS)) {
        return (before & ~raised) == 0;
    }
    return (raised | FE_INEXACT) == (promised | before | FE_INEXACT) && ((promised | before) & ~raised) == 0;
}

/* Reads hard inputs, spread over the golden file, whose lines have the results too. Returns how many there were. The
 * driver defines GOLDEN as the folder. */
static int read_hard_inputs(int function, uint32_t right[][MODES]) {
    char name[4096], line[256];
    int lines = 0, step, found = 0;
    FILE *file;
    snprintf(name, sizeof name, "%s/%s.hard", GOLDEN, functions[function].name);
    file = fopen(name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        lines += line[0] != '#';
    }
    step = lines / HARD;
    if (step > 0) {
        rewind(file);
    }
    while (step > 0 && found < HARD && fgets(line, sizeof line, file) != NULL) {
        unsigned x, to_nearest, upward, downward, toward_zero;
        if (sscanf(line, "%8x %8x %8x %8x %8x", &x, &to_nearest, &upward, &downward, &toward_zero) == 5 &&
            lines-- % step == 0) {
            const uint32_t results[MODES] = {to_nearest, upward, downward, toward_zero};
            inputs[function][SPECIAL + found].x = x;
            memcpy(right[found++], results, sizeof results);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static inline int has_hard_inputs(int function) {
    return functions[function].format == &binary32 && functions[function].has & SCALAR;
}

/* Whether the function is the one of that name or another form of it, which has the same special results. */
static int is_form_of(int function, const char *name) {
    const char *rest = functions[function].name + strlen(name);
    return strncmp(functions[function].name, name, strlen(name)) == 0 &&
           (*rest == '\0' || strcmp(rest, "_scaled") == 0 || strcmp(rest, "_faithful") == 0);
}

static void choose_inputs(int function) {
    static uint64_t random = 1;
    const struct format *format = functions[function].format;
    struct input *input = inputs[function], *hard = input + SPECIAL;
    for (size_t i = 0; i < PATTERNS; i++) {
        input++->x = pattern_of(format, i);
    }
    for (size_t i = 0; i < ROWS && input < hard; i++) {
        if (is_form_of(function, rows[i].function)) {
            input++->x = number_from(format, rows[i].x);
        }
    }
    for (size_t i = 0; i < HALF_ROWS && input < hard; i++) {
        if (is_form_of(function, half_rows[i].function)) {
            input++->x = half_rows[i].x;
        }
    }
    for (; input < inputs[function] + INPUTS; input++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        input->x = number_from(format, functions[function].range * ((double)(random >> 11) * 0x1p-52 - 1.0));
    }
}

/* Fills the table. Returns 1, or 0 having said what is missing or wrong. */
static inline int inputs_are_ready(void) {
    static uint32_t right[FUNCTIONS][HARD][MODES];
    if (!functions_are_halfulp()) {
        return 0;
    }
    for (int function = 0; function < FUNCTIONS; function++) {
        choose_inputs(function);
        if (has_hard_inputs(function) && read_hard_inputs(function, right[function]) < HARD) {
            printf("there are no %d hard inputs of %s in %s\n", HARD, functions[function].name, GOLDEN);
            return 0;
        }
    }
    level = "scalar";
    set_level(level);
    in_every_mode(compute_right);
    for (int function = 0; function < FUNCTIONS; function++) {
        for (int i = 0; i < HARD && has_hard_inputs(function); i++) {
            const struct input *input = &inputs[function][SPECIAL + i];
            for (int of_mode = 0; of_mode < MODES_HERE; of_mode++) {
                if (input->right[of_mode] != right[function][i][of_mode]) {
                    fail("%s(%s) does not give what the golden file has in %s", functions[function].name,
                         text(functions[function].format, input->x), modes[of_mode].name);
                }
            }
        }
    }
    return failures == 0;
}

#endif
