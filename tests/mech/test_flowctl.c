/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds to the byte, when an ingress port pauses and releases, and how the other end obeys. */
#include "mech/flowctl/ingress_meter.h"
#include "mech/flowctl/pause_state.h"

#include "unit.h"

#include <string.h>

#include "base/random.h"

enum { US = PS_PER_US, PAPER_HIGH = 11546, PAPER_LOW = 4838 };
#define GBPS 1000000000LL

static const int64_t rates[] = {1 * GBPS, 10 * GBPS, 40 * GBPS, 100 * GBPS, 400 * GBPS};
enum { N_RATES = sizeof rates / sizeof *rates };

/* The paper's link and buffer at some rate. */
static struct flowctl_params params_at(int64_t rate_bps, uint32_t classes, enum flowctl_headroom headroom) {
    return (struct flowctl_params){.rate_bps = rate_bps,
                                   .propagation = FLOWCTL_PAPER_PROPAGATION,
                                   .reaction = flowctl_reaction(rate_bps),
                                   .max_frame_bytes = FLOWCTL_PAPER_FRAME_BYTES,
                                   .buffer_bytes = FLOWCTL_PAPER_BUFFER_BYTES,
                                   .classes = classes,
                                   .headroom = headroom};
}

static struct flowctl_thresholds thresholds_at(int64_t rate_bps, uint32_t classes, enum flowctl_headroom headroom) {
    struct flowctl_params p = params_at(rate_bps, classes, headroom);
    return flowctl_thresholds_of(&p);
}

static void table__who_pauses_what(void **state) {
    (void)state;
    assert_false(flowctl_find("none")->pauses);
    assert_true(flowctl_find("pause")->pauses && !flowctl_find("pause")->by_class);
    assert_true(flowctl_find("pfc")->pauses && flowctl_find("pfc")->by_class);
}

/* ---- thresholds ---- */

/* DT-10, DT-11: T is 38.704 us and 4,838 B; 8 x 4,838 = 38,704 B are left free. */
static void thresholds__of_the_paper(void **state) {
    (void)state;
    struct flowctl_thresholds t = thresholds_at(1 * GBPS, 8, HEADROOM_PAPER);
    assert_int_equal(t.response_bytes, 4838);
    assert_int_equal(t.high_bytes, PAPER_HIGH);
    assert_int_equal(t.low_bytes, PAPER_LOW);
    assert_int_equal(8 * (t.high_bytes + t.low_bytes), 131072);
}

static void thresholds__of_one_class(void **state) {
    (void)state;
    assert_int_equal(thresholds_at(1 * GBPS, 1, HEADROOM_PAPER).high_bytes, 126234);
}

/* AM-4. */
static void thresholds__exact(void **state) {
    (void)state;
    assert_int_equal(thresholds_at(1 * GBPS, 8, HEADROOM_EXACT).high_bytes, 9932);
    assert_int_equal(thresholds_at(1 * GBPS, 1, HEADROOM_EXACT).high_bytes, 124620);
    assert_int_equal(thresholds_at(1 * GBPS, 8, HEADROOM_EXACT).low_bytes, 4838);
}

/* 3,060 B of frames, 13.2 us of propagation and the reaction at each rate: 1,778; 16,500 + 3,840; 66,000 + 7,552;
 * 165,000 + 25,216; 660,000 + 57,920. */
static void thresholds__response_at_every_rate(void **state) {
    (void)state;
    const int64_t response[] = {4838, 23400, 76612, 193276, 720980};
    for (size_t i = 0; i < N_RATES; i++)
        assert_int_equal(thresholds_at(rates[i], 2, HEADROOM_PAPER).response_bytes, response[i]);
}

static void thresholds__rounded_to_the_safe_side(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 7, HEADROOM_PAPER);
    assert_int_equal(flowctl_thresholds_of(&p).high_bytes, (131072 - 7 * 4838) / 7);
    p.propagation += 1;
    assert_int_equal(flowctl_thresholds_of(&p).response_bytes, 4839);
}

/* DT-26: 4,838 B and twice 6,000. */
static void thresholds__of_a_software_router(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 2, HEADROOM_PAPER);
    p.dma_bytes = 6000;
    assert_int_equal(flowctl_thresholds_of(&p).response_bytes, 16838);
    assert_int_equal(flowctl_thresholds_of(&p).high_bytes, (131072 - 2 * 16838) / 2);
    p.classes = 8;
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    struct diag d;
    assert_false(flowctl_check(&p, &t, &d)); /* the paper's uses two classes (7.2.2) */
}

static void reaction__by_rate(void **state) {
    (void)state;
    const int64_t quanta[] = {2, 60, 118, 394, 905};
    for (size_t i = 0; i < N_RATES; i++)
        assert_int_equal(flowctl_reaction(rates[i]), quanta[i] * flowctl_quantum(rates[i]));
    assert_int_equal(flowctl_reaction(1 * GBPS), 1024000);
    assert_int_equal(flowctl_reaction(25 * GBPS), 118 * flowctl_quantum(25 * GBPS));
    assert_int_equal(flowctl_reaction(200 * GBPS), 905 * flowctl_quantum(200 * GBPS));
    assert_int_equal(flowctl_reaction(800 * GBPS), 905 * flowctl_quantum(800 * GBPS));
}

/* DT-8: 33.6 ms at 1 Gbps, 0.336 ms at 100. */
static void duration__of_the_longest_pause(void **state) {
    (void)state;
    assert_int_equal(flowctl_duration(1 * GBPS), 33553920LL * PS_PER_NS);
    assert_int_equal(flowctl_duration(100 * GBPS), 335539200LL);
}

/* 38.704 us and a frame of 12.24 us before it expires. */
static void renewal__leaves_the_response_and_a_frame(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    assert_int_equal(flowctl_renewal(&p), flowctl_duration(1 * GBPS) - 50944000);
}

/* Two classes in a buffer that gives each as much again as its headroom. */
static void preset__from_10g_on(void **state) {
    (void)state;
    for (size_t i = 0; i < N_RATES; i++) {
        struct flowctl_params p = params_at(rates[i], flowctl_preset_classes(rates[i]), HEADROOM_EXACT);
        struct diag d;
        p.buffer_bytes = flowctl_preset_buffer(&p);
        struct flowctl_thresholds t = flowctl_thresholds_of(&p);
        assert_int_equal(p.classes, i == 0 ? 8 : 2);
        assert_int_equal(p.buffer_bytes, i == 0 ? 131072 : 4 * t.response_bytes + 4 * 1530);
        assert_true(flowctl_check(&p, &t, &d));
        assert_false(flowctl_can_overflow(&p, &t, p.classes));
    }
}

/* ---- what is refused ---- */

static void assert_refused(const struct flowctl_params *p, const struct flowctl_thresholds *t, const char *says) {
    struct diag d = {0};
    assert_false(flowctl_check(p, t, &d));
    if (!strstr(d.text, says)) fail_msg("\"%s\" does not say \"%s\"", d.text, says);
}

static void check__takes_the_paper(void **state) {
    (void)state;
    struct diag d;
    for (uint32_t classes = 1; classes <= 8; classes++) {
        for (int headroom = HEADROOM_PAPER; headroom <= HEADROOM_EXACT; headroom++) {
            struct flowctl_params p = params_at(1 * GBPS, classes, (enum flowctl_headroom)headroom);
            struct flowctl_thresholds t = flowctl_thresholds_of(&p);
            assert_true(flowctl_check(&p, &t, &d));
        }
    }
}

/* AM-4: eight classes have no headroom in 131,072 B from 10 Gbps on. */
static void check__eight_classes_need_more_at_10g(void **state) {
    (void)state;
    struct diag d;
    for (size_t i = 1; i < N_RATES; i++) {
        struct flowctl_params p = params_at(rates[i], 8, HEADROOM_PAPER);
        struct flowctl_thresholds t = flowctl_thresholds_of(&p);
        assert_refused(&p, &t, "no headroom for 8 classes");
    }
    struct flowctl_params p = params_at(10 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "use at most 2 classes or a buffer of at least 374400 B"); /* 8 x 2 x 23,400 */
    p.classes = 2;
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.classes = 8;
    p.buffer_bytes = 374400;
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.buffer_bytes--;
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "no headroom");
    p = params_at(100 * GBPS, 1, HEADROOM_EXACT);
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "per class; use a buffer of at least 388166 B");
}

static void check__own_thresholds(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p), bad = t;
    bad.high_bytes = 131073;
    assert_refused(&p, &bad, "above the ingress buffer of 131072 B");
    bad = t;
    bad.low_bytes = 11547;
    assert_refused(&p, &bad, "the low threshold, 11547 B, is over the high one, 11546 B");
    bad.low_bytes = 0;
    assert_refused(&p, &bad, "no class is ever released; use 4838 B");
    p.classes = 9;
    assert_refused(&p, &t, "use 1 to 8");
    p.classes = 0;
    assert_refused(&p, &t, "use 1 to 8");
}

static void check__a_link_longer_than_its_pauses(void **state) {
    (void)state;
    struct flowctl_params p = params_at(400 * GBPS, 1, HEADROOM_EXACT);
    p.propagation = 30 * US;
    p.buffer_bytes = flowctl_preset_buffer(&p);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "the longest pause, 83 us");
}

/* 11,546 + 4,838 + 84 + 1,530 = 17,998 B a class: eight of them do not fit into 131,072 B, seven do. */
static void overflow__paper_with_all_classes(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    assert_int_equal(flowctl_worst_bytes(&p, &t, 8), 143984);
    assert_true(flowctl_can_overflow(&p, &t, 8));
    assert_false(flowctl_can_overflow(&p, &t, 7));
    assert_false(flowctl_can_overflow(&p, &t, 1)); /* FC */
    p.classes = 1;
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_can_overflow(&p, &t, 1));
    p.headroom = HEADROOM_EXACT;
    t = flowctl_thresholds_of(&p);
    assert_int_equal(flowctl_worst_bytes(&p, &t, 1), 131072);
    assert_false(flowctl_can_overflow(&p, &t, 1));
}

/* ---- the end that fills up ---- */

static struct ingress_meter paper_meter(const struct flowctl_ops *ops, uint32_t n_classes) {
    struct ingress_meter m;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    ingress_init(&m, &p, &t, ops, n_classes);
    return m;
}

/* Paused over 11,546, not at it; released under 4,838, not at it. */
static void meter__edges_of_the_thresholds(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_int_equal(ingress_add(&m, 0, PAPER_HIGH), 0);
    assert_int_equal(ingress_add(&m, 0, 64), 1);
    assert_int_equal(ingress_add(&m, 0, 64), 0); /* once */
    assert_int_equal(ingress_remove(&m, 0, m.bytes - PAPER_LOW), 0);
    assert_int_equal(m.paused, 1);
    assert_int_equal(ingress_remove(&m, 0, 1), 1);
    assert_int_equal(m.paused, 0);
    assert_int_equal(ingress_remove(&m, 0, 64), 0);
}

/* DT-12: a class counts what waits above it, so a higher class pauses the lower ones with it, and a lower one nobody.
 */
static void meter__drain_bytes_count_higher_classes(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_int_equal(ingress_add(&m, 2, 10000), 0);
    assert_int_equal(m.drain_bytes[0], 10000);
    assert_int_equal(m.drain_bytes[2], 10000);
    assert_int_equal(m.drain_bytes[3], 0);
    assert_int_equal(ingress_add(&m, 7, 1547), 0x07); /* 0 to 2 are over, 3 to 7 have 1,547 */
    assert_int_equal(ingress_add(&m, 7, 10000), 0xf8);
    assert_int_equal(ingress_remove(&m, 2, 10000), 0);
    assert_int_equal(ingress_remove(&m, 7, 11547), 0xff);
}

static void meter__one_lane_for_the_link(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pause, 8);
    assert_int_equal(ingress_add(&m, 7, 6000), 0);
    assert_int_equal(ingress_add(&m, 0, 6000), 1);
    struct pause_fields f = ingress_fields(&m, 1, 0), expected = pause_fields_link(0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_int_equal(ingress_remove(&m, 7, 6000), 0);
    assert_int_equal(ingress_remove(&m, 0, 6000), 1);
    f = ingress_fields(&m, 1, 0);
    expected = pause_fields_link(0);
    assert_memory_equal(&f, &expected, sizeof f);
}

/* Frames above the highest class, such as credits, wait before all others. */
static void meter__frames_above_the_classes(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 2);
    assert_int_equal(ingress_add(&m, 8, 12000), 3);
    assert_int_equal(m.drain_bytes[1], 12000);
    assert_int_equal(ingress_remove(&m, 8, 12000), 3);
}

/* A frame says who is released, and again who stays paused. */
static void meter__fields_and_renewal(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_true(m.renew_at == TIME_NONE);
    uint8_t changed = ingress_add(&m, 1, 12000);
    struct pause_fields f = ingress_fields(&m, changed, 1000), expected = pause_fields_pfc(3, 0, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == 1000 + m.renewal);
    f = ingress_fields(&m, 0, m.renew_at); /* the renewal */
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == 1000 + 2 * m.renewal);
    ingress_add(&m, 0, 6000);
    changed = ingress_remove(&m, 1, 12000);
    assert_int_equal(changed, 2);
    f = ingress_fields(&m, changed, 5000);
    expected = pause_fields_pfc(1, 2, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    changed = ingress_remove(&m, 0, 6000);
    f = ingress_fields(&m, changed, 6000);
    expected = pause_fields_pfc(0, 1, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == TIME_NONE);
}

/* Invariants of DT-12 under any sequence: drain bytes are sums, never rise with the class, and decide who is paused. */
static void assert_meter_is_sound(const struct ingress_meter *m, const int64_t own[8], uint8_t before) {
    int64_t sum = 0;
    for (uint32_t k = 8; k-- > 0;) {
        bool paused = m->paused >> k & 1, was = before >> k & 1;
        sum += own[k];
        assert_int_equal(m->drain_bytes[k], sum);
        assert_int_equal(paused, sum > PAPER_HIGH || (was && sum >= PAPER_LOW));
        assert_true(k == 0 || !paused || (m->paused >> (k - 1) & 1));
    }
    assert_int_equal(m->bytes, sum);
}

static void meter__invariants(void **state) {
    (void)state;
    struct random_stream r;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    int64_t own[8] = {0};
    random_init(&r, 11, RANDOM_HASH, 0);
    for (int i = 0; i < 20000; i++) {
        uint32_t k = (uint32_t)random_below(&r, 8);
        bool fills = random_below(&r, 2000) > (uint64_t)(m.bytes / 16);
        int64_t bytes = fills ? (int64_t)(64 + random_below(&r, 1455)) : min_i64(own[k], 1518);
        uint8_t before = m.paused, changed = fills ? ingress_add(&m, k, bytes) : ingress_remove(&m, k, bytes);
        own[k] += fills ? bytes : -bytes;
        assert_int_equal(changed, before ^ m.paused);
        assert_meter_is_sound(&m, own, before);
    }
}

/* ---- the end that obeys ---- */

#define REACTION (1024000LL)
#define QUANTUM (512000LL)

static void obey_pfc(struct pause_state *s, uint8_t pause, uint8_t release, uint16_t quanta, time_ps now) {
    struct pause_fields f = pause_fields_pfc(pause, release, quanta);
    pause_obey(s, &f, now, REACTION, QUANTUM);
}

static void obey_link(struct pause_state *s, uint16_t quanta, time_ps now) {
    struct pause_fields f = pause_fields_link(quanta);
    pause_obey(s, &f, now, REACTION, QUANTUM);
}

/* Frames may begin until the reaction time is over, and again when the pause has expired. */
static void obey__reaction_and_expiry(void **state) {
    (void)state;
    struct pause_state s = {0};
    const time_ps at = 10 * US, until = at + 10 * QUANTUM;
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    obey_pfc(&s, 0x05, 0, 10, at);
    assert_int_equal(pause_mask(&s, at), 0);
    assert_true(pause_next_change(&s, at) == at + REACTION);
    assert_int_equal(pause_mask(&s, at + REACTION - 1), 0);
    assert_int_equal(pause_mask(&s, at + REACTION), 5);
    assert_true(pause_next_change(&s, at + REACTION) == until);
    assert_int_equal(pause_mask(&s, until - 1), 5);
    assert_int_equal(pause_mask(&s, until), 0);
    assert_true(pause_next_change(&s, until) == TIME_NONE);
    assert_true(pause_total(&s, 0, until) == until - at - REACTION);
    assert_true(pause_total(&s, 2, until + US) == until - at - REACTION);
    assert_true(pause_total(&s, 1, until) == 0);
    assert_int_equal(s.n_pauses, 2);
}

static void obey__release(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 0x03, 0, 0xffff, 0);
    assert_int_equal(pause_mask(&s, 5 * US), 3);
    assert_true(pause_since(&s, 0, 5 * US) == REACTION);
    assert_true(pause_since(&s, 2, 5 * US) == TIME_NONE);
    obey_pfc(&s, 0x02, 0x01, 0xffff, 9 * US);
    assert_int_equal(pause_mask(&s, 9 * US), 2);
    assert_true(pause_total(&s, 0, 100 * US) == 9 * US - REACTION);
    assert_true(pause_total(&s, 1, 100 * US) == 100 * US - REACTION);
    assert_true(pause_since(&s, 0, 9 * US) == TIME_NONE);
}

/* A release that comes before the pause took effect calls it off. */
static void obey__release_within_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 0, 1, 100, REACTION / 2);
    assert_int_equal(pause_mask(&s, REACTION), 0);
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    assert_true(pause_total(&s, 0, 50 * US) == 0);
}

/* A renewal leaves no gap and does not count as another pause; one that comes too late does. */
static void obey__renewal(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, 90 * QUANTUM);
    assert_int_equal(pause_mask(&s, 100 * QUANTUM), 1);
    assert_true(pause_next_change(&s, 100 * QUANTUM) == 190 * QUANTUM);
    obey_pfc(&s, 1, 0, 100, 190 * QUANTUM); /* at the instant of expiry */
    assert_int_equal(pause_mask(&s, 190 * QUANTUM), 0);
    assert_int_equal(pause_mask(&s, 190 * QUANTUM + REACTION), 1);
    assert_true(pause_total(&s, 0, 290 * QUANTUM) == 290 * QUANTUM - 2 * REACTION);
    assert_int_equal(s.n_pauses, 2);
}

/* Another pause within the reaction time does not put it off. */
static void obey__pause_twice_within_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, REACTION / 2);
    assert_int_equal(pause_mask(&s, REACTION), 1);
    assert_true(pause_next_change(&s, REACTION) == REACTION / 2 + 100 * QUANTUM);
}

static void obey__a_pause_shorter_than_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 1, 0);
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    for (time_ps now = 0; now <= 2 * REACTION; now += QUANTUM / 4) assert_int_equal(pause_mask(&s, now), 0);
    assert_true(pause_total(&s, 0, 50 * US) == 0);
}

/* 802.3x stops credits too; PFC of all eight classes does not. */
static void obey__whole_link(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 0xff, 0, 100, 0);
    assert_int_equal(pause_mask(&s, REACTION), 0xff);
    obey_link(&s, 100, 10 * US);
    assert_int_equal(pause_mask(&s, 10 * US), 0xff);
    assert_true(pause_next_change(&s, 10 * US) == 10 * US + REACTION);
    assert_int_equal(pause_mask(&s, 10 * US + REACTION), 0x1ff);
    obey_link(&s, 0, 20 * US);
    assert_int_equal(pause_mask(&s, 20 * US), 0);
    assert_true(pause_total(&s, PAUSE_CREDIT_LANE, 20 * US) == 10 * US - REACTION);
}

/* A stop that is renewed is one; a break makes two. Exactly as long as a storm is one. */
static void obey__storms_are_stops_without_a_break(void **state) {
    (void)state;
    struct pause_state s = {.storm = 150 * QUANTUM - REACTION};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, 50 * QUANTUM);
    struct pause_lane l = pause_lane_at(&s, 0, 149 * QUANTUM);
    assert_int_equal(l.stops, 1);
    assert_int_equal(l.storms, 0);
    assert_true(l.longest == 149 * QUANTUM - REACTION && l.longest_from == REACTION);
    assert_int_equal(pause_mask(&s, 200 * QUANTUM), 0);
    l = pause_lane_at(&s, 0, 300 * QUANTUM);
    assert_int_equal(l.storms, 1);
    assert_true(l.longest == 150 * QUANTUM - REACTION);
    obey_pfc(&s, 1, 0, 100, 300 * QUANTUM);
    obey_pfc(&s, 0, 1, 0, 350 * QUANTUM);
    l = pause_lane_at(&s, 0, 400 * QUANTUM);
    assert_int_equal(l.stops, 2);
    assert_int_equal(l.storms, 1);
    assert_true(l.longest_from == REACTION);
    assert_int_equal(pause_lane_at(&s, 1, 400 * QUANTUM).stops, 0);
}

/* The mask changes where pause_next_change says, and nowhere else. */
static void obey__next_change_is_the_next(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 12, RANDOM_HASH, 0);
    for (int i = 0; i < 500; i++) {
        struct pause_state s = {0};
        time_ps now = 0;
        for (int k = 0; k < 4; k++, now += (time_ps)random_below(&r, 4 * US))
            obey_pfc(&s, (uint8_t)random_u32(&r), (uint8_t)random_u32(&r), (uint16_t)random_below(&r, 12), now);
        uint32_t mask = pause_mask(&s, now);
        time_ps next;
        while ((next = pause_next_change(&s, now)) != TIME_NONE) {
            assert_true(next > now);
            assert_int_equal(pause_mask(&s, next - 1), mask);
            mask = pause_mask(&s, next);
            now = next;
        }
        assert_int_equal(pause_mask(&s, now + PS_PER_S), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__who_pauses_what),
        UNIT(thresholds__of_the_paper),
        UNIT(thresholds__of_one_class),
        UNIT(thresholds__exact),
        UNIT(thresholds__response_at_every_rate),
        UNIT(thresholds__rounded_to_the_safe_side),
        UNIT(thresholds__of_a_software_router),
        UNIT(reaction__by_rate),
        UNIT(duration__of_the_longest_pause),
        UNIT(renewal__leaves_the_response_and_a_frame),
        UNIT(preset__from_10g_on),
        UNIT(check__takes_the_paper),
        UNIT(check__eight_classes_need_more_at_10g),
        UNIT(check__own_thresholds),
        UNIT(check__a_link_longer_than_its_pauses),
        UNIT(overflow__paper_with_all_classes),
        UNIT(meter__edges_of_the_thresholds),
        UNIT(meter__drain_bytes_count_higher_classes),
        UNIT(meter__one_lane_for_the_link),
        UNIT(meter__frames_above_the_classes),
        UNIT(meter__fields_and_renewal),
        UNIT(meter__invariants),
        UNIT(obey__reaction_and_expiry),
        UNIT(obey__release),
        UNIT(obey__release_within_the_reaction),
        UNIT(obey__renewal),
        UNIT(obey__pause_twice_within_the_reaction),
        UNIT(obey__a_pause_shorter_than_the_reaction),
        UNIT(obey__whole_link),
        UNIT(obey__storms_are_stops_without_a_break),
        UNIT(obey__next_change_is_the_next),
    };
    return RUN_UNITS(tests);
}
