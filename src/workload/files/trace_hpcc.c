/* SPDX-License-Identifier: Apache-2.0 */
/* Flow files of the HPCC simulator and the programs that grew from it.
 *
 *   2
 *   0 1 3 100 65536 2.0         source, destination, priority group, destination port, bytes, start in seconds
 *   4 1 3 100 1000000 2.000001
 *
 * A source is a host by its name, which in a topology of format hpcc is its number there, or by its number. The
 * priority group is the flow's priority, so the entry's own `priority` must be 0. The port is checked and not used: each
 * flow has a connection with ports of its own. Flows may come in any order. Behind the declared number of flows nothing is read, as these
 * files end in prose; a line there that looks like a flow is an error.
 */
#include "base/words.h"
#include "workload/files/columns.h"
#include "workload/generate.h"

#include "base/input_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLOW_WORDS 6
#define FLOW_EXAMPLE "0 1 3 100 65536 2.0 (source, destination, group, port, bytes, seconds)"
#define START_MAX (INT64_MAX / 2)

static bool host_read(const struct generator *g, const struct words *w, uint32_t i, uint32_t *host) {
    const struct workload_spec *s = g->spec;
    char text[WORD_TEXT_MAX], why[400];
    word_text(&w->word[i], text);
    if (s->host_find(s->host_context, text, true, host, why, sizeof why) ||
        s->host_find(s->host_context, text, false, host, why, sizeof why))
        return true;
    return words_fail(w, i, "%s", why);
}

static bool start_read(const struct generator *g, const struct words *w, uint32_t i, time_ps *at) {
    const struct word *word = &w->word[i];
    struct decimal seconds;
    char text[WORD_TEXT_MAX];
    if (decimal_parse(word->at, word->n, &seconds) != word->n || seconds.mantissa < 0)
        return words_fail(w, i, "'%s' is no start; write seconds, such as 2.000001", word_text(word, text));
    if (!decimal_scaled(seconds, 12, at) || *at > START_MAX || g->spec->start > START_MAX - *at)
        return words_fail(w, i, "the start is too late; at most 53 days");
    *at += g->spec->start;
    return true;
}

/* Reads the group and adds the flow. */
static bool flow_add(struct generator *g, const struct words *w, time_ps at, uint32_t src, uint32_t dst,
                     uint64_t bytes) {
    uint64_t group;
    if (!words_number(w, 2, 0, 7, "a priority group", &group)) return false;
    if (src == dst) return words_fail(w, 1, "host %u would send to itself; give another destination", src);
    if (!generator_add(g, at, src, dst, bytes)) return false;
    g->list->flow[g->list->n - 1].priority = (uint8_t)group;
    return true;
}

static bool flow_read(struct generator *g, struct words *w) {
    uint32_t src = NODE_NONE, dst = NODE_NONE;
    uint64_t port, bytes = 0;
    time_ps at = 0;
    if (w->n != FLOW_WORDS)
        return words_fail(w, w->n < FLOW_WORDS ? w->n : FLOW_WORDS, "%u of 6 words; a flow is " FLOW_EXAMPLE, w->n);
    return host_read(g, w, 0, &src) && host_read(g, w, 1, &dst) && words_number(w, 3, 0, 65535, "a port", &port) &&
           words_number(w, 4, 1, INT64_MAX, "a size", &bytes) && start_read(g, w, 5, &at) &&
           flow_add(g, w, at, src, dst, bytes);
}

/* Returns whether the line is six numbers. */
static bool is_flow(const struct words *w) {
    struct decimal number;
    for (uint32_t i = 0; i < FLOW_WORDS; i++)
        if (i >= w->n || decimal_parse(w->word[i].at, w->word[i].n, &number) != w->word[i].n) return false;
    return w->n == FLOW_WORDS;
}

bool trace_hpcc_parse(struct generator *g, const char *text, size_t length, const char *file) {
    struct words w;
    uint64_t n;
    words_init(&w, file, text, length, g->d);
    if (g->spec->priority)
        return generator_fail(g, "priority: flows of HPCC have one each, their priority group; leave it out");
    if (!words_line(&w)) return diag_fail(g->d, file, 1, 1, "the file is empty; it begins with the number of flows");
    if (w.n != 1) return words_fail(&w, 0, "the first line is the number of flows alone; write it above the flows");
    if (!words_number(&w, 0, 1, FLOW_NONE - 1, "a number of flows", &n)) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!words_line(&w))
            return diag_fail(g->d, file, w.line, 1,
                             "the file ends after %" PRIu64 " flows; correct its first line, %" PRIu64, i, n);
        if (!flow_read(g, &w)) return false;
    }
    while (words_line(&w))
        if (is_flow(&w))
            return words_fail(&w, 0, "a flow behind the last of %" PRIu64 "; correct the number in the first line", n);
    return true;
}

uint64_t trace_hpcc_foresee(const char *path) {
    FILE *in = input_open(path, NULL);
    char text[256];
    uint64_t n = 0;
    if (!in) return 0;
    struct words w;
    struct word word;
    words_init(&w, path, text, fread(text, 1, sizeof text, in), NULL);
    fclose(in);
    return words_next(&w, &word) && word_number(&word, FLOW_NONE - 1, &n) ? n : 0;
}
