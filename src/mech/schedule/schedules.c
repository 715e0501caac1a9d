/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/schedule/schedules.h"

#include <string.h>

#define SCHEDULE_ROW(id) &schedule_##id,
static const struct schedule_ops *const table[] = {SCHEDULES(SCHEDULE_ROW)};

const struct schedule_ops *const *schedules(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct schedule_ops *schedule_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const struct param schedule_class_reserve = {
    .name = "class_reserve",
    .type = PARAM_BYTES,
    .def = 0,
    .min = 0,
    .max = 1LL << 40,
    .doc = "bytes of the buffer of a port without a crossbar, reserved for each class; classes share the rest",
    .needs = "classes>1",
    .lacks = "ports have one class (switch.classes)",
    .needs_too = "!switch.crossbar:queues",
    .lacks_too = "with crossbar: islip the reserve is switch.islip.reserve",
    .refuse = true,
    PARAM_IN(struct schedule_config, class_reserve_bytes),
};
