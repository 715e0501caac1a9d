/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies of the HPCC simulator and the programs that grew from it: numbers of nodes, and links.
 *
 *   3 1 2                    nodes, switches, links
 *   2                        the switches
 *   0 2 100Gbps 1us 0        link: two nodes, rate, delay, share of frames lost
 *   1 2 100Gbps 1us 0
 *
 * Line ends mean nothing but in the first line, which may also be `nodes switches tors links` (PowerTCP; which switches are
 * ToRs follows from the links) or `nodes gpus_per_server nvswitches switches links GPU` (SimAI). A GPU of
 * SimAI has a link to the NVSwitch of its server and one to its ToR: a host with two NICs (fabric/nics.h). A rate without a unit is in bits per second,
 * a delay without one in seconds, as ns-3 has them. Nothing is read behind the declared number of links, since files end
 * in prose there, but for the names of nodes that our writer adds (format_names.c). Without them the name of a node is its
 * number.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "fabric/fabric_build.h"
#include "fabric/formats.h"

#define HEAD_EXAMPLE "3 1 2 (nodes, switches, links)"
#define LINK_EXAMPLE "0 2 100Gbps 1us 0"
#define LINK_BYTES 9 /* the shortest link: "0 1 1 0 0" */

/* The first line. */
struct head {
    uint64_t nodes, switches, links;
};

static bool head_count(const struct words *w, uint32_t i, const char *what, uint64_t *number) {
    return words_number(w, i, 0, FABRIC_MAX_NODES, what, number);
}

static bool head_read(struct words *w, struct head *h) {
    uint64_t others = 0, nvswitches = 0;
    if (!words_line(w)) return diag_fail(w->d, w->path, 1, 1, "the file is empty; it begins with " HEAD_EXAMPLE);
    if (w->n == 3 || w->n == 4)
        return head_count(w, 0, "a number of nodes", &h->nodes) &&
               head_count(w, 1, "a number of switches", &h->switches) &&
               (w->n == 3 || head_count(w, 2, "a number of ToRs", &others)) &&
               head_count(w, w->n - 1, "a number of links", &h->links);
    if (w->n != 6) return words_fail(w, 0, "%u words; the file begins with " HEAD_EXAMPLE, w->n);
    bool fine = head_count(w, 0, "a number of nodes", &h->nodes) &&
                head_count(w, 1, "a number of GPUs per server", &others) &&
                head_count(w, 2, "a number of NVSwitches", &nvswitches) &&
                head_count(w, 3, "a number of switches", &others) && head_count(w, 4, "a number of links", &h->links);
    h->switches = nvswitches + others;
    return fine;
}

/* Fails if the numbers cannot be those of the text, before memory is taken for them. */
static bool head_check(const struct words *w, const struct head *h) {
    if (h->links > (uint64_t)(w->end - w->next) / LINK_BYTES)
        return words_fail(w, 0, "the file is too short for %llu links; correct the first line",
                          (unsigned long long)h->links);
    if (h->nodes > 2 * h->links)
        return words_fail(w, 0, "%llu links do not link %llu nodes; correct the first line",
                          (unsigned long long)h->links, (unsigned long long)h->nodes);
    return h->switches < h->nodes || words_fail(w, 1, "no node is left for a host; lower the number of switches");
}

/* ---- nodes ---- */

/* Reads the number of a node. */
static bool node_read(struct words *w, const struct head *h, const char *what, struct word *word, uint32_t *node) {
    char text[WORD_TEXT_MAX];
    uint64_t number;
    if (!words_next(w, word)) return word_fail(w, word, "the file ends, but %s is to come; write all of them", what);
    if (!word_number(word, h->nodes - 1, &number))
        return word_fail(w, word, "'%s' is no node; %s is a number below %llu", word_text(word, text), what,
                         (unsigned long long)h->nodes);
    *node = (uint32_t)number;
    return true;
}

static bool switches_read(struct words *w, const struct head *h, bool *is_switch) {
    for (uint64_t i = 0; i < h->switches; i++) {
        struct word word;
        uint32_t node = 0;
        if (!node_read(w, h, "a switch", &word, &node)) return false;
        if (is_switch[node]) return word_fail(w, &word, "switch %u is there already; name each once", node);
        is_switch[node] = true;
    }
    return true;
}

/* Adds nodes that have numbers for names; the tiers of switches follow from their links. */
static bool nodes_number(const struct words *w, const struct head *h, const bool *is_switch, struct file_lists *l) {
    const struct file_place at = {w->path, 1, 1, w->d};
    for (uint32_t i = 0; i < h->nodes; i++) {
        char name[16];
        int length = snprintf(name, sizeof name, "%u", i);
        if (!lists_add_node(l, &at, name, (size_t)length)) return false;
        if (!is_switch[i] && !lists_set_tier(l, &at, "host")) return false;
    }
    return true;
}

static bool nodes_read(const struct words *w, const char *text, size_t size, const struct head *h,
                       const bool *is_switch, struct file_lists *l) {
    const struct file_place file = {w->path, 1, 1, w->d};
    bool any;
    if (!format_names_read(w->path, text, size, (uint32_t)h->nodes, l, &any, w->d)) return false;
    for (uint32_t i = 0; any && i < h->nodes; i++) {
        const struct file_node *n = &l->node[i];
        if ((n->tier == TIER_HOST) == is_switch[i])
            return diag_fail(w->d, w->path, n->line, n->col,
                             "node %u is %s by the list of switches; correct one of them", i,
                             is_switch[i] ? "a switch" : "a host");
    }
    return (any || nodes_number(w, h, is_switch, l)) && lists_name_nodes(l, &file);
}

/* ---- links ---- */

/* Copies a word, with the unit that a number without one has. */
static void quantity_text(const struct word *word, const char *unit, char buf[WORD_TEXT_MAX]) {
    word_text(word, buf);
    size_t n = strlen(buf);
    if (n > 3 && strcmp(buf + n - 3, "b/s") == 0) memcpy(buf + n - 3, "bps", 3);
    if (n > 0 && strspn(buf, "0123456789.eE+-") == n && n + strlen(unit) < WORD_TEXT_MAX)
        memcpy(buf + n, unit, strlen(unit) + 1);
}

static bool link_word(struct words *w, const char *what, struct word *word, struct file_place *at) {
    if (!words_next(w, word))
        return word_fail(w, word, "the file ends before %s of a link; write for example " LINK_EXAMPLE, what);
    *at = (struct file_place){w->path, word->line, word->col, w->d};
    return true;
}

static bool link_read(struct words *w, const struct head *h, struct file_lists *l) {
    struct word first, word;
    struct file_place at;
    char text[WORD_TEXT_MAX];
    uint32_t a = 0, b = 0;
    if (!node_read(w, h, "an end of a link", &first, &a) || !node_read(w, h, "an end of a link", &word, &b))
        return false;
    const struct file_place begin = {w->path, first.line, first.col, w->d};
    struct file_link link = link_at(&begin);
    link.a = a, link.b = b;
    if (!link_word(w, "the rate", &word, &at)) return false;
    quantity_text(&word, "bps", text);
    if (!link_set_rate(&link, &at, text) || !link_word(w, "the delay", &word, &at)) return false;
    quantity_text(&word, "s", text);
    if (!link_set_delay(&link, &at, text) || !link_word(w, "the loss", &word, &at)) return false;
    return link_set_loss(&link, &at, word_text(&word, text)) && lists_add_link(l, &link, &begin);
}

/* ---- the file ---- */

static bool lists_read(struct words *w, const char *text, size_t size, const struct head *h, bool *is_switch,
                       struct file_lists *l) {
    if (!switches_read(w, h, is_switch) || !nodes_read(w, text, size, h, is_switch, l)) return false;
    for (uint64_t i = 0; i < h->links; i++)
        if (!link_read(w, h, l)) return false;
    return true;
}

static bool hpcc_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d) {
    struct words w;
    struct head h = {0};
    words_init(&w, path, text, size, d);
    if (!head_read(&w, &h) || !head_check(&w, &h)) return false;
    bool *is_switch = memory_get(h.nodes, sizeof *is_switch);
    bool fine = lists_read(&w, text, size, &h, is_switch, lists);
    free(is_switch);
    return fine;
}

/* Writes a share in parts per thousand million as a plain decimal number, without zeros at its end. */
static void loss_write(FILE *out, uint32_t ppb) {
    uint32_t part = ppb % (uint32_t)PPB;
    int digits = 9;
    fprintf(out, "%u", ppb / (uint32_t)PPB);
    if (part == 0) return;
    for (; part % 10 == 0; part /= 10) digits--;
    fprintf(out, ".%0*u", digits, part);
}

static bool hpcc_write(const struct fabric *f, FILE *out, struct diag *d) {
    (void)d;
    fprintf(out, "%u %u %u\n", f->n_nodes, f->n_switches, format_links(f));
    for (uint32_t i = f->n_hosts; i < f->n_nodes; i++) fprintf(out, "%u%c", i, i + 1 < f->n_nodes ? ' ' : '\n');
    for (uint32_t i = 0; i < format_links(f); i++) {
        const struct fabric_link *link = &fabric_store(f)->link[i];
        struct format_link l;
        format_link(f, i, &l);
        fprintf(out, "%u %u %s %s ", link->lower, link->upper, l.rate, l.delay);
        loss_write(out, link->loss_ppb);
        fputc('\n', out);
    }
    fprintf(out, "\nName and tier of each node, for heddle; the lines above are all that other programs read.\n");
    format_names_write(f, out);
    return true;
}

/* Returns whether the first line is three, four or six words, numbers but for the last of six, and the next word a number. */
static bool hpcc_looks(const char *text, size_t size) {
    struct words w;
    struct word word;
    uint64_t number;
    words_init(&w, "", text, size, NULL);
    if (!words_line(&w) || (w.n != 3 && w.n != 4 && w.n != 6)) return false;
    for (uint32_t i = 0; i < w.n && i < 5; i++)
        if (!word_number(&w.word[i], UINT64_MAX, &number)) return false;
    return words_next(&w, &word) && word_number(&word, UINT64_MAX, &number);
}

const struct fabric_format format_hpcc = {
    .doc = "a topology file of the HPCC simulator, PowerTCP or SimAI: numbers of nodes, and links",
    .read = hpcc_read,
    .write = hpcc_write,
    .looks = hpcc_looks,
};
