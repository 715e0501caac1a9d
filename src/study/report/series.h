/* SPDX-License-Identifier: Apache-2.0 */
/* One run over time, from its samples and its flows.
 *
 *  {"open": {"at_us": [...], "v": flows open at that time},
 *   "queue" | "link" | "pause": {"at_us": [...],
 *                               "groups": [{"name": "uplink, up", "mean": [...], "max": [...]}, ...]},
 *   "goodput": {"at_us": [...], "groups": [{"name": "tor0.0 to tor0.5", "n": hosts, "racks": racks, "mean": [...]}, ...],
 *               "jain": [...], "receivers": hosts that received data},
 *   "frames": {"link": {"at_us": [...], "values": packed, port by port within a time}, ...}}
 *
 * Kinds without samples are left out. A series has at most SERIES_MAX times. Longer ones are binned: mean of means,
 * maximum of maxima; at_us is the last time of a bin. Goodput is in Gbit/s, its means are over the hosts of a group: whole
 * racks, of hosts that hang on one node and give the group its name, or (racks 0) hosts alone or parts of a single rack.
 * The slider of the fabric's drawing steps through the frames: fewer times, every port.
 */
#ifndef HEDDLE_STUDY_REPORT_SERIES_H
#define HEDDLE_STUDY_REPORT_SERIES_H

#include "study/report/topology.h"

#define SERIES_MAX 200
#define HOST_GROUPS_MAX 12

/* Computes the series, with at most `frame_values` numbers in all frames of a kind. Returns NULL after filling *d. */
json_t *run_series(const struct store_reader *r, const struct run_row *run, const struct topology *t,
                   size_t frame_values, struct diag *d);

#endif
