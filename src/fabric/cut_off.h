/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts that failures cut off: when they lose their last path to other hosts, and when they get one back.
 *
 * At each failure and repair the up-down paths that are left are looked at: which racks a switch reaches by descending,
 * and then by going up or to a peer first (fabric/routes.c). Links count as they are, whether switches know of it yet or not.
 * A host whose own link has failed reaches nobody. A rack is cut off if it reaches fewer racks than another; if all reach
 * equally few, racks without an uplink are; if there are none, all.
 *
 * Cost: for each failure and repair, all links a few times, with a bit for each rack.
 */
#ifndef HEDDLE_FABRIC_CUT_OFF_H
#define HEDDLE_FABRIC_CUT_OFF_H

#include "fabric/fabric.h"

enum cut_off_from {
    CUT_OFF_FROM_NONE,
    CUT_OFF_FROM_SOME_RACKS,
    CUT_OFF_FROM_OTHER_RACKS, /* from all racks but its own */
    CUT_OFF_FROM_ALL          /* the host's own link has failed */
};

/* Hosts `first` to `last` are cut off from `from` until `to`. */
struct cut_off {
    uint32_t first, last;
    enum cut_off_from kind;
    time_ps from, to; /* to: TIME_NONE: for good */
};

struct cut_offs {
    struct cut_off *of; /* by the time of their begin, then by host */
    size_t n;
};

/* Finds them all. cut_offs_free frees *c. */
void cut_offs_find(const struct fabric *f, struct cut_offs *c);
void cut_offs_free(struct cut_offs *c);

#define CUT_OFF_TEXT 320
/* Writes "host0.0 to host0.3 have no path to other racks from 1 ms on"; or "... from 1 ms to 5 ms". Returns buf. */
const char *cut_off_text(const struct fabric *f, const struct cut_off *c, char buf[CUT_OFF_TEXT]);

#endif
