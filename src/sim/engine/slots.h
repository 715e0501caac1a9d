/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a partition, slot by slot.
 *
 * Inside a slot every node with work is processed once, alone, in the total order (time, kind: topology < timer <
 * arrival, keyed hash, port, sequence; base/tie.h has the hash). A frame that it sends arrives in a later slot, so the
 * order of nodes does not matter. Each node takes its frames its own way (sim/engine/way.h).
 *
 * While a node is processed, the frames of the next are already being fetched into the cache. Where the fabric is large
 * (sim/engine/scale.h) its other memory is prefetched while earlier nodes are processed, one step per node: the node when it is
 * found; then a switch's balancer and ports, or the places that name a host's flows and where its frames go; then the
 * connections; in huge fabrics, the scoreboards of these. Then it is processed. In huge fabrics, where lists carry the frames,
 * they are prefetched by their place in the slot (flights_fetch), and copied to descriptors when their node is found, unless
 * its way reads them where they lie.
 */
#ifndef HEDDLE_SIM_ENGINE_SLOTS_H
#define HEDDLE_SIM_ENGINE_SLOTS_H

#include "sim/engine/partition.h"

/* Processes all events before `limit`. */
void partition_run(struct partition *part, time_ps limit);

/* Processes all events before `limit` of border nodes alone. All events before limit minus the length of a slot have
 * been processed; partition_run with this limit follows. */
void partition_run_border(struct partition *part, time_ps limit);

#endif
