/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/gate_times.h"

#include "base/heap.h"

/* Events in the order of time: the ends of flows at their receivers (even ids) and senders (odd ones), then the ends and at
 * last the begins of gates, as hosts have them (base/gates.h). */
struct replay {
    const struct gates *gates;
    uint32_t first_end, first_begin; /* ids of gates behind those of flows */
    uint32_t *needs, *behind, *running, *last;
    struct heap due;
    struct gate_times *t;
};

static void count(struct replay *r, struct fed_gates fed, time_ps now);

static void begin(struct replay *r, uint32_t number, time_ps now) {
    const struct gate *g = &r->gates->gate[number];
    r->t->begun[number] = now;
    if (g->n_on_begin) count(r, (struct fed_gates){r->gates->follow + g->next, g->n_on_begin}, now);
    heap_push(&r->due, now + g->delay, r->first_end + number);
}

static void may_begin(struct replay *r, uint32_t number, time_ps now) {
    uint32_t processor = r->gates->gate[number].processor;
    if (processor) {
        uint32_t *running = &r->running[processor - 1], *last = &r->last[processor - 1];
        bool waits = *running != FLOW_NONE;
        if (waits)
            r->behind[*last] = number;
        else
            *running = number;
        *last = number;
        if (waits) return;
    }
    heap_push(&r->due, now, r->first_begin + number);
}

static void count(struct replay *r, struct fed_gates fed, time_ps now) {
    for (uint32_t i = 0; i < fed.n; i++)
        if (--r->needs[fed.gate[i]] == 0) may_begin(r, fed.gate[i], now);
}

static void end(struct replay *r, uint32_t number, time_ps now) {
    const struct gate *g = &r->gates->gate[number];
    r->t->ended[number] = now;
    if (g->processor) {
        uint32_t next = r->running[g->processor - 1] = r->behind[number];
        if (next != FLOW_NONE) heap_push(&r->due, now, r->first_begin + next);
    }
    count(r, (struct fed_gates){r->gates->follow + g->next + g->n_on_begin, g->n_on_end}, now);
}

static void take(struct replay *r, struct heap_entry e) {
    if (e.id >= r->first_begin)
        begin(r, e.id - r->first_begin, e.key);
    else if (e.id >= r->first_end)
        end(r, e.id - r->first_end, e.key);
    else
        count(r, e.id % 2 ? gates_of_acked(r->gates, e.id / 2) : gates_of_received(r->gates, e.id / 2), e.key);
}

static uint32_t *numbers(uint32_t n, uint32_t value) {
    uint32_t *at = memory_get(n, sizeof *at);
    for (uint32_t i = 0; i < n; i++) at[i] = value;
    return at;
}

static void replay_init(struct replay *r, const struct gates *gates, struct gate_times *t, uint32_t n_flows) {
    *r = (struct replay){.gates = gates,
                         .first_end = 2 * n_flows,
                         .first_begin = 2 * n_flows + gates->n_gates,
                         .needs = memory_get(gates->n_gates, sizeof *r->needs),
                         .behind = numbers(gates->n_gates, FLOW_NONE),
                         .running = numbers(gates->n_processors, FLOW_NONE),
                         .last = numbers(gates->n_processors, FLOW_NONE),
                         .t = t};
    for (uint32_t i = 0; i < gates->n_gates; i++) {
        r->needs[i] = gates->gate[i].needs;
        t->begun[i] = t->ended[i] = TIME_NONE;
        if (r->needs[i] == 0) may_begin(r, i, 0);
    }
}

static void replay_fini(struct replay *r) {
    free(r->needs);
    free(r->behind);
    free(r->running);
    free(r->last);
    heap_fini(&r->due);
}

void gate_times_init(struct gate_times *t, const struct gates *gates, const struct flow_tally *tally,
                     uint32_t n_flows) {
    struct replay r;
    *t =
        (struct gate_times){memory_get(gates->n_gates, sizeof *t->begun), memory_get(gates->n_gates, sizeof *t->ended)};
    replay_init(&r, gates, t, n_flows);
    for (uint32_t f = 0; gates->feed && f < n_flows; f++) {
        if (tally[f].finished_at != TIME_NONE) heap_push(&r.due, tally[f].finished_at, 2 * f);
        if (tally[f].acked_at != TIME_NONE) heap_push(&r.due, tally[f].acked_at, 2 * f + 1);
    }
    while (r.due.n > 0) take(&r, heap_pop(&r.due));
    replay_fini(&r);
}

void gate_times_free(struct gate_times *t) {
    free(t->begun);
    free(t->ended);
}
