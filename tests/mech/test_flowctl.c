/* SPDX-License-Identifier: Apache-2.0 */
/* Flow control by parameters: thresholds exact to the byte, durations, refusals, and the worst case. */
#include "mech/flowctl/pause_state.h"

#include <string.h>

#include "flowctl_paper.h"

static const int64_t rates[] = {1 * GBPS, 10 * GBPS, 40 * GBPS, 100 * GBPS, 400 * GBPS};
enum { N_RATES = sizeof rates / sizeof *rates };

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

/* DT-10, DT-11: T is 38.704 us or 4,838 B; 8 x 4,838 = 38,704 B stay free. */
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

/* AM-4: the exact thresholds. */
static void thresholds__exact(void **state) {
    (void)state;
    assert_int_equal(thresholds_at(1 * GBPS, 8, HEADROOM_EXACT).high_bytes, 9932);
    assert_int_equal(thresholds_at(1 * GBPS, 1, HEADROOM_EXACT).high_bytes, 124620);
    assert_int_equal(thresholds_at(1 * GBPS, 8, HEADROOM_EXACT).low_bytes, 4838);
}

/* The response takes 3,060 B of frames, 13.2 us of propagation and the reaction at each rate: 1,778; 16,500 + 3,840;
 * 66,000 + 7,552; 165,000 + 25,216; 660,000 + 57,920. */
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

/* DT-26: a response of 4,838 B and twice 6,000. */
static void thresholds__of_a_software_router(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 2, HEADROOM_PAPER);
    p.dma_bytes = 6000;
    assert_int_equal(flowctl_thresholds_of(&p).response_bytes, 16838);
    assert_int_equal(flowctl_thresholds_of(&p).high_bytes, (131072 - 2 * 16838) / 2);
    p.classes = 8;
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    struct diag d;
    assert_false(flowctl_check(&p, &t, &d)); /* the paper has two classes there (7.2.2) */
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

/* DT-8: 33.6 ms at 1 Gbps, 0.336 ms at 100 Gbps. */
static void duration__of_the_longest_pause(void **state) {
    (void)state;
    assert_int_equal(flowctl_duration(1 * GBPS), 33553920LL * PS_PER_NS);
    assert_int_equal(flowctl_duration(100 * GBPS), 335539200LL);
}

/* A pause is refreshed 38.704 us and a frame of 12.24 us before it expires. */
static void renewal__leaves_the_response_and_a_frame(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    assert_int_equal(flowctl_renewal(&p), flowctl_duration(1 * GBPS) - 50944000);
}

/* The preset is two classes in a buffer that gives each class its headroom twice. */
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
    assert_refused(&p, &t, "131072 B of ingress queue have no headroom for 8 classes at 10000 Mbps, where 23400 B");
    p.classes = 2;
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.classes = 8;
    p.buffer_bytes = 374400; /* 8 x 2 x 23,400 */
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.buffer_bytes--;
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "no headroom");
    p.buffer_bytes = 46800; /* one class fits just so */
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "no headroom for 8 classes");
    p.classes = 1;
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.buffer_bytes--;
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "no headroom for 1 class at");
    p = params_at(100 * GBPS, 1, HEADROOM_EXACT);
    p.buffer_bytes = 388166; /* just enough */
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.buffer_bytes--;
    t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "per class");
}

static void check__own_thresholds(void **state) {
    (void)state;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p), bad = t;
    bad.high_bytes = 131073;
    assert_refused(&p, &bad, "above the ingress queue of 131072 B");
    bad = t;
    bad.low_bytes = 11547;
    assert_refused(&p, &bad, "the low threshold, 11547 B, is over the high one, 11546 B");
    bad.low_bytes = 0;
    assert_refused(&p, &bad, "no class is ever released");
    struct diag d = {0};
    bad.low_bytes = 1; /* the least that releases */
    assert_true(flowctl_check(&p, &bad, &d));
    p.classes = 9;
    assert_refused(&p, &t, "which are 1 to 8");
    p.classes = 0;
    assert_refused(&p, &t, "which are 1 to 8");
}

static void check__a_link_longer_than_its_pauses(void **state) {
    (void)state;
    struct flowctl_params p = params_at(400 * GBPS, 1, HEADROOM_EXACT);
    p.propagation = 30 * US;
    p.buffer_bytes = flowctl_preset_buffer(&p);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    assert_refused(&p, &t, "the longest pause, 83 us");
    struct diag d = {0};
    p.propagation = flowctl_longest_link(&p);
    p.buffer_bytes = flowctl_preset_buffer(&p);
    t = flowctl_thresholds_of(&p);
    assert_true(flowctl_check(&p, &t, &d));
    p.propagation++;
    assert_refused(&p, &t, "is too short for a link of");
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
    };
    return RUN_UNITS(tests);
}
