/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of links that differ from the rest of a fabric, from the start (`links`) or from a time on (`failed`,
 * `fail_random`). */
#include "fabric/fabric.h"

#define RATE_MIN 1000
#define RATE_MAX 100000000000000LL
#define TIME_MAX (1000 * PS_PER_S)

static const struct param link_items[] = {
    {.name = "match",
     .type = PARAM_TEXT,
     .text = PARAM_REQUIRED,
     .doc = "names of both ends, with * and ?: agg0.1-*",
     PARAM_IN(struct link_override, match)},
    {.name = "rate",
     .type = PARAM_RATE,
     .text = "none",
     .min = RATE_MIN,
     .max = RATE_MAX,
     .doc = "their rate",
     PARAM_IN(struct link_override, rate_bps)},
    {.name = "delay",
     .type = PARAM_TIME,
     .text = "none",
     .without = -1,
     .max = TIME_MAX,
     .doc = "their propagation delay",
     PARAM_IN(struct link_override, delay)},
    {.name = "loss",
     .type = PARAM_FRACTION,
     .text = "none",
     .without = -1,
     .max = PPB,
     .doc = "share of frames lost on the wire",
     PARAM_IN(struct link_override, loss_ppb)},
};

/* The times of struct link_failure and of struct random_failures. */
#define CHANGE_TIMES(type_)                                                                                            \
    {.name = "at",                                                                                                     \
     .type = PARAM_MOMENT,                                                                                             \
     .text = "0us",                                                                                                    \
     .max = TIME_MAX,                                                                                                  \
     .doc = "when: a time, or a share of the open-loop arrivals (50%)",                                                \
     PARAM_IN(type_, at)},                                                                                             \
        {.name = "repair_at",                                                                                          \
         .type = PARAM_MOMENT,                                                                                         \
         .text = "none",                                                                                               \
         .without = TIME_NONE,                                                                                         \
         .max = TIME_MAX,                                                                                              \
         .doc = "time of the repair, or a share of the arrivals",                                                      \
         .order = ">at",                                                                                               \
         PARAM_IN(type_, repair_at)},                                                                                  \
    {                                                                                                                  \
        .name = "detect", .type = PARAM_TIME, .text = "0us", .max = TIME_MAX,                                          \
        .doc = "delay until ports show the failure or repair, and routing reacts", PARAM_IN(type_, detect)             \
    }

static const struct param failed_items[] = {
    {.name = "link",
     .type = PARAM_TEXT,
     .text = PARAM_REQUIRED,
     .doc = "the link: agg0.1-core1.0, parallel ones leaf0-spine1#1",
     PARAM_IN(struct link_failure, link)},
    CHANGE_TIMES(struct link_failure),
    {.name = "rate",
     .type = PARAM_RATE,
     .text = "none",
     .min = RATE_MIN,
     .max = RATE_MAX,
     .doc = "no failure but this rate",
     PARAM_IN(struct link_failure, rate_bps)},
    {.name = "loss",
     .type = PARAM_FRACTION,
     .text = "none",
     .min = 1,
     .max = PPB,
     .doc = "no failure but this share of frames lost",
     PARAM_IN(struct link_failure, loss_ppb)},
};

static const struct param random_items[] = {
    {.name = "tier",
     .type = PARAM_CHOICE,
     .text = PARAM_REQUIRED,
     .choices = PARAM_CHOICES(FABRIC_LINK_TIERS),
     .doc = "among which links",
     PARAM_IN(struct random_failures, named)},
    {.name = "pod",
     .type = PARAM_COUNT,
     .text = "none",
     .without = -1,
     .max = FABRIC_COUNT_MAX,
     .doc = "only in this pod",
     PARAM_IN(struct random_failures, pod)},
    {.name = "links",
     .type = PARAM_COUNT,
     .text = PARAM_REQUIRED,
     .max = FABRIC_COUNT_MAX,
     .doc = "how many",
     PARAM_IN(struct random_failures, links)},
    {.name = "max_per_switch",
     .type = PARAM_COUNT,
     .text = "0",
     .max = FABRIC_COUNT_MAX,
     .doc = "at most so many per switch; 0 = no limit",
     PARAM_IN(struct random_failures, max_per_switch)},
    CHANGE_TIMES(struct random_failures),
};

const struct param fabric_change_keys[] = {
    {.name = "links",
     .type = PARAM_LIST,
     .doc = "links that differ from the rest",
     PARAM_LIST_IN(struct fabric_spec, links, n_links, link_items)},
    {.name = "failed",
     .type = PARAM_LIST,
     .doc = "links that fail, or get slower or lossy, at a time",
     PARAM_LIST_IN(struct fabric_spec, failed, n_failed, failed_items)},
    {.name = "fail_random",
     .type = PARAM_LIST,
     .doc = "links drawn at random (by run.seed) that fail",
     PARAM_LIST_IN(struct fabric_spec, fail_random, n_fail_random, random_items)},
    {0},
};
