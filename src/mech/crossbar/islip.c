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
static uint32_t highest(uint32_t set) { return 31 - (uint32_t)__builtin_clz(set); }

/* Returns the first member of a non-empty set, from `from` on and around. */
static uint32_t round_robin(uint64_t set, uint32_t from) {
    uint64_t onwards = set & ~0ull << from;
    return lowest(onwards ? onwards : set);
}

/* Step 1: returns the unmatched inputs that request this output. */
static uint64_t islip_requests(const struct islip *s, uint32_t class, uint32_t out, uint64_t inputs) {
    return islip_output(s, out, class)->partners & inputs;
}

/* Step 2: each unmatched output grants one input in the highest class requested of it. Classes are visited from the
 * highest down, so an input's first grant has its highest class. */
static void islip_grant(const struct islip *s, uint64_t inputs, uint64_t outputs, const uint64_t *open,
                        struct islip_grants *g) {
    g->inputs = 0;
    for (uint32_t classes = s->classes; classes && outputs;) {
        uint32_t class = highest(classes);
        classes &= ~(1u << class);
        for (uint64_t left = s->asked[class] & open[class] & outputs; left; left &= left - 1) {
            uint32_t out = lowest(left);
            uint64_t requests = islip_requests(s, class, out, inputs);
            if (!requests) continue;
            outputs &= ~(1ull << out);
            uint32_t in = round_robin(requests, islip_output(s, out, class)->from);
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
        uint32_t out = round_robin(g->outputs[in], islip_input(s, in, class)->from);
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

/* ---- after a maximal match ---- */

/* Possible partners of a port in one class; none: `set` is 0. */
struct islip_partners {
    uint64_t set;
    uint32_t class;
};

/* Finds, each in the highest class that has any: the inputs that ask for output `out`, and the other outputs that can grant
 * input `in`. */
static void islip_find_partners(const struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, uint64_t idle_out,
                                const uint64_t *open, struct islip_partners *asking, struct islip_partners *granting) {
    uint64_t others = idle_out & ~(1ull << out);
    *asking = *granting = (struct islip_partners){0, 0};
    for (uint32_t classes = s->classes; classes; classes &= classes - 1) {
        uint32_t class = lowest(classes);
        uint64_t ins = open[class] >> out & 1 ? islip_requests(s, class, out, idle_in) : 0;
        uint64_t outs = islip_input(s, in, class)->partners & others & open[class];
        if (ins) *asking = (struct islip_partners){ins, class};
        if (outs) *granting = (struct islip_partners){outs, class};
    }
}

/* Makes a pair of the first iteration. */
static struct crossbar_match islip_accepted(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    islip_pair(s, in, out, class);
    return (struct crossbar_match){.in = (uint8_t)in, .out = (uint8_t)out, .class = (uint8_t) class};
}

/* Adds the grant of `out` to those of the other outputs. */
static void islip_add_grant(struct islip_partners *granting, uint32_t out, uint32_t class) {
    if (!granting->set || class > granting->class)
        *granting = (struct islip_partners){1ull << out, class};
    else if (class == granting->class)
        granting->set |= 1ull << out;
}

static uint32_t islip_grantee(const struct islip *s, uint32_t out, const struct islip_partners *asking) {
    return round_robin(asking->set, islip_output(s, out, asking->class)->from);
}

/* `out` has granted `in` in vain: returns whether it grants another input in the second iteration, which moves no pointers. */
static bool islip_grant_again(const struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, const uint64_t *open,
                              struct crossbar_match *match) {
    for (uint32_t classes = s->classes; classes;) {
        uint32_t class = highest(classes);
        classes &= ~(1u << class);
        struct islip_partners asking = {islip_requests(s, class, out, idle_in & ~(1ull << in)), class};
        if (!asking.set || !(open[class] >> out & 1)) continue;
        *match = (struct crossbar_match){
            .in = (uint8_t)islip_grantee(s, out, &asking), .out = (uint8_t)out, .class = (uint8_t) class};
        return true;
    }
    return false;
}

/* The other outputs have requests of `in` alone and grant it. If `out` grants another input, that one has no other grant. The
 * third iteration grants nothing. */
uint32_t islip_match_found(struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, uint64_t idle_out,
                           const uint64_t open[CROSSBAR_CLASSES], struct crossbar_match *match) {
    if (!s->maximal || s->iterations < 3) return islip_match(s, idle_in, idle_out, open, match);
    struct islip_partners asking, granting;
    islip_find_partners(s, in, out, idle_in, idle_out, open, &asking, &granting);
    uint32_t n = 0, grantee = asking.set ? islip_grantee(s, out, &asking) : in;
    if (asking.set && grantee == in) islip_add_grant(&granting, out, asking.class);
    if (grantee < in) match[n++] = islip_accepted(s, grantee, out, asking.class);
    if (granting.set) {
        uint32_t choice = round_robin(granting.set, islip_input(s, in, granting.class)->from);
        match[n++] = islip_accepted(s, in, choice, granting.class);
    }
    if (grantee > in) match[n++] = islip_accepted(s, grantee, out, asking.class);
    bool in_vain = asking.set && grantee == in && match[0].out != out;
    return in_vain && islip_grant_again(s, in, out, idle_in, open, &match[n]) ? n + 1 : n;
}

bool islip_could_pair_output(const struct islip *s, uint32_t out, uint64_t idle_in,
                             const uint64_t open[CROSSBAR_CLASSES]) {
    for (uint32_t classes = s->classes; classes; classes &= classes - 1) {
        uint32_t class = lowest(classes);
        if (open[class] >> out & 1 && islip_requests(s, class, out, idle_in)) return true;
    }
    return false;
}

void islip_init(struct islip *s, uint32_t n_ports, uint32_t iterations) {
    assert(n_ports >= 1 && n_ports <= CROSSBAR_PORTS && iterations >= 1);
    size_t cells = (size_t)CROSSBAR_CLASSES * n_ports;
    *s = (struct islip){.n_ports = n_ports, .iterations = iterations, .maximal = true};
    s->input = memory_get(cells, sizeof *s->input);
    s->output = memory_get(cells, sizeof *s->output);
}

void islip_fini(struct islip *s) {
    free(s->input);
    free(s->output);
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
