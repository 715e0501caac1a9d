/* SPDX-License-Identifier: Apache-2.0 */
/* Replays any bytes as a capture through a switch. The reader must refuse it with a message, or every frame is
 * accounted for and the output can be read again.
 * Input: 1 byte that chooses a switch below and how it is fed, then the capture. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fabric/kinds.h"
#include "live/replay.h"
#include "wire/capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { SWITCHES = 4, FEED_ALL = 4, FEED_TWICE = 8 };

/* The switches that are fed. Each fabric has a failure and a repair, and a capture can last through both. */
static struct scene {
    const char *balance, *node, *port;
    uint32_t classes;
    const struct fabric_ops *kind;
    struct link_failure failed;
    struct fabric *fabric;
    int64_t params[24];
} scene[SWITCHES] = {
    {.balance = "expeditus", .node = "tor0.0", .port = "agg0.0", .kind = &fabric_clos, .failed.link = "tor0.0-agg0.1"},
    {.balance = "expeditus",
     .node = "agg0.0",
     .port = "core0.1",
     .kind = &fabric_clos,
     .failed.link = "agg0.0-core0.0"},
    {.balance = "conga-flow",
     .node = "leaf0",
     .port = "spine1",
     .kind = &fabric_leaf_spine,
     .failed.link = "leaf1-spine0"},
    {.balance = "ecmp",
     .node = "leaf0",
     .port = "host0.0",
     .classes = 2,
     .kind = &fabric_leaf_spine,
     .failed.link = "leaf0-spine1"},
};

static char folder[] = P_tmpdir "/fuzz-replay-XXXXXX", written[64];

static void require(bool condition) {
    if (!condition) abort();
}

static void folder_remove(void) {
    unlink(written);
    rmdir(folder);
}

static void scene_make(struct scene *s) {
    struct diag d;
    struct fabric_spec spec = {.kind = s->kind,
                               .pods = 2,
                               .tors = 2,
                               .aggs = 2,
                               .cores = 2,
                               .hosts = 2,
                               .host_bps = 10000000000,
                               .uplink_bps = 10000000000,
                               .core_bps = 10000000000,
                               .host_delay = PS_PER_US,
                               .uplink_delay = PS_PER_US,
                               .core_delay = PS_PER_US,
                               .failed = &s->failed,
                               .n_failed = 1};
    s->failed.at = PS_PER_MS;
    s->failed.repair_at = 2 * PS_PER_MS;
    s->failed.detect = 100 * PS_PER_US;
    s->fabric = fabric_create(&spec, &d);
    require(s->fabric != NULL);
    const struct balancer_ops *ops = balancer_find(s->balance);
    require(ops && ops->n_params <= sizeof s->params / sizeof *s->params);
    for (size_t i = 0; i < ops->n_params; i++) s->params[i] = ops->params[i].def;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < SWITCHES; i++) scene_make(&scene[i]);
    require(mkdtemp(folder) != NULL);
    return atexit(folder_remove);
}

/* Aborts unless received = refused + into the switch, and into the switch + created = left + consumed + dropped. */
static void require_conserved(const struct replay_report *r) {
    uint64_t seen = 0, out = r->count.left + r->count.consumed;
    for (int i = 0; i < REFUSAL_COUNT; i++) seen += r->count.refused[i];
    for (int i = 0; i < DROP_COUNT; i++) out += r->count.dropped[i];
    require(seen == r->count.received && r->count.refused[FRAME_OK] + r->created == out);
    require(r->count.received == 0 || (0 <= r->first_at && r->first_at <= r->last_at));
}

static void require_written(const struct replay_report *r) {
    struct diag d = {0};
    struct capture_frame f;
    struct capture *c = capture_open(r->path, &d);
    enum capture_result got = CAPTURE_FAILED;
    uint64_t n = 0;
    while (c && (got = capture_next(c, &f, &d)) == CAPTURE_FRAME) n++;
    require(got == CAPTURE_END && n == r->count.left + r->count.dropped[DROP_LOSS]);
    capture_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const struct scene *s = &scene[data[0] % SWITCHES];
    char path[64];
    int file = memfd_create("capture", 0);
    require(file >= 0 && write(file, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const struct inlet_source in[2] = {{.port = data[0] & FEED_ALL ? "all" : s->port, .path = path},
                                       {.port = s->port, .path = path}};
    const struct replay_config c = {.fabric = s->fabric,
                                    .switches = {.balance = balancer_find(s->balance),
                                                 .balance_params = s->params,
                                                 .buffer_bytes = 30000,
                                                 .port.classes = s->classes ? s->classes : 1},
                                    .seed = 1,
                                    .node = fabric_node_find(s->fabric, s->node),
                                    .in = in,
                                    .n_in = data[0] & FEED_TWICE ? 2 : 1,
                                    .out_dir = folder};
    struct replay_report r;
    struct diag d = {0};
    enum replay_outcome outcome = replay_run(&c, &r, &d);
    require(outcome == REPLAY_DONE || (outcome == REPLAY_REFUSED && d.text[0] != '\0'));
    if (outcome == REPLAY_DONE) {
        snprintf(written, sizeof written, "%s", r.path);
        require_conserved(&r);
        require_written(&r);
    }
    close(file);
    return 0;
}
