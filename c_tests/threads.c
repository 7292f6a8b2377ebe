/* Threads that make a process's first call at the same time all get right results. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "ways.h"

enum {
    PROCESSES = 50, /* each has one first call */
    THREADS = 8
};

static pthread_barrier_t start;

/* By a scalar call for every other row, else as an array of one. */
static float value_of(const struct row *row) {
    char name[32];
    array_function *call;
    float value;
    if ((row - rows) % 2 == 0) {
        return function_named(row->function)(row->x);
    }
    snprintf(name, sizeof name, "halfulp_%s_n", row->function);
    call = (array_function *)library_symbol(name);
    if (call == NULL) {
        return 42.0f;
    }
    call(1, &row->x, &value);
    return value;
}

/* Returns the first row that comes out wrong, or null. The threads begin at different rows. */
static void *wrong_row(void *first) {
    size_t offset = (size_t)((const struct row *)first - rows);
    pthread_barrier_wait(&start);
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[(offset + i) % ROWS];
        float value = value_of(row);
        if (bits(value) != bits(row->right[0])) {
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
            fail(row->function, row->x, "does not give %a in one of the threads", (double)row->right[0]);
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
