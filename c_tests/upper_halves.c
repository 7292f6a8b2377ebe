/* The upper halves of x86's wide registers: whatever they hold before a call, the results are right, and a call that
 * returns in a narrow register, or none, leaves none of them in use, so that the caller's SSE code runs at full speed.
 * The CPU itself tells which are in use. */
#include "check.h"

#ifdef __x86_64__
#include <cpuid.h>

#include "inputs.h"
#include "ways.h"

/* Components of the registers' state, as the CPU numbers them: the upper halves of ymm0 to ymm15, then of zmm0 to
 * zmm15. vzeroupper puts both out of use. */
static const uint32_t UPPER_HALVES = 1u << 2 | 1u << 6;

static uint32_t upper_halves_in_use(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1)); /* XINUSE, masked by what the system saves */
    (void)high;
    return low & UPPER_HALVES;
}

#define ALL_REGISTERS \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
        "xmm13", "xmm14", "xmm15"

static void clean_upper_halves(void) {
    __asm__ volatile("vzeroupper" : : : ALL_REGISTERS);
}

/* All bits of a register: a NaN in every lane. */
#define DIRTY_AVX(number) "vcmptrueps %%ymm" #number ", %%ymm" #number ", %%ymm" #number "\n\t"
#define DIRTY_AVX512(number) "vpternlogd $255, %%zmm" #number ", %%zmm" #number ", %%zmm" #number "\n\t"
#define EACH_OF_16(macro) \
    macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) macro(11) \
        macro(12) macro(13) macro(14) macro(15)
#define EACH_OF_16_MORE(macro) \
    macro(16) macro(17) macro(18) macro(19) macro(20) macro(21) macro(22) macro(23) macro(24) macro(25) macro(26) \
        macro(27) macro(28) macro(29) macro(30) macro(31)

static void dirty_upper_halves(void) {
    if (__builtin_cpu_supports("avx512f")) {
        /* This program is compiled for SSE2: the compiler holds nothing in the masks and the upper 16 registers. */
        __asm__ volatile(EACH_OF_16(DIRTY_AVX512) EACH_OF_16_MORE(DIRTY_AVX512) : : : ALL_REGISTERS);
        __asm__ volatile("kxnorw %%k0, %%k0, %%k1\n\tkmovw %%k1, %%k7" : : :);
    } else {
        __asm__ volatile(EACH_OF_16(DIRTY_AVX) : : : ALL_REGISTERS);
    }
}

/* Whether the CPU tells the truth: an emulator may say that all is always in use. */
static int upper_halves_are_told(void) {
    uint32_t a, b, c, d, dirty, clean;
    const uint32_t xgetbv_of_1 = 1u << 2;
    if (!__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & xgetbv_of_1)) {
        return 0;
    }
    dirty_upper_halves();
    dirty = upper_halves_in_use();
    clean_upper_halves();
    clean = upper_halves_in_use();
    return dirty != 0 && clean == 0;
}

static int are_told;

/* Nothing but SSE's instructions may run between these steps: this program is compiled for no more. */
static void expect_clean(const struct way *way, int function, const void *x, void *y) {
    const struct format *format = functions[function].format;
    uint32_t in_use;
    clean_upper_halves();
    call_by(way, function, x, y);
    in_use = upper_halves_in_use();
    clean_upper_halves();
    if (in_use != 0) {
        fail("%s(%s) and all %d lanes leave upper halves in use: 0x%x", way->names[function],
             text(format, number_at(format, x, 0)), (int)way->lanes, (unsigned)in_use);
    }
}

/* With inputs from this place on. */
static void expect(const struct way *way, int function, size_t place) {
    static uint64_t x[LONG], y[LONG];
    const struct format *format = functions[function].format;
    for (size_t lane = 0; lane < way->lanes; lane++) {
        put_input(function, input_at(function, place + lane), x, lane);
    }
    dirty_upper_halves();
    call_by(way, function, x, y);
    clean_upper_halves();
    for (size_t lane = 0; lane < way->lanes; lane++) {
        const struct input *input = input_at(function, place + lane);
        uint64_t value = number_at(format, y, (ptrdiff_t)lane);
        if (value != input->right[mode - modes]) {
            fail("%s(%s) gives %s instead of %s in lane %d of %d, with dirty upper halves", way->names[function],
                 text(format, input->x), text(format, value), text(format, input->right[mode - modes]), (int)lane,
                 (int)way->lanes);
        }
    }
    if (are_told && !way->returns_wide) {
        expect_clean(way, function, x, y);
    }
}

static void upper_halves_do_not_matter(void) {
    compute_right_of_this_level();
    for (int function = 0; function < FUNCTIONS; function++) {
        for (const struct way *way = ways; way < ways + WAYS; way++) {
            if (!has_way(function, way)) {
                continue;
            }
            for (size_t place = 0; place < MIXED; place += way->lanes) {
                expect(way, function, place);
            }
            if (way->lanes == SHORT) {
                /* Each rest has a path of its own, and so may no element at all. */
                struct way shorter = *way;
                for (shorter.lanes = 0; shorter.lanes < SHORT; shorter.lanes++) {
                    expect(&shorter, function, shorter.lanes * 64);
                }
            }
        }
    }
}

int main(void) {
    if (!inputs_are_ready() || !ways_are_ready()) {
        return 1;
    }
    if (!__builtin_cpu_supports("avx")) {
        printf("skipped: this CPU has no AVX, hence no upper halves\n");
        return 0;
    }
    are_told = upper_halves_are_told();
    if (!are_told) {
        printf("skipped: whether calls leave upper halves in use, which this CPU does not tell\n");
    }
    return in_every_mode_at_every_level(upper_halves_do_not_matter);
}
#else
int main(void) {
    printf("skipped: upper halves, which are x86's\n");
    return 0;
}
#endif
