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
 * Shortcut for a single new request: while `maximal` says that the last call left no possible pair, a search is not
 * needed. If input and output are idle and the output is open, islip_pair does what islip_match would do.
 *
 * Limits: 1 to CROSSBAR_PORTS ports, at least one iteration. An iteration that grants anything adds a match, so n of
 * them make the matching maximal: no idle input is left with a request that an idle, open output could serve. Cost per
 * iteration: the outputs that have requests in a class, and one step for each match; no allocation.
 */
#ifndef HEDDLE_MECH_ISLIP_H
#define HEDDLE_MECH_ISLIP_H

#include "mech/crossbar/crossbar.h"

struct islip {
    uint32_t n_ports, iterations;
    uint64_t asked[CROSSBAR_CLASSES]; /* outputs with a request of the class */
    uint32_t classes;                 /* classes with any request, bit k for class k */
    bool maximal;                     /* the last match left no possible pair */
    uint64_t *request;                /* [class * n_ports + output]: inputs that request it */
    uint64_t *wanted;                 /* [class * n_ports + input]: outputs that it requests */
    uint8_t *grant_from;              /* [class * n_ports + output]: the input checked first */
    uint8_t *accept_from;             /* [class * n_ports + input]: the output checked first */
};

void islip_init(struct islip *s, uint32_t n_ports, uint32_t iterations);
void islip_fini(struct islip *s);

/* Report that the virtual output queue (in, out, class) has become non-empty, or empty. Repeated calls are harmless. */
static inline void islip_request(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    s->request[class * s->n_ports + out] |= 1ull << in;
    s->wanted[class * s->n_ports + in] |= 1ull << out;
    s->asked[class] |= 1ull << out;
    s->classes |= 1u << class;
}

static inline void islip_withdraw(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    uint64_t *request = &s->request[class * s->n_ports + out];
    *request &= ~(1ull << in);
    s->wanted[class * s->n_ports + in] &= ~(1ull << out);
    if (*request) return;
    s->asked[class] &= ~(1ull << out);
    if (!s->asked[class]) s->classes &= ~(1u << class);
}

/* Moves the pointers after a pair of the first iteration: each partner is now the last choice of the other. */
static inline void islip_pair(struct islip *s, uint32_t in, uint32_t out, uint32_t class) {
    s->grant_from[class * s->n_ports + out] = (uint8_t)(in + 1 < s->n_ports ? in + 1 : 0);
    s->accept_from[class * s->n_ports + in] = (uint8_t)(out + 1 < s->n_ports ? out + 1 : 0);
}

/* Returns whether a match could pair this output with any input. */
bool islip_could_pair_output(const struct islip *s, uint32_t out, uint64_t idle_in,
                             const uint64_t open[CROSSBAR_CLASSES]);

/* Number of pairs that are possible with ports that have become idle. */
enum islip_chance { ISLIP_NO_PAIR, ISLIP_ONE_PAIR, ISLIP_MORE };

/* Handles input `in` and output `out` that have become idle, while `maximal` holds: every possible pair includes one of
 * them. If there is only one possible pair, makes it in *pair as islip_match would. */
enum islip_chance islip_match_freed(struct islip *s, uint32_t in, uint32_t out, uint64_t idle_in, uint64_t idle_out,
                                    const uint64_t open[CROSSBAR_CLASSES], struct crossbar_match *pair);

/* Writes the matches and returns their number. */
uint32_t islip_match(struct islip *s, uint64_t idle_in, uint64_t idle_out, const uint64_t open[CROSSBAR_CLASSES],
                     struct crossbar_match *match);

#endif
