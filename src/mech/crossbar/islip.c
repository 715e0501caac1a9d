/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/crossbar/islip.h"

#include <assert.h>
#include <stdlib.h>

#include "base/ethernet.h"
#include "base/memory.h"

/* The grants of one iteration. An input accepts only in the highest class it was granted, so only that class is
 * kept. */
struct islip_grants {
    uint64_t inputs;                  /* inputs that got a grant */
    uint64_t outputs[CROSSBAR_PORTS]; /* by input: outputs that granted it */
    uint8_t class[CROSSBAR_PORTS];    /* by input: class of those grants */
};

static uint32_t lowest(uint64_t set) { return (uint32_t)__builtin_ctzll(set); }

/* Returns the first member of a non-empty set, from `from` on and around. */
static uint32_t round_robin(uint64_t set, uint32_t from) {
    uint64_t onwards = set & ~0ull << from;
    return lowest(onwards ? onwards : set);
}

/* Step 1: returns the unmatched inputs that request this output. */
static uint64_t islip_requests(const struct islip *s, uint32_t class, uint32_t out, uint64_t inputs) {
    return s->request[class * s->n_ports + out] & inputs;
}

/* Step 2: each unmatched output grants one input in the highest class requested of it. Classes are visited from the
 * highest down, so an input's first grant has its highest class. */
static void islip_grant(const struct islip *s, uint64_t inputs, uint64_t outputs, const uint64_t *open,
                        struct islip_grants *g) {
    g->inputs = 0;
    for (uint32_t classes = s->classes; classes && outputs;) {
        uint32_t class = 31 - (uint32_t)__builtin_clz(classes);
        classes &= ~(1u << class);
        for (uint64_t left = s->asked[class] & open[class] & outputs; left; left &= left - 1) {
            uint32_t out = lowest(left);
            uint64_t requests = islip_requests(s, class, out, inputs);
            if (!requests) continue;
            outputs &= ~(1ull << out);
            uint32_t in = round_robin(requests, s->grant_from[class * s->n_ports + out]);
            if (!(g->inputs >> in & 1)) g->outputs[in] = 0, g->class[in] = (uint8_t) class;
            if (g->class[in] == class) g->outputs[in] |= 1ull << out;
            g->inputs |= 1ull << in;
        }
    }
}

/* Step 3: each input with a grant accepts one output. */
static uint32_t islip_accept(struct islip *s, const struct islip_grants *g, bool first, struct crossbar_match *match) {
    uint32_t n = 0;
    for (uint64_t left = g->inputs; left; left &= left - 1) {
        uint32_t in = lowest(left), class = g->class[in];
        uint32_t out = round_robin(g->outputs[in], s->accept_from[class * s->n_ports + in]);
        if (first) islip_pair(s, in, out, class);
        match[n++] = (struct crossbar_match){.in = (uint8_t)in, .out = (uint8_t)out, .class = (uint8_t) class};
    }
    return n;
}

uint32_t islip_match(struct islip *s, uint64_t idle_in, uint64_t idle_out, const uint64_t open[CROSSBAR_CLASSES],
                     struct crossbar_match *match) {
    struct islip_grants g;
    uint32_t n = 0;
    s->maximal = false;
    for (uint32_t i = 0; i < s->iterations && idle_in && idle_out; i++) {
        islip_grant(s, idle_in, idle_out, open, &g);
        s->maximal = !g.inputs;
        if (s->maximal) break;
        uint32_t more = islip_accept(s, &g, i == 0, match + n);
        for (; more; more--, n++) {
            idle_in &= ~(1ull << match[n].in);
            idle_out &= ~(1ull << match[n].out);
        }
    }
    s->maximal |= !idle_in || !idle_out;
    return n;
}

enum islip_chance islip_match_freed(struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, uint64_t idle_out,
                                    const uint64_t open[CROSSBAR_CLASSES], struct crossbar_match *pair) {
    uint64_t outs = 0, ins = 0; /* possible partners of `in`, and of `out` */
    uint32_t best = 0;
    for (uint32_t classes = s->classes; classes; classes &= classes - 1) {
        uint32_t class = lowest(classes);
        uint64_t more_outs = s->wanted[class * s->n_ports + in] & idle_out & open[class];
        uint64_t more_ins = open[class] >> out & 1 ? islip_requests(s, class, out, idle_in) : 0;
        if (more_outs | more_ins) best = class;
        outs |= more_outs;
        ins |= more_ins;
    }
    if (!(outs | ins)) return ISLIP_NO_PAIR;
    bool one = !(outs & (outs - 1)) && !(ins & (ins - 1)) && (!outs || !ins || outs == 1ull << out);
    if (!one || s->iterations == 1) return ISLIP_MORE;
    *pair = (struct crossbar_match){
        .in = (uint8_t)(ins ? lowest(ins) : in), .out = (uint8_t)(outs ? lowest(outs) : out), .class = (uint8_t)best};
    islip_pair(s, pair->in, pair->out, best);
    return ISLIP_ONE_PAIR;
}

bool islip_could_pair_output(const struct islip *s, uint32_t out, uint64_t idle_in,
                             const uint64_t open[CROSSBAR_CLASSES]) {
    for (uint32_t classes = s->classes; classes; classes &= classes - 1) {
        uint32_t class = lowest(classes);
        if (open[class] >> out & 1 && s->request[class * s->n_ports + out] & idle_in) return true;
    }
    return false;
}

void islip_init(struct islip *s, uint32_t n_ports, uint32_t iterations) {
    assert(n_ports >= 1 && n_ports <= CROSSBAR_PORTS && iterations >= 1);
    size_t cells = (size_t)CROSSBAR_CLASSES * n_ports;
    *s = (struct islip){.n_ports = n_ports, .iterations = iterations, .maximal = true};
    s->request = memory_get(cells, sizeof *s->request);
    s->wanted = memory_get(cells, sizeof *s->wanted);
    s->grant_from = memory_get(cells, sizeof *s->grant_from);
    s->accept_from = memory_get(cells, sizeof *s->accept_from);
}

void islip_fini(struct islip *s) {
    free(s->request);
    free(s->wanted);
    free(s->grant_from);
    free(s->accept_from);
    *s = (struct islip){0};
}

/* A full egress queue; the value is crossbar_config.drops. */
#define ISLIP_FULL(X) X(ISLIP_HOLD, "hold") X(ISLIP_DROP, "drop")
enum { ISLIP_FULL(PARAM_ENUM) };

static const struct param islip_params[] = {
    {.name = "iterations",
     .type = PARAM_COUNT,
     .def = 4,
     .min = 1,
     .max = 64,
     .doc = "iterations of the matching",
     PARAM_IN(struct crossbar_config, iterations)},
    {.name = "speedup",
     .type = PARAM_COUNT,
     .def = 4,
     .min = 1,
     .max = 64,
     .doc = "rate of the crossbar relative to the links",
     PARAM_IN(struct crossbar_config, speedup)},
    {.name = "ingress",
     .type = PARAM_BYTES,
     .def = 131072,
     .min = FULL_WIRE_BYTES,
     .max = 1LL << 40,
     .doc = "frame bytes an ingress port holds",
     .needs_too = "!switch.pause_preset=by-rate",
     .lacks_too = "switch.pause_preset: by-rate computes it",
     .refuse = true,
     PARAM_IN(struct crossbar_config, ingress_bytes)},
    {.name = "reserve",
     .type = PARAM_BYTES,
     .def = 6120,
     .min = 0,
     .max = 1LL << 40,
     .doc = "bytes of the egress queue reserved for each class against lower classes; if full: hold",
     .needs = "switch.classes>1",
     .lacks = "ports have one class (switch.classes)",
     .needs_too = "full=hold",
     .lacks_too = "a full egress queue drops (full)",
     PARAM_IN(struct crossbar_config, reserve_bytes)},
    {.name = "forward_delay",
     .type = PARAM_TIME,
     .def = 0,
     .min = 0,
     .max = 1000 * PS_PER_S,
     .doc = "delay of the forwarding engine",
     PARAM_IN(struct crossbar_config, forward_delay)},
    {.name = "full",
     .type = PARAM_CHOICE,
     .def = ISLIP_DROP,
     .choices = PARAM_CHOICES(ISLIP_FULL),
     .doc = "hold: frames for a full egress queue wait in the ingress queue; drop: they cross and are dropped",
     PARAM_IN(struct crossbar_config, drops)},
};

const struct crossbar_ops crossbar_islip = {
    .name = "islip",
    .paper = "DeTail 5.1; McKeown 1999",
    .doc = "queues at both ends of a crossbar, matched by iSlip in packet mode, the highest class first",
    .params = islip_params,
    .n_params = sizeof islip_params / sizeof *islip_params,
    .queues = true,
};
