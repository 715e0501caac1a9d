/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a replay: a switch of a small fabric, one capture as input, and the frames that left. */
#ifndef HEDDLE_TESTS_LIVE_REPLAYING_H
#define HEDDLE_TESTS_LIVE_REPLAYING_H

#include "live/captures.h"
#include "live/replay.h"
#include "parity/records.h"

#define BENCH_SECOND 1700000000u /* first second of the captures of other stacks */

struct bench {
    struct folder folder;
    struct fabric *fabric;
    int64_t params[24];
    struct inlet_source in[4];
    struct replay_config config;
    struct replay_report r;
    struct diag d;
    FILE *pcap; /* in.pcap, being written */
    char in_path[64], out_path[64];
};

static inline void bench_balance(struct bench *b, const char *balance) {
    const struct balancer_ops *ops = balancer_find(balance);
    assert_non_null(ops);
    for (size_t i = 0; i < ops->n_params; i++) b->params[i] = ops->params[i].def;
    b->config.switches.balance = ops;
    b->config.switches.balance_params = b->params;
}

/* Returns a replay in which frames come in by `port` of the switch `name`. */
static inline struct bench *bench_new(struct fabric_spec spec, const char *balance, const char *name,
                                      const char *port) {
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->folder = folder_new();
    b->fabric = made(spec);
    snprintf(b->in_path, sizeof b->in_path, "%s", folder_file(&b->folder, "in.pcap"));
    snprintf(b->out_path, sizeof b->out_path, "%s", folder_file(&b->folder, "out"));
    b->in[0] = (struct inlet_source){.port = port, .path = b->in_path};
    b->config = (struct replay_config){.fabric = b->fabric,
                                       .switches = {.buffer_bytes = 225000, .port.classes = 1},
                                       .seed = 1,
                                       .node = node(b->fabric, name),
                                       .in = b->in,
                                       .n_in = 1,
                                       .out_dir = b->out_path};
    bench_balance(b, balance);
    b->pcap = pcap_begin(b->in_path);
    return b;
}

static inline void bench_frame(struct bench *b, uint32_t us, const uint8_t *bytes, size_t n) {
    pcap_put(b->pcap, BENCH_SECOND, us, bytes, n, n);
}

static inline enum replay_outcome bench_run(struct bench *b) {
    if (b->pcap) fclose(b->pcap);
    b->pcap = NULL;
    return replay_run(&b->config, &b->r, &b->d);
}

static inline struct records bench_run_done(struct bench *b) {
    if (bench_run(b) != REPLAY_DONE) fail_msg("%s", b->d.text);
    return records_read(b->r.path, CAPTURE_OUTBOUND);
}

static inline void bench_end(struct bench *b) {
    if (b->pcap) fclose(b->pcap);
    unlink(b->r.path);
    rmdir(b->out_path);
    unlink(b->in_path);
    folder_end(&b->folder);
    fabric_destroy(b->fabric);
    free(b);
}

#endif
