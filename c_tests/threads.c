/* Threads that make a process's first call at the same time all get right results. */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

enum {
    PROCESSES = 50, /* each has one first call */
    THREADS = 8
};

static pthread_barrier_t start;

/* By a scalar call for every other row, else as an array of one. */
static int is_right(const struct row *row) {
    const struct function *function = function_named(row->function);
    uint64_t x = number_from(function->format, row->x), value = 0;
    if ((row - rows) % 2 == 0) {
        value = value_of(function, x);
    } else {
        put_number(function->format, &x, 0, x);
        call_array(function, 1, &x, &value);
        value = number_at(function->format, &value, 0);
    }
    return value == number_from(function->format, row->right[0]);
}

/* Returns the first row that comes out wrong, or null. The threads begin at different rows. */
static void *wrong_row(void *first) {
    size_t offset = (size_t)((const struct row *)first - rows);
    pthread_barrier_wait(&start);
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[(offset + i) % ROWS];
        if (!is_right(row)) {
            return (void *)row;
        }
    }
    return NULL;
}

static int process(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, wrong_row, (void *)&rows[i * ROWS / THREADS]) != 0) {
            printf("cannot create a thread\n");
            exit(1);
        }
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        if (wrong != NULL) {
            const struct row *row = (const struct row *)wrong;
            fail("%s(%a) does not give %a in one of the threads", row->function, row->x, row->right[0]);
        }
    }
    return result();
}

int main(void) {
    int failed = 0;
    if (!functions_are_halfulp()) {
        return 1;
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            exit(process());
        }
        if (child == -1 || waitpid(child, &status, 0) != child || status != 0) {
            failed = 1;
        }
    }
    return failed;
}
