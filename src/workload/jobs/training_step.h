/* SPDX-License-Identifier: Apache-2.0 */
/* A step of training: a transformer on tensor x pipeline x data ranks, as Megatron-LM divides it. Private to workload.
 *
 * Rank (p D + d) T + t holds the part t of the layers of stage p, for the d-th share of the data: ranks of one tensor group
 * are neighbours, then come those of one data group; experts are spread over neighbours in the data group. A step of a rank:
 *
 *     forward and backward passes of its micro-batches, in the order of 1F1B: a stage has at most as many micro-batches
 *         under way as stages follow it, and then takes a backward pass after each forward pass;
 *     in a layer of a pass two all-reduces of the activations in the tensor group and, with experts, two all-to-alls in
 *         the expert group (to the experts and back), each between halves of the layer's computation, which waits for it;
 *         the experts of a layer may differ in popularity (skew.h), which is drawn for each step and layer: all
 *         micro-batches and all expert groups have the same, and what was sent to the experts comes back;
 *     between stages the activations, and the gradients back, which the next stage waits for and the sender does not;
 *     in the last backward pass, when a bucket of layers is done, a reduce-scatter of its gradients in the data group beside
 *         what follows; then, when all is there, the update, and an all-gather of the weights (without weights: an
 *         all-reduce of the gradients).
 *
 * Source: Narayanan et al., SC'21.
 */
#ifndef HEDDLE_WORKLOAD_TRAINING_STEP_H
#define HEDDLE_WORKLOAD_TRAINING_STEP_H

#include "workload/jobs/collectives.h"

/* What a step exchanges and computes, with all that a model brings. Sizes are those of the whole model. */
struct training_plan {
    uint32_t tensor, pipeline, data, expert, layers, micro_batches, buckets, channels;
    uint64_t activation, expert_bytes, gradients, weights, expert_gradients, expert_weights;
    span_ps forward, backward, update;
    int64_t skew_ppb;     /* of the experts (skew.h) */
    int64_t scale_up_bps; /* 0: tensor groups use the fabric */
    const struct collective_row *reduce, *scatter, *gather, *all_to_all;
};

/* Adds the messages and computations of so many steps to a job of pipeline x data x tensor ranks. False as generator_add. */
bool training_steps(struct job_builder *b, const struct training_plan *p, uint32_t iterations);
/* Returns the messages of one step. */
flow_count training_messages(const struct training_plan *p);

#endif
