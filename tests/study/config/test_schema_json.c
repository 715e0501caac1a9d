/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of experiment files: for each kind of key, what an editor with it takes and refuses. Expected JSON is written
 * with ' in place of ". */
#include "study/config/schema.h"

#include "unit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *schema;

static int schema_read(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    schema_print_json(out);
    fclose(out);
    if (!size || text[size - 1] != '\n') return -1;
    schema = json_loads(text, 0, NULL);
    free(text);
    return schema ? 0 : -1;
}

static int schema_drop(void **state) {
    (void)state;
    json_decref(schema);
    return 0;
}

static json_t *definition(const char *name) {
    json_t *found = json_object_get(json_object_get(schema, "$defs"), name);
    if (!found) fail_msg("no schema of %s", name);
    return found;
}

/* Fails the test unless `value` is this JSON. */
static void is_json(const char *what, json_t *value, const char *expected) {
    char *text = strdup(expected);
    for (char *c = text; *c; c++) *c = *c == '\'' ? '"' : *c;
    json_error_t e;
    json_t *wanted = json_loads(text, JSON_DECODE_ANY, &e);
    if (!wanted) fail_msg("%s: %s at %d of %s", what, e.text, e.position, text);
    if (!json_equal(value, wanted)) fail_msg("%s: %s", what, json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY));
    json_decref(wanted);
    free(text);
}

/* Fails the test unless the value part of a key's schema is this. */
static void takes(const char *key, const char *expected) {
    is_json(key, json_object_get(definition(key), "anyOf"), expected);
}

#define ZERO "[-+]?(0+\\\\.?0*|\\\\.0+)([eE][-+]?[0-9]+)?"
#define NUMBER "[-+]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][-+]?[0-9]+)?"
#define QUANTITY(units) "{'type': 'string', 'pattern': '^(" ZERO "|" NUMBER " ?(" units "))$'}"
#define REF(name) "{'$ref': '#/$defs/" name "'}"
#define RANGE "{'type': 'string', 'pattern': '^[0-9]+\\\\.\\\\.[0-9]+$'}"
#define SCALAR "{'type': ['string', 'number', 'boolean']}"

/* A number without a unit is one of its range where the type has none, else it is 0. */
static void schema__quantities(void **state) {
    (void)state;
    takes("run.seed", "[{'anyOf': [{'type': 'number', 'minimum': 0.0}, " QUANTITY("") "]}, {'enum': [null]}]");
    takes("fabric.hosts", "[{'anyOf': [{'type': 'number', 'minimum': 1.0, 'maximum': 1000000.0}, " QUANTITY(
                              "") "]}, {'enum': [null]}]");
    takes("workload.*.load",
          "[{'anyOf': [{'type': 'number', 'minimum': 1e-9, 'maximum': 10.0}, " QUANTITY("|%") "]}, {'enum': [null]}]");
    takes("run.until", "[{'anyOf': [{'const': 0}, " QUANTITY("ps|ns|us|ms|s") "]}, {'enum': [null, 'none']}]");
    takes("fabric.rate",
          "[{'anyOf': [{'const': 0}, " QUANTITY("bps|Kbps|Mbps|Gbps|Tbps") "]}, {'enum': [null, 'none']}]");
    takes("switch.buffer",
          "[{'anyOf': [{'const': 0}, " QUANTITY("B|KB|MB|GB|TB|KiB|MiB|GiB") "]}, {'enum': [null, 'none']}]");
}

/* A queue may be in frames, a moment in shares of the arrivals. */
static void schema__queues_and_moments(void **state) {
    (void)state;
    takes("host.nic_queue",
          "[{'anyOf': [{'const': 0}, " QUANTITY("B|KB|MB|GB|KiB|MiB|GiB|frames?") "]}, {'enum': [null]}]");
    takes("fabric.failed.*.at", "[{'anyOf': [{'const': 0}, " QUANTITY("ps|ns|us|ms|s|%") "]}, {'enum': [null]}]");
}

/* YAML reads true and false as truth values, in a choice too. */
static void schema__choices(void **state) {
    (void)state;
    takes("switch.push_out", "[{'enum': [true, false, 'true', 'false']}, {'enum': [null]}]");
    takes("expect.*.known.*.holds",
          "[{'enum': [true, 'roughly', false, 'undecided', 'unmeasured']}, {'enum': [null]}]");
    takes(
        "host.transport",
        "[{'enum': ['newreno', 'cubic', 'dctcp', 'dx', 'hull', 'expresspass', 'spraypass', 'udp']}, {'enum': [null]}]");
}

/* Any text is a title or a path; "none" is one where it is the default. */
static void schema__texts(void **state) {
    (void)state;
    takes("title", "[" SCALAR ", {'enum': [null, 'none']}]");
    takes("fabric.path", "[" SCALAR ", {'enum': [null]}]");
    json_t *sizes = json_array_get(
        json_object_get(json_array_get(json_object_get(definition("workload.*.sizes"), "anyOf"), 0), "anyOf"), 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(sizes, "enum"), 0)), "web-search");
    is_json(
        "sizes",
        json_array_get(
            json_object_get(json_array_get(json_object_get(definition("workload.*.sizes"), "anyOf"), 0), "anyOf"), 1),
        SCALAR);
}

/* A description has the key's codes of choices left out, and its paper in brackets. A default that another key decides is none. */
static void schema__descriptions(void **state) {
    (void)state;
    is_json("seed", json_object_get(definition("run.seed"), "description"), "'seed of all random streams'");
    is_json("paper", json_object_get(definition("host.cubic.limited_transmit"), "description"),
            "'duplicate ACKs below the threshold release new data [RFC 3042]'");
    is_json("default", json_object_get(definition("run.seed"), "default"), "'1'");
    assert_null(json_object_get(definition("fabric.hosts"), "default"));
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(schema, "$defs"), key, value) {
        const char *def = json_string_value(json_object_get(value, "default"));
        if (def && def[0] == '=') fail_msg("%s has the default %s", key, def);
    }
}

/* A block has its keys and no others, and may be null. One item may stand without its list. */
static void schema__blocks_and_lists(void **state) {
    (void)state;
    is_json("base", json_object_get(definition("base"), "anyOf"),
            "[{'type': 'string'}, {'type': ['object', 'null'], 'additionalProperties': false, 'properties': "
            "{'expect': " REF("base.expect") ", 'figure': " REF("base.figure") ", 'file': " REF("base.file") "}}]");
#define FAILED                                                                                                         \
    "{'type': ['object', 'null'], 'additionalProperties': false, 'properties': {'at': " REF(                           \
        "fabric.failed.*.at") ", 'detect': " REF("fabric.failed.*.detect") ", 'link': " REF("fabric.failed.*.link") ", 'loss': " REF("fabric.failed.*.loss") ", 'rate': " REF("fabric.failed.*.rate") ", 'repair_at': " REF("fabric.failed.*.repair_at") "}}"
    takes("fabric.failed", "[{'type': 'array', 'items': " FAILED "}, " FAILED "]");
    takes("measure.classes",
          "[{'type': 'array', 'items': " REF("measure.classes.*") "}, " REF("measure.classes.*") "]");
}

/* The phases of a run may be a block of names, each with a list of its other two values. */
static void schema__lists_by_name(void **state) {
    (void)state;
#define PHASE                                                                                                          \
    "{'type': ['object', 'null'], 'additionalProperties': false, 'properties': {'from': " REF(                         \
        "measure.phases.*.from") ", 'name': " REF("measure.phases.*.name") ", 'to': " REF("measure.phases.*.to") "}}"
    takes("measure.phases",
          "[{'anyOf': [{'type': 'array', 'items': " PHASE "}, " PHASE
          "]}, {'type': 'object', 'additionalProperties': {'type': 'array', 'minItems': 2, 'maxItems': 2}}]");
}

/* The parameters of transports may stand right under host; of two transports with one of that name, the first has it. */
static void schema__parameters_of_transports(void **state) {
    (void)state;
    json_t *host = json_object_get(definition("host"), "properties");
    is_json("mss", json_object_get(host, "mss"), REF("host.newreno.mss"));
    is_json("g", json_object_get(host, "g"), REF("host.dctcp.g"));
    is_json("dctcp", json_object_get(host, "dctcp"), REF("host.dctcp"));
    is_json("transport", json_object_get(host, "transport"), REF("host.transport"));
    assert_null(json_object_get(host, "hosts"));
    assert_null(json_object_get(json_object_get(definition("switch"), "properties"), "core_loads"));
    assert_null(json_object_get(json_object_get(definition("file"), "properties"), "mss"));
}

/* An axis of a sweep is a list of values or of ranges. A block or a list may have named ones. Keys of lists have the number of
 * their item, which a list of one item leaves out. */
static void schema__sweeps(void **state) {
    (void)state;
#define AXIS(key) "{'type': ['array', 'null'], 'items': {'anyOf': [" REF(key) ", " RANGE "]}}"
#define NAMED(key) "{'type': 'object', 'additionalProperties': " REF(key) ", 'minProperties': 1}"
    json_t *plain = json_object_get(definition("sweep"), "properties"),
           *numbered = json_object_get(definition("sweep"), "patternProperties");
    is_json("type", json_object_get(definition("sweep"), "type"), "['object', 'null']");
    is_json("seed", json_object_get(plain, "run.seed"), AXIS("run.seed"));
    is_json("fabric", json_object_get(plain, "fabric"), "{'anyOf': [" AXIS("fabric") ", " NAMED("fabric") "]}");
    is_json("failed", json_object_get(plain, "fabric.failed"),
            "{'anyOf': [" AXIS("fabric.failed") ", " NAMED("fabric.failed") "]}");
    is_json("at", json_object_get(numbered, "^fabric\\.failed(\\.[0-9]+)?\\.at$"), AXIS("fabric.failed.*.at"));
    is_json("priorities", json_object_get(numbered, "^workload(\\.[0-9]+)?\\.priorities$"),
            "{'anyOf': [" AXIS("workload.*.priorities") ", " NAMED("workload.*.priorities") "]}");
    is_json("priority", json_object_get(numbered, "^workload(\\.[0-9]+)?\\.priorities\\.[0-9]+$"),
            AXIS("workload.*.priorities.*"));
    /* the parameters of a transport have two paths: host.mss and host.newreno.mss */
    is_json("mss", json_object_get(numbered, "^host\\.newreno\\.mss$"), AXIS("host.newreno.mss"));
    assert_null(json_object_get(plain, "host.newreno.mss"));
    assert_non_null(json_object_get(plain, "host.transport"));
}

/* A file, and each profile of it, has the top keys, and the path of any other key with a value or an axis. */
static void schema__files_and_profiles(void **state) {
    (void)state;
    is_json("$ref", json_object_get(schema, "$ref"), "'#/$defs/file'");
    is_json("title", json_object_get(schema, "title"), "'heddle experiment'");
    json_t *file = definition("file"), *paths = json_object_get(file, "patternProperties");
    is_json("fabric", json_object_get(json_object_get(file, "properties"), "fabric"), REF("fabric"));
    is_json("other", json_object_get(file, "additionalProperties"), "false");
    assert_null(json_object_get(json_object_get(file, "properties"), "hosts"));
    is_json("seed", json_object_get(paths, "^run\\.seed$"),
            "{'anyOf': [{'anyOf': [" REF("run.seed") ", {'type': 'array', 'items': {'anyOf': [" REF(
                "run.seed") ", " RANGE "]}}]}, {'type': 'null'}]}");
    assert_null(json_object_get(paths, "^run$"));
    is_json("profiles", json_object_get(definition("profiles"), "additionalProperties"), REF("file"));
    is_json("profiles", json_object_get(definition("profiles"), "type"), "['object', 'null']");
}

/* A scheme of a file has a name that no other scheme has, and may start from one. */
static void schema__schemes(void **state) {
    (void)state;
    json_t *schemes = definition("schemes"), *names = json_object_get(schemes, "propertyNames"),
           *taken = json_object_get(json_object_get(names, "not"), "enum");
    is_json("pattern", json_object_get(names, "pattern"), "'^[A-Za-z0-9_-]+$'");
    is_json("first", json_array_get(taken, 0), "'ecmp'");
    json_t *one = json_object_get(schemes, "additionalProperties"), *parts = json_object_get(one, "properties");
    is_json("one", json_object_get(one, "additionalProperties"), "false");
    is_json("switch", json_object_get(parts, "switch"), REF("switch"));
    is_json("host", json_object_get(parts, "host"), REF("host"));
    json_t *start = json_object_get(json_object_get(parts, "scheme"), "anyOf");
    assert_true(json_equal(json_object_get(json_array_get(start, 0), "enum"), taken));
    is_json("none", json_array_get(start, 1), "{'enum': [null, 'none']}");
    json_t *scheme = json_object_get(json_array_get(json_object_get(definition("scheme"), "anyOf"), 0), "anyOf");
    assert_true(json_equal(json_object_get(json_array_get(scheme, 0), "enum"), taken));
    assert_true(json_equal(json_array_get(scheme, 1), names));
}

/* Whatever refers to a schema finds it. */
static void references_are_found(const json_t *value) {
    const char *key, *name = json_string_value(json_object_get(value, "$ref"));
    json_t *part;
    size_t i;
    if (name) {
        assert_int_equal(strncmp(name, "#/$defs/", 8), 0);
        definition(name + 8);
    }
    json_object_foreach((json_t *)value, key, part) references_are_found(part);
    json_array_foreach(value, i, part) references_are_found(part);
}

static void schema__references(void **state) {
    (void)state;
    references_are_found(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(schema__quantities),    UNIT(schema__queues_and_moments),
        UNIT(schema__choices),       UNIT(schema__texts),
        UNIT(schema__descriptions),  UNIT(schema__blocks_and_lists),
        UNIT(schema__lists_by_name), UNIT(schema__parameters_of_transports),
        UNIT(schema__sweeps),        UNIT(schema__files_and_profiles),
        UNIT(schema__schemes),       UNIT(schema__references),
    };
    return cmocka_run_group_tests(tests, schema_read, schema_drop);
}
