/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"
#include "study/assemble/fill.h"
#include "study/assemble/moments.h"
#include "study/config/measure_keys.h"

#include <string.h>

/* Returns the place of `key` of a list's i-th item, for errors about the item. */
static struct diag item_place(const struct config *c, const char *list, size_t i, const char *key) {
    char item[KEY_PATH_MAX], path[KEY_PATH_MAX];
    struct diag d = {0};
    config_fail(c, &d, path_join(path, path_item(item, list, i), key), "%s", "");
    return d;
}

/* The lists of links were filled by fabric_change_keys; these functions complete and check their items. */
static bool links_complete(const struct config *c, const struct fabric_spec *spec, struct diag *d) {
    struct link_override *link = (struct link_override *)spec->links;
    for (uint32_t i = 0; i < spec->n_links; i++) {
        char path[KEY_PATH_MAX];
        link[i].where = item_place(c, "fabric.links", i, "match");
        if (link[i].rate_bps == 0 && link[i].delay < 0 && link[i].loss_ppb < 0)
            return config_fail(c, d, path_item(path, "fabric.links", i), "%s changes nothing; give rate, delay or loss",
                               path);
    }
    return true;
}

static void failed_complete(const struct config *c, const struct fabric_spec *spec) {
    struct link_failure *failed = (struct link_failure *)spec->failed;
    for (uint32_t i = 0; i < spec->n_failed; i++) failed[i].where = item_place(c, "fabric.failed", i, "link");
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

static bool random_complete(const struct config *c, const struct fabric_spec *spec, struct diag *d) {
    struct random_failures *random = (struct random_failures *)spec->fail_random;
    for (uint32_t i = 0; i < spec->n_fail_random; i++) {
        if (!random_tier_check(c, i, spec->kind, random[i].named, d)) return false;
        random[i].link_tier = random[i].named == LINKS_AGG_CORE ? TIER_AGG : TIER_LEAF;
        random[i].where = item_place(c, "fabric.fail_random", i, "links");
    }
    return true;
}

/* Sets the rates and delays that no key gives to fabric.rate and fabric.delay. */
static bool speeds_fill(const struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    int64_t *const rate[] = {&spec->host_bps, &spec->uplink_bps, &spec->core_bps};
    span_ps *const delay[] = {&spec->host_delay, &spec->uplink_delay, &spec->core_delay};
    for (size_t i = 0; i < 3; i++) {
        if (*rate[i] < 1) *rate[i] = spec->rate_bps;
        if (*delay[i] < 0) *delay[i] = spec->delay;
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
        .kind = config_row(c, "fabrics", "fabric.kind"),
        .host_delay = -1,
        .uplink_delay = -1,
        .core_delay = -1,
        .memory_bytes = c->force ? 0 : machine_memory_bytes(),
        .port_bytes = world_port_bytes(),
    };
    struct run_keys run;
    fill_params(&f, "run", run_keys, &run);
    spec.seed = run.seed;
    if (!fill_list(&f, "fabric", spec.kind->keys, &spec) || !fill_params(&f, "fabric", fabric_change_keys, &spec))
        return false;
    spec.own = fill_values(&f, "fabric", spec.kind->params, spec.kind->n_params);
    config_fail(c, &spec.where, "fabric.kind", "%s", "");
    failed_complete(c, &spec);
    if (!failure_moments_set(a, c, &spec, d)) return false;
    if (!lab_failures_check(c, d)) return false;
    if (!speeds_fill(a, c, &spec, d)) return false;
    if (!links_complete(c, &spec, d) || !random_complete(c, &spec, d)) return false;
    a->fabric_spec = spec;
    a->fabric = fabric_create(&spec, d);
    return a->fabric != NULL;
}
