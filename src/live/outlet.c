/* SPDX-License-Identifier: Apache-2.0 */
#include "live/outlet.h"

#include "base/memory.h"
#include "base/output_file.h"
#include "wire/pcapng_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outlet {
    struct output_file file;
    struct pcapng_writer writer;
    struct pcapng_queue queue;
};

char *outlet_path(const struct fabric *f, uint32_t node, const char *dir) {
    char name[64], *path;
    if (asprintf(&path, "%s/%s.pcapng", dir, fabric_node_name(f, node, name, sizeof name)) < 0) abort();
    return path;
}

static bool outlet_interfaces(struct outlet *o, const struct fabric *f, uint32_t node, struct diag *d) {
    const uint32_t *first = f->paths.first_port;
    for (uint32_t g = first[node]; g < first[node + 1]; g++) {
        char name[64];
        fabric_port_name(f, node, (uint16_t)(g - first[node]), name, sizeof name);
        if (!pcapng_add_interface(&o->writer, name, f->paths.port[g].rate_bps, d)) return false;
    }
    return true;
}

struct outlet *outlet_open(const struct fabric *f, uint32_t node, const struct outlet_place *place, struct diag *d) {
    char kind[80];
    snprintf(kind, sizeof kind, "a capture of %s", place->command);
    const struct output_rules rules = {.kind = kind,
                                       .is_ours = pcapng_is_by,
                                       .context = place->command,
                                       .input = place->input,
                                       .n_input = place->n_input,
                                       .force = place->force,
                                       .remedy = "name another folder, or replace it with --force"};
    struct outlet *o = memory_get(1, sizeof *o);
    char *path = outlet_path(f, node, place->dir);
    bool ok = output_folder(place->dir, d) && output_begin(&o->file, path, &rules, d) &&
              pcapng_begin_as(&o->writer, o->file.out, o->file.path, place->command, place->snap_bytes, d) &&
              outlet_interfaces(o, f, node, d);
    free(path);
    if (ok) {
        pcapng_queue_init(&o->queue, &o->writer);
        return o;
    }
    output_abandon(&o->file);
    free(o);
    return NULL;
}

void outlet_put(struct outlet *o, const struct outlet_frame *f) {
    uint8_t *copy = memory_get(f->captured, 1);
    memcpy(copy, f->bytes, f->captured);
    pcapng_queue_flush(&o->queue, f->now);
    pcapng_queue_put(&o->queue, f->port, f->at, f->direction, copy, f->captured, f->original);
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
