/* AArch64's vector functions keep v8 to v23, on which the loops of their callers rely; another function keeps no more
 * than the lower halves of v8 to v15. And what is in v0 beside their arguments does not matter. */
#include "check.h"

#ifdef __aarch64__
#include "inputs.h"
#include "ways.h"

enum { FIRST = 8, KEPT = 16, WORDS = 4 };

struct registers {
    uint32_t words[KEPT][WORDS];
};

/* Two registers at a time, from or to `%[name]`. */
#define EACH_PAIR(move, name)                                                                             \
    move " q8, q9, [%[" name "]]\n\t" move " q10, q11, [%[" name "], #32]\n\t" move " q12, q13, [%[" name \
         "], #64]\n\t" move " q14, q15, [%[" name "], #96]\n\t" move " q16, q17, [%[" name "], #128]\n\t"  \
    move " q18, q19, [%[" name "], #160]\n\t" move " q20, q21, [%[" name "], #192]\n\t" move              \
         " q22, q23, [%[" name "], #224]\n\t"

/* Calls with these registers, one of which holds the arguments, and tells what is in those to be kept afterward. */
static void call(void *symbol, const float *x, float *y, const struct registers *before, struct registers *after) {
    __asm__ volatile("ldr q0, [%[x]]\n\t" EACH_PAIR("ldp", "before") "blr %[symbol]\n\t" EACH_PAIR("stp", "after")
                     "str q0, [%[y]]"
                     :
                     : [symbol] "r"(symbol), [x] "r"(x), [y] "r"(y), [before] "r"(before), [after] "r"(after)
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
                       "x15", "x16", "x17", "x18", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9",
                       "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                       "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");
}

/* Other inputs are beside those of a function of two lanes. */
static void expect(const struct way *way, int function, size_t place) {
    const struct format *format = functions[function].format;
    float x[WORDS], y[WORDS];
    struct registers before, after;
    int promised = 0, raised;
    for (uint32_t i = 0; i < KEPT * WORDS; i++) {
        before.words[i / WORDS][i % WORDS] = UINT32_C(0x9e3779b9) * (i + (uint32_t)place + 1);
    }
    for (size_t lane = 0; lane < WORDS; lane++) {
        put_input(function, input_at(function, place + lane), x, lane);
    }
    set_flags(0);
    call(way->symbols[function], x, y, &before, &after);
    raised = raised_flags();
    for (int i = 0; i < KEPT; i++) {
        if (memcmp(before.words[i], after.words[i], sizeof after.words[i]) != 0) {
            fail("%s(%s) and %d other lanes change v%d", way->names[function], text(format, bits(x[0])),
                 (int)way->lanes - 1, FIRST + i);
        }
    }
    for (size_t lane = 0; lane < way->lanes; lane++) {
        const struct input *input = input_at(function, place + lane);
        promised |= input->flags[mode - modes];
        if (bits(y[lane]) != input->right[mode - modes]) {
            fail("%s(%s) gives %s in lane %d", way->names[function], text(format, input->x),
                 text(format, bits(y[lane])), (int)lane);
        }
    }
    if (!flags_are_right(function, raised, promised, 0)) {
        fail("%s(%s) and %d other lanes raise 0x%x instead of 0x%x", way->names[function], text(format, bits(x[0])),
             (int)way->lanes - 1, (unsigned)raised, (unsigned)promised);
    }
}

static void registers_are_kept(void) {
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            int of_vectors = way->needs == VECTORS && has_way(function, way);
            for (size_t place = 0; place < MIXED && of_vectors; place++) {
                expect(way, function, place);
            }
        }
    }
}

int main(void) {
    if (!inputs_are_ready() || !ways_are_ready()) {
        return 1;
    }
    return in_every_mode_at_every_level(registers_are_kept);
}
#else
int main(void) {
    printf("skipped: v8 to v23, which are AArch64's\n");
    return 0;
}
#endif
