/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/settings.h"

#include "study/experiment/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool setting_equal(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

bool settings_match(const json_t *settings, const json_t *wanted) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)wanted, key, value) {
        if (!setting_equal(json_object_get(settings, key), value)) return false;
    }
    return true;
}

static bool list_has(const json_t *list, const json_t *value) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), value)) return true;
    }
    return false;
}

void settings_axes_add(json_t *axes, const json_t *settings) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)settings, key, value) {
        json_t *list = json_object_get(axes, key);
        if (!list) json_object_set_new(axes, key, list = json_array());
        if (!list_has(list, value)) json_array_append(list, value);
    }
}

/* ---- rows of tables ---- */

static bool are_numbers(const json_t *values) {
    double number;
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (!setting_number(json_array_get(values, i), NULL, &number)) return false;
    }
    return true;
}

/* Returns how well a key fits: 3: several values that are no numbers, 2: several values, 1: one value, 0: the seed. */
static int fitness(const char *key, const json_t *values) {
    if (strcmp(key, "run.seed") == 0) return 0;
    return json_array_size(values) < 2 ? 1 : are_numbers(values) ? 2 : 3;
}

const char *settings_row_key(const json_t *axes) {
    static const char *const preferred[] = {"scheme", "switch.balance", "host.transport", "store"};
    const char *key, *best = "run.seed";
    int most = 0;
    json_t *values;
    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++) {
        if (json_array_size(json_object_get(axes, preferred[i])) > 1) return preferred[i];
    }
    json_object_foreach((json_t *)axes, key, values) {
        int own = fitness(key, values);
        bool is_inner = own == most && own > 1; /* the last of several axes varies from row to row */
        if (own > most || is_inner) best = key;
        if (own > most) most = own;
    }
    return best;
}

/* ---- texts ---- */

/* Writes a number as a file would have it: without an exponent. */
static void plain_text(double value, char *buf, size_t size) {
    double size_of = fabs(value);
    if (value == rint(value) && size_of < 1e15) {
        snprintf(buf, size, "%.0f", value);
    } else if (size_of >= 1e-4) {
        snprintf(buf, size, "%.12g", value);
    } else {
        snprintf(buf, size, "%.12f", value);
        for (char *last = buf + strlen(buf) - 1; *last == '0'; last--) *last = '\0';
    }
}

void setting_text(const json_t *value, char *buf, size_t size) {
    if (json_is_string(value))
        snprintf(buf, size, "%s", json_string_value(value));
    else if (json_is_number(value))
        plain_text(json_number_value(value), buf, size);
    else
        snprintf(buf, size, "%s", json_is_true(value) ? "true" : "false");
}

/* Writes one side of a comparison. Leaves out the key of a text value if the other side has the key too. `other` NULL:
 * writes all keys. */
static void side_text(const json_t *side, const json_t *other, char *buf, size_t size) {
    const char *key;
    json_t *value;
    buf[0] = '\0';
    json_object_foreach((json_t *)side, key, value) {
        char text[128];
        size_t used = strlen(buf);
        bool alone = json_is_string(value) && json_object_get(other, key);
        setting_text(value, text, sizeof text);
        snprintf(buf + used, size - used, "%s%s%s%s", used ? ", " : "", alone ? "" : key, alone ? "" : " ", text);
    }
}

void settings_text(const json_t *settings, char *buf, size_t size) { side_text(settings, NULL, buf, size); }

void comparison_text(const json_t *subject, const json_t *against, char *buf, size_t size) {
    char of[300], with[300];
    side_text(subject, against, of, sizeof of);
    side_text(against, subject, with, sizeof with);
    snprintf(buf, size, "%s%s%s%s", of, of[0] && with[0] ? " " : "", with[0] ? "against " : "", with);
}
