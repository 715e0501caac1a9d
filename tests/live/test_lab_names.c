/* SPDX-License-Identifier: Apache-2.0 */
/* The hosts file of a lab. tests/edges/lab_host_names.t has the names inside namespaces. */
#include "live/lab/names.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void text_is(const struct lab *lab, const char *own, const char *expected) {
    char *text = names_text(lab, own);
    assert_string_equal(text, expected);
    free(text);
}

static void names_text__has_nodes_with_an_address(void **state) {
    (void)state;
    struct lab_node node[] = {
        {.name = "h1", .address = "10.0.0.1"}, {.name = "s1", .address = "10.255.0.1"}, {.name = "s2", .address = ""}};
    struct lab lab = {.node = node, .n_nodes = 3};
    text_is(&lab, "machine", "127.0.0.1 localhost machine\n10.0.0.1 h1\n10.255.0.1 s1\n");
}

/* A line of a hosts file has blanks between words, and a comment behind #. */
static void names_text__leaves_out_names_that_would_be_more_than_a_word(void **state) {
    (void)state;
    struct lab_node node[] = {{.name = "two words", .address = "10.0.0.1"},
                              {.name = "h\n10.9.9.9 bank", .address = "10.0.0.2"},
                              {.name = "a#b", .address = "10.0.0.3"},
                              {.name = "rack-1.node_2", .address = "10.0.0.4"}};
    struct lab lab = {.node = node, .n_nodes = 4};
    text_is(&lab, "x y", "127.0.0.1 localhost\n10.0.0.4 rack-1.node_2\n");
}

/* A node of the machine's name is meant inside. */
static void names_text__a_node_has_its_name_before_the_machine(void **state) {
    (void)state;
    struct lab_node node[] = {{.name = "machine", .address = "10.0.0.1"}};
    struct lab lab = {.node = node, .n_nodes = 1};
    text_is(&lab, "machine", "127.0.0.1 localhost\n10.0.0.1 machine\n");
    text_is(&lab, "localhost", "127.0.0.1 localhost\n10.0.0.1 machine\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(names_text__has_nodes_with_an_address),
        UNIT(names_text__leaves_out_names_that_would_be_more_than_a_word),
        UNIT(names_text__a_node_has_its_name_before_the_machine),
    };
    return RUN_UNITS(tests);
}
