#include "mech/transport/transport.h"

#include <string.h>

#define TRANSPORT_ENTRY(id) &transport_##id,
static const struct transport_ops *const table[] = {TRANSPORTS(TRANSPORT_ENTRY)};

const struct transport_ops *const *transports(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct transport_ops *transport_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
