/* SPDX-License-Identifier: Apache-2.0 */
#include "live/outlet.h"

#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "wire/pcapng_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outlet {
    struct output_file file;
    struct pcapng_writer writer;
    struct pcapng_queue queue;
    uint16_t only; /* after outlet_open_port: number of its port, which is interface 0 */
};

char *outlet_path(const struct fabric *f, uint32_t node, const char *dir) {
    char name[FABRIC_NODE_NAME_MAX];
    return text_format("%s/%s.pcapng", dir, fabric_node_name(f, node, name, sizeof name));
}

static bool outlet_interface(struct outlet *o, const struct fabric *f, uint32_t global, struct diag *d) {
    const struct place_port *p = &f->paths.port[global];
    char name[FABRIC_PORT_NAME_MAX];
    fabric_port_name(f, p->node, p->port, name, sizeof name);
    return pcapng_add_interface(&o->writer, name, p->rate_bps, d);
}

/* Opens `path` for the ports [begin, end) by their global numbers. */
static struct outlet *outlet_begin(const struct fabric *f, uint32_t begin, uint32_t end, const char *path,
                                   const struct outlet_place *place, struct diag *d) {
    char kind[80];
    snprintf(kind, sizeof kind, "a capture of %s", place->command);
    const struct output_rules rules = {.kind = kind,
                                       .is_ours = pcapng_is_by,
                                       .context = place->command,
                                       .input = place->input,
                                       .n_input = place->n_input,
                                       .force = place->force,
                                       .remedy = place->remedy};
    const struct pcapng_origin origin = {place->command, place->unit};
    struct outlet *o = memory_one(sizeof *o);
    bool ok = output_begin(&o->file, path, &rules, d) &&
              pcapng_begin_as(&o->writer, o->file.out, o->file.path, &origin, place->snap_bytes, d);
    for (uint32_t g = begin; ok && g < end; g++) ok = outlet_interface(o, f, g, d);
    if (ok) {
        pcapng_queue_init(&o->queue, &o->writer);
        return o;
    }
    output_abandon(&o->file);
    free(o);
    return NULL;
}

struct outlet *outlet_open(const struct fabric *f, uint32_t node, const struct outlet_place *place, struct diag *d) {
    const uint32_t *first = f->paths.first_port;
    if (!output_folder(place->dir, d)) return NULL;
    char *path = outlet_path(f, node, place->dir);
    struct outlet *o = outlet_begin(f, first[node], first[node + 1], path, place, d);
    free(path);
    return o;
}

struct outlet *outlet_open_port(const struct fabric *f, uint32_t node, uint16_t port, const char *path,
                                const struct outlet_place *place, struct diag *d) {
    uint32_t global = f->paths.first_port[node] + port;
    struct outlet *o = outlet_begin(f, global, global + 1, path, place, d);
    if (o) o->only = port;
    return o;
}

void outlet_put(struct outlet *o, const struct outlet_frame *f) {
    uint8_t *copy = memory_get(f->captured, 1);
    memcpy(copy, f->bytes, f->captured);
    pcapng_queue_flush(&o->queue, f->now);
    pcapng_queue_put(&o->queue, (uint32_t)f->port - o->only, f->at, f->direction, copy, f->captured, f->original);
}

bool outlet_close(struct outlet *o, bool keep, struct diag *d) {
    bool good = pcapng_queue_finish(&o->queue, d);
    if (good && keep)
        good = output_end(&o->file, d);
    else
        output_abandon(&o->file);
    free(o);
    return good;
}
