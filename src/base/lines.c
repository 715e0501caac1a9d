/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lines.h"

#include "base/memory.h"

#include <stdlib.h>

void line_state_init(struct line_state *s, const struct flow_lines *lines, uint32_t n_flows, size_t memory_bytes) {
    memory_bytes = (memory_bytes + 15) / 16 * 16;
    *s = (struct line_state){.lines = lines, .memory_bytes = memory_bytes};
    if (lines->n_lines == 0) return;
    s->line = memory_get(lines->n_lines, sizeof *s->line);
    s->behind = memory_get(n_flows, sizeof *s->behind);
    if (memory_bytes) s->memory = memory_get(lines->n_lines, memory_bytes);
    for (uint32_t i = 0; i < lines->n_lines; i++) s->line[i] = (struct flow_line){FLOW_NONE, FLOW_NONE, 0, false};
    for (uint32_t i = 0; i < n_flows; i++) s->behind[i] = FLOW_NONE;
}

void line_state_fini(struct line_state *s) {
    free(s->line);
    free(s->behind);
    free(s->memory);
    *s = (struct line_state){0};
}

bool lines_enter(struct line_state *s, uint32_t flow) {
    if (lines_of(s->lines, flow) == FLOW_NONE) return true;
    struct flow_line *line = line_of(s, flow);
    bool waits = line->sending != FLOW_NONE;
    if (waits)
        s->behind[line->last] = flow;
    else
        line->sending = flow;
    line->last = flow;
    return !waits;
}

uint32_t lines_leave(struct line_state *s, uint32_t flow) { return line_of(s, flow)->sending = s->behind[flow]; }
