/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/pause_classes.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "mech/flowctl/flowctl.h"
#include "study/config/acts.h"
#include "study/config/catalogue.h"

#include <stdlib.h>
#include <string.h>

#define PAUSE_CLASSES_KEY "switch.pause_classes"

/* ---- the classes in use ---- */

static uint32_t port_classes(const struct config *c) { return (uint32_t)config_value(c, 1, "switch.classes"); }

static uint32_t class_bit(int64_t priority, uint32_t classes) {
    return 1u << (priority < classes ? priority : classes - 1);
}

static uint32_t entry_classes(const struct config *c, size_t entry, uint32_t classes) {
    char item[KEY_PATH_MAX], list[KEY_PATH_MAX];
    path_join(list, path_item(item, "workload", entry), "priorities");
    size_t n;
    int64_t *priority = config_list(c, list, &n);
    uint32_t used = n ? 0 : class_bit(config_value(c, 0, "workload.%zu.priority", entry), classes);
    for (size_t i = 0; i < n; i++) used |= class_bit(priority[i], classes);
    free(priority);
    return used;
}

static bool has_credits(const struct config *c) {
    for (size_t i = 0; i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        bool names = strcmp(s->path, "host.transport") == 0 || path_is_meant("workload.*.transport", s->path);
        const struct catalogue_item *item = names && !s->none ? catalogue_find("transports", s->text) : NULL;
        if (item && catalogue_has(item, "credits")) return true;
    }
    return false;
}

static bool has_control_class(const struct config *c) {
    return config_value(c, 0, "switch.%s.control_priority", config_text(c, "switch.balance")) != 0;
}

static bool pauses_by_class(const struct config *c) {
    const struct flowctl_ops *ops = config_row(c, "flowctl", "switch.flowctl");
    return ops && ops->by_class;
}

uint32_t classes_in_use(const struct config *c, uint32_t classes) {
    uint32_t used = 0, n = 0;
    size_t entries = config_count(c, "workload");
    if (entries == 0) return 0;
    if (!pauses_by_class(c)) return 1;
    for (size_t i = 0; i < entries; i++) used |= entry_classes(c, i, classes);
    if (has_credits(c) || has_control_class(c)) used |= 1u << (classes - 1);
    for (; used; used &= used - 1) n++;
    return n;
}

/* ---- the word `used` ---- */

static struct setting *counted_setting(struct config *c) {
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->setting[i].path, PAUSE_CLASSES_KEY) == 0) return &c->setting[i];
    return NULL;
}

static void count_put(struct setting *s, uint32_t n) {
    s->value = n;
    s->counted = true;
    free(s->text);
    s->text = text_format("%u", n);
}

static uint32_t all_classes(const struct config *c) { return pauses_by_class(c) ? port_classes(c) : 1; }

void pause_classes_count(struct config *c) {
    struct setting *s = counted_setting(c);
    if (!s || s->none || s->value != PAUSE_CLASSES_USED) return;
    uint32_t n = classes_in_use(c, port_classes(c));
    count_put(s, n ? n : all_classes(c));
}

bool pause_classes_of_all(struct config *c) {
    struct setting *s = counted_setting(c);
    uint32_t n = all_classes(c);
    if (!s || !s->counted || s->value == n) return false;
    count_put(s, n);
    return true;
}
