/* SPDX-License-Identifier: Apache-2.0 */
/* A lab and the status of its switches as one JSON: the fabric, and the traffic of each link.
 *
 *  {"name": "lab", "answers": true, "fabric": "leaf-spine", "balancer": "ecmp", "uptime_s": 12.5,
 *   "hosts": [{"name": "host0.1", "address": "10.0.0.2"}],     and "image" of a container
 *   "nodes": [{"name": "leaf0", "address": "10.255.0.1", "tier": 1, "pod": 0, "index": 0}],   hosts first
 *   "links": [{"name": "leaf0-spine1", "ends": ["leaf0", "spine1"], "up", "rate_bps", "load", "queue_bytes", "drops",
 *              "pauses", "ways": [{"from": "leaf0", "load", "queue_bytes", "drops", "pauses"}, {"from": "spine1",
 *              ...}]}],
 *   "switches": [as in live/status.h]}
 *
 * A link's load is that of its busier direction; queue, drops and pauses are sums over its ends that are switches. For
 * the direction from a host only the load is known. If the switches do not answer, `answers` is false, `error` has the
 * reason, and links have only names and ends.
 */
#ifndef HEDDLE_LIVE_LAB_LAB_STATUS_H
#define HEDDLE_LIVE_LAB_LAB_STATUS_H

#include "live/lab/lab.h"

#include <jansson.h>

/* Joins the lab with the status of its switches (live/status.h). */
json_t *lab_status_join(const struct lab *lab, const json_t *said);
/* Returns the lab alone, for switches that do not answer; `why` is the reason. */
json_t *lab_status_silent(const struct lab *lab, const char *why);
/* Asks the switches. Returns NULL after filling *d: they do not answer. */
json_t *lab_status_ask(const struct lab *lab, struct diag *d);

#endif
