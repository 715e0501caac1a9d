/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/lab_block.h"

#include "base/memory.h"
#include "study/config/yaml_doc.h"

#include <fnmatch.h>

/* Gives the image of an item to all hosts that it matches. Returns false after filling *d: there is none. */
static bool item_take(const struct tree_node *item, const struct fabric *f, struct lab_block *b, struct diag *d) {
    const struct tree_node *match = tree_get(item, "match"), *image = tree_get(item, "image");
    bool any = false;
    if (!match || !image) return tree_fail(d, item, "an item of lab.hosts needs both match and image");
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        char name[FABRIC_NODE_NAME_MAX];
        if (fnmatch(match->text, fabric_node_name(f, h, name, sizeof name), FNM_NOESCAPE) != 0) continue;
        b->image[h] = image->text;
        any = true;
    }
    char first[FABRIC_NODE_NAME_MAX];
    return any || tree_fail(d, match, "'%s' matches no host; the first is %s", match->text,
                            fabric_node_name(f, 0, first, sizeof first));
}

bool lab_block_read(const struct experiment *e, const struct fabric *f, struct lab_block *b, struct diag *d) {
    const struct tree_node *tool = tree_at(e->root, "lab.tool"), *hosts = tree_at(e->root, "lab.hosts");
    *b = (struct lab_block){.tool = tool ? tool->text : "auto", .image = memory_get(f->n_hosts, sizeof *b->image)};
    bool good = true;
    for (size_t i = 0; good && hosts && i < hosts->n; i++) good = item_take(hosts->item[i], f, b, d);
    return good;
}
