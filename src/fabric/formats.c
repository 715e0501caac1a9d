/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, and what their writers share. */
#include "fabric/formats.h"

#include <string.h>

#include "base/units.h"
#include "fabric/fabric_build.h"

static const struct format_row {
    const char *name;
    const struct fabric_format *format;
} table[] = {
#define FORMAT_ROW(id, name) {name, &format_##id},
    FABRIC_FORMATS(FORMAT_ROW)};

const struct fabric_format *fabric_format(uint32_t number, const char **name) {
    *name = table[number].name;
    return table[number].format;
}

uint32_t fabric_format_find(const char *name) {
    uint32_t i = 0;
    while (i < FORMAT_COUNT && strcmp(table[i].name, name) != 0) i++;
    return i;
}

uint32_t fabric_format_of(const char *text, size_t size) {
    uint32_t i = 0;
    while (i < FORMAT_COUNT && !(table[i].format->looks && table[i].format->looks(text, size))) i++;
    return i;
}

/* ---- for writers ---- */

uint32_t format_links(const struct fabric *f) { return fabric_store(f)->n_links; }

void format_link(const struct fabric *f, uint32_t link, struct format_link *l) {
    const struct fabric_link *from = &fabric_store(f)->link[link];
    fabric_node_name(f, from->lower, l->a, sizeof l->a);
    fabric_node_name(f, from->upper, l->b, sizeof l->b);
    l->a_port = (uint16_t)(from->lower_port - f->paths.first_port[from->lower]);
    l->b_port = (uint16_t)(from->upper_port - f->paths.first_port[from->upper]);
    units_print(PARAM_RATE, from->rate_bps, l->rate, sizeof l->rate);
    units_print(PARAM_TIME, from->delay, l->delay, sizeof l->delay);
    l->loss[0] = '\0';
    if (from->loss_ppb) units_print(PARAM_FRACTION, from->loss_ppb, l->loss, sizeof l->loss);
}

const char *format_tier(uint8_t tier) {
    static const char *const word[] = {"host", "leaf", "agg", "core"};
    return word[tier];
}

/* Returns whether YAML readers of any version take the text for this text, without quotes. */
static bool is_plain(const char *text) {
    static const char *const word[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcasecmp(text, word[i]) == 0) return false;
    bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
    return letter && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == '\0';
}

void format_yaml(FILE *out, const char *text) {
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == 0x7f)
            fprintf(out, "\\x%02X", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}

bool format_has_key(const char *text, size_t size, const char *key) {
    size_t length = strlen(key);
    for (const char *at = text, *end = text + size; at && at < end;) {
        if ((size_t)(end - at) > length && memcmp(at, key, length) == 0 && at[length] == ':') return true;
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    return false;
}
