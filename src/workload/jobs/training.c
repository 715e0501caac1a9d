/* SPDX-License-Identifier: Apache-2.0 */
/* Workload kind `training`: an entry, its model, and its keys (training_step.h has the step). */
#include "workload/jobs/training_step.h"

#include <stdio.h>

#define GBPS 1000000000LL

static const struct training_fields *training_fields(const struct workload_spec *spec) { return spec->fields; }

/* ---- what a model brings ---- */

struct model {
    const char *name;
    uint32_t layers, tensor, expert;
    uint64_t activation, expert_bytes, gradients, weights, expert_gradients, expert_weights;
    span_ps forward;
    int64_t scale_up_bps;
};
/* Computing times: the layer's operations at half of an A100's 312 TFLOP/s over the tensor group, 24 s h^2 (1 + s / 6 h) for
 * s tokens and h hidden (SC'21, equation 2); 300 GB/s of NVLink a direction. Gradients in 4 bytes, weights in 2. */
static const struct model models[] = {
    /* h 5120, s 2048; 6,497,239,040 B of gradients and 20,971,520 B of activations a GPU (AICB, G13B-M1-C01) */
    [MODEL_GPT_13B] = {"gpt-13b", 40, 8, 1, 20971520, 0, 51977912320, 25988956160, 0, 0, 1101 * PS_PER_US, 2400 * GBPS},
    /* h 6144, s 2048 (AICB, megatron_gpt.sh); parameters: 12 h^2 a layer and h (51200 + 2048) */
    [MODEL_GPT_22B] = {"gpt-22b", 48, 8, 1, 25165824, 0, 88281710592, 44140855296, 0, 0, 1569 * PS_PER_US, 2400 * GBPS},
    /* h 4096, s 4096 over 4 context-parallel ranks, ffn 14336, 2 of 8 experts (SimAI issue 293): 1024 tokens in a tensor
     * group, 128 in a rank; the exchange of keys and values among context-parallel ranks is left out */
    [MODEL_MIXTRAL] = {"mixtral-8x7b", 32, 8, 4, 8388608, 2097152, 6417285120, 3208642560, 180388626432, 90194313216,
                       670 * PS_PER_US, 2400 * GBPS},
};

#define OR(value_, default_) ((value_) ? (value_) : (default_))

static void plan_fill(struct training_plan *p, const struct training_fields *f) {
    static const struct model none = {.name = "none", .tensor = 1, .expert = 1};
    const struct model *m = f->model == MODEL_COUNT ? &none : &models[f->model];
    *p = (struct training_plan){
        .tensor = OR(f->tensor, m->tensor),
        .pipeline = f->pipeline,
        .expert = OR(f->expert, m->expert),
        .layers = OR(f->layers, m->layers),
        .micro_batches = f->micro_batches,
        .buckets = f->buckets,
        .channels = f->channels,
        .activation = OR(f->activation, m->activation),
        .expert_bytes = OR(f->expert_bytes, m->expert_bytes),
        .gradients = OR(f->gradients, m->gradients),
        .weights = f->gradients ? f->weights : OR(f->weights, m->weights),
        .expert_gradients = OR(f->expert_gradients, m->expert_gradients),
        .forward = OR(f->forward, m->forward),
        .update = f->update,
        .skew_ppb = f->skew_ppb,
        .scale_up_bps = f->scale_up_bps == SCALE_UP_OF_MODEL ? m->scale_up_bps : f->scale_up_bps,
    };
    p->expert_weights = f->expert_gradients ? f->expert_weights : OR(f->expert_weights, m->expert_weights);
    p->backward = OR(f->backward, 2 * p->forward);
}

/* ---- checks ---- */

static bool plan_rows(const struct generator *g, struct training_plan *p, enum collective_algorithm algorithm) {
    p->reduce = collective_row(OP_ALL_REDUCE, algorithm);
    p->scatter = collective_row(OP_REDUCE_SCATTER, algorithm);
    p->gather = collective_row(OP_ALL_GATHER, algorithm);
    p->all_to_all = collective_row(OP_ALL_TO_ALL, ALGORITHM_COUNT);
    return (p->data == 1 || collective_fits(g, p->reduce, p->data)) &&
           (p->tensor == 1 || collective_fits(g, p->reduce, p->tensor));
}

/* Finds how many data-parallel groups n ranks make, and checks that the degrees fit. */
static bool plan_degrees(const struct generator *g, const struct training_fields *f, struct training_plan *p,
                         uint32_t n) {
    uint64_t each = (uint64_t)p->tensor * p->pipeline;
    p->data = OR(f->data, (uint32_t)(n / each));
    if (each * p->data != n || p->data == 0)
        return generator_fail(g, "ranks: %u, but tensor x pipeline x data = %u x %u x %u; write ranks: %llu", n,
                              p->tensor, p->pipeline, OR(p->data, 1), (unsigned long long)each * OR(p->data, 1));
    if (p->data % p->expert)
        return generator_fail(g, "expert: %u do not divide the %u ranks of a data group; write a divisor", p->expert,
                              p->data);
    if (p->layers % p->pipeline)
        return generator_fail(g, "layers: %u cannot be cut into %u stages (pipeline); write a multiple", p->layers,
                              p->pipeline);
    if (p->layers / p->pipeline % p->buckets)
        return generator_fail(g, "buckets: %u do not divide the %u layers of a stage; write a divisor", p->buckets,
                              p->layers / p->pipeline);
    return true;
}

/* Fails if a message of the step has no size: no key and no model gives one. */
static bool plan_sizes(const struct generator *g, const struct training_plan *p) {
    if (p->layers == 0) return generator_fail(g, "layers: how many? give layers, or a model");
    if (p->forward == 0) return generator_fail(g, "forward: how long does a layer compute? give forward, or a model");
    if (p->activation == 0 && (p->tensor > 1 || p->pipeline > 1))
        return generator_fail(g, "activation: how large, between %s? give activation, or a model",
                              p->tensor > 1 ? "tensor-parallel ranks" : "stages");
    if (p->gradients == 0 && p->data > 1)
        return generator_fail(g, "gradients: how large, in a data group? give gradients, or a model");
    if (p->expert_bytes == 0 && p->expert > 1)
        return generator_fail(g, "expert_bytes: how many to the experts of a layer? give expert_bytes, or a model");
    return true;
}

/* ---- an entry ---- */

/* Fails if a size is given of something that is never sent. */
static bool nothing_idle(const struct generator *g, const struct training_fields *f, const struct training_plan *p) {
    const struct {
        bool given, acts;
        const char *key, *why;
    } row[] = {
        {f->activation, p->tensor > 1 || p->pipeline > 1, "activation", "no stages and no tensor-parallel ranks"},
        {f->gradients, p->data > 1, "gradients", "no data-parallel ranks"},
        {f->expert_bytes, p->expert > 1, "expert_bytes", "no experts (expert)"},
        {f->skew_ppb, p->expert > 1, "skew", "no experts (expert)"},
        {f->expert_gradients, p->data > p->expert && p->expert > 1, "expert_gradients",
         "no experts that several ranks have"},
        {f->weights, p->gradients && p->data > 1, "weights", "no gradients that data-parallel ranks share"},
        {f->expert_weights, p->expert_gradients && p->data > p->expert, "expert_weights",
         "no gradients of experts that ranks share"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].given && !row[i].acts)
            return generator_fail(g, "%s: there are %s, so it would do nothing; leave it out", row[i].key, row[i].why);
    return true;
}

/* Where `ranks` says nothing, the degrees say how many hosts take part, if all are given. */
struct rank_names {
    const char *const *name;
    uint32_t n;
    const char *only;
    char count[24];
};
static void rank_names_fill(struct rank_names *names, const struct training_fields *f, const struct training_plan *p) {
    bool by_degrees = f->n_names == 0 && f->data > 0;
    snprintf(names->count, sizeof names->count, "%llu", (unsigned long long)p->tensor * p->pipeline * f->data);
    names->only = names->count;
    names->name = by_degrees ? &names->only : (const char *const *)f->rank;
    names->n = by_degrees ? 1 : f->n_names;
}

static bool training_generate(struct generator *g) {
    const struct training_fields *f = training_fields(g->spec);
    struct workload_job job = {.entry = g->spec->entry, .op = "training", .computes = true};
    struct training_plan p;
    uint32_t n;
    struct rank_names names;
    plan_fill(&p, f);
    rank_names_fill(&names, f, &p);
    if (!ranks_placement_check(g)) return false;
    if (!(job.rank = ranks_of(g, names.name, names.n, g->spec->placement, &n))) return false;
    job.n_ranks = n;
    job.bytes = p.gradients + p.expert_gradients;
    struct job_builder b;
    jobs_init(&b, g, &job, 0);
    bool ok = plan_degrees(g, f, &p, n) && plan_sizes(g, &p) && plan_rows(g, &p, f->algorithm) &&
              nothing_idle(g, f, &p) && training_steps(&b, &p, f->iterations);
    return jobs_finish(&b, ok);
}

static uint64_t training_foresee(const struct workload_spec *spec, const struct population *population) {
    const struct training_fields *f = training_fields(spec);
    struct diag ignored;
    const struct generator g = {.spec = spec, .d = &ignored};
    struct training_plan p;
    struct rank_names names;
    plan_fill(&p, f);
    rank_names_fill(&names, f, &p);
    uint32_t n = ranks_foreseen(names.name, names.n, population);
    if (n < 2 || !plan_degrees(&g, f, &p, n) || !plan_rows(&g, &p, f->algorithm)) return 0;
    return count_limited(training_messages(&p) * f->iterations);
}

/* ---- keys ---- */

#define DEGREE(id_, name_, def_, text_, doc_)                                                                          \
    static const struct param training_##id_ = {                                                                       \
        .name = (name_),                                                                                               \
        .type = PARAM_COUNT,                                                                                           \
        .def = (def_),                                                                                                 \
        .text = (text_),                                                                                               \
        .min = 1,                                                                                                      \
        .max = WORKLOAD_COUNT_MAX,                                                                                     \
        .doc = (doc_),                                                                                                 \
        PARAM_OWN_IN(struct training_fields, id_),                                                                     \
    }
DEGREE(tensor, "tensor", 0, "none", "ranks that share each layer; none: those of the model, or 1");
DEGREE(pipeline, "pipeline", 1, NULL, "stages, which share the layers");
DEGREE(data, "data", 0, "none", "copies, which share the data; none: as many as `ranks` make");
DEGREE(expert, "expert", 0, "none",
       "ranks of a data group over which the experts of a layer are spread; none: those of the model, or 1");
DEGREE(layers, "layers", 0, "none", "layers of the model; none: those of the model");
DEGREE(micro_batches, "micro_batches", 1, NULL, "micro-batches of a step, which follow each other through the stages");
DEGREE(buckets, "buckets", 1, NULL,
       "parts of a stage's layers whose gradients are exchanged as soon as they are there, beside the computation");
DEGREE(iterations, "iterations", 1, NULL, "steps");

#define TIME_OF(id_, name_, doc_)                                                                                      \
    static const struct param training_##id_ = {                                                                       \
        .name = (name_),                                                                                               \
        .type = PARAM_TIME,                                                                                            \
        .max = WORKLOAD_TIME_MAX,                                                                                      \
        .doc = (doc_),                                                                                                 \
        PARAM_OWN_IN(struct training_fields, id_),                                                                     \
    }
TIME_OF(forward, "forward", "time that a rank computes for a layer and a micro-batch; 0s: that of the model");
TIME_OF(backward, "backward", "the same on the way back; 0s: twice `forward`");
TIME_OF(update, "update", "time that a rank computes at the end of a step");

#define SIZE_OF(id_, name_, doc_)                                                                                      \
    static const struct param training_##id_ = {                                                                       \
        .name = (name_),                                                                                               \
        .type = PARAM_BYTES,                                                                                           \
        .max = 1LL << 50,                                                                                              \
        .doc = (doc_),                                                                                                 \
        PARAM_OWN_IN(struct training_fields, id_),                                                                     \
    }
SIZE_OF(
    activation, "activation",
    "results of a layer for a micro-batch: twice a layer and direction all-reduced in tensor groups, and sent between "
    "stages; 0B: those of the model");
SIZE_OF(gradients, "gradients",
        "gradients of the whole model, less its experts, which all ranks of a data group have; 0B: those of the model");
SIZE_OF(weights, "weights",
        "weights of the same, which are gathered after the update, so that the gradients are reduced and scattered; "
        "0B: the "
        "model's, or none, so that the gradients are all-reduced");
SIZE_OF(expert_bytes, "expert_bytes", "bytes that a rank sends to the experts of a layer; 0B: those of the model");
SIZE_OF(expert_gradients, "expert_gradients", "gradients of all experts; 0B: those of the model");
SIZE_OF(expert_weights, "expert_weights", "weights of all experts, as `weights`");

static const struct param training_model = {
    .name = "model",
    .type = PARAM_CHOICE,
    .text = "none",
    .without = MODEL_COUNT,
    .choices = PARAM_CHOICES(TRAINING_MODELS),
    .doc = "sizes and times of a model, where the keys below do not give them",
    .paper = "AICB, SimAI",
    PARAM_OWN_IN(struct training_fields, model),
};
static const struct param training_algorithm = COLLECTIVE_ALGORITHM_KEY(
    struct training_fields, "how gradients, weights and activations are exchanged; none: ring; all-to-alls are direct");
static const struct param training_skew = COLLECTIVE_SKEW_KEY(struct training_fields);
static const struct param training_scale_up = COLLECTIVE_SCALE_UP_KEY(struct training_fields);
static const struct param training_channels = {
    .name = "channels",
    .type = PARAM_COUNT,
    .def = 1,
    .min = 1,
    .max = 1024,
    .doc = "parts of each exchange, carried side by side over connections of their own",
    PARAM_OWN_IN(struct training_fields, channels),
};
static const struct param training_rank_items[] = {{.type = PARAM_TEXT, .doc = "a host, by name or number"}};
static const struct param training_ranks = {
    .name = "ranks",
    .type = PARAM_LIST,
    .doc =
        "how many hosts take part (64), or which ones, in the order of their ranks: tensor groups side by side, data "
        "groups next; left out: as many as the degrees need if `data` is given, else all",
    .own = true,
    PARAM_LIST_IN(struct training_fields, rank, n_names, training_rank_items),
};

static const struct param *const training_keys[] = {
    &training_model,          &training_tensor,
    &training_pipeline,       &training_data,
    &training_expert,         &training_layers,
    &training_micro_batches,  &training_buckets,
    &training_forward,        &training_backward,
    &training_update,         &training_activation,
    &training_gradients,      &training_weights,
    &training_expert_bytes,   &training_expert_gradients,
    &training_expert_weights, &training_scale_up,
    &training_algorithm,      &training_ranks,
    &ranks_placement,         &training_channels,
    &training_iterations,     &training_skew,
    &workload_start,          NULL,
};

const struct workload_ops workload_training = {
    .name = "training",
    .paper = "Megatron-LM",
    .doc = "steps of a model on tensor x pipeline x data parallel ranks",
    .keys = training_keys,
    .fields_size = sizeof(struct training_fields),
    .generate = training_generate,
    .foresee = training_foresee,
    .makes_jobs = true,
};
