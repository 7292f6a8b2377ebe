// C++'s own names for the functions lead to the library, with its header included.
#include "check.h"

#include <cmath>
#include <string_view>

#include "cases.h"
#include "halfulp.h"

// What the name means for numbers of this type; the argument is volatile so that the compiler computes nothing itself.
template <typename Number> static Number by_name(const char *function, volatile Number x) {
    return strncmp(function, "erfc", 4) == 0  ? std::erfc(x)
           : strncmp(function, "erf", 3) == 0 ? std::erf(x)
                                              : std::exp(x);
}

template <typename Number> static void expect(const row &row, Number (*twin)(Number)) {
    const format *format = function_named(row.function)->format;
    Number value = by_name(row.function, Number(row.x)), of_twin = twin(Number(row.x));
    uint64_t right = number_from(format, row.right[0]);
    if (number_from(format, double(value)) != right || number_from(format, double(of_twin)) != right) {
        fail("%s(%a) gives %a, and halfulp's own function %a, instead of %a", row.function, row.x, double(value),
             double(of_twin), row.right[0]);
    }
}

int main() {
    for (const row &row : rows) {
        const std::string_view name = row.function;
        if (name == "erff") {
            expect<float>(row, halfulp_erff);
        } else if (name == "expf") {
            expect<float>(row, halfulp_expf);
        } else if (name == "erfcf") {
            expect<float>(row, halfulp_erfcf);
        } else if (name == "erf") {
            expect<double>(row, halfulp_erf);
        } else if (name == "erfc") {
            expect<double>(row, halfulp_erfc);
        }
    }
    return result();
}
