#include "mech/flowctl/flowctl.h"

#define FLOWCTL_ROW(id) &flowctl_##id,
static const struct flowctl_ops *const table[] = {FLOWCTLS(FLOWCTL_ROW)};

const struct flowctl_ops *const *flowctls(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}
