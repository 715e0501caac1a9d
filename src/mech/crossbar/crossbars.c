#include "mech/crossbar/crossbar.h"

#define CROSSBAR_ROW(id) &crossbar_##id,
static const struct crossbar_ops *const table[] = {CROSSBARS(CROSSBAR_ROW)};

const struct crossbar_ops *const *crossbars(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}
