/* FUNCTION, of TYPE, from a static archive, linked with it into a shared library. Its address is exported, not it itself: an
 * archive may hide its symbols, and a function that forwards would cost a jump. Hidden, so that the archive must have it:
 * nobody else's function of that name is taken. */
TYPE FUNCTION(TYPE x) __attribute__((visibility("hidden")));

extern TYPE (*const address)(TYPE);

TYPE (*const address)(TYPE) = FUNCTION;
