/* A call keeps the registers, the stack pointer and x86's direction flag that the callers of its kind rely on, and leaves
 * the x87 registers empty; of the vector functions of AArch64 that is more than of other functions. Old code on i686
 * calls with a stack that is aligned to no more than 4 bytes. */
#include "check.h"

#include "inputs.h"
#include "ways.h"

/* What a target has: its kept registers with their places, in words, in the arrays below; and the parts of kept_call:
 *   AT        puts the address of an array into a register that neither an argument nor a result is in
 *   STORE_ALL, LOAD_ALL  move the kept registers there
 *   ENTER     moves the return address and the stack pointer there
 *   CALL      calls what `target` points at
 *   AFTER     stores the stack pointer, and on x86 the flags, where ENTER has the return address
 *   LEAVE     returns as ENTER has been called
 * The stack is as the caller made it, so that a call of any kind may go through. */
#define STORE_ALL EACH_INTEGER(STORE_INTEGER) EACH_VECTOR(STORE_VECTOR)
#define LOAD_ALL EACH_INTEGER(LOAD_INTEGER) EACH_VECTOR(LOAD_VECTOR)
#define TEXT_OF(number) #number
#define NUMBER(macro) TEXT_OF(macro)

#if defined(__x86_64__)
#ifdef _WIN32
#define WORDS 28
#define EACH_INTEGER(each) \
    each(0, "rbx") each(1, "rbp") each(2, "rdi") each(3, "rsi") each(4, "r12") each(5, "r13") each(6, "r14") \
        each(7, "r15")
#define VECTORS_FROM 8
#define EACH_VECTOR(each) \
    each(8, "xmm6") each(10, "xmm7") each(12, "xmm8") each(14, "xmm9") each(16, "xmm10") each(18, "xmm11") \
        each(20, "xmm12") each(22, "xmm13") each(24, "xmm14") each(26, "xmm15")
#else
#define WORDS 6
#define EACH_INTEGER(each) \
    each(0, "rbx") each(1, "rbp") each(2, "r12") each(3, "r13") each(4, "r14") each(5, "r15")
#define VECTORS_FROM 6
#define EACH_VECTOR(each)
#endif
#define AT(array) "lea " array "(%rip), %r11\n\t"
#define STORE_INTEGER(place, name) "mov %" name ", 8*" #place "(%r11)\n\t"
#define LOAD_INTEGER(place, name) "mov 8*" #place "(%r11), %" name "\n\t"
#define STORE_VECTOR(place, name) "movups %" name ", 8*" #place "(%r11)\n\t"
#define LOAD_VECTOR(place, name) "movups 8*" #place "(%r11), %" name "\n\t"
#define ENTER "pop 8*" NUMBER(WORDS) "(%r11)\n\tmov %rsp, 8+8*" NUMBER(WORDS) "(%r11)\n\t"
#define CALL "call *kept_target(%rip)\n\t"
#define AFTER "mov %rsp, 8+8*" NUMBER(WORDS) "(%r11)\n\tpushfq\n\tpop 8*" NUMBER(WORDS) "(%r11)\n\tcld\n\t"
#define LEAVE "mov 8+8*" NUMBER(WORDS) "(%r11), %rsp\n\tjmp *8*" NUMBER(WORDS) "(%r11)"

#elif defined(__i386__)
#define WORDS 4
#define EACH_INTEGER(each) each(0, "ebx") each(1, "ebp") each(2, "esi") each(3, "edi")
#define VECTORS_FROM 4
#define EACH_VECTOR(each)
#define AT(array) "call 1f\n1:\tpop %ecx\n\tlea " array "-1b(%ecx), %ecx\n\t"
#define STORE_INTEGER(place, name) "mov %" name ", 4*" #place "(%ecx)\n\t"
#define LOAD_INTEGER(place, name) "mov 4*" #place "(%ecx), %" name "\n\t"
#define MOVED 32 /* bytes, enough for all arguments: the call finds a copy of them, lower by `shift` and these */
#define ENTER                                                                                                    \
    "pop 4*" NUMBER(WORDS) "(%ecx)\n\tmov %esp, 4+4*" NUMBER(WORDS) "(%ecx)\n\tmov %esp, %esi\n\t"               \
    "sub 8+4*" NUMBER(WORDS) "(%ecx), %esp\n\tsub $" NUMBER(MOVED) ", %esp\n\tmov %esp, %edi\n\t"                 \
    "mov $" NUMBER(MOVED) "/4, %ecx\n\trep movsl\n\t"
#define CALL AT("kept_target") "call *(%ecx)\n\t"
#define AFTER "mov %esp, 4+4*" NUMBER(WORDS) "(%ecx)\n\tpushf\n\tpop 4*" NUMBER(WORDS) "(%ecx)\n\tcld\n\t"
#define LEAVE "mov 4+4*" NUMBER(WORDS) "(%ecx), %esp\n\tjmp *4*" NUMBER(WORDS) "(%ecx)"

#elif defined(__aarch64__)
#define WORDS 44
#define EACH_INTEGER(each) \
    each(0, "x19") each(1, "x20") each(2, "x21") each(3, "x22") each(4, "x23") each(5, "x24") each(6, "x25") \
        each(7, "x26") each(8, "x27") each(9, "x28") each(10, "x29")
#define VECTORS_FROM 12
#define EACH_VECTOR(each) \
    each(12, "q8") each(14, "q9") each(16, "q10") each(18, "q11") each(20, "q12") each(22, "q13") each(24, "q14") \
        each(26, "q15") each(28, "q16") each(30, "q17") each(32, "q18") each(34, "q19") each(36, "q20")           \
            each(38, "q21") each(40, "q22") each(42, "q23")
#define AT(array) "adrp x9, " array "\n\tadd x9, x9, :lo12:" array "\n\t"
#define STORE_INTEGER(place, name) "str " name ", [x9, #8*" #place "]\n\t"
#define LOAD_INTEGER(place, name) "ldr " name ", [x9, #8*" #place "]\n\t"
#define STORE_VECTOR STORE_INTEGER
#define LOAD_VECTOR LOAD_INTEGER
#define ENTER "str x30, [x9, #8*" NUMBER(WORDS) "]\n\t" AFTER
#define CALL AT("kept_target") "ldr x9, [x9]\n\tblr x9\n\t"
#define AFTER "mov x10, sp\n\tstr x10, [x9, #8+8*" NUMBER(WORDS) "]\n\t"
#define LEAVE "ldr x10, [x9, #8+8*" NUMBER(WORDS) "]\n\tmov sp, x10\n\tldr x30, [x9, #8*" NUMBER(WORDS) "]\n\tret"

#elif defined(__arm__) && defined(__ARM_PCS_VFP)
#define WORDS 24
#define EACH_INTEGER(each) \
    each(0, "r4") each(1, "r5") each(2, "r6") each(3, "r7") each(4, "r8") each(5, "r9") each(6, "r10") each(7, "r11")
#define VECTORS_FROM 8
#define EACH_VECTOR(each) \
    each(8, "d8") each(10, "d9") each(12, "d10") each(14, "d11") each(16, "d12") each(18, "d13") each(20, "d14") \
        each(22, "d15")
/* One register is free: it is moved along the array. */
#define AT(array) "ldr ip, 2f\n1:\tadd ip, pc, ip\n\tb 3f\n2:\t.word " array "-1b-8\n3:\t"
#undef STORE_ALL
#undef LOAD_ALL
#define STORE_ALL "stmia ip!, {r4-r11}\n\tvstmia ip!, {d8-d15}\n\t"
#define LOAD_ALL "ldmia ip!, {r4-r11}\n\tvldmia ip!, {d8-d15}\n\t"
#define ENTER "str lr, [ip]\n\t" AFTER
#define CALL AT("kept_target") "ldr ip, [ip]\n\tblx ip\n\t"
#define AFTER "str sp, [ip, #4]\n\t"
#define LEAVE "ldr sp, [ip, #4]\n\tldr lr, [ip]\n\tbx lr\n\t.ltorg"
#define INSTRUCTION_SET ".arm\n.type kept_call, %function\n" /* unlike the compiler's own code, which is Thumb */

#elif defined(__riscv) && __riscv_xlen == 64 && defined(__riscv_float_abi_double)
#define WORDS 24
#define EACH_INTEGER(each) \
    each(0, "s0") each(1, "s1") each(2, "s2") each(3, "s3") each(4, "s4") each(5, "s5") each(6, "s6") each(7, "s7") \
        each(8, "s8") each(9, "s9") each(10, "s10") each(11, "s11")
#define VECTORS_FROM 12
#define EACH_VECTOR(each) \
    each(12, "fs0") each(13, "fs1") each(14, "fs2") each(15, "fs3") each(16, "fs4") each(17, "fs5") each(18, "fs6") \
        each(19, "fs7") each(20, "fs8") each(21, "fs9") each(22, "fs10") each(23, "fs11")
#define AT(array) "lla t0, " array "\n\t"
#define STORE_INTEGER(place, name) "sd " name ", 8*" #place "(t0)\n\t"
#define LOAD_INTEGER(place, name) "ld " name ", 8*" #place "(t0)\n\t"
#define STORE_VECTOR(place, name) "fsd " name ", 8*" #place "(t0)\n\t"
#define LOAD_VECTOR(place, name) "fld " name ", 8*" #place "(t0)\n\t"
#define ENTER "sd ra, 8*" NUMBER(WORDS) "(t0)\n\t" AFTER
#define CALL AT("kept_target") "ld t0, 0(t0)\n\tjalr t0\n\t"
#define AFTER "sd sp, 8+8*" NUMBER(WORDS) "(t0)\n\t"
#define LEAVE "ld sp, 8+8*" NUMBER(WORDS) "(t0)\n\tld ra, 8*" NUMBER(WORDS) "(t0)\n\tret"
#endif

#ifdef WORDS
#ifndef INSTRUCTION_SET
#define INSTRUCTION_SET
#endif

/* Beside the registers. */
enum { RETURN = WORDS, FLAGS_AFTER = WORDS, STACK, SHIFT, ALL_WORDS };

#define KNOWN_TO_ASSEMBLY(name) __asm__(name) __attribute__((used, aligned(16)))
static uintptr_t saved[ALL_WORDS] KNOWN_TO_ASSEMBLY("kept_saved");   /* as kept_call was called */
static uintptr_t before[ALL_WORDS] KNOWN_TO_ASSEMBLY("kept_before"); /* as it calls */
static uintptr_t after[ALL_WORDS] KNOWN_TO_ASSEMBLY("kept_after");   /* as that returns */
static void *target KNOWN_TO_ASSEMBLY("kept_target");

/* Is called in the place of `target`, as that is, and calls it. */
extern void kept_call(void) __asm__("kept_call");
__asm__(".text\n" INSTRUCTION_SET "\t.balign 16\nkept_call:\n\t"
        AT("kept_saved") STORE_ALL ENTER
        AT("kept_before") LOAD_ALL
        CALL
        AT("kept_after") STORE_ALL AFTER
        AT("kept_saved") LOAD_ALL LEAVE "\n");

static const char *register_at(int word) {
#define NAME(place, name) [place] = name,
    static const char *const names[WORDS] = {EACH_INTEGER(NAME) EACH_VECTOR(NAME)};
    while (names[word] == NULL) {
        word--; /* a vector has two */
    }
    return names[word];
}

/* Whether a function keeps the register that this word is of. */
static int is_kept(int word, int of_vectors) {
#ifdef __aarch64__
    int number = 8 + (word - VECTORS_FROM) / 2, is_upper = word % 2;
    return word < VECTORS_FROM ? word < VECTORS_FROM - 1 : of_vectors || (number < 16 && !is_upper);
#else
    (void)word;
    (void)of_vectors;
    return 1;
#endif
}

/* The alignments of the stack beside the ABI's. */
#ifdef __i386__
enum { SHIFTS = 16, LOWER = MOVED };
#else
enum { SHIFTS = 4, LOWER = 0 };
#endif

static void prepare(void *symbol, int shift) {
    static uintptr_t sentinel = (uintptr_t)UINT64_C(0x0123456789abcdef);
    for (int word = 0; word < WORDS; word++) {
        sentinel = sentinel * (uintptr_t)UINT64_C(0x5851f42d4c957f2d) + 0x14057b7e;
        before[word] = sentinel;
    }
    saved[SHIFT] = (uintptr_t)shift;
    target = symbol;
}

static void expect_kept(const char *name, int of_vectors) {
    for (int word = 0; word < WORDS; word++) {
        if (is_kept(word, of_vectors) && before[word] != after[word]) {
            fail("%s changes %s", name, register_at(word));
        }
    }
    if (after[STACK] + LOWER + saved[SHIFT] != saved[STACK]) {
        fail("%s moves the stack pointer", name);
    }
#if defined(__x86_64__) || defined(__i386__)
    if (after[FLAGS_AFTER] & 0x400) {
        fail("%s sets the direction flag", name);
    }
    {
        uint32_t environment[7]; /* fnstenv's layout: control word, status word, tag word, in which 3 says empty */
        __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(environment));
        if ((uint16_t)environment[2] != 0xffff) {
            fail("%s leaves x87 registers in use", name);
        }
    }
#endif
}

static void expect(const struct way *way, int function, size_t place, int shift) {
    static uint64_t x[LONG + 2], y[LONG];
    const struct format *format = functions[function].format;
    struct function *arrays = &functions[function];
    struct way through = *way;
    void *array = arrays->array;
    for (size_t lane = 0; lane < way->lanes + 2; lane++) {
        put_input(function, input_at(function, place + lane), x, lane);
    }
    prepare(way->call == by_array ? array : way->symbols[function], shift);
    through.symbols[function] = arrays->array = (void *)kept_call;
    call_by(&through, function, x, y);
    arrays->array = array;
    expect_kept(way->names[function], way->needs == VECTORS);
    for (size_t lane = 0; lane < way->lanes; lane++) {
        const struct input *input = input_at(function, place + lane);
        uint64_t value = number_at(format, y, (ptrdiff_t)lane);
        if (value != input->right[mode - modes]) {
            fail("%s(%s) gives %s in lane %d, with the stack at %d", way->names[function], text(format, input->x),
                 text(format, value), (int)lane, shift);
        }
    }
}

/* The scalar function under its other name. */
static struct way way_to(const char *pattern, int function) {
    struct way way = ways[0];
    snprintf(way.names[function], sizeof way.names[function], pattern, functions[function].name);
    way.symbols[function] = library_symbol(way.names[function]);
    if (way.symbols[function] == NULL) {
        fail("%s is not halfulp's", way.names[function]);
        way.symbols[function] = functions[function].scalar;
    }
    return way;
}

static void expect_everywhere(const struct way *way, int function) {
    for (size_t place = 0; place < MIXED; place += way->lanes) {
        for (int shift = 0; shift < SHIFTS; shift += 4) {
            expect(way, function, place, shift);
        }
    }
}

static void expect_of_levels(void) {
    const char *(*name)(void) = (const char *(*)(void))(void *)kept_call;
    int (*set)(const char *) = (int (*)(const char *))(void *)kept_call;
    const int shift = SHIFTS - 4;
    prepare(library_symbol("halfulp_version"), shift);
    name();
    expect_kept("halfulp_version", 0);
    prepare(library_symbol("halfulp_level"), shift);
    if (strcmp(name(), level) != 0) {
        fail("halfulp_level gives another one");
    }
    expect_kept("halfulp_level", 0);
    prepare(library_symbol("halfulp_set_level"), shift);
    if (set(level) != 0) {
        fail("halfulp_set_level refuses it");
    }
    expect_kept("halfulp_set_level", 0);
}

static void registers_are_kept(void) {
    compute_right_of_this_level();
    expect_of_levels();
    for (int function = 0; function < FUNCTIONS; function++) {
        for (const struct way *way = ways; way < ways + WAYS; way++) {
            if (has_way(function, way)) {
                expect_everywhere(way, function);
            }
        }
        if (functions[function].has & SCALAR) {
            struct way prefixed = way_to("halfulp_%s", function);
            expect_everywhere(&prefixed, function);
        }
        if (strcmp(functions[function].name, "expf") == 0) {
            struct way finite = way_to("__%s_finite", function);
            expect_everywhere(&finite, function);
        }
    }
}

#ifdef __aarch64__
/* Two arguments, with others beside them in their register, which do not matter. */
static void by_n2_of_4(const struct function *function, void *symbol, size_t lanes, const void *x, void *y) {
    (void)function;
    (void)lanes;
    vst1_f32((float *)y, ((float32x2_t(*)(float32x4_t))symbol)(vld1q_f32((const float *)x)));
}
#endif

int main(void) {
    if (!inputs_are_ready() || !ways_are_ready()) {
        return 1;
    }
#ifdef __aarch64__
    for (struct way *way = ways; way < ways + WAYS; way++) {
        way->call = way->call == by_n2 ? by_n2_of_4 : way->call;
    }
#endif
    return in_every_mode_at_every_level(registers_are_kept);
}
#else
int main(void) {
    printf("skipped: the registers that calls keep, which this program does not know of this CPU\n");
    return 0;
}
#endif
