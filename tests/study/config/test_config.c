/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/config.h"

#include "base/units.h"
#include "mech/transport/transport.h"
#include "study/config/catalogue.h"
#include "study/config/query_classes.h"
#include "study_test.h"
#include "workload/workload.h"

#include <stdlib.h>

/* ---- errors: the exact line ---- */

static void config_resolve__unknown_key_names_the_nearest(void **state) {
    (void)state;
    refuse("fabric: {kind: star, host: 4}\n" PERMUTATION,
           "x.yaml:1:22: error: unknown key 'host' in fabric; did you mean 'hosts'?");
    refuse("tilte: x\n" STAR PERMUTATION, "x.yaml:1:1: error: unknown key 'tilte'; did you mean 'title'?");
    refuse(STAR "workloads: []\n", "x.yaml:2:1: error: unknown key 'workloads'; did you mean 'workload'?");
    refuse(STAR "workload:\n  - {kind: poisson, sizes: web-search, laod: 0.5}\n",
           "x.yaml:3:40: error: unknown key 'laod' in workload.0; did you mean 'load'?");
    refuse(STAR PERMUTATION "switch: {expeditus: {pst_timeuot: 500us}}\n",
           "x.yaml:3:22: error: unknown key 'pst_timeuot' in switch.expeditus; did you mean 'pst_timeout'?");
    refuse(STAR PERMUTATION "host: {min_rtt: 1ms}\n",
           "x.yaml:3:8: error: unknown key 'min_rtt' in host; did you mean 'min_rto'?");
}

/* The search covers all transports: this is a parameter of the last one. */
static void config_resolve__unknown_key_of_hosts_is_sought_among_all_transports(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "host: {transport: udp, paylod: 1KB}\n",
           "x.yaml:3:24: error: unknown key 'paylod' in host; did you mean 'payload'?");
}

static void config_resolve__far_from_every_name_lists_them(void **state) {
    (void)state;
    refuse(STAR PERMUTATION "run: {speedy_gonzales: 1}\n",
           "x.yaml:3:7: error: unknown key 'speedy_gonzales' in run; known are: seed, until");
}

static void config_resolve__a_quantity_needs_its_unit(void **state) {
    (void)state;
    refuse("fabric: {kind: star, hosts: 4, rate: 10}\n" PERMUTATION,
           "x.yaml:1:38: error: fabric.rate: '10' has no unit; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps");
    refuse("fabric: {kind: star, hosts: 4, delay: 2MB}\n" PERMUTATION,
           "x.yaml:1:39: error: fabric.delay: 'MB' is no unit of a time; write ps, ns, us, ms or s, such as 20us");
}

static void config_resolve__out_of_range_prints_the_range(void **state) {
    (void)state;
    refuse("fabric: {kind: star, hosts: 0}\n" PERMUTATION,
           "x.yaml:1:29: error: fabric.hosts: '0' is out of range; write 1 to 1000000");
    refuse(STAR PERMUTATION "switch: {balance: expeditus, expeditus: {dre_alpha: 200%}}\n",
           "x.yaml:3:53: error: switch.expeditus.dre_alpha: '200%' is out of range; write 1% to 1");
}

/* Fails unless the text is refused with this line, followed by all names of a family: "ecmp, expeditus, ...". */
static void refuse_listing(const char *text, const char *line, const char *family, const char *end) {
    char *names = catalogue_names(family, NULL), whole[1024];
    int length = snprintf(whole, sizeof whole, "%s", line);
    for (const char *c = names; *c; c++)
        length += snprintf(whole + length, sizeof whole - (size_t)length, *c == '|' ? ", " : "%c", *c);
    snprintf(whole + length, sizeof whole - (size_t)length, "%s", end);
    refuse(text, whole);
    free(names);
}

static void config_resolve__wrong_types(void **state) {
    (void)state;
    refuse("fabric: star\n" PERMUTATION, "x.yaml:1:9: error: fabric holds keys; write fabric: {KEY: VALUE}");
    refuse("fabric: {kind: [star], hosts: 4}\n" PERMUTATION,
           "x.yaml:1:16: error: fabric.kind is one value, not a list; sweep: {fabric.kind: [...]} in the file makes a "
           "run of each");
    refuse("fabric: {kind: star, hosts: four}\n" PERMUTATION,
           "x.yaml:1:29: error: fabric.hosts: 'four' is not a count; write one such as 10");
    refuse_listing("fabric: {kind: heptagon, hosts: 4}\n" PERMUTATION,
                   "x.yaml:1:16: error: fabric.kind: 'heptagon' is unknown; write one of: ", "fabrics", "");
    refuse_listing(STAR PERMUTATION "switch: {balance: expiditus}\n",
                   "x.yaml:3:19: error: switch.balance: 'expiditus' is unknown; did you mean 'expeditus'? (one of: ",
                   "balance", ")");
}

static void config_resolve__missing_keys_name_the_block(void **state) {
    (void)state;
    refuse("fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, hosts: 2}\n" PERMUTATION,
           "x.yaml:1:9: error: 'fabric.cores' is missing; give cores (cores per plane)");
    refuse(STAR "workload:\n  - {kind: poisson, sizes: web-search, load: 0.5}\n",
           "x.yaml:3:5: error: 'workload.0.load_at' is missing; give load_at (the tier that the load is counted at)");
    refuse(PERMUTATION, "x.yaml:1:1: error: 'fabric.kind' is missing; give kind (its kind)");
}

static void config_resolve__keys_of_another_kind_are_refused(void **state) {
    (void)state;
    refuse("fabric: {kind: star, hosts: 4, k: 8}\n" PERMUTATION,
           "x.yaml:1:32: error: 'fabric.k' does not apply to fabric.kind star; it belongs to fat-tree");
    refuse(
        STAR "workload: [{kind: permutation, sizes: 1MB, load: 0.5}]\n",
        "x.yaml:2:44: error: 'workload.0.load' does not apply to workload.0.kind permutation; it belongs to poisson");
}

static void config_resolve__rate_is_of_paced_transports_burst_of_udp(void **state) {
    (void)state;
    refuse(STAR "workload: [{kind: permutation, sizes: 1MB, rate: 1Gbps}]\n",
           "x.yaml:2:44: error: 'workload.0.rate' does not apply to host.transport newreno; it belongs to "
           "expresspass|spraypass|udp");
    refuse(STAR "workload: [{kind: permutation, sizes: 1MB, transport: cubic, burst: 3KB}]\nhost: {transport: udp}\n",
           "x.yaml:2:62: error: 'workload.0.burst' does not apply to workload.0.transport cubic; it belongs to udp");
    struct experiment *e = read_text(STAR "workload:\n  - {kind: long, transport: udp, rate: 1Gbps, stop: 1ms}\n"
                                          "  - {kind: permutation, sizes: 1KB}\n");
    assert_string_equal(text_at(e, 0, "workload.0.rate"), "1Gbps");
    assert_null(config_find(&e->run[0].config, "workload.1.rate"));
    experiment_free(e);
    e = read_text(STAR "host: {transport: udp}\nworkload: [{kind: permutation, sizes: 1KB, rate: 1Gbps}]\n"
                       "sweep: {host.transport: [udp, cubic]}\n");
    assert_string_equal(text_at(e, 0, "workload.0.rate"), "1Gbps");
    assert_null(config_find(&e->run[1].config, "workload.0.rate"));
    experiment_free(e);
}

static void config_resolve__what_decides_is_missing(void **state) {
    (void)state;
    refuse("fabric: {hosts: 4}\n" PERMUTATION, "x.yaml:1:10: error: 'fabric.kind' is missing; give kind (its kind)");
}

static void config_resolve__a_distribution_that_is_none(void **state) {
    (void)state;
    refuse(STAR "workload: [{kind: permutation, sizes: web-serch}]\n",
           "x.yaml:2:39: error: unknown sizes 'web-serch'; did you mean 'web-search'?");
}

static void config_resolve__keys_of_another_kind_pass_when_the_kind_is_swept(void **state) {
    (void)state;
    struct experiment *e =
        read_text("fabric: {kind: star, hosts: 4, k: 4}\n" PERMUTATION "sweep: {fabric.kind: [star, fat-tree]}\n");
    assert_int_equal(e->n_runs, 2);
    assert_null(config_find(&e->run[0].config, "fabric.k"));
    assert_null(config_find(&e->run[1].config, "fabric.hosts"));
    assert_string_equal(text_at(e, 1, "fabric.k"), "4");
    experiment_free(e);
}

static void config_resolve__unknown_scheme(void **state) {
    (void)state;
    refuse("scheme: expedites\n" STAR PERMUTATION,
           "x.yaml:1:9: error: unknown scheme 'expedites'; did you mean 'expeditus'?");
}

/* ---- values and where they come from ---- */

static void config_resolve__defaults_follow_siblings(void **state) {
    (void)state;
    struct experiment *e =
        read_text("fabric: {kind: fat-tree, k: 4, rate: 40Gbps, host_rate: 10Gbps, delay: 500ns}\n" PERMUTATION);
    assert_string_equal(text_at(e, 0, "fabric.host_rate"), "10Gbps");
    assert_string_equal(text_at(e, 0, "fabric.uplink_rate"), "40Gbps");
    assert_string_equal(text_at(e, 0, "fabric.core_delay"), "500ns");
    assert_int_equal(config_value(&e->run[0].config, 0, "fabric.core_delay"), 500 * PS_PER_NS);
    assert_string_equal(text_at(e, 0, "run.until"), "(none)");
    assert_int_equal(config_value(&e->run[0].config, -7, "run.until"), -7);
    experiment_free(e);
}

static void config_resolve__a_scheme_is_overridden_by_blocks(void **state) {
    (void)state;
    struct experiment *e = read_text("scheme: expeditus\n" STAR PERMUTATION);
    assert_string_equal(text_at(e, 0, "switch.balance"), "expeditus");
    experiment_free(e);
    e = read_text("scheme: expeditus\nhost: {transport: cubic}\n" STAR PERMUTATION);
    assert_string_equal(text_at(e, 0, "switch.balance"), "expeditus");
    assert_string_equal(text_at(e, 0, "host.transport"), "cubic");
    experiment_free(e);
}

static void config_resolve__a_preset_fills_the_fabric(void **state) {
    (void)state;
    struct experiment *e = read_text("fabric: {preset: altoona, pods: 4}\n" PERMUTATION);
    assert_string_equal(text_at(e, 0, "fabric.pods"), "4");
    assert_string_equal(text_at(e, 0, "fabric.tors"), "48");
    assert_string_equal(text_at(e, 0, "fabric.uplink_rate"), "40Gbps");
    experiment_free(e);
}

static void config_resolve__transport_parameters_stand_under_host_or_in_a_block(void **state) {
    (void)state;
    struct experiment *e =
        read_text(STAR PERMUTATION "host: {transport: newreno, min_rto: 1ms, newreno: {initial_window: 4}}\n");
    assert_string_equal(text_at(e, 0, "host.newreno.min_rto"), "1ms");
    assert_string_equal(text_at(e, 0, "host.newreno.initial_window"), "4");
    assert_null(config_find(&e->run[0].config, "host.cubic.min_rto"));
    experiment_free(e);
}

static void config_resolve__blocks_of_mechanisms_not_in_use_are_no_part_of_it(void **state) {
    (void)state;
    struct experiment *with = read_text(STAR PERMUTATION "switch: {balance: ecmp, expeditus: {pst_timeout: 500us}}\n");
    struct experiment *without = read_text(STAR PERMUTATION "switch: {balance: ecmp}\n");
    assert_string_equal(with->run[0].identity, without->run[0].identity);
    experiment_free(with);
    experiment_free(without);
}

static void config_resolve__a_list_of_one_may_stand_alone(void **state) {
    (void)state;
    struct experiment *plain = read_text(STAR "workload: {kind: permutation, sizes: 100KB}\nmeasure: {flow: 2}\n");
    struct experiment *listed = read_text(STAR PERMUTATION "measure: {flow: [2]}\n");
    assert_string_equal(plain->run[0].identity, listed->run[0].identity);
    assert_int_equal(config_count(&plain->run[0].config, "workload"), 1);
    experiment_free(plain);
    experiment_free(listed);
}

/* ---- the effective configuration as text ---- */

static void same_again(const char *text) {
    struct experiment *e = read_text(text);
    for (size_t i = 0; i < e->n_runs; i++) {
        struct experiment *again = read_text(e->run[i].text);
        assert_string_equal(again->run[0].text, e->run[i].text);
        assert_string_equal(again->run[0].identity, e->run[i].identity);
        experiment_free(again);
    }
    experiment_free(e);
}

static void config_print__reads_back_with_the_same_identity(void **state) {
    (void)state;
    same_again(STAR PERMUTATION);
    same_again(
        "title: Everything\nscheme: expeditus\n"
        "fabric:\n  kind: clos\n  pods: 2\n  tors: 2\n  aggs: 2\n  cores: 2\n  hosts: 2\n"
        "  links: [{match: \"agg0.1-*\", rate: 1Gbps, loss: 0.01%}, {match: 'tor*-agg*', delay: 5us}]\n"
        "  failed: [{link: agg0.1-core1.0, at: 10ms, repair_at: 20ms, detect: 1ms}]\n"
        "  fail_random: {tier: agg-core, pod: 0, links: 1, max_per_switch: 2}\n"
        "workload:\n  - {kind: poisson, sizes: web-search, load: 0.5, load_at: agg-uplink, pairs: inter-pod, among: "
        "[pod0, "
        "pod1], flows: 10}\n  - {kind: long, transport: udp, rate: 1Gbps, src: host0.0.0, dst: host1.0.0}\n"
        "run: {until: 1s}\nmeasure: {starts: [20%, 80%], queues: 100us, flow: [1, 2], pcap: [tor0.0]}\n"
        "sweep: {switch.balance: [ecmp, expeditus, clairvoyant], workload.0.load: [0.3, 50%], run.seed: [1, 2]}\n");
}

/* Quotes make a host's text a name, so the printed configuration keeps them where they matter. */
static void config_print__quotes_of_hosts(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"1", "receiver: 1\n"},
        {"\"1\"", "receiver: \"1\"\n"},
        {"'1'", "receiver: \"1\"\n"},
        {"host0.0", "receiver: host0.0\n"},
        {"\"host0.0\"", "receiver: host0.0\n"},
        {"each", "receiver: each\n"},
        {"\"each\"", "receiver: \"each\"\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, STAR "workload: [{kind: incast, sizes: 1KB, request: 2KB, receiver: %s}]\n",
                 rows[i][0]);
        struct experiment *e = read_text(text);
        if (!strstr(e->run[0].text, rows[i][1])) fail_msg("%s: %s", rows[i][0], e->run[0].text);
        experiment_free(e);
        same_again(text);
    }
}

/* The word none stands for no host; in quotes it is a name. */
static void config_find__a_host_named_none(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR "workload: [{kind: long, src: \"none\", dst: none}]\n");
    assert_string_equal(config_text(&e->run[0].config, "workload.0.src"), "none");
    assert_null(config_text(&e->run[0].config, "workload.0.dst"));
    assert_non_null(strstr(e->run[0].text, "src: \"none\"\n"));
    experiment_free(e);
}

static void config_given__not_a_default_and_not_none(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "run: {until: none}\nmeasure: {queues: 10us}\n");
    const struct config *c = &e->run[0].config;
    assert_int_equal(config_given(c, "measure.queues")->value, 10 * PS_PER_US);
    assert_null(config_given(c, "run.until"));
    assert_null(config_given(c, "measure.imbalance"));  /* its default */
    assert_null(config_given(c, "switch.drr_quantum")); /* does not apply */
    experiment_free(e);
}

static void config_row__of_the_family_that_a_key_names(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "host: {transport: dctcp}\n");
    const struct config *c = &e->run[0].config;
    assert_ptr_equal(config_row(c, "transports", "host.transport"), transport_find("dctcp"));
    assert_ptr_equal(config_row(c, "workloads", "workload.0.kind"), workload_find("permutation"));
    assert_null(config_row(c, "workloads", "workload.1.kind"));
    experiment_free(e);
}

static void config_numbers__as_many_as_there_is_room_for(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "measure: {jain: [1ms, 2ms, 3ms]}\n");
    const struct config *c = &e->run[0].config;
    int64_t two[3] = {0, 0, 7};
    size_t n;
    assert_int_equal(config_numbers(c, "measure.jain", two, 2), 3);
    assert_true(two[0] == PS_PER_MS && two[1] == 2 * PS_PER_MS && two[2] == 7);
    int64_t *all = config_list(c, "measure.jain", &n);
    assert_int_equal(n, 3);
    assert_int_equal(all[2], 3 * PS_PER_MS);
    free(all);
    assert_int_equal(config_numbers(c, "measure.starts", two, 2), 0);
    experiment_free(e);
}

static void config_print__does_not_depend_on_the_order_of_keys(void **state) {
    (void)state;
    struct experiment *a = read_text(STAR PERMUTATION "run: {seed: 3}\n");
    struct experiment *b =
        read_text("run: {seed: 3}\nworkload: [{sizes: 100KB, kind: permutation}]\nfabric: {hosts: 4, kind: star}\n");
    assert_string_equal(a->run[0].text, b->run[0].text);
    experiment_free(a);
    experiment_free(b);
}

/* The row of each key accepts its own default. */
static void schema_keys__defaults_are_in_range(void **state) {
    (void)state;
    size_t n;
    const struct key *k = schema_keys(&n);
    assert_true(n > 100);
    for (size_t i = 0; i < n; i++) {
        int64_t value;
        char why[384] = "";
        bool plain = k[i].kind == KEY_VALUE && k[i].def && k[i].def[0] != '=';
        if (!plain || strcmp(k[i].def, "none") == 0) continue;
        if (!param_parse(&k[i].param, k[i].def, &value, why, sizeof why)) fail_msg("%s: %s", k[i].path, why);
    }
}

/* expresspass has a parameter `jitter`, a share of the gap between credits. `host.jitter` is the key of hosts, a
 * time. */
static void config_resolve__a_key_of_the_hosts_goes_before_a_parameter(void **state) {
    (void)state;
    struct experiment *e =
        read_text(STAR PERMUTATION "host: {transport: expresspass, jitter: 1us, expresspass: {jitter: 0.02}}\n");
    assert_string_equal(text_at(e, 0, "host.jitter"), "1us");
    assert_string_equal(text_at(e, 0, "host.expresspass.jitter"), "2%");
    experiment_free(e);
    e = read_text(STAR PERMUTATION "host: {transport: expresspass, jitter: 1us}\n");
    assert_string_equal(text_at(e, 0, "host.jitter"), "1us");
    assert_string_equal(text_at(e, 0, "host.expresspass.jitter"), schema_find("host.expresspass.jitter")->def);
    experiment_free(e);
}

static void schema_keys__every_key_is_explained(void **state) {
    (void)state;
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        if (!k[i].param.doc || !k[i].param.doc[0]) fail_msg("%s has no explanation", k[i].path);
        assert_ptr_equal(schema_find(k[i].path), &k[i]);
    }
}

/* ---- classes of queries ---- */

/* What several entries give is gathered, each once and ascending, whatever the order in the file. */
static void query_classes_read__ascend(void **state) {
    (void)state;
    struct experiment *e =
        read_text("fabric: {kind: star, hosts: 12}\n"
                  "workload:\n"
                  "  - {kind: web-partition, schedule: [{for: 1ms, rate: 300/s}], responses: [8KB], fanout: [5, 2]}\n"
                  "  - {kind: web-partition, schedule: [{for: 1ms, rate: 300/s}], responses: [2KB], fanout: [3, 5]}\n");
    struct query_classes q;
    struct diag d = {0};
    assert_true(query_classes_read(&e->run[0].config, &q, &d));
    assert_int_equal(q.n_sizes, 2);
    assert_int_equal(q.size[0], 2000);
    assert_int_equal(q.size[1], 8000);
    assert_int_equal(q.n_fanouts, 3);
    const uint32_t wanted[] = {2, 3, 5};
    assert_memory_equal(q.fanout, wanted, sizeof wanted);
    experiment_free(e);
}

/* ---- schemes of the file ---- */

static void own_scheme__the_file_comes_first_then_the_scheme_then_its_start(void **state) {
    (void)state;
    static const char text[] = STAR PERMUTATION "scheme: mine\n"
                                                "switch: {buffer: 300KB}\n"
                                                "schemes:\n"
                                                "  mine: {scheme: dctcp, switch: {buffer: 500KB, balance: spray}, "
                                                "host: {dupack_threshold: 9}}\n"
                                                "  other: {host: {transport: cubic}}\n";
    struct experiment *e = read_text(text);
    assert_string_equal(text_at(e, 0, "switch.buffer"), "300KB");
    assert_string_equal(text_at(e, 0, "switch.balance"), "spray");
    assert_string_equal(text_at(e, 0, "host.transport"), "dctcp");
    assert_string_equal(text_at(e, 0, "host.dctcp.dupack_threshold"), "9");
    assert_string_equal(text_at(e, 0, "host.nic"), "fifo");
    assert_string_equal(e->run[0].config.own_scheme, "mine");
    assert_string_equal(e->run[0].config.scheme, "dctcp");
    experiment_free(e);
}

static void own_scheme__a_run_is_what_its_keys_are(void **state) {
    (void)state;
    struct experiment *own = read_text(STAR PERMUTATION "scheme: mine\n"
                                                        "schemes: {mine: {scheme: expeditus}, more: {}}\n"),
                      *of_heddle = read_text(STAR PERMUTATION "scheme: expeditus\n");
    assert_string_equal(own->run[0].identity, of_heddle->run[0].identity);
    assert_string_equal(own->run[0].text, of_heddle->run[0].text);
    experiment_free(own);
    experiment_free(of_heddle);
}

/* Schemes that no run names are checked too. */
static void own_scheme__errors_name_their_place(void **state) {
    (void)state;
    refuse(
        STAR PERMUTATION "schemes: {dctcp: {host: {transport: dctcp}}}\n",
        "x.yaml:3:11: error: scheme 'dctcp' is one of heddle's; give yours another name, and write scheme: dctcp in it "
        "to change parts of that one");
    refuse(STAR PERMUTATION "schemes: {mine: {switch: {admit: droptail, ecn_threshold: 30KB}}}\n",
           "x.yaml:3:44: error: 'switch.ecn_threshold' does not apply to switch.admit droptail; it belongs to ecn");
    refuse(STAR PERMUTATION "schemes: {mine: {scheme: [ecmp]}}\n",
           "x.yaml:3:26: error: scheme is one value; name the scheme to start from (`heddle list schemes`)");
    refuse(STAR PERMUTATION "schemes: mine\n",
           "x.yaml:3:10: error: schemes holds schemes; write schemes: {NAME: {switch: {}, host: {}}}");
    refuse(STAR PERMUTATION "schemes: {mine: {}}\nscheme: mien\n",
           "x.yaml:4:9: error: unknown scheme 'mien'; did you mean 'mine'?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(own_scheme__the_file_comes_first_then_the_scheme_then_its_start),
        UNIT(own_scheme__a_run_is_what_its_keys_are),
        UNIT(own_scheme__errors_name_their_place),
        UNIT(config_resolve__unknown_key_names_the_nearest),
        UNIT(config_resolve__unknown_key_of_hosts_is_sought_among_all_transports),
        UNIT(config_resolve__far_from_every_name_lists_them),
        UNIT(config_resolve__a_quantity_needs_its_unit),
        UNIT(config_resolve__out_of_range_prints_the_range),
        UNIT(config_resolve__wrong_types),
        UNIT(config_resolve__missing_keys_name_the_block),
        UNIT(config_resolve__keys_of_another_kind_are_refused),
        UNIT(config_resolve__rate_is_of_paced_transports_burst_of_udp),
        UNIT(config_resolve__what_decides_is_missing),
        UNIT(config_resolve__a_distribution_that_is_none),
        UNIT(config_resolve__keys_of_another_kind_pass_when_the_kind_is_swept),
        UNIT(config_resolve__unknown_scheme),
        UNIT(config_resolve__defaults_follow_siblings),
        UNIT(config_resolve__a_scheme_is_overridden_by_blocks),
        UNIT(config_resolve__a_preset_fills_the_fabric),
        UNIT(config_resolve__transport_parameters_stand_under_host_or_in_a_block),
        UNIT(config_resolve__a_key_of_the_hosts_goes_before_a_parameter),
        UNIT(config_resolve__blocks_of_mechanisms_not_in_use_are_no_part_of_it),
        UNIT(config_resolve__a_list_of_one_may_stand_alone),
        UNIT(config_print__reads_back_with_the_same_identity),
        UNIT(config_print__quotes_of_hosts),
        UNIT(config_find__a_host_named_none),
        UNIT(config_given__not_a_default_and_not_none),
        UNIT(config_row__of_the_family_that_a_key_names),
        UNIT(config_numbers__as_many_as_there_is_room_for),
        UNIT(config_print__does_not_depend_on_the_order_of_keys),
        UNIT(query_classes_read__ascend),
        UNIT(schema_keys__defaults_are_in_range),
        UNIT(schema_keys__every_key_is_explained),
    };
    return RUN_UNITS(tests);
}
