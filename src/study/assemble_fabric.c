#include "study/assemble_parts.h"

#include "study/experiment.h"

#include <string.h>

static uint32_t count_of(const struct config *c, const char *key) {
    return (uint32_t)config_value(c, 0, "fabric.%s", key);
}

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

/* The two names of the links above the racks are not for the same fabrics; one from a file may have either. */
static bool random_tier_check(const struct config *c, size_t i, enum fabric_kind kind, const char *tier,
                              struct diag *d) {
    bool pods = kind == FABRIC_CLOS || kind == FABRIC_FAT_TREE, two_tiers = kind == FABRIC_LEAF_SPINE;
    const char *right = pods && strcmp(tier, "leaf-spine") == 0     ? "tor-agg"
                        : two_tiers && strcmp(tier, "tor-agg") == 0 ? "leaf-spine"
                                                                    : NULL;
    char list[KEY_PATH_MAX], path[KEY_PATH_MAX];
    if (!right) return true;
    path_join(path, path_item(list, "fabric.fail_random", i), "tier");
    return config_fail(c, d, path, "this fabric has no %s links; its uplinks are %s", tier, right);
}

static bool random_fill(struct assembly *a, const struct config *c, struct fabric_spec *spec, struct diag *d) {
    spec->n_fail_random = config_count(c, "fabric.fail_random");
    struct random_failures *f = assembly_own(a, spec->n_fail_random, sizeof *f);
    for (size_t i = 0; i < spec->n_fail_random; i++) {
        const char *tier = config_text(c, "fabric.fail_random.%zu.tier", i);
        if (!random_tier_check(c, i, spec->kind, tier, d)) return false;
        f[i] = (struct random_failures){
            .link_tier = strcmp(tier, "agg-core") == 0 ? 2 : 1,
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

/* Links between peers have the core's rate in a fabric_spec; experiment files call them uplinks. */
static void rates_fill(const struct config *c, struct fabric_spec *spec) {
    bool in_a_row = spec->kind == FABRIC_DUMBBELL || spec->kind == FABRIC_PARKING_LOT;
    int64_t rate = config_value(c, 0, "fabric.rate"), delay = config_value(c, 0, "fabric.delay");
    spec->host_bps = config_value(c, rate, "fabric.host_rate");
    spec->uplink_bps = config_value(c, rate, "fabric.uplink_rate");
    spec->core_bps = config_value(c, rate, in_a_row ? "fabric.uplink_rate" : "fabric.core_rate");
    spec->host_delay = config_value(c, delay, "fabric.host_link_delay");
    spec->uplink_delay = config_value(c, delay, "fabric.uplink_delay");
    spec->core_delay = config_value(c, delay, in_a_row ? "fabric.uplink_delay" : "fabric.core_delay");
}

bool assemble_fabric(struct assembly *a, const struct config *c, const char *base_dir, struct diag *d) {
    bool two_tiers = config_value(c, 0, "fabric.kind") == FABRIC_LEAF_SPINE;
    struct fabric_spec spec = {
        .kind = (enum fabric_kind)config_value(c, 0, "fabric.kind"),
        .pods = count_of(c, "pods"),
        .tors = count_of(c, two_tiers ? "leaves" : "tors"),
        .aggs = count_of(c, two_tiers ? "spines" : "aggs"),
        .cores = count_of(c, "cores"),
        .hosts = count_of(c, "hosts"),
        .k = count_of(c, "k"),
        .pairs = count_of(c, "pairs"),
        .bottlenecks = count_of(c, "bottlenecks"),
        .seed = (uint64_t)config_value(c, 0, "run.seed"),
        .memory_bytes = c->force ? 0 : machine_memory_bytes(),
        .port_bytes = world_port_bytes(),
    };
    const char *path = config_text(c, "fabric.path");
    char full[1024];
    if (path) spec.path = path_from(base_dir, path, full, sizeof full);
    config_fail(c, &spec.where, "fabric.kind", "%s", "");
    rates_fill(c, &spec);
    failed_fill(a, c, &spec);
    if (!links_fill(a, c, &spec, d) || !random_fill(a, c, &spec, d)) return false;
    a->fabric = fabric_create(&spec, d);
    return a->fabric != NULL;
}
