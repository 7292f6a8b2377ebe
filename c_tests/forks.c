/* A child process may make the first call, and has the level of its parent, until either chooses another; also if other
 * threads of the parent are calling while it forks. */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

enum { THREADS = 4, CHILDREN = 20 };

static const char *level_in_force(void) {
    return ((const char *(*)(void))library_symbol("halfulp_level"))();
}

static void expect_right(void) {
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        const struct function *function = function_named(row->function);
        uint64_t x = number_from(function->format, row->x), right = number_from(function->format, row->right[0]);
        uint64_t argument = 0, value = 0;
        put_number(function->format, &argument, 0, x);
        call_array(function, 1, &argument, &value);
        if (value_of(function, x) != right || number_at(function->format, &value, 0) != right) {
            fail("%s(%s) does not give %s", function->name, text(function->format, x), text(function->format, right));
        }
    }
}

static void expect_level(const char *name) {
    if (strcmp(level_in_force(), name) != 0) {
        fail("the level is %s instead of %s", level_in_force(), name);
    }
}

/* Runs the checks in a child process, which may choose levels. */
static void in_child(void (*checks)(const char *), const char *name) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        int code;
        checks(name);
        expect_right();
        code = result();
        fflush(stdout);
        /* Without what runs at exit: of the parent's other threads only the locks are left here, and who waits for one hangs. */
        _exit(code);
    }
    if (child == -1 || waitpid(child, &status, 0) != child || status != 0) {
        fail("a child process fails");
    }
}

static void first_call(const char *name) {
    (void)name;
    level = "first call, in a child";
}

static void inherit(const char *name) {
    level = "inherited";
    expect_level(name);
}

static void choose_another(const char *name) {
    level = "chosen by the child";
    set_level(name);
    expect_level(name);
}

static volatile int done;

static void *call_until_done(void *unused) {
    (void)unused;
    while (!done) {
        expect_right();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    if (!functions_are_halfulp()) {
        return 1;
    }
    in_child(first_call, NULL);
    for (int i = 0; i < LEVELS; i++) {
        if (set_level(levels[i]) == 0) {
            in_child(inherit, levels[i]);
            in_child(choose_another, levels[0]);
            level = "the parent";
            expect_level(levels[i]);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, call_until_done, NULL) != 0) {
            printf("cannot create a thread\n");
            return 1;
        }
    }
    for (int i = 0; i < CHILDREN; i++) {
        in_child(choose_another, levels[0]);
    }
    done = 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return result();
}
