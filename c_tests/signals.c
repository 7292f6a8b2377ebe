/* Signals that arrive during calls: a handler may call the library, in a rounding mode of its own, and choose another
 * level, and the calls that it interrupts are right all the same. The program ends when enough have arrived, however long
 * that takes. */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "inputs.h"
#include "ways.h"

enum {
    SIGNALS = 4, /* of each function by each way in each mode */
    MICROSECONDS = 100
};

static int (*choose_level)(const char *);
static strided_function *stepping[FUNCTIONS]; /* null where there is none */
static volatile sig_atomic_t calling, arrived, wrong_in_handler;

/* The results of some functions differ from level to level. */
static int is_the_same_at_every_level(int function) {
    return !(functions[function].has & BY_LEVEL);
}

static void handler(int signal) {
    static uint64_t x[SHORT], y[SHORT], stepped[SHORT];
    static size_t turn;
    int function = (int)(turn % FUNCTIONS), own = (int)(turn / FUNCTIONS % MODES_HERE);
    int rounding = fegetround(), number = errno;
    const struct format *format = functions[function].format;
    (void)signal;
    arrived += calling;
    turn++;
    choose_level(levels[turn % LEVELS]);
    if (is_the_same_at_every_level(function)) {
        fesetround(modes[own].rounding);
        for (size_t lane = 0; lane < SHORT; lane++) {
            put_input(function, input_at(function, turn + lane), x, lane);
        }
        call_array(&functions[function], SHORT, x, y);
        if (stepping[function] != NULL) {
            stepping[function](SHORT, x, 1, stepped, 1);
            wrong_in_handler |= memcmp(y, stepped, SHORT * format->size) != 0;
        }
        for (size_t lane = 0; lane < SHORT; lane++) {
            const struct input *input = input_at(function, turn + lane);
            wrong_in_handler |= number_at(format, y, (ptrdiff_t)lane) != input->right[own];
            wrong_in_handler |= value_of(&functions[function], input->x) != input->right[own];
        }
        fesetround(rounding);
    }
    errno = number;
}

/* As many calls as a long array has elements, but for a rest. */
static void call_and_compare(const struct way *way, int function) {
    static uint64_t x[LONG], y[LONG];
    const struct format *format = functions[function].format;
    size_t count = LONG / way->lanes * way->lanes;
    for (size_t i = 0; i < count; i++) {
        put_input(function, input_at(function, i), x, i);
    }
    calling = 1;
    for (size_t i = 0; i < count; i += way->lanes) {
        call_by(way, function, (char *)x + i * format->size, (char *)y + i * format->size);
    }
    calling = 0;
    for (size_t i = 0; i < count; i++) {
        const struct input *input = input_at(function, i);
        uint64_t value = number_at(format, y, (ptrdiff_t)i);
        if (value != input->right[mode - modes]) {
            fail("%s(%s) gives %s instead of %s, interrupted by signals", way->names[function], text(format, input->x),
                 text(format, value), text(format, input->right[mode - modes]));
        }
    }
}

static void interrupted_calls_are_right(void) {
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        for (int function = 0; function < FUNCTIONS; function++) {
            if (has_way(function, way) && is_the_same_at_every_level(function)) {
                arrived = 0;
                while (arrived < SIGNALS) {
                    call_and_compare(way, function);
                }
            }
        }
    }
}

int main(void) {
    struct sigaction action;
    const struct itimerval often = {{0, MICROSECONDS}, {0, MICROSECONDS}}, never = {{0, 0}, {0, 0}};
    if (!inputs_are_ready() || !ways_are_ready()) {
        return 1;
    }
    choose_level = (int (*)(const char *))library_symbol("halfulp_set_level");
    for (int function = 0; function < FUNCTIONS; function++) {
        char name[40];
        snprintf(name, sizeof name, "halfulp_%s_ni", functions[function].name);
        stepping[function] = (strided_function *)library_symbol(name);
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    level = "levels in turn";
    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &often, NULL) != 0) {
        printf("cannot set a timer\n");
        return 1;
    }
    in_every_mode(interrupted_calls_are_right);
    setitimer(ITIMER_REAL, &never, NULL);
    if (wrong_in_handler) {
        fail("calls in a handler are not right");
    }
    return result();
}
