// The same loops over std::erf(float), std::erfc(float) and std::exp(float).
#include "loops.c"
