/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/preflight.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void identities_hash(const struct experiment *e, char hex[SHA256_TEXT]) {
    char *all = memory_get(e->n_runs + 1, SHA256_TEXT);
    for (size_t i = 0; i < e->n_runs; i++) memcpy(all + i * SHA256_TEXT, e->run[i].identity, SHA256_TEXT);
    sha256_text(all, e->n_runs * SHA256_TEXT, hex);
    free(all);
}

void preflight_fill(struct preflight_card *card, const struct experiment *e, uint32_t cores, const char *error) {
    memset(card, 0, sizeof *card);
    if (gethostname(card->machine, sizeof card->machine - 1) != 0) snprintf(card->machine, sizeof card->machine, "?");
    const char *why;
    if (!sha256_file("/proc/self/exe", card->program, &why)) card->program[0] = '\0';
    if (e) identities_hash(e, card->experiment);
    if (error) snprintf(card->error, sizeof card->error, "%s", error);
    card->cores = cores;
}

bool preflight_compare(const struct preflight_card *card, uint32_t n, struct diag *d) {
    for (uint32_t i = 0; i < n; i++)
        if (card[i].error[0])
            return i == 0 ? diag_say(d, "%s", card[i].error)
                          : diag_say(d, "rank %u on %s: %s", i, card[i].machine, card[i].error);
    for (uint32_t i = 1; i < n; i++) {
        if (strcmp(card[i].program, card[0].program) != 0)
            return diag_say(d, "rank %u on %s runs another build of heddle than rank 0 on %s; install the same on both",
                            i, card[i].machine, card[0].machine);
        if (strcmp(card[i].experiment, card[0].experiment) != 0)
            return diag_say(d,
                            "rank %u on %s reads another experiment than rank 0 on %s: the file, or one that it names, "
                            "differs; give both the same files",
                            i, card[i].machine, card[0].machine);
    }
    return true;
}

bool preflight(const struct ranks *r, const struct experiment *e, uint32_t *cores, struct diag *d) {
    struct preflight_card mine, *all = memory_get(r->size, sizeof *all);
    struct {
        bool ok;
        uint32_t least_cores;
    } verdict = {true, UINT32_MAX};
    char line[sizeof mine.error];
    preflight_fill(&mine, e, *cores, e ? NULL : diag_line(d, line, sizeof line));
    ranks_gather(r, &mine, all, sizeof mine);
    if (ranks_leads(r)) {
        struct diag of_other;
        bool own = mine.error[0]; /* *d has it already, with its place */
        verdict.ok = !own && preflight_compare(all, r->size, &of_other);
        if (!own && !verdict.ok) *d = of_other;
        for (uint32_t i = 0; i < r->size; i++)
            if (all[i].cores < verdict.least_cores) verdict.least_cores = all[i].cores;
    }
    ranks_spread(r, &verdict, sizeof verdict);
    *cores = verdict.least_cores;
    free(all);
    return verdict.ok;
}
