/* SPDX-License-Identifier: Apache-2.0 */
/* What a lab is and what its switches do, as one JSON: its fabric, and what passes each link.
 *
 *   {"name": "lab", "answers": true, "fabric": "leaf-spine", "balancer": "ecmp", "uptime_s": 12.5,
 *    "hosts": [{"name": "host0.1", "address": "10.0.0.2"}],
 *    "nodes": [{"name": "leaf0", "address": "10.255.0.1", "tier": 1, "pod": 0, "index": 0}],   hosts first
 *    "links": [{"name": "leaf0-spine1", "ends": ["leaf0", "spine1"], "up", "rate_bps", "load", "queue_bytes", "drops",
 *               "pauses", "ways": [{"from": "leaf0", "load", "queue_bytes", "drops", "pauses"}, {"from": "spine1", ...}]}],
 *    "switches": [as live/status.h has them]}
 *
 * A link's load is that of its busier direction; queue, drops and pauses are the sums over its ends that are switches.
 * Of what a host sends only the load is known. Where the switches do not answer, `answers` is false, `error` says why,
 * and links have their names and ends alone.
 */
#ifndef HEDDLE_LIVE_LAB_LAB_STATUS_H
#define HEDDLE_LIVE_LAB_LAB_STATUS_H

#include "live/lab/lab.h"

#include <jansson.h>

/* Joins the lab with what its switches said (live/status.h). */
json_t *lab_status_join(const struct lab *lab, const json_t *said);
/* The lab alone: its switches do not answer, `why`. */
json_t *lab_status_silent(const struct lab *lab, const char *why);
/* Asks the switches. NULL after filling *d: they do not answer. */
json_t *lab_status_ask(const struct lab *lab, struct diag *d);

#endif
