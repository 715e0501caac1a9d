/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of a lab: its description, written and read back, and the status of its switches by link and direction. The
 * fabric has one leaf with a host and two spines; two parallel links lead to spine0. */
#include "live/lab/lab_status.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE "test_lab_status"

static const char description[] =
    "{'name': 'x', 'file': 'x.yaml', 'switches': 'heddle-x-switches', 'n_switches': 2,"
    " 'hosts': [{'name': 'host0.0', 'namespace': 'heddle-x-host0.0', 'address': '10.0.0.1'}],"
    " 'nodes': [{'name': 'host0.0', 'address': '10.0.0.1', 'tier': 0, 'pod': 0, 'index': 0},"
    "           {'name': 'leaf0', 'address': '10.255.0.1', 'tier': 1, 'pod': 0, 'index': 0},"
    "           {'name': 'spine-1', 'address': '', 'tier': 2, 'pod': 3, 'index': 1}],"
    " 'links': [{'name': 'host0.0-leaf0', 'ends': [0, 1]}, {'name': 'leaf0-spine-1', 'ends': [1, 2]},"
    "           {'name': 'leaf0-spine-1#1', 'ends': [1, 2]}, {'name': 'nowhere', 'ends': [1, 9]}]}";

static const char status[] =
    "{'switches': [{'name': 'leaf0', 'ports': ["
    "  {'link': 'host0.0-leaf0', 'up': true, 'rate_bps': 100, 'load': 0.25, 'rx_load': 0.75, 'queue_bytes': 7, "
    "'drops': 1},"
    "  {'link': 'leaf0-spine-1', 'up': true, 'rate_bps': 400, 'load': 0.5, 'queue_bytes': 10, 'drops': 2, "
    "'pauses_sent': 3},"
    "  {'link': 'leaf0-spine-1#1', 'up': true, 'rate_bps': 400, 'load': 0, 'queue_bytes': 0, 'drops': 0}]},"
    " {'name': 'spine-1', 'ports': ["
    "  {'link': 'leaf0-spine-1', 'up': true, 'rate_bps': 400, 'load': 0.125, 'queue_bytes': 5, 'drops': 4, "
    "'pauses_sent': 6},"
    "  {'link': 'leaf0-spine-1#1', 'up': false, 'rate_bps': 400, 'load': 0, 'queue_bytes': 0, 'drops': 0},"
    "  {'link': 'of another fabric', 'up': true, 'load': 1}]}]}";

static json_t *parsed(const char *text) {
    char *quoted = strdup(text);
    for (char *c = quoted; *c; c++) *c = *c == '\'' ? '"' : *c;
    json_t *o = json_loads(quoted, 0, NULL);
    assert_non_null(o);
    free(quoted);
    return o;
}

static struct lab *lab_of_description(void) {
    struct diag d = {0};
    json_t *o = parsed(description);
    mkdir(STATE, 0755);
    mkdir(STATE "/x", 0755);
    assert_int_equal(json_dump_file(o, STATE "/x/lab.json", 0), 0);
    struct lab *lab = lab_find(STATE, "x", &d);
    unlink(STATE "/x/lab.json");
    rmdir(STATE "/x");
    rmdir(STATE);
    json_decref(o);
    assert_non_null(lab);
    return lab;
}

static const json_t *member(const json_t *list, const char *key, const char *value) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), key)), value) == 0)
            return json_array_get(list, i);
    fail_msg("no %s %s", key, value);
    return NULL;
}

static double number(const json_t *o, const char *key) {
    const json_t *value = json_object_get(o, key);
    if (!json_is_number(value)) fail_msg("no %s", key);
    return json_number_value(value);
}

/* Returns the status of the lab; `said` is the answer of its switches, NULL: none. */
static json_t *joined(const char *said) {
    struct lab *lab = lab_of_description();
    json_t *o, *of = said ? parsed(said) : NULL;
    o = said ? lab_status_join(lab, of) : lab_status_silent(lab, "gone");
    json_decref(of);
    lab_free(lab);
    return o;
}

static void join__nodes_have_place_and_address(void **state) {
    (void)state;
    json_t *o = joined(status);
    const json_t *nodes = json_object_get(o, "nodes"), *spine = member(nodes, "name", "spine-1");
    assert_int_equal(json_array_size(nodes), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(nodes, 0), "name")), "host0.0");
    assert_true(number(spine, "tier") == 2 && number(spine, "pod") == 3 && number(spine, "index") == 1);
    assert_string_equal(json_string_value(json_object_get(member(nodes, "name", "leaf0"), "address")), "10.255.0.1");
    assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(o, "hosts"), 0), "address")),
                        "10.0.0.1");
    json_decref(o);
}

static void join__a_link_sums_both_ends_and_has_the_busier_load(void **state) {
    (void)state;
    json_t *o = joined(status);
    const json_t *links = json_object_get(o, "links"), *l = member(links, "name", "leaf0-spine-1");
    const json_t *ways = json_object_get(l, "ways"), *up = member(ways, "from", "leaf0"),
                 *down = member(ways, "from", "spine-1");
    assert_int_equal(json_array_size(links), 3);
    assert_string_equal(json_string_value(json_array_get(json_object_get(l, "ends"), 0)), "leaf0");
    assert_string_equal(json_string_value(json_array_get(json_object_get(l, "ends"), 1)), "spine-1");
    assert_true(number(l, "load") == 0.5 && number(l, "queue_bytes") == 15 && number(l, "drops") == 6);
    assert_true(number(l, "pauses") == 9 && number(l, "rate_bps") == 400 && json_is_true(json_object_get(l, "up")));
    assert_true(number(up, "load") == 0.5 && number(down, "load") == 0.125);
    assert_true(number(up, "queue_bytes") == 10 && number(down, "pauses") == 6);
    json_decref(o);
}

static void join__what_a_host_sends_is_what_its_switch_receives(void **state) {
    (void)state;
    json_t *o = joined(status);
    const json_t *l = member(json_object_get(o, "links"), "name", "host0.0-leaf0"), *ways = json_object_get(l, "ways");
    assert_true(number(l, "load") == 0.75 && number(member(ways, "from", "host0.0"), "load") == 0.75);
    assert_true(number(member(ways, "from", "leaf0"), "load") == 0.25 && number(l, "queue_bytes") == 7);
    assert_null(json_object_get(member(ways, "from", "host0.0"), "drops")); /* no switch reports them */
    json_decref(o);
}

static void join__a_link_is_down_if_one_end_says_so(void **state) {
    (void)state;
    json_t *o = joined(status);
    const json_t *links = json_object_get(o, "links");
    assert_true(json_is_false(json_object_get(member(links, "name", "leaf0-spine-1#1"), "up")));
    assert_true(json_is_true(json_object_get(member(links, "name", "leaf0-spine-1"), "up")));
    json_decref(o);
}

static void silent__has_the_fabric_and_no_numbers(void **state) {
    (void)state;
    json_t *o = joined(NULL);
    const json_t *l = member(json_object_get(o, "links"), "name", "leaf0-spine-1");
    assert_true(json_is_false(json_object_get(o, "answers")));
    assert_string_equal(json_string_value(json_object_get(o, "error")), "gone");
    assert_int_equal(json_array_size(json_object_get(o, "nodes")), 3);
    assert_int_equal(json_array_size(json_object_get(l, "ends")), 2);
    assert_null(json_object_get(l, "load"));
    json_decref(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(join__nodes_have_place_and_address),
        UNIT(join__a_link_sums_both_ends_and_has_the_busier_load),
        UNIT(join__what_a_host_sends_is_what_its_switch_receives),
        UNIT(join__a_link_is_down_if_one_end_says_so),
        UNIT(silent__has_the_fabric_and_no_numbers),
    };
    return RUN_UNITS(tests);
}
