/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that carry several messages, one after the other.
 *
 * Messages of one connection do not share its path, as flows of their own would: what a sender asks for later leaves
 * later, as in a byte stream or in the send queue of an RDMA queue pair. So the messages of a connection are a line. One
 * that is started while another is being sent waits until the last byte of that one has left the transport.
 *
 *     at a message's start:    if (lines_enter(&s, flow)) open it;
 *     when it has been sent:   uint32_t next = lines_leave(&s, flow); if (next != FLOW_NONE) open that one;
 *
 * What a message has learned about the path is good for the next one. So a line keeps some bytes for its transport, and a
 * window: the part of its congestion window that no message uses at the moment.
 *
 * All messages of a line have one sender, so hosts on several threads share the state and touch their own entries alone.
 */
#ifndef HEDDLE_BASE_LINES_H
#define HEDDLE_BASE_LINES_H

#include "base/views.h"

struct flow_line {
    uint32_t sending; /* the message that is being sent; FLOW_NONE: none */
    uint32_t last;    /* the one that was started last */
    uint64_t window_bytes;
    bool knows; /* its memory is filled */
};

struct line_state {
    const struct flow_lines *lines;
    struct flow_line *line; /* [n_lines] */
    uint32_t *behind;       /* [flows of the run] the message that waits behind this one; FLOW_NONE: none */
    char *memory;           /* [n_lines * memory_bytes] */
    size_t memory_bytes;
};

/* Makes the state at the begin of a run of so many flows, with so many bytes of memory for each line; the caller frees it by
 * line_state_fini. Without lines nothing is allocated. */
void line_state_init(struct line_state *s, const struct flow_lines *lines, uint32_t n_flows, size_t memory_bytes);
void line_state_fini(struct line_state *s);

/* Return the line of a flow that is in one, and its memory, which is aligned as malloc's is. */
static inline struct flow_line *line_of(const struct line_state *s, uint32_t flow) {
    return &s->line[lines_of(s->lines, flow)];
}
static inline void *line_memory(const struct line_state *s, uint32_t flow) {
    return s->memory + lines_of(s->lines, flow) * s->memory_bytes;
}

/* Returns whether the message may be sent now; if not, it waits. One that is in no line always may. */
bool lines_enter(struct line_state *s, uint32_t flow);
/* The message has been sent. Returns the one that may be sent now; FLOW_NONE: none waits. */
uint32_t lines_leave(struct line_state *s, uint32_t flow);

#endif
