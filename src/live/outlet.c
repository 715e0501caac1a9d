#include "live/outlet.h"

#include "base/memory.h"
#include "wire/pcapng_queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct outlet {
    FILE *file;
    struct pcapng_writer writer;
    char path[512];
    struct pcapng_queue queue;
};

const char *outlet_path(const struct fabric *f, uint32_t node, const char *dir, char *buf, size_t size) {
    char name[64];
    snprintf(buf, size, "%s/%s.pcapng", dir, fabric_node_name(f, node, name, sizeof name));
    return buf;
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

struct outlet *outlet_open(const struct fabric *f, uint32_t node, const char *dir, uint32_t snap, struct diag *d) {
    struct outlet *o = memory_get(1, sizeof *o);
    outlet_path(f, node, dir, o->path, sizeof o->path);
    if (mkdir(dir, 0777) == 0 || errno == EEXIST) o->file = fopen(o->path, "wb");
    if (!o->file)
        diag_fail(d, o->path, 0, 0, "cannot write the capture: %s", strerror(errno));
    else if (pcapng_begin(&o->writer, o->file, o->path, snap, d) && outlet_interfaces(o, f, node, d)) {
        pcapng_queue_init(&o->queue, &o->writer);
        return o;
    }
    if (o->file) fclose(o->file);
    free(o);
    return NULL;
}

void outlet_put(struct outlet *o, uint16_t port, time_ps now, time_ps depart, uint8_t *bytes, size_t captured,
                size_t original) {
    pcapng_queue_flush(&o->queue, now);
    pcapng_queue_put(&o->queue, port, depart, CAPTURE_OUTBOUND, bytes, captured, original);
}

bool outlet_close(struct outlet *o, struct diag *d) {
    bool good = pcapng_queue_finish(&o->queue, d);
    if (fclose(o->file) && good) good = diag_fail(d, o->path, 0, 0, "cannot write the capture: %s", strerror(errno));
    free(o);
    return good;
}
