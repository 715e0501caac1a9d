/* SPDX-License-Identifier: Apache-2.0 */
/* The number of paths that a frame can be pinned to, and whether both directions have the same paths. */
#include "fabric/choices.h"
#include "fabric/fabric_build.h"
#include "fabric/symmetry.h"
#include "fabric_test.h"

/* Returns the choices at the leaf and at the agg as text, "2 x 3". */
static const char *choices_text(const struct fabric *f, const char *src, const char *dst) {
    static char buf[32];
    uint16_t choices[2];
    fabric_path_choices(f, node(f, src), node(f, dst), choices);
    snprintf(buf, sizeof buf, "%u x %u", choices[0], choices[1]);
    return buf;
}

static void path_choices__by_distance(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(2, 3, 4, 5, 2));
    assert_string_equal(choices_text(f, "host0.0.0", "host1.2.1"), "4 x 5");
    assert_string_equal(choices_text(f, "host0.0.0", "host0.2.1"), "4 x 1"); /* one path below an agg of the own pod */
    assert_string_equal(choices_text(f, "host0.0.0", "host0.0.1"), "1 x 1");
    fabric_destroy(f);
    f = made(spec_leaf_spine(3, 4, 2));
    assert_string_equal(choices_text(f, "host0.0", "host2.1"), "4 x 1");
    fabric_destroy(f);
    f = made(spec_parking_lot(2));
    assert_string_equal(choices_text(f, "host0.0", "host2.1"), "1 x 1");
    fabric_destroy(f);
}

static void path_choices__without_links_dead_from_the_start(void **state) {
    (void)state;
    struct link_failure dead[] = {{.link = "agg0.1-core1.0", .repair_at = TIME_NONE},
                                  {.link = "tor1.2-agg1.3", .repair_at = TIME_NONE},
                                  {.link = "agg0.2-core2.0", .at = MS, .repair_at = TIME_NONE}};
    struct fabric_spec spec = spec_clos(2, 3, 4, 2, 2);
    spec.failed = dead, spec.n_failed = 3;
    struct fabric *f = made(spec);
    assert_string_equal(choices_text(f, "host0.0.0", "host1.0.0"), "4 x 2"); /* agg 1 has one, the others two */
    assert_string_equal(choices_text(f, "host0.0.0", "host1.2.1"), "3 x 2");
    assert_string_equal(choices_text(f, "host1.2.1", "host0.0.0"), "3 x 2");
    fabric_destroy(f);
}

/* ---- symmetry ---- */

static struct fabric *read_text(const char *text) {
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    return f;
}

#define RACKS                                                                                                          \
    "nodes: [{name: a}, {name: b}, {name: c}, {name: ha}, {name: hb}, {name: hc}, {name: s, tier: agg},\n"             \
    "  {name: t, tier: agg}]\n"                                                                                        \
    "links: [{a: a, b: ha}, {a: b, b: hb}, {a: c, b: hc}, {a: a, b: s}, {a: a, b: t}, {a: b, b: s}, {a: b, b: t}"

static void assert_symmetric(struct fabric *f) {
    struct fabric_asymmetry first;
    if (!fabric_symmetry_walk(f, &first)) fail_msg("racks %u and %u, state %u", first.rack, first.other, first.state);
    assert_true(fabric_is_symmetric(f, &first));
    fabric_destroy(f);
}

static void assert_asymmetric(struct fabric *f, const char *rack, const char *other, uint32_t in_state) {
    struct fabric_asymmetry first = {0};
    assert_false(fabric_is_symmetric(f, &first));
    assert_string_equal(name_of(f, f->paths.leaf_node[first.rack]), rack);
    assert_string_equal(name_of(f, f->paths.leaf_node[first.other]), other);
    assert_int_equal(first.state, in_state);
    fabric_destroy(f);
}

static void symmetry__of_kinds_with_names(void **state) {
    (void)state;
    assert_symmetric(made(spec_clos(3, 2, 3, 2, 1)));
    assert_symmetric(made(spec_fat_tree(4)));
    assert_symmetric(made(spec_leaf_spine(4, 3, 1)));
    assert_symmetric(made(spec_star(3)));
    assert_symmetric(made(spec_dumbbell(2)));
    assert_symmetric(made(spec_parking_lot(5)));
}

static void symmetry__of_files(void **state) {
    (void)state;
    assert_symmetric(read_text(RACKS ", {a: c, b: s}, {a: c, b: t}]\n"));
    assert_symmetric(read_text(RACKS ", {a: c, b: s}]\n")); /* one path between c and the others */
}

/* The upper switch chooses among parallel links downwards; the switch beside it has no choice upwards. Paths are not
 * symmetric. */
static void symmetry__parallel_links(void **state) {
    (void)state;
    assert_asymmetric(read_text(RACKS ", {a: c, b: s}, {a: c, b: s}]\n"), "a", "c", 0);
    assert_asymmetric(read_text(RACKS ", {a: a, b: t}, {a: c, b: s}, {a: c, b: t}]\n"), "a", "b", 0);
}

/* Ports stand in the order of the neighbours' numbers, so unlike planes give unlike choices: x above a, b and y above a
 * are the second and third choice of one leaf but the first and second of the other. */
static void symmetry__ways_that_cross(void **state) {
    (void)state;
    assert_asymmetric(
        read_text("nodes: [{name: a}, {name: b}, {name: ha}, {name: hb}, {name: p, tier: agg}, {name: q, tier: agg},\n"
                  "  {name: r, tier: agg}, {name: u, tier: agg}, {name: x, tier: core}, {name: y, tier: core}]\n"
                  "links: [{a: a, b: ha}, {a: b, b: hb}, {a: a, b: p}, {a: a, b: q}, {a: b, b: r}, {a: b, b: u},\n"
                  "  {a: p, b: y}, {a: q, b: x}, {a: r, b: x}, {a: u, b: y}]\n"),
        "a", "b", 0);
}

/* The fabric is symmetric until a parallel link is repaired. */
static void symmetry__of_a_later_state(void **state) {
    (void)state;
    static const char text[] = RACKS ", {a: c, b: s}, {a: c, b: s}]\n";
    struct link_failure dead = {.link = "c-s#1", .repair_at = 5 * MS};
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    s.failed = &dead, s.n_failed = 1;
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    assert_non_null(f);
    assert_asymmetric(f, "a", "c", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(path_choices__by_distance),     UNIT(path_choices__without_links_dead_from_the_start),
        UNIT(symmetry__of_kinds_with_names), UNIT(symmetry__of_files),
        UNIT(symmetry__parallel_links),      UNIT(symmetry__ways_that_cross),
        UNIT(symmetry__of_a_later_state),
    };
    return RUN_UNITS(tests);
}
