/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of study/claims/record that reading and writing share. */
#ifndef HEDDLE_STUDY_CLAIMS_RECORD_PARTS_H
#define HEDDLE_STUDY_CLAIMS_RECORD_PARTS_H

#include "study/claims/record.h"

#define RECORD_NAME_MAX 128

/* Writes the name of the section of these runs: "full", "small", "full live". Returns name. */
const char *record_section_name(const struct experiment *e, char name[RECORD_NAME_MAX]);
/* Returns whether the section of these runs has outcomes of claims; has digests. */
bool record_has_claims(const struct experiment *e);
bool record_has_digests(const struct experiment *e);

/* Reads and checks the file at `path`; *all is NULL if there is none. False after filling *d; the caller frees *all. */
bool record_load(const char *path, json_t **all, struct diag *d);

/* Returns whether no claim has a `known` beside the record; false after filling *d. */
bool record_is_alone(const struct record *r, const struct expectations *x, struct diag *d);

/* Returns the recorded digest of the run with these settings; NULL if there is none. */
const char *record_digest(const json_t *section, const json_t *settings);
/* Returns the digest of a run's result; NULL if there is none. */
const char *result_digest(const json_t *result);

#endif
