/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/jobs/training_step.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FORWARD, BACKWARD, DIRECTIONS };
static const char phase_forward[] = "forward", phase_backward[] = "backward", phase_gradients[] = "gradients",
                  phase_update[] = "update", phase_weights[] = "weights", phase_stages[] = "stages";

struct step {
    struct job_builder *b;
    const struct training_plan *p;
    uint32_t *arrived[DIRECTIONS]; /* [pipeline x micro-batches x data x tensor] message that a stage waits for */
    uint32_t *at;                  /* [pipeline] the pass that a stage takes next */
};

static uint32_t rank_at(const struct training_plan *p, uint32_t stage, uint32_t i) {
    return stage * p->data * p->tensor + i;
}
static uint32_t ranks_each(const struct training_plan *p) { return p->data * p->tensor; } /* of a stage */

/* Rounds a share up to what n ranks can divide. */
static uint64_t share_of(uint64_t bytes, uint64_t shares, uint64_t parts) {
    uint64_t each = (bytes + shares - 1) / shares;
    return (each + parts - 1) / parts * parts;
}

/* Returns the time of an all-reduce of the activations in a tensor group over its scale-up domain, in its ideal. */
static span_ps scale_up_time(const struct training_plan *p) {
    if (p->tensor == 1 || p->scale_up_bps == 0) return 0;
    return collective_scale_up_time(OP_ALL_REDUCE, p->activation, p->tensor, p->scale_up_bps);
}

static void stage_computes(const struct step *s, uint32_t stage, span_ps span) {
    for (uint32_t i = 0; i < ranks_each(s->p); i++) jobs_go_on(s->b, rank_at(s->p, stage, i), span, JOB_AWAITED);
}

/* Channels of the connections between two ranks: tensor and expert groups from 0 on, data groups behind them, experts'
 * gradients behind those. */
static uint32_t bucket_channel(const struct training_plan *p, uint32_t bucket, bool of_experts) {
    uint32_t each = collective_lanes(p->reduce, p->channels);
    return each * (1 + 2 * bucket + of_experts);
}

/* Adds an operation in each group of `n` ranks of a stage, whose members are `stride` apart. */
static bool in_groups_on(const struct step *s, const struct collective_row *row, uint32_t stage, uint32_t n,
                         uint32_t stride, uint64_t bytes, const struct lane_plan *lanes) {
    const struct training_plan *p = s->p;
    uint64_t size = share_of(bytes, 1, p->channels * collective_parts(row, n));
    for (uint32_t i = 0; i < ranks_each(p); i++) {
        const struct rank_group group = {.n = n, .first = rank_at(p, stage, i), .stride = stride};
        bool is_first = i / stride % n == 0;
        if (is_first && !collective_carry(s->b, row, &group, size, lanes)) return false;
    }
    return true;
}

static bool in_groups(const struct step *s, const struct collective_row *row, uint32_t stage, uint32_t n,
                      uint32_t stride, uint64_t bytes, uint32_t channel, enum job_wait wait) {
    const struct lane_plan lanes = {.channel = channel, .channels = s->p->channels, .chunks = 1, .wait = wait};
    return in_groups_on(s, row, stage, n, stride, bytes, &lanes);
}

static bool tensor_exchange(const struct step *s, uint32_t stage) {
    const struct training_plan *p = s->p;
    if (p->tensor == 1 || p->scale_up_bps) return true;
    return in_groups(s, p->reduce, stage, p->tensor, 1, p->activation, 0, JOB_AWAITED);
}

/* To the experts of a layer, numbered through all stages, or `back`. */
static bool expert_exchange(const struct step *s, uint32_t stage, uint32_t number, bool back) {
    const struct training_plan *p = s->p;
    struct skew skew = {.exponent_ppb = p->skew_ppb, .back = back};
    const struct lane_plan lanes = {
        .channels = p->channels, .chunks = 1, .wait = JOB_AWAITED, .skew = p->skew_ppb ? &skew : NULL};
    if (p->expert == 1) return true;
    if (lanes.skew) skew_draw(&skew, p->expert, s->b->g->seed, collective_skew_number(s->b, number));
    bool ok = in_groups_on(s, p->all_to_all, stage, p->expert, p->tensor, p->expert_bytes, &lanes);
    skew_fini(&skew);
    return ok;
}

/* A layer of a pass: half of it, the tensor group's exchange, to the experts; the other half, back, the exchange again. */
static bool layer(const struct step *s, uint32_t stage, uint32_t number, span_ps span) {
    span_ps half = span / 2;
    stage_computes(s, stage, half);
    if (!tensor_exchange(s, stage) || !expert_exchange(s, stage, number, false)) return false;
    stage_computes(s, stage, span - half);
    return expert_exchange(s, stage, number, true) && tensor_exchange(s, stage);
}

/* Layers of a pass through a stage: n of them, in the direction of the pass, behind so many others. */
struct pass_layers {
    int direction;
    uint32_t behind, n;
};

static uint32_t layer_number(const struct training_plan *p, uint32_t stage, const struct pass_layers *l, uint32_t i) {
    uint32_t each = p->layers / p->pipeline, place = l->behind + i;
    return stage * each + (l->direction == FORWARD ? place : each - 1 - place);
}

/* Without an exchange in them they are one computation. */
static bool layers(const struct step *s, uint32_t stage, const struct pass_layers *l, span_ps each) {
    const struct training_plan *p = s->p;
    bool exchanges = p->expert > 1 || (p->tensor > 1 && p->scale_up_bps == 0);
    each += 2 * scale_up_time(p);
    if (!exchanges) {
        stage_computes(s, stage, l->n * each);
        return true;
    }
    for (uint32_t i = 0; i < l->n; i++)
        if (!layer(s, stage, layer_number(p, stage, l, i), each)) return false;
    return true;
}

/* The gradients of a bucket, beside what follows. */
static bool bucket_reduces(const struct step *s, uint32_t stage, uint32_t bucket) {
    const struct training_plan *p = s->p;
    uint64_t shares = (uint64_t)p->tensor * p->pipeline * p->buckets;
    uint32_t rest = p->data / p->expert;
    const struct collective_row *row = p->weights ? p->scatter : p->reduce,
                                *of_experts = p->expert_weights ? p->scatter : p->reduce;
    jobs_phase(s->b, phase_gradients);
    if (p->data > 1 && !in_groups(s, row, stage, p->data, p->tensor, share_of(p->gradients, shares, 1),
                                  bucket_channel(p, bucket, false), JOB_BACKGROUND))
        return false;
    if (rest == 1 || p->expert_gradients == 0) return true;
    return in_groups(s, of_experts, stage, rest, p->tensor * p->expert,
                     share_of(p->expert_gradients, shares * p->expert, 1), bucket_channel(p, bucket, true),
                     JOB_BACKGROUND);
}

static uint32_t *arrival_at(const struct step *s, int direction, uint32_t stage, uint32_t batch, uint32_t i) {
    const struct training_plan *p = s->p;
    return &s->arrived[direction][((size_t)stage * p->micro_batches + batch) * ranks_each(p) + i];
}

/* Sends the result of a pass to the stage that goes on with it. */
static bool pass_on(const struct step *s, uint32_t stage, uint32_t batch, int direction) {
    const struct training_plan *p = s->p;
    uint32_t to = direction == FORWARD ? stage + 1 : stage - 1; /* wraps: no stage */
    if (to >= p->pipeline) return true;
    jobs_phase(s->b, phase_stages);
    for (uint32_t i = 0; i < ranks_each(p); i++)
        if (!jobs_send(s->b, rank_at(p, stage, i), rank_at(p, to, i), p->activation, batch,
                       arrival_at(s, direction, to, batch, i)))
            return false;
    return true;
}

/* Takes a pass of a micro-batch through a stage. */
static bool pass(const struct step *s, uint32_t stage, uint32_t batch, int direction) {
    const struct training_plan *p = s->p;
    bool from_other = direction == FORWARD ? stage > 0 : stage + 1 < p->pipeline;
    bool reduces = direction == BACKWARD && batch + 1 == p->micro_batches;
    uint32_t parts = reduces ? p->buckets : 1;
    for (uint32_t i = 0; from_other && i < ranks_each(p); i++)
        jobs_await(s->b, rank_at(p, stage, i), *arrival_at(s, direction, stage, batch, i));
    for (uint32_t k = 0; k < parts; k++) {
        jobs_phase(s->b, direction == FORWARD ? phase_forward : phase_backward);
        uint32_t n = p->layers / p->pipeline / parts;
        const struct pass_layers part = {direction, k * n, n};
        if (!layers(s, stage, &part, direction == FORWARD ? p->forward : p->backward)) return false;
        if (reduces && !bucket_reduces(s, stage, k)) return false;
    }
    return pass_on(s, stage, batch, direction);
}

/* The n-th pass of a stage in 1F1B: forward passes until so many are under way as stages follow, then forward and backward
 * passes in turn, then the backward passes that are left. */
static int pass_at(const struct training_plan *p, uint32_t stage, uint32_t n, uint32_t *batch) {
    uint32_t ahead = p->pipeline - 1 - stage;
    if (ahead > p->micro_batches) ahead = p->micro_batches;
    uint32_t in_turn = 2 * (p->micro_batches - ahead), i = n - ahead;
    if (n < ahead || (i < in_turn && i % 2 == 0)) {
        *batch = n < ahead ? n : ahead + i / 2;
        return FORWARD;
    }
    *batch = i < in_turn ? i / 2 : n - p->micro_batches;
    return BACKWARD;
}

/* Returns whether the stage before, or behind, has made what a pass begins with. */
static bool is_ready(const struct step *s, uint32_t stage, uint32_t batch, int direction) {
    const struct training_plan *p = s->p;
    if (direction == FORWARD ? stage == 0 : stage + 1 == p->pipeline) return true;
    return *arrival_at(s, direction, stage, batch, 0) != FLOW_NONE;
}

/* Takes all passes of all stages, each as soon as what it begins with is made. */
static bool passes(const struct step *s) {
    const struct training_plan *p = s->p;
    uint32_t left = p->pipeline * 2 * p->micro_batches, batch;
    for (uint32_t stage = 0; left > 0; stage = (stage + 1) % p->pipeline) {
        while (s->at[stage] < 2 * p->micro_batches) {
            int direction = pass_at(p, stage, s->at[stage], &batch);
            if (!is_ready(s, stage, batch, direction)) break;
            if (!pass(s, stage, batch, direction)) return false;
            s->at[stage]++;
            left--;
        }
    }
    return true;
}

/* The end of a step: every rank waits for its gradients, updates its share, and gets the weights of the others. */
static bool step_ends(const struct step *s) {
    const struct training_plan *p = s->p;
    uint64_t shares = (uint64_t)p->tensor * p->pipeline;
    uint32_t rest = p->data / p->expert;
    jobs_phase(s->b, phase_update);
    for (uint32_t r = 0; r < p->pipeline * ranks_each(p); r++) jobs_go_on(s->b, r, p->update, JOB_ALL);
    jobs_phase(s->b, phase_weights);
    for (uint32_t stage = 0; stage < p->pipeline; stage++) {
        if (p->data > 1 && p->weights &&
            !in_groups(s, p->gather, stage, p->data, p->tensor, share_of(p->weights, shares, 1),
                       bucket_channel(p, 0, false), JOB_AWAITED))
            return false;
        if (rest > 1 && p->expert_weights &&
            !in_groups(s, p->gather, stage, rest, p->tensor * p->expert,
                       share_of(p->expert_weights, shares * p->expert, 1), bucket_channel(p, 0, true), JOB_AWAITED))
            return false;
    }
    for (uint32_t r = 0; r < p->pipeline * ranks_each(p); r++) jobs_go_on(s->b, r, 0, JOB_ALL);
    return true;
}

static bool step_make(struct step *s) {
    size_t n = (size_t)s->p->pipeline * s->p->micro_batches * ranks_each(s->p);
    for (int i = 0; i < DIRECTIONS; i++)
        for (size_t k = 0; k < n; k++) s->arrived[i][k] = FLOW_NONE;
    for (uint32_t i = 0; i < s->p->pipeline; i++) s->at[i] = 0;
    jobs_iteration(s->b);
    return passes(s) && step_ends(s);
}

bool training_steps(struct job_builder *b, const struct training_plan *p, uint32_t iterations) {
    size_t n = (size_t)p->pipeline * p->micro_batches * ranks_each(p);
    struct step s = {.b = b, .p = p, .at = memory_get(p->pipeline, sizeof *s.at)};
    for (int i = 0; i < DIRECTIONS; i++) s.arrived[i] = memory_get(n, sizeof *s.arrived[i]);
    bool ok = true;
    for (uint32_t i = 0; ok && i < iterations; i++) ok = step_make(&s);
    for (int i = 0; i < DIRECTIONS; i++) free(s.arrived[i]);
    free(s.at);
    return ok;
}

static flow_count messages_in(const struct training_plan *p, const struct collective_row *row, uint32_t n) {
    return n > 1 ? collective_messages(row, n) * p->channels : 0;
}

flow_count training_messages(const struct training_plan *p) {
    flow_count passes_of_layers = 2ull * p->layers * p->micro_batches, groups = (flow_count)p->pipeline * p->tensor;
    uint32_t rest = p->expert_gradients ? p->data / p->expert : 1;
    flow_count n = 2ull * p->micro_batches * (p->pipeline - 1) * ranks_each(p);
    if (p->scale_up_bps == 0) n += messages_in(p, p->reduce, p->tensor) * p->data * 2 * passes_of_layers;
    n += messages_in(p, p->all_to_all, p->expert) * (p->data / p->expert) * p->tensor * 2 * passes_of_layers;
    n += messages_in(p, p->weights ? p->scatter : p->reduce, p->data) * groups * p->buckets;
    if (p->weights) n += messages_in(p, p->gather, p->data) * groups;
    n += messages_in(p, p->expert_weights ? p->scatter : p->reduce, rest) * groups * p->expert * p->buckets;
    if (p->expert_weights) n += messages_in(p, p->gather, rest) * groups * p->expert;
    return n;
}
