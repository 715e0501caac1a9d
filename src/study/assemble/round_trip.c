/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/round_trip.h"

#include "base/ethernet.h"

/* Returns a serialization delay: that of the host's own link, which fabric_bound leaves out. */
static span_ps serialization(uint32_t wire_bytes, int64_t rate_bps) {
    return (span_ps)((int64_t)wire_bytes * 8 * (PS_PER_S / 1000) / (rate_bps / 1000));
}

bool round_trip_of(const struct assembly *a, struct round_trip *r) {
    const struct fabric *f = a->fabric;
    *r = (struct round_trip){.from = 0, .to = f->n_hosts - 1};
    if (r->to == 0) return false;
    struct fabric_bound out, back;
    fabric_bound(f, r->from, r->to, FULL_WIRE_BYTES, &out);
    fabric_bound(f, r->to, r->from, WIRE_MIN_BYTES, &back);
    r->links = out.hops;
    r->bare = out.propagation + back.propagation + 4 * a->world.hosts.processing_delay;
    r->full_frame = r->bare + out.first_frame_ps + back.first_frame_ps +
                    serialization(FULL_WIRE_BYTES, f->population.host_bps[r->from]) +
                    serialization(WIRE_MIN_BYTES, f->population.host_bps[r->to]);
    return true;
}
