/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/balance/balancers.h"

#define BALANCER_ADDRESS(id) &balance_##id,
static const struct balancer_ops *const balancer_rows[] = {BALANCERS(BALANCER_ADDRESS)};
#define N_BALANCERS (sizeof balancer_rows / sizeof *balancer_rows)

const struct balancer_ops *const *balancers(size_t *n) {
    *n = N_BALANCERS;
    return balancer_rows;
}

static char balancer_letter(char c) { return c == '_' ? '-' : c; }

static bool balancer_is_named(const char *name, const char *word) {
    while (*name && balancer_letter(*name) == balancer_letter(*word)) name++, word++;
    return *name == *word;
}

const struct balancer_ops *balancer_find(const char *name) {
    for (size_t i = 0; i < N_BALANCERS; i++)
        if (balancer_is_named(balancer_rows[i]->name, name)) return balancer_rows[i];
    return NULL;
}
