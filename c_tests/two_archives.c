/* A program of two archives made by Rust: this library's and another one's, whose function it calls. */
#include "check.h"

#include "cases.h"

float third_of_table(float index);

int main(void) {
    if (!functions_are_halfulp()) {
        return 1;
    }
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        const struct function *function = function_named(row->function);
        uint64_t x = number_from(function->format, row->x), right = number_from(function->format, row->right[0]);
        if (value_of(function, x) != right) {
            fail("%s(%s) does not give %s", function->name, text(function->format, x), text(function->format, right));
        }
    }
    if (third_of_table(2.0f) != 0.75f) {
        fail("the other archive's function is wrong");
    }
    return result();
}
