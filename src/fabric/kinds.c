/* SPDX-License-Identifier: Apache-2.0 */
/* The table of topologies, and the keys that several topologies have. */
#include "fabric/kinds.h"

#include <string.h>

#define FABRIC_ROW(id) &fabric_##id,
static const struct fabric_ops *const table[] = {FABRICS(FABRIC_ROW)};

const struct fabric_ops *const *fabrics(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct fabric_ops *fabric_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const struct param fabric_hosts = {
    .name = "hosts",
    .type = PARAM_COUNT,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = FABRIC_COUNT_MAX,
    .doc = "hosts per ToR or leaf; dual-tor: per rack; star: hosts in all",
    PARAM_IN(struct fabric_spec, hosts),
};

const struct param fabric_spines = {
    .name = "spines",
    .type = PARAM_COUNT,
    .text = PARAM_REQUIRED,
    .min = 1,
    .max = FABRIC_COUNT_MAX,
    .doc = "spine switches",
    PARAM_IN(struct fabric_spec, aggs),
};

/* Declares a rate or delay of one link tier. -1: not given; study then uses the rate or delay of all links. */
#define SPEED(name_, type_, text_, min_, max_, field_, doc_)                                                           \
    {                                                                                                                  \
        .name = (name_), .type = (type_), .text = (text_), .min = (min_), .max = (max_), .doc = (doc_), .without = -1, \
        PARAM_IN(struct fabric_spec, field_), .word = (type_) == PARAM_RATE ? "none" : NULL,                           \
        .word_value = FABRIC_RATE_NONE                                                                                 \
    }
#define RATE(name_, field_, doc_) SPEED(name_, PARAM_RATE, "=rate", 1000, 100000000000000LL, field_, doc_)
#define DELAY(name_, field_, doc_) SPEED(name_, PARAM_TIME, "=delay", 0, 1000 * PS_PER_S, field_, doc_)
#define UPLINKS "for links between ToRs and aggs, leaves and spines, switches in a row"

const struct param fabric_rate = {
    .name = "rate",
    .type = PARAM_RATE,
    .def = 10000000000LL,
    .min = 1000,
    .max = 100000000000000LL,
    .doc = "rate of every link; none: frames leave at once (live links only)",
    .word = "none",
    .word_value = FABRIC_RATE_NONE,
    PARAM_IN(struct fabric_spec, rate_bps),
};
const struct param fabric_host_rate = RATE("host_rate", host_bps, "for links between hosts and switches");
const struct param fabric_uplink_rate = RATE("uplink_rate", uplink_bps, UPLINKS);
const struct param fabric_core_rate = RATE("core_rate", core_bps, "for links between aggs and cores");
const struct param fabric_delay = {
    .name = "delay",
    .type = PARAM_TIME,
    .def = 2 * PS_PER_US,
    .max = 1000 * PS_PER_S,
    .doc = "propagation delay of every link",
    PARAM_IN(struct fabric_spec, delay),
};
const struct param fabric_host_link_delay =
    DELAY("host_link_delay", host_delay, "for links between hosts and switches");
const struct param fabric_uplink_delay = DELAY("uplink_delay", uplink_delay, UPLINKS);
const struct param fabric_core_delay = DELAY("core_delay", core_delay, "for links between aggs and cores");
