/* SPDX-License-Identifier: Apache-2.0 */
/* Ports with classes: order of service, non-preemption, drain bytes (DT-12), limits and totals. */
#include "node/ports.h"

#include "mech/schedule/schedules.h"

/* ---- a port that is fed and served ---- */

/* Queues a frame under this serial. Returns why it was dropped, or DROP_NONE. */
static enum drop_cause push(struct rig *r, uint8_t class, uint16_t wire_bytes, uint32_t serial, time_ps now) {
    uint32_t index = packet_get(&r->pool);
    *packet_at(&r->pool, index) =
        (struct packet){.wire_bytes = wire_bytes, .tos = (uint8_t)(class << 5), .serial = serial, .ext = EXT_NONE};
    enum drop_cause cause = port_queue_push(&r->p, &r->v, &r->x, &r->pool, index, now);
    if (cause) packet_put(&r->pool, index);
    return cause;
}

/* Starts the next frame. Returns its serial, or -1 if none starts; writes its departure to *depart. */
static int64_t serve(struct rig *r, time_ps now, time_ps *depart) {
    enum drop_cause lost = DROP_NONE;
    uint32_t index = port_queue_next(&r->p, &r->v, &r->x, NULL, &r->pool, now, depart, &lost);
    if (index == UINT32_MAX) return -1;
    int64_t serial = packet_at(&r->pool, index)->serial;
    packet_put(&r->pool, index);
    return serial;
}

/* Serves all queued frames one after the other. Returns their serials as a string of letters. */
static const char *serve_all(struct rig *r, time_ps now) {
    static char order[512];
    size_t n = 0;
    for (int64_t serial; n < sizeof order - 1 && (serial = serve(r, now, &now)) >= 0;) order[n++] = (char)serial;
    order[n] = '\0';
    return order;
}

static void push_letters(struct rig *r, const char *letters, const char *classes) {
    for (size_t i = 0; letters[i]; i++)
        assert_int_equal(push(r, (uint8_t)(classes[i] - '0'), FULL, (uint8_t)letters[i], 0), DROP_NONE);
}

/* ---- frames that need not wait ---- */

/* Returns whether a frame of the class passes the port now without a queue. */
static bool passes(struct rig *r, uint8_t class, time_ps now) {
    struct packet frame = {.wire_bytes = FULL, .tos = (uint8_t)(class << 5), .ext = EXT_NONE};
    enum drop_cause lost = DROP_NONE;
    time_ps depart = 0;
    if (!port_queue_pass(&r->p, &r->v, &r->x, NULL, &frame, now, &depart, &lost)) return false;
    assert_int_equal(depart, now + FULL * BYTE_PS);
    return true;
}

static void pass__an_idle_link_and_nobody_before(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 8, INT64_MAX);
    assert_true(passes(r, 3, 0));
    assert_int_equal(r->x.classes->max_bytes, FULL_FRAME);
    assert_false(passes(r, 7, FULL * BYTE_PS - 1)); /* the first is on the wire */
    push_letters(r, "a", "0");
    assert_false(passes(r, 7, FULL * BYTE_PS)); /* one is queued */
    assert_string_equal(serve_all(r, FULL * BYTE_PS), "a");
    assert_true(passes(r, 7, 2 * FULL * BYTE_PS));
    rig_end(r);
}

/* Deficit round robin counts every frame, so none bypasses its queues. */
static void pass__not_where_turns_are_kept(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_drr, 2, INT64_MAX);
    assert_false(passes(r, 1, 0));
    rig_end(r);
}

/* With a reserve per class only the queue knows whether there is room. */
static void pass__not_where_classes_keep_a_part(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = &schedule_strict;
    r->setup.config.classes = 2;
    r->setup.admit.limit_bytes = 10 * FULL_FRAME;
    r->setup.config.schedule.class_reserve_bytes = FULL_FRAME;
    rig_start(r);
    assert_false(passes(r, 1, 0));
    rig_end(r);
}

static void pass__not_while_the_class_is_paused(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = &schedule_strict;
    r->setup.config.classes = 8;
    r->setup.pauses = true;
    rig_start(r);
    struct pause_fields fields = pause_fields_pfc(1 << 2, 0, 10);
    pause_obey(r->x.classes->pause, &fields, 0, 100 * US, 100 * US); /* paused from 100 to 1000 us */
    assert_true(passes(r, 2, 50 * US));
    assert_false(passes(r, 2, 100 * US));
    assert_true(passes(r, 5, 200 * US));
    assert_false(passes(r, 2, 1000 * US - 1));
    assert_true(passes(r, 2, 1000 * US));
    uint32_t control = packet_get(&r->pool); /* a queued pause frame goes first */
    *packet_at(&r->pool, control) = frame_of(FULL);
    port_control_push(&r->x, &r->pool, control);
    assert_false(passes(r, 5, 2000 * US));
    rig_end(r);
}

/* ---- order ---- */

static void strict__higher_classes_first(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 8, INT64_MAX);
    push_letters(r, "abcdefgh", "01737020");
    assert_string_equal(serve_all(r, 0), "cedgbafh"); /* in order of arrival within a class */
    rig_end(r);
}

static void strict__classes_above_the_last_are_the_last(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 2, INT64_MAX);
    push_letters(r, "abcd", "0710");
    assert_string_equal(serve_all(r, 0), "bcad");
    rig_end(r);
}

static void fifo__as_they_came(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_fifo, 8, INT64_MAX);
    push_letters(r, "abcdefgh", "01737020");
    assert_string_equal(serve_all(r, 0), "abcdefgh");
    rig_end(r);
}

static void strict__no_preemption(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 2, INT64_MAX);
    time_ps depart;
    push(r, 0, FULL, 'a', 0);
    assert_int_equal(serve(r, 0, &depart), 'a');
    assert_int_equal(depart, FULL * BYTE_PS);
    push(r, 0, FULL, 'b', 1);
    push(r, 1, 84, 'c', 2);
    assert_int_equal(serve(r, FULL * BYTE_PS - 1, &depart), -1); /* the link is busy, even for a higher class */
    assert_true(port_queue_waits(&r->x));
    assert_int_equal(serve(r, FULL * BYTE_PS, &depart), 'c');
    assert_int_equal(depart, (FULL + 84) * BYTE_PS);
    rig_end(r);
}

/* Classes share the link by their quanta in frame bytes, whatever the sizes of frames. */
static void drr__shares_by_quantum(void **state) {
    (void)state;
    static const int64_t quantum[MAX_CLASSES] = {1518, 3036, 6072};
    static const uint16_t wire[3] = {1538, 300, 1000};
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = &schedule_drr;
    r->setup.config.classes = 3;
    memcpy(r->setup.config.schedule.quantum_bytes, quantum, sizeof quantum);
    rig_start(r);
    int64_t sent[3] = {0}, all = 0;
    for (uint8_t k = 0; k < 3; k++)
        for (int i = 0; i < 20000; i++) push(r, k, wire[k], k, 0);
    for (time_ps now = 0; all < 5000000;) {
        int64_t k = serve(r, now, &now);
        assert_true(k >= 0);
        sent[k] += wire[k] - WIRE_OVERHEAD_BYTES;
        all += wire[k] - WIRE_OVERHEAD_BYTES;
    }
    for (int k = 0; k < 3; k++) assert_true(llabs(sent[k] * 7 - all * (1 << k)) < 7 * 2 * 6072);
    rig_end(r);
}

/* An idle class keeps no deficit. */
static void drr__idle_classes_keep_no_deficit(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_drr, 2, INT64_MAX);
    time_ps now = 0;
    for (int i = 0; i < 50; i++) push(r, 0, FULL, 'a', 0);
    for (int i = 0; i < 50; i++) assert_int_equal(serve(r, now, &now), 'a');
    push_letters(r, "aaaabbbb", "00001111");
    const char *order = serve_all(r, now);
    assert_true(strcmp(order, "abababab") == 0 || strcmp(order, "babababa") == 0);
    rig_end(r);
}

/* ---- drain bytes (DT-12) ---- */

static void assert_drain_bytes(const struct rig *r, uint32_t classes) {
    int64_t at_or_above = 0;
    for (uint32_t k = classes; k-- > 0;) {
        int64_t queued = 0;
        for (uint32_t i = r->x.classes->queue[k].head; i != UINT32_MAX; i = packet_at(&r->pool, i)->next)
            queued += packet_frame_bytes(packet_at(&r->pool, i));
        assert_int_equal(r->x.classes->queue[k].bytes, queued);
        at_or_above += queued;
        assert_int_equal(r->v.drain_bytes[k], at_or_above);
    }
    assert_int_equal(port_queued_bytes(r->x.classes), at_or_above);
}

static void drain_bytes__what_must_leave_before_a_new_frame(void **state) {
    (void)state;
    size_t n;
    const struct schedule_ops *const *row = schedules(&n);
    for (size_t schedule = 0; schedule < n; schedule++) {
        struct rig *r = rig_classes(row[schedule], 8, 60000);
        struct random_stream s;
        time_ps now = 0, depart;
        random_init(&s, 9, RANDOM_HOST, (uint64_t)schedule);
        for (int i = 0; i < 5000; i++) {
            now += (time_ps)random_below(&s, 1300000);
            push(r, (uint8_t)random_below(&s, 8), (uint16_t)(84 + random_below(&s, 1455)), 0, now);
            assert_drain_bytes(r, 8);
            if (random_below(&s, 2)) serve(r, now, &depart);
            assert_drain_bytes(r, 8);
        }
        rig_end(r);
    }
}

/* ---- limit and marking: the frame on the wire counts, as on an analytic port ---- */

static void limit__all_classes_share_the_buffer(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 4, 4 * FULL_FRAME);
    time_ps depart;
    push_letters(r, "abc", "012");
    assert_int_equal(serve(r, 0, &depart), 'c');
    assert_int_equal(push(r, 3, FULL, 'd', 0), DROP_NONE);
    assert_int_equal(push(r, 3, 84, 'e', 0), DROP_BUFFER);
    assert_int_equal(push(r, 3, FULL, 'f', FULL * BYTE_PS), DROP_NONE); /* c has left */
    assert_int_equal(r->x.dropped[DROP_BUFFER], 1);
    assert_int_equal(port_max_queue_bytes(&r->p, &r->v, &r->x), 4 * FULL_FRAME);
    rig_end(r);
}

static struct rig *rig_reserve(const struct schedule_ops *schedule, uint32_t classes, int64_t buffer_bytes,
                               int64_t reserve_bytes) {
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = schedule;
    r->setup.config.classes = classes;
    r->setup.admit.limit_bytes = buffer_bytes;
    r->setup.config.schedule.class_reserve_bytes = reserve_bytes;
    return rig_start(r);
}

/* CMB-14: a buffer of six frames reserves one for each of two classes; four are shared. */
static void limit__a_class_leaves_the_others_their_reserve(void **state) {
    (void)state;
    struct rig *r = rig_reserve(&schedule_strict, 2, 6 * FULL_FRAME, FULL_FRAME);
    push_letters(r, "abcde", "00000");
    assert_int_equal(push(r, 0, FULL, 'f', 0), DROP_BUFFER); /* class 1 is empty, its reserve is kept */
    assert_int_equal(push(r, 1, FULL, 'g', 0), DROP_NONE);
    assert_int_equal(push(r, 1, FULL, 'h', 0), DROP_BUFFER); /* the buffer is full */
    rig_end(r);
}

static void limit__a_class_may_use_what_nobody_was_promised(void **state) {
    (void)state;
    struct rig *r = rig_reserve(&schedule_strict, 2, 6 * FULL_FRAME, FULL_FRAME);
    push_letters(r, "abcd", "0000");
    push_letters(r, "ef", "11"); /* its reserve and the last shared frame */
    assert_int_equal(push(r, 0, 84, 'g', 0), DROP_BUFFER);
    assert_int_equal(push(r, 1, 84, 'h', 0), DROP_BUFFER);
    rig_end(r);
}

/* Six frames with two reserved for each class: class 0 has room for four, also where six have been in the queues before. */
static void limit__is_asked_below_the_fullest_yet(void **state) {
    (void)state;
    struct rig *r = rig_reserve(&schedule_strict, 2, 6 * FULL_FRAME, 2 * FULL_FRAME);
    push_letters(r, "abcdef", "001111");
    serve_all(r, 0);
    time_ps now = r->p.busy_until;
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(push(r, 0, FULL, 'g' + i, now), DROP_NONE);
    assert_int_equal(push(r, 0, FULL, 'k', now), DROP_BUFFER);
    rig_end(r);
}

static void limit__dropped_frames_change_nothing(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 4, FULL_FRAME);
    push(r, 1, FULL, 'a', 0);
    assert_int_equal(push(r, 3, FULL, 'b', 0), DROP_BUFFER);
    assert_drain_bytes(r, 4);
    assert_int_equal(port_queue_length(&r->x, &r->pool), 1);
    rig_end(r);
}

/* ---- totals against brute force ---- */

static void mean_queue__is_the_integral(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 2, INT64_MAX);
    struct random_stream s;
    random_init(&s, 4, RANDOM_HOST, 0);
    double area = 0; /* queued frames and the rest of the one on the wire, frame bytes x ps */
    time_ps now = 0, arrival = 0, depart = 0;
    for (int i = 0; i < 20000;) {
        bool served = port_queue_waits(&r->x) && r->p.busy_until <= arrival;
        time_ps next = served ? max_i64(now, r->p.busy_until) : arrival;
        double wire = (double)max_i64(0, min_i64(r->p.busy_until, next) - now), left = (double)(r->p.busy_until - now);
        area += (double)port_queued_bytes(r->x.classes) * (double)(next - now);
        if (wire > 0) area += (left + left - wire) / 2 * wire / BYTE_PS * FULL_FRAME / FULL;
        now = next;
        if (served) {
            assert_true(serve(r, now, &depart) >= 0);
            continue;
        }
        push(r, (uint8_t)random_below(&s, 2), (uint16_t)(84 + random_below(&s, 1455)), 0, now);
        if (r->p.busy_until <= now) serve(r, now, &depart);
        arrival += random_exponential(&s, 720000);
        i++;
    }
    double expected = area / (double)now, got = (double)port_mean_queue_bytes(&r->p, &r->v, &r->x, now);
    assert_true(expected > 3000);
    assert_true(got > expected * 0.99 && got < expected * 1.01);
    rig_end(r);
}

/* ---- dying links ---- */

static void failure__frames_are_lost_one_by_one(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.config.classes = 2;
    r->setup.config.schedule.ops = &schedule_strict;
    r->setup.dead_from = 2 * FULL * BYTE_PS;
    rig_start(r);
    push_letters(r, "abc", "000");
    time_ps now = 0;
    enum drop_cause lost;
    for (int i = 0; i < 3; i++) {
        uint32_t index = port_queue_next(&r->p, &r->v, &r->x, NULL, &r->pool, now, &now, &lost);
        assert_int_equal(lost, i < 2 ? DROP_NONE : DROP_LINK_DOWN); /* the second arrives just in time */
        packet_put(&r->pool, index);
    }
    assert_int_equal(r->x.dropped[DROP_LINK_DOWN], 1);
    rig_end(r);
}

/* A class that becomes empty loses the rest of its quantum, even on an idle link: later it starts with its quantum of
 * ten frames, not with the nine left over. */
static void drr__idle_link_keeps_no_deficit(void **state) {
    (void)state;
    static const int64_t quantum[MAX_CLASSES] = {10 * FULL_FRAME, FULL_FRAME};
    struct rig *r = rig_new();
    r->setup.config.schedule.ops = &schedule_drr;
    r->setup.config.classes = 2;
    memcpy(r->setup.config.schedule.quantum_bytes, quantum, sizeof quantum);
    rig_start(r);
    time_ps depart;
    push_letters(r, "a", "0");
    assert_int_equal(serve(r, 0, &depart), 'a');
    assert_int_equal(serve(r, depart, &depart), -1);
    push_letters(r, "aaaaaaaaaaaabb", "00000000000011");
    assert_string_equal(serve_all(r, PS_PER_MS), "baaaaaaaaaabaa");
    rig_end(r);
}

/* A frame that uses up the deficit still leaves: a full one with a quantum of its size, after 23 small ones. */
static void drr__quantum_of_one_frame_sends_one(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_drr, 2, INT64_MAX);
    for (int i = 0; i < 30; i++) push(r, 1, 84, 'b', 0);
    push_letters(r, "aa", "00");
    assert_string_equal(serve_all(r, 0), "bbbbbbbbbbbbbbbbbbbbbbbabbbbbbba");
    rig_end(r);
}

static bool is_marked_behind(struct rig *r, time_ps now) {
    uint32_t index = packet_get(&r->pool);
    *packet_at(&r->pool, index) = (struct packet){.wire_bytes = FULL, .tos = ECN_ECT0, .ext = EXT_NONE};
    assert_int_equal(port_queue_push(&r->p, &r->v, &r->x, &r->pool, index, now), DROP_NONE);
    return (packet_at(&r->pool, index)->tos & ECN_MASK) == ECN_CE;
}

/* As on an analytic port, the backlog must exceed the threshold. */
static void mark__above_the_threshold(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.config.classes = 2;
    r->setup.admit.mark_bytes = 2 * FULL_FRAME;
    rig_start(r);
    for (int i = 0; i < 3; i++) assert_false(is_marked_behind(r, 0));
    for (int i = 0; i < 3; i++) assert_true(is_marked_behind(r, 0));
    assert_int_equal(r->x.marked, 3);
    serve_all(r, 0);
    time_ps now = r->p.busy_until;
    for (int i = 0; i < 3; i++) assert_false(is_marked_behind(r, now));
    assert_true(is_marked_behind(r, now)); /* also below the fullest that the queue has been */
    rig_end(r);
}

/* Refused frames arrive every 999 ps: the queued frame counts for the whole time, without a rounding to nanoseconds. */
static void mean_queue__loses_no_parts_of_a_nanosecond(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 2, 2 * FULL_FRAME);
    time_ps depart, now = 0;
    push(r, 0, FULL, 'a', 0);
    serve(r, 0, &depart);
    push(r, 0, FULL, 'b', 0);
    for (int i = 0; i < 1000; i++) assert_int_equal(push(r, 0, FULL, 'c', now += 999), DROP_BUFFER);
    assert_true(port_mean_queue_bytes(&r->p, &r->v, &r->x, now) >= FULL_FRAME);
    rig_end(r);
}

/* A port without credits evicts none. */
static void evicted__none_without_credits(void **state) {
    (void)state;
    struct rig *r = rig_classes(&schedule_strict, 2, INT64_MAX);
    assert_int_equal(port_evicted(&r->x, &r->pool), UINT32_MAX);
    rig_end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(evicted__none_without_credits),
        UNIT(pass__an_idle_link_and_nobody_before),
        UNIT(pass__not_where_turns_are_kept),
        UNIT(pass__not_where_classes_keep_a_part),
        UNIT(pass__not_while_the_class_is_paused),
        UNIT(strict__higher_classes_first),
        UNIT(strict__classes_above_the_last_are_the_last),
        UNIT(fifo__as_they_came),
        UNIT(strict__no_preemption),
        UNIT(drr__shares_by_quantum),
        UNIT(drr__idle_classes_keep_no_deficit),
        UNIT(drain_bytes__what_must_leave_before_a_new_frame),
        UNIT(limit__all_classes_share_the_buffer),
        UNIT(limit__a_class_leaves_the_others_their_reserve),
        UNIT(limit__a_class_may_use_what_nobody_was_promised),
        UNIT(limit__is_asked_below_the_fullest_yet),
        UNIT(limit__dropped_frames_change_nothing),
        UNIT(mean_queue__is_the_integral),
        UNIT(failure__frames_are_lost_one_by_one),
        UNIT(drr__idle_link_keeps_no_deficit),
        UNIT(drr__quantum_of_one_frame_sends_one),
        UNIT(mark__above_the_threshold),
        UNIT(mean_queue__loses_no_parts_of_a_nanosecond),
    };
    return RUN_UNITS(tests);
}
