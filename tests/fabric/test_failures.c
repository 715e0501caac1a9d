/* SPDX-License-Identifier: Apache-2.0 */
/* Failures as a timeline: events, detection, repair, withdrawn next hops, notices. */
#include "fabric_test.h"

static struct link_failure fails(const char *link, time_ps at, time_ps repair_at, span_ps detect) {
    return (struct link_failure){
        .link = link, .at = at, .repair_at = repair_at, .detect = detect, .where = {.file = "test.yaml", .line = 12}};
}

static struct fabric_spec with_failures(struct fabric_spec s, const struct link_failure *list, size_t n) {
    s.failed = list;
    s.n_failed = n;
    return s;
}

/* Returns the events of a node in one line, times in ms: "10 link_down agg0.1; ..". */
static const char *events_text(const struct fabric *f, const char *name) {
    static const char *const kind[] = {"link_down", "link_up", "port_down", "port_up",
                                       "rate",      "loss",    "routes",    "notice"};
    static char buf[8][2048];
    static int turn;
    char *out = buf[turn = (turn + 1) % 8];
    uint32_t n = node(f, name);
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = f->first_event[n]; i < f->first_event[n + 1]; i++) {
        const struct fabric_event *e = &f->event[i];
        char port[96];
        assert_int_equal(e->node, n);
        used += (size_t)snprintf(out + used, 2048 - used, "%s%lld %s", used ? "; " : "", (long long)(e->at / MS),
                                 kind[e->kind]);
        if (e->kind != EVENT_ROUTES)
            used +=
                (size_t)snprintf(out + used, 2048 - used, " %s", fabric_port_name(f, n, e->port, port, sizeof port));
        if (e->kind == EVENT_NOTICE)
            used += (size_t)snprintf(out + used, 2048 - used, " %lld/%lld", (long long)(e->value >> 32),
                                     (long long)(e->value & 0xffffffff));
        else if (e->kind >= EVENT_RATE)
            used += (size_t)snprintf(out + used, 2048 - used, " %lld", (long long)e->value);
    }
    return out;
}

static void no_failures__no_events_one_state(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(2, 2, 2, 2, 1));
    assert_int_equal(f->n_events, 0);
    assert_int_equal(f->paths.n_states, 1);
    assert_int_equal(f->paths.state[0].from, 0);
    fabric_destroy(f);
}

/* Both ends see the failure at once; routes and ports change one detection delay later, after the repair as well. */
static void failure__detected_and_repaired(void **state) {
    (void)state;
    struct link_failure list[] = {fails("core1.0-agg0.1", 10 * MS, 20 * MS, 1 * MS)}; /* either end may come first */
    struct fabric *f = made(with_failures(spec_clos(2, 2, 2, 2, 1), list, 1));
    assert_string_equal(
        events_text(f, "agg0.1"),
        "10 link_down core1.0; 11 port_down core1.0; 11 routes 1; 20 link_up core1.0; 21 port_up core1.0; "
        "21 routes 2");
    assert_string_equal(events_text(f, "core1.0"),
                        "10 link_down agg0.1; 11 port_down agg0.1; 11 routes 1; 20 link_up agg0.1; 21 port_up agg0.1; "
                        "21 routes 2");
    assert_string_equal(events_text(f, "agg1.1"), "11 routes 1; 21 routes 2"); /* withdraws pod 0 behind core1.0 */
    assert_string_equal(events_text(f, "agg0.0"), "");                         /* agg0.0 lies in another plane */
    assert_string_equal(events_text(f, "tor0.0"), "11 notice agg0.1 1/2; 21 notice agg0.1 2/2");
    assert_string_equal(events_text(f, "tor1.0"), "");
    assert_int_equal(f->paths.n_states, 3);
    assert_int_equal(f->paths.state[1].from, 11 * MS);
    assert_int_equal(f->paths.state[2].from, 21 * MS);
    fabric_destroy(f);
}

static void failure__next_hops_withdrawn_per_destination(void **state) {
    (void)state;
    struct link_failure list[] = {fails("agg0.1-core1.0", 10 * MS, 20 * MS, 0)};
    struct fabric *f = made(with_failures(spec_clos(3, 2, 2, 2, 1), list, 1));
    assert_string_equal(hops_text(f, 0, "agg1.1", "tor0.0"), "core1.0 core1.1");
    assert_string_equal(hops_text(f, 1, "agg1.1", "tor0.0"), "core1.1");         /* core1.0 cannot reach pod 0 .. */
    assert_string_equal(hops_text(f, 1, "agg1.1", "tor2.0"), "core1.0 core1.1"); /* but it reaches pod 2 */
    assert_string_equal(hops_text(f, 1, "agg0.1", "tor1.0"), "core1.1");
    assert_string_equal(hops_text(f, 1, "core1.0", "tor0.1"), "");
    assert_string_equal(hops_text(f, 1, "core1.0", "tor1.1"), "agg1.1");
    assert_string_equal(hops_text(f, 1, "tor0.0", "tor1.0"), "agg0.0 agg0.1"); /* one way is left */
    assert_string_equal(hops_text(f, 2, "agg1.1", "tor0.0"), "core1.0 core1.1");
    fabric_destroy(f);
}

/* An agg that lost all its cores is no next hop for other pods, but still one inside its own pod. */
static void failure__agg_cut_off_from_the_cores(void **state) {
    (void)state;
    struct link_failure list[] = {fails("agg0.1-core1.0", 0, TIME_NONE, 0),
                                  fails("agg0.1-core1.1", 5 * MS, TIME_NONE, 0)};
    struct fabric *f = made(with_failures(spec_clos(3, 2, 2, 2, 1), list, 2));
    assert_string_equal(hops_text(f, 0, "tor0.0", "tor1.0"), "agg0.0 agg0.1");
    assert_string_equal(hops_text(f, 1, "tor0.0", "tor1.0"), "agg0.0");
    assert_string_equal(hops_text(f, 1, "tor0.0", "tor0.1"), "agg0.0 agg0.1");
    assert_string_equal(hops_text(f, 1, "tor1.0", "tor0.0"), "agg1.0");
    assert_string_equal(hops_text(f, 1, "tor1.0", "tor2.0"), "agg1.0 agg1.1");
    assert_string_equal(events_text(f, "tor0.1"), "0 notice agg0.1 1/2; 5 routes 1; 5 notice agg0.1 0/2");
    fabric_destroy(f);
}

/* A ToR loses an uplink: all switches avoid that agg towards this ToR, inside the pod and from outside. */
static void failure__tor_uplink(void **state) {
    (void)state;
    struct link_failure list[] = {fails("tor0.0-agg0.1", 0, TIME_NONE, 0)};
    struct fabric *f = made(with_failures(spec_clos(2, 2, 2, 2, 1), list, 1));
    assert_int_equal(f->paths.n_states, 1); /* a failure at time 0 belongs to the first state */
    assert_string_equal(events_text(f, "tor0.0"), "0 link_down agg0.1; 0 port_down agg0.1");
    assert_string_equal(hops_text(f, 0, "tor0.0", "tor1.1"), "agg0.0");
    assert_string_equal(hops_text(f, 0, "tor0.0", "tor0.1"), "agg0.0");
    assert_string_equal(hops_text(f, 0, "tor0.1", "tor0.0"), "agg0.0");
    assert_string_equal(hops_text(f, 0, "tor0.1", "tor1.0"), "agg0.0 agg0.1");
    assert_string_equal(hops_text(f, 0, "tor1.0", "tor0.0"), "agg1.0"); /* EXP-2 leaves only plane 0 */
    assert_string_equal(hops_text(f, 0, "agg1.1", "tor0.0"), "");
    assert_string_equal(events_text(f, "tor0.1"), ""); /* the agg lost no uplink: no notice */
    fabric_destroy(f);
}

static void failure__rack_cut_off_has_no_route(void **state) {
    (void)state;
    struct link_failure list[] = {fails("tor0.0-agg0.0", 0, TIME_NONE, 0), fails("tor0.0-agg0.1", 0, 8 * MS, 0)};
    struct fabric *f = made(with_failures(spec_clos(2, 2, 2, 2, 1), list, 2));
    assert_string_equal(hops_text(f, 0, "tor1.0", "tor0.0"), "");
    assert_string_equal(hops_text(f, 0, "tor0.0", "tor1.0"), "");
    assert_string_equal(hops_text(f, 1, "tor1.0", "tor0.0"), "agg1.1");
    fabric_destroy(f);
}

static void failure__known_at_zero_only_without_detection_delay(void **state) {
    (void)state;
    struct link_failure list[] = {fails("leaf0-spine1", 0, TIME_NONE, 2 * MS)};
    struct fabric *f = made(with_failures(spec_leaf_spine(3, 3, 1), list, 1));
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf1"), "spine0 spine1 spine2"); /* routing does not know yet */
    assert_string_equal(hops_text(f, 1, "leaf0", "leaf1"), "spine0 spine2");
    assert_string_equal(hops_text(f, 1, "leaf1", "leaf0"), "spine0 spine2");
    assert_string_equal(hops_text(f, 1, "leaf1", "leaf2"), "spine0 spine1 spine2");
    assert_string_equal(events_text(f, "leaf0"), "0 link_down spine1; 2 port_down spine1; 2 routes 1");
    fabric_destroy(f);
}

static void failure__host_link_changes_no_routes(void **state) {
    (void)state;
    struct link_failure list[] = {fails("host0.0.1-tor0.0", 3 * MS, 4 * MS, 0)};
    struct fabric *f = made(with_failures(spec_clos(2, 2, 2, 2, 2), list, 1));
    assert_int_equal(f->paths.n_states, 1);
    assert_string_equal(events_text(f, "host0.0.1"),
                        "3 link_down tor0.0; 3 port_down tor0.0; 4 link_up tor0.0; 4 port_up tor0.0");
    assert_string_equal(events_text(f, "tor0.0"),
                        "3 link_down host0.0.1; 3 port_down host0.0.1; 4 link_up host0.0.1; 4 port_up host0.0.1");
    fabric_destroy(f);
}

static void failure__several_at_one_time_make_one_state_and_one_notice(void **state) {
    (void)state;
    struct link_failure list[] = {fails("agg0.1-core1.0", 4 * MS, TIME_NONE, 1 * MS),
                                  fails("agg0.1-core1.1", 5 * MS, TIME_NONE, 0),
                                  fails("agg0.1-core1.2", 1 * MS, 5 * MS, 0)};
    struct fabric *f = made(with_failures(spec_clos(2, 2, 2, 4, 1), list, 3));
    assert_int_equal(f->paths.n_states, 3);
    assert_string_equal(events_text(f, "tor0.0"), "1 notice agg0.1 3/4; 5 notice agg0.1 2/4");
    assert_string_equal(hops_text(f, 2, "agg0.1", "tor1.0"), "core1.2 core1.3");
    fabric_destroy(f);
}

static void failure__unchanged_rows_are_shared_between_states(void **state) {
    (void)state;
    struct link_failure list[] = {fails("agg0.1-core1.0", 1 * MS, 2 * MS, 0)};
    struct fabric *f = made(with_failures(spec_clos(3, 2, 2, 2, 1), list, 1));
    const struct route_state *st = f->paths.state;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        bool in_plane = f->place[s].tier == TIER_AGG ? f->place[s].index == 1
                                                     : f->place[s].tier == TIER_CORE && f->place[s].pod == 1;
        bool other_core = f->place[s].tier == TIER_CORE && f->place[s].index == 1;
        if (!in_plane || other_core)
            assert_ptr_equal(st[0].row[s].to_leaf, st[1].row[s].to_leaf);
        else
            assert_ptr_not_equal(st[0].row[s].to_leaf, st[1].row[s].to_leaf);
        assert_ptr_equal(st[0].row[s].to_leaf, st[2].row[s].to_leaf); /* the repair brings back the old row */
    }
    fabric_destroy(f);
}

static void failure__reduced_rate_and_loss_are_no_failures(void **state) {
    (void)state;
    struct link_failure list[] = {fails("tor0.0-agg0.1", 2 * MS, 6 * MS, 1 * MS)};
    list[0].rate_bps = 1 * GBPS;
    list[0].loss_ppb = 500;
    struct link_override lossy = {.match = "tor0.0-agg0.1", .delay = -1, .loss_ppb = 7};
    struct fabric_spec s = with_failures(spec_clos(2, 2, 2, 2, 1), list, 1);
    s.links = &lossy, s.n_links = 1;
    struct fabric *f = made(s);
    assert_int_equal(f->paths.n_states, 1);
    assert_string_equal(events_text(f, "tor0.0"),
                        "2 rate agg0.1 1000000000; 2 loss agg0.1 500; 6 rate agg0.1 10000000000; "
                        "6 loss agg0.1 7");
    assert_string_equal(events_text(f, "agg0.1"),
                        "2 rate tor0.0 1000000000; 2 loss tor0.0 500; 6 rate tor0.0 10000000000; "
                        "6 loss tor0.0 7");
    fabric_destroy(f);
}

static void events__sorted_by_node_and_time(void **state) {
    (void)state;
    struct link_failure list[] = {fails("agg0.1-core1.0", 7 * MS, 9 * MS, 1 * MS),
                                  fails("tor0.1-agg0.1", 3 * MS, 8 * MS, 2 * MS),
                                  fails("agg1.0-core0.1", 0, TIME_NONE, 0)};
    struct fabric *f = made(with_failures(spec_clos(3, 2, 2, 2, 1), list, 3));
    for (size_t i = 1; i < f->n_events; i++) {
        const struct fabric_event *a = &f->event[i - 1], *b = &f->event[i];
        assert_true(a->node <= b->node);
        if (a->node == b->node) assert_true(a->at < b->at || (a->at == b->at && a->kind <= b->kind));
    }
    assert_int_equal(f->first_event[0], 0);
    assert_int_equal(f->first_event[f->n_nodes], f->n_events);
    for (uint32_t i = 1; i < f->paths.n_states; i++) assert_true(f->paths.state[i].from > f->paths.state[i - 1].from);
    fabric_destroy(f);
}

/* In each settled state every walk ends at its destination, and reachability between two racks is mutual. */
static void states__paths_arrive(void **state) {
    (void)state;
    struct link_failure list[] = {
        fails("agg0.1-core1.0", 1 * MS, TIME_NONE, 0), fails("tor0.1-agg0.0", 2 * MS, TIME_NONE, 0),
        fails("agg1.0-core0.1", 3 * MS, TIME_NONE, 0), fails("agg2.0-core0.0", 4 * MS, TIME_NONE, 0)};
    struct fabric *f = made(with_failures(spec_clos(3, 2, 2, 2, 1), list, 4));
    assert_int_equal(f->paths.n_states, 5);
    static const uint32_t expected[] = {4, 3, 1}; /* paths between tor0.1 and tor1.0 as links fail one by one */
    for (uint32_t i = 0; i < f->paths.n_states; i++) {
        for (uint32_t a = 0; a < f->n_leaves; a++) {
            for (uint32_t b = 0; b < f->n_leaves; b++) {
                if (a != b) assert_int_equal(walk(f, i, a, b, NULL, NULL), walk(f, i, b, a, NULL, NULL));
            }
        }
        uint32_t from = node(f, "tor0.1") - f->n_hosts, to = node(f, "tor1.0") - f->n_hosts;
        assert_int_equal(walk(f, i, from, to, NULL, NULL), expected[i < 2 ? i : 2]);
    }
    assert_string_equal(hops_text(f, 4, "tor1.0", "tor2.0"), "agg1.1"); /* no core of plane 0 still reaches both pods */
    fabric_destroy(f);
}

/* ---- errors ---- */

static void errors__one_line_each(void **state) {
    (void)state;
    struct link_failure e = fails("agg0.1-core0.0", 0, TIME_NONE, 0);
    struct fabric_spec s = with_failures(spec_clos(2, 2, 2, 2, 1), &e, 1);
    assert_refused(s, "there is no link \"agg0.1-core0.0\"; write NODE-NODE of two neighbours, nodes are host0.0.0 to "
                      "host1.1.0, tor0.0 to tor1.1, agg0.0 to agg1.1, core0.0 to core1.1");
    e = fails("agg0.1-core1.0", 5, 5, 0);
    assert_refused(s, "repair_at must be later than at; leave it out if there is no repair");
    e = fails("agg0.1-core1.0", -5, 5, 0);
    assert_refused(s, "at and detect must not be negative");
    e = fails("agg0.1-core1.0", TIME_NONE - 10, TIME_NONE, 20);
    assert_refused(s, "at + detect is more than 106 days; make it less");
    e = fails("agg0.1-core1.0", 5, TIME_NONE, 0);
    e.rate_bps = 40 * GBPS;
    assert_refused(s, "rate: agg0.1-core1.0 cannot have more than its full rate; write at most 10Gbps");
    e.rate_bps = 0;
    e.loss_ppb = PPB + 1;
    assert_refused(s, "loss must be between 0% and 100%");
}

static void errors__place_is_the_entry(void **state) {
    (void)state;
    struct link_failure e = fails("nothing", 0, TIME_NONE, 0);
    struct fabric_spec s = with_failures(spec_star(2), &e, 1);
    struct diag d = {0};
    assert_null(fabric_create(&s, &d));
    assert_string_equal(d.file, "test.yaml");
    assert_int_equal(d.line, 12);
}

static void errors__failures_of_one_link_must_not_touch(void **state) {
    (void)state;
    const char *text =
        "agg0.1-core1.0 fails again before its repair is known (repair_at + detect); separate the two entries";
    struct link_failure list[] = {fails("agg0.1-core1.0", 10, 20, 5), fails("core1.0-agg0.1", 25, 30, 0)};
    struct fabric_spec s = with_failures(spec_clos(2, 2, 2, 2, 1), list, 2);
    assert_refused(s, text);
    list[1] = fails("core1.0-agg0.1", 15, 30, 0);
    assert_refused(s, text);
    list[0].repair_at = TIME_NONE;
    assert_refused(s, text);
    list[0].rate_bps = 1; /* a link that slows down before it fails is another case */
    fabric_destroy(made(s));
    list[0] = fails("agg0.1-core1.0", 10, 20, 5);
    list[1] = fails("core1.0-agg0.1", 26, 30, 0);
    fabric_destroy(made(s));
}

/* Path counts describe the fabric at the start of the run, whatever fails later. */
static void paths__are_those_of_the_first_state(void **state) {
    (void)state;
    struct link_failure e = {.link = "agg0.0-core0.0", .at = PS_PER_MS, .repair_at = TIME_NONE};
    struct fabric_spec s = spec_clos(2, 2, 2, 2, 1);
    s.failed = &e, s.n_failed = 1;
    for (int later = 0; later < 2; later++) {
        e.at = later ? PS_PER_MS : 0;
        struct fabric *f = made(s);
        assert_int_equal(f->paths_inter_pod, later ? 4 : 3);
        assert_int_equal(f->paths_intra_pod, 2);
        fabric_destroy(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(no_failures__no_events_one_state),
        UNIT(failure__detected_and_repaired),
        UNIT(failure__next_hops_withdrawn_per_destination),
        UNIT(failure__agg_cut_off_from_the_cores),
        UNIT(failure__tor_uplink),
        UNIT(failure__rack_cut_off_has_no_route),
        UNIT(failure__known_at_zero_only_without_detection_delay),
        UNIT(failure__host_link_changes_no_routes),
        UNIT(failure__several_at_one_time_make_one_state_and_one_notice),
        UNIT(failure__unchanged_rows_are_shared_between_states),
        UNIT(failure__reduced_rate_and_loss_are_no_failures),
        UNIT(events__sorted_by_node_and_time),
        UNIT(states__paths_arrive),
        UNIT(errors__one_line_each),
        UNIT(errors__place_is_the_entry),
        UNIT(errors__failures_of_one_link_must_not_touch),
        UNIT(paths__are_those_of_the_first_state),
    };
    return RUN_UNITS(tests);
}
