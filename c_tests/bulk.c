/* The functions of arrays read and write the elements named and nothing else, at any length, alignment and step, and
 * give each the bits that the scalar function gives; in place too. */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

#include "inputs.h"
#include "ways.h"

enum {
    PLACES = 1 << 15, /* numbers in an area, a multiple of any page */
    ALIGNMENTS = 16,  /* elements in the widest vector */
    MARGIN = 32,      /* so much beside the elements is looked at */
#ifdef BRIEF
    LENGTHS = 70,
    ALL_PAIRS = 0,
    DISTANCES = 1
#else
    LENGTHS = 200,  /* all up to this are tried */
    ALL_PAIRS = 70, /* up to this, pairs of full vectors and any rest, with all pairs of alignments and steps */
    DISTANCES = 3   /* of long arrays from a fence */
#endif
};

/* The numbers of the function under test. */
static const struct format *format;

/* A NaN that no call gives, since it signals. */
static uint64_t sentinel(void) {
    return format->infinity | ((quiet_of(format) - 1) & UINT64_C(0xa5a5a5a5a5a5a5a5));
}

/* Memory of whole pages between two pages that no one may touch. */
static char *x_area, *y_area;

static char *fenced_area(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = PLACES * format->size;
    char *start = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + page, size, PROT_READ | PROT_WRITE) != 0) {
        printf("cannot map memory\n");
        exit(1);
    }
    return start + page;
}

static void unmap(char *area) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(area - page, PLACES * format->size + 2 * page);
}

static char *at(char *area, ptrdiff_t place) {
    return area + place * (ptrdiff_t)format->size;
}

static void *stepping[FUNCTIONS]; /* the functions with steps */

/* One call: places in the areas, of the first element processed. */
struct call {
    int function;
    int with_steps;
    size_t n;
    ptrdiff_t x, incx;
    ptrdiff_t y, incy;
    int in_place; /* then x and y are the same */
};

static const struct input *input_of(const struct call *call, ptrdiff_t place) {
    return input_at(call->function, (size_t)place);
}

static void run(const struct call *call, const void *x, void *y) {
    if (call->with_steps) {
        ((strided_function *)stepping[call->function])(call->n, x, call->incx, y, call->incy);
    } else {
        call_array(&functions[call->function], call->n, x, y);
    }
}

static void fail_at(const struct call *call, ptrdiff_t i, const char *what, uint64_t value) {
    fail("%s(%s) %s %s: element %ld of %lu, %s steps, x at %ld by %ld, y at %ld by %ld%s",
         functions[call->function].name, text(format, input_of(call, call->x + i * call->incx)->x), what,
         text(format, value), (long)i, (unsigned long)call->n, call->with_steps ? "with" : "without", (long)call->x,
         (long)call->incx, (long)call->y, (long)call->incy, call->in_place ? ", in place" : "");
}

/* What stands at a place of y that a call does not write. */
static uint64_t before(const struct call *call, ptrdiff_t place) {
    return call->in_place ? number_at(format, x_area, place) : sentinel();
}

static void expect(const struct call *call) {
    ptrdiff_t last = call->y + ((ptrdiff_t)call->n - 1) * call->incy;
    ptrdiff_t low = (call->incy < 0 ? last : call->y) - MARGIN, high = (call->incy < 0 ? call->y : last) + MARGIN;
    low = low < 0 ? 0 : low;
    high = high >= PLACES ? PLACES - 1 : high;
    for (ptrdiff_t place = low; place <= high; place++) {
        put_number(format, y_area, place, before(call, place));
    }
    run(call, at(call->in_place ? y_area : x_area, call->x), at(y_area, call->y));
    /* Takes the results out, so that everything must look again as it did before. */
    for (ptrdiff_t i = 0; i < (ptrdiff_t)call->n; i++) {
        ptrdiff_t place = call->y + i * call->incy;
        uint64_t value = number_at(format, y_area, place);
        if (value != input_of(call, call->x + i * call->incx)->right[mode - modes]) {
            fail_at(call, i, "gives", value);
        }
        put_number(format, y_area, place, before(call, place));
    }
    for (ptrdiff_t place = low; place <= high; place++) {
        uint64_t value = number_at(format, y_area, place);
        if (value != before(call, place)) {
            fail_at(call, (place - call->y) / call->incy, "writes where it must not:", value);
        }
    }
}

/* The place of the first element, when the lowest or the highest lies so far from the fence. */
static ptrdiff_t placed(size_t n, ptrdiff_t step, size_t distance, int at_end) {
    ptrdiff_t reach = n == 0 ? 0 : ((ptrdiff_t)n - 1) * step;
    ptrdiff_t low = reach < 0 ? reach : 0, high = reach < 0 ? 0 : reach;
    return at_end ? PLACES - 1 - (ptrdiff_t)distance - high : (ptrdiff_t)distance - low;
}

static void expect_placed(int function, int with_steps, size_t n, ptrdiff_t incx, size_t x_distance, ptrdiff_t incy,
                          size_t y_distance) {
    for (int at_end = 0; at_end <= 1; at_end++) {
        struct call call = {function, with_steps, n, placed(n, incx, x_distance, at_end), incx,
                            placed(n, incy, y_distance, at_end), incy, 0};
        expect(&call);
        if (incx == incy && x_distance == y_distance) {
            call.in_place = 1;
            expect(&call);
        }
    }
}

/* At all lengths: at all pairs of alignments to nearest up to one, else at some. */
static void expect_any_length_and_alignment(int function) {
    for (size_t n = 1; n <= LENGTHS; n++) {
        for (size_t x = 0; x < ALIGNMENTS; x++) {
            for (size_t y = 0; y < ALIGNMENTS; y++) {
                if ((mode == modes && n <= ALL_PAIRS) || y == x || y == (x + n) % ALIGNMENTS) {
                    expect_placed(function, 0, n, 1, x, 1, y);
                }
            }
        }
    }
}

/* With all pairs of steps to nearest, with some in the other modes. */
static void expect_any_step(int function) {
    static const ptrdiff_t steps[] = {1, -1, 2, -2, 3, -5, 16, 0};
    enum { STEPS = sizeof steps / sizeof steps[0], NONZERO = STEPS - 1 };
    for (size_t n = 1; n <= LENGTHS; n += n < ALL_PAIRS ? 1 : 7) {
        for (size_t x = 0; x < STEPS; x++) {
            for (size_t y = 0; y < NONZERO; y++) {
                if (mode == modes || (x + y + n) % 4 == 0) {
                    expect_placed(function, 1, n, steps[x], n % 3, steps[y], n % 3);
                }
            }
        }
    }
}

static void expect_long_arrays(int function) {
    static const size_t lengths[] = {255,  256,  257,  511,  512,  513,  1023, 1024,
                                     1025, 4095, 4096, 8191, 8192, 8193, 16001};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t distance = 0; distance < DISTANCES; distance++) {
            expect_placed(function, 0, lengths[i], 1, distance, 1, 2 * distance);
            if (functions[function].has & STEPS) {
                expect_placed(function, 1, lengths[i], 1, distance, -1, distance);
                expect_placed(function, 1, lengths[i], -2, distance, -2, distance);
            }
        }
    }
}

/* Where it is in a fence, or nowhere, nothing can be touched. */
static void expect_nothing_from_empty_arrays(int function) {
    char *const nowhere[] = {NULL, at(y_area, -1), at(y_area, PLACES)};
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        struct call call = {function, 0, 0, 0, 1, 0, 1, 0};
        run(&call, nowhere[i], nowhere[i]);
        call.with_steps = functions[function].has & STEPS;
        for (call.incx = -1; call.incx <= 1; call.incx++) {
            run(&call, nowhere[i], nowhere[i]);
        }
    }
}

/* One element needs no step, and may have any. */
static void expect_one_element_at_any_step(int function) {
    static const ptrdiff_t steps[] = {PTRDIFF_MAX, PTRDIFF_MIN, PTRDIFF_MAX / 4, 0};
    for (size_t x = 0; x < sizeof steps / sizeof steps[0]; x++) {
        for (size_t y = 0; y < sizeof steps / sizeof steps[0]; y++) {
            struct call call = {function, 1, 1, (ptrdiff_t)(3 * x), steps[x], (ptrdiff_t)(5 * y), steps[y], 0};
            run(&call, at(x_area, call.x), at(y_area, call.y));
            if (number_at(format, y_area, call.y) != input_of(&call, call.x)->right[mode - modes]) {
                fail_at(&call, 0, "gives", number_at(format, y_area, call.y));
            }
        }
    }
}

/* Arrays that begin at any byte. */
static void expect_any_byte(int function) {
    enum { N = 85 };
    for (size_t byte = 1; byte < format->size; byte++) {
        struct call call = {function, 0, N, 0, 1, 0, 1, 0};
        char *y = y_area + byte, *x = at(y, N) + byte;
        for (ptrdiff_t i = 0; i < N; i++) {
            put_number(format, x, i, input_of(&call, i)->x);
        }
        run(&call, x, y);
        for (ptrdiff_t i = 0; i < N; i++) {
            uint64_t value = number_at(format, y, i);
            if (value != input_of(&call, i)->right[mode - modes]) {
                fail_at(&call, i, "begins between numbers and gives", value);
            }
        }
    }
}

/* Steps of 2^28 elements: the places of later elements, counted in elements or bytes, need more than 32 bits. The
 * memory is promised by the kernel, not there, but where it is used. */
static char *far_area;

#if PTRDIFF_MAX > INT32_MAX
static const ptrdiff_t FAR = (ptrdiff_t)1 << 28;
enum { FAR_N = 18 };

static void map_far_area(void) {
    size_t size = ((size_t)FAR * (FAR_N - 1) + 1) * sizeof(double);
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        printf("skipped: steps of 2^28, for which no memory can be mapped\n");
    } else {
        far_area = start;
    }
}

static void expect_far_elements(int function, ptrdiff_t step) {
    struct call call = {function, 1, FAR_N, 0, 1, 0, step, 0};
    char *start = at(far_area, step < 0 ? (FAR_N - 1) * FAR : 0);
    uint64_t near[FAR_N];
    /* There from near, in place, and back. */
    run(&call, x_area, start);
    for (ptrdiff_t i = 0; i < FAR_N; i++) {
        uint64_t value = number_at(format, start, i * step);
        if (value != input_of(&call, i)->right[mode - modes]) {
            fail_at(&call, i, "gives", value);
        }
        put_number(format, start, i * step, input_of(&call, i)->x);
    }
    call.incx = step;
    call.incy = 1;
    run(&call, start, near);
    call.incy = step;
    run(&call, start, start);
    for (ptrdiff_t i = 0; i < FAR_N; i++) {
        uint64_t right = input_of(&call, i)->right[mode - modes];
        if (number_at(format, near, i) != right || number_at(format, start, i * step) != right) {
            fail_at(&call, 0, "gives from far, or in place,", number_at(format, near, i));
        }
    }
}
#else
static const ptrdiff_t FAR = 0;

static void map_far_area(void) {
    printf("skipped: steps of 2^28, for which addresses are too short\n");
}

static void expect_far_elements(int function, ptrdiff_t step) {
    (void)function;
    (void)step;
}
#endif

static void expect_any_array(int function) {
    expect_nothing_from_empty_arrays(function);
    expect_any_length_and_alignment(function);
    expect_long_arrays(function);
    expect_any_byte(function);
    if (functions[function].has & STEPS) {
        expect_any_step(function);
        expect_one_element_at_any_step(function);
        if (far_area != NULL) {
            expect_far_elements(function, FAR);
            expect_far_elements(function, -FAR);
        }
    }
}

static void arrays_are_right(void) {
    compute_right_of_this_level();
    for (int function = 0; function < FUNCTIONS; function++) {
        format = functions[function].format;
        x_area = fenced_area();
        y_area = fenced_area();
        for (size_t place = 0; place < PLACES; place++) {
            put_input(function, input_at(function, place), x_area, place);
        }
        mprotect(x_area, PLACES * format->size, PROT_READ);
        expect_any_array(function);
        unmap(x_area);
        unmap(y_area);
    }
}

int main(void) {
    if (!inputs_are_ready()) {
        return 1;
    }
    for (int function = 0; function < FUNCTIONS; function++) {
        char name[40];
        snprintf(name, sizeof name, "halfulp_%s_ni", functions[function].name);
        stepping[function] = library_symbol(name);
        if (functions[function].has & STEPS && stepping[function] == NULL) {
            printf("%s is not halfulp's\n", name);
            return 1;
        }
    }
    map_far_area();
    return in_every_mode_at_every_level(arrays_are_right);
}
