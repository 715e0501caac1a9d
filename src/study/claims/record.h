/* SPDX-License-Identifier: Apache-2.0 */
/* The record of an experiment file: what came out, beside the file that says what is asked.
 *
 * The record of DIR/NAME.yaml is DIR/NAME.record.json. `heddle run --record` and `heddle lab run --record` write it, and
 * nobody else does. It is JSON, since --json prints the same objects, and so that no search for experiments finds it. It has a
 * section for each way in which the file was run: "full", a profile ("small"), and these on real frames ("full live"):
 *
 *     {"full": {
 *     "result_version": 4, "identity": "ab12...", "runs": 18, "packet_hops": 783809948,
 *     "claims": [
 *     {"claim": "EXP-F14.1", "metric": "slowdown.mice.p95", ..., "outcomes": [
 *       {"where": {"workload.0.load": 0.2}, "verdict": "does not hold", "measured": -0.126698, ...},
 *       {"where": {"workload.0.load": 0.4}, "verdict": "holds", "measured": -0.312459, ...}]}],
 *     "digests": [
 *     {"settings": {"switch.balance": "ecmp"}, "digests": {"1": "0c5b2e6a3f1d4978", "2": "..."}}]},
 *     "small": {
 *     "result_version": 4, "identity": "cd34...", "runs": 2, "packet_hops": 9912345,
 *     "digests": [...]}}
 *
 * `claims` has every outcome of full and live runs, under the claim as it was judged. `digests` has the digest of every
 * simulated run, by its swept values and its seed. A profile has digests alone: it asks the claims of the file at other sizes,
 * and equal digests mean equal results. Real frames have claims alone: their runs never repeat. Sections stand in the order of
 * their names, claims and runs in the order of the file, an outcome or a combination of swept values a line.
 *
 * The state of the record decides what record_compare compares:
 *    whole        Nothing has changed what is asked. The digest of each run is compared. Of each outcome the verdict is
 *                 compared ("holds" is as good as "roughly"), and the figure: simulated ones to five digits; a live one
 *                 must lie in the recorded 95 % interval, if there is one. In a profile whose digests are all equal, each
 *                 outcome is as recorded.
 *    other seeds  --set has changed seeds alone: verdicts are compared, and the digests of the seeds that the record has.
 *    asked anew   --set has changed what is asked: nothing is compared.
 *    stale        The record is of another result version, of another version of the file, or of other runs: nothing is
 *                 compared, and what came out is not as recorded.
 *    none         There is no record, or no section. Then `known` items of the file say what was recorded.
 *
 * `identity` tells what was asked: the SHA-256 of the settings that act in the runs (experiment.h), without the seed. A
 * --set that leaves it as it is changes nothing that was asked, so runs are still compared; no list of such keys exists.
 *
 * The file is written beside its place and renamed when it is complete (base/output_file.h). So a program that dies while it
 * writes leaves the old record. Two programs that record one file at the same time may lose one of the two sections.
 */
#ifndef HEDDLE_STUDY_CLAIMS_RECORD_H
#define HEDDLE_STUDY_CLAIMS_RECORD_H

#include "study/claims/expect.h"

enum record_state { RECORD_NONE, RECORD_WHOLE, RECORD_OTHER_SEEDS, RECORD_ASKED_ANEW, RECORD_STALE };

#define RECORD_WHY_MAX 384

struct record {
    char *path;
    json_t *all;           /* the file; NULL: there is none */
    const json_t *section; /* of these runs; NULL: none */
    enum record_state state;
    char why[RECORD_WHY_MAX]; /* asked anew: the --set; stale: what differs, and the remedy; else "" */
};

/* What record_compare found. */
struct record_comparison {
    size_t n_digests, n_equal; /* runs whose digest the record has; those of them with that digest */
    size_t n_news;             /* outcomes that are not as recorded; without a record, not as claimed */
    size_t n_gone;             /* recorded outcomes that this file no longer asks for */
    size_t first;              /* index of the first run with another digest; SIZE_MAX: none */
};

/* Finds and reads the record of an experiment. False after filling *d: the record cannot be read or is none, or the file has
 * a `known` too. record_free frees what *r holds, also after a failure. */
bool record_read(struct record *r, const struct experiment *e, const struct expectations *x, struct diag *d);
void record_free(struct record *r);

/* Compares: sets is_recorded, recorded, as_recorded and is_news of each outcome. result[i] is the --json object of run i. */
struct record_comparison record_compare(const struct record *r, const struct experiment *e, json_t *const *result,
                                        struct claim_outcome *o, size_t n);
/* Returns whether everything came out as recorded, or as claimed without a record. True if nothing is compared because --set
 * asks anew. */
bool record_is_met(const struct record *r, const struct record_comparison *c);
/* Returns "none", "whole", "other seeds", "asked anew" or "stale". */
const char *record_state_word(enum record_state state);
/* Prints to `out` why nothing was compared, the first run with another digest, and how many recorded outcomes are gone. */
void record_tell(const struct record *r, const struct record_comparison *c, const struct experiment *e, FILE *out);

/* Returns whether the runs may be recorded; false after filling *d: --set is given, or the file has a `known`. */
bool record_may_be_written(const struct record *r, const struct experiment *e, const struct expectations *x,
                           struct diag *d);
/* Writes the section of these runs anew and keeps the others. Changes nothing if nothing changed. False after filling *d. */
bool record_write(const struct record *r, const struct experiment *e, json_t *const *result,
                  const struct claim_outcome *o, size_t n, struct diag *d);

#endif
