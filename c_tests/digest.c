/* Sampled blocks of 2^24 inputs give the results that the golden files have the digests of, one at a time and in arrays. The
 * driver defines BLOCKS as their numbers with commas between, GOLDEN as the folder, and has xxhash.h where it is found. */
#include "check.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CHUNK = 1 << 14, CHUNKS = 1 << 10 };

static const int blocks[] = {BLOCKS};
enum { NUMBER = sizeof blocks / sizeof blocks[0] };

static unsigned long long golden[FUNCTIONS][NUMBER][MODES];
static int compared;

/* Of these functions there are golden files. With ONLY, where all would take too long, only this one is looked at. Those of
 * faithful functions are for the levels where these are not the exact ones. */
static int has_digests(const struct function *function) {
#ifdef ONLY
    return strcmp(function->name, ONLY) == 0;
#else
    return function->format == &binary32 && function->has & (SCALAR | FAITHFUL);
#endif
}

static int is_compared(int function) {
    return has_digests(&functions[function]) && (!(functions[function].has & FAITHFUL) || level_is_fused());
}

static int has_entry(int function, int entry) {
    return entry > 0 || functions[function].has & SCALAR;
}

static int read_golden(int function) {
    char name[4096], line[256];
    int found = 0;
    FILE *file;
    snprintf(name, sizeof name, "%s/%s.digests", GOLDEN, functions[function].name);
    file = fopen(name, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned block;
        unsigned long long digests[MODES];
        if (sscanf(line, "%x %llx %llx %llx %llx", &block, &digests[0], &digests[1], &digests[2], &digests[3]) == 5) {
            for (int i = 0; i < NUMBER; i++) {
                if (block == (unsigned)blocks[i]) {
                    memcpy(golden[function][i], digests, sizeof digests);
                    found++;
                }
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found == NUMBER;
}

static void one_at_a_time(const struct function *function, const float *x, float *y) {
    float (*symbol)(float) = (float (*)(float))function->scalar;
    for (int i = 0; i < CHUNK; i++) {
        y[i] = symbol(x[i]);
    }
}

static void as_an_array(const struct function *function, const float *x, float *y) {
    call_array(function, CHUNK, x, y);
}

static const struct {
    const char *name;
    void (*call)(const struct function *function, const float *x, float *y);
} entries[] = {{"one at a time", one_at_a_time}, {"as an array", as_an_array}};

static void expect(int function, int i, int entry) {
    static float x[CHUNK], y[CHUNK];
    XXH3_state_t state;
    unsigned long long digest;
    XXH3_64bits_reset(&state);
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        for (uint32_t j = 0; j < CHUNK; j++) {
            x[j] = from_bits((uint32_t)blocks[i] << 24 | chunk * CHUNK | j);
        }
        entries[entry].call(&functions[function], x, y);
        XXH3_64bits_update(&state, y, sizeof y);
    }
    digest = XXH3_64bits_digest(&state);
    if (digest != golden[function][i][mode - modes]) {
        fail("%s of block %d %s has the digest %016llx instead of %016llx", functions[function].name, blocks[i],
             entries[entry].name, digest, golden[function][i][mode - modes]);
    }
    compared++;
}

static void digests_are_golden(void) {
    for (int function = 0; function < FUNCTIONS; function++) {
        for (int i = 0; i < NUMBER && is_compared(function); i++) {
            for (int entry = 0; entry <= 1; entry++) {
                if (has_entry(function, entry)) {
                    expect(function, i, entry);
                }
            }
        }
    }
}

#ifdef BRIEF
/* One in one mode, at the level that is chosen first. */
static void one_in_eight_is_golden(void) {
    for (int function = 0; function < FUNCTIONS; function++) {
        for (int i = 0; i < NUMBER && is_compared(function); i++) {
            int turn = function + blocks[i];
            mode = &modes[turn % MODES_HERE];
            fesetround(mode->rounding);
            expect(function, i, has_entry(function, 0) ? turn / MODES % 2 : 1);
            fesetround(FE_TONEAREST);
        }
    }
}
#endif

int main(void) {
    int code;
    for (int function = 0; function < FUNCTIONS; function++) {
        if (has_digests(&functions[function]) && !read_golden(function)) {
            printf("not all of the blocks' digests of %s are in %s\n", functions[function].name, GOLDEN);
            return 1;
        }
    }
#ifdef BRIEF
    code = functions_are_halfulp() ? 0 : 1;
    if (code == 0) {
        level = ((const char *(*)(void))library_symbol("halfulp_level"))();
        one_in_eight_is_golden();
        code = result();
    }
#else
    code = in_every_mode_at_every_level(digests_are_golden);
#endif
    printf("digests: %d of %d\n", compared - failures, compared);
    return code;
}
