/* The world as a whole: exact times on idle networks, ends of runs, stuck runs, conservation. */
#include "sim/fixture.h"

#include "unit.h"

/* What a minimum frame, a SYN (12 bytes of options) and a full segment take on the wire at 10 Gbps. */
#define PS_PER_BYTE 800LL
#define MIN_PS (84 * PS_PER_BYTE)
#define SYN_PS (90 * PS_PER_BYTE)
#define FULL_PS (1538 * PS_PER_BYTE)

/* ---- one flow in an idle network: hand arithmetic to the picosecond ---- */

/* SYN there, SYN-ACK back, the segment there: each is stored and forwarded at every link. */
static span_ps single_segment_fct(uint32_t links, span_ps delay) {
    return links * (2 * (SYN_PS + delay) + FULL_PS + delay);
}

static void single_segment(struct fabric_spec spec, uint32_t dst, uint32_t links, span_ps delay) {
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, dst, 1460, 7 * US);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(links, delay));
    int64_t slowdown = l->r.slowdown_ppm[CLASS_ALL].max;
    assert_true(slowdown >= 1000000 && slowdown < 1010000); /* the SYN's options are all that is above the bound */
    lab_end(l);
}

static void idle__two_links(void **state) {
    (void)state;
    single_segment(spec_star(2), 1, 2, 2 * US);
}

static void idle__four_links(void **state) {
    (void)state;
    single_segment(spec_leaf_spine(2, 2, 2), 2, 4, 2 * US);
}

static void idle__six_links(void **state) {
    (void)state;
    single_segment(spec_fat_tree(4), 8, 6, 2 * US);
}

/* A slow link late on the way counts once: the SYN and the segment leave their host at its own rate. */
static void idle__slow_last_link(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_link(l, "host0.1-*", 2500 * MBPS, -1, -1);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    span_ps slow = 8000000000000LL / (2500 * MBPS);
    assert_int_equal(lab_fct(l, 0), (2 * 90 + 1538) * (PS_PER_BYTE + slow) + 6 * 2 * US);
    assert_true(l->r.slowdown_ppm[CLASS_ALL].max < 1010000);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(idle__two_links),
        UNIT(idle__four_links),
        UNIT(idle__six_links),
        UNIT(idle__slow_last_link),
    };
    return RUN_UNITS(tests);
}
