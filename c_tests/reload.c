/* A program that has libm's functions opens the library, and closes it again, many times: what it then finds there is the
 * library's, on which libm's functions of the same names have no effect, and nothing of it stays behind. */
#include "check.h"

#include "cases.h"

enum { TIMES = 100 };

static const char FILE_NAME[] = "libhalfulp.so.0";

static int is_in_library(void *library, void *address) {
    Dl_info file, own;
    return dladdr(address, &file) != 0 && dladdr(dlsym(library, "halfulp_version"), &own) != 0 &&
           file.dli_fbase == own.dli_fbase;
}

/* By the function, and by that of arrays, which libm's must not serve. */
static void expect_right(void *library) {
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        const struct function *function = function_named(row->function);
        const struct format *format = function->format;
        uint64_t x = number_from(format, row->x), right = number_from(format, row->right[0]), argument = 0, value = 0;
        char name[40];
        void *scalar, *array;
        snprintf(name, sizeof name, "halfulp_%s_n", row->function);
        array = dlsym(library, name);
        name[strlen(name) - strlen("_n")] = 0;
        scalar = dlsym(library, name);
        if (scalar == NULL || array == NULL || (function->iso != NULL && is_in_library(library, function->iso))) {
            fail("%s is missing, or there is no other beside it", name);
            return;
        }
        put_number(format, &argument, 0, x);
        ((array_function *)array)(1, &argument, &value);
        if (call_scalar(format, scalar, x) != right || number_at(format, &value, 0) != right) {
            fail("%s(%s) does not give %s", name, text(format, x), text(format, right));
        }
    }
}

static int mapped_files(void) {
    char line[4096];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        count += strstr(line, ".so") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

int main(void) {
    static const int flags[] = {RTLD_NOW | RTLD_LOCAL, RTLD_LAZY | RTLD_LOCAL, RTLD_NOW | RTLD_GLOBAL};
    int before = mapped_files();
    for (int i = 0; i < TIMES; i++) {
        void *library = dlopen(FILE_NAME, flags[i % 3]);
        if (library == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
        expect_right(library);
        if (dlclose(library) != 0 || dlopen(FILE_NAME, RTLD_LAZY | RTLD_NOLOAD) != NULL) {
            fail("it is still there");
        }
    }
    if (mapped_files() != before) {
        fail("%d parts of files were mapped, and now %d", before, mapped_files());
    }
    return result();
}
