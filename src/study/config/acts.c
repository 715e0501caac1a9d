/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/acts.h"

#include "base/units.h"
#include "study/config/catalogue.h"
#include "study/config/config_index.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a key needs for an effect ---- */

/* Needs of keys that are no parameters; a parameter's row has its own `needs` (base/param.h). At least one word of
 * `needs` must hold; if a key has several rows, all of them. A word is a path (* for any name), or a sibling's name if
 * it has no dot. It holds if that key is set to anything but none, 0 or false. "!KEY" holds if KEY does not. "KEY>N"
 * and "KEY=a|b" compare the value. "KEY:FEATURE" holds if KEY names a row with the feature (study/config/catalogue.c),
 * "@FEATURE" if a transport in use has it. */
static const struct {
    const char *key, *needs, *why;
} rows[] = {
    {"switch.schedule", "classes>1", "ports have one class (switch.classes)"},
    {"measure.snap", "measure.pcap", "nothing is captured (measure.pcap)"},
    {"measure.max_samples", "queues links pauses goodput", "no samples are taken (measure.queues, links, ...)"},
    {"measure.convergence.band", "interval", "convergence is not measured (measure.convergence.interval)"},
};

/* Keys without effect on real frames, by what stands in their place. A key has one after all if a word of `unless`
 * holds. */
#define KERNEL "the kernel's TCP has its own"
#define NO_SAMPLES "a lab takes no samples"
#define NO_NIC                                                                                                         \
    "without --nic on, hosts have a NIC of heddle only under flow control, with several classes or if it drops "       \
    "(nic_full)"
#define HAS_NIC "!switch.flowctl=none switch.classes>1 host.nic_full=drop"
static const struct {
    const char *key, *why, *unless;
} live_rows[] = {
    {.key = "host.bonding", .why = "hosts on real frames have one link"},
    {.key = "host.nic", .why = NO_NIC, .unless = HAS_NIC},
    {.key = "host.nic", .why = "the NIC of a lab's host is a fifo", .unless = "nic=fifo"},
    {.key = "host.nic_queue", .why = NO_NIC, .unless = HAS_NIC},
    {.key = "host.nic_full", .why = NO_NIC, .unless = HAS_NIC},
    {.key = "switch.pause_storm", .why = "a lab counts no pause storms"},
    {.key = "host.jitter", .why = "hosts have the kernel's stack"},
    {.key = "host.processing_delay", .why = "hosts have the kernel's stack"},
    {.key = "host.*.receive_window", .why = KERNEL},
    {.key = "host.*.delayed_ack", .why = KERNEL},
    {.key = "host.*.delayed_ack_timeout", .why = KERNEL},
    {.key = "host.*.initial_rto", .why = KERNEL},
    {.key = "host.*.syn_rto", .why = KERNEL},
    {.key = "host.*.handshake_sample", .why = KERNEL},
    {.key = "host.*.max_rto", .why = KERNEL},
    {.key = "host.*.dupack_threshold", .why = KERNEL},
    {.key = "host.*.limited_transmit", .why = KERNEL},
    {.key = "host.*.ecn", .why = "the kernel's TCP has ECN if the switches mark"},
    {.key = "host.*.fin", .why = KERNEL},
    {.key = "measure.queues", .why = NO_SAMPLES},
    {.key = "measure.links", .why = NO_SAMPLES},
    {.key = "measure.pauses", .why = NO_SAMPLES},
    {.key = "measure.imbalance", .why = NO_SAMPLES},
    {.key = "measure.imbalance_min_load", .why = NO_SAMPLES},
    {.key = "measure.goodput", .why = NO_SAMPLES},
    {.key = "measure.jain.*", .why = NO_SAMPLES},
    {.key = "measure.convergence.*", .why = NO_SAMPLES},
    {.key = "measure.max_samples", .why = NO_SAMPLES},
    {.key = "measure.flow.*", .why = "the kernel tells no timeline of a flow"},
    {.key = "measure.pcap.*", .why = "heddle lab capture writes captures"},
    {.key = "measure.snap", .why = "heddle lab capture writes captures"},
};

static size_t parts_of(const char *path) {
    size_t n = 1;
    for (; *path; path++) n += *path == '.';
    return n;
}

bool path_is_meant(const char *pattern, const char *path) {
    if (!strchr(pattern, '*')) return strcmp(pattern, path) == 0;
    return parts_of(pattern) == parts_of(path) && fnmatch(pattern, path, 0) == 0;
}

/* ---- one run ---- */

static bool is_set(const struct setting *s) {
    bool number = s->key->kind == KEY_VALUE && s->key->param.type != PARAM_CHOICE;
    return !s->none && !(number && s->value == 0);
}

/* Writes the path that a word of `needs` of `key` names. */
static void word_path(const char *word, size_t length, const char *key, char *out) {
    const char *dot = strrchr(key, '.');
    if (memchr(word, '.', length) || !dot) {
        snprintf(out, KEY_PATH_MAX, "%.*s", (int)length, word);
    } else {
        snprintf(out, KEY_PATH_MAX, "%.*s.%.*s", (int)(dot - key), key, (int)length, word);
    }
}

static bool is_in_use(const struct config *c, const char *transport) {
    for (size_t i = 0; i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        bool says = strcmp(s->path, "host.transport") == 0 || path_is_meant("workload.*.transport", s->path);
        if (says && strcmp(s->text, transport) == 0) return true;
    }
    return false;
}

static bool some_transport(const struct config *c, const char *feature) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(item[i].family, "transports") == 0 && catalogue_has(&item[i], feature) && is_in_use(c, item[i].name))
            return true;
    return false;
}

/* Returns whether the row that `path` names has the feature. */
static bool row_has(const struct config *c, const char *path, const char *feature) {
    const struct catalogue_family *f = catalogue_family_of(path);
    const char *name = config_text(c, "%s", path);
    const struct catalogue_item *item = f && name ? catalogue_find(f->name, name) : NULL;
    return item && catalogue_has(item, feature);
}

static bool word_holds(const struct config *c, const char *word, const char *key) {
    char path[KEY_PATH_MAX];
    bool contrary = *word == '!';
    word += contrary;
    if (*word == '@') return some_transport(c, word + 1);
    size_t length = strcspn(word, ">=:");
    const char *rest = word + length;
    word_path(word, length, key, path);
    if (*rest == ':') return row_has(c, path, rest + 1) != contrary;
    bool holds = false;
    const struct config_range r = config_range(c, path);
    size_t known = strlen(path);
    for (size_t i = r.first; i < r.end && !holds; i++) {
        const struct setting *s = &c->setting[i];
        bool item = strncmp(s->path, path, known) == 0 && s->path[known] == '.'; /* a list that has items */
        if (!item && !path_is_meant(path, s->path)) continue;
        holds = *rest == '>'   ? !s->none && s->value > strtoll(rest + 1, NULL, 10)
                : *rest == '=' ? choice_index(rest + 1, s->text) >= 0
                               : item || is_set(s);
    }
    return holds != contrary;
}

static bool row_holds(const struct config *c, const char *needs, const char *key) {
    char words[128], *rest = words, *word;
    snprintf(words, sizeof words, "%s", needs);
    while ((word = strtok_r(rest, " ", &rest)))
        if (word_holds(c, word, key)) return true;
    return false;
}

/* Returns why a key has no effect on real frames; NULL if it may have one. */
static const char *live_fail(const struct config *c, const char *key) {
    for (size_t i = 0; i < sizeof live_rows / sizeof *live_rows; i++) {
        const char *unless = live_rows[i].unless;
        if (path_is_meant(live_rows[i].key, key) && !(unless && row_holds(c, unless, key))) return live_rows[i].why;
    }
    return NULL;
}

/* Returns why a key that applies has no effect; NULL if it may have one. */
static const char *needs_fail(const struct config *c, const struct setting *s) {
    const struct param *p = &s->key->param;
    const char *key = s->path;
    const char *live = c->is_live ? live_fail(c, key) : NULL;
    if (live) return live;
    if (p->needs && !row_holds(c, p->needs, key)) return p->lacks;
    if (p->needs_too && !row_holds(c, p->needs_too, key)) return p->lacks_too;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (path_is_meant(rows[i].key, key) && !row_holds(c, rows[i].needs, key)) return rows[i].why;
    return NULL;
}

bool setting_is_refused(const struct config *c, const struct setting *s) {
    const struct param *p = &s->key->param;
    return p->refuse && s->given && is_set(s) && !row_holds(c, p->needs_too, s->path);
}

/* Keys that are defaults of keys beside them, and more than that if a word of `also` holds: links between the switches of
 * a file have no keys of their own. */
static const struct { const char *key, *also; } defaults[] = {{"fabric.rate", "path"}, {"fabric.delay", "path"}};

static bool is_more_than_default(const struct config *c, const struct setting *s) {
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(defaults[i].key, s->path) == 0 && row_holds(c, defaults[i].also, s->path)) return true;
    return false;
}

/* True if the key is only a default of other keys and all of these are given. Names them in `why`. */
static bool is_overruled(const struct config *c, const struct setting *s, char *why, size_t size) {
    if (!s->key->lends || is_more_than_default(c, s)) return false;
    size_t n, heirs = 0, used = 0;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        char parent[KEY_PATH_MAX], path[KEY_PATH_MAX];
        if (!k[i].def || k[i].def[0] != '=' || strcmp(k[i].def + 1, key_name(s->key)) != 0) continue;
        snprintf(parent, sizeof parent, "%.*s", (int)(strlen(s->path) - strlen(key_name(s->key)) - 1), s->path);
        if (!key_is_child(&k[i], parent)) continue;
        const struct setting *heir = config_find(c, "%s", path_join(path, parent, key_name(&k[i])));
        if (!heir) continue;
        if (!heir->given) {
            why[0] = '\0';
            return false;
        }
        used += (size_t)snprintf(why + used, size - used, "%s%s", heirs ? ", " : "", key_name(&k[i]));
        if (used >= size) used = size - 1;
        heirs++;
    }
    if (heirs) snprintf(why + used, size - used, " %s", heirs > 1 ? "are all given" : "is given");
    return heirs > 0;
}

const char *setting_lacks(const struct config *c, const struct setting *s, char *why, size_t size) {
    const char *lacks = needs_fail(c, s);
    if (!lacks) return is_overruled(c, s, why, size) ? why : NULL;
    snprintf(why, size, "%s", lacks);
    return why;
}
