/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that a single kind of workload has: workload_spec.fields points to the struct of the entry's kind. Keys name
 * them by PARAM_OWN_IN; a kind whose own keys are numbers alone needs no struct (workload_ops.params). */
#ifndef HEDDLE_WORKLOAD_FIELDS_H
#define HEDDLE_WORKLOAD_FIELDS_H

#include "workload/workload.h"

#define LOAD_BYTES(X) X(LOAD_PAYLOAD, "payload") X(LOAD_WIRE, "wire")
enum load_bytes { LOAD_BYTES(PARAM_ENUM) };

struct poisson_fields {
    int64_t load_ppb;
    enum tier load_at; /* TIER_HOST, TIER_LEAF (tor-uplink), TIER_AGG (agg-uplink) */
    enum load_bytes load_bytes;
};

struct stride_fields {
    uint32_t offset; /* 0 = the number of hosts of a pod (of a rack in two tiers) */
};

struct shuffle_fields {
    uint32_t tasks; /* per host, 0 = 1; tasks x tasks flows from each host to each other host */
};

/* senders: number of random senders, 0 = all others. receiver: RECEIVER_EACH (with request_bytes) = every host in turn,
 * RECEIVER_ALL = every host at once. */
struct incast_fields {
    uint32_t senders, receiver;
};
#define RECEIVER_EACH HOST_CHOICE(0)
#define RECEIVER_ALL HOST_CHOICE(1)

#define TRACE_FORMATS(X) X(TRACE_CSV, "csv") X(TRACE_HPCC, "hpcc")
enum trace_format { TRACE_FORMATS(PARAM_ENUM) };

struct trace_fields {
    const char *path; /* its file */
    enum trace_format format;
};

#define TIME_UNITS(X) X(UNIT_PS, "ps") X(UNIT_NS, "ns") X(UNIT_US, "us") X(UNIT_MS, "ms") X(UNIT_S, "s")
enum time_unit { TIME_UNITS(PARAM_ENUM) }; /* a thousand of one is the next */

#define SEND_DONE_AT(X) X(SEND_DONE_SENDER, "sender") X(SEND_DONE_RECEIVER, "receiver")
enum send_done_at { SEND_DONE_AT(PARAM_ENUM) };

struct matrix_fields {
    const char *path; /* its file */
    enum time_unit time_unit;
    enum send_done_at send_done;
};

struct chakra_fields {
    const char *traces; /* the file of rank 0 */
    const char **rank;  /* as in struct goal_fields */
    uint32_t n_names;
};

struct goal_fields {
    const char *path;  /* its file */
    const char **rank; /* as in struct collective_fields; none: as many hosts as the file has ranks */
    uint32_t n_names;
};

struct web_sequential_fields {
    uint32_t length; /* queries in a set */
};

struct web_partition_fields {
    const uint32_t *fanout; /* numbers of queries in a set, drawn with equal probability */
    uint32_t n_fanouts;
};

#define COLLECTIVE_OPS(X)                                                                                              \
    X(OP_ALL_REDUCE, "all-reduce")                                                                                     \
    X(OP_REDUCE_SCATTER, "reduce-scatter")                                                                             \
    X(OP_ALL_GATHER, "all-gather")                                                                                     \
    X(OP_ALL_TO_ALL, "all-to-all")                                                                                     \
    X(OP_BROADCAST, "broadcast")                                                                                       \
    X(OP_SEND_RECV, "send-recv")
enum collective_op { COLLECTIVE_OPS(PARAM_ENUM) OP_COUNT };

#define COLLECTIVE_ALGORITHMS(X)                                                                                       \
    X(ALGORITHM_RING, "ring")                                                                                          \
    X(ALGORITHM_BIDIRECTIONAL_RING, "bidirectional-ring")                                                              \
    X(ALGORITHM_HALVING_DOUBLING, "halving-doubling")                                                                  \
    X(ALGORITHM_DIRECT, "direct")                                                                                      \
    X(ALGORITHM_DOUBLE_TREE, "double-binary-tree")                                                                     \
    X(ALGORITHM_HIERARCHICAL, "hierarchical")
enum collective_algorithm { COLLECTIVE_ALGORITHMS(PARAM_ENUM) ALGORITHM_COUNT };

struct collective_fields {
    enum collective_op op;
    enum collective_algorithm algorithm; /* ALGORITHM_COUNT: the operation's own */
    uint64_t bytes;                      /* of a rank's buffer */
    const char **rank; /* [n_names] hosts of the ranks, or one text: how many ranks; none: all hosts */
    uint32_t n_names;
    uint32_t channels, iterations, window;
    uint64_t chunk; /* most bytes of a message; 0: whole parts */
    span_ps compute;
    int64_t skew_ppb;     /* all-to-all: exponent of Zipf's law (jobs/skew.h) */
    uint32_t group;       /* hierarchical: ranks of a server */
    int64_t scale_up_bps; /* hierarchical: of a rank inside of its server; 0 or less: servers use the fabric */
};

#define TRAINING_MODELS(X) X(MODEL_GPT_13B, "gpt-13b") X(MODEL_GPT_22B, "gpt-22b") X(MODEL_MIXTRAL, "mixtral-8x7b")
enum training_model { TRAINING_MODELS(PARAM_ENUM) MODEL_COUNT };

/* 0: that of the model, where not said otherwise. */
struct training_fields {
    enum training_model model;               /* MODEL_COUNT: none */
    uint32_t tensor, pipeline, data, expert; /* degrees; data: 0 = as many as the ranks make */
    uint32_t layers, micro_batches, buckets, channels, iterations;
    span_ps forward, backward, update; /* backward: 0 = twice forward */
    uint64_t activation, gradients, weights, expert_bytes, expert_gradients, expert_weights;
    int64_t skew_ppb;     /* of the experts, as in struct collective_fields */
    int64_t scale_up_bps; /* 0: tensor groups use the fabric; SCALE_UP_OF_MODEL */
    enum collective_algorithm algorithm;
    const char **rank; /* as in struct collective_fields */
    uint32_t n_names;
};
#define SCALE_UP_OF_MODEL (-1)

struct simai_fields {
    const char *path;  /* its file */
    const char **rank; /* as in struct goal_fields */
    uint32_t n_names;
    uint32_t channels, iterations;
    enum collective_algorithm algorithm; /* ALGORITHM_COUNT: ring */
    int64_t scale_up_bps;                /* 0 or below: tensor groups use the fabric */
};

#endif
