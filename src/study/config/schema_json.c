/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of experiment files, made of the table of keys.
 *
 * "$defs" has a schema for each key under its path, so that blocks and `sweep` refer to the same one. A key may be null
 * (left out) wherever the reader takes that.
 */
#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/codes.h"
#include "study/config/config.h"
#include "study/config/schema.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT "([eE][-+]?[0-9]+)?"
#define NUMBER "[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)" EXPONENT
#define ZERO "[-+]?(0+\\.?0*|\\.0+)" EXPONENT

/* The name of a key's schema: its path, with * where a list is, as a # would end the reference to it. */
static const char *def_name(char out[KEY_PATH_MAX], const char *path) {
    snprintf(out, KEY_PATH_MAX, "%s", path);
    for (char *c = out; *c; c++)
        if (*c == '#') *c = '*';
    return out;
}

static json_t *reference_to(const char *path) {
    char name[KEY_PATH_MAX];
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", def_name(name, path)));
}

static json_t *any_of(json_t *first, json_t *second) { return json_pack("{s:[o, o]}", "anyOf", first, second); }

/* ---- values ---- */

/* A choice of true or false is a truth value in YAML. */
static json_t *choices_of(const char *choices) {
    json_t *words = json_array();
    for (const char *at = choices; *at;) {
        size_t length = strcspn(at, "|");
        bool is_true = length == 4 && strncmp(at, "true", 4) == 0,
             is_false = length == 5 && strncmp(at, "false", 5) == 0;
        json_array_append_new(words, is_true || is_false ? json_boolean(is_true) : json_stringn(at, length));
        at += length + (at[length] == '|');
    }
    return json_pack("{s:o}", "enum", words);
}

/* "20us", "20 us": a pattern of the units of a type; 0 needs none. */
static json_t *quantity_text(enum param_type type) {
    char pattern[512];
    size_t used = (size_t)snprintf(pattern, sizeof pattern, "^(" ZERO "|" NUMBER " ?(");
    const char *name;
    for (size_t i = 0; (name = units_name(type, i)); i++)
        used += (size_t)snprintf(pattern + used, sizeof pattern - used, "%s%s", i ? "|" : "", name);
    snprintf(pattern + used, sizeof pattern - used, "%s))$",
             type == PARAM_QUEUE    ? "|frames?"
             : type == PARAM_MOMENT ? "|%"
                                    : "");
    return json_pack("{s:s, s:s}", "type", "string", "pattern", pattern);
}

/* A number without a unit: any for types that need none, else 0. */
static json_t *plain_number(const struct param *p) {
    if (p->type != PARAM_COUNT && p->type != PARAM_FRACTION) return json_pack("{s:i}", "const", 0);
    double one = p->type == PARAM_COUNT ? 1 : (double)PPB;
    json_t *number = json_pack("{s:s, s:f}", "type", "number", "minimum", (double)p->min / one);
    if (p->max < INT64_MAX / 2) json_object_set_new(number, "maximum", json_real((double)p->max / one));
    return number;
}

static json_t *value_of(const struct param *p) {
    if (p->type == PARAM_BOOL) return json_pack("{s:[b, b, s, s]}", "enum", 1, 0, "true", "false");
    if (p->type == PARAM_CHOICE) return choices_of(p->choices);
    return any_of(plain_number(p), quantity_text(p->type));
}

static json_t *any_scalar(void) { return json_pack("{s:[s, s, s]}", "type", "string", "number", "boolean"); }

/* Names of distributions first: an editor offers them. */
static json_t *sizes_value(void) {
    char *names = catalogue_names("sizes", NULL);
    json_t *value = any_of(choices_of(names), any_scalar());
    free(names);
    return value;
}

#define OWN_SCHEME "^[A-Za-z0-9_-]+$"

/* A name that the file may give a scheme. */
static json_t *own_scheme_name(void) {
    char *names = catalogue_names("schemes", NULL);
    json_t *taken = choices_of(names);
    free(names);
    return json_pack("{s:s, s:s, s:o}", "type", "string", "pattern", OWN_SCHEME, "not", taken);
}

/* The names of a family that a text key takes, if there is one. */
static json_t *text_value(const char *path) {
    const struct catalogue_family *family = catalogue_family_of(path);
    if (!family) return any_scalar();
    char *names = catalogue_names(family->name, NULL);
    json_t *value = choices_of(names);
    free(names);
    if (strcmp(path, "scheme") == 0) value = any_of(value, own_scheme_name());
    return value;
}

/* ---- blocks and lists ---- */

/* The parameters of transports may stand right under `host`. */
static bool is_host_param(const struct key *k, const char *parent) {
    return strcmp(parent, "host") == 0 && k->optional_block && k->kind == KEY_VALUE &&
           strncmp(k->path, "host.", 5) == 0;
}

static json_t *block_of(const char *parent) {
    size_t n;
    const struct key *k = schema_keys(&n);
    json_t *properties = json_object();
    for (size_t i = 0; i < n; i++) {
        bool within = key_is_child(&k[i], parent) || is_host_param(&k[i], parent);
        if (within && !json_object_get(properties, key_name(&k[i])))
            json_object_set_new(properties, key_name(&k[i]), reference_to(k[i].path));
    }
    return json_pack("{s:[s, s], s:o, s:b}", "type", "object", "null", "properties", properties, "additionalProperties",
                     0);
}

/* Sets `item` to the path of the items of a list; returns whether they are blocks. */
static bool items_are_blocks(const struct key *list, char item[KEY_PATH_MAX]) {
    path_join(item, list->path, "#");
    const struct key *scalar = schema_find(item);
    return !scalar || strcmp(scalar->path, item) != 0;
}

/* One item may stand without the list. */
static json_t *list_of(const struct key *k) {
    char item[KEY_PATH_MAX];
    json_t *one = items_are_blocks(k, item) ? block_of(item) : reference_to(item);
    json_t *list = any_of(json_pack("{s:s, s:O}", "type", "array", "items", one), one);
    if (!k->param.by_name) return list;
    return any_of(list, json_pack("{s:s, s:{s:s, s:i, s:i}}", "type", "object", "additionalProperties", "type", "array",
                                  "minItems", (int)k->param.n_items - 1, "maxItems", (int)k->param.n_items - 1));
}

/* ---- sweep and profiles ---- */

/* "workload.#.load" as an editor's pattern: workload.0.load, or workload.load where the list has one item. An item
 * itself ("workload.#.priorities.#") has its number. */
static json_t *axis_pattern(const char *path) {
    char pattern[2 * KEY_PATH_MAX] = "^";
    size_t used = 1;
    for (const char *c = path; *c && used + 16 < sizeof pattern; c++) {
        bool item = *c == '.' && c[1] == '#', last = item && !c[2];
        const char *part = last ? "\\.[0-9]+" : item ? "(\\.[0-9]+)?" : *c == '.' ? "\\." : NULL;
        if (part)
            used += (size_t)snprintf(pattern + used, sizeof pattern - used, "%s", part);
        else if (*c != '#')
            pattern[used++] = *c;
    }
    pattern[used++] = '$';
    return json_stringn(pattern, used);
}

/* A value of an axis: one of the key, or FIRST..LAST for whole numbers. */
static json_t *axis_value(const struct key *k) {
    return any_of(reference_to(k->path), json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9]+\\.\\.[0-9]+$"));
}

/* Blocks or lists with names: NAME: value. */
static json_t *named_values(const char *path) {
    return json_pack("{s:s, s:o, s:i}", "type", "object", "additionalProperties", reference_to(path), "minProperties",
                     1);
}

/* An axis by the path of its key: a list of values, or named ones. */
static json_t *sweep_value(void) {
    size_t n;
    const struct key *k = schema_keys(&n);
    json_t *plain = json_object(), *numbered = json_object();
    for (size_t i = 0; i < n; i++) {
        json_t *axis = json_pack("{s:[s, s], s:o}", "type", "array", "null", "items", axis_value(&k[i]));
        if (k[i].kind == KEY_MAP || k[i].kind == KEY_LIST) axis = any_of(axis, named_values(k[i].path));
        json_t *pattern = axis_pattern(k[i].path);
        bool in_list = strchr(k[i].path, '#') || is_host_param(&k[i], "host");
        json_object_set_new(in_list ? numbered : plain, in_list ? json_string_value(pattern) : k[i].path, axis);
        json_decref(pattern);
    }
    return json_pack("{s:[s, s], s:o, s:o}", "type", "object", "null", "properties", plain, "patternProperties",
                     numbered);
}

/* Adds the items of a list of blocks: workload.0: {KEY: VALUE} stands in place of the first. */
static void items_add(json_t *patterns, const struct key *k) {
    char item[KEY_PATH_MAX];
    if (k->kind != KEY_LIST || !items_are_blocks(k, item)) return;
    json_t *pattern = axis_pattern(item);
    json_object_set_new(patterns, json_string_value(pattern), block_of(item));
    json_decref(pattern);
}

/* The paths of keys that a profile, or a file with a base, gives a value or an axis. */
static json_t *paths_of_keys(void) {
    size_t n;
    const struct key *k = schema_keys(&n);
    json_t *patterns = json_object();
    for (size_t i = 0; i < n; i++) {
        items_add(patterns, &k[i]);
        if (!strchr(k[i].path, '.')) continue;
        json_t *pattern = axis_pattern(k[i].path),
               *axis = json_pack("{s:s, s:o}", "type", "array", "items", axis_value(&k[i]));
        json_object_set_new(patterns, json_string_value(pattern),
                            any_of(any_of(reference_to(k[i].path), axis), json_pack("{s:s}", "type", "null")));
        json_decref(pattern);
    }
    return patterns;
}

/* A file, or a profile of it. */
static json_t *file_value(void) {
    json_t *file = block_of("");
    json_object_set_new(file, "patternProperties", paths_of_keys());
    return file;
}

static json_t *profiles_value(void) {
    return json_pack("{s:[s, s], s:{s:s}}", "type", "object", "null", "additionalProperties", "$ref", "#/$defs/file");
}

/* ---- schemes of the file ---- */

static json_t *schemes_value(void) {
    char *names = catalogue_names("schemes", NULL);
    json_t *start = any_of(choices_of(names), json_pack("{s:[n, s]}", "enum", "none"));
    json_t *parts =
        json_pack("{s:o, s:o, s:o}", "scheme", start, "switch", reference_to("switch"), "host", reference_to("host"));
    json_t *one =
        json_pack("{s:[s, s], s:o, s:b}", "type", "object", "null", "properties", parts, "additionalProperties", 0);
    free(names);
    return json_pack("{s:[s, s], s:o, s:o}", "type", "object", "null", "propertyNames", own_scheme_name(),
                     "additionalProperties", one);
}

/* ---- keys ---- */

static json_t *kind_value(const struct key *k) {
    if (strcmp(k->path, "sweep") == 0) return sweep_value();
    if (strcmp(k->path, "profiles") == 0) return profiles_value();
    if (strcmp(k->path, "schemes") == 0) return schemes_value();
    if (strcmp(k->path, "base") == 0) return any_of(json_pack("{s:s}", "type", "string"), block_of(k->path));
    switch (k->kind) {
    case KEY_VALUE: return value_of(&k->param);
    case KEY_SIZES: return sizes_value();
    case KEY_TEXT: return text_value(k->path);
    case KEY_FILE: return any_scalar();
    case KEY_MAP: return block_of(k->path);
    case KEY_LIST: return list_of(k);
    default: return json_object(); /* KEY_ANY */
    }
}

/* Null leaves a key out; "none" does where its default says so. */
static json_t *with_none(json_t *value, const struct key *k) {
    json_t *words = json_pack("[n]");
    if (k->def && (strcmp(k->def, "none") == 0 || text_is_default(k, "none")))
        json_array_append_new(words, json_string("none"));
    if (k->kind == KEY_VALUE && k->param.word) json_array_append_new(words, json_string(k->param.word));
    return any_of(value, json_pack("{s:o}", "enum", words));
}

static json_t *key_schema(const struct key *k) {
    bool is_scalar = k->kind == KEY_VALUE || k->kind == KEY_SIZES || k->kind == KEY_TEXT || k->kind == KEY_FILE;
    json_t *schema = kind_value(k);
    if (is_scalar) schema = with_none(schema, k);
    char *paper = codes_left_out(k->param.paper ? k->param.paper : "");
    json_object_set_new(schema, "description",
                        json_sprintf("%s%s%s%s", k->param.doc, paper[0] ? " [" : "", paper, paper[0] ? "]" : ""));
    free(paper);
    if (k->def && k->def[0] != '=') json_object_set_new(schema, "default", json_string(k->def));
    return schema;
}

void schema_print_json(FILE *out) {
    size_t n;
    const struct key *k = schema_keys(&n);
    json_t *defs = json_object();
    json_object_set_new(defs, "file", file_value());
    char name[KEY_PATH_MAX];
    for (size_t i = 0; i < n; i++) json_object_set_new(defs, def_name(name, k[i].path), key_schema(&k[i]));
    json_t *whole = json_pack("{s:s, s:s, s:s, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                              "title", "heddle experiment", "$ref", "#/$defs/file", "$defs", defs);
    json_dumpf(whole, out, JSON_INDENT(1) | JSON_SORT_KEYS);
    fputc('\n', out);
    json_decref(whole);
}
