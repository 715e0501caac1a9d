/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/check_ranks.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/assemble/run_cost.h"
#include "study/metrics/numbers.h"
#include "study/run/job.h"

#include <stdlib.h>

/* The nodes of a rank. */
struct part {
    uint32_t hosts, switches, ports;
};

struct plan {
    struct division division;
    uint32_t threads;         /* of each rank */
    struct part *part;        /* [ranks] */
    uint64_t crossing, links; /* links between ranks, and all links */
    struct traffic_cost traffic;
};

static void plan_make(struct plan *p, const struct assembly *a, uint32_t ranks, uint32_t threads) {
    const struct fabric *f = a->fabric;
    *p = (struct plan){.threads = job_threads(a, ranks, threads), .part = memory_get(ranks, sizeof *p->part)};
    division_make(&p->division, &a->world, ranks, p->threads);
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        struct part *part = &p->part[division_rank(&p->division, node)];
        part->hosts += node < f->n_hosts;
        part->switches += node >= f->n_hosts;
        part->ports += f->paths.first_port[node + 1] - f->paths.first_port[node];
    }
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++) {
        const struct place_port *port = &f->paths.port[g];
        if (port->peer < g) continue; /* a link is counted once */
        p->links++;
        p->crossing += division_rank(&p->division, port->node) != division_rank(&p->division, port->neighbour);
    }
    run_cost_traffic(a, &p->division, &p->traffic);
}

static void plan_free(struct plan *p) {
    division_free(&p->division);
    free(p->part);
}

static double per_window(const struct plan *p, double sum) {
    return p->traffic.windows > 0 ? sum / p->traffic.windows : 0;
}

/* ---- text ---- */

static bool parts_are_equal(const struct part *x, const struct part *y) {
    return x->hosts == y->hosts && x->switches == y->switches && x->ports == y->ports;
}

/* Prints a line for each row of ranks with equal parts. */
static void print_parts(const struct plan *p) {
    for (uint32_t r = 0, end; r < p->division.ranks; r = end) {
        const struct part *part = &p->part[r];
        for (end = r + 1; end < p->division.ranks && parts_are_equal(part, &p->part[end]); end++) continue;
        if (end - r == 1)
            printf("# rank %u: ", r);
        else
            printf("# ranks %u to %u, each: ", r, end - 1);
        printf("%u nodes, %u hosts, %u switches, %u ports\n", part->hosts + part->switches, part->hosts, part->switches,
               part->ports);
    }
}

void check_ranks_print(const struct assembly *a, uint32_t ranks, uint32_t threads) {
    struct plan p;
    char text[UNITS_TEXT_MAX];
    plan_make(&p, a, ranks, threads);
    print_parts(&p);
    printf("# cut: %llu of %llu links between ranks, %.1f %%; windows of %s\n", (unsigned long long)p.crossing,
           (unsigned long long)p.links, p.links ? 100.0 * (double)p.crossing / (double)p.links : 0,
           units_print(PARAM_TIME, p.division.window, text, sizeof text));
    char windows[NUMBER_TEXT_MAX], messages[NUMBER_TEXT_MAX], frames[NUMBER_TEXT_MAX], bytes[NUMBER_TEXT_MAX];
    printf("# expected between ranks: %s windows, in each %s messages of %s frames and %s bytes\n",
           number_plain(p.traffic.windows, 4, windows, sizeof windows),
           number_plain(per_window(&p, p.traffic.messages), 3, messages, sizeof messages),
           number_plain(per_window(&p, p.traffic.frames), 4, frames, sizeof frames),
           number_plain(per_window(&p, p.traffic.bytes), 4, bytes, sizeof bytes));
    plan_free(&p);
}

/* ---- JSON ---- */

static json_t *parts_json(const struct plan *p) {
    json_t *list = json_array();
    for (uint32_t r = 0; r < p->division.ranks; r++) {
        json_t *o = json_object();
        json_object_set_new(o, "nodes", json_integer(p->part[r].hosts + p->part[r].switches));
        json_object_set_new(o, "hosts", json_integer(p->part[r].hosts));
        json_object_set_new(o, "switches", json_integer(p->part[r].switches));
        json_object_set_new(o, "ports", json_integer(p->part[r].ports));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *traffic_json(double windows, double messages, double frames, double bytes) {
    json_t *o = json_object();
    json_object_set_new(o, "windows", json_real(windows));
    json_object_set_new(o, "messages", json_real(messages));
    json_object_set_new(o, "frames", json_real(frames));
    json_object_set_new(o, "bytes", json_real(bytes));
    return o;
}

json_t *check_ranks_json(const struct assembly *a, uint32_t ranks, uint32_t threads) {
    struct plan p;
    plan_make(&p, a, ranks, threads);
    const struct traffic_cost *t = &p.traffic;
    json_t *o = json_object(), *cut = json_object();
    json_object_set_new(o, "ranks", json_integer(ranks));
    json_object_set_new(o, "threads", json_integer(p.threads));
    json_object_set_new(o, "part", parts_json(&p));
    json_object_set_new(cut, "links", json_integer((json_int_t)p.crossing));
    json_object_set_new(cut, "of", json_integer((json_int_t)p.links));
    json_object_set_new(o, "cut", cut);
    json_object_set_new(o, "window_us", json_real((double)p.division.window / (double)PS_PER_US));
    json_object_set_new(o, "expected", traffic_json(t->windows, t->messages, t->frames, t->bytes));
    json_object_set_new(
        o, "expected_per_window",
        traffic_json(1, per_window(&p, t->messages), per_window(&p, t->frames), per_window(&p, t->bytes)));
    plan_free(&p);
    return o;
}
