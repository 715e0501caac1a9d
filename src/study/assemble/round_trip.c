/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/round_trip.h"

#include "base/ethernet.h"

bool round_trip_of(const struct assembly *a, struct round_trip *r) {
    const struct fabric *f = a->fabric;
    *r = (struct round_trip){.from = 0, .to = f->n_hosts - 1};
    if (r->to == 0) return false;
    struct fabric_bound out, back;
    fabric_bound(f, r->from, r->to, FULL_WIRE_BYTES, &out);
    fabric_bound(f, r->to, r->from, WIRE_MIN_BYTES, &back);
    r->links = out.hops;
    r->bare = out.propagation + back.propagation + 4 * a->world.hosts.processing_delay;
    r->full_frame =
        fabric_round_trip(f, r->from, r->to, FULL_WIRE_BYTES, WIRE_MIN_BYTES) + 4 * a->world.hosts.processing_delay;
    return true;
}
