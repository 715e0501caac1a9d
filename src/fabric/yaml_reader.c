/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/yaml_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool is_not_yaml(const yaml_parser_t *p, const char *path, const char *text, size_t size, struct diag *d) {
    const yaml_mark_t at = p->problem_mark;
    const char *problem = p->problem ? p->problem : "unreadable";
    if (text_tab_at(text, size, at.line, at.column)) problem = "a tab; write blanks in its place";
    return diag_fail(d, path, (int)at.line + 1, (int)at.column + 1, "this is not YAML: %s", problem);
}

/* ---- texts that libyaml would take hours for ---- */

/* libyaml compares each anchor with all before it, and looks at all open brackets for each word. */
#define ANCHORS_MAX 1000
#define DEPTH_MAX 64

/* Returns whether the text may have more anchors or open brackets than that; quoted ones count too. */
static bool is_suspect(const char *text, size_t size) {
    size_t anchors = 0, depth = 0, deepest = 0;
    for (size_t i = 0; i < size; i++) {
        anchors += text[i] == '&';
        if (text[i] == '[' || text[i] == '{') depth++;
        if ((text[i] == ']' || text[i] == '}') && depth > 0) depth--;
        if (depth > deepest) deepest = depth;
    }
    return anchors > ANCHORS_MAX || deepest > DEPTH_MAX;
}

static bool has_anchor(const yaml_event_t *e) {
    return (e->type == YAML_SCALAR_EVENT && e->data.scalar.anchor) ||
           (e->type == YAML_SEQUENCE_START_EVENT && e->data.sequence_start.anchor) ||
           (e->type == YAML_MAPPING_START_EVENT && e->data.mapping_start.anchor);
}

/* Reads events until one is beyond the bounds, and fails there. The loader tells whatever else is wrong. */
static bool bounds_check(const char *path, const char *text, size_t size, struct diag *d) {
    yaml_parser_t parser;
    size_t anchors = 0, depth = 0;
    bool more = true, fine = true;
    if (!yaml_parser_initialize(&parser)) return diag_fail_in(d, path, "no memory to read the file");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (more && fine) {
        yaml_event_t e;
        if (!yaml_parser_parse(&parser, &e)) break;
        depth += e.type == YAML_SEQUENCE_START_EVENT || e.type == YAML_MAPPING_START_EVENT;
        depth -= e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT;
        anchors += has_anchor(&e);
        fine = anchors <= ANCHORS_MAX && depth <= DEPTH_MAX;
        if (!fine)
            diag_fail(d, path, (int)e.start_mark.line + 1, (int)e.start_mark.column + 1, "%s; this is no fabric",
                      depth > DEPTH_MAX ? "too many brackets, one in the other" : "too many anchors");
        more = e.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
    return fine;
}

bool yaml_reader_open(struct yaml_reader *r, const char *path, const char *text, size_t size, struct diag *d) {
    yaml_parser_t parser;
    *r = (struct yaml_reader){.path = path, .d = d};
    if (is_suspect(text, size) && !bounds_check(path, text, size, d)) return false;
    if (!yaml_parser_initialize(&parser)) return diag_fail_in(d, path, "no memory to read the file");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool loaded = yaml_parser_load(&parser, &r->document);
    if (!loaded) is_not_yaml(&parser, path, text, size, d);
    yaml_parser_delete(&parser);
    return loaded;
}

void yaml_reader_close(struct yaml_reader *r) { yaml_document_delete(&r->document); }

struct file_place yaml_place(const struct yaml_reader *r, const yaml_node_t *at) {
    return (struct file_place){r->path, (int)at->start_mark.line + 1, (int)at->start_mark.column + 1, r->d};
}

bool yaml_fail(const struct yaml_reader *r, const yaml_node_t *at, const char *fmt, ...) {
    const struct file_place place = yaml_place(r, at);
    char text[sizeof r->d->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return place_fail(&place, "%s", text);
}

const char *yaml_scalar(const yaml_node_t *n) {
    if (!n || n->type != YAML_SCALAR_NODE) return NULL;
    const char *text = (const char *)n->data.scalar.value;
    return strlen(text) == n->data.scalar.length ? text : NULL;
}

yaml_node_t *yaml_get(struct yaml_reader *r, const yaml_node_t *map, const char *key) {
    if (!map || map->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *text = yaml_scalar(yaml_document_get_node(&r->document, pair->key));
        if (text && strcmp(text, key) == 0) return yaml_document_get_node(&r->document, pair->value);
    }
    return NULL;
}

uint32_t yaml_count(const yaml_node_t *n) {
    if (n && n->type == YAML_SEQUENCE_NODE)
        return (uint32_t)(n->data.sequence.items.top - n->data.sequence.items.start);
    if (n && n->type == YAML_MAPPING_NODE) return (uint32_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
    return 0;
}

yaml_node_t *yaml_item(struct yaml_reader *r, const yaml_node_t *list, uint32_t i) {
    return yaml_document_get_node(&r->document, list->data.sequence.items.start[i]);
}
