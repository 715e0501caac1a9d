/* SPDX-License-Identifier: Apache-2.0 */
/* Where `heddle run` writes, and what it notes on standard error. */
#ifndef HEDDLE_STUDY_RUN_NOTES_H
#define HEDDLE_STUDY_RUN_NOTES_H

#include "measure/result.h"
#include "study/experiment/experiment.h"
#include "study/store/store.h"

/* Fills the path of the store, `given` or FILE STEM.db if it is NULL, and the stem of the folders of captures. The
 * caller frees both. */
void run_paths(const struct experiment *e, const char *given, char **store_path, char **pcap_stem);
/* Says that the store holds other runs of the experiment, which those of this command hide. */
void others_note(struct store *s, int64_t experiment, const char *store_path);
/* Says that a run took fewer threads than it might have. Returns whether it did; a run that failed before it began has no
 * threads. */
bool threads_note(const char *file, uint32_t run, const struct engine_totals *e, uint32_t threads, bool on_ranks);

#endif
