/* SPDX-License-Identifier: Apache-2.0 */
/* The NIC of a real host under a virtual clock: rate, order, pauses and full queues. */
#include "nic_stand.h"

#include "mech/flowctl/flowctls.h"

/* ---- rate and order ---- */

static void nic__frames_leave_in_order_at_the_rate_of_the_link(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    put_full(x, 0, 0, 10);
    for (uint32_t i = 0; i < 10; i++) assert_departs(x, (i + 1) * FULL_PS + DELAY, 0, i);
    put_full(x, 5 * MS, 0, 1); /* an idle link starts it at once */
    assert_departs(x, 5 * MS + FULL_PS + DELAY, 0, 10);
    assert_int_equal(nic_held(x->nic), 0);
    assert_int_equal(nic_view(x->nic, 6 * MS).count.left, 11);
    stand_end(x);
}

static void nic__the_higher_class_is_first(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    put_full(x, 0, 0, 3); /* 0 1 2 */
    nic_until(x->nic, 0); /* 0 is on the wire */
    put_full(x, 1, 2, 1); /* 3 */
    put_full(x, 1, 7, 1); /* 4 */
    static const struct sent order[] = {{0, 0}, {7, 4}, {2, 3}, {0, 1}, {0, 2}};
    for (uint32_t i = 0; i < 5; i++) assert_departs(x, (i + 1) * FULL_PS + DELAY, order[i].class, order[i].number);
    stand_end(x);
}

static void nic__classes_above_the_last_share_it(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 2, 100, NEVER_LATE);
    put_full(x, 0, 7, 2);
    put_full(x, 0, 1, 1);
    struct nic_view v = nic_view(x->nic, 0);
    assert_int_equal(v.classes, 2);
    assert_int_equal(v.queued_frames[1], 3);
    stand_end(x);
}

/* Every frame of the stack leaves unchanged: ARP, malformed IPv4, frames below the minimum size, pause frames. */
static void nic__frames_leave_unchanged(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    uint8_t frame[4][2048];
    size_t n[4];
    struct port_bytes out[4];
    n[0] = from_hex("ffffffffffff 020000000100 0806 0001 0800 0604 0001 020000000100 0a000001 000000000000 0a000002",
                    frame[0]);
    n[1] = datagram(frame[1], 3, 1, 100);
    frame[1][14] = 0x65;                                  /* another version of IP */
    n[2] = datagram(frame[2], 5, 2, 7) - 8;               /* below the minimum of Ethernet */
    n[3] = pause_frame(frame[3], pause_fields_link(100)); /* from a program on the host */
    for (int i = 0; i < 4; i++) put(x, 0, frame[i], n[i]);
    nic_until(x->nic, MS);
    assert_int_equal(nic_departing_burst(x->nic, MS, out, 4), 4);
    static const int order[] = {2, 0, 1, 3}; /* the valid one goes first, in class 5 */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(out[i].bytes, n[order[i]]);
        assert_memory_equal(out[i].at, frame[order[i]], n[order[i]]);
        nic_departed(x->nic);
    }
    assert_int_equal(nic_frames(x->nic)->pool.in_use, 0);
    stand_end(x);
}

static void nic__what_is_longer_than_any_frame_is_counted(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    static uint8_t frame[FRAME_MAX_BYTES + 1];
    put(x, 0, frame, sizeof frame);
    put(x, 0, frame, sizeof frame - 1);
    struct nic_view v = nic_view(x->nic, 0);
    assert_int_equal(v.count.unplaced, 1);
    assert_int_equal(v.count.unplaced_bytes, sizeof frame);
    assert_int_equal(v.count.taken, 1);
    assert_int_equal(nic_frames(x->nic)->pool.in_use, 1);
    stand_end(x);
}

/* ---- pauses ---- */

/* The NIC finishes the frame on the wire and starts the next one at the end of the pause. */
static void nic__a_pause_is_obeyed_until_it_ends(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 100, NEVER_LATE);
    put_full(x, 0, 0, 3);
    nic_until(x->nic, 10 * US);
    pause_comes(x, 10 * US, pause_fields_link(1000));
    assert_departs(x, FULL_PS + DELAY, 0, 0);
    assert_departs(x, 10 * US + 1000 * QUANTUM + FULL_PS + DELAY, 0, 1);
    assert_int_equal(nic_view(x->nic, 10 * MS).count.pauses, 1);
    stand_end(x);
}

/* A frame may still start within the reaction time of the standard, none after it. */
static void nic__a_pause_takes_effect_after_the_reaction(void **state) {
    (void)state;
    span_ps reaction = flowctl_reaction(RATE);
    assert_in_range(reaction, US, 50 * US);
    for (int after = 0; after < 2; after++) {
        struct stand *x = stand_of(&flowctl_pause, 1, 100, NEVER_LATE);
        pause_comes(x, 0, pause_fields_link(100));
        time_ps start = reaction - 1 + after;
        nic_until(x->nic, start);
        put_full(x, start, 0, 1);
        assert_departs(x, (after ? 100 * QUANTUM : start) + FULL_PS + DELAY, 0, 0);
        stand_end(x);
    }
}

static void nic__a_released_link_goes_on_at_once(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 100, NEVER_LATE);
    struct sent none;
    pause_comes(x, 0, pause_fields_link(PAUSE_QUANTA_MAX));
    nic_until(x->nic, MS);
    put_full(x, MS, 0, 1);
    assert_int_equal(nic_view(x->nic, 2 * MS).paused, 1);
    assert_false(departs(x, 2 * MS, &none));
    pause_comes(x, 2 * MS, pause_fields_link(0));
    assert_departs(x, 2 * MS + FULL_PS + DELAY, 0, 0);
    assert_true(nic_view(x->nic, 3 * MS).paused_time[0] > MS);
    stand_end(x);
}

static void nic__classes_are_independent_under_pfc(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    pause_comes(x, 0, pause_fields_pfc(1u << 5, 0, 2000));
    nic_until(x->nic, 100 * US);
    put_full(x, 100 * US, 5, 2); /* 0 1: paused */
    put_full(x, 100 * US, 0, 1); /* 2 */
    put_full(x, 100 * US, 7, 1); /* 3 */
    assert_departs(x, 100 * US + FULL_PS + DELAY, 7, 3);
    assert_departs(x, 100 * US + 2 * FULL_PS + DELAY, 0, 2);
    assert_int_equal(nic_view(x->nic, MS).paused, 1u << 5);
    assert_departs(x, 2000 * QUANTUM + FULL_PS + DELAY, 5, 0);
    pause_comes(x, 2000 * QUANTUM + FULL_PS + DELAY, pause_fields_pfc(1u << 7, 1u << 5, 2000));
    assert_departs(x, 2000 * QUANTUM + 2 * FULL_PS + DELAY, 5, 1);
    stand_end(x);
}

/* A full queue of a paused class does not delay the others, until the stack has one more frame of that class. */
static void nic__a_full_queue_of_a_paused_class_stops_nobody_else(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 4, NEVER_LATE);
    struct sent sent;
    pause_comes(x, 0, pause_fields_pfc(1u, 0, PAUSE_QUANTA_MAX));
    nic_until(x->nic, MS);
    put_full(x, MS, 0, 4);
    put_full(x, MS, 6, 4);
    for (uint32_t i = 0; i < 4; i++) assert_departs(x, MS + (i + 1) * FULL_PS + DELAY, 6, 4 + i);
    put_full(x, 2 * MS, 0, 1);
    assert_false(nic_takes(x->nic));
    assert_false(departs(x, 100 * MS, &sent));
    pause_comes(x, 100 * MS, pause_fields_pfc(0, 1u, 0));
    assert_true(departs(x, 101 * MS, &sent));
    assert_true(nic_takes(x->nic));
    stand_end(x);
}

static void nic__mac_control_does_not_reach_the_stack(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pfc, 8, 100, NEVER_LATE);
    uint8_t frame[2048];
    size_t n = pause_frame(frame, pause_fields_link(10));
    frame[15] = 9; /* an unknown opcode */
    assert_false(receive(x, 0, frame, n));
    frame[15] = 1;
    frame[0] = 2; /* a pause frame to another address */
    assert_false(receive(x, 0, frame, n));
    assert_true(receive(x, 0, frame, datagram(frame, 0, 0, 100)));
    assert_true(receive(x, 0, frame, 5)); /* the stack drops it */
    struct nic_view v = nic_view(x->nic, 0);
    assert_int_equal(v.count.ignored, 2);
    assert_int_equal(v.count.passed, 2);
    assert_int_equal(v.count.pauses, 0);
    assert_int_equal(nic_frames(x->nic)->pool.in_use, 0);
    stand_end(x);
}

/* Without flow control, pause frames have no effect and still do not reach the stack. */
static void nic__without_flow_control_nothing_is_paused(void **state) {
    (void)state;
    struct stand *x = stand_of(NULL, 1, 100, NEVER_LATE);
    pause_comes(x, 0, pause_fields_link(PAUSE_QUANTA_MAX));
    nic_until(x->nic, MS);
    put_full(x, MS, 0, 1);
    assert_departs(x, MS + FULL_PS + DELAY, 0, 0);
    assert_int_equal(nic_view(x->nic, MS).count.ignored, 1);
    stand_end(x);
}

/* ---- a loop that is late ---- */

static uint32_t departed_by(struct stand *x, time_ps now) {
    struct sent sent;
    uint32_t n = 0;
    while (departs(x, now, &sent)) n++;
    return n;
}

/* A loop that is late by less than make_up loses no time on the link; a later one loses the excess. */
static void nic__lateness_is_recovered_within_bounds(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 1000, 2 * FULL_PS);
    put_full(x, 0, 0, 100);
    nic_until(x->nic, 0);
    assert_int_equal(departed_by(x, 2 * FULL_PS + DELAY), 2);  /* the third is on the wire */
    assert_int_equal(departed_by(x, 50 * FULL_PS + DELAY), 2); /* that one, and one that started at 48 */
    assert_int_equal(departed_by(x, 52 * FULL_PS + DELAY), 2); /* as many as fit into the time */
    stand_end(x);
}

/* make_up is limited by a quarter of the switch's room above the threshold. With DeTail's 8 classes in 131,072 B that
 * room is 119,526 B, so NIC_MAKE_UP_BYTES applies; one class with exact headroom leaves room for one frame only. */
static void nic__makes_up_for_what_the_switch_has_room_for(void **state) {
    (void)state;
    struct host_config c = {.classes = 8};
    assert_int_equal(nic_make_up(&c, RATE, 0), NIC_MAKE_UP_BYTES * 8 * PS_PER_S / RATE);
    c.flow = (struct flowctl_config){.ops = &flowctl_pfc,
                                     .params = {.max_frame_bytes = FLOWCTL_PAPER_FRAME_BYTES,
                                                .buffer_bytes = FLOWCTL_PAPER_BUFFER_BYTES,
                                                .classes = 8}};
    assert_int_equal(nic_make_up(&c, RATE, 0), NIC_MAKE_UP_BYTES * 8 * PS_PER_S / RATE);
    c.flow.params.classes = 1;
    assert_in_range(nic_make_up(&c, RATE, 0), FULL_PS, 2 * FULL_PS);
    c.flow.high_bytes = FLOWCTL_PAPER_BUFFER_BYTES - 40000;
    assert_int_equal(nic_make_up(&c, RATE, 0), 10000 * 8 * PS_PER_S / RATE);
}

/* If a pause frame has arrived while the loop slept, no overdue frame starts before the pause. */
static void nic__overdue_frames_obey_the_pause_that_was_waiting(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 1000, NEVER_LATE);
    put_full(x, 0, 0, 100);
    assert_int_equal(departed_by(x, FULL_PS + DELAY), 1); /* a second is on the wire */
    pause_comes(x, 20 * MS, pause_fields_link(PAUSE_QUANTA_MAX));
    assert_int_equal(departed_by(x, 40 * MS), 2); /* that one, and one that starts within the reaction time */
    stand_end(x);
}

/* ---- full queues ---- */

/* If the stack is faster than the link, every class still arrives complete and in order, for any sizes. */
static void nic__nothing_is_lost_when_the_sender_is_faster(void **state) {
    (void)state;
    enum { FRAMES = 3000 };
    static uint32_t class_of[FRAMES];
    struct stand *x = stand_of(&flowctl_pfc, 8, 20, NEVER_LATE);
    struct random_stream r;
    struct sent sent;
    uint32_t taken = 0, got = 0, next[8] = {0};
    random_init(&r, 1, RANDOM_HOST, 0);
    for (uint32_t i = 0; i < FRAMES; i++) class_of[i] = (uint32_t)random_below(&r, 8);
    for (time_ps now = 0; got < FRAMES && now < 10 * PS_PER_S; now += 100 * US) {
        if (now % (10 * MS) == 0) pause_comes(x, now, pause_fields_pfc((uint8_t)random_below(&r, 256), 0, 600));
        for (nic_until(x->nic, now); taken < FRAMES && nic_takes(x->nic); taken++) {
            uint8_t frame[2048];
            put(x, now, frame, datagram(frame, class_of[taken], taken, 20 + (uint32_t)random_below(&r, 1453)));
        }
        for (; departs(x, now, &sent); got++) {
            while (class_of[next[sent.class]] != sent.class) next[sent.class]++;
            assert_int_equal(sent.number, next[sent.class]++);
        }
    }
    struct nic_view v = nic_view(x->nic, 10 * PS_PER_S);
    assert_int_equal(got, FRAMES);
    assert_int_equal(v.count.taken, FRAMES);
    assert_int_equal(v.count.left, FRAMES);
    assert_true(v.count.held_back > 0);
    assert_int_equal(nic_frames(x->nic)->pool.in_use, 0);
    stand_end(x);
}

/* What heddle lab status shows of a queue: its share of the frames, or of the bytes, that it may hold. */
static void nic__fill_of_a_queue_in_frames(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 10, NEVER_LATE);
    assert_int_equal(nic_fill_permille(x->nic, 0), 0);
    put_full(x, 0, 0, 4);
    assert_int_equal(nic_fill_permille(x->nic, 0), 400);
    stand_end(x);
}

/* host.nic_full: drop. The NIC goes on taking frames; the first ten wait, the others are dropped, also those of a class
 * beside one with room. */
static void nic__a_full_queue_drops_if_it_may(void **state) {
    (void)state;
    for (int in_bytes = 0; in_bytes < 2; in_bytes++) {
        struct stand *x = stand_of(&flowctl_none, 8, in_bytes ? 0 : 10, NEVER_LATE);
        nic_destroy(x->nic);
        x->config.nic_full = NIC_FULL_DROP;
        if (in_bytes) x->config.nic_queue_bytes = 10 * FULL_FRAME_BYTES;
        x->nic = nic_create(
            &(struct nic_setup){.fabric = x->fabric, .config = &x->config, .host = HOST, .make_up = NEVER_LATE});
        put_full(x, 0, 0, 15);
        put_full(x, 0, 3, 1);
        struct nic_view v = nic_view(x->nic, 0);
        assert_int_equal(v.count.taken, 16);
        assert_int_equal(v.count.dropped, 5);
        assert_int_equal(v.count.held_back, 0);
        assert_int_equal(v.queued_frames[0], 10);
        assert_int_equal(v.queued_frames[3], 1);
        assert_departs(x, FULL_PS + DELAY, 3, 15);
        for (uint32_t i = 0; i < 10; i++) assert_departs(x, (i + 2) * FULL_PS + DELAY, 0, i);
        assert_int_equal(nic_held(x->nic), 0);
        assert_int_equal(nic_frames(x->nic)->pool.in_use, 0);
        stand_end(x);
    }
}

static void nic__a_queue_in_bytes_holds_what_it_says(void **state) {
    (void)state;
    struct stand *x = stand_of(&flowctl_pause, 1, 0, NEVER_LATE);
    nic_destroy(x->nic);
    x->config.nic_queue_bytes = 10 * FULL_FRAME_BYTES;
    x->nic = nic_create(&(struct nic_setup){.fabric = x->fabric, .config = &x->config, .host = HOST, .make_up = MS});
    put_full(x, 0, 0, 10);
    assert_int_equal(nic_fill_permille(x->nic, 0), 1000);
    assert_true(nic_takes(x->nic));
    put_full(x, 0, 0, 1);
    assert_false(nic_takes(x->nic));
    nic_until(x->nic, 0);
    assert_true(nic_takes(x->nic));
    stand_end(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(nic__frames_leave_in_order_at_the_rate_of_the_link),
        UNIT(nic__the_higher_class_is_first),
        UNIT(nic__classes_above_the_last_share_it),
        UNIT(nic__frames_leave_unchanged),
        UNIT(nic__what_is_longer_than_any_frame_is_counted),
        UNIT(nic__a_pause_is_obeyed_until_it_ends),
        UNIT(nic__a_pause_takes_effect_after_the_reaction),
        UNIT(nic__a_released_link_goes_on_at_once),
        UNIT(nic__classes_are_independent_under_pfc),
        UNIT(nic__a_full_queue_of_a_paused_class_stops_nobody_else),
        UNIT(nic__mac_control_does_not_reach_the_stack),
        UNIT(nic__without_flow_control_nothing_is_paused),
        UNIT(nic__lateness_is_recovered_within_bounds),
        UNIT(nic__makes_up_for_what_the_switch_has_room_for),
        UNIT(nic__overdue_frames_obey_the_pause_that_was_waiting),
        UNIT(nic__nothing_is_lost_when_the_sender_is_faster),
        UNIT(nic__fill_of_a_queue_in_frames),
        UNIT(nic__a_queue_in_bytes_holds_what_it_says),
        UNIT(nic__a_full_queue_drops_if_it_may),
    };
    return RUN_UNITS(tests);
}
