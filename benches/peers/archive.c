/* The functions of a static archive, linked with it into a shared library. Their addresses are exported, not they
 * themselves: an archive may hide its symbols, and a function that forwards would cost a jump. */
float erff(float x);
float expf(float x);

extern float (*const address_of_erff)(float);
extern float (*const address_of_expf)(float);

float (*const address_of_erff)(float) = erff;
float (*const address_of_expf)(float) = expf;
