/* SPDX-License-Identifier: Apache-2.0 */
/* What is written in a format and read back is the same fabric: every topology, every format. */
#include "fabric/formats.h"
#include "fabric/nics.h"

#include <stdlib.h>

#include "every_topology.h"
#include "fabric/fabric_build.h"

static const char *format_name(uint32_t format) {
    const char *name;
    fabric_format(format, &name);
    return name;
}

/* Returns the text of a fabric in a format, which the caller frees; NULL if it is none that htsim has. */
static char *written(const struct fabric *f, uint32_t format) {
    const char *name;
    char *text = NULL, line[1024];
    size_t size;
    struct diag d = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    bool fine = fabric_format(format, &name)->write(f, out, &d);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    if (fine) return text;
    diag_line(&d, line, sizeof line);
    free(text);
    if (format != FORMAT_htsim || strncmp(d.text, "htsim has fat-trees alone", 25) != 0) fail_msg("%s", line);
    return NULL;
}

static struct fabric_spec spec_format(uint32_t format) {
    struct fabric_spec s = spec_of("file");
    s.path = "net";
    s.format = (uint8_t)format;
    return s;
}

static struct fabric *read_back(const char *text, uint32_t format) {
    struct fabric_spec s = spec_format(format);
    struct diag d = {0};
    char line[1024];
    s.host_bps = s.uplink_bps = s.core_bps = 1; /* a rate that is not written would show */
    s.host_delay = s.uplink_delay = s.core_delay = 7;
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s: %s\n%s", format_name(format), diag_line(&d, line, sizeof line), text);
    return f;
}

/* ---- the same fabric ---- */

static void assert_same_nodes(const struct fabric *a, const struct fabric *b) {
    char name[2][FABRIC_NODE_NAME_MAX];
    assert_int_equal(a->n_hosts, b->n_hosts);
    assert_int_equal(a->n_switches, b->n_switches);
    assert_int_equal(a->n_leaves, b->n_leaves);
    assert_int_equal(a->n_pods, b->n_pods);
    assert_int_equal(a->tiers, b->tiers);
    assert_int_equal(a->host_bits, b->host_bits);
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        assert_string_equal(fabric_node_name(a, i, name[0], sizeof name[0]),
                            fabric_node_name(b, i, name[1], sizeof name[1]));
        assert_int_equal(a->node[i].tier, b->node[i].tier);
        assert_int_equal(a->node[i].leaf, b->node[i].leaf);
        if (a->node[i].tier == TIER_CORE) continue; /* planes give cores of a clos their names, and nothing else */
        assert_int_equal(a->node[i].pod, b->node[i].pod);
        assert_int_equal(a->node[i].index, b->node[i].index);
    }
    for (uint32_t h = 0; h < a->n_hosts; h++) assert_int_equal(fabric_host_ip(a, h), fabric_host_ip(b, h));
}

static void assert_same_ports(const struct fabric *a, const struct fabric *b) {
    uint32_t n = a->paths.first_port[a->n_nodes];
    assert_int_equal(n, b->paths.first_port[b->n_nodes]);
    for (uint32_t i = 0; i < n; i++) {
        const struct place_port *p = &a->paths.port[i], *q = &b->paths.port[i];
        assert_int_equal(p->node, q->node);
        assert_int_equal(p->neighbour, q->neighbour);
        assert_int_equal(p->peer, q->peer);
        assert_int_equal(p->port, q->port);
        assert_int_equal(p->link_tier, q->link_tier);
        assert_int_equal(p->rate_bps, q->rate_bps);
        assert_int_equal(p->delay, q->delay);
        assert_int_equal(p->loss_ppb, q->loss_ppb);
    }
}

static void assert_same_routes(const struct fabric *a, const struct fabric *b) {
    assert_int_equal(a->paths_inter_pod, b->paths_inter_pod);
    assert_int_equal(a->paths_intra_pod, b->paths_intra_pod);
    for (uint32_t s = 0; s < a->n_switches; s++) {
        for (uint32_t leaf = 0; leaf < a->n_leaves; leaf++) {
            const uint16_t *p, *q;
            uint16_t n = next_hops(a, 0, s, leaf, &p);
            assert_int_equal(n, next_hops(b, 0, s, leaf, &q));
            assert_memory_equal(p, q, n * sizeof *p);
        }
    }
}

static bool comes_back(const struct fabric *f, uint32_t format) {
    char *text = written(f, format);
    if (!text) return false;
    struct fabric *back = read_back(text, format);
    assert_same_nodes(f, back);
    assert_same_ports(f, back);
    assert_same_routes(f, back);
    char *again = written(back, format);
    assert_string_equal(text, again);
    assert_int_equal(fabric_format_of(text, strlen(text)), format);
    assert_null(fabric_roles(back));
    fabric_destroy(back);
    free(again);
    free(text);
    return true;
}

static void comes_back_in_all(struct fabric_spec s) {
    struct fabric *f = made(s);
    for (uint32_t format = 0; format < FORMAT_COUNT; format++) comes_back(f, format);
    fabric_destroy(f);
}

/* Rates and delays of each tier that only an exact text gives back, and a link that differs from the others. */
static void write__every_topology_comes_back(void **state) {
    (void)state;
    const struct link_override odd = {.match = "host*", .delay = 123456789, .loss_ppb = 1};
    size_t n;
    const struct fabric_ops *const *row = fabrics(&n);
    for (size_t i = 0; i < n; i++) {
        print_message("%s\n", row[i]->name);
        comes_back_in_all(spec_of_row(row[i]));
        struct fabric_spec s = spec_of_row(row[i]);
        s.host_bps = 1234567890, s.uplink_bps = 33333333333, s.core_bps = 100000000000000;
        s.host_delay = 0, s.uplink_delay = 1, s.core_delay = 1000 * PS_PER_S;
        if (row[i]->naming != NAMES_OWN) s.links = &odd, s.n_links = 1;
        comes_back_in_all(s);
    }
}

/* Three tiers with several pods and planes, and racks of more than 254 hosts. */
static void write__larger_fabrics_come_back(void **state) {
    (void)state;
    comes_back_in_all(spec_clos(3, 4, 2, 3, 2));
    comes_back_in_all(spec_clos(1, 3, 2, 0, 2));
    comes_back_in_all(spec_fat_tree(6));
    comes_back_in_all(spec_star(300));
}

/* Parallel links, links between switches of one tier, an agg on two pods' worth of leaves, and names that need quotes. */
static void write__a_graph_of_ones_own_comes_back(void **state) {
    (void)state;
    static const char text[] =
        "nodes: [{name: \"10\"}, {name: 'yes'}, {name: 'a&b<c>\"d'}, {name: \"\\\\'\"}, {name: 'x:y'}, {name: "
        "\"na\\xefve\"},\n"
        "  {name: 'l,0', tier: leaf}, {name: '{l}', tier: leaf}, {name: ']', tier: agg}, {name: top, tier: core}]\n"
        "links:\n"
        "  - {a: \"10\", b: 'l,0', rate: 1bps, delay: 1ps}\n"
        "  - {a: 'yes', b: 'l,0', loss: 100%}\n"
        "  - {a: 'a&b<c>\"d', b: '{l}', loss: 0.000000001}\n"
        "  - {a: \"\\\\'\", b: '{l}'}\n"
        "  - {a: 'x:y', b: '{l}'}\n"
        "  - {a: \"na\\xefve\", b: '{l}'}\n"
        "  - {a: ']', b: 'l,0', rate: 2Gbps}\n"
        "  - {a: 'l,0', b: ']', rate: 1Gbps}\n"
        "  - {a: 'l,0', b: ']', rate: 3Gbps}\n"
        "  - {a: '{l}', b: 'l,0', delay: 5ms}\n"
        "  - {a: '{l}', b: ']'}\n"
        "  - {a: top, b: ']'}\n";
    struct fabric_spec s = spec_format(FORMAT_topology);
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    for (uint32_t format = 0; format < FORMAT_COUNT; format++) comes_back(f, format);
    fabric_destroy(f);
}

/* ---- formats without names ---- */

/* A fat-tree of htsim with its own names has no more than its sizes in it. */
static void htsim__fat_trees_come_back(void **state) {
    (void)state;
    struct fabric_spec spec[] = {spec_clos(3, 4, 2, 2, 4), spec_fat_tree(6), spec_of("leaf-spine")};
    spec[0].host_bps = 10 * GBPS, spec[0].uplink_bps = 20 * GBPS, spec[0].core_bps = 40 * GBPS;
    spec[0].host_delay = 1500, spec[0].uplink_delay = 2 * US, spec[0].core_delay = 7 * US + 500;
    spec[2].tors = 4, spec[2].aggs = 2, spec[2].hosts = 4;
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct fabric *f = made(spec[i]);
        char *text = written(f, FORMAT_htsim);
        assert_true(comes_back(f, FORMAT_htsim));
        assert_null(strstr(text, "heddle"));
        free(text);
        fabric_destroy(f);
    }
}

static void hpcc__of_other_programs(void **state) {
    (void)state;
    struct fabric *f = read_back("\xef\xbb\xbf"
                                 "5 2 1 4\r\n3\r\n4\n0 3 100Gbps 0.001ms 0.000000\r\n1 3 25000000000 1e-6 1e-3\n"
                                 "2 4 10Gb/s 0 0 3 4 1Gbps 1us 0\n\nnode 7 is prose\n",
                                 FORMAT_hpcc);
    assert_int_equal(f->n_hosts, 3);
    assert_int_equal(f->n_switches, 2);
    const struct place_port *p[3];
    for (uint32_t i = 0; i < 3; i++) p[i] = &f->paths.port[f->paths.first_port[i]];
    assert_int_equal(p[0]->rate_bps, 100 * GBPS);
    assert_int_equal(p[0]->delay, US);
    assert_int_equal(p[1]->rate_bps, 25 * GBPS);
    assert_int_equal(p[1]->delay, US);
    assert_int_equal(p[1]->loss_ppb, PPB / 1000);
    assert_int_equal(p[2]->rate_bps, 10 * GBPS);
    assert_int_equal(p[2]->delay, 0);
    assert_int_equal(f->node[node(f, "3")].tier, TIER_LEAF);
    fabric_destroy(f);
}

/* Two servers of two GPUs, as SimAI writes them: each GPU is on the NVSwitch of its server and on a ToR. */
static void hpcc__gpus_of_simai_have_two_nics(void **state) {
    (void)state;
    struct fabric *f = read_back("9 2 2 3 10 H100\n4 5 6 7 8\n"
                                 "0 4 2880Gbps 25ns 0\n1 4 2880Gbps 25ns 0\n2 5 2880Gbps 25ns 0\n3 5 2880Gbps 25ns 0\n"
                                 "0 6 400Gbps 500ns 0\n1 7 400Gbps 500ns 0\n2 6 400Gbps 500ns 0\n3 7 400Gbps 500ns 0\n"
                                 "6 8 400Gbps 500ns 0\n7 8 400Gbps 500ns 0\n",
                                 FORMAT_hpcc);
    assert_int_equal(f->n_hosts, 4);
    for (uint32_t h = 0; h < 4; h++) {
        assert_int_equal(fabric_host_nics(f, h), 2);
        assert_int_equal(f->paths.port[2 * h].rate_bps, 2880 * GBPS);
        assert_int_equal(f->paths.port[2 * h + 1].rate_bps, 400 * GBPS);
    }
    struct nic_question inside = {.src = node(f, "0"), .dst = node(f, "1")}, rail = {.src = 0, .dst = node(f, "2")};
    assert_int_equal(f->paths.port[fabric_nic_ends(f, &inside).src].neighbour, node(f, "4"));
    assert_int_equal(f->paths.port[fabric_nic_ends(f, &rail).src].neighbour, node(f, "6"));
    assert_true(comes_back(f, FORMAT_hpcc));
    fabric_destroy(f);
}

/* The latency of a switch lies in its links: half in each. */
static void htsim__latencies_of_switches(void **state) {
    (void)state;
    struct fabric *f = read_back("# of a test\nnodes 4\nTIERS 2\nPodsize 4 # one\n"
                                 "Tier 1\nDownlink_speed_Gbps 40\nRadix_Down 4\nDownlink_Latency_ns 2000\nBundle 2\n"
                                 "Switch_Latency_ns 5\n"
                                 "Tier 0\nDownlink_speed_Gbps 40\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 1000\n"
                                 "Switch_Latency_ns 20\n",
                                 FORMAT_htsim);
    assert_int_equal(f->n_hosts, 4);
    assert_int_equal(f->n_switches, 3); /* both links of a ToR lead to the same spine */
    const struct place_port *host = &f->paths.port[f->paths.first_port[0]];
    const struct place_port *up = &f->paths.port[f->paths.first_port[node(f, "leaf1")] + 3];
    assert_int_equal(host->delay, 1010 * PS_PER_NS);
    assert_int_equal(up->delay, 2012 * PS_PER_NS + PS_PER_NS / 2);
    assert_int_equal(up->neighbour, node(f, "spine0"));
    assert_true(comes_back(f, FORMAT_htsim));
    fabric_destroy(f);
}

/* XML cannot hold control characters, and a terminal obeys them. C1 of ISO 6429 is U+0080 to U+009f. */
static void read__a_name_with_a_control_character(void **state) {
    (void)state;
    static const char *const name[] = {"a\\x01", "a\\e[31m", "a\\x7f", "a\\u0085"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char text[200];
        struct fabric_spec s = spec_format(FORMAT_topology);
        struct diag d = {0};
        snprintf(text, sizeof text, "nodes: [{name: \"%s\"}, {name: b}, {name: s}]\nlinks: [{a: b, b: s}]\n", name[i]);
        assert_null(fabric_create_text(&s, text, strlen(text), &d));
        assert_string_equal(d.text, "a name must not have control characters in it; rename the node");
    }
}

/* ---- names and kinds of formats ---- */

static void formats__are_found_by_name_and_by_text(void **state) {
    (void)state;
    for (uint32_t i = 0; i < FORMAT_COUNT; i++) assert_int_equal(fabric_format_find(format_name(i)), i);
    assert_int_equal(fabric_format_find("dot"), FORMAT_COUNT);
    static const struct {
        const char *text;
        uint32_t format;
    } row[] = {
        {"nodes: []\nlinks: []\n", FORMAT_topology},
        {"# a comment\nlinks:\n  - x\nnodes:\n  - y\n", FORMAT_topology},
        {"nodes: []\n", FORMAT_COUNT},
        {"fabric: {kind: star}\nlinks: []\nnodes: []\n", FORMAT_COUNT},
        {"name: x\ntopology:\n", FORMAT_containerlab},
        {"  topology:\n", FORMAT_COUNT},
        {" \n<graphml/>", FORMAT_graphml},
        {"\xef\xbb\xbf<?xml?>", FORMAT_graphml},
        {"3 1 2\n2\n", FORMAT_hpcc},
        {"7 2 2 1 8 H100\n4 5 6\n", FORMAT_hpcc},
        {"3 1 2\nx\n", FORMAT_COUNT},
        {"3 1 2", FORMAT_COUNT},
        {"nodes 8\ntiers 2\ntier 0\n", FORMAT_htsim},
        {"Nodes 8\nConnections 2\n", FORMAT_COUNT},
        {"", FORMAT_COUNT},
        {"fabric: {kind: star}\n", FORMAT_COUNT},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_int_equal(fabric_format_of(row[i].text, strlen(row[i].text)), row[i].format);
}

/* ---- what other programs write ---- */

static void errors(uint32_t format, const char *text, const char *expected);

static void formats__one_for_another(void **state) {
    (void)state;
    errors(FORMAT_topology, "<graphml/>",
           "net:1:1: error: this looks like graphml, not like topology; write format: graphml beside the path");
    errors(
        FORMAT_topology, "name: x\ntopology: {}\n",
        "net:1:1: error: this looks like containerlab, not like topology; write format: containerlab beside the path");
    errors(FORMAT_graphml, "nodes: []\nlinks: []\n",
           "net:1:1: error: this looks like topology, not like graphml; write format: topology beside the path");
}

static void errors(uint32_t format, const char *text, const char *expected) {
    struct fabric_spec s = spec_format(format);
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (f) fabric_destroy(f);
    assert_null(f);
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
}

#define HPCC_FAILS(text, line) errors(FORMAT_hpcc, text, line)

static void hpcc__errors_name_the_place(void **state) {
    (void)state;
    HPCC_FAILS("", "net:1:1: error: the file is empty; it begins with 3 1 2 (nodes, switches, links)");
    HPCC_FAILS("3 1\n", "net:1:1: error: 2 words; the file begins with 3 1 2 (nodes, switches, links)");
    HPCC_FAILS("3 x 2\n", "net:1:3: error: 'x' is not a number of switches; write a whole number, 0 to 16777216");
    HPCC_FAILS("3 1 2\n2\n", "net:1:1: error: the file is too short for 2 links; correct the first line");
    HPCC_FAILS("9 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
               "net:1:1: error: 2 links do not link 9 nodes; correct the first line");
    HPCC_FAILS("2 2 1\n0 1\n0 1 1Gbps 1us 0\n",
               "net:1:3: error: no node is left for a host; lower the number of switches");
    HPCC_FAILS("3 1 2\n3\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
               "net:2:1: error: '3' is no node; a switch is a number below 3");
    HPCC_FAILS("4 2 3\n2 2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n2 3 1Gbps 1us 0\n",
               "net:2:3: error: switch 2 is there already; name each once");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 0\n1 x 1Gbps 1us 0\n",
               "net:4:3: error: 'x' is no node; an end of a link is a number below 3");
    HPCC_FAILS(
        "3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1XGbps 1us 0\n",
        "net:4:5: error: rate: 'XGbps' is no unit of a rate; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps");
    HPCC_FAILS("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps\n",
               "net:5:1: error: the file ends before the delay of a link; write for example 0 2 100Gbps 1us 0");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 2\n1 2 1Gbps 1us 0\n", "net:3:15: error: loss is out of range; give 0 to 1");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n# heddle: node 1 a host\n",
               "net:5:16: error: the next node of these lines is 0; name all nodes, in their order");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n# heddle: node 0 a\n",
               "net:6:1: error: this line names a node; write # heddle: node 0 NAME TIER");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n# heddle: node 0 a host\n",
               "net:6:1: error: the lines of names end before node 1; name all 3 nodes, or none");
    HPCC_FAILS("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n# heddle: node 0 a leaf\n# heddle: node 1 b host\n"
               "# heddle: node 2 c leaf\n",
               "net:5:18: error: node 0 is a host by the list of switches; correct one of them");
}

#define TOPO_HEAD "Nodes 8\nTiers 2\nPodsize 8\n"
#define TOPO_TORS "Tier 0\nDownlink_speed_Gbps 1\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 1\n"
#define TOPO_SPINES "Tier 1\nDownlink_speed_Gbps 1\nRadix_Down 4\nDownlink_Latency_ns 1\n"
#define TOPO_FAILS(text, line) errors(FORMAT_htsim, text, line)

static void htsim__errors_name_the_place(void **state) {
    (void)state;
    TOPO_FAILS("", "net:1:1: error: Nodes is missing; write Nodes and a number, 1 to 1000000, above the tiers");
    TOPO_FAILS("Nodes 8 9\n", "net:1:9: error: a line is a key and a value; write for example Radix_Down 8");
    TOPO_FAILS("Nodes x\n", "net:1:7: error: 'x' is not a value; write a whole number, 0 to 1000000");
    TOPO_FAILS("Nodes 8\nNodes 8\n", "net:2:1: error: Nodes is there already, in line 1; keep one");
    TOPO_FAILS("Nodse 8\n", "net:1:1: error: unknown key 'Nodse'; did you mean Nodes?");
    TOPO_FAILS("Radix_Up 8\n", "net:1:1: error: unknown key 'Radix_Up'; known are Tier, Nodes, Tiers, Podsize");
    TOPO_FAILS("Nodes 8\nTiers 4\nPodsize 8\n", "net:2:1: error: a fat-tree has 2 or 3 tiers; write Tiers 3");
    TOPO_FAILS("Nodes 8\nTiers 2\nPodsize 4\n",
               "net:3:1: error: with two tiers there is one pod; write the number of nodes");
    TOPO_FAILS("Nodes 8\nTiers 3\nPodsize 3\n",
               "net:3:1: error: pods of this size do not divide the nodes; change one of the two");
    TOPO_FAILS(TOPO_HEAD, "net:1:1: error: tier 0 is missing; add Tier 0 and its keys");
    TOPO_FAILS(TOPO_HEAD "Tier 3\n", "net:4:6: error: '3' is not a tier; write a whole number, 0 to 2");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS "Tier 0\n", "net:9:1: error: tier 0 is there already, in line 4; keep one");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS "Queue_Up 8\n",
               "net:9:1: error: queues are no part of a fabric; remove the line, and write switch: {buffer: 225KB}");
    TOPO_FAILS(TOPO_HEAD "Tier 0\nDownlink_speed_Gbps 1\nDownlink_Latency_ns 0\n",
               "net:6:1: error: tier 0 has no Downlink_Latency_ns; write it with a number above 0");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS "Bundle 2\n" TOPO_SPINES,
               "net:9:1: error: hosts have one link, and bundles at least one; write Bundle 1");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS TOPO_SPINES "Bundle 2\n",
               "net:11:1: error: a switch of tier 1 has 4 switches below with 2 links each; write Radix_Down 8");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS "Oversubscribed 2\n" TOPO_SPINES,
               "net:9:1: error: Oversubscribed 2 does not fit 2 downlinks and 2 uplinks; give downlinks over uplinks");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS TOPO_SPINES "Tier 2\n",
               "net:13:1: error: there are two tiers, 0 and 1; remove this one, or write Tiers 3");
    TOPO_FAILS(TOPO_HEAD TOPO_TORS
               "Tier 1\nDownlink_speed_Gbps 1\nRadix_Down 4\nDownlink_Latency_ns 2147483647\nSwitch_Latency_ns 2\n",
               "net:12:1: error: the latency, with that of the switches, is above 2 s; lower it");
}

/* Two hosts on a leaf as networkx writes them: keys with numbers, an attribute of its own, edges before nodes. */
#define GRAPHML_HEAD                                                                                                   \
    "<?xml version='1.0' encoding='utf-8'?>\n"                                                                         \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:y=\"http://www.yworks.com/xml/graphml\">\n"
#define GRAPHML_KEYS                                                                                                   \
    "<key id=\"d3\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"                                          \
    "<key id=\"d2\" for=\"edge\" attr.name=\"delay\" attr.type=\"string\"><default> 3us </default></key>\n"            \
    "<key id=\"d1\" for=\"all\" attr.name=\"rate\" attr.type=\"string\"><desc>of links</desc></key>\n"                 \
    "<key id=\"d0\" for=\"node\" attr.name=\"tier\" attr.type=\"string\"/>\n"                                          \
    "<key id=\"d9\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"

static void graphml__of_networkx_and_yed(void **state) {
    (void)state;
    struct fabric *f =
        read_back(GRAPHML_HEAD GRAPHML_KEYS
                  "<graph id='G' edgedefault=\"undirected\"><desc>x<node id='no'/></desc>\n"
                  "<edge source=\"a\" target=\"s\"><data key=\"d1\">40Gbps</data><data key=\"d3\">7</data></edge>\n"
                  "<node id=\"a\"/><node id=\"b\"><data key=\"d9\"><y:ShapeNode><y:Fill color='1'/>tier"
                  "</y:ShapeNode></data><port name='p'/></node>\n"
                  "<node id=\"s\"><data key=\"d0\">\n leaf <!-- x --></data></node>\n"
                  "<edge id='e' directed='false' source=\"s\" target=\"b\" sourceport='p'><data key=\"d2\">5us</data>"
                  "<data key='d1'><![CDATA[1Gbps]]></data></edge>\n"
                  "</graph></graphml>\n",
                  FORMAT_graphml);
    assert_int_equal(f->n_hosts, 2);
    const struct place_port *a = &f->paths.port[f->paths.first_port[node(f, "a")]];
    const struct place_port *b = &f->paths.port[f->paths.first_port[node(f, "b")]];
    assert_int_equal(a->rate_bps, 40 * GBPS);
    assert_int_equal(a->delay, 3 * US); /* the key's default */
    assert_int_equal(b->rate_bps, 1 * GBPS);
    assert_int_equal(b->delay, 5 * US);
    assert_int_equal(f->node[node(f, "s")].tier, TIER_LEAF);
    fabric_destroy(f);
}

#define GRAPH_BEGIN GRAPHML_HEAD GRAPHML_KEYS "<graph edgedefault='undirected'>\n"
#define GRAPHML_FAILS(text, line) errors(FORMAT_graphml, text, line)

static void graphml__errors_name_the_place(void **state) {
    (void)state;
    GRAPHML_FAILS("", "net:1:1: error: this is not XML: no element found");
    GRAPHML_FAILS("<a", "net:1:1: error: this is not XML: unclosed token");
    GRAPHML_FAILS("<gexf/>", "net:1:1: error: this is no GraphML: it begins with <gexf>, not with <graphml>");
    GRAPHML_FAILS("<svg xmlns='http://www.w3.org/2000/svg'/>",
                  "net:1:1: error: this is no GraphML: it begins with an element of another namespace");
    GRAPHML_FAILS(GRAPHML_HEAD "</graphml>",
                  "net:1:1: error: there is no <graph> in this file; it needs one with nodes and edges");
    GRAPHML_FAILS(GRAPH_BEGIN "</graph></graphml>", "net:1:1: error: the graph has no node; add <node id=\"s1\"/>");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='a'/></graph></graphml>",
                  "net:1:1: error: the graph has no edge; add <edge source=\"s1\" target=\"h1\"/>");
    GRAPHML_FAILS(GRAPH_BEGIN "<node/></graph></graphml>",
                  "net:9:1: error: a node without id; write <node id=\"s1\"/>");
    GRAPHML_FAILS(GRAPH_BEGIN " <edge source='a'/></graph></graphml>",
                  "net:9:2: error: an edge without source or target; write <edge source=\"s1\" target=\"h1\"/>");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='New York'/></graph></graphml>",
                  "net:9:1: error: a name must not have blanks, #, *, ? or / in it; rename the node");
    GRAPHML_FAILS(GRAPH_BEGIN
                  "<node id='a'/><node id='b'/>\n<node id='a'/><edge source='a' target='b'/></graph></graphml>",
                  "net:10:1: error: node \"a\" is there already, in line 9; rename one");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='alpha'/><node id='b'/>\n<edge source='alpah' target='b'/></graph></graphml>",
                  "net:10:1: error: unknown node \"alpah\"; did you mean \"alpha\"?");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='a'/>\n<edge source='a' target='a'/></graph></graphml>",
                  "net:10:1: error: a is linked to itself; name two nodes");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='a'><data key='d0'>spine</data></node></graph></graphml>",
                  "net:9:34: error: unknown tier \"spine\"; it is one of host, leaf, agg, core");
    GRAPHML_FAILS(GRAPH_BEGIN "<edge source='a' target='b'><data key='d1'>10</data></edge></graph></graphml>",
                  "net:9:46: error: rate: '10' has no unit; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps");
    GRAPHML_FAILS(
        GRAPH_BEGIN "<edge source='a' target='b'><data key='d7'>10</data></edge></graph></graphml>",
        "net:9:29: error: this data has no key that was declared above; add <key id=\"..\" attr.name=\"..\"/> "
        "before the graph");
}

/* What would be read as another graph, or with other links, is refused. */
static void graphml__refuses_what_it_cannot_do(void **state) {
    (void)state;
    GRAPHML_FAILS(GRAPHML_HEAD "<graph edgedefault='directed'/></graphml>",
                  "net:3:1: error: the edges of this graph are directed, half a link each; write an undirected graph "
                  "(networkx: G.to_undirected())");
    GRAPHML_FAILS(GRAPH_BEGIN "<edge source='a' target='b' directed='true'/></graph></graphml>",
                  "net:9:1: error: this edge is directed, half a link; write undirected edges");
    GRAPHML_FAILS(GRAPH_BEGIN "</graph><graph/></graphml>", "net:9:9: error: a second graph; one graph a file");
    GRAPHML_FAILS(GRAPH_BEGIN "<hyperedge/></graph></graphml>",
                  "net:9:1: error: a hyperedge joins more than two nodes; write an edge for each pair");
    GRAPHML_FAILS(GRAPH_BEGIN "<node id='a'><graph/></node></graph></graphml>",
                  "net:9:14: error: a graph within a node; write its nodes into the graph itself");
    GRAPHML_FAILS(
        GRAPHML_HEAD "<key id='a' for='edge' attr.name='Bandwidth'/></graphml>",
        "net:3:1: error: edges have the attribute 'Bandwidth', which is not read; name it rate and give it a unit, "
        "or remove it");
    GRAPHML_FAILS(
        GRAPHML_HEAD "<key id='a' for='edge' attr.name='latency'/></graphml>",
        "net:3:1: error: edges have the attribute 'latency', which is not read; name it delay and give it a unit, "
        "or remove it");
    GRAPHML_FAILS(GRAPHML_HEAD "<key for='edge' attr.name='rate'/></graphml>",
                  "net:3:1: error: a key without id; write <key id=\"d0\" for=\"edge\" attr.name=\"rate\"/>");
    GRAPHML_FAILS("<!DOCTYPE x [<!ENTITY a \"b\">]>\n<graphml/>",
                  "net:1:25: error: the file declares the entity 'a'; write its text where it is used");
}

/* ---- containerlab ---- */

static void containerlab__brief_and_long_links(void **state) {
    (void)state;
    struct fabric *f =
        read_back("name: x\nprefix: \"\"\nmgmt: {network: n}\n"
                  "topology:\n"
                  "  defaults: {kind: linux}\n"
                  "  kinds: {linux: {image: i, labels: {tier: host}}, srl: {labels: {tier: agg}}}\n"
                  "  groups: {g: {labels: {tier: leaf}}}\n"
                  "  nodes:\n"
                  "    s: {kind: srl, group: g}\n"
                  "    t: {kind: srl}\n"
                  "    h:\n"
                  "    \"1:2\": {exec: [x], labels: {other: 1}}\n"
                  "    z: {labels: {tier: leaf}}\n"
                  "    y: {}\n"
                  "  links:\n"
                  "    - endpoints: [\"s:e1-1\", \"h:eth1\"]\n"
                  "      mtu: 9000\n"
                  "      vars: {rate: 40Gbps, delay: 3us, loss: 1%, other: 7}\n"
                  "    - type: veth\n"
                  "      endpoints: [{node: \"1:2\", interface: eth1, mac: x}, {node: s, interface: e1-2}]\n"
                  "    - endpoints: [\"s:e1-3\", \"t:eth1\"]\n"
                  "    - endpoints: [\"z:e1-3\", \"t:eth2\"]\n"
                  "    - endpoints: [\"z:e1-4\", \"y:eth2\"]\n",
                  FORMAT_containerlab);
    assert_int_equal(f->n_hosts, 3);
    assert_int_equal(f->n_leaves, 2);
    assert_int_equal(f->node[node(f, "t")].tier, TIER_AGG);
    assert_int_equal(f->node[node(f, "1:2")].tier, TIER_HOST);
    const struct place_port *h = &f->paths.port[f->paths.first_port[node(f, "h")]];
    assert_int_equal(h->rate_bps, 40 * GBPS);
    assert_int_equal(h->delay, 3 * US);
    assert_int_equal(h->loss_ppb, 10000000);
    fabric_destroy(f);
}

#define CLAB_FAILS(text, line) errors(FORMAT_containerlab, text, line)
#define CLAB_NODES "topology:\n  nodes: {s: {kind: linux}, h: {}}\n"

static void containerlab__errors_name_the_place(void **state) {
    (void)state;
    CLAB_FAILS("", "net:1:1: error: the file is empty; it needs a topology with nodes and links");
    CLAB_FAILS("name: x\n",
               "net:1:1: error: there is no \"topology\"; add for example topology: {nodes: {s1: {kind: linux, "
               "labels: {tier: leaf}}}}");
    CLAB_FAILS("topology: 1\n",
               "net:1:11: error: \"topology\" must be a map; write topology: {nodes: {s1: {kind: linux, "
               "labels: {tier: leaf}}}}");
    CLAB_FAILS("topology: {nodes: {}}\n",
               "net:1:19: error: \"nodes\" is empty; add for example nodes: {s1: {kind: linux, labels: {tier: leaf}}}");
    CLAB_FAILS("x: &x {a: 1}\ntopology: {<<: *x}\n",
               "net:2:12: error: merge keys (<<) are not supported; repeat the keys");
    CLAB_FAILS("topology: {nodes: {[a]: 1}}\n",
               "net:1:20: error: a name must be a word; write nodes: {s1: {kind: linux, labels: {tier: leaf}}}");
    CLAB_FAILS("topology: {nodes: {a/b: 1}}\n",
               "net:1:20: error: a name must not have blanks, #, *, ? or / in it; rename the node");
    CLAB_FAILS("topology: {nodes: {a: {labels: {tier: spine}}}}\n",
               "net:1:39: error: unknown tier \"spine\"; it is one of host, leaf, agg, core");
    CLAB_FAILS(CLAB_NODES, "net:2:3: error: there are no \"links\"; add for example links: [{endpoints: [\"s1:eth1\", "
                           "\"h1:eth1\"]}]");
    CLAB_FAILS(CLAB_NODES "  links: [s]\n",
               "net:3:11: error: a link must be a map; write endpoints: [\"s1:eth1\", \"h1:eth1\"]");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [\"s:e\"]}]\n",
               "net:3:23: error: a link has two ends; write endpoints: [\"s1:eth1\", \"h1:eth1\"]");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [s, \"h:e\"]}]\n",
               "net:3:24: error: an end of a link is NODE:INTERFACE; write endpoints: [\"s1:eth1\", \"h1:eth1\"]");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [\"s:e\", \"host:e\"]}]\n",
               "net:3:31: error: unknown node \"host\"; add it to nodes");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [{interface: e}, \"h:e\"]}]\n",
               "net:3:24: error: an end without \"node\"; write {node: s1, interface: eth1}");
    CLAB_FAILS(CLAB_NODES "  links: [{type: macvlan, endpoint: {node: s, interface: e}}]\n",
               "net:3:18: error: a link of type macvlan leads out of the lab; remove it, or make it a veth");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [\"s:e\", \"h:e\"], vars: {rate: [1]}}]\n",
               "net:3:52: error: \"rate\" must be one quantity; write vars: {rate: 10Gbps, delay: 1us}");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [\"s:e\", \"h:e\"], vars: {delay: 1}}]\n",
               "net:3:53: error: delay: '1' has no unit; write ps, ns, us, ms or s, such as 20us");
    CLAB_FAILS(CLAB_NODES "  links: [{endpoints: [\"s:e\", \"s:f\"]}]\n",
               "net:3:11: error: s is linked to itself; name two nodes");
    CLAB_FAILS("topology:\n\tnodes: 1\n", "net:2:1: error: this is not YAML: a tab; write blanks in its place");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(write__every_topology_comes_back),
        UNIT(write__larger_fabrics_come_back),
        UNIT(write__a_graph_of_ones_own_comes_back),
        UNIT(read__a_name_with_a_control_character),
        UNIT(formats__are_found_by_name_and_by_text),
        UNIT(formats__one_for_another),
        UNIT(graphml__of_networkx_and_yed),
        UNIT(graphml__errors_name_the_place),
        UNIT(graphml__refuses_what_it_cannot_do),
        UNIT(containerlab__brief_and_long_links),
        UNIT(containerlab__errors_name_the_place),
        UNIT(htsim__fat_trees_come_back),
        UNIT(hpcc__of_other_programs),
        UNIT(hpcc__gpus_of_simai_have_two_nics),
        UNIT(htsim__latencies_of_switches),
        UNIT(hpcc__errors_name_the_place),
        UNIT(htsim__errors_name_the_place),
    };
    return RUN_UNITS(tests);
}
