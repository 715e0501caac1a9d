/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/fill.h"

#include "base/units.h"
#include "study/config/file_names.h"

#include <stdio.h>
#include <string.h>

/* Returns the setting of a key that applies and is not none, else NULL. */
static const struct setting *setting_at(const struct fill *f, const char *path) {
    const struct setting *s = config_find(f->c, "%s", path);
    return s && !s->none ? s : NULL;
}

static const char *text_at(const struct fill *f, const char *path) {
    const struct setting *s = setting_at(f, path);
    return s ? s->text : NULL;
}

static bool fail_at(const struct fill *f, const char *path, const char *why) {
    return config_fail(f->c, f->d, path, "%s: %s", path, why);
}

/* ---- numbers ---- */

static void store(void *field, size_t bytes, int64_t value) {
    switch (bytes) {
    case 1: *(uint8_t *)field = (uint8_t)value; break;
    case 2: *(uint16_t *)field = (uint16_t)value; break;
    case 4: *(uint32_t *)field = (uint32_t)value; break;
    case 8: *(int64_t *)field = value; break;
    default: /* an array: all elements get the value */
        for (size_t i = 0; i < bytes / sizeof value; i++) ((int64_t *)field)[i] = value;
    }
}

/* ---- hosts, pods and leaves by name ---- */

static bool host_at(const struct fill *f, const char *path, const struct param *p, uint32_t *host) {
    const struct setting *s = setting_at(f, path);
    *host = (uint32_t)p->without;
    if (!s) return true;
    int64_t choice = p->choices && !s->quoted ? choice_index(p->choices, s->text) : -1;
    char why[400];
    *host = HOST_CHOICE((uint32_t)choice);
    return choice >= 0 || fabric_host_find(f->a->fabric, s->text, s->quoted, host, why, sizeof why) ||
           fail_at(f, path, why);
}

/* Sets *group to the number in "pod3" (three tiers) or "leaf3" (two tiers). */
static bool group_at(const struct fill *f, const char *path, uint32_t *group) {
    const struct fabric *fabric = f->a->fabric;
    bool pods = fabric->population.has_tier[TIER_AGG];
    const char *text = text_at(f, path), *word = pods ? "pod" : "leaf";
    uint32_t n = pods ? fabric->n_pods : fabric->n_leaves;
    int64_t number = -1;
    char why[256];
    size_t length = strlen(word);
    if (text && strncmp(text, word, length) == 0) units_parse(PARAM_COUNT, text + length, &number, why, sizeof why);
    if (number >= 0 && number < n) {
        *group = (uint32_t)number;
        return true;
    }
    snprintf(why, sizeof why, "there is no '%s' here; they are %s0 to %s%u", text ? text : "", word, word, n - 1);
    return fail_at(f, path, why);
}

/* ---- paths ---- */

static const char *file_at(const struct fill *f, const char *path) {
    const char *text = text_at(f, path);
    if (!text) return NULL;
    char full[1024];
    path_from(f->base_dir, text, full, sizeof full);
    char *kept = assembly_own(f->a, strlen(full) + 1, 1);
    return memcpy(kept, full, strlen(full) + 1);
}

/* ---- lists ---- */

static bool fill_field(const struct fill *f, const char *path, const struct param *p, void *field);

static bool fill_item(const struct fill *f, const char *path, const struct param *p, void *into) {
    char key[KEY_PATH_MAX];
    return fill_field(f, p->name ? path_join(key, path, p->name) : path, p, (char *)into + p->at);
}

/* Fills a list and its number of items. A parameter without a name is the item itself. */
static bool fill_items(const struct fill *f, const char *path, const struct param *list, void *field, uint32_t *count) {
    *count = (uint32_t)config_count(f->c, path);
    char *item = assembly_own(f->a, *count, list->item_bytes), at[KEY_PATH_MAX];
    *(char **)field = item;
    for (uint32_t i = 0; i < *count; i++, item += list->item_bytes) {
        path_item(at, path, i);
        for (uint32_t k = 0; k < list->n_items; k++) {
            struct param p = list->items[k];
            if (!p.name) p.bytes = list->item_bytes;
            if (!fill_item(f, at, &p, item)) return false;
        }
    }
    return true;
}

/* ---- fields and parameters ---- */

static int64_t value_at(const struct fill *f, const char *path, int64_t otherwise) {
    const struct setting *s = setting_at(f, path);
    return s ? s->value : otherwise;
}

static bool fill_field(const struct fill *f, const char *path, const struct param *p, void *field) {
    switch (p->type) {
    case PARAM_SIZES: return true;
    case PARAM_TEXT: *(const char **)field = text_at(f, path); return true;
    case PARAM_FILE: *(const char **)field = file_at(f, path); return true;
    case PARAM_HOST: return host_at(f, path, p, field);
    case PARAM_GROUP: return group_at(f, path, field);
    default: store(field, p->bytes, value_at(f, path, p->without)); return true;
    }
}

bool fill_param(const struct fill *f, const char *block, const struct param *p, void *into) {
    char path[KEY_PATH_MAX];
    if (p->bytes == 0) return true;
    path_join(path, block, p->name);
    void *field = (char *)into + p->at;
    if (p->type == PARAM_LIST) return fill_items(f, path, p, field, (uint32_t *)((char *)into + p->count_at));
    return fill_field(f, path, p, field);
}

bool fill_params(const struct fill *f, const char *block, const struct param *p, void *into) {
    bool ok = true;
    for (; ok && p->name; p++) ok = fill_param(f, block, p, into);
    return ok;
}

bool fill_list(const struct fill *f, const char *block, const struct param *const *p, void *into) {
    bool ok = true;
    for (; ok && p && *p; p++) ok = fill_param(f, block, *p, into);
    return ok;
}

bool fill_row(const struct fill *f, const char *block, const struct param *const *p, void *into, void *own) {
    bool ok = true;
    for (; ok && p && *p; p++) ok = fill_param(f, block, *p, (*p)->own ? own : into);
    return ok;
}

const int64_t *fill_values(const struct fill *f, const char *block, const struct param *p, size_t n) {
    int64_t *value = assembly_own(f->a, n, sizeof *value);
    for (size_t i = 0; i < n; i++) {
        struct param one = p[i];
        one.at = 0, one.bytes = sizeof *value, one.without = one.def;
        fill_param(f, block, &one, &value[i]);
    }
    return value;
}
