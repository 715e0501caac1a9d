/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies of htsim (.topo): fat-trees of two or three tiers, by their sizes.
 *
 *   Nodes 8                       hosts
 *   Tiers 2
 *   Podsize 8                     hosts of a pod; with two tiers there is one
 *   Tier 0                        ToRs; their downlinks lead to hosts
 *   Downlink_speed_Gbps 100
 *   Downlink_Latency_ns 500
 *   Radix_Down 2                  downlinks of a switch
 *   Radix_Up 2                    uplinks of a switch; none in the top tier
 *   Tier 1                        aggs (spines): as above, Tier 2: cores
 *   ...
 *
 * More keys of a tier: Switch_Latency_ns (0), Oversubscribed (1): capacity of downlinks over that of uplinks, which must
 * fit the radixes; Bundle (1): parallel links between a switch and one below. Keys ignore case, values are whole numbers,
 * blocks of tiers come in any order. ToR t of a pod has links to all its aggs, agg i to the cores of plane i, which htsim
 * numbers i, i + aggs, i + 2 aggs, ...; here the cores of a plane have adjacent numbers. Names are those of our own fat-trees.
 *
 * We have no latency of switches: half of it is added to the delay of each link at the switch, so that each path between
 * two hosts takes as long as in htsim. Queue_Up and Queue_Down, which are no part of a fabric, are refused. So is a Radix_Up
 * in the top tier, but of two tiers, where older programs ask for it.
 *
 * The writer refuses what is no such fat-tree. Names that differ from the usual ones stand in comments (format_names.c).
 */
#include <string.h>

#include "base/words.h"
#include "fabric/fabric_build.h"
#include "fabric/formats.h"

#define BPS_PER_GBPS 1000000000LL
#define VALUE_MAX 0x7fffffffu
#define SPEED_MAX 100000u /* Gbps */

enum { SPEED, LATENCY, RADIX_DOWN, RADIX_UP, SWITCH_LATENCY, OVERSUBSCRIBED, BUNDLE, TIER_KEYS };
static const char *const tier_key[TIER_KEYS] = {"Downlink_speed_Gbps", "Downlink_Latency_ns", "Radix_Down", "Radix_Up",
                                                "Switch_Latency_ns",   "Oversubscribed",      "Bundle"};

struct tier_block {
    uint64_t value[TIER_KEYS];
    int line[TIER_KEYS]; /* 0: not given */
    int begin;           /* line of "Tier N"; 0: there is none */
};

enum { NODES, TIERS, PODSIZE, HEAD_KEYS };
static const char *const head_key[HEAD_KEYS] = {"Nodes", "Tiers", "Podsize"};

struct topo {
    uint64_t head[HEAD_KEYS];
    int head_line[HEAD_KEYS];
    struct tier_block tier[3];
};

/* Sizes, rates and delays of a fat-tree. */
struct tree {
    uint32_t pods, tors, aggs, cores, hosts; /* tors, aggs: of a pod; cores: of a plane; hosts: of a ToR */
    uint32_t bundle[3];                      /* parallel links below each tier */
    int64_t rate_bps[3];
    span_ps delay[3];
};

/* ---- the text ---- */

static int key_find(const struct word *word, const char *const *key, int n) {
    for (int i = 0; i < n; i++)
        if (word_is_name(word, key[i])) return i;
    return -1;
}

static bool key_unknown(const struct words *w, bool in_tier) {
    char text[WORD_TEXT_MAX], known[200];
    const char *const *key = in_tier ? tier_key : head_key;
    size_t n = in_tier ? TIER_KEYS : HEAD_KEYS;
    if (key_find(&w->word[0], (const char *const[]){"Queue_Up", "Queue_Down"}, 2) >= 0)
        return words_fail(w, 0, "queues are no part of a fabric; remove the line, and write switch: {buffer: 225KB}");
    const char *near = diag_nearest(word_text(&w->word[0], text), key, n);
    if (near) return words_fail(w, 0, "unknown key '%s'; did you mean %s?", text, near);
    return words_fail(w, 0, "unknown key '%s'; known are Tier, %s", text, diag_names(key, n, known, sizeof known));
}

/* Reads "Tier N" and sets *block. */
static bool tier_begin(struct words *w, struct topo *t, struct tier_block **block) {
    uint64_t number;
    if (!words_number(w, 1, 0, 2, "a tier", &number)) return false;
    *block = &t->tier[number];
    if ((*block)->begin)
        return words_fail(w, 0, "tier %d is there already, in line %d; keep one", (int)number, (*block)->begin);
    (*block)->begin = w->line;
    return true;
}

static bool value_read(struct words *w, uint64_t most, uint64_t *value, int *line) {
    char text[WORD_TEXT_MAX];
    if (*line)
        return words_fail(w, 0, "%s is there already, in line %d; keep one", word_text(&w->word[0], text), *line);
    *line = w->line;
    return words_number(w, 1, 0, most, "a value", value);
}

static bool line_read(struct words *w, struct topo *t, struct tier_block **block) {
    if (w->n != 2)
        return words_fail(w, w->n > 2 ? 2 : 1, "a line is a key and a value; write for example Radix_Down 8");
    if (word_is_name(&w->word[0], "Tier")) return tier_begin(w, t, block);
    int key = key_find(&w->word[0], head_key, HEAD_KEYS);
    if (key >= 0) return value_read(w, FABRIC_COUNT_MAX, &t->head[key], &t->head_line[key]);
    key = *block ? key_find(&w->word[0], tier_key, TIER_KEYS) : -1;
    if (key < 0) return key_unknown(w, *block != NULL);
    return value_read(w, key == SPEED ? SPEED_MAX : VALUE_MAX, &(*block)->value[key], &(*block)->line[key]);
}

static bool topo_read(struct words *w, struct topo *t) {
    struct tier_block *block = NULL;
    while (words_line(w))
        if (!line_read(w, t, &block)) return false;
    return true;
}

/* ---- what it means ---- */

static bool topo_fail(const struct words *w, int line, const char *text) {
    return diag_fail(w->d, w->path, line ? line : 1, 1, "%s", text);
}

static bool head_check(const struct words *w, const struct topo *t) {
    for (int i = 0; i < HEAD_KEYS; i++) {
        if (t->head_line[i] && t->head[i] > 0) continue;
        return diag_fail(w->d, w->path, t->head_line[i] ? t->head_line[i] : 1, 1,
                         "%s is %s; write %s and a number, 1 to %d, above the tiers", head_key[i],
                         !t->head_line[i] ? "missing"
                         : t->head[i]     ? "too large"
                                          : "0",
                         head_key[i], FABRIC_COUNT_MAX);
    }
    if (t->head[TIERS] != 2 && t->head[TIERS] != 3)
        return topo_fail(w, t->head_line[TIERS], "a fat-tree has 2 or 3 tiers; write Tiers 3");
    if (t->head[TIERS] == 2 && t->head[PODSIZE] != t->head[NODES])
        return topo_fail(w, t->head_line[PODSIZE], "with two tiers there is one pod; write the number of nodes");
    if (t->head[NODES] % t->head[PODSIZE] == 0) return true;
    return topo_fail(w, t->head_line[PODSIZE], "pods of this size do not divide the nodes; change one of the two");
}

/* Gives keys that are missing their defaults, and checks those of one tier. */
static bool tier_check(const struct words *w, struct topo *t, int number) {
    struct tier_block *b = &t->tier[number];
    bool top = number + 1 == (int)t->head[TIERS];
    if (!b->begin)
        return diag_fail(w->d, w->path, 1, 1, "tier %d is missing; add Tier %d and its keys", number, number);
    for (int k = SPEED; k <= RADIX_UP; k++) {
        if (k == RADIX_UP && top) continue;
        if (b->line[k] && b->value[k] > 0) continue;
        return diag_fail(w->d, w->path, b->line[k] ? b->line[k] : b->begin, 1,
                         "tier %d has no %s; write it with a number above 0", number, tier_key[k]);
    }
    if (number == 2 && b->line[RADIX_UP])
        return topo_fail(w, b->line[RADIX_UP], "the top tier has no uplinks; remove Radix_Up");
    if (!b->line[OVERSUBSCRIBED]) b->value[OVERSUBSCRIBED] = 1;
    if (!b->line[BUNDLE]) b->value[BUNDLE] = 1;
    if (b->value[BUNDLE] == 0 || (number == 0 && b->value[BUNDLE] != 1))
        return topo_fail(w, b->line[BUNDLE], "hosts have one link, and bundles at least one; write Bundle 1");
    return true;
}

/* Fails unless the ratio of downlinks to uplinks is the oversubscription, by capacity or by number. */
static bool oversubscription_check(const struct words *w, const struct topo *t, int number) {
    const struct tier_block *b = &t->tier[number], *above = b + 1;
    uint128 down = b->value[RADIX_DOWN], up = (uint128)b->value[RADIX_UP] * b->value[OVERSUBSCRIBED];
    if (down == up || down * b->value[SPEED] == up * above->value[SPEED]) return true;
    int line = b->line[OVERSUBSCRIBED] ? b->line[OVERSUBSCRIBED] : b->line[RADIX_UP];
    return diag_fail(w->d, w->path, line, 1,
                     "Oversubscribed %llu does not fit %llu downlinks and %llu uplinks; give downlinks over uplinks",
                     (unsigned long long)b->value[OVERSUBSCRIBED], (unsigned long long)b->value[RADIX_DOWN],
                     (unsigned long long)b->value[RADIX_UP]);
}

/* Fails unless `below` switches fill the downlinks of the tier, and the uplinks below fill its bundles. */
static bool radix_check(const struct words *w, const struct topo *t, int number, uint64_t below) {
    const struct tier_block *b = &t->tier[number];
    uint64_t bundle = b->value[BUNDLE], up = b[-1].value[RADIX_UP], down = below * bundle;
    if (b->value[RADIX_DOWN] != down)
        return diag_fail(w->d, w->path, b->line[RADIX_DOWN], 1,
                         "a switch of tier %d has %llu switches below with %llu links each; write Radix_Down %llu",
                         number, (unsigned long long)below, (unsigned long long)bundle, (unsigned long long)down);
    if (up % bundle == 0) return true;
    return diag_fail(w->d, w->path, b->line[BUNDLE], 1, "bundles of %llu links do not divide the %llu uplinks below",
                     (unsigned long long)bundle, (unsigned long long)up);
}

/* Sets the rates and delays of the links below each tier. Fails if a delay is too long. */
static bool tree_speeds(const struct words *w, struct tree *n, const struct topo *t, int tiers) {
    for (int i = 0; i < tiers; i++) {
        const struct tier_block *b = &t->tier[i];
        uint64_t switches = b->value[SWITCH_LATENCY] + (i > 0 ? b[-1].value[SWITCH_LATENCY] : 0);
        n->rate_bps[i] = (int64_t)b->value[SPEED] * BPS_PER_GBPS;
        n->delay[i] = (span_ps)(b->value[LATENCY] * PS_PER_NS + switches * PS_PER_NS / 2);
        n->bundle[i] = (uint32_t)b->value[BUNDLE];
        if (n->delay[i] > VALUE_MAX * PS_PER_NS)
            return topo_fail(w, b->line[LATENCY], "the latency, with that of the switches, is above 2 s; lower it");
    }
    return true;
}

static bool tree_understand(const struct words *w, struct topo *t, struct tree *n) {
    int tiers = (int)t->head[TIERS];
    for (int i = 0; i < tiers; i++)
        if (!tier_check(w, t, i)) return false;
    if (tiers == 2 && t->tier[2].begin)
        return topo_fail(w, t->tier[2].begin, "there are two tiers, 0 and 1; remove this one, or write Tiers 3");
    uint64_t hosts = t->tier[0].value[RADIX_DOWN];
    if (hosts == 0 || t->head[PODSIZE] % hosts != 0)
        return topo_fail(w, t->tier[0].line[RADIX_DOWN],
                         "ToRs of so many hosts do not divide the pod; change one of them");
    *n = (struct tree){.pods = (uint32_t)(t->head[NODES] / t->head[PODSIZE]),
                       .tors = (uint32_t)(t->head[PODSIZE] / hosts),
                       .hosts = (uint32_t)hosts};
    if (!radix_check(w, t, 1, n->tors) || (tiers == 3 && !radix_check(w, t, 2, n->pods))) return false;
    n->aggs = (uint32_t)(t->tier[0].value[RADIX_UP] / t->tier[1].value[BUNDLE]);
    if (tiers == 3) n->cores = (uint32_t)(t->tier[1].value[RADIX_UP] / t->tier[2].value[BUNDLE]);
    return tree_speeds(w, n, t, tiers) && oversubscription_check(w, t, 0) &&
           (tiers == 2 || oversubscription_check(w, t, 1));
}

/* ---- nodes and links of a tree ---- */

static uint32_t tree_hosts(const struct tree *n) { return n->pods * n->tors * n->hosts; }

/* Writes the usual name of switch `i` of a tier. */
static void switch_name(const struct tree *n, int tier, uint32_t i, char *buf, size_t size) {
    static const char *const word[] = {"tor", "agg", "core"};
    const uint32_t group[] = {n->tors, n->aggs, n->cores};
    if (n->cores == 0)
        snprintf(buf, size, "%s%u", tier == 0 ? "leaf" : "spine", i);
    else
        snprintf(buf, size, "%s%u.%u", word[tier], i / group[tier], i % group[tier]);
}

static void host_name(const struct tree *n, uint32_t i, char *buf, size_t size) {
    uint32_t tor = i / n->hosts, host = i % n->hosts;
    if (n->cores == 0)
        snprintf(buf, size, "host%u.%u", tor, host);
    else
        snprintf(buf, size, "host%u.%u.%u", tor / n->tors, tor % n->tors, host);
}

/* Calls `each` for the usual name and the tier of every node, in the order of numbers, until it returns false. */
static bool tree_nodes(const struct tree *n, bool (*each)(void *context, const char *name, uint8_t tier),
                       void *context) {
    const uint32_t count[] = {n->pods * n->tors, n->pods * n->aggs, n->aggs * n->cores};
    char name[FABRIC_NODE_NAME_MAX];
    for (uint32_t i = 0; i < tree_hosts(n); i++) {
        host_name(n, i, name, sizeof name);
        if (!each(context, name, TIER_HOST)) return false;
    }
    for (int tier = 0; tier < 3; tier++) {
        for (uint32_t i = 0; i < count[tier]; i++) {
            switch_name(n, tier, i, name, sizeof name);
            if (!each(context, name, (uint8_t)(TIER_LEAF + tier))) return false;
        }
    }
    return true;
}

/* Calls `each` for every link, in order: the lower end, the upper end and the tier above it, until it returns false. */
typedef bool (*tree_link)(void *context, uint32_t lower, uint32_t upper, int tier);
static bool bundle_links(const struct tree *n, tree_link each, void *context, uint32_t lower, uint32_t upper,
                         int tier) {
    for (uint32_t i = 0; i < n->bundle[tier]; i++)
        if (!each(context, lower, upper, tier)) return false;
    return true;
}
static bool tree_links(const struct tree *n, tree_link each, void *context) {
    uint32_t first_tor = tree_hosts(n), first_agg = first_tor + n->pods * n->tors;
    uint32_t first_core = first_agg + n->pods * n->aggs;
    for (uint32_t h = 0; h < first_tor; h++)
        if (!each(context, h, first_tor + h / n->hosts, 0)) return false;
    for (uint32_t t = 0; t < n->pods * n->tors; t++)
        for (uint32_t a = 0; a < n->aggs; a++)
            if (!bundle_links(n, each, context, first_tor + t, first_agg + t / n->tors * n->aggs + a, 1)) return false;
    for (uint32_t a = 0; a < n->pods * n->aggs; a++)
        for (uint32_t c = 0; c < n->cores; c++)
            if (!bundle_links(n, each, context, first_agg + a, first_core + a % n->aggs * n->cores + c, 2))
                return false;
    return true;
}

/* ---- reading ---- */

struct tree_reader {
    const struct tree *n;
    struct file_lists *lists;
    struct file_place at;
};

static bool node_add(void *context, const char *name, uint8_t tier) {
    struct tree_reader *r = context;
    return lists_add_node(r->lists, &r->at, name, strlen(name)) && lists_set_tier(r->lists, &r->at, format_tier(tier));
}

static bool link_add(void *context, uint32_t lower, uint32_t upper, int tier) {
    struct tree_reader *r = context;
    struct file_link link = link_at(&r->at);
    link.a = lower, link.b = upper;
    link.rate_bps = r->n->rate_bps[tier];
    link.delay = r->n->delay[tier];
    return lists_add_link(r->lists, &link, &r->at);
}

/* Fails if there are more nodes or links than a fabric may have, before memory is taken for them. */
static bool tree_fits(const struct words *w, const struct tree *n) {
    uint64_t tors = (uint64_t)n->pods * n->tors, aggs = (uint64_t)n->pods * n->aggs,
             cores = (uint64_t)n->aggs * n->cores;
    uint128 links = tree_hosts(n) + (uint128)tors * n->aggs * n->bundle[1] + (uint128)aggs * n->cores * n->bundle[2];
    if (tors < FABRIC_MAX_NODES && aggs < FABRIC_MAX_NODES && cores < FABRIC_MAX_NODES && links <= FABRIC_MAX_LINKS)
        return true;
    return diag_fail(w->d, w->path, 1, 1, "there are too many links; at most %u make a fabric", FABRIC_MAX_LINKS);
}

static bool tree_read(const struct words *w, const char *text, size_t size, const struct tree *n,
                      struct file_lists *lists) {
    struct tree_reader r = {n, lists, {w->path, 1, 1, w->d}};
    uint32_t nodes = tree_hosts(n) + n->pods * (n->tors + n->aggs) + n->aggs * n->cores;
    bool any;
    return tree_fits(w, n) && format_names_read(w->path, text, size, nodes, lists, &any, w->d) &&
           (any || tree_nodes(n, node_add, &r)) && lists_name_nodes(lists, &r.at) && tree_links(n, link_add, &r);
}

static bool htsim_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d) {
    struct words w;
    struct topo t = {0};
    struct tree n = {0};
    words_init(&w, path, text, size, d);
    return topo_read(&w, &t) && head_check(&w, &t) && tree_understand(&w, &t, &n) &&
           tree_read(&w, text, size, &n, lists);
}

/* ---- writing ---- */

static bool write_fail(struct diag *d, const char *why) {
    return diag_say(d, "htsim has fat-trees alone, and here %s; write --to hpcc or graphml", why);
}

struct tree_check {
    const struct fabric *f;
    const struct tree *n;
    uint32_t at; /* the next node, or the next link */
    bool usual;  /* all names so far are the usual ones */
};

static bool link_same(void *context, uint32_t lower, uint32_t upper, int tier) {
    struct tree_check *c = context;
    if (c->at == format_links(c->f)) return false;
    const struct fabric_link *l = &fabric_store(c->f)->link[c->at++];
    return l->lower == lower && l->upper == upper && l->rate_bps == c->n->rate_bps[tier] &&
           l->delay == c->n->delay[tier] && l->loss_ppb == 0;
}

static bool name_same(void *context, const char *name, uint8_t tier) {
    struct tree_check *c = context;
    char own[FABRIC_NODE_NAME_MAX];
    (void)tier;
    c->usual = c->usual && strcmp(fabric_node_name(c->f, c->at++, own, sizeof own), name) == 0;
    return true;
}

/* Sets the rate and delay of the links below a tier, and how many are parallel, from the first of them. */
static void tree_measure(const struct fabric *f, struct tree *n, int tier) {
    const struct fabric_store *s = fabric_store(f);
    uint32_t first = 0;
    while (first < s->n_links && s->link[first].tier != tier) first++;
    if (first == s->n_links) return;
    const struct fabric_link *l = &s->link[first];
    n->rate_bps[tier] = l->rate_bps;
    n->delay[tier] = l->delay;
    for (uint32_t i = first; i < s->n_links && s->link[i].lower == l->lower && s->link[i].upper == l->upper; i++)
        n->bundle[tier]++;
}

/* Sets the sizes that the fabric would have as a tree. Returns false if they do not divide. */
static bool tree_of(const struct fabric *f, struct tree *n) {
    uint32_t aggs = 0, cores = 0;
    for (uint32_t i = f->n_hosts; i < f->n_nodes; i++) {
        aggs += f->node[i].tier == TIER_AGG;
        cores += f->node[i].tier == TIER_CORE;
    }
    *n = (struct tree){.pods = f->n_pods};
    if (f->tiers < 2 || aggs == 0 || f->n_leaves % n->pods || aggs % n->pods || f->n_hosts % f->n_leaves) return false;
    n->tors = f->n_leaves / n->pods;
    n->aggs = aggs / n->pods;
    n->hosts = f->n_hosts / f->n_leaves;
    if (cores % n->aggs) return false;
    n->cores = cores / n->aggs;
    for (int tier = 0; tier < 3; tier++) tree_measure(f, n, tier);
    return (n->cores > 0 || n->pods == 1) && n->bundle[0] == 1;
}

/* Splits the delays into latencies of links and switches. Returns false if they are not of half nanoseconds. */
static bool latencies_of(const struct tree *n, int tiers, uint64_t link[3], uint64_t of_switch[3]) {
    uint64_t below = 0;
    for (int i = 0; i < tiers; i++) {
        uint64_t halves = (uint64_t)n->delay[i] / (PS_PER_NS / 2);
        if (n->delay[i] % (PS_PER_NS / 2) || halves < below + 2) return false;
        of_switch[i] = (halves - below) % 2;
        link[i] = (halves - below - of_switch[i]) / 2;
        if (link[i] == 0 || link[i] > VALUE_MAX) return false;
        below = of_switch[i];
    }
    return true;
}

/* Returns how many times the downlinks of a tier have the capacity of its uplinks, or are as many; 0 if neither is a whole
 * number. */
static uint64_t oversubscription(const struct tree *n, int tier, uint64_t down, uint64_t up) {
    uint128 below = (uint128)down * (uint128)n->rate_bps[tier], above = (uint128)up * (uint128)n->rate_bps[tier + 1];
    if (above > 0 && below % above == 0) return (uint64_t)(below / above);
    return up > 0 && down % up == 0 ? down / up : 0;
}

static void tier_write(FILE *out, int tier, const uint64_t value[TIER_KEYS]) {
    fprintf(out, "\nTier %d\n", tier);
    for (int k = 0; k < TIER_KEYS; k++) {
        if ((k == SWITCH_LATENCY && value[k] == 0) || (k >= OVERSUBSCRIBED && value[k] == 1)) continue;
        if ((k == RADIX_UP || k == OVERSUBSCRIBED) && value[RADIX_UP] == 0) continue;
        fprintf(out, "%s %llu\n", tier_key[k], (unsigned long long)value[k]);
    }
}

static bool tree_write(const struct tree *n, FILE *out, struct diag *d) {
    const int tiers = n->cores ? 3 : 2;
    const uint64_t down[] = {n->hosts, (uint64_t)n->tors * n->bundle[1], (uint64_t)n->pods * n->bundle[2]};
    const uint64_t up[] = {(uint64_t)n->aggs * n->bundle[1], (uint64_t)n->cores * n->bundle[2], 0};
    uint64_t link[3], of_switch[3], over[3] = {1, 1, 1};
    if (!latencies_of(n, tiers, link, of_switch))
        return write_fail(d, "a delay is no whole number of nanoseconds from 1 on");
    for (int i = 0; i < tiers; i++) {
        if (n->rate_bps[i] % BPS_PER_GBPS || n->rate_bps[i] / BPS_PER_GBPS > SPEED_MAX)
            return write_fail(d, "a rate is no whole number of Gbps");
        if (i + 1 < tiers && !(over[i] = oversubscription(n, i, down[i], up[i])))
            return write_fail(d, "the capacity of downlinks is no multiple of that of uplinks");
    }
    fprintf(out, "Nodes %u\nTiers %d\nPodsize %u\n", tree_hosts(n), tiers, n->tors * n->hosts);
    for (int i = 0; i < tiers; i++)
        tier_write(out, i,
                   (const uint64_t[TIER_KEYS]){(uint64_t)(n->rate_bps[i] / BPS_PER_GBPS), link[i], down[i], up[i],
                                               of_switch[i], over[i], n->bundle[i]});
    return true;
}

static bool htsim_write(const struct fabric *f, FILE *out, struct diag *d) {
    struct tree n;
    if (!tree_of(f, &n)) return write_fail(d, "the tiers are not divided evenly");
    struct tree_check links = {.f = f, .n = &n}, names = {.f = f, .usual = true};
    if (!tree_links(&n, link_same, &links) || links.at != format_links(f)) {
        char name[FABRIC_LINK_NAME_MAX], why[FABRIC_LINK_NAME_MAX + 64];
        fabric_link_name(f, links.at ? links.at - 1 : 0, name, sizeof name);
        snprintf(why, sizeof why, "link %s is not where, or what, it would be in one", name);
        return write_fail(d, why);
    }
    if (!tree_write(&n, out, d)) return false;
    tree_nodes(&n, name_same, &names);
    if (names.usual) return true;
    fputc('\n', out);
    format_names_write(f, out);
    return true;
}

/* Returns whether the first line is one of the head. */
static bool htsim_looks(const char *text, size_t size) {
    struct words w;
    words_init(&w, "", text, size, NULL);
    bool head = words_line(&w) && w.n == 2 && key_find(&w.word[0], head_key, HEAD_KEYS) >= 0;
    while (head && words_line(&w))
        if (word_is_name(&w.word[0], "Tier")) return true;
    return false;
}

const struct fabric_format format_htsim = {
    .doc = "a topology of htsim (.topo): a fat-tree by its sizes",
    .read = htsim_read,
    .write = htsim_write,
    .looks = htsim_looks,
};
