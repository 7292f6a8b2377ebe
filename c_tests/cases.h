/* Inputs with their right results: hard cases, thresholds, and inputs that other libraries have got wrong, computed at
 * 400 bits and rounded once in each mode; then the special values of C23, section F.10, and the ends of the range. */
#ifndef CASES_H
#define CASES_H

#include <math.h>
#include <stddef.h>

struct row {
    const char *function;
    float x;
    float right[4]; /* to nearest, upward, downward, toward zero */
    const char *note;
};

static const struct row rows[] = {
    {"erff", 0x1.cb2452p-1f, {0x1.972ea8p-1f, 0x1.972eaap-1f, 0x1.972ea8p-1f, 0x1.972ea8p-1f},
     "hard case: 2.6e-9 ulp above a tie"},
    {"erff", -0x1.cb2452p-1f, {-0x1.972ea8p-1f, -0x1.972ea8p-1f, -0x1.972eaap-1f, -0x1.972ea8p-1f},
     "hard case; negative"},
    {"erff", 0x1.083cd4p+1f, {0x1.fe3462p-1f, 0x1.fe3464p-1f, 0x1.fe3462p-1f, 0x1.fe3462p-1f}, "hard case"},
    {"erff", -0x1.083cd4p+1f, {-0x1.fe3462p-1f, -0x1.fe3462p-1f, -0x1.fe3464p-1f, -0x1.fe3462p-1f},
     "hard case; negative"},
    {"erff", 0x1.f5a888p+1f, {0x1.fffffep-1f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f},
     "largest x whose value is not 1 in round-to-nearest"},
    {"erff", 0x1.f5a88ap+1f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "first x that rounds to 1"},
    {"erff", 0x1p+2f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "saturated"},
    {"erff", 0x1.2p+2f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f},
     "a value that depended on the array's shape elsewhere"},
    {"erff", 0x1p-149f, {0x1p-149f, 0x1p-148f, 0x1p-149f, 0x1p-149f}, "smallest subnormal"},
    {"erff", 0x1.c5bf88p-127f, {0x1p-126f, 0x1p-126f, 0x1.fffffcp-127f, 0x1.fffffcp-127f},
     "subnormal in; rounds to the smallest normal"},
    {"erff", 0x1.c5bf8cp-127f, {0x1.000002p-126f, 0x1.000002p-126f, 0x1p-126f, 0x1p-126f},
     "subnormal in; normal out: no underflow"},
    {"erff", 0x1.16945ap-126f, {0x1.3a57e2p-126f, 0x1.3a57e4p-126f, 0x1.3a57e2p-126f, 0x1.3a57e2p-126f},
     "near the subnormal border"},
    {"erff", -0x1.d1b6c8p-127f, {-0x1.06c04p-126f, -0x1.06c04p-126f, -0x1.06c042p-126f, -0x1.06c04p-126f},
     "near the subnormal border"},
    {"erff", -0x1.50d930p-126f, {-0x1.7c17bcp-126f, -0x1.7c17bap-126f, -0x1.7c17bcp-126f, -0x1.7c17bap-126f},
     "near the subnormal border"},
    {"erff", 0x1.00009p-129f, {0x1.20de1p-129f, 0x1.20de2p-129f, 0x1.20de1p-129f, 0x1.20de1p-129f},
     "wrong in older libms"},
    {"erff", 0x1.ac6212p-1f, {0x1.86ce0ep-1f, 0x1.86ce1p-1f, 0x1.86ce0ep-1f, 0x1.86ce0ep-1f},
     "worst case of the classic implementation"},
    {"erff", 0x1.c373e6p-9f, {0x1.fd6868p-9f, 0x1.fd686ap-9f, 0x1.fd6868p-9f, 0x1.fd6868p-9f},
     "worst case of vector implementations"},
    {"erff", 0x1.c9e0f2p-1f, {0x1.968b06p-1f, 0x1.968b08p-1f, 0x1.968b06p-1f, 0x1.968b06p-1f},
     "worst case of the single-precision FMA algorithm"},
    {"erff", 0x1.02032ep+0f, {0x1.b11ed6p-1f, 0x1.b11ed6p-1f, 0x1.b11ed4p-1f, 0x1.b11ed4p-1f}, "worst case on a GPU"},
    {"erff", 0x1.f34140p+1f, {0x1.fffffep-1f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "returned above 1 elsewhere"},
    {"erff", 0x1.ad7f2ap-24f, {0x1.e4a29ap-24f, 0x1.e4a29cp-24f, 0x1.e4a29ap-24f, 0x1.e4a29ap-24f},
     "returned 0 elsewhere"},
    {"erff", 0x1.4f8b58p-17f, {0x1.7a9f08p-17f, 0x1.7a9f08p-17f, 0x1.7a9f06p-17f, 0x1.7a9f06p-17f},
     "absolute-error approximations fail here"},
    {"expf", -0x1.6d7b18p+5f, {0x1.108a5ap-66f, 0x1.108a5ap-66f, 0x1.108a58p-66f, 0x1.108a58p-66f}, "hard case"},
    {"expf", 0x1.fefe02p-16f, {0x1.0001fep+0f, 0x1.0002p+0f, 0x1.0001fep+0f, 0x1.0001fep+0f},
     "wrong in the usual 0.502-ulp algorithm"},
    {"expf", 0x1.62e42ep+6f, {0x1.ffff08p+127f, 0x1.ffff0ap+127f, 0x1.ffff08p+127f, 0x1.ffff08p+127f},
     "largest finite result"},
    {"expf", 0x1.62e43p+6f, {INFINITY, INFINITY, 0x1.fffffep+127f, 0x1.fffffep+127f},
     "first overflow in round-to-nearest"},
    {"expf", 0x1.64p+6f, {INFINITY, INFINITY, 0x1.fffffep+127f, 0x1.fffffep+127f}, "overflow"},
    {"expf", -0x1.5d589ep+6f, {0x1.00004cp-126f, 0x1.00004cp-126f, 0x1.00004ap-126f, 0x1.00004ap-126f},
     "last normal result"},
    {"expf", -0x1.5d58ap+6f, {0x1.ffff98p-127f, 0x1.ffff98p-127f, 0x1.ffff94p-127f, 0x1.ffff94p-127f},
     "first subnormal result"},
    {"expf", -0x1.9d1d9ep+6f, {0x1p-149f, 0x1p-148f, 0x1p-149f, 0x1p-149f}, "subnormal end"},
    {"expf", -0x1.9fe368p+6f, {0x1p-149f, 0x1p-149f, 0x0p+0f, 0x0p+0f}, "rounds to the smallest subnormal"},
    {"expf", -0x1.9fe36ap+6f, {0x0p+0f, 0x1p-149f, 0x0p+0f, 0x0p+0f}, "rounds to 0"},
    {"expf", -0x1.68p+6f, {0x1.1d85p-130f, 0x1.1d852p-130f, 0x1.1d85p-130f, 0x1.1d85p-130f}, "subnormal result"},
    {"expf", -0x1.9p+6f, {0x1.bp-145f, 0x1.bp-145f, 0x1.ap-145f, 0x1.ap-145f}, "subnormal result"},
    {"expf", 0x1p-129f, {0x1p+0f, 0x1.000002p+0f, 0x1p+0f, 0x1p+0f}, "tiny"},
    {"expf", -0x1p-30f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "tiny negative"},
    {"expf", 0x1p-30f, {0x1p+0f, 0x1.000002p+0f, 0x1p+0f, 0x1p+0f}, "tiny"},
    {"expf", 0x1.04845ep+5f, {0x1.f93e36p+46f, 0x1.f93e38p+46f, 0x1.f93e36p+46f, 0x1.f93e36p+46f},
     "answer depends on FMA in other libms"},
    {"expf", -0x1.f8cbb2p+5f, {0x1.f45324p-92f, 0x1.f45326p-92f, 0x1.f45324p-92f, 0x1.f45324p-92f},
     "answer depends on FMA in other libms"},
    {"expf", 0x1p+0f, {0x1.5bf0a8p+1f, 0x1.5bf0aap+1f, 0x1.5bf0a8p+1f, 0x1.5bf0a8p+1f}, "e"},
    {"expf", 0x1.8p+6f, {INFINITY, INFINITY, 0x1.fffffep+127f, 0x1.fffffep+127f}, "overflow"},

    {"erff", 0x0p+0f, {0x0p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f}, "exact"},
    {"erff", -0x0p+0f, {-0x0p+0f, -0x0p+0f, -0x0p+0f, -0x0p+0f}, "exact"},
    {"erff", INFINITY, {0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f}, "exact"},
    {"erff", -INFINITY, {-0x1p+0f, -0x1p+0f, -0x1p+0f, -0x1p+0f}, "exact"},
    {"erff", -0x1.f5a888p+1f, {-0x1.fffffep-1f, -0x1.fffffep-1f, -0x1p+0f, -0x1.fffffep-1f},
     "largest magnitude whose value is not -1 in round-to-nearest"},
    {"erff", -0x1.f5a88ap+1f, {-0x1p+0f, -0x1.fffffep-1f, -0x1p+0f, -0x1.fffffep-1f},
     "first magnitude that rounds to -1"},
    {"erff", 0x1.fffffep+127f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "largest float"},
    {"erff", -0x1.fffffep+127f, {-0x1p+0f, -0x1.fffffep-1f, -0x1p+0f, -0x1.fffffep-1f}, "largest float, negative"},
    {"erff", -0x1p-149f, {-0x1p-149f, -0x1p-149f, -0x1p-148f, -0x1p-149f}, "smallest subnormal, negative"},
    {"expf", 0x0p+0f, {0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f}, "exact"},
    {"expf", -0x0p+0f, {0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f}, "exact"},
    {"expf", INFINITY, {INFINITY, INFINITY, INFINITY, INFINITY}, "exact"},
    {"expf", -INFINITY, {0x0p+0f, 0x0p+0f, 0x0p+0f, 0x0p+0f}, "exact"},
    {"expf", 0x1.fffffep+127f, {INFINITY, INFINITY, 0x1.fffffep+127f, 0x1.fffffep+127f}, "largest float"},
    {"expf", -0x1.fffffep+127f, {0x0p+0f, 0x1p-149f, 0x0p+0f, 0x0p+0f}, "largest float, negative"},
    {"expf", 0x1p-149f, {0x1p+0f, 0x1.000002p+0f, 0x1p+0f, 0x1p+0f}, "smallest subnormal"},
    {"expf", -0x1p-149f, {0x1p+0f, 0x1p+0f, 0x1.fffffep-1f, 0x1.fffffep-1f}, "smallest subnormal, negative"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

#endif
