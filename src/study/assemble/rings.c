/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of links that pauses may stop for ever (fabric/rings.h). */
#include "fabric/rings.h"

#include "base/text.h"
#include "study/assemble/warner.h"

#include <stdio.h>

void warn_of_rings(struct warner *v) {
    const struct fabric *f = v->a->fabric;
    struct fabric_ring ring;
    char way[RING_SHOWN_MAX * FABRIC_NODE_NAME_MAX], name[FABRIC_NODE_NAME_MAX];
    if (!fabric_has_ring(f, &ring)) return;
    FILE *out = text_stream_into(way, sizeof way);
    for (uint32_t i = 0; i < ring.n && i < RING_SHOWN_MAX; i++)
        fprintf(out, "%s, ", fabric_node_name(f, ring.node[i], name, sizeof name));
    fprintf(out, "%s", ring.n > RING_SHOWN_MAX ? ".." : fabric_node_name(f, ring.node[0], name, sizeof name));
    fclose(out);
    config_fail(v->c, next_warning(v), "switch.flowctl",
                "switch.flowctl: pauses may go round and stop these links for ever: frames go from %s, and each queue "
                "may wait for the next; give the switches tiers and links that make up-down paths, or let them drop",
                way);
}
