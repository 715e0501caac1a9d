/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults that rows bring along for other keys. A transport needs a marking threshold of ports; flow control needs
 * full egress queues to hold frames back (switch.islip.full).
 *
 * A key that neither the experiment file nor its scheme sets takes the value that a row in use needs (`needed` of its
 * table), and its own default if no row needs one. If several rows need a quantity, the lowest value holds, so that all
 * get their signal. If several need a choice, the last in the list of choices holds (study/assemble/nodes.c refuses two
 * transports that need different ones). If a transport needs symmetric paths, a balancer that can be symmetric becomes
 * so, unless paths are recorded.
 */
#ifndef HEDDLE_STUDY_CONFIG_NEEDS_H
#define HEDDLE_STUDY_CONFIG_NEEDS_H

#include "study/config/catalogue.h"
#include "study/config/config.h"

/* Returns the value that the rows in use need for `path`; NULL if none needs one. */
const char *needed_text(const struct config_input *in, const struct key *k, const char *path);
/* True if the hosts or an entry of the workload use this transport. */
bool transport_in_use(const struct config_input *in, const char *name);
/* True if some row of the catalogue needs a value for `path`, in use or not. */
bool is_needed(const char *path);
/* Returns the value for `path` in a row's list of needs; NULL if it has none. */
const char *need_of(const struct need *needed, const char *path);
/* Writes the default of a key and what rows need instead: "99970B; 5KB with NAME, NAME". Returns buf. */
const char *needs_text(const struct key *k, char *buf, size_t size);

#endif
