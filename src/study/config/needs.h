/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults that rows bring along: a transport needs a marking threshold of ports, flow control needs queues that hold.
 *
 * Where the experiment file and its scheme say nothing of a key, the rows in use decide (`needed` of their tables), and
 * the key's own default only where none of them needs it. Of quantities that several need the lowest holds, so that all
 * get their signal; of choices the last in the list (assemble_nodes.c refuses two transports that need different ones).
 * Where a transport needs symmetric paths, a balancer that can be symmetric is, unless paths are recorded.
 */
#ifndef HEDDLE_STUDY_CONFIG_NEEDS_H
#define HEDDLE_STUDY_CONFIG_NEEDS_H

#include "study/config/catalogue.h"
#include "study/config/config.h"

/* What the rows in use need `path` to be; NULL: none needs it. */
const char *needed_text(const struct config_input *in, const struct key *k, const char *path);
/* Is this transport that of the hosts, or of an entry of the workload? */
bool transport_in_use(const struct config_input *in, const char *name);
/* May some row need it? */
bool is_needed(const char *path);
/* What this row needs `path` to be; NULL: nothing. */
const char *need_of(const struct need *needed, const char *path);
/* "99970B; 5KB with NAME|NAME": the default of a key and what rows make of it, into buf. */
const char *needs_text(const struct key *k, char *buf, size_t size);

#endif
