#include "mech/admit/admit.h"

#define ADMIT_ROW(id) &admit_##id,
static const struct admit_ops *const table[] = {ADMISSIONS(ADMIT_ROW)};

const struct admit_ops *const *admissions(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}
