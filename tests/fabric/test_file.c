/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics read from YAML. */
#include <stdlib.h>
#include <unistd.h>

#include "fabric/fabric_build.h"
#include "fabric_test.h"

static struct fabric_spec spec_file(void) {
    struct fabric_spec s = spec_of("file");
    s.path = "net.yaml";
    return s;
}

static struct fabric *read_text(const char *text) {
    struct fabric_spec s = spec_file();
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    return f;
}

static void assert_error(const char *text, const char *expected) {
    struct fabric_spec s = spec_file();
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (f) fabric_destroy(f);
    assert_null(f);
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
}

/* Two leaves with two hosts each and two aggs; the file gives no tiers, the reader infers them. */
static const char leaf_spine[] = "nodes: [{name: s2}, {name: s1}, {name: x}, {name: y},\n"
                                 "        {name: h1}, {name: h2}, {name: h3}, {name: h4}]\n"
                                 "links:\n"
                                 "  - {a: s1, b: h1, rate: 1Gbps, delay: 1us}\n"
                                 "  - {a: h2, b: s1}\n"
                                 "  - {a: s2, b: h3}\n"
                                 "  - {a: s2, b: h4}\n"
                                 "  - {a: x, b: s1, rate: 40Gbps, loss: 0.1%}\n"
                                 "  - {a: x, b: s2}\n"
                                 "  - {a: y, b: s1, delay: 0}\n"
                                 "  - {a: y, b: s2}\n";

static void file__tiers_are_found(void **state) {
    (void)state;
    struct fabric *f = read_text(leaf_spine);
    assert_int_equal(f->n_hosts, 4);
    assert_int_equal(f->n_leaves, 2);
    assert_int_equal(f->n_switches, 4);
    assert_int_equal(f->tiers, 2);
    assert_int_equal(f->n_pods, 1);
    assert_int_equal(f->paths_intra_pod, 2);
    assert_string_equal(name_of(f, f->n_hosts), "s2"); /* leaves keep the order of the file */
    assert_string_equal(name_of(f, 0), "h3");          /* hosts follow the order of their leaves */
    assert_string_equal(hops_text(f, 0, "s1", "s2"), "x y");
    assert_int_equal(fabric_node_find(f, "nobody"), NODE_NONE);
    for (uint32_t n = 0; n < f->n_nodes; n++) assert_int_equal(fabric_node_find(f, name_of(f, n)), n);
    fabric_destroy(f);
}

static void file__rates_delays_and_losses(void **state) {
    (void)state;
    struct fabric *f = read_text(leaf_spine);
    const struct place_port *h1 = &f->paths.port[f->paths.first_port[node(f, "h1")]];
    assert_int_equal(h1->rate_bps, 1 * GBPS);
    assert_int_equal(h1->delay, 1 * US);
    const struct place *s1 = place_of(f, "s1");
    assert_int_equal(s1->port[1].rate_bps, 10 * GBPS); /* h2 has the experiment's rate */
    assert_int_equal(s1->port[1].delay, 2 * US);
    assert_int_equal(s1->port[2].rate_bps, 40 * GBPS);
    assert_int_equal(s1->port[2].loss_ppb, 1000000);
    assert_int_equal(s1->port[3].delay, 0);
    assert_int_equal(f->paths.port[s1->port[2].peer].rate_bps, 40 * GBPS);
    fabric_destroy(f);
}

static void file__three_tiers_and_pods(void **state) {
    (void)state;
    struct fabric *f =
        read_text("nodes: [{name: c}, {name: a1}, {name: a2}, {name: t1}, {name: t2}, {name: t3},\n"
                  "  {name: p}, {name: q}, {name: r}, {name: p2}, {name: q2}, {name: r2}]\n"
                  "links: [{a: p, b: t1}, {a: q, b: t2}, {a: r, b: t3}, {a: p2, b: t1}, {a: q2, b: t2},\n"
                  "  {a: r2, b: t3}, {a: t1, b: a1}, {a: t2, b: a2}, {a: t3, b: a1}, {a: a1, b: c}, {a: a2, b: c}]\n");
    assert_int_equal(f->tiers, 3);
    assert_int_equal(f->n_pods, 2);
    assert_string_equal(name_of(f, f->n_hosts + 1), "t3"); /* the leaves of a pod have consecutive numbers */
    assert_int_equal(f->node[node(f, "t3")].pod, 0);
    assert_int_equal(f->node[node(f, "t3")].index, 1);
    assert_int_equal(f->node[node(f, "t2")].pod, 1);
    assert_int_equal(f->node[node(f, "a2")].pod, 1);
    assert_int_equal(f->node[node(f, "c")].tier, TIER_CORE);
    assert_string_equal(hops_text(f, 0, "t1", "t3"), "a1");
    assert_string_equal(hops_text(f, 0, "t1", "t2"), "a1");
    assert_string_equal(hops_text(f, 0, "a1", "t2"), "c");
    assert_int_equal(f->population.pod_up_bps[0], 10 * GBPS);
    fabric_destroy(f);
}

static void file__parallel_links(void **state) {
    (void)state;
    struct fabric *f =
        read_text("nodes: [{name: l1}, {name: l2}, {name: s, tier: agg}, {name: a}, {name: b}]\n"
                  "links: [{a: l1, b: a}, {a: l2, b: b}, {a: l1, b: s}, {a: s, b: l1}, {a: l2, b: s}]\n");
    assert_string_equal(hops_text(f, 0, "l1", "l2"), "s s#1");
    assert_string_equal(hops_text(f, 0, "s", "l1"), "l1 l1#1");
    assert_int_equal(f->paths_intra_pod, 2);
    uint32_t l1 = node(f, "l1"), s = node(f, "s");
    assert_int_equal(fabric_port_find(f, l1, "s#1"), 2);
    assert_int_equal(fabric_port_find(f, l1, "s#2"), PORT_NONE);
    assert_int_equal(f->paths.port[f->paths.first_port[l1] + 2].peer, f->paths.first_port[s] + 1);
    fabric_destroy(f);
}

static void file__failure_of_a_parallel_link(void **state) {
    (void)state;
    const char *text = "nodes: [{name: l-1}, {name: l-2}, {name: s, tier: agg}, {name: a}, {name: b}]\n"
                       "links: [{a: l-1, b: a}, {a: l-2, b: b}, {a: l-1, b: s}, {a: s, b: l-1}, {a: l-2, b: s}]\n";
    struct link_failure dead = {.link = "s-l-1#1", .repair_at = TIME_NONE};
    struct fabric_spec spec = spec_file();
    struct diag d = {0};
    spec.failed = &dead, spec.n_failed = 1;
    struct fabric *f = fabric_create_text(&spec, text, strlen(text), &d);
    assert_non_null(f);
    assert_string_equal(hops_text(f, 0, "l-1", "l-2"), "s");
    assert_int_equal(f->n_events, 4);
    fabric_destroy(f);
    dead.link = "s-l-1#2";
    assert_null(fabric_create_text(&spec, text, strlen(text), &d));
    assert_string_equal(
        d.text, "there is no link \"s-l-1#2\"; write NODE-NODE of two neighbours, nodes are those named in the file");
}

/* The line that tells roles has every node without a tier, by name and in the order of its numbers; `expected` is what
 * stands between its head and its remedy. NULL: there is no line. */
static void assert_roles(const char *text, const char *expected) {
    struct fabric *f = read_text(text);
    const char *roles = fabric_roles(f);
    char line[4096];
    snprintf(line, sizeof line,
             "net.yaml: note: roles inferred from links: %s; write tier: host, leaf, agg or core beside a name to "
             "change one",
             expected);
    if (expected) assert_string_equal(roles, line);
    if (!expected) assert_null(roles);
    fabric_destroy(f);
}

static void roles__of_nodes_without_a_tier(void **state) {
    (void)state;
    assert_roles(leaf_spine, "hosts h1 to h4; leaves s1, s2; aggs x, y");
    assert_roles("nodes: [{name: s, tier: leaf}, {name: h10}, {name: h9, tier: host}, {name: h8}, {name: h11}]\n"
                 "links: [{a: s, b: h10}, {a: s, b: h9}, {a: s, b: h8}, {a: s, b: h11}]\n",
                 "hosts h8, h10, h11");
    assert_roles("nodes: [{name: s, tier: leaf}, {name: a, tier: host}, {name: b, tier: host}]\n"
                 "links: [{a: s, b: a}, {a: s, b: b}]\n",
                 NULL);
    /* a server with two links, and a transit router with one */
    assert_roles(
        "nodes: [{name: s1}, {name: s2}, {name: two-homed}, {name: a}, {name: b}, {name: router}]\n"
        "links: [{a: s1, b: a}, {a: s2, b: b}, {a: s1, b: two-homed}, {a: s2, b: two-homed}, {a: s2, b: router}]\n",
        "hosts a, b, router; leaves s1, s2; aggs two-homed");
    struct fabric *f = made(spec_star(4));
    assert_null(fabric_roles(f));
    fabric_destroy(f);
}

/* Ranges are of names that are alike up to a number without leading zeros; more than 40 are counted. */
static void roles__ranges_and_their_end(void **state) {
    (void)state;
    char text[16384] = "nodes: [{name: s, tier: leaf}", expected[2048], *at = text + strlen(text);
    static const char *const names[] = {"1", "2", "3", "a01", "a02", "a03", "b1", "b2", "c9999999999", "c10000000000"};
    const size_t n = sizeof names / sizeof *names;
    for (size_t i = 0; i < n; i++) at += sprintf(at, ", {name: '%s'}", names[i]);
    for (int i = 0; i < 80; i += 2) at += sprintf(at, ", {name: d%d}", i);
    at += sprintf(at, "]\nlinks: [");
    for (size_t i = 0; i < n; i++) at += sprintf(at, "{a: s, b: '%s'}, ", names[i]);
    for (int i = 0; i < 80; i += 2) at += sprintf(at, "{a: s, b: d%d}, ", i);
    sprintf(at - 2, "]\n");
    at = expected + sprintf(expected, "hosts 1 to 3, a01, a02, a03, b1, b2, c9999999999, c10000000000");
    for (int i = 0; i < 64; i += 2) at += sprintf(at, ", d%d", i);
    sprintf(at, " and 8 more");
    assert_roles(text, expected);
}

/* Hosts 0, 1, 2 are 2, 1, 7; the switch is named 9. */
static const char digits[] = "nodes: [{name: '2'}, {name: '1'}, {name: '7'}, {name: '9'}]\n"
                             "links: [{a: '2', b: '9'}, {a: '1', b: '9'}, {a: '7', b: '9'}]\n";

static void host_find__a_name_of_digits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool quoted;
        uint32_t host; /* NODE_NONE: refused, for this reason */
        const char *why;
    } row[] = {
        {"1", false, 1, ""}, /* its name and its number are the same host */
        {"1", true, 1, ""},
        {"7", false, 2, ""}, /* no number of a host, so it can only be the name */
        {"7", true, 2, ""},
        {"0", false, 0, ""}, /* no name, so it can only be the number */
        {"0", true, NODE_NONE,
         "there is no host named \"0\"; they are 2 to 7; host number 0 is written without quotes"},
        {"2", true, 0, ""},
        {"2", false, NODE_NONE,
         "2 is the name of a host and the number of host 7; write the name in quotes, \"2\" or \"7\""},
        {"9", false, NODE_NONE, "9 is a switch; name a host, 2 to 7"},
        {"9", true, NODE_NONE, "9 is a switch; name a host, 2 to 7"},
        {"3", false, NODE_NONE, "there is no host '3'; they are 2 to 7, or 0 to 2"},
        {"x", false, NODE_NONE, "there is no host 'x'; they are 2 to 7, or 0 to 2"},
        {"", true, NODE_NONE, "there is no host named \"\"; they are 2 to 7"},
    };
    struct fabric *f = read_text(digits);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t host = NODE_NONE;
        char why[400] = "";
        bool found = fabric_host_find(f, row[i].text, row[i].quoted, &host, why, sizeof why);
        assert_int_equal(found, row[i].host != NODE_NONE);
        if (found) assert_int_equal(host, row[i].host);
        assert_string_equal(why, row[i].why);
    }
    fabric_destroy(f);
}

static void host_find__a_mistyped_name(void **state) {
    (void)state;
    struct fabric *f = read_text("nodes: [{name: alphabet}, {name: alpha}, {name: beta}, {name: s}]\n"
                                 "links: [{a: alphabet, b: s}, {a: alpha, b: s}, {a: beta, b: s}]\n");
    uint32_t host;
    char why[400];
    assert_false(fabric_host_find(f, "alpah", false, &host, why, sizeof why));
    assert_string_equal(why, "there is no host 'alpah'; did you mean alpha? they are alphabet to beta, or 0 to 2");
    assert_false(fabric_host_find(f, "alpah", true, &host, why, sizeof why));
    assert_string_equal(why, "there is no host named \"alpah\"; did you mean alpha? they are alphabet to beta");
    assert_false(fabric_host_find(f, "xyz", false, &host, why, sizeof why));
    assert_string_equal(why, "there is no host 'xyz'; they are alphabet to beta, or 0 to 2");
    fabric_destroy(f);
}

/* Leaves a and a-b, aggs b-c and c. The links of a with b-c and of a-b with c have one name, lower end first. */
static const char dashes[] =
    "nodes: [{name: a}, {name: a-b}, {name: b-c, tier: agg}, {name: c, tier: agg}, {name: h}, {name: i}]\n"
    "links: [{a: a, b: h}, {a: a-b, b: i}, {a: a, b: b-c}, {a: a-b, b: c}, {a: a, b: c}, {a: a-b, b: b-c}]\n";

#define BOTH "a-b-c is the link of a and b-c and that of a-b and c; write b-c-a or c-a-b"

static void link_find__a_name_of_two_links(void **state) {
    (void)state;
    struct fabric *f = read_text(dashes);
    uint32_t link, other;
    char why[800] = "", name[FABRIC_LINK_NAME_MAX];
    assert_false(fabric_link_find(f, "a-b-c", &link, why, sizeof why));
    assert_string_equal(why, BOTH);
    assert_false(fabric_link_is_clear(f, "a-b-c", why, sizeof why));
    assert_false(fabric_link_is_clear(f, "a-b-c#0", why, sizeof why));
    assert_true(fabric_link_is_clear(f, "a-b-*", why, sizeof why));
    assert_true(fabric_link_is_clear(f, "nobody-else", why, sizeof why));
    assert_true(fabric_link_find(f, "b-c-a", &link, why, sizeof why));
    assert_true(fabric_link_find(f, "c-a-b", &other, why, sizeof why));
    assert_int_not_equal(link, other);
    assert_string_equal(fabric_link_name(f, link, name, sizeof name), "b-c-a"); /* printed by its own name */
    assert_string_equal(fabric_link_name(f, other, name, sizeof name), "c-a-b");
    for (uint32_t i = 0; i < fabric_store(f)->n_links; i++) {
        assert_true(fabric_link_find(f, fabric_link_name(f, i, name, sizeof name), &link, why, sizeof why));
        assert_int_equal(link, i);
    }
    fabric_destroy(f);
}

/* Failures and overrides by a name of two links are refused; a failure by a port has no name. */
static void errors__a_name_of_two_links(void **state) {
    (void)state;
    struct link_failure dead = {
        .link = "a-b-c", .repair_at = TIME_NONE, .where = {.file = "x.yaml", .line = 2, .col = 9}};
    struct link_override slow = {.match = "a-b-c", .rate_bps = GBPS, .delay = -1, .loss_ppb = -1, .where = dead.where};
    struct fabric_spec spec = spec_file();
    struct diag d = {0};
    char line[1024];
    spec.failed = &dead, spec.n_failed = 1;
    assert_null(fabric_create_text(&spec, dashes, strlen(dashes), &d));
    assert_string_equal(diag_line(&d, line, sizeof line), "x.yaml:2:9: error: " BOTH);
    spec.n_failed = 0, spec.links = &slow, spec.n_links = 1;
    assert_null(fabric_create_text(&spec, dashes, strlen(dashes), &d));
    assert_string_equal(diag_line(&d, line, sizeof line), "x.yaml:2:9: error: " BOTH);

    struct fabric *whole = read_text(dashes);
    dead.link = NULL, dead.node = node(whole, "a");
    dead.port = fabric_port_find(whole, dead.node, "b-c");
    fabric_destroy(whole);
    spec.n_failed = 1, spec.n_links = 0;
    struct fabric *f = fabric_create_text(&spec, dashes, strlen(dashes), &d);
    assert_non_null(f);
    assert_string_equal(hops_text(f, 0, "a", "a-b"), "c");
    fabric_destroy(f);
}

/* Each name of the link of a and b-a is another's too, so only another name for a node helps. */
static void errors__a_link_without_a_name_of_its_own(void **state) {
    (void)state;
    struct fabric *f = read_text("nodes: [{name: a}, {name: b-a}, {name: a-b}, {name: b}, {name: a-a}, {name: g},\n"
                                 "  {name: h}, {name: i}, {name: j}, {name: k}]\n"
                                 "links: [{a: a, b: g}, {a: b-a, b: h}, {a: a-b, b: i}, {a: b, b: j}, {a: a-a, b: k},\n"
                                 "  {a: a, b: b-a}, {a: a-b, b: a}, {a: b, b: a-a}, {a: a, b: b}]\n");
    char why[800];
    assert_false(fabric_link_is_clear(f, "a-b-a", why, sizeof why));
    assert_string_equal(why, "a-b-a is the link of a and b-a and that of a and a-b; rename one of these nodes");
    fabric_destroy(f);
}

#define NAME_63 "a123456789b123456789c123456789d123456789e123456789f123456789abc"

/* A name of 63 bytes is kept whole, in links and ports too, also with the number of a parallel link. */
static void names__of_63_bytes(void **state) {
    (void)state;
    struct fabric *f = read_text("nodes: [{name: " NAME_63 "}, {name: t}, {name: s, tier: agg}, {name: h}, {name: i}]\n"
                                 "links: [{a: " NAME_63 ", b: h}, {a: t, b: i}, {a: " NAME_63 ", b: s}, {a: s, b: t},\n"
                                 "        {a: " NAME_63 ", b: s}]\n");
    char port[FABRIC_PORT_NAME_MAX], link[FABRIC_LINK_NAME_MAX];
    uint32_t s = node(f, "s");
    assert_int_equal(strlen(name_of(f, node(f, NAME_63))), 63);
    assert_string_equal(fabric_port_name(f, s, fabric_port_find(f, s, NAME_63 "#1"), port, sizeof port), NAME_63 "#1");
    assert_string_equal(fabric_port_link(f, s, fabric_port_find(f, s, NAME_63 "#1"), link, sizeof link),
                        NAME_63 "-s#1");
    fabric_destroy(f);
    assert_error("nodes: [{name: " NAME_63 "d}]\n",
                 "net.yaml:1:16: error: the name has 64 bytes; at most 63 are allowed, so shorten it");
}

/* A ring of leaves: frames take the shorter way round, and both ways where they are equally long. */
static void file__peers_in_a_ring(void **state) {
    (void)state;
    struct fabric *f = read_text("nodes: [{name: r0}, {name: r1}, {name: r2}, {name: r3},\n"
                                 "        {name: h0}, {name: h1}, {name: h2}, {name: h3}]\n"
                                 "links: [{a: r0, b: h0}, {a: r1, b: h1}, {a: r2, b: h2}, {a: r3, b: h3},\n"
                                 "        {a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r3}, {a: r3, b: r0}]\n");
    assert_int_equal(f->tiers, 1);
    assert_string_equal(hops_text(f, 0, "r0", "r1"), "r1");
    assert_string_equal(hops_text(f, 0, "r0", "r2"), "r1 r3");
    assert_int_equal(walk(f, 0, 0, 2, NULL, NULL), 2);
    struct fabric_bound b;
    fabric_bound(f, 0, 2, 1538, &b);
    assert_int_equal(b.hops, 4);
    fabric_destroy(f);
}

/* A chain of switches in the middle: agg, core, core, agg; the cores are peers. */
static void file__peers_at_the_top(void **state) {
    (void)state;
    struct fabric *f =
        read_text("nodes: [{name: l1}, {name: l2}, {name: a1}, {name: a2}, {name: c1}, {name: c2},\n"
                  "  {name: h1}, {name: h2}]\n"
                  "links: [{a: l1, b: h1}, {a: l1, b: a1}, {a: a1, b: c1}, {a: c1, b: c2}, {a: c2, b: a2},\n"
                  "  {a: a2, b: l2}, {a: l2, b: h2}]\n");
    assert_string_equal(hops_text(f, 0, "l1", "l2"), "a1");
    assert_string_equal(hops_text(f, 0, "c1", "l2"), "c2");
    assert_string_equal(hops_text(f, 0, "c2", "l2"), "a2");
    assert_int_equal(walk(f, 0, 0, 1, NULL, NULL), 1);
    fabric_destroy(f);
}

/* ---- errors: file, line, column, remedy ---- */

static void errors__yaml(void **state) {
    (void)state;
    assert_error("", "net.yaml:1:1: error: the file is empty; it needs nodes and links");
    assert_error("nodes: [", "net.yaml:2:1: error: this is not YAML: did not find expected node content");
    assert_error("nodes:\n\t- {name: a}\n", "net.yaml:2:1: error: this is not YAML: a tab; write blanks in its place");
    assert_error("- a\n", "net.yaml:1:1: error: the file must be a map with the keys nodes and links");
    assert_error("nodes: [{name: a}]\n", "net.yaml:1:1: error: there is no \"links\"; add for example links: "
                                         "[{a: s1, b: h1, rate: 10Gbps, delay: 1us}]");
    assert_error("links: []\n",
                 "net.yaml:1:1: error: there is no \"nodes\"; add for example nodes: [{name: s1, tier: leaf}]");
    assert_error("nodes: 3\nlinks: []\n",
                 "net.yaml:1:8: error: \"nodes\" must be a list; write nodes: [{name: s1, tier: leaf}]");
    assert_error("nodes: []\nlinks: []\n",
                 "net.yaml:1:8: error: \"nodes\" is empty; add for example {name: s1, tier: leaf}");
    assert_error("nodez: []\n", "net.yaml:1:1: error: unknown key \"nodez\"; did you mean \"nodes\"?");
    assert_error("colour: []\n", "net.yaml:1:1: error: unknown key \"colour\"; known keys are nodes, links");
    assert_error("nodes: []\nnodes: []\n", "net.yaml:2:1: error: \"nodes\" is given twice; keep one");
}

static void errors__nodes(void **state) {
    (void)state;
    assert_error("nodes: [s1]\nlinks: []\n", "net.yaml:1:9: error: a node must be a map; write {name: s1, tier: leaf}");
    assert_error("nodes: [{tier: leaf}]\n", "net.yaml:1:9: error: a node without name; write {name: s1, tier: leaf}");
    assert_error("nodes: [{name: [x]}]\n", "net.yaml:1:16: error: a name must be a word; write {name: s1, tier: leaf}");
    assert_error("nodes: [{name: \"a#1\"}]\n",
                 "net.yaml:1:16: error: a name must not have blanks, #, *, ? or / in it; rename the node");
    assert_error("nodes: [{name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}]\n",
                 "net.yaml:1:16: error: the name has 73 bytes; at most 63 are allowed, so shorten it");
    assert_error("nodes: [{name: a, tier: spine}]\n",
                 "net.yaml:1:25: error: unknown tier \"spine\"; it is one of host, leaf, agg, core");
    assert_error("nodes: [{name: a, teir: leaf}]\n",
                 "net.yaml:1:19: error: unknown key \"teir\"; did you mean \"tier\"?");
    assert_error("nodes:\n- name: a\n- name: b\n- name: a\nlinks: [{a: a, b: b}]\n",
                 "net.yaml:4:9: error: node \"a\" is there already, in line 2; rename one");
}

#define NODES "nodes: [{name: s1}, {name: s2}, {name: h1}, {name: h2}, {name: h3}]\n"

static void errors__links(void **state) {
    (void)state;
    assert_error(NODES "links: [{a: s1}]\n",
                 "net.yaml:2:9: error: a link without \"b\"; write {a: s1, b: h1, rate: 10Gbps, delay: 1us}");
    assert_error(NODES "links: [x]\n",
                 "net.yaml:2:9: error: a link must be a map; write {a: s1, b: h1, rate: 10Gbps, delay: 1us}");
    assert_error(NODES "links: [{a: s1, b: h9}]\n", "net.yaml:2:20: error: unknown node \"h9\"; did you mean \"h1\"?");
    assert_error(NODES "links: [{a: s1, b: printer}]\n",
                 "net.yaml:2:20: error: unknown node \"printer\"; add it to nodes");
    assert_error(NODES "links: [{a: s1, b: s1}]\n", "net.yaml:2:9: error: s1 is linked to itself; name two nodes");
    assert_error(NODES "links: [{a: s1, b: h1, rate: 10Gbps, rate: 1Gbps}]\n",
                 "net.yaml:2:38: error: \"rate\" is given twice; keep one");
    assert_error(NODES "links: [{a: s1, b: h1, speed: 10Gbps}]\n",
                 "net.yaml:2:24: error: unknown key \"speed\"; known keys are a, b, rate, delay, loss");
    assert_error(NODES "links: [{a: s1, b: h1, loss: 101%}]\n",
                 "net.yaml:2:30: error: loss is out of range; give 0 to 1");
}

/* base/units writes the words after the colon; place and key come from the reader of the file. */
static void errors__quantities(void **state) {
    (void)state;
    static const char *const text[] = {"rate: 10", "delay: 3", "rate: fast", "rate: 0", "delay: -1us"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char file[400];
        struct fabric_spec s = spec_file();
        struct diag d = {0};
        snprintf(file, sizeof file, NODES "links: [{a: s1, b: h1, %s}]\n", text[i]);
        assert_null(fabric_create_text(&s, file, strlen(file), &d));
        assert_int_equal(d.line, 2);
        assert_int_equal(d.col, text[i][0] == 'r' ? 30 : 31);
        assert_memory_equal(d.text, text[i], text[i][0] == 'r' ? 4 : 5);
    }
}

#define NO_HOSTS                                                                                                       \
    "net.yaml:1:1: error: there is no switch with hosts; add hosts: nodes of tier host, or without a tier and with "   \
    "one "                                                                                                             \
    "link"

static void errors__shape(void **state) {
    (void)state;
    assert_error(NODES "links: [{a: s1, b: h1}, {a: s1, b: h2}, {a: s1, b: s2}]\n",
                 "net.yaml:1:64: error: node h3 has no link; link it or remove it");
    assert_error("nodes: [{name: h1}, {name: h2}]\nlinks: [{a: h1, b: h2}]\n",
                 "net.yaml:1:16: error: node h1 is linked to another host; a host's link leads to a leaf");
    assert_error("nodes: [{name: s, tier: agg}, {name: h1}, {name: h2}]\nlinks: [{a: h1, b: s}, {a: h2, b: s}]\n",
                 "net.yaml:1:16: error: node s has hosts but is no leaf; hosts hang on leaves only, give it tier leaf");
    assert_error("nodes: [{name: s}, {name: t, tier: leaf}, {name: h1}, {name: h2}]\n"
                 "links: [{a: h1, b: s}, {a: h2, b: s}, {a: s, b: t}]\n",
                 "net.yaml:1:27: error: node t is a leaf without hosts; give it hosts or tier agg");
    assert_error(
        "nodes: [{name: s}, {name: c, tier: core}, {name: h1}, {name: h2}]\n"
        "links: [{a: h1, b: s}, {a: h2, b: s}, {a: s, b: c}]\n",
        "net.yaml:1:27: error: node c is a core in a fabric without aggs; give the tier above the leaves tier agg");
    assert_error("nodes: [{name: s, tier: agg}, {name: t, tier: agg}]\nlinks: [{a: s, b: t}]\n", NO_HOSTS);
    assert_error("nodes: [{name: l}, {name: a}, {name: c, tier: core}, {name: x, tier: agg}, {name: h1}, {name: h2}]\n"
                 "links: [{a: h1, b: l}, {a: h2, b: l}, {a: l, b: a}, {a: a, b: c}, {a: c, b: x}]\n",
                 "net.yaml:1:61: error: node x is an agg with no leaf below; link it to a leaf or give it tier core");
    assert_error("nodes: [{name: s}, {name: h}]\nlinks: [{a: s, b: h}, {a: s, b: h}]\n", NO_HOSTS);
}

static void errors__no_way(void **state) {
    (void)state;
    assert_error("nodes: [{name: s1}, {name: s2}, {name: h1}, {name: h2}, {name: h3}, {name: h4}]\n"
                 "links: [{a: s1, b: h1}, {a: s1, b: h2}, {a: s2, b: h3}, {a: s2, b: h4}]\n",
                 "net.yaml: error: there is no up-down path from host h3 to host h1, nor any other; link the parts of "
                 "the fabric");
    /* l1 and l3 meet only through l2, which is a leaf between two aggs: down and up again. */
    assert_error(
        "nodes: [{name: l1}, {name: l2}, {name: l3}, {name: a, tier: agg}, {name: b, tier: agg}, {name: h1}, "
        "{name: h2}, {name: h3}]\n"
        "links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: l3, b: h3}, {a: l1, b: a}, {a: l2, b: a}, {a: l2, b: b}, "
        "{a: l3, b: b}]\n",
        "net.yaml: error: there is no up-down path from host h3 to host h1: a path goes up, then down, and l3 b "
        "l2 a l1 goes up again at l2; link b and a, or both to a switch above them, or write fabric.routing: shortest");
    fabric_destroy(read_text("nodes: [{name: l1}, {name: l2}, {name: l3}, {name: a, tier: agg}, {name: b, tier: agg},\n"
                             "  {name: h1}, {name: h2}, {name: h3}]\n"
                             "links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: l3, b: h3}, {a: l1, b: a}, {a: l2, b: a},\n"
                             "  {a: l2, b: b}, {a: l3, b: b}, {a: b, b: a}]\n")); /* the remedy */
    /* The same with peers between the aggs and the leaf at the bottom: the aggs are named, not the peers. */
    assert_error(
        "nodes: [{name: l1}, {name: l2}, {name: m2}, {name: l3}, {name: a, tier: agg}, {name: b, tier: agg},\n"
        "  {name: h1}, {name: h2}, {name: g2}, {name: h3}, {name: c, tier: agg},\n  {name: e, tier: agg}]\n"
        "links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: m2, b: g2}, {a: l3, b: h3}, {a: l1, b: a}, {a: l2, b: a},\n"
        "  {a: l2, b: m2}, {a: m2, b: b}, {a: c, b: e}, {a: e, b: b}, {a: l3, b: c}]\n",
        "net.yaml: error: there is no up-down path from host h3 to host h1: a path goes up, then down, and l3 c "
        "e b m2 l2 .. l1 goes up again at l2; link b and a, or both to a switch above them, or write fabric.routing: "
        "shortest");
    assert_error(
        "nodes: [{name: s}, {name: t}, {name: u}, {name: h1}, {name: h2}]\n"
        "links: [{a: s, b: h1}, {a: s, b: h2}, {a: t, b: u}, {a: t, b: u}]\n",
        "net.yaml:1:27: error: node t is a core in a fabric without aggs; give the tier above the leaves tier agg");
    assert_error("nodes: [{name: s}, {name: t, tier: agg}, {name: u, tier: core}, {name: v, tier: core}, {name: h1}, "
                 "{name: h2}]\n"
                 "links: [{a: s, b: h1}, {a: s, b: h2}, {a: s, b: t}, {a: u, b: v}]\n",
                 "net.yaml: error: switch v has no path to any host; link it or remove it");
}

static void errors__unreadable_file(void **state) {
    (void)state;
    struct fabric_spec s = spec_file();
    s.path = "no/such/file.yaml";
    assert_refused(s, "cannot read no/such/file.yaml: No such file or directory");
    s.path = ".";
    assert_refused(s, "cannot read .: Is a directory");
    s.path = NULL;
    assert_refused(s, "fabric.path is missing; name the file of nodes and links");
}

static void file__from_disk(void **state) {
    (void)state;
    char path[] = "fabric_test_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, leaf_spine, strlen(leaf_spine)), strlen(leaf_spine));
    close(fd);
    struct fabric_spec s = spec_file();
    s.path = path;
    struct fabric *f = made(s);
    unlink(path);
    assert_int_equal(f->n_hosts, 4);
    fabric_destroy(f);
}

/* One rack of 5000 hosts makes every rack's prefix 2^13 addresses long; then 2048 racks fill 10.0.0.0/8. */
static void errors__addresses_run_out(void **state) {
    (void)state;
    uint32_t leaves = 2049, big = 5000;
    char *text = malloc(8u << 20), *at = text;
    at += sprintf(at, "nodes:\n- {name: top, tier: agg}\n");
    for (uint32_t i = 0; i < leaves; i++) at += sprintf(at, "- {name: l%u}\n- {name: h%u}\n", i, i);
    for (uint32_t i = 1; i < big; i++) at += sprintf(at, "- {name: b%u}\n", i);
    at += sprintf(at, "links:\n");
    for (uint32_t i = 0; i < leaves; i++) at += sprintf(at, "- {a: h%u, b: l%u}\n- {a: l%u, b: top}\n", i, i, i);
    for (uint32_t i = 1; i < big; i++) at += sprintf(at, "- {a: b%u, b: l0}\n", i);
    assert_error(
        text, "test.yaml:3:5: error: 2049 racks of up to 5000 hosts do not fit into 10.0.0.0/8; have fewer or smaller "
              "racks");
    free(text);
}

/* A rack without uplinks beside one that has: the way to it climbs, descends and passes across; the way back passes
 * across and climbs. */
static void file__peers_at_the_bottom(void **state) {
    (void)state;
    struct fabric *f = read_text("nodes: [{name: l1}, {name: l2}, {name: l3}, {name: s, tier: agg},\n"
                                 "  {name: h1}, {name: h2}, {name: h3}]\n"
                                 "links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: l3, b: h3}, {a: l1, b: s},\n"
                                 "  {a: l2, b: s}, {a: l2, b: l3}]\n");
    assert_string_equal(hops_text(f, 0, "l1", "l3"), "s");
    assert_string_equal(hops_text(f, 0, "s", "l3"), "l2");
    assert_string_equal(hops_text(f, 0, "l3", "l1"), "l2");
    assert_int_equal(walk(f, 0, 2, 0, NULL, NULL), 1);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(file__tiers_are_found),
        UNIT(file__rates_delays_and_losses),
        UNIT(file__three_tiers_and_pods),
        UNIT(file__parallel_links),
        UNIT(host_find__a_name_of_digits),
        UNIT(host_find__a_mistyped_name),
        UNIT(roles__of_nodes_without_a_tier),
        UNIT(roles__ranges_and_their_end),
        UNIT(link_find__a_name_of_two_links),
        UNIT(errors__a_name_of_two_links),
        UNIT(errors__a_link_without_a_name_of_its_own),
        UNIT(names__of_63_bytes),
        UNIT(file__failure_of_a_parallel_link),
        UNIT(file__peers_in_a_ring),
        UNIT(file__peers_at_the_top),
        UNIT(errors__yaml),
        UNIT(errors__nodes),
        UNIT(errors__links),
        UNIT(errors__quantities),
        UNIT(errors__shape),
        UNIT(errors__no_way),
        UNIT(errors__unreadable_file),
        UNIT(file__from_disk),
        UNIT(errors__addresses_run_out),
        UNIT(file__peers_at_the_bottom),
    };
    return RUN_UNITS(tests);
}
