/* SPDX-License-Identifier: Apache-2.0 */
/* AM-10: credits that their own NIC refuses need no event. N receivers behind one NIC run in two ways. In the
 * first every credit is made when due and joins a queue of 16 before the limiter. In the second the limiter picks one
 * of the due receivers, and receivers count the refused credits. Data arrives an RTT after its credit left. Both ways
 * must agree on losses and shares. */
#include "mech/transport/credit_receiver.h"

#include "base/cells.h"
#include "mech/transport/transports.h"
#include "unit.h"

#include <stdlib.h>

#define MOST 64
#define GAP 1297600
#define RTT (50 * PS_PER_US)
#define QUEUE 16
#define FLYING 256

enum { HOTNETS, PRINTED, NAIVE }; /* feedback */

struct member {
    struct credit_receiver r;
    struct flow_env env;
    struct flow_tally tally;
    uint32_t seq;
    uint64_t left; /* credits that passed the limiter */
};

struct host {
    struct member member[MOST];
    uint32_t n;
    struct cell_pool cells;
    uint64_t counters[CREDIT_N_COUNTERS];
    int64_t params[32];
    struct random_stream random;
    time_ps base; /* when the limiter's last credit left */
    struct {
        time_ps at;
        uint32_t who, number;
    } fly[FLYING];
    uint32_t head, tail;
};

static struct host *host_new(uint32_t n, int64_t feedback, int64_t jitter_ppb) {
    struct host *h = calloc(1, sizeof *h);
    h->n = n;
    transport_defaults(&transport_expresspass, h->params);
    h->params[CREDIT_PARAM_OWN] = feedback;
    h->params[CREDIT_PARAM_JITTER] = jitter_ppb;
    cell_pool_init(&h->cells, transport_cell_bytes(&transport_expresspass, h->params));
    random_init(&h->random, 1, RANDOM_CREDIT, 0);
    h->base = -GAP;
    for (uint32_t i = 0; i < n; i++) {
        struct member *m = &h->member[i];
        m->env = (struct flow_env){.bytes = UINT64_MAX,
                                   .params = h->params,
                                   .row = &transport_expresspass,
                                   .cells = &h->cells,
                                   .tally = &m->tally,
                                   .counters = h->counters,
                                   .nic_bps = 10000000000,
                                   .seed = 5,
                                   .flow = i};
        transport_expresspass.receiver->open(&m->r, &m->env, (time_ps)i * GAP / n);
    }
    return h;
}

static void host_free(struct host *h) {
    for (uint32_t i = 0; i < h->n; i++) transport_expresspass.receiver->close(&h->member[i].r, &h->member[i].env);
    cell_pool_fini(&h->cells);
    free(h);
}

static void data_comes(struct host *h) {
    uint32_t i = h->head++ % FLYING;
    struct member *m = &h->member[h->fly[i].who];
    struct packet p = {.tcp_flags = CREDIT_DATA,
                       .seq = m->seq++,
                       .ack = h->fly[i].number,
                       .payload_bytes = 1460,
                       .wire_bytes = 1538,
                       .path = PATH_NONE};
    transport_expresspass.receiver->on_packet(&m->r, &m->env, h->fly[i].at, &p);
}

static void credit_leaves(struct host *h, uint32_t who, time_ps now, const struct packet *p) {
    uint32_t i = h->tail++ % FLYING;
    h->fly[i].at = now + RTT;
    h->fly[i].who = who;
    h->fly[i].number = p->ack;
    h->base = now;
    h->member[who].left++;
}

static time_ps due(const struct host *h, uint32_t i) { return credit_receiver_end.next_credit(&h->member[i].r); }

static uint32_t earliest(const struct host *h) {
    uint32_t first = 0;
    for (uint32_t i = 1; i < h->n; i++)
        if (due(h, i) < due(h, first)) first = i;
    return first;
}

/* Makes the credit of the receiver `who`; drops it if the queue is full. */
static void step_per_credit(struct host *h, uint32_t who, time_ps now) {
    struct packet p = {.ext = EXT_NONE};
    if (!credit_receiver_end.poll_credit(&h->member[who].r, &h->member[who].env, now, &p)) return;
    time_ps leaves = max_i64(now, h->base + GAP);
    if (leaves - now < QUEUE * (int64_t)GAP) credit_leaves(h, who, leaves, &p);
}

/* Picks one of the receivers that are due, and polls its credit. */
static void step_picked(struct host *h, time_ps now) {
    uint32_t n = 0, who = 0;
    for (uint32_t i = 0; i < h->n; i++)
        if (due(h, i) <= now && random_below(&h->random, ++n) == 0) who = i;
    struct packet p = {.ext = EXT_NONE};
    if (credit_receiver_end.poll_credit(&h->member[who].r, &h->member[who].env, now, &p))
        credit_leaves(h, who, now, &p);
}

static void host_run(struct host *h, bool per_credit, time_ps until) {
    for (;;) {
        uint32_t first = earliest(h);
        time_ps credit = per_credit ? due(h, first) : max_i64(due(h, first), h->base + GAP);
        time_ps data = h->head < h->tail ? h->fly[h->head % FLYING].at : TIME_NONE;
        if (min_i64(credit, data) > until) return;
        if (data <= credit)
            data_comes(h);
        else if (per_credit)
            step_per_credit(h, first, credit);
        else
            step_picked(h, credit);
    }
}

struct outcome {
    int64_t loss_least, loss_most, loss; /* thousandths: least and most of one flow; of all flows */
    int64_t jain, carried;               /* thousandths */
};

static struct outcome outcome_of(uint32_t n, int64_t feedback, int64_t jitter_ppb, bool per_credit, time_ps during) {
    struct host *h = host_new(n, feedback, jitter_ppb);
    host_run(h, per_credit, during);
    struct outcome o = {.loss_least = 1000};
    int64_t left = 0, sent = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct member *m = &h->member[i];
        credit_receiver_end.settle(&m->r, &m->env);
        int64_t loss = 1000 - (int64_t)(m->left * 1000 / m->tally.credits_sent);
        o.loss_least = min_i64(o.loss_least, loss);
        o.loss_most = max_i64(o.loss_most, loss);
        left += (int64_t)m->left;
        sent += (int64_t)m->tally.credits_sent;
        squares += (int64_t)(m->left * m->left);
    }
    o.loss = 1000 - left * 1000 / sent;
    o.jain = left * left * 1000 / ((int64_t)n * squares);
    o.carried = left * 1000 / (during / GAP);
    host_free(h);
    return o;
}

/* With fixed maximum rates, and jitter that makes every phase equally likely, the least and the greatest loss of a flow
 * agree within 2 % and Jain's index within 0.02. (With little jitter a queue favours some phases for tens of
 * milliseconds: of 64 flows at 1 % some get nothing in 100 ms. The pick among due receivers has no phase.) */
static void refused__fixed_rates(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= MOST; n *= 2) {
        struct outcome each = outcome_of(n, NAIVE, PPB, true, 50 * PS_PER_MS);
        struct outcome picked = outcome_of(n, NAIVE, PPB, false, 50 * PS_PER_MS);
        assert_in_range(picked.loss_least, each.loss_least - 20, each.loss_least + 20);
        assert_in_range(picked.loss_most, each.loss_most - 20, each.loss_most + 20);
        assert_in_range(picked.jain, each.jain - 20, each.jain + 20);
        assert_in_range(picked.carried, 990, 1000);
    }
}

/* With the feedback of 2016 and the paper's jitter both ways share evenly and fill the link. A flow that is not picked
 * learns of its refused credits later, so its rate stays higher: with 16 flows 12 % more credits are refused, at no
 * cost. */
static void refused__with_feedback(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= 16; n *= 2) {
        struct outcome each = outcome_of(n, HOTNETS, PPB / 100, true, 50 * PS_PER_MS);
        struct outcome picked = outcome_of(n, HOTNETS, PPB / 100, false, 50 * PS_PER_MS);
        assert_in_range(picked.loss, each.loss - 10, each.loss + 120);
        assert_in_range(each.jain, 990, 1000);
        assert_in_range(picked.jain, 990, 1000);
        assert_in_range(picked.carried, 980, 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(refused__fixed_rates),
        UNIT(refused__with_feedback),
    };
    return RUN_UNITS(tests);
}
