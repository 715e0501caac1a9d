/* SPDX-License-Identifier: Apache-2.0 */
/* iSlip: which inputs of a crossbar send to which outputs.
 *
 * McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM Transactions on Networking 7(2), 1999;
 * DeTail (5.1) schedules its crossbar by it. An iteration among the inputs and outputs that are still unmatched:
 *   request  every input requests every output for which it has a frame
 *   grant    every output with requests grants one input, round robin from its grant pointer
 *   accept   every input with grants accepts one output, round robin from its accept pointer
 *
 * Both pointers of an accepted pair move one beyond the partner, but only in the first iteration. So the pair served
 * last comes last in the next round, and no queue starves. The pointers of busy outputs drift apart until all outputs
 * are served at once.
 *
 * Classes (the paper's prioritized iSlip; DT-19): an output grants in the highest class requested of it, an input
 * accepts in the highest class granted to it. Each class has pointers of its own.
 *
 * Packet mode (AM-5): frames are not cut into cells. A matched pair is busy until its frame has crossed. The caller
 * calls islip_match again when a port becomes idle, a queue stops being empty, or an output opens. An output may then
 * pass over a busy input, so the bound of n^2 turns holds only for frames of one size that start together.
 *
 * Use: the caller keeps the virtual output queues and reports when one becomes non-empty (islip_request) or empty
 * (islip_withdraw). It passes to each call of islip_match
 *   idle_in, idle_out  ports that could start a frame now, bit k for port k
 *   open[class]        outputs whose egress queue accepts a frame of the class
 *
 * The call writes at most n matches. It changes the pointers and `maximal` alone; the caller updates
 * requests and idle sets.
 *
 * Two shortcuts while `maximal` says that the last call left no possible pair:
 *   a new request        if input and output are idle and the output is open, islip_pair does what islip_match would do
 *   a pair becomes idle  every possible pair includes one of the two ports; islip_match_freed looks at these alone
 *
 * Limits: 1 to CROSSBAR_PORTS ports, at least one iteration. An iteration that grants anything adds a match, so n of
 * them make the matching maximal: no idle input is left with a request that an idle, open output could serve. Cost per
 * iteration: the outputs that have requests in a class, and one step for each match; no allocation.
 */
#ifndef HEDDLE_MECH_ISLIP_H
#define HEDDLE_MECH_ISLIP_H

#include "mech/crossbar/crossbar.h"

/* An input or an output in one class; its partners are outputs or inputs. */
struct islip_end {
    uint64_t partners; /* of an input: the outputs that it requests; of an output: the inputs that request it */
    uint8_t from;      /* its pointer: the partner that is checked first */
};

struct islip {
    uint32_t n_ports, iterations;
    uint64_t asked[CROSSBAR_CLASSES]; /* outputs with a request of the class */
    uint32_t classes;                 /* classes with any request, bit k for class k */
    bool maximal;                     /* the last match left no possible pair */
    struct islip_end *input, *output; /* [class * n_ports + port] */
};

void islip_init(struct islip *s, uint32_t n_ports, uint32_t iterations);
void islip_fini(struct islip *s);

static inline struct islip_end *islip_input(const struct islip *s, uint32_t in, uint32_t class) {
    return &s->input[class * s->n_ports + in];
}
static inline struct islip_end *islip_output(const struct islip *s, uint32_t out, uint32_t class) {
    return &s->output[class * s->n_ports + out];
}

/* Report that the virtual output queue (in, out, class) has become non-empty, or empty. Repeated calls are harmless. */
static inline void islip_request(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    islip_output(s, out, class)->partners |= 1ull << in;
    islip_input(s, in, class)->partners |= 1ull << out;
    s->asked[class] |= 1ull << out;
    s->classes |= 1u << class;
}

static inline void islip_withdraw(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    struct islip_end *output = islip_output(s, out, class);
    output->partners &= ~(1ull << in);
    islip_input(s, in, class)->partners &= ~(1ull << out);
    if (output->partners) return;
    s->asked[class] &= ~(1ull << out);
    if (!s->asked[class]) s->classes &= ~(1u << class);
}

/* Moves the pointers after a pair of the first iteration: each partner is now the last choice of the other. */
static inline void islip_pair(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    islip_output(s, out, class)->from = (uint8_t)(in + 1 < s->n_ports ? in + 1 : 0);
    islip_input(s, in, class)->from = (uint8_t)(out + 1 < s->n_ports ? out + 1 : 0);
}

/* Returns whether a match could pair this output with any input. */
bool islip_could_pair_output(const struct islip *s, uint32_t out, uint64_t idle_in,
                             const uint64_t open[CROSSBAR_CLASSES]);

/* Writes the matches and returns their number. */
uint32_t islip_match(struct islip *s, uint64_t idle_in, uint64_t idle_out, const uint64_t open[CROSSBAR_CLASSES],
                     struct crossbar_match *match);

/* The rest of islip_match_freed, if there is a possible pair or the last match was not maximal. */
uint32_t islip_match_found(struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, uint64_t idle_out,
                           const uint64_t open[CROSSBAR_CLASSES], struct crossbar_match *match);

/* Does what islip_match does after input `in` and output `out` have become idle; they are in the idle sets. After a maximal
 * match there are two pairs at most, and mostly none, which is found inline. */
static inline uint32_t islip_match_freed(struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in,
                                         uint64_t idle_out, const uint64_t open[CROSSBAR_CLASSES],
                                         struct crossbar_match *match) {
    uint64_t found = !s->maximal;
    for (uint32_t classes = s->classes; classes; classes &= classes - 1) {
        uint32_t class = (uint32_t)__builtin_ctz(classes);
        found |= islip_input(s, in, class)->partners & idle_out & open[class];
        found |= open[class] >> out & 1 ? islip_output(s, out, class)->partners & idle_in : 0;
    }
    return found ? islip_match_found(s, in, out, idle_in, idle_out, open, match) : 0;
}

#endif
