/* SPDX-License-Identifier: Apache-2.0 */
/* The least loaded of several candidates, at random among equals (EXP-25: if ties went to the lowest index, flows would
 * herd onto it). */
#ifndef HEDDLE_MECH_BALANCE_LEAST_H
#define HEDDLE_MECH_BALANCE_LEAST_H

#include "base/random.h"

struct least {
    int64_t load;
    uint32_t ties; /* 0: no candidate so far */
    uint32_t choice;
};

static inline void least_offer(struct least *l, int64_t load, uint32_t choice, struct random_stream *ties) {
    if (l->ties && load > l->load) return;
    if (!l->ties || load < l->load) {
        *l = (struct least){.load = load, .ties = 1, .choice = choice};
        return;
    }
    if (random_below(ties, ++l->ties) == 0) l->choice = choice;
}

#endif
