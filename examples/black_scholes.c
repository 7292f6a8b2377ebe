/* Prices European options in single precision, as a great many programs do, with erff and expf of <math.h> and no
 * word of halfulp. examples/demo.sh runs it twice, as it is and with halfulp preloaded, and compares the results:
 *
 *   black_scholes record FILE              times the pricing and writes all results to FILE
 *   black_scholes compare SYSTEM HALFULP   tells what differs between two such files, and which results are right
 */
#define _XOPEN_SOURCE 600 /* for M_SQRT1_2 and clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct option {
    float spot, strike, volatility, years, rate;
};

/* What the pricing of an option hands to erff, twice, and to expf. */
struct arguments {
    float erff[2], expf;
};

struct prices {
    float call, put;
};

struct results {
    float erff[2], expf;
    struct prices prices;
};

enum { OPTIONS = 2000000 };

/* A whole number from `low` to `high`. The multiples of an irrational number, less their whole parts, fill the interval
 * from 0 to 1 evenly, and so the options below fill the markets evenly. */
static float spread(int i, double irrational, int low, int high)
{
    double turns = (double)i * irrational;
    return (float)(low + (int)((turns - floor(turns)) * (double)(high - low + 1)));
}

/* Ordinary contracts and markets: cents, half units, tenths of a percent, days and hundredths of a percent. */
static struct option option_at(int i)
{
    struct option option;
    option.spot = spread(i, sqrt(2.0), 8000, 12000) / 100.0f;
    option.strike = spread(i, sqrt(3.0), 150, 250) / 2.0f;
    option.volatility = spread(i, sqrt(5.0), 80, 500) / 1000.0f;
    option.years = spread(i, sqrt(7.0), 7, 730) / 365.0f;
    option.rate = spread(i, sqrt(11.0), 0, 700) / 10000.0f;
    return option;
}

static struct arguments arguments_of(struct option option)
{
    float drift = option.rate + 0.5f * option.volatility * option.volatility;
    float deviation = option.volatility * sqrtf(option.years);
    float d1 = (logf(option.spot / option.strike) + drift * option.years) / deviation;
    float d2 = d1 - deviation;
    struct arguments arguments = {{d1 * (float)M_SQRT1_2, d2 * (float)M_SQRT1_2}, -option.rate * option.years};
    return arguments;
}

/* The formula of Black and Scholes. The normal distribution function at d is (1 + erf(d / sqrt(2))) / 2. */
static struct prices prices_of(struct option option)
{
    struct arguments arguments = arguments_of(option);
    float normal1 = 0.5f * (1.0f + erff(arguments.erff[0]));
    float normal2 = 0.5f * (1.0f + erff(arguments.erff[1]));
    float discounted = option.strike * expf(arguments.expf);
    struct prices prices = {
        option.spot * normal1 - discounted * normal2,
        discounted * (1.0f - normal2) - option.spot * (1.0f - normal1),
    };
    return prices;
}

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "black_scholes: %s %s\n", what, name);
    exit(1);
}

static void *allocate(size_t size)
{
    void *memory = calloc(OPTIONS, size);
    if (memory == NULL)
        fail("no memory for", "the options");
    return memory;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The time of the pricing and nothing else: the shortest of five passes, since other work only ever adds to it. */
static double seconds_to_price(const struct option *options, struct prices *prices)
{
    double shortest = HUGE_VAL;
    for (int pass = 0; pass < 5; pass++) {
        double start = now();
        for (int i = 0; i < OPTIONS; i++)
            prices[i] = prices_of(options[i]);
        shortest = fmin(shortest, now() - start);
    }
    return shortest;
}

static void record(const char *name)
{
    struct option *options = allocate(sizeof *options);
    struct prices *prices = allocate(sizeof *prices);
    struct results *results = allocate(sizeof *results);
    for (int i = 0; i < OPTIONS; i++)
        options[i] = option_at(i);
    double seconds = seconds_to_price(options, prices);

    /* The calls once more, with the same arguments, to keep what the prices were made of. */
    for (int i = 0; i < OPTIONS; i++) {
        struct arguments arguments = arguments_of(options[i]);
        struct results result = {{erff(arguments.erff[0]), erff(arguments.erff[1])}, expf(arguments.expf), prices[i]};
        results[i] = result;
    }
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(&seconds, sizeof seconds, 1, file) != 1 ||
        fwrite(results, sizeof *results, OPTIONS, file) != OPTIONS || fclose(file) != 0)
        fail("cannot write", name);
    free(options);
    free(prices);
    free(results);
}

static struct results *load(const char *name, double *seconds)
{
    struct results *results = allocate(sizeof *results);
    FILE *file = fopen(name, "rb");
    if (file == NULL || fread(seconds, sizeof *seconds, 1, file) != 1 ||
        fread(results, sizeof *results, OPTIONS, file) != OPTIONS)
        fail("cannot read", name);
    fclose(file);
    return results;
}

/* What became of the calls of one function in the two runs. */
struct tally {
    int calls, changed, wrong[2], undecided;
};

/* Counts one call. `value` is the result of the function in double precision, which is wrong by a few units of its
 * last place at the most. Where the exact value may lie a little to either side of it, by 2^-50 of its size, which is
 * four such units or more, and the nearest float is the same all the same, that float is the right result. Elsewhere,
 * about once in thirty million calls, double precision can't decide. */
static void count(struct tally *tally, double value, float system, float halfulp)
{
    float right = (float)(value - 0x1p-50 * value);
    tally->calls++;
    tally->changed += system != halfulp;
    if (right != (float)(value + 0x1p-50 * value)) {
        tally->undecided++;
        return;
    }
    tally->wrong[0] += system != right;
    tally->wrong[1] += halfulp != right;
}

/* How far a result is from the exact value, as a part of the distance between two floats there. */
static double error_of(float result, double value)
{
    double size = fabs((double)result);
    double spacing = (double)nextafterf((float)size, 2.0f) - size;
    return fabs((double)result - value) / spacing;
}

/* The erff call with the largest error among those that changed a price. */
struct example {
    int option, which;
    double error;
};

static void print_example(struct example example, struct results system, struct results halfulp)
{
    struct option option = option_at(example.option);
    float argument = arguments_of(option).erff[example.which];
    float results[2] = {system.erff[example.which], halfulp.erff[example.which]};
    double value = erf((double)argument);
    printf("\nFor example, at spot %.2f, strike %.2f, volatility %.3f, %.0f days and rate %.4f:\n", (double)option.spot,
           (double)option.strike, (double)option.volatility, 365.0 * (double)option.years, (double)option.rate);
    printf("  %-36s%16.9f is %.12f to twelve places\n", "erff of", (double)argument, value);
    printf("  %-36s%16.9f, %.2f of the distance between two floats off\n", "system libm gives", (double)results[0],
           error_of(results[0], value));
    printf("  %-36s%16.9f, %.2f off\n", "halfulp gives", (double)results[1], error_of(results[1], value));
    printf("  %-36s%16.7f\n", "the call's price with system libm", (double)system.prices.call);
    printf("  %-36s%16.7f\n", "the call's price with halfulp", (double)halfulp.prices.call);
}

static void print_tally(const char *name, struct tally tally)
{
    printf("  wrong results of %s%17d%16d%16d\n", name, tally.calls, tally.wrong[0], tally.wrong[1]);
}

static void compare(const char *system_name, const char *halfulp_name)
{
    double seconds[2];
    struct results *system = load(system_name, &seconds[0]);
    struct results *halfulp = load(halfulp_name, &seconds[1]);
    struct tally erff_tally = {0}, expf_tally = {0};
    struct example example = {0};
    int prices_changed = 0;
    for (int i = 0; i < OPTIONS; i++) {
        struct arguments arguments = arguments_of(option_at(i));
        int call_changed = system[i].prices.call != halfulp[i].prices.call;
        prices_changed += call_changed + (system[i].prices.put != halfulp[i].prices.put);
        count(&expf_tally, exp((double)arguments.expf), system[i].expf, halfulp[i].expf);
        for (int which = 0; which < 2; which++) {
            double value = erf((double)arguments.erff[which]);
            float result = system[i].erff[which];
            count(&erff_tally, value, result, halfulp[i].erff[which]);
            if (call_changed && result != halfulp[i].erff[which] && error_of(result, value) > example.error) {
                struct example worse = {i, which, error_of(result, value)};
                example = worse;
            }
        }
    }
    int changed = erff_tally.changed + expf_tally.changed;
    int undecided = erff_tally.undecided + expf_tally.undecided;

    printf("\nBlack-Scholes in single precision: %d options, a call and a put each.\n", OPTIONS);
    printf("The same program ran twice; only the library behind its erff and expf was another.\n\n");
    printf("  %-21s%17s%16s%16s\n", "", "calls", "system libm", "halfulp");
    print_tally("erff", erff_tally);
    print_tally("expf", expf_tally);
    printf("  %-38s%14.3f s%14.3f s\n\n", "time of the pricing", seconds[0], seconds[1]);
    printf("A result is wrong if another float is nearer to the exact value.\n");
    if (undecided > 0)
        printf("%d results, too close to the middle between two floats for this test, are not judged.\n", undecided);
    printf("Between the runs %d results of erff and expf changed, and with them %d of the %d prices.\n", changed,
           prices_changed, 2 * OPTIONS);
    if (example.error > 0.0)
        print_example(example, system[example.option], halfulp[example.option]);
    if (erff_tally.wrong[1] + expf_tally.wrong[1] > 0)
        fail("wrong results in", halfulp_name);
    free(system);
    free(halfulp);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "record") == 0)
        record(words[2]);
    else if (count == 4 && strcmp(words[1], "compare") == 0)
        compare(words[2], words[3]);
    else
        fail("usage: black_scholes", "record FILE | compare SYSTEM HALFULP");
    return 0;
}
