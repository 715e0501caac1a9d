/* SPDX-License-Identifier: Apache-2.0 */
#include "live/replay.h"

#include "base/memory.h"
#include "live/forwarder.h"
#include "live/outlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct replay_config *config;
    struct frames frames;
    struct forwarder forwarder;
    struct outlet *out;
};

/* Writes the frame as it leaves. */
static void replay_leave(void *to, const struct departure *x) {
    struct replay *r = to;
    struct frame_bytes b = forwarder_emit(&r->forwarder, x);
    if (b.length > 0) {
        outlet_put(r->out, &(struct outlet_frame){.now = x->now,
                                                  .at = x->depart,
                                                  .port = x->port,
                                                  .direction = CAPTURE_OUTBOUND,
                                                  .bytes = b.at,
                                                  .captured = b.captured,
                                                  .original = b.length});
    }
    frames_release(&r->frames, x->index);
}

/* ---- the loop ---- */

static void replay_arrival(struct replay *r, struct replay_report *report, const struct inlet_frame *in) {
    if (report->first_at == TIME_NONE) report->first_at = in->at;
    report->last_at = in->at;
    uint8_t *at;
    uint32_t index = frames_take(&r->frames, in->captured, &at);
    memcpy(at, in->bytes, in->captured);
    forwarder_until(&r->forwarder, in->at);
    forwarder_receive(&r->forwarder, in->at, in->port, index, in->captured, in->original);
}

static enum inlet_result replay_all(struct replay *r, struct inlet *in, struct replay_report *report, struct diag *d) {
    struct inlet_frame f;
    enum inlet_result got;
    forwarder_ask_hosts(&r->forwarder, 0);
    while ((got = inlet_next(in, &f, d)) == INLET_FRAME) replay_arrival(r, report, &f);
    forwarder_until(&r->forwarder, TIME_NONE);
    report->late = inlet_late(in);
    report->created = forwarder_created(&r->forwarder);
    report->count = r->forwarder.count;
    return got;
}

/* ---- setup ---- */

static struct forwarder_setup setup_of(struct replay *r) {
    const struct replay_config *c = r->config;
    return (struct forwarder_setup){.fabric = c->fabric,
                                    .config = &c->switches,
                                    .seed = c->seed,
                                    .node = c->node,
                                    .frames = &r->frames,
                                    .sink = {r, replay_leave},
                                    .answers = c->answers};
}

/* Opens the output, which must be none of the inputs. */
static struct outlet *replay_outlet(const struct replay_config *c, struct replay_report *report, struct diag *d) {
    const char **input = memory_get(c->n_in + 1, sizeof *input);
    const struct outlet_place place = {.dir = c->out_dir,
                                       .command = "heddle replay",
                                       .unit = PCAPNG_100_PS,
                                       .remedy = "name another --out, or replace it with --force",
                                       .snap_bytes = c->snap_bytes,
                                       .input = input,
                                       .n_input = c->n_in,
                                       .force = c->force};
    char *path = outlet_path(c->fabric, c->node, c->out_dir);
    snprintf(report->path, sizeof report->path, "%s", path);
    for (size_t i = 0; i < c->n_in; i++) input[i] = c->in[i].path;
    struct outlet *out = outlet_open(c->fabric, c->node, &place, d);
    free(path);
    free(input);
    return out;
}

enum replay_outcome replay_run(const struct replay_config *c, struct replay_report *report, struct diag *d) {
    struct replay r = {.config = c};
    const struct forwarder_setup setup = setup_of(&r);
    *report = (struct replay_report){.first_at = TIME_NONE, .last_at = TIME_NONE};
    if (!forwarder_possible(&setup, d)) return REPLAY_REFUSED;
    struct inlet *in = inlet_open(c->fabric, c->node, c->seed, c->in, c->n_in, d);
    if (!in) return REPLAY_REFUSED;
    r.out = replay_outlet(c, report, d);
    if (!r.out) {
        inlet_close(in);
        return REPLAY_REFUSED;
    }
    frames_init(&r.frames);
    forwarder_init(&r.forwarder, &setup);
    bool read = replay_all(&r, in, report, d) == INLET_END;
    bool written = outlet_close(r.out, read, read ? d : &(struct diag){0});
    forwarder_fini(&r.forwarder);
    frames_fini(&r.frames);
    inlet_close(in);
    return read && written ? REPLAY_DONE : REPLAY_FAILED;
}
