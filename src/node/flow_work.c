/* SPDX-License-Identifier: Apache-2.0 */
#include "node/flow_work.h"

#include "fabric/nics.h"

#define OTHER_BYTES 4380

uint64_t flow_work(const struct fabric *f, const struct flow *flow) {
    if (!flow_is_awaited(flow) || flow->stop != TIME_NONE || flow->bytes == UINT64_MAX) return 0;
    return 256 * (flow->bytes + OTHER_BYTES) * fabric_hosts_links(f, flow->src, flow->dst);
}
