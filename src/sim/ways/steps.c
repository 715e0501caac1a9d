/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/ways/steps.h"

void step_show(struct partition *part, const struct sim_node *n, time_ps now, const struct emission *e,
               uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        part->observer->emission(part->observer, part, n, now, &e[i]);
        partition_carry_out(part, n, now, &e[i], 1);
    }
}

STEP void finish(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                 struct forward_rest rest, const bool observed) {
    struct switch_out out;
    switch_finish(n->sw, at, port, packet, &rest, &out);
    step_carry_out(part, n, at, out.e, out.n, observed);
}

void step_finish(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                 struct forward_rest rest) {
    finish(part, n, at, port, packet, rest, false);
}

void step_finish_observed(struct partition *part, struct sim_node *n, time_ps at, uint16_t port, uint32_t packet,
                          struct forward_rest rest) {
    finish(part, n, at, port, packet, rest, true);
}

STEP void timers(struct partition *part, struct sim_node *n, time_ps until, const bool observed) {
    struct switch_out out;
    for (time_ps at; (at = switch_next_timer(n->sw)) <= until && at != TIME_NONE;) {
        switch_timer(n->sw, at, &out);
        step_carry_out(part, n, at, out.e, out.n, observed);
    }
}

void step_timers(struct partition *part, struct sim_node *n, time_ps until) { timers(part, n, until, false); }

void step_timers_observed(struct partition *part, struct sim_node *n, time_ps until) { timers(part, n, until, true); }
