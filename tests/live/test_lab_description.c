/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a lab: what lab_describe says of a fabric is what lab_find reads back. */
#include "live/lab/description.h"

#include "fabric/fabric_test.h"
#include "live/lab/folder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-record-XXXXXX"; /* where this program runs */

static struct lab *placed(const char *name) {
    struct lab *lab = calloc(1, sizeof *lab);
    struct diag d = {0};
    assert_true(lab_place(lab, "state", name, &d));
    return lab;
}

/* Writes the record of a lab. */
static void record(struct lab *lab) {
    struct diag d = {0};
    int lock = folder_lock(lab, "state", &d);
    assert_true(lock >= 0);
    if (!lab_write(lab, &d)) fail_msg("%s", d.text);
    folder_unlock(lab, lock);
}

static void removed(const char *name) {
    char path[100];
    snprintf(path, sizeof path, "state/%s/" RECORD, name);
    unlink(path);
    snprintf(path, sizeof path, "state/%s", name);
    assert_int_equal(rmdir(path), 0);
}

static void same(const struct lab *a, const struct lab *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->folder, b->folder);
    assert_string_equal(a->socket, b->socket);
    assert_string_equal(a->log, b->log);
    assert_string_equal(a->file, b->file);
    assert_string_equal(a->options, b->options);
    assert_string_equal(a->switches, b->switches);
    assert_string_equal(a->tool, b->tool);
    assert_string_equal(a->dctcp, b->dctcp);
    assert_int_equal(a->has_nics, b->has_nics);
    assert_int_equal(a->n_hosts, b->n_hosts);
    assert_int_equal(a->n_switches, b->n_switches);
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_links, b->n_links);
    for (uint32_t h = 0; h < a->n_hosts; h++) {
        assert_string_equal(a->host[h].name, b->host[h].name);
        assert_string_equal(a->host[h].space, b->host[h].space);
        assert_string_equal(a->host[h].address, b->host[h].address);
        assert_int_equal(!a->host[h].image, !b->host[h].image);
        if (a->host[h].image) assert_string_equal(a->host[h].image, b->host[h].image);
    }
    for (uint32_t n = 0; n < a->n_nodes; n++) {
        assert_string_equal(a->node[n].name, b->node[n].name);
        assert_string_equal(a->node[n].address, b->node[n].address);
        assert_int_equal(a->node[n].tier, b->node[n].tier);
        assert_int_equal(a->node[n].pod, b->node[n].pod);
        assert_int_equal(a->node[n].index, b->node[n].index);
    }
    for (uint32_t l = 0; l < a->n_links; l++) {
        assert_string_equal(a->link[l].name, b->link[l].name);
        for (int k = 0; k < 2; k++) assert_int_equal(a->link[l].end[k], b->link[l].end[k]);
    }
}

/* Two leaves with two hosts each, two spines; each link once, its lower node first. */
static void describe__the_fabric(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(2, 2, 2));
    struct lab *lab = placed("fabric");
    char *nic[] = {"heddle", NULL};
    const char *const image[4] = {NULL, "localhost/image", NULL, NULL};
    const struct lab_setup setup = {
        .file = "..", .options = " --run 3", .id = "0123456789abcdef", .fabric = f, .nic = nic, .image = image};
    lab_describe(lab, &setup);
    assert_string_equal(lab->folder, "state/fabric");
    assert_string_equal(lab->socket, "state/fabric/switches.sock");
    assert_string_equal(lab->log, "state/fabric/switches.log");
    assert_string_equal(lab->file, "/tmp");
    assert_string_equal(lab->switches, "heddle-fabric.switches");
    assert_int_equal(lab->n_hosts, 4);
    assert_int_equal(lab->n_switches, 4);
    assert_int_equal(lab->n_nodes, 8);
    assert_int_equal(lab->n_links, 8);
    assert_true(lab->has_nics && !lab->is_unmarked && !lab->dctcp[0] && !lab->tool[0]);

    static const char *const name[] = {"host0.0", "host0.1", "host1.0", "host1.1",
                                       "leaf0",   "leaf1",   "spine0",  "spine1"};
    char text[40];
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t ip = n < 4 ? fabric_host_ip(f, n) : fabric_switch_ip(f, n);
        snprintf(text, sizeof text, "%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255);
        assert_string_equal(lab->node[n].name, name[n]);
        assert_string_equal(lab->node[n].address, text);
        assert_int_equal(lab->node[n].tier, f->node[n].tier);
        assert_int_equal(lab->node[n].pod, f->node[n].pod);
        assert_int_equal(lab->node[n].index, f->node[n].index);
        assert_int_equal(lab_node_find(lab, name[n]), n);
        if (n >= 4) continue;
        snprintf(text, sizeof text, "heddle-fabric.%s", name[n]);
        assert_string_equal(lab->host[n].name, name[n]);
        assert_string_equal(lab->host[n].space, text);
        assert_string_equal(lab->host[n].address, lab->node[n].address);
    }

    assert_true(!lab->host[0].image && !lab->host[2].image);
    assert_string_equal(lab->host[1].image, "localhost/image");
    assert_int_equal(lab_node_find(lab, "leaf2"), LAB_NO_NODE);
    uint32_t seen = 0;
    for (uint32_t l = 0; l < lab->n_links; l++) {
        const struct lab_link *x = &lab->link[l];
        snprintf(text, sizeof text, "%s-%s", name[x->end[0]], name[x->end[1]]);
        assert_string_equal(x->name, text);
        assert_true(x->end[0] < x->end[1]);
        seen |= 1u << (x->end[0] < 4 ? x->end[0] : 4 + 2 * (x->end[0] - 4) + x->end[1] - 6);
    }
    assert_int_equal(seen, 0xff);
    char path[LAB_PATH_MAX];
    assert_string_equal(lab_nic_socket(lab, 1, path), "state/fabric/host0.1.sock");
    assert_string_equal(lab_nic_path(lab, 2, "log", path), "state/fabric/host1.0.log");
    record(lab);
    struct diag d = {0};
    struct lab *found = lab_find("state", "fabric", &d);
    assert_non_null(found);
    same(lab, found);
    assert_false(found->is_unmarked);
    lab_free(found);
    lab_free(lab);
    fabric_destroy(f);
    removed("fabric");
    lab_free(NULL);
}

/* What is not given is empty, and the id is drawn. A program of the lab's own for DCTCP only where the kernel has none. */
static void describe__without_options(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(2));
    struct lab *lab = placed("bare"), *other = placed("bare");
    const struct lab_setup setup = {.file = "/no file", .fabric = f, .dctcp_g_ppb = 1};
    lab_describe(lab, &setup);
    lab_describe(other, &setup);
    assert_null(lab->file);
    assert_string_equal(lab->options, "");
    assert_false(lab->has_nics || lab->is_in_time);
    assert_int_equal(strlen(lab->id), LAB_ID_BYTES - 1);
    assert_string_not_equal(lab->id, other->id);
    char name[CONGESTION_NAME_MAX] = "";
    if (!congestion_is_there("dctcp")) dctcp_name(lab->folder, name);
    assert_string_equal(lab->dctcp, name);
    record(lab);
    struct diag d = {0};
    struct lab *found = lab_find("state", "bare", &d);
    assert_non_null(found);
    assert_string_equal(found->file, "");
    assert_string_equal(found->dctcp, name);
    assert_false(found->has_nics);
    lab_free(found);
    lab_free(other);
    lab_free(lab);
    fabric_destroy(f);
    removed("bare");
}

/* A record without one of its hosts would be that of another lab. */
static void write__a_name_that_no_record_can_hold(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(2));
    struct lab *lab = placed("odd");
    lab_describe(lab, &(struct lab_setup){.file = "..", .fabric = f});
    char *const name[] = {lab->host[1].name, lab->node[2].name, lab->link[1].name};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct diag d = {0};
        char first = name[i][0];
        name[i][0] = (char)0xff;
        assert_false(lab_write(lab, &d));
        assert_string_equal(d.text, "a name in the fabric is no UTF-8; rename the node");
        name[i][0] = first;
    }
    lab_free(lab);
    fabric_destroy(f);
}

/* ---- names and places ---- */

static void place__of_a_lab(void **state) {
    (void)state;
    struct diag d = {0};
    assert_true(lab_name_is_fit("Lab_1-x", &d));
    assert_true(lab_name_is_fit("01234567890123456789012345678901", &d));
    static const char *const none[] = {"", "a.b", "a b", "../x", "012345678901234567890123456789012"};
    char text[120];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(lab_name_is_fit(none[i], &d));
        snprintf(text, sizeof text, "'%s' is no name for a lab: at most 32 letters, digits, - and _", none[i]);
        assert_string_equal(d.text, text);
        assert_null(lab_find("state", none[i], &d));
    }
    struct lab lab = {0};
    char state_folder[LAB_PATH_MAX];
    memset(state_folder, 'x', sizeof state_folder);
    state_folder[LAB_PATH_MAX - 23] = 0; /* with /x it is as long as a folder may be, and its files still fit */
    assert_true(lab_place(&lab, state_folder, "x", &d));
    assert_int_equal(strlen(lab.socket), LAB_PATH_MAX - 23 + strlen("/x/switches.sock"));
    assert_false(lab_place(&lab, state_folder, "xy", &d));
    assert_string_equal(d.text, "too long a path");
}

/* ---- records that are none ---- */

static void record_put(const char *name, const char *text) {
    struct lab *lab = placed(name);
    struct diag d = {0};
    int lock = folder_lock(lab, "state", &d);
    assert_true(folder_put_record(lab, text, &d));
    folder_unlock(lab, lock);
    lab_free(lab);
}

static void no_lab(const char *name, const char *file, const char *text) {
    struct diag d = {0};
    assert_null(lab_find("state", name, &d));
    assert_string_equal(d.file, file);
    assert_string_equal(d.text, text);
}

static void find__a_record_that_is_not_whole(void **state) {
    (void)state;
    static const char *const record[] = {"",
                                         "{",
                                         "[]",
                                         "{\"hosts\": [{\"name\": \"h\"}]}",
                                         "{\"hosts\": [], \"switches\": \"s\"}",
                                         "{\"hosts\": [{\"name\": \"h\"}], \"switches\": 1}"};
    for (size_t i = 0; i < sizeof record / sizeof *record; i++) {
        record_put("cut", record[i]);
        no_lab("cut", "state/cut/lab.json",
               "no record of a lab; heddle lab down --name cut removes what is left of the lab");
    }
    removed("cut");
}

/* An earlier heddle wrote no id and no nodes; links to nodes that are not there are left out. */
static void find__an_older_record(void **state) {
    (void)state;
    struct diag d = {0};
    record_put(
        "old",
        "{\"switches\": \"s\", \"hosts\": [{\"name\": \"h\", \"namespace\": \"n\"}], \"nodes\": [{\"name\": \"h\"}, "
        "{\"name\": \"s\", \"tier\": 2, \"pod\": 3, \"index\": 4}], \"links\": [{\"name\": \"a\", \"ends\": [0, 2]}, "
        "{\"name\": \"b\", \"ends\": [2, 0]}, {\"name\": \"c\", \"ends\": [0, 1]}]}");
    struct lab *lab = lab_find("state", "old", &d);
    assert_non_null(lab);
    assert_true(lab->is_unmarked && !lab->has_nics);
    assert_int_equal(lab->n_hosts, 1);
    assert_string_equal(lab->host[0].name, "h");
    assert_string_equal(lab->host[0].space, "n");
    assert_string_equal(lab->host[0].address, "");
    assert_null(lab->host[0].image);
    assert_int_equal(lab->n_nodes, 2);
    assert_int_equal(lab->node[1].tier, 2);
    assert_int_equal(lab->node[1].pod, 3);
    assert_int_equal(lab->node[1].index, 4);
    assert_int_equal(lab->n_links, 1);
    assert_string_equal(lab->link[0].name, "c");
    assert_int_equal(lab->link[0].end[1], 1);
    assert_string_equal(lab->options, "");
    lab_free(lab);
    removed("old");
}

/* ---- which labs there are ---- */

static void collect(void *to, const char *name) {
    strcat(to, name);
    strcat(to, " ");
}

static void each__in_the_order_of_names(void **state) {
    (void)state;
    char names[200] = "";
    labs_each("no folder", collect, names);
    assert_string_equal(names, "");
    no_lab("x", "", "there is no lab 'x'; make it with heddle lab up FILE.yaml --name x");
    record_put("b", "");
    record_put("a", "");
    assert_int_equal(mkdir("state/.hidden", 0700), 0);
    labs_each("state", collect, names);
    assert_string_equal(names, "a b ");
    no_lab("x", "", "there is no lab 'x', but a, b; --name chooses one, heddle lab up FILE.yaml --name x makes one");
    rmdir("state/.hidden");
    removed("a");
    removed("b");
}

/* Of many labs as many are named as fit, and the others counted. */
static void missing__among_many_labs(void **state) {
    (void)state;
    char name[40], text[400] = "there is no lab 'x', but ";
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "012345678901234567890123456789_%d", i);
        record_put(name, "");
        if (i > 0 && i < 5) strcat(text, ", ");
        if (i < 5) strcat(text, name);
    }
    strcat(text, " and 5 more; --name chooses one, heddle lab up FILE.yaml --name x makes one");
    no_lab("x", "", text);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "012345678901234567890123456789_%d", i);
        removed(name);
    }
}

int main(void) {
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    const struct CMUnitTest tests[] = {
        UNIT(describe__the_fabric),
        UNIT(describe__without_options),
        UNIT(write__a_name_that_no_record_can_hold),
        UNIT(place__of_a_lab),
        UNIT(find__a_record_that_is_not_whole),
        UNIT(find__an_older_record),
        UNIT(each__in_the_order_of_names),
        UNIT(missing__among_many_labs),
    };
    int failed = RUN_UNITS(tests);
    rmdir("state");
    if (rmdir(folder) != 0) return 1;
    return failed;
}
