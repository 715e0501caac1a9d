/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"
#include "study/assemble/fill.h"

#include <string.h>

/* Returns a diag with the place of `key` of a list's i-th item, for errors about the item. */
static struct diag item_place(const struct config *c, const char *list, size_t i, const char *key) {
    const struct setting *s = config_find(c, "fabric.%s.%zu.%s", list, i, key);
    struct diag d = {0};
    if (s) diag_fail(&d, s->file, s->line, s->col, "%s", "");
    return d;
}

static bool links_fill(struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    spec->n_links = config_count(c, "fabric.links");
    struct link_override *link = assembly_own(a, spec->n_links, sizeof *link);
    for (size_t i = 0; i < spec->n_links; i++) {
        link[i] = (struct link_override){
            .match = config_text(c, "fabric.links.%zu.match", i),
            .rate_bps = config_value(c, 0, "fabric.links.%zu.rate", i),
            .delay = config_value(c, -1, "fabric.links.%zu.delay", i),
            .loss_ppb = config_value(c, -1, "fabric.links.%zu.loss", i),
            .where = item_place(c, "links", i, "match"),
        };
        char path[KEY_PATH_MAX];
        if (link[i].rate_bps == 0 && link[i].delay < 0 && link[i].loss_ppb < 0)
            return config_fail(c, d, path_item(path, "fabric.links", i), "%s changes nothing; give rate, delay or loss",
                               path);
    }
    spec->links = link;
    return true;
}

static void failed_fill(struct assembly *a, const struct config *c, struct fabric_spec *spec) {
    spec->n_failed = config_count(c, "fabric.failed");
    struct link_failure *f = assembly_own(a, spec->n_failed, sizeof *f);
    for (size_t i = 0; i < spec->n_failed; i++) {
        f[i] = (struct link_failure){
            .link = config_text(c, "fabric.failed.%zu.link", i),
            .at = config_value(c, 0, "fabric.failed.%zu.at", i),
            .repair_at = config_value(c, TIME_NONE, "fabric.failed.%zu.repair_at", i),
            .detect = config_value(c, 0, "fabric.failed.%zu.detect", i),
            .rate_bps = config_value(c, 0, "fabric.failed.%zu.rate", i),
            .loss_ppb = config_value(c, 0, "fabric.failed.%zu.loss", i),
            .where = item_place(c, "failed", i, "link"),
        };
    }
    spec->failed = f;
}

/* Fails if the fabric has no links of this tier. The kind of fabric decides whether links above the racks are called
 * tor-agg or leaf-spine; some kinds accept both names. */
static bool random_tier_check(const struct config *c, size_t i, const struct fabric_ops *kind, int64_t tier,
                              struct diag *d) {
    if (tier == LINKS_AGG_CORE || kind->either_uplinks || tier == kind->uplinks) return true;
    char list[KEY_PATH_MAX], path[KEY_PATH_MAX], named[UNITS_TEXT_MAX], right[UNITS_TEXT_MAX];
    const struct param tiers = {.type = PARAM_CHOICE, .choices = PARAM_CHOICES(FABRIC_LINK_TIERS)};
    path_join(path, path_item(list, "fabric.fail_random", i), "tier");
    return config_fail(c, d, path, "this fabric has no %s links; its uplinks are %s",
                       param_print(&tiers, tier, named, sizeof named),
                       param_print(&tiers, kind->uplinks, right, sizeof right));
}

static bool random_fill(struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    spec->n_fail_random = config_count(c, "fabric.fail_random");
    struct random_failures *f = assembly_own(a, spec->n_fail_random, sizeof *f);
    for (size_t i = 0; i < spec->n_fail_random; i++) {
        int64_t tier = config_value(c, LINKS_TOR_AGG, "fabric.fail_random.%zu.tier", i);
        if (!random_tier_check(c, i, spec->kind, tier, d)) return false;
        f[i] = (struct random_failures){
            .link_tier = tier == LINKS_AGG_CORE ? TIER_AGG : TIER_LEAF,
            .pod = (int32_t)config_value(c, -1, "fabric.fail_random.%zu.pod", i),
            .links = (uint32_t)config_value(c, 0, "fabric.fail_random.%zu.links", i),
            .max_per_switch = (uint32_t)config_value(c, 0, "fabric.fail_random.%zu.max_per_switch", i),
            .at = config_value(c, 0, "fabric.fail_random.%zu.at", i),
            .repair_at = config_value(c, TIME_NONE, "fabric.fail_random.%zu.repair_at", i),
            .detect = config_value(c, 0, "fabric.fail_random.%zu.detect", i),
            .where = item_place(c, "fail_random", i, "links"),
        };
    }
    spec->fail_random = f;
    return true;
}

/* The rate of a live link without one. No software sends so much, so frames leave at once; loads are shares of it. */
#define LIVE_RATE_BPS 100000000000LL

/* Sets the rates and delays that no key gives to fabric.rate and fabric.delay. */
static bool speeds_fill(const struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    int64_t *const rate[] = {&spec->host_bps, &spec->uplink_bps, &spec->core_bps};
    span_ps *const delay[] = {&spec->host_delay, &spec->uplink_delay, &spec->core_delay};
    for (size_t i = 0; i < 3; i++) {
        if (*rate[i] < 1) *rate[i] = config_value(c, 0, "fabric.rate");
        if (*delay[i] < 0) *delay[i] = config_value(c, 0, "fabric.delay");
        if (*rate[i] != FABRIC_RATE_NONE) continue;
        if (!a->is_live)
            return config_fail(c, d, "fabric.rate", "rate: none is for heddle switch and heddle lab; give a rate");
        *rate[i] = LIVE_RATE_BPS;
        *delay[i] = 0;
    }
    return true;
}

/* Fails if a lab cannot do what the failures say: its links keep their rate, and its switches detect all after one time. */
static bool lab_failures_check(const struct config *c, struct diag *d) {
    const struct setting *first = NULL;
    for (size_t i = 0; c->is_live && i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        const char *key = s->key->path;
        if (strcmp(key, "fabric.failed.#.rate") == 0 && !s->none)
            return config_fail(c, d, s->path, "a lab cannot change the rate of a link; give it one in fabric.links");
        if (strcmp(key, "fabric.failed.#.detect") != 0 && strcmp(key, "fabric.fail_random.#.detect") != 0) continue;
        if (!first) first = s;
        if (s->value != first->value)
            return config_fail(c, d, s->path,
                               "a lab detects all failures after the same time; %s is %s, so write that here",
                               first->path, first->text);
    }
    return true;
}

bool assemble_fabric(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    const struct fill f = {a, c, base_dir, d};
    struct fabric_spec spec = {
        .kind = fabric_find(config_text(c, "fabric.kind")),
        .host_delay = -1,
        .uplink_delay = -1,
        .core_delay = -1,
        .seed = (uint64_t)config_value(c, 0, "run.seed"),
        .memory_bytes = c->force ? 0 : machine_memory_bytes(),
        .port_bytes = world_port_bytes(),
    };
    if (!fill_list(&f, "fabric", spec.kind->keys, &spec)) return false;
    spec.own = fill_values(&f, "fabric", spec.kind->params, spec.kind->n_params);
    config_fail(c, &spec.where, "fabric.kind", "%s", "");
    failed_fill(a, c, &spec);
    if (!lab_failures_check(c, d)) return false;
    if (!speeds_fill(a, c, &spec, d)) return false;
    if (!links_fill(a, c, &spec, d) || !random_fill(a, c, &spec, d)) return false;
    a->fabric_spec = spec;
    a->fabric = fabric_create(&spec, d);
    return a->fabric != NULL;
}
