/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lines.h"

#include "base/memory.h"

#include <stdlib.h>

void line_state_init(struct line_state *s, const struct flow_lines *lines, uint32_t n_flows) {
    *s = (struct line_state){.lines = lines};
    if (lines->n_lines == 0) return;
    s->line = memory_get(lines->n_lines, sizeof *s->line);
    s->behind = memory_get(n_flows, sizeof *s->behind);
    for (uint32_t i = 0; i < lines->n_lines; i++) s->line[i] = (struct flow_line){FLOW_NONE, FLOW_NONE};
    for (uint32_t i = 0; i < n_flows; i++) s->behind[i] = FLOW_NONE;
}

void line_state_fini(struct line_state *s) {
    free(s->line);
    free(s->behind);
    *s = (struct line_state){0};
}

bool lines_enter(struct line_state *s, uint32_t flow) {
    uint32_t number = lines_of(s->lines, flow);
    if (number == FLOW_NONE) return true;
    struct flow_line *line = &s->line[number];
    bool waits = line->sending != FLOW_NONE;
    if (waits)
        s->behind[line->last] = flow;
    else
        line->sending = flow;
    line->last = flow;
    return !waits;
}

uint32_t lines_leave(struct line_state *s, uint32_t flow) {
    return s->line[lines_of(s->lines, flow)].sending = s->behind[flow];
}
