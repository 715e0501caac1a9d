/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds live fabrics randomly changed frames. They must not crash, and must account for every frame
 * (tests/live/mutation_stand.h lists the invariants).
 *
 * usage: test_mutations FRAMES [ROUND]
 *
 * It sends FRAMES in rounds of 100 to 4,000. Each round has a fabric and random numbers of its own, so that
 * `test_mutations 1 ROUND` repeats a failure in the round that was printed last.
 */
#include "live/mutation_stand.h"

#include <inttypes.h>

#define RANDOM_MUTATIONS RANDOM_ARRIVALS /* no workload uses this stream here */

static void round_run(uint64_t number, struct stand_sum *sum) {
    struct random_stream random;
    struct choices c = {.random = &random};
    const struct stand_scene *scene = &stand_scenes[number % STAND_SCENES];
    random_init(&random, 1, RANDOM_MUTATIONS, number);
    uint32_t frames = 100 + choose(&c, 3901);
    printf("round %" PRIu64 ": %s, %" PRIu32 " frames\n", number, scene->name, frames);
    struct stand *s = stand_new(scene, &c, number, sum);
    for (uint32_t i = 0; i < frames; i++) stand_step(s);
    stand_end(s);
}

static bool is_seen(const char *what, uint64_t n) {
    printf("  %-32s %12" PRIu64 "\n", what, n);
    return n > 0;
}

/* Returns whether frames ended in every way in which they can; else the mutations miss something. Links of these
 * fabrics have no random loss, and a switch is no host's NIC. */
static bool sum_is_eventful(const struct stand_sum *x) {
    static const char *const drop[DROP_COUNT] = {[DROP_BUFFER] = "dropped: buffer",
                                                 [DROP_LINK_DOWN] = "dropped: link down",
                                                 [DROP_LOSS] = "dropped: loss",
                                                 [DROP_NO_ROUTE] = "dropped: no route",
                                                 [DROP_TTL] = "dropped: TTL",
                                                 [DROP_CREDIT] = "dropped: credit",
                                                 [DROP_UNSCHEDULED] = "dropped: unscheduled",
                                                 [DROP_NIC] = "dropped: NIC",
                                                 [DROP_STORM] = "dropped: storm"};
    bool all = true;
    for (int k = 0; k < REFUSAL_COUNT; k++) all &= is_seen(refusal_name(k), x->refused[k]);
    for (int k = DROP_NONE + 1; k < DROP_COUNT; k++)
        all &= is_seen(drop[k], x->dropped[k]) || k == DROP_LOSS || k == DROP_NIC;
    all &= is_seen("to hosts and beyond", x->to_outside);
    all &= is_seen("longer than a frame can be", x->unbuilt);
    all &= is_seen("consumed", x->consumed);
    all &= is_seen("answers", x->answers);
    all &= is_seen("pauses that left", x->pauses);
    all &= is_seen("changes of links", x->links);
    all &= is_seen("changes of impairments", x->impaired);
    return all;
}

int main(int argc, char **argv) {
    struct stand_sum sum = {0};
    uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t number = argc > 2 ? strtoull(argv[2], NULL, 10) : 0; sum.frames < frames; number++)
        round_run(number, &sum);
    printf("%" PRIu64 " frames\n", sum.frames);
    if (sum_is_eventful(&sum) || sum.frames < 100000) return 0;
    fprintf(stderr, "something above was never seen\n");
    return 1;
}
