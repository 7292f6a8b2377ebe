// The same loops over std::erf(float) and std::exp(float).
#include "loops.c"
