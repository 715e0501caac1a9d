/* SPDX-License-Identifier: Apache-2.0 */
/* Workload files of SimAI, as AICB writes them: the layers of a model, with what each computes and exchanges. Private to workload.
 *
 *   HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0
 *   2                                                              layers, a line each:
 *   attention -1 5000 ALLREDUCE 40000 5000 ALLREDUCE 40000 5000 NONE 0 0
 *   gradients -1 0 NONE 0 0 NONE 0 0 ALLREDUCE 800000 100
 *
 * A line has a name, -1, and three times a computation in ns, a collective and its bytes: of the forward pass, of the
 * gradients of inputs, and of the gradients of weights; then the update in ns. Collectives are NONE, ALLREDUCE, ALLGATHER,
 * REDUCESCATTER, ALLTOALL: in the tensor group, or of weights in the data group; with _EP in the expert group, with _DP_EP among
 * the ranks that have the same experts. Bytes are those of the whole buffer.
 *
 * A step of a rank, as SimAI's transformer loop has it: forward through the layers, each computes and then waits for its
 * collective; then backward: the gradients of inputs and their collective, which it waits for, then those of weights, whose
 * collective goes on beside what follows. It ends when all of them are over, with the updates of all layers. Rank
 * d T + t is number t of the tensor group; experts are spread over neighbours in the data group.
 *
 * Refused: other loops than the transformer's, pipeline stages, recomputation (checkpoints), ALLREDUCEALLTOALL.
 */
#ifndef HEDDLE_WORKLOAD_SIMAI_H
#define HEDDLE_WORKLOAD_SIMAI_H

#include "workload/fields.h"
#include "workload/generate.h"

enum simai_group { SIMAI_TENSOR, SIMAI_DATA, SIMAI_EXPERT, SIMAI_DATA_OF_EXPERT };
enum simai_pass { SIMAI_FORWARD, SIMAI_INPUTS, SIMAI_WEIGHTS, SIMAI_PASSES };

struct simai_part {
    span_ps compute;
    enum collective_op op; /* OP_COUNT: none */
    enum simai_group group;
    uint64_t bytes;
};

struct simai_layer {
    struct simai_part part[SIMAI_PASSES];
    span_ps update;
};

struct simai_model {
    uint32_t tensor, expert, ranks; /* ranks: all_gpus; 0: not said */
    struct simai_layer *layer;
    uint32_t n_layers;
};

/* Reads the text. The caller frees m->layer in any case. Returns false after filling *d. */
bool simai_read(struct simai_model *m, const char *path, const char *text, size_t size, struct diag *d);

/* Makes the job of an entry from the text of its file. */
bool simai_make(struct generator *g, const struct simai_fields *f, const char *text, size_t size);

#endif
