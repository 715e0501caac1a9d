/* SPDX-License-Identifier: Apache-2.0 */
/* The status of the switches of a process, as JSON and as Prometheus text.
 *
 *  {"fabric": "clos", "balancer": "expeditus", "uptime_s": 12.5,
 *   "switches": [{"name": "tor0.1", "address": "10.255.0.2",
 *     "frames": {"received", "left", "consumed", "made", "answers", "not_taken", "not_arrived", "unbuilt",
 *                "dropped": {"buffer": N, ...}, "refused": {"ip_length": N, ...},
 *                "stripped": {"exp_request": N, ...}},
 *     "counters": {the balancer's},
 *     "ports": [{"name": "agg0.1", "link": "tor0.1-agg0.1", "live": "eth1" or null, "up", "known_up", "rate_bps",
 *                "load", "sent_bytes", "queue_bytes", "max_queue_bytes", "mean_queue_bytes", "ingress_bytes", "drops", "marks",
 *                "pauses_sent", "paused", "stormed", "storms_found", "storms_ended", "storm_drops",
 *                "rx_load", "rx_bytes", "rx_frames", "rx_lost", "tx_frames", "tx_lost",
 *                "impaired_out", "impaired_in": {"lost", "corrupted", "duplicated", "reordered"}}],
 *     "tables": {"paths": [{...}]}}],
 *   "frames_held", "frames_peak", "late_max_us"}
 *
 * `drops` of a port leaves out frames with an expired TTL and frames without a route: `dropped` has these.
 * `stripped` counts tags of switches taken off frames of hosts (live/trust.h).
 * `not_arrived` counts frames from outside that a cut link lost; `received` and `dropped` leave them out, `drops` does not.
 * `mean_queue_bytes` is the time-weighted mean since the start. `rx_bytes` are wire bytes, as `sent_bytes` are.
 * `load` is the share of the link's rate that was sent over the last second (live/load_window.h); `rx_load` is the share that
 * was received. `paused` is the set of classes that the neighbour has paused, as bits, `stormed` the set of those whose pauses
 * the watchdog ignores (mech/flowctl/pause_watchdog.h); ports without one have none of its counts.
 * `frames_peak` is the most frames that were held at once (their memory is kept), added up over threads.
 * Only ports to the outside have what begins with rx_ and tx_. Tables are included on request.
 */
#ifndef HEDDLE_LIVE_STATUS_H
#define HEDDLE_LIVE_STATUS_H

#include "live/switchd.h"

#include <jansson.h>

/* What ports had sent over the last second, for their loads. One thread owns it. */
struct status;

struct status *status_create(struct switchd *s, const struct switch_config *config);
void status_destroy(struct status *st);
/* Takes a sample of all ports if it is time for one. Call it several times in each quarter of a second. */
void status_tick(struct status *st);
/* Returns the status as a new reference. */
json_t *status_json(struct status *st, bool tables);
/* Returns a name as the value of a Prometheus label, without the quotes around it; the caller frees it. */
char *status_label(const char *name);
/* Returns Prometheus text (exposition format 0.0.4) of a status. The caller frees it. */
char *status_metrics(const json_t *status);

#endif
