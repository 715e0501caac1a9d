/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *link_word(unsigned link_tier) {
    static const char *const words[] = {"host", "uplink", "core", "peer"};
    return link_tier < 4 ? words[link_tier] : "other";
}

json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

const json_t *json_at(const json_t *at, const char *path) {
    while (at && *path) {
        char key[128];
        size_t length = strcspn(path, ".");
        if (length >= sizeof key) return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        at = json_object_get(at, key);
        path += length + (path[length] == '.');
    }
    return at;
}

bool json_metric(const json_t *result, const char *path, double *value) {
    const json_t *at = json_at(result, path);
    if (!at || !(json_is_number(at) || json_is_null(at))) return false;
    *value = json_is_null(at) ? NAN : json_number_value(at);
    return true;
}

char *json_text(const json_t *object) { return json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15)); }

static void leaves_visit(const json_t *value, const char *path, json_leaf_visitor *visit, void *to) {
    const char *key;
    json_t *child;
    if (!json_is_object(value)) {
        visit(to, path, value);
        return;
    }
    json_object_foreach((json_t *)value, key, child) {
        char longer[512];
        snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", key);
        leaves_visit(child, longer, visit, to);
    }
}

void json_leaves_each(const json_t *object, json_leaf_visitor *visit, void *to) { leaves_visit(object, "", visit, to); }

void json_line(const json_t *object, FILE *out) {
    char *text = json_text(object);
    fprintf(out, "%s\n", text);
    fflush(out);
    free(text);
}
