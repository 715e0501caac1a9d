/* SPDX-License-Identifier: Apache-2.0 */
/* A process of switches with its threads, and the status that it reports: two leaves with two hosts each and two spines; the
 * hosts are rings. Numbers of nodes: hosts 0 to 3, leaves 4 and 5, spines 6 and 7. Ports of a leaf: hosts, then spines. */
#include "live/status.h"

#include "live/replaying.h"

#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HOSTS 4
#define SWITCHES 4
enum { LEAF0 = 4, LEAF1, SPINE0, SPINE1 };
#define GBPS_TEN 10000000000

struct stand {
    struct fabric_spec spec;
    struct fabric *fabric; /* another one like it, for names and addresses */
    int64_t params[24];
    struct switch_config config;
    uint32_t node[SWITCHES];
    struct switchd_edge edge[HOSTS];
    char ring[HOSTS][32];
    struct switchd_setup setup;
    struct live_port *host[HOSTS];
    struct frames frames; /* of the hosts */
    struct switchd *switchd;
    struct status *status;
};

static struct stand *stand_new(void) {
    static int made_so_far;
    struct stand *x = calloc(1, sizeof *x);
    struct diag d = {0};
    x->spec = spec_leaf_spine(2, 2, 2);
    x->spec.host_bps = x->spec.uplink_bps = GBPS_TEN;
    x->spec.host_delay = x->spec.uplink_delay = 0;
    x->fabric = made(x->spec);
    const struct balancer_ops *ops = balancer_find("ecmp");
    for (size_t i = 0; i < ops->n_params; i++) x->params[i] = ops->params[i].def;
    x->config =
        (struct switch_config){.buffer_bytes = 4000000, .port.classes = 1, .balance = ops, .balance_params = x->params};
    for (uint32_t i = 0; i < SWITCHES; i++) x->node[i] = LEAF0 + i;
    made_so_far++;
    for (uint32_t h = 0; h < HOSTS; h++) {
        snprintf(x->ring[h], sizeof x->ring[h], "ring:switchd%d.%u", made_so_far, h);
        x->edge[h] = (struct switchd_edge){.node = LEAF0 + h / 2, .port = (uint16_t)(h % 2), .live = x->ring[h]};
        x->host[h] = live_port_open(x->ring[h], &d);
        assert_non_null(x->host[h]);
    }
    frames_init(&x->frames);
    x->setup = (struct switchd_setup){.spec = &x->spec,
                                      .switches = &x->config,
                                      .seed = 1,
                                      .node = x->node,
                                      .n = SWITCHES,
                                      .edge = x->edge,
                                      .n_edges = HOSTS,
                                      .threads = 1};
    return x;
}

/* Starts what the setup says. */
static struct stand *stand_start(struct stand *x) {
    struct diag d = {0};
    x->switchd = switchd_start(&x->setup, &d);
    if (!x->switchd) fail_msg("%s", d.text);
    x->status = status_create(x->switchd, &x->config);
    return x;
}

static void stand_end(struct stand *x) {
    struct diag d = {0};
    status_destroy(x->status);
    assert_true(switchd_stop(x->switchd, &d));
    for (uint32_t h = 0; h < HOSTS; h++) live_port_close(x->host[h]);
    frames_fini(&x->frames);
    fabric_destroy(x->fabric);
    free(x);
}

/* Fails the test unless the switches are refused with this reason. */
static void stand_refused(struct stand *x, const char *why) {
    struct diag d = {0};
    assert_null(switchd_start(&x->setup, &d));
    assert_string_equal(d.text, why);
    stand_end(x);
}

/* ---- frames of hosts ---- */

static void host_send(struct stand *x, uint32_t from, uint32_t to) {
    uint8_t frame[2048];
    struct packet p = blank_packet(PROTO_UDP);
    p.src_ip = fabric_host_ip(x->fabric, from);
    p.dst_ip = fabric_host_ip(x->fabric, to);
    p.payload_bytes = 1000;
    size_t n = frame_build(&p, NULL, mac_a, mac_b, frame, sizeof frame);
    live_port_send(x->host[from], &(struct port_bytes){frame, (uint32_t)n}, 1);
}

/* Returns how many datagrams came to a host; waits for that many, for some seconds at most. The switches also ask each host for
 * its MAC. */
static uint32_t host_receives(struct stand *x, uint32_t host, uint32_t wanted) {
    uint32_t got = 0;
    struct port_arrival a;
    for (int i = 0; i < 500 && got < wanted; i++) {
        while (live_port_receive(x->host[host], &x->frames, &a, 1)) {
            got += frames_parse(&x->frames, a.index, a.captured, a.length) == FRAME_OK;
            frames_release(&x->frames, a.index);
        }
        if (got < wanted) poll(NULL, 0, 10);
    }
    return got;
}

/* ---- the status ---- */

/* Returns a switch, which stand in the order of the threads. */
static json_t *switch_of(json_t *o, uint32_t node) {
    static const char *const name[] = {"leaf0", "leaf1", "spine0", "spine1"};
    size_t i;
    json_t *sw;
    json_array_foreach(json_object_get(o, "switches"), i, sw) if (strcmp(json_string_value(json_object_get(sw, "name")),
                                                                         name[node - LEAF0]) == 0) return sw;
    fail_msg("no switch %s", name[node - LEAF0]);
    return NULL;
}

static json_t *port_of(json_t *o, uint32_t node, uint32_t port) {
    return json_array_get(json_object_get(switch_of(o, node), "ports"), port);
}

static json_int_t number(json_t *o, const char *key) {
    if (!json_is_integer(json_object_get(o, key))) fail_msg("no number %s", key);
    return json_integer_value(json_object_get(o, key));
}

static json_int_t frames_number(json_t *o, uint32_t node, const char *key) {
    return number(json_object_get(switch_of(o, node), "frames"), key);
}

static bool is_up(struct stand *x, uint32_t node, uint32_t port) {
    json_t *o = status_json(x->status, false), *p = port_of(o, node, port);
    bool up = json_is_true(json_object_get(p, "up"));
    assert_true(json_is_boolean(json_object_get(p, "known_up")));
    json_decref(o);
    return up;
}

/* A datagram crosses three switches; each counts it at the port by which it left, and at the port outside where it came in. */
static void status__counts_a_datagram(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    host_send(x, 0, 3);
    assert_int_equal(host_receives(x, 3, 1), 1);
    json_t *o = status_json(x->status, false);
    assert_string_equal(json_string_value(json_object_get(o, "fabric")), "leaf-spine");
    assert_string_equal(json_string_value(json_object_get(o, "balancer")), "ecmp");
    assert_int_equal(number(o, "frames_held"), 0);
    assert_true(number(o, "frames_peak") > 0);
    double up = json_real_value(json_object_get(o, "uptime_s"));
    assert_true(up > 0 && up < 100);
    json_t *leaf = json_array_get(json_object_get(o, "switches"), 0);
    assert_int_equal(json_array_size(json_object_get(o, "switches")), SWITCHES);
    assert_int_equal(json_array_size(json_object_get(leaf, "ports")), 4);
    assert_string_equal(json_string_value(json_object_get(leaf, "name")), "leaf0");
    assert_string_equal(json_string_value(json_object_get(leaf, "address")), "10.255.0.1");
    assert_null(json_object_get(leaf, "tables"));
    assert_int_equal(frames_number(o, LEAF0, "received"), 1);
    assert_int_equal(frames_number(o, LEAF1, "received"), 1);
    assert_int_equal(frames_number(o, SPINE0, "received") + frames_number(o, SPINE1, "received"), 1);
    assert_int_equal(frames_number(o, LEAF0, "not_arrived"), 0);
    /* 1,042 B and the FCS, preamble and gap of 24 B more */
    json_t *in = port_of(o, LEAF0, 0), *out = port_of(o, LEAF1, 1);
    assert_int_equal(number(in, "rx_frames"), 1);
    assert_int_equal(number(in, "rx_bytes"), 1066);
    assert_int_equal(number(in, "rx_lost") + number(out, "rx_lost") + number(out, "tx_lost"), 0);
    assert_int_equal(number(out, "rx_frames"), 0);
    assert_int_equal(number(out, "sent_bytes") - number(port_of(o, LEAF1, 0), "sent_bytes"), 1066);
    assert_int_equal(number(out, "tx_frames"), number(port_of(o, LEAF1, 0), "tx_frames") + 1);
    assert_int_equal(number(port_of(o, LEAF0, 2), "sent_bytes") + number(port_of(o, LEAF0, 3), "sent_bytes"), 1066);
    assert_string_equal(json_string_value(json_object_get(in, "name")), "host0.0");
    assert_string_equal(json_string_value(json_object_get(in, "link")), "host0.0-leaf0");
    assert_string_equal(json_string_value(json_object_get(in, "live")), x->ring[0]);
    assert_true(json_is_null(json_object_get(port_of(o, LEAF0, 2), "live")));
    assert_null(json_object_get(port_of(o, LEAF0, 2), "rx_frames"));
    assert_int_equal(number(in, "rate_bps"), GBPS_TEN);
    assert_int_equal(number(out, "queue_bytes"), 0);
    assert_true(number(out, "max_queue_bytes") > 0 && number(out, "mean_queue_bytes") == 0);
    assert_null(json_object_get(in, "ingress_bytes")); /* the switches have no crossbar */
    assert_null(json_object_get(in, "pauses_sent"));
    assert_null(json_object_get(in, "impaired_out"));
    json_decref(o);
    stand_end(x);
}

/* Frames that wait for a slow link are held, and each is counted once: 20 of 8.5 ms, beside the questions for MACs. */
static void status__counts_frames_that_wait(void **state) {
    (void)state;
    struct stand *x = stand_new();
    x->spec.host_bps = 1000000;
    stand_start(x);
    for (int i = 0; i < 20; i++) host_send(x, 0, 1);
    json_t *o = status_json(x->status, false);
    json_int_t held = number(o, "frames_held"), peak = number(o, "frames_peak");
    json_decref(o);
    assert_true(held <= 24 && held <= peak);
    assert_int_equal(host_receives(x, 1, 20), 20);
    o = status_json(x->status, false);
    peak = number(o, "frames_peak");
    assert_true(peak >= 10 && peak <= 24);
    assert_true(number(port_of(o, LEAF0, 1), "max_queue_bytes") > 5 * 1066);
    double mean = (double)number(port_of(o, LEAF0, 1), "mean_queue_bytes");
    assert_true(mean > 0 && mean < 25 * 1066);
    json_decref(o);
    stand_end(x);
}

/* The tables of the balancer come on request. */
static void status__has_tables_on_request(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    json_t *o = status_json(x->status, true);
    assert_true(json_is_object(json_object_get(json_array_get(json_object_get(o, "switches"), 0), "tables")));
    json_decref(o);
    stand_end(x);
}

/* Loads are of the last second: one datagram of 1,066 B each 10 ms would be 85 kbps, so a burst on 10 Gbps is seen, but small. */
static void status__loads_follow_the_ticks(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    status_tick(x->status);
    for (int i = 0; i < 200; i++) host_send(x, 0, 3);
    assert_int_equal(host_receives(x, 3, 200), 200);
    for (int i = 0; i < 60; i++) {
        poll(NULL, 0, 10);
        status_tick(x->status);
    }
    json_t *o = status_json(x->status, false);
    double sent = json_real_value(json_object_get(port_of(o, LEAF1, 1), "load")),
           received = json_real_value(json_object_get(port_of(o, LEAF0, 0), "rx_load"));
    /* 213,200 B in half a second to ten */
    assert_true(sent > 1e-5 && sent < 4e-4);
    assert_true(received > 1e-5 && received < 4e-4);
    assert_true(json_real_value(json_object_get(port_of(o, LEAF0, 1), "rx_load")) == 0);
    json_decref(o);
    stand_end(x);
}

/* ---- links ---- */

/* A link that is cut at one end is down at both, and comes back from the other end. Frames from a cut host never arrive. */
static void links__cut_by_the_operator(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    switchd_link(x->switchd, LEAF0, 2, false);
    assert_true(!is_up(x, LEAF0, 2) && !is_up(x, SPINE0, 0) && is_up(x, LEAF0, 3) && is_up(x, SPINE0, 1));
    switchd_link(x->switchd, LEAF0, 2, false); /* once more changes nothing */
    switchd_link(x->switchd, SPINE0, 0, true);
    assert_true(is_up(x, LEAF0, 2) && is_up(x, SPINE0, 0));
    switchd_link(x->switchd, LEAF0, 0, false);
    assert_true(!is_up(x, LEAF0, 0)); /* the thread has cut it by now */
    for (int i = 0; i < 3; i++) host_send(x, 0, 3);
    json_t *o = NULL;
    for (int i = 0; i < 500 && (!o || frames_number(o, LEAF0, "not_arrived") < 3); i++) {
        json_decref(o);
        poll(NULL, 0, 10);
        o = status_json(x->status, false);
    }
    assert_int_equal(frames_number(o, LEAF0, "not_arrived"), 3);
    assert_int_equal(frames_number(o, LEAF0, "received"), 0);
    assert_int_equal(number(port_of(o, LEAF0, 0), "drops"), 3);
    assert_int_equal(number(port_of(o, LEAF0, 1), "drops"), 0);
    json_decref(o);
    switchd_link(x->switchd, LEAF0, 0, true);
    assert_true(is_up(x, LEAF0, 0));
    host_send(x, 0, 3);
    assert_int_equal(host_receives(x, 3, 1), 1);
    stand_end(x);
}

/* All links of a switch fail with it. Links that are down for another reason stay down when it is back. */
static void links__of_a_switch_that_is_down(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    switchd_link(x->switchd, LEAF1, 3, false);
    switchd_switch(x->switchd, SPINE1, false);
    assert_true(!is_up(x, LEAF0, 3) && !is_up(x, LEAF1, 3) && !is_up(x, SPINE1, 0) && !is_up(x, SPINE1, 1));
    assert_true(is_up(x, LEAF0, 2) && is_up(x, LEAF1, 2) && is_up(x, LEAF0, 0));
    switchd_link(x->switchd, LEAF1, 3, true);
    assert_true(!is_up(x, LEAF1, 3));
    switchd_link(x->switchd, LEAF1, 3, false);
    switchd_switch(x->switchd, SPINE1, true);
    assert_true(is_up(x, LEAF0, 3) && is_up(x, SPINE1, 0) && !is_up(x, LEAF1, 3) && !is_up(x, SPINE1, 1));
    stand_end(x);
}

/* A port without an edge has no carrier, and the switch is reached by the others alone. */
static void links__without_a_carrier(void **state) {
    (void)state;
    struct stand *x = stand_new();
    x->setup.n_edges = 3;
    stand_start(x);
    assert_true(is_up(x, LEAF1, 0) && !is_up(x, LEAF1, 1) && is_up(x, LEAF1, 2));
    live_port_close(x->host[0]);
    for (int i = 0; i < 500 && is_up(x, LEAF0, 0); i++) poll(NULL, 0, 10);
    assert_true(!is_up(x, LEAF0, 0) && is_up(x, LEAF0, 1));
    x->host[0] = NULL;
    stand_end(x);
}

/* An impairment holds at both ends of the link, for both directions. */
static void links__impaired(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    switchd_impair(x->switchd, LEAF0, 0, &(struct impairment){.loss_ppb = 1000000000});
    for (int i = 0; i < 4; i++) host_send(x, 0, 3);
    host_send(x, 1, 3);
    assert_int_equal(host_receives(x, 3, 1), 1);
    json_t *o = NULL;
    for (int i = 0; i < 500 && (!o || number(json_object_get(port_of(o, LEAF0, 0), "impaired_in"), "lost") < 4); i++) {
        json_decref(o);
        poll(NULL, 0, 10);
        o = status_json(x->status, false);
    }
    json_t *in = json_object_get(port_of(o, LEAF0, 0), "impaired_in"),
           *out = json_object_get(port_of(o, LEAF0, 0), "impaired_out");
    assert_int_equal(number(in, "lost"), 4);
    assert_int_equal(number(in, "corrupted") + number(in, "duplicated") + number(in, "reordered"), 0);
    assert_int_equal(number(out, "lost"), 0);
    assert_null(json_object_get(port_of(o, LEAF0, 1), "impaired_in"));
    json_decref(o);
    switchd_impair(x->switchd, LEAF0, 0, &(struct impairment){0});
    host_send(x, 0, 3);
    assert_int_equal(host_receives(x, 3, 1), 1);
    stand_end(x);
}

/* ---- threads ---- */

static void node_note(void *arg, const struct switchd_view *v) {
    uint32_t *seen = arg;
    seen[v->node]++;
    assert_true(v->place < SWITCHES && station_node(v->station, v->place) == v->node);
}

/* Between two switches each end impairs what it sends, whichever end names the link. */
static void links__impaired_between_switches(void **state) {
    (void)state;
    struct stand *x = stand_start(stand_new());
    switchd_impair(x->switchd, LEAF1, 3, &(struct impairment){.loss_ppb = 1000000000});
    json_t *o = status_json(x->status, false);
    for (uint32_t n = LEAF0; n <= SPINE1; n++)
        for (uint16_t p = 0; p < (n < SPINE0 ? 4 : 2); p++) {
            bool is_end = (n == LEAF1 && p == 3) || (n == SPINE1 && p == 1);
            assert_int_equal(json_object_get(port_of(o, n, p), "impaired_out") != NULL, is_end);
            assert_null(json_object_get(port_of(o, n, p), "impaired_in"));
        }
    json_decref(o);
    stand_end(x);
}

/* With several threads each switch is in one of them, and datagrams cross from one to the other. Links fail for all. */
static void threads__share_the_switches(void **state) {
    (void)state;
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        struct stand *x = stand_new();
        uint32_t seen[HOSTS + SWITCHES] = {0};
        x->setup.threads = threads;
        stand_start(x);
        switchd_each(x->switchd, node_note, seen);
        for (uint32_t i = 0; i < SWITCHES; i++) assert_int_equal(seen[LEAF0 + i], 1);
        for (uint32_t from = 0; from < HOSTS; from++) host_send(x, from, 3 - from);
        for (uint32_t to = 0; to < HOSTS; to++) assert_int_equal(host_receives(x, to, 1), 1);
        switchd_link(x->switchd, SPINE0, 1, false);
        assert_true(!is_up(x, LEAF1, 2) && is_up(x, LEAF1, 3));
        for (int i = 0; i < 20; i++) host_send(x, 0, 3); /* by the spine that is left */
        assert_int_equal(host_receives(x, 3, 20), 20);
        stand_end(x);
    }
}

/* ---- captures ---- */

static long size_of(const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) return -1;
    fseek(in, 0, SEEK_END);
    long n = ftell(in);
    fclose(in);
    return n;
}

/* A link has one capture at a time, by whichever end it is named; the file is whole when it has ended. */
static void captures__of_a_link(void **state) {
    (void)state;
    struct folder dir = folder_new();
    struct stand *x = stand_start(stand_new());
    struct diag d = {0};
    char one[128], two[128];
    snprintf(one, sizeof one, "%s", folder_file(&dir, "one.pcapng"));
    snprintf(two, sizeof two, "%s", folder_file(&dir, "two.pcapng"));
    assert_false(switchd_capture_end(x->switchd, LEAF0, 0, &d));
    assert_string_equal(d.text, "the link is not being captured");
    assert_true(switchd_capture(x->switchd, LEAF0, 0, one, &d));
    d = (struct diag){0};
    assert_false(switchd_capture(x->switchd, 0, 0, two, &d)); /* the host's end of the same link */
    assert_string_equal(d.text, "the link is being captured; end that first");
    assert_true(switchd_capture(x->switchd, LEAF0, 1, two, &d));
    for (int i = 0; i < 5; i++) host_send(x, 0, 3);
    assert_int_equal(host_receives(x, 3, 5), 5);
    assert_true(switchd_capture_end(x->switchd, LEAF0, 0, &d));
    assert_true(size_of(one) > 5 * 1042);
    assert_true(switchd_capture_end(x->switchd, LEAF0, 1, &d));
    assert_true(size_of(two) > 0 && size_of(two) < 1042);
    stand_end(x);
    unlink(one);
    unlink(two);
    folder_end(&dir);
}

/* A recording has a file for each switch. */
static void captures__of_all_switches(void **state) {
    (void)state;
    struct folder dir = folder_new();
    struct stand *x = stand_new();
    x->setup.record_dir = dir.path;
    stand_start(x);
    for (int i = 0; i < 5; i++) host_send(x, 0, 1);
    assert_int_equal(host_receives(x, 1, 5), 5);
    stand_end(x);
    assert_true(size_of(folder_file(&dir, "leaf0.pcapng")) > 2 * 5 * 1042); /* each comes in and leaves */
    assert_true(size_of(folder_file(&dir, "leaf1.pcapng")) > 0 && size_of(folder_file(&dir, "leaf1.pcapng")) < 1042);
    static const char *const files[] = {"leaf0.pcapng", "leaf1.pcapng", "spine0.pcapng", "spine1.pcapng"};
    for (int i = 0; i < 4; i++) assert_int_equal(unlink(folder_file(&dir, files[i])), 0);
    folder_end(&dir);
}

/* ---- what cannot be ---- */

static void refused__nodes_and_ports(void **state) {
    (void)state;
    struct stand *x = stand_new();
    x->node[1] = 2;
    stand_refused(x, "host1.0 is a host; name a switch");
    x = stand_new();
    x->edge[1].port = 0;
    stand_refused(x, "port host0.0 of leaf0 is given twice");
    x = stand_new();
    x->edge[1].port = 2;
    stand_refused(x, "port spine0 of leaf0 leads to a switch of this process; leave it out");
    x = stand_new();
    x->setup.cpu = (const uint32_t[]){1000};
    stand_refused(x, "no thread can run on processor 1000; name others by --cpu");
}

/* Only some of the switches are here: what leads to the others has no carrier, and cannot be captured where no end is here. */
static void some__switches_of_the_fabric(void **state) {
    (void)state;
    struct stand *x = stand_new();
    struct diag d = {0};
    x->setup.n = 1;
    x->setup.n_edges = 2;
    stand_start(x);
    assert_true(is_up(x, LEAF0, 0) && !is_up(x, LEAF0, 2) && !is_up(x, LEAF0, 3));
    host_send(x, 0, 1);
    assert_int_equal(host_receives(x, 1, 1), 1);
    assert_false(switchd_capture(x->switchd, SPINE0, 1, "none", &d));
    assert_string_equal(d.text, "the link leads to no switch of this process");
    stand_end(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(status__counts_a_datagram),
        UNIT(status__has_tables_on_request),
        UNIT(status__counts_frames_that_wait),
        UNIT(status__loads_follow_the_ticks),
        UNIT(links__cut_by_the_operator),
        UNIT(links__of_a_switch_that_is_down),
        UNIT(links__without_a_carrier),
        UNIT(links__impaired),
        UNIT(links__impaired_between_switches),
        UNIT(threads__share_the_switches),
        UNIT(captures__of_a_link),
        UNIT(captures__of_all_switches),
        UNIT(refused__nodes_and_ports),
        UNIT(some__switches_of_the_fabric),
    };
    return RUN_UNITS(tests);
}
