/* SPDX-License-Identifier: Apache-2.0 */
#include "live/inlet.h"

#include "base/heap.h"
#include "base/tie.h"
#include "wire/capture.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES FABRIC_PORT_NAME_MAX
#define LONGEST_SECONDS (100 * 86400)

/* The frames of one file for one port. */
struct stream {
    struct capture *capture;
    const char *path;
    char if_name[NAME_BYTES];
    uint16_t port;
    time_ps at; /* time of the waiting frame */
    struct capture_frame frame;
};

struct inlet {
    const struct fabric *fabric;
    uint32_t node;
    struct stream *stream; /* by port */
    size_t n;
    struct heap next; /* streams with a waiting frame, by its time */
    uint32_t *tied;   /* [n] streams of one instant */
    uint64_t tie_key;
    uint32_t handed;                   /* stream whose frame the caller has; UINT32_MAX: none */
    int64_t first_second, last_second; /* seconds of the first and last frame that counts */
    int64_t base_second;
    uint64_t late;
    bool any;
};

/* ---- survey of a file ---- */

struct seen_interface {
    uint32_t number;
    char name[NAME_BYTES];
    uint16_t port; /* port of that name; PORT_NONE: none */
};

struct survey {
    struct seen_interface *seen;
    size_t n;
};

static bool frame_counts(const struct capture_frame *f) { return f->direction != CAPTURE_OUTBOUND; }

static void inlet_see_second(struct inlet *in, int64_t second) {
    if (!in->any || second < in->first_second) in->first_second = second;
    if (!in->any || second > in->last_second) in->last_second = second;
    in->any = true;
}

static void survey_see(struct survey *s, const struct inlet *in, const struct capture_frame *f) {
    for (size_t i = s->n; i-- > 0;)
        if (s->seen[i].number == f->interface) return;
    s->seen = memory_grow(s->seen, s->n + 1, sizeof *s->seen);
    struct seen_interface *x = &s->seen[s->n++];
    x->number = f->interface;
    snprintf(x->name, sizeof x->name, "%s", f->if_name);
    x->port = *x->name ? fabric_port_find(in->fabric, in->node, x->name) : PORT_NONE;
}

static bool survey_file(struct survey *s, struct inlet *in, const char *path, struct diag *d) {
    struct capture *c = capture_open(path, d);
    struct capture_frame f;
    enum capture_result got = CAPTURE_FAILED;
    while (c && (got = capture_next(c, &f, d)) == CAPTURE_FRAME) {
        if (!frame_counts(&f)) continue;
        survey_see(s, in, &f);
        inlet_see_second(in, f.second);
    }
    capture_close(c);
    return got == CAPTURE_END;
}

static bool survey_has(const struct survey *s, uint16_t port) {
    for (size_t i = 0; i < s->n; i++)
        if (s->seen[i].port == port) return true;
    return false;
}

/* Returns the only interface that is not named like a port, or NULL. Counts such interfaces in *n. */
static const struct seen_interface *survey_stranger(const struct survey *s, size_t *n) {
    const struct seen_interface *only = NULL;
    *n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->seen[i].port == PORT_NONE) {
            ++*n;
            only = &s->seen[i];
        }
    return *n == 1 ? only : NULL;
}

/* ---- assignment of files to ports ---- */

static void inlet_add(struct inlet *in, uint16_t port, const char *path, const char *if_name) {
    in->stream = memory_grow(in->stream, in->n + 1, sizeof *in->stream);
    struct stream *s = &in->stream[in->n++];
    *s = (struct stream){.path = path, .port = port, .at = INT64_MIN};
    snprintf(s->if_name, sizeof s->if_name, "%s", if_name);
}

static void inlet_add_named(struct inlet *in, uint16_t port, const char *path) {
    char name[NAME_BYTES];
    inlet_add(in, port, path, fabric_port_name(in->fabric, in->node, port, name, sizeof name));
}

/* Lists the names of the switch's ports: "agg0.0, agg0.1, ...". */
static const char *port_names(const struct inlet *in, char *buf, size_t size) {
    uint32_t n = in->fabric->paths.first_port[in->node + 1] - in->fabric->paths.first_port[in->node];
    size_t used = 0;
    buf[0] = '\0';
    for (uint32_t p = 0; p < n; p++) {
        char name[NAME_BYTES];
        fabric_port_name(in->fabric, in->node, (uint16_t)p, name, sizeof name);
        bool fits = used + strlen(name) + sizeof ", , ..." <= size;
        used += (size_t)snprintf(buf + used, size - used, "%s%s", p ? ", " : "", fits ? name : "...");
        if (!fits) break;
    }
    return buf;
}

static bool add_all(struct inlet *in, const struct survey *s, const char *path, struct diag *d) {
    char names[200], node[NAME_BYTES];
    uint16_t n_ports = (uint16_t)(in->fabric->paths.first_port[in->node + 1] - in->fabric->paths.first_port[in->node]);
    bool any = s->n == 0;
    for (uint16_t p = 0; p < n_ports; p++)
        if (survey_has(s, p)) {
            inlet_add_named(in, p, path);
            any = true;
        }
    if (any) return true;
    return diag_fail_in(d, path, "none of its interfaces is named as a port of %s (%s); write --in PORT=FILE",
                        fabric_node_name(in->fabric, in->node, node, sizeof node), port_names(in, names, sizeof names));
}

static bool add_one(struct inlet *in, const struct survey *s, uint16_t port, const struct inlet_source *source,
                    struct diag *d) {
    size_t strangers;
    const struct seen_interface *only = survey_stranger(s, &strangers);
    if (survey_has(s, port) || strangers == 0)
        inlet_add_named(in, port, source->path);
    else if (only)
        inlet_add(in, port, source->path, only->name);
    else
        return diag_fail_in(d, source->path,
                            "frames of %zu interfaces, none of them named %s; give a file with one interface",
                            strangers, source->port);
    return true;
}

static bool inlet_take_source(struct inlet *in, const struct inlet_source *source, struct diag *d) {
    char names[200], node[NAME_BYTES];
    bool all = strcmp(source->port, "all") == 0;
    uint16_t port = all ? PORT_NONE : fabric_port_find(in->fabric, in->node, source->port);
    if (!all && port == PORT_NONE)
        return diag_say(d, "%s has no port '%s'; its ports are %s",
                        fabric_node_name(in->fabric, in->node, node, sizeof node), source->port,
                        port_names(in, names, sizeof names));
    struct survey s = {0};
    bool good = survey_file(&s, in, source->path, d) &&
                (all ? add_all(in, &s, source->path, d) : add_one(in, &s, port, source, d));
    free(s.seen);
    return good;
}

/* ---- the merge ---- */

/* Sorts the streams by port. Stable: streams of one port keep the order of the inputs. */
static void inlet_sort(struct inlet *in) {
    for (size_t i = 1; i < in->n; i++) {
        struct stream x = in->stream[i];
        size_t j = i;
        for (; j && in->stream[j - 1].port > x.port; j--) in->stream[j] = in->stream[j - 1];
        in->stream[j] = x;
    }
}

/* Puts the stream's next frame that counts into the heap. */
static bool inlet_advance(struct inlet *in, uint32_t i, struct diag *d) {
    struct stream *s = &in->stream[i];
    enum capture_result got;
    while ((got = capture_next(s->capture, &s->frame, d)) == CAPTURE_FRAME) {
        if (!frame_counts(&s->frame) || strcmp(s->frame.if_name, s->if_name) != 0) continue;
        time_ps at = capture_time(&s->frame, in->base_second);
        in->late += at < s->at;
        s->at = max_i64(at, s->at);
        heap_push(&in->next, s->at, i);
        return true;
    }
    return got == CAPTURE_END;
}

static bool inlet_start(struct inlet *in, struct diag *d) {
    in->base_second = capture_base(in->first_second);
    if (in->last_second - in->base_second > LONGEST_SECONDS)
        return diag_say(d, "the captures span more than 100 days; replay a shorter part");
    inlet_sort(in);
    in->tied = memory_get(in->n, sizeof *in->tied);
    for (uint32_t i = 0; i < in->n; i++) {
        in->stream[i].capture = capture_open(in->stream[i].path, d);
        if (!in->stream[i].capture || !inlet_advance(in, i, d)) return false;
    }
    return true;
}

struct inlet *inlet_open(const struct fabric *f, uint32_t node, uint64_t seed, const struct inlet_source *source,
                         size_t n, struct diag *d) {
    struct inlet *in = memory_one(sizeof *in);
    *in = (struct inlet){.fabric = f, .node = node, .handed = UINT32_MAX, .tie_key = tie_key(seed)};
    bool good = true;
    for (size_t i = 0; good && i < n; i++) good = inlet_take_source(in, &source[i], d);
    if (good && inlet_start(in, d)) return in;
    inlet_close(in);
    return NULL;
}

static uint32_t inlet_rank(const struct inlet *in, uint32_t stream) {
    const struct stream *s = &in->stream[stream];
    return tie_rank(in->tie_key, s->at, in->fabric->paths.first_port[in->node] + s->port);
}

/* Removes the stream with the next frame. Among streams of one instant it takes the lowest rank, and among equal ranks
 * the first, which the heap returns first. */
static uint32_t inlet_pop(struct inlet *in) {
    struct heap_entry first = heap_pop(&in->next);
    size_t n = 0;
    while (in->next.n && heap_top(&in->next)->key == first.key) {
        uint32_t other = heap_pop(&in->next).id;
        bool before = inlet_rank(in, other) < inlet_rank(in, first.id);
        in->tied[n++] = before ? first.id : other;
        if (before) first.id = other;
    }
    while (n) heap_push(&in->next, first.key, in->tied[--n]);
    return first.id;
}

enum inlet_result inlet_next(struct inlet *in, struct inlet_frame *frame, struct diag *d) {
    if (in->handed != UINT32_MAX && !inlet_advance(in, in->handed, d)) return INLET_FAILED;
    in->handed = UINT32_MAX;
    if (!heap_top(&in->next)) return INLET_END;
    in->handed = inlet_pop(in);
    const struct stream *s = &in->stream[in->handed];
    *frame = (struct inlet_frame){.at = s->at,
                                  .port = s->port,
                                  .captured = s->frame.captured,
                                  .original = s->frame.original,
                                  .bytes = s->frame.bytes};
    return INLET_FRAME;
}

uint64_t inlet_late(const struct inlet *in) { return in->late; }

void inlet_close(struct inlet *in) {
    if (!in) return;
    for (size_t i = 0; i < in->n; i++) capture_close(in->stream[i].capture);
    heap_fini(&in->next);
    free(in->stream);
    free(in->tied);
    free(in);
}
