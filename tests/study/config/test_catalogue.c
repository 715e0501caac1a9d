/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of all families, as experiment files, `heddle list` and the documents use them. Every test loops over the
 * tables, so it covers new rows. */
#include "study/config/catalogue.h"

#include "base/units.h"
#include "fabric/fabric.h"
#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/crossbar/crossbar.h"
#include "mech/flowctl/flowctl.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"
#include "study/assemble/assemble.h"
#include "study/config/needs.h"
#include "study/config/schemes.h"
#include "study_test.h"
#include "workload/workload.h"

#include <stdlib.h>

/* ---- rows ---- */

static void catalogue__every_row_has_a_name_a_source_and_a_doc(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        if (!item[i].name || !item[i].name[0] || !item[i].doc || !item[i].doc[0]) fail_msg("row %zu", i);
        if (!item[i].paper || !item[i].paper[0]) fail_msg("%s %s: no source", item[i].family, item[i].name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(item[i].family, item[k].family) == 0) assert_string_not_equal(item[i].name, item[k].name);
    }
}

static void catalogue__every_family_has_rows(void **state) {
    (void)state;
    size_t n, n_items;
    const struct catalogue_family *f = catalogue_families(&n);
    const struct catalogue_item *item = catalogue_items(&n_items);
    for (size_t i = 0; i < n; i++) {
        size_t rows = 0;
        for (size_t k = 0; k < n_items; k++) rows += strcmp(item[k].family, f[i].name) == 0;
        if (rows < 1) fail_msg("%s is empty", f[i].name);
        assert_ptr_equal(catalogue_family_of(f[i].key), &f[i]);
    }
}

/* The catalogue and the family's own look-up find the same row for each name. */
static void catalogue__rows_are_found_by_name(void **state) {
    (void)state;
    static const struct {
        const char *family;
        const void *(*find)(const char *name);
    } of[] = {
        {"balance", (const void *(*)(const char *))balancer_find},
        {"admit", (const void *(*)(const char *))admission_find},
        {"schedule", (const void *(*)(const char *))schedule_find},
        {"flowctl", (const void *(*)(const char *))flowctl_find},
        {"crossbar", (const void *(*)(const char *))crossbar_find},
        {"transports", (const void *(*)(const char *))transport_find},
        {"fabrics", (const void *(*)(const char *))fabric_find},
        {"workloads", (const void *(*)(const char *))workload_find},
    };
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t f = 0; f < sizeof of / sizeof *of; f++) {
        for (size_t i = 0; i < n; i++)
            if (strcmp(item[i].family, of[f].family) == 0) assert_ptr_equal(of[f].find(item[i].name), item[i].row);
        assert_null(of[f].find("nothing"));
    }
}

static void catalogue_names__of_a_family_and_of_a_feature(void **state) {
    (void)state;
    char *all = catalogue_names("schedule", NULL), *some = catalogue_names("transports", "credits");
    size_t n, n_all = 0, n_some = 0;
    const struct schedule_ops *const *schedule = schedules(&n);
    for (size_t i = 0; i < n; i++) n_all += choice_index(all, schedule[i]->name) == (int64_t)i;
    assert_int_equal(n_all, n);
    const struct transport_ops *const *transport = transports(&n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(choice_index(some, transport[i]->name) >= 0, transport[i]->needs.credit);
        n_some += transport[i]->needs.credit;
    }
    assert_true(n_some > 0 && n_some < n);
    free(all);
    free(some);
}

/* ---- the key that names a row ---- */

static void schema__a_choice_is_the_names_of_its_family(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    for (size_t i = 0; i < n; i++) {
        const struct key *k = schema_find(f[i].key);
        assert_non_null(k);
        if (k->kind != KEY_VALUE) continue; /* schemes, presets and sizes have names only */
        char *names = catalogue_names(f[i].name, NULL);
        assert_string_equal(k->param.choices, names);
        if (k->def) assert_true(choice_index(names, k->def) >= 0);
        free(names);
    }
}

/* ---- keys beside it ---- */

static size_t beside(const struct catalogue_item *item, const struct param *out[64]) {
    size_t n = 0;
    for (const struct param *const *p = item->keys; p && *p; p++) out[n++] = *p;
    for (size_t i = 0; !item->block && i < item->n_params; i++) out[n++] = &item->params[i];
    assert_true(n < 64);
    return n;
}

static const struct key *key_beside(const struct catalogue_item *item, const char *name) {
    size_t n;
    const struct catalogue_family *f = catalogue_families(&n);
    while (strcmp(f->name, item->family) != 0) f++;
    char path[KEY_PATH_MAX];
    snprintf(path, sizeof path, "%.*s.%s", (int)(strrchr(f->key, '.') - f->key), f->key, name);
    const struct key *k = schema_find(path);
    if (!k) fail_msg("%s: there is no key %s", item->name, path);
    return k;
}

static void schema__a_key_applies_to_the_rows_that_have_it(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        const struct param *own[64];
        size_t n_own = beside(&item[i], own);
        for (size_t k = 0; k < n_own; k++) {
            const struct key *key = key_beside(&item[i], own[k]->name);
            const char *names = key->when ? strchr(key->when, '=') + 1 : NULL;
            if (names && choice_index(names, item[i].name) < 0) fail_msg("%s: %s", item[i].name, key->path);
            assert_int_equal(key->param.type, own[k]->type);
            assert_int_equal(key->param.min, own[k]->min);
            assert_int_equal(key->param.max, own[k]->max);
            if (own[k]->choices) assert_string_equal(key->param.choices, own[k]->choices);
            if (own[k]->text) assert_string_equal(key->def ? key->def : PARAM_REQUIRED, own[k]->text);
        }
    }
}

/* The configuration of a run is printed in the order of the table. Its text is part of the run's identity. */
static void schema__keeps_the_order_of_every_row(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        const struct param *own[64];
        const struct key *before = NULL;
        size_t n_own = beside(&item[i], own);
        for (size_t k = 0; k < n_own; k++) {
            const struct key *key = key_beside(&item[i], own[k]->name);
            assert_true(!before || key > before);
            before = key;
        }
    }
}

static bool has_key(const struct catalogue_item *item, const char *name) {
    const struct param *own[64];
    size_t n = beside(item, own);
    for (size_t i = 0; i < n; i++)
        if (strcmp(own[i]->name, name) == 0) return true;
    return false;
}

/* Asserts that a key applies to the rows of the item's family that have it: always if all have it, else to the rows that its
 * condition names. */
static void applies_to_its_rows(const struct catalogue_item *of, const struct param *p) {
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    const char *when = key_beside(of, p->name)->when, *names = when ? strchr(when, '=') + 1 : NULL;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(item[i].family, of->family) != 0) continue;
        bool named = !names || choice_index(names, item[i].name) >= 0;
        if (named != has_key(&item[i], p->name)) fail_msg("%s: %s: %s", p->name, item[i].name, when ? when : "always");
    }
}

static void schema__a_key_applies_to_no_other_row(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        const struct param *own[64];
        size_t n_own = beside(&item[i], own);
        for (size_t k = 0; k < n_own; k++)
            if (!own[k]->when) applies_to_its_rows(&item[i], own[k]);
    }
}

static void schema__a_key_of_all_rows_always_applies(void **state) {
    (void)state;
    assert_null(schema_find("fabric.rate")->when);
    assert_non_null(schema_find("fabric.core_rate")->when);
    assert_non_null(schema_find("switch.drr_quantum")->when);
}

/* Asserts that the condition of a key is written out as the rows that have a feature. */
static void applies_with(const char *key, const char *deciding, const char *family, const char *feature) {
    char *names = catalogue_names(family, feature), expected[400];
    snprintf(expected, sizeof expected, "%s=%s", deciding, names);
    assert_string_equal(schema_find(key)->when, expected);
    free(names);
}

static void schema__features_are_written_out(void **state) {
    (void)state;
    applies_with("switch.credit_queue", "host.transport", "transports", "credits");
    applies_with("workload.0.burst", "transport", "transports", "bursts");
    assert_string_equal(schema_find("switch.clairvoyant.epoch")->when, "balance=clairvoyant");
    assert_null(schema_find("clairvoyant.epoch"));
}

/* ---- docs/keys.md ---- */

static int count_of(const char *text, const char *part) {
    int n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) n++;
    return n;
}

static char *docs_text(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    schema_print_docs(out);
    fclose(out);
    return text;
}

static void print_docs__a_key_or_counter_that_transports_share_stands_once(void **state) {
    (void)state;
    char *text = docs_text();
    assert_int_equal(count_of(text, "\n| `host.NAME.syn_rto` | "), 1);
    assert_int_equal(count_of(text, ".syn_rto`"), 1);
    assert_non_null(strstr(text, "\n| `host.NAME.ecn` | true or false | false; true with dctcp, hull | "));
    assert_int_equal(count_of(text, "`counters.tcp_timeouts`"), 1);
    assert_non_null(strstr(text, "\n| `counters.tcp_timeouts` | newreno, cubic, "));
    free(text);
}

/* Each key stands under its own path or, if several rows have it, under NAME. */
static void print_docs__has_every_key(void **state) {
    (void)state;
    char *text = docs_text(), own[300], shared[300];
    size_t n;
    const struct key *k = schema_keys(&n);
    for (size_t i = 0; i < n; i++) {
        snprintf(own, sizeof own, "\n| `%s` | ", k[i].path);
        snprintf(shared, sizeof shared, "\n| `%.*s.NAME.%s` | ", (int)strcspn(k[i].path, "."), k[i].path,
                 key_name(&k[i]));
        if (count_of(text, own) + count_of(text, shared) == 0) fail_msg("%s is not in the document", k[i].path);
        assert_true(count_of(text, own) <= 1);
    }
    free(text);
}

/* ---- what rows need ---- */

static void needed__keys_exist_and_take_the_value(void **state) {
    (void)state;
    size_t n;
    const struct catalogue_item *item = catalogue_items(&n);
    for (size_t i = 0; i < n; i++) {
        for (const struct need *need = item[i].needed; need && need->key; need++) {
            const struct key *k = schema_find(need->key);
            int64_t value;
            char why[384] = "there is no such key";
            if (!k || !param_parse(&k->param, need->value, &value, why, sizeof why))
                fail_msg("%s needs %s: %s: %s", item[i].name, need->key, need->value, why);
            assert_true(k->needed);
        }
    }
}

static void needed__is_a_default_below_file_and_scheme(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "host: {transport: dctcp}\n");
    assert_string_equal(text_at(e, 0, "switch.admit"), "ecn");
    experiment_free(e);
    e = read_text(STAR PERMUTATION "host: {transport: dctcp}\nswitch: {admit: droptail}\n");
    assert_string_equal(text_at(e, 0, "switch.admit"), "droptail");
    experiment_free(e);
    e = read_text(STAR PERMUTATION "scheme: hull\n");
    assert_string_equal(text_at(e, 0, "switch.admit"), "phantom");
    experiment_free(e);
}

/* Keys of hosts depend on the hosts' own transport, keys of ports on all transports in use. */
static void needed__of_an_entry_of_the_workload(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR "host: {transport: expresspass}\nworkload:\n"
                                          "  - {kind: permutation, sizes: 1KB, transport: dctcp}\n"
                                          "  - {kind: permutation, sizes: 1KB, transport: spraypass}\n");
    assert_string_equal(text_at(e, 0, "switch.admit"), "ecn");
    assert_string_equal(text_at(e, 0, "host.credit_spread"), "0B");
    experiment_free(e);
}

static void needed__flow_control_holds_frames(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "switch: {crossbar: islip}\n"
                                                      "sweep: {switch.flowctl: [none, pause, pfc]}\n");
    assert_string_equal(text_at(e, 0, "switch.islip.full"), "drop");
    assert_string_equal(text_at(e, 1, "switch.islip.full"), "hold");
    assert_string_equal(text_at(e, 2, "switch.islip.full"), "hold");
    experiment_free(e);
}

/* The hash is symmetric only if a transport in use needs symmetric paths and nothing else provides them. */
static void needed__symmetric_paths(void **state) {
    (void)state;
    static const struct {
        const char *more, *hash;
    } row[] = {
        {"host: {transport: dctcp}\n", "asymmetric"},
        {"host: {transport: expresspass}\n", "symmetric"},
        {"host: {transport: spraypass}\n", "symmetric"},
        {"host: {transport: expresspass}\nswitch: {record_path: true}\n", "asymmetric"},
        {"host: {transport: expresspass}\nswitch: {ecmp: {hash: asymmetric}}\n", "asymmetric"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[512];
        snprintf(text, sizeof text, STAR PERMUTATION "%s", row[i].more);
        struct experiment *e = read_text(text);
        assert_string_equal(text_at(e, 0, "switch.ecmp.hash"), row[i].hash);
        experiment_free(e);
    }
    struct experiment *e = read_text(STAR "workload: [{kind: permutation, sizes: 1KB, transport: expresspass}]\n");
    assert_string_equal(text_at(e, 0, "switch.ecmp.hash"), "symmetric");
    experiment_free(e);
}

/* ---- DESIGN 3: host.transport alone can be swept ---- */

#define FABRIC "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"

/* Returns an experiment with "sweep: {host.transport: [newreno, ...]}" over every row of the table. */
static struct experiment *sweep_of_transports(void) {
    char text[1024], *names = catalogue_names("transports", NULL);
    for (char *c = names; *c; c++)
        if (*c == '|') *c = ',';
    snprintf(text, sizeof text, FABRIC PERMUTATION "sweep: {host.transport: [%s]}\n", names);
    free(names);
    return read_text(text);
}

static void sweep__of_transports_needs_no_other_word(void **state) {
    (void)state;
    struct experiment *e = sweep_of_transports();
    size_t n;
    transports(&n);
    assert_int_equal(e->n_runs, n);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {0};
        struct assembly *a = assembly_create(&e->run[i].config, "", &d);
        if (!a) fail_msg("%s: %s", text_at(e, i, "host.transport"), d.text);
        assert_int_equal(a->world.switches.credit.on, a->world.hosts.transport[0]->needs.credit);
        assembly_free(a);
    }
    experiment_free(e);
}

static bool is_of_switches(const char *path) { return strncmp(path, "switch.", 7) == 0; }

/* The ports get the same settings as under the scheme of the transport's name, except settings that only the scheme
 * has. */
/* Returns how many schemes a cell names, `expeditus` in backticks; fails for a name that no scheme has. `-sized` ends names
 * and `switch.balance: ecmp` is a key. */
static size_t schemes_named(const char *cell) {
    size_t n, named = 0;
    const struct scheme *table = schemes(&n);
    for (const char *c = cell; (c = strchr(c, '`')) != NULL;) {
        char name[64];
        size_t length = strcspn(c + 1, "`");
        snprintf(name, sizeof name, "%.*s", (int)length, c + 1);
        c += length + 2;
        if (name[0] == '-' || strchr(name, ':')) continue;
        if (!scheme_find(table, n, name)) fail_msg("no scheme is named %s", name);
        named++;
    }
    return named;
}

static void scheme_answers__name_schemes(void **state) {
    (void)state;
    size_t n;
    const struct scheme_answer *a = scheme_answers(&n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        assert_true(schemes_named(a[i].take) > 0);
        schemes_named(a[i].compare);
    }
}

static void sweep__ports_are_as_in_the_schemes_of_the_transports(void **state) {
    (void)state;
    static const char *const only_schemes[][2] = {
        {"spraypass", "switch.credit_queue"},   /* a value of the authors' scripts */
        {"expresspass", "switch.credit_drop"}}; /* AM-36 */
    struct experiment *e = sweep_of_transports();
    size_t differ = 0;
    for (size_t i = 0; i < e->n_runs; i++) {
        const char *name = text_at(e, i, "host.transport");
        size_t n;
        const struct scheme *table = schemes(&n);
        if (!scheme_find(table, n, name)) continue;
        char text[512];
        snprintf(text, sizeof text, FABRIC PERMUTATION "scheme: %s\n", name);
        struct experiment *s = read_text(text);
        for (size_t k = 0; k < e->run[i].config.n; k++) {
            const struct setting *mine = &e->run[i].config.setting[k];
            if (!is_of_switches(mine->path) || strcmp(mine->text, text_at(s, 0, mine->path)) == 0) continue;
            if (mine->none && strcmp(text_at(s, 0, mine->path), "(none)") == 0) continue;
            bool known = false;
            for (size_t o = 0; o < sizeof only_schemes / sizeof *only_schemes; o++)
                known |= strcmp(name, only_schemes[o][0]) == 0 && strcmp(mine->path, only_schemes[o][1]) == 0;
            if (!known) fail_msg("%s: %s is %s", name, mine->path, mine->text);
            differ++;
        }
        experiment_free(s);
    }
    assert_int_equal(differ, 2);
    experiment_free(e);
}

/* ---- names of schemes ---- */

static const char *reading_suffix(const char *name) {
    static const char *const suffix[] = {"-printed", "-literal"};
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        size_t length = strlen(name), tail = strlen(suffix[i]);
        if (length > tail && strcmp(name + length - tail, suffix[i]) == 0) return name + length - tail;
    }
    return NULL;
}

/* A suffix for a reading has the scheme that it reads beside it; no other scheme is a reading. */
static void schemes__suffixes_name_readings(void **state) {
    (void)state;
    size_t n, readings = 0;
    const struct scheme *table = schemes(&n);
    for (size_t i = 0; i < n; i++) {
        const char *suffix = reading_suffix(table[i].name);
        if ((suffix != NULL) != (table[i].use == SCHEME_READING))
            fail_msg("%s: %s", table[i].name, scheme_use_word(table[i].use));
        if (!suffix) continue;
        char base[64];
        snprintf(base, sizeof base, "%.*s", (int)(suffix - table[i].name), table[i].name);
        if (!scheme_find(table, n, base)) fail_msg("%s: there is no %s", table[i].name, base);
        readings++;
    }
    assert_true(readings > 0);
}

static void needs_text__names_who_needs_what(void **state) {
    (void)state;
    char buf[256];
    assert_string_equal(needs_text(schema_find("switch.admit"), buf, sizeof buf),
                        "droptail; ecn with dctcp; phantom with hull");
    assert_string_equal(needs_text(schema_find("switch.islip.full"), buf, sizeof buf), "drop; hold with pause, pfc");
    assert_string_equal(needs_text(schema_find("switch.ecmp.hash"), buf, sizeof buf),
                        "asymmetric; symmetric with expresspass, spraypass");
    assert_string_equal(needs_text(schema_find("switch.ecn_threshold_per_10g"), buf, sizeof buf), "99970B");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(print_docs__a_key_or_counter_that_transports_share_stands_once),
        UNIT(print_docs__has_every_key),
        UNIT(catalogue__every_row_has_a_name_a_source_and_a_doc),
        UNIT(catalogue__every_family_has_rows),
        UNIT(catalogue__rows_are_found_by_name),
        UNIT(catalogue_names__of_a_family_and_of_a_feature),
        UNIT(schema__a_choice_is_the_names_of_its_family),
        UNIT(schema__a_key_applies_to_the_rows_that_have_it),
        UNIT(schema__keeps_the_order_of_every_row),
        UNIT(schema__a_key_of_all_rows_always_applies),
        UNIT(schema__a_key_applies_to_no_other_row),
        UNIT(schema__features_are_written_out),
        UNIT(needed__keys_exist_and_take_the_value),
        UNIT(needed__is_a_default_below_file_and_scheme),
        UNIT(needed__of_an_entry_of_the_workload),
        UNIT(needed__flow_control_holds_frames),
        UNIT(needed__symmetric_paths),
        UNIT(sweep__of_transports_needs_no_other_word),
        UNIT(scheme_answers__name_schemes),
        UNIT(sweep__ports_are_as_in_the_schemes_of_the_transports),
        UNIT(schemes__suffixes_name_readings),
        UNIT(needs_text__names_who_needs_what),
    };
    return RUN_UNITS(tests);
}
