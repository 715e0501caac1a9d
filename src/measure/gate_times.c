/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/gate_times.h"

#include "base/heap.h"

/* Ends of flows, by time: a heap of their ids. A run has millions, so their times stay in the tallies. */
struct flow_ends {
    struct tallies tally;
    uint32_t *id; /* 2 f: of flow f at its receiver; 2 f + 1: at its sender */
    size_t n;
};

/* Events in the order of time: the ends of flows at their receivers (even ids) and senders (odd ones), then the ends and at
 * last the begins of gates, as hosts have them (base/gates.h). */
struct replay {
    const struct gates *gates;
    struct flow_ends ends;
    uint32_t first_end, first_begin; /* ids of gates behind those of flows */
    uint32_t *needs, *behind, *running, *last;
    struct heap due;
    struct gate_times *t;
};

static time_ps end_at(const struct flow_ends *e, uint32_t id) {
    return id % 2 ? tally_acked_at(e->tally, id / 2) : tally_finished_at(e->tally, id / 2);
}

static struct heap_entry end_of(const struct flow_ends *e, uint32_t id) {
    return (struct heap_entry){end_at(e, id), id};
}

/* Moves the id at this place of the heap down to where it belongs. */
static void ends_sink(struct flow_ends *e, size_t at) {
    struct heap_entry sinks = end_of(e, e->id[at]);
    for (size_t child = 2 * at + 1; child < e->n; child = 2 * at + 1) {
        struct heap_entry first = end_of(e, e->id[child]);
        if (child + 1 < e->n) {
            struct heap_entry other = end_of(e, e->id[child + 1]);
            if (heap_is_before(other, first)) {
                first = other;
                child++;
            }
        }
        if (!heap_is_before(first, sinks)) break;
        e->id[at] = first.id;
        at = child;
    }
    e->id[at] = sinks.id;
}

static void ends_init(struct flow_ends *e, struct tallies tally, uint32_t n_flows) {
    *e = (struct flow_ends){.tally = tally, .id = memory_get(2 * (size_t)n_flows, sizeof *e->id)};
    for (uint32_t id = 0; id < 2 * n_flows; id++)
        if (end_at(e, id) != TIME_NONE) e->id[e->n++] = id;
    for (size_t at = e->n / 2; at-- > 0;) ends_sink(e, at);
}

static uint32_t ends_pop(struct flow_ends *e) {
    uint32_t id = e->id[0];
    e->id[0] = e->id[--e->n];
    if (e->n) ends_sink(e, 0);
    return id;
}

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

static void take_end(struct replay *r, uint32_t id) {
    count(r, id % 2 ? gates_of_acked(r->gates, id / 2) : gates_of_received(r->gates, id / 2), end_at(&r->ends, id));
}

static void take_due(struct replay *r, struct heap_entry e) {
    if (e.id >= r->first_begin)
        begin(r, e.id - r->first_begin, e.key);
    else
        end(r, e.id - r->first_end, e.key);
}

/* Carries out what is next: at one instant the ends of flows, then what gates do. Returns false if there is nothing more. */
static bool take(struct replay *r) {
    const struct heap_entry *due = heap_top(&r->due);
    bool of_flow = r->ends.n > 0 && (!due || end_at(&r->ends, r->ends.id[0]) <= due->key);
    if (!of_flow && !due) return false;
    if (of_flow)
        take_end(r, ends_pop(&r->ends));
    else
        take_due(r, heap_pop(&r->due));
    return true;
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
    free(r->ends.id);
    heap_fini(&r->due);
}

void gate_times_init(struct gate_times *t, const struct gates *gates, struct tallies tally, uint32_t n_flows) {
    struct replay r;
    *t =
        (struct gate_times){memory_get(gates->n_gates, sizeof *t->begun), memory_get(gates->n_gates, sizeof *t->ended)};
    replay_init(&r, gates, t, n_flows);
    ends_init(&r.ends, tally, gates->feed ? n_flows : 0);
    while (take(&r)) continue;
    replay_fini(&r);
}

void gate_times_free(struct gate_times *t) {
    free(t->begun);
    free(t->ended);
}
