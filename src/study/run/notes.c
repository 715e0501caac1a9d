/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/notes.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_paths(const struct experiment *e, const char *given, char **store_path, char **pcap_stem) {
    *store_path = given ? text_copy(given) : text_format("%s.db", e->stem);
    size_t length = strlen(*store_path);
    if (length > 3 && strcmp(*store_path + length - 3, ".db") == 0) length -= 3;
    *pcap_stem = text_format("%.*s.captures", (int)length, *store_path);
}

void others_note(struct store *s, int64_t experiment, const char *store_path) {
    char *others = NULL;
    struct diag d;
    if (store_others(s, experiment, &others, &d) && others[0])
        fprintf(stderr, "%s also holds other runs of this experiment: %s; `heddle report %s --variants` shows all\n",
                store_path, others, store_path);
    free(others);
}

bool threads_note(const char *file, uint32_t run, const struct engine_totals *e, uint32_t threads, bool on_ranks) {
    if (!e->threads || e->threads >= threads) return false;
    fprintf(stderr,
            "%s: note: run %u took %u of %u threads%s: what all hosts can send in a window is %llu frames, "
            "too few to share\n",
            file, run, e->threads, threads, on_ranks ? " on its ranks" : "", (unsigned long long)e->window_frames);
    return true;
}
