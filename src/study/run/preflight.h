/* SPDX-License-Identifier: Apache-2.0 */
/* Before several ranks share the runs of an experiment: has each the same program, and read the same files?
 *
 * Each rank fills a card; the leader compares all cards with its own and decides for all.
 */
#ifndef HEDDLE_STUDY_RUN_PREFLIGHT_H
#define HEDDLE_STUDY_RUN_PREFLIGHT_H

#include "study/run/run.h"

struct preflight_card {
    char machine[64];
    char program[SHA256_TEXT];    /* of the executable; outcomes pass as its plain structs */
    char experiment[SHA256_TEXT]; /* of the identities of all runs, in their order */
    char error[512];              /* why this rank cannot read or check the experiment; "": it can */
    uint32_t cores;               /* cores that it counts on */
};

/* Fills the card of this rank. `error` NULL: it has read the experiment and can put every run together. */
void preflight_fill(struct preflight_card *card, const struct experiment *e, uint32_t cores, const char *error);

/* Returns whether n cards allow a common run; *d says which rank differs, and in what. */
bool preflight_compare(const struct preflight_card *card, uint32_t n, struct diag *d);

/* Fills and compares the cards of all ranks. Every rank must call it, with e NULL and *d filled if it could not read
 * the experiment. Returns the same on all ranks; on the leader *d then says why. *cores: the number of cores that this rank counts
 * on; afterwards the least number of any rank. */
bool preflight(const struct ranks *r, const struct experiment *e, uint32_t *cores, struct diag *d);

#endif
