/* SPDX-License-Identifier: Apache-2.0 */
#include "study/results/outcome.h"

#include "base/memory.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x68656464u
#define NAME_ROOM 64

struct header {
    uint32_t magic, result_bytes;
    uint32_t n_nodes, n_hosts, n_ports, n_flows, n_queries;
    uint64_t names_bytes;
};

/* Large arrays pass in pieces of this size; nothing smaller is given back. */
#define PIECE_BYTES ((size_t)16 << 20)

static size_t piece_of(size_t bytes) { return bytes < PIECE_BYTES ? bytes : PIECE_BYTES; }

/* ---- writing ---- */

struct sink {
    FILE *out;
    bool gives_back; /* large arrays are written for good */
};

static void put(FILE *out, const void *data, size_t n, size_t size) {
    if (n) fwrite(data, size, n, out);
}

static void put_array(const struct sink *s, void *data, size_t n, size_t size) {
    bool gives_back = s->gives_back && n * size > PIECE_BYTES;
    char *at = data;
    for (size_t left = n * size, piece; left > 0; at += piece, left -= piece) {
        piece = piece_of(left);
        fwrite(at, 1, piece, s->out);
        if (gives_back) memory_give_back(at, piece);
    }
}

static char *names_collect(const struct fabric *f, uint64_t *bytes) {
    char *names = NULL;
    size_t size = 0;
    FILE *out = text_stream(&names, &size);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        char name[NAME_ROOM];
        fabric_node_name(f, i, name, sizeof name);
        fwrite(name, 1, strlen(name) + 1, out);
    }
    text_stream_end(out, &names);
    *bytes = size;
    return names;
}

static void put_ports(FILE *out, const struct fabric *f) {
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        uint32_t first = f->paths.first_port[node], end = f->paths.first_port[node + 1];
        for (uint32_t p = first; p < end; p++) {
            const struct place_port *at = &f->paths.port[p];
            struct outcome_port port = {node, at->neighbour, at->link_tier, 0};
            for (uint32_t q = first; q < p; q++) port.parallel += f->paths.port[q].neighbour == at->neighbour;
            put(out, &port, 1, sizeof port);
        }
    }
}

/* Writes the size and the bytes of each block of packed tallies. */
static void put_tallies(const struct sink *s, const struct run_result *r) {
    for (uint32_t b = 0; r->tally_block && b < tallies_blocks(r->n_flows); b++) {
        struct tally_block *block = &r->tally_block[b];
        uint32_t bytes = block->packed ? (uint32_t)tally_block_bytes(block) : 0;
        put(s->out, &bytes, 1, sizeof bytes);
        put(s->out, block->packed, 1, bytes);
    }
}

static void put_arrays(const struct sink *s, const struct run_result *r) {
#define PUT(array, count) put_array(s, r->array, r->array ? r->count : 0, sizeof *r->array);
    RUN_RESULT_ARRAYS(PUT)
#undef PUT
    put_tallies(s, r);
    for (size_t i = 0; i < r->n_counters; i++) {
        char name[NAME_ROOM] = "";
        snprintf(name, sizeof name, "%s", r->counter[i].name);
        put(s->out, name, 1, sizeof name);
    }
}

static bool sink_fill(const struct sink *s, const struct assembly *a, const struct run_result *r) {
    const struct fabric *f = a->fabric;
    FILE *out = s->out;
    struct header h = {.magic = MAGIC,
                       .result_bytes = sizeof *r,
                       .n_nodes = f->n_nodes,
                       .n_hosts = f->n_hosts,
                       .n_ports = f->paths.first_port[f->n_nodes],
                       .n_flows = result_has_tallies(r) ? r->n_flows : 0,
                       .n_queries = result_has_tallies(r) ? a->flows.n_queries : 0};
    char *names = names_collect(f, &h.names_bytes);
    put(out, &h, 1, sizeof h);
    put(out, r, 1, sizeof *r);
    put(out, names, h.names_bytes, 1);
    put_ports(out, f);
    put_array(s, a->flows.flow, h.n_flows, sizeof *a->flows.flow);
    put(out, a->flows.query, h.n_queries, sizeof *a->flows.query);
    put_arrays(s, r);
    put(out, &h.magic, 1, sizeof h.magic);
    free(names);
    return fflush(out) == 0 && !ferror(out);
}

bool outcome_write(FILE *out, const struct assembly *a, const struct run_result *r) {
    return sink_fill(&(struct sink){out, false}, a, r);
}

bool outcome_hand_over(FILE *out, const struct assembly *a, const struct run_result *r) {
    return sink_fill(&(struct sink){out, true}, a, r);
}

/* ---- reading ---- */

struct source {
    FILE *in;
    bool empties; /* what has been read leaves the file */
    off_t emptied;
};

/* Takes what has been read out of the file; one that is no file in memory may keep it. */
static void source_empty(struct source *s) {
    off_t at = ftello(s->in);
    if (at <= s->emptied) return;
    fallocate(fileno(s->in), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, s->emptied, at - s->emptied);
    s->emptied = at;
}

/* Returns n elements from the file; NULL if n is 0 or *ok is false. Clears *ok if the file ends early. */
static void *take(struct source *s, size_t n, size_t size, bool *ok) {
    if (!*ok || n == 0) return NULL;
    char *data = memory_get(n, size), *at = data;
    for (size_t left = n * size, piece; *ok && left > 0; at += piece, left -= piece) {
        piece = piece_of(left);
        *ok = fread(at, 1, piece, s->in) == piece;
        if (s->empties && piece == PIECE_BYTES) source_empty(s);
    }
    return data;
}

/* Replaces the names of the counters, which are texts of the other process, by copies. */
static void take_names(struct source *s, struct run_result *r, bool *ok) {
    for (size_t i = 0; r->counter && i < r->n_counters; i++) {
        char name[NAME_ROOM];
        *ok = *ok && fread(name, sizeof name, 1, s->in) == 1;
        r->counter[i].name = *ok ? text_copy(name) : NULL;
    }
}

static void nodes_index(struct outcome *o, uint64_t bytes) {
    o->node = memory_get(o->n_nodes + 1u, sizeof *o->node);
    const char *at = o->names;
    for (uint32_t i = 0; i < o->n_nodes && at < o->names + bytes; i++, at += strlen(at) + 1) o->node[i] = at;
}

/* Fills first_port. Ports are in the order of their nodes. */
static void ports_index(struct outcome *o) {
    o->first_port = memory_get(o->n_nodes + 1u, sizeof *o->first_port);
    for (uint32_t p = o->n_ports; p-- > 0;) {
        if (o->port[p].node < o->n_nodes) o->first_port[o->port[p].node] = p;
    }
}

static void take_tallies(struct source *s, struct run_result *r, uint32_t n_flows, bool *ok) {
    r->tally_block = memory_get(tallies_blocks(n_flows), sizeof *r->tally_block);
    for (uint32_t b = 0; *ok && b < tallies_blocks(n_flows); b++) {
        uint32_t bytes;
        *ok = fread(&bytes, sizeof bytes, 1, s->in) == 1;
        r->tally_block[b].packed = take(s, bytes, 1, ok);
        if (s->empties && ftello(s->in) - s->emptied >= (off_t)PIECE_BYTES) source_empty(s);
    }
}

/* Reads the arrays that follow the struct in the file. Its pointers are those of the other process: they tell only
 * which arrays it had. */
static void take_arrays(struct source *s, struct run_result *r, uint32_t n_flows, bool *ok) {
    const struct run_result had = *r;
#define TAKE(array, count) r->array = take(s, had.array ? r->count : 0, sizeof *r->array, ok);
    RUN_RESULT_ARRAYS(TAKE)
#undef TAKE
    r->tally_block = NULL;
    if (had.tally_block) take_tallies(s, r, n_flows, ok);
    take_names(s, r, ok);
}

static bool source_read(struct source *s, struct outcome *o) {
    *o = (struct outcome){0};
    struct header h;
    FILE *in = s->in;
    struct run_result *r = &o->result;
    bool ok = fread(&h, sizeof h, 1, in) == 1 && h.magic == MAGIC && h.result_bytes == sizeof *r &&
              fread(r, sizeof *r, 1, in) == 1;
    if (!ok) {
        *o = (struct outcome){0};
        return false;
    }
    o->n_nodes = h.n_nodes;
    o->n_hosts = h.n_hosts;
    o->n_ports = h.n_ports;
    o->names = take(s, h.names_bytes, 1, &ok);
    if (ok) nodes_index(o, h.names_bytes);
    o->port = take(s, h.n_ports, sizeof *o->port, &ok);
    if (ok) ports_index(o);
    o->n_queries = h.n_queries;
    o->flow = take(s, h.n_flows, sizeof *o->flow, &ok);
    o->query = take(s, h.n_queries, sizeof *o->query, &ok);
    take_arrays(s, r, h.n_flows, &ok);
    r->n_flows = h.n_flows;
    uint32_t end;
    return ok && fread(&end, sizeof end, 1, in) == 1 && end == MAGIC;
}

bool outcome_read(FILE *in, struct outcome *o) { return source_read(&(struct source){.in = in}, o); }

bool outcome_take_over(FILE *in, struct outcome *o) {
    return source_read(&(struct source){.in = in, .empties = true}, o);
}

void outcome_free(struct outcome *o) {
    struct run_result *r = &o->result;
    for (size_t i = 0; r->counter && i < r->n_counters; i++)
        free((char *)r->counter[i].name); /* copies, made by outcome_read */
    run_result_free(r);
    free(o->flow);
    free(o->query);
    free(o->names);
    free(o->node);
    free(o->port);
    free(o->first_port);
    *o = (struct outcome){0};
}

/* ---- names ---- */

const char *outcome_egress(const struct outcome *o, uint32_t port, char buf[OUTCOME_EGRESS]) {
    const struct outcome_port *p = &o->port[port];
    char parallel[16] = "";
    if (p->parallel) snprintf(parallel, sizeof parallel, "#%u", p->parallel);
    snprintf(buf, OUTCOME_EGRESS, "%s>%s%s", o->node[p->node], o->node[p->neighbour], parallel);
    return buf;
}
