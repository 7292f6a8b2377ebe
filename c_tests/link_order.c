/* The first library on the link line that has a function is the one that serves it: the program's argument is a part of
 * the name of the file that the functions of <math.h> must come from. */
#include "check.h"

int main(int count, char **arguments) {
    if (count != 2) {
        printf("usage: link_order FILE\n");
        return 1;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        void *address = functions[i].iso;
        Dl_info file;
        if (address != NULL && (dladdr(address, &file) == 0 || strstr(file.dli_fname, arguments[1]) == NULL)) {
            printf("%s does not come from %s\n", functions[i].name, arguments[1]);
            failures++;
        }
    }
    return result();
}
