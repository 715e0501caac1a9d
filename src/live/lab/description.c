/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/description.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "live/lab/folder.h"
#include "live/lab/run.h"
#include "live/lab/spaces.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

bool lab_name_is_fit(const char *name, struct diag *d) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (n > 0 && n == strlen(name) && n <= LAB_NAME_MAX) return true;
    return diag_say(d, "'%.40s' is no name for a lab: at most %d letters, digits, - and _", name, LAB_NAME_MAX);
}

bool lab_place(struct lab *lab, const char *state, const char *name, struct diag *d) {
    if (!lab_name_is_fit(name, d)) return false;
    snprintf(lab->name, sizeof lab->name, "%s", name);
    int n = snprintf(lab->folder, sizeof lab->folder, "%s/%s", state, name);
    snprintf(lab->socket, sizeof lab->socket, "%s/%s/switches.sock", state, name);
    snprintf(lab->log, sizeof lab->log, "%s/%s/switches.log", state, name);
    return n < LAB_PATH_MAX - 20 || diag_fail_in(d, state, "too long a path");
}

/* Writes STATE/LAB/HOST.KIND, such as HOST.sock and HOST.log. */
const char *lab_nic_path(const struct lab *lab, uint32_t host, const char *kind, char path[LAB_PATH_MAX]) {
    snprintf(path, LAB_PATH_MAX, "%.400s/%.64s.%s", lab->folder, lab->host[host].name, kind);
    return path;
}

const char *lab_nic_socket(const struct lab *lab, uint32_t host, char path[LAB_PATH_MAX]) {
    return lab_nic_path(lab, host, "sock", path);
}

/* Returns true if a process may get real-time priority. The two ends of a lossless link must react in time: at 100 Mbps
 * the room above a pause threshold lasts ten milliseconds, and a process may wait that long for a busy machine. */
static bool may_be_in_time(void) {
    struct diag none = {0};
    return run_program((char *[]){"chrt", "--rr", "1", "true", NULL}, NULL, NULL, &none);
}

static char *address_text(uint32_t ip) {
    char *text = text_format("%u.%u.%u.%u", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255);
    return ip ? text : (text[0] = 0, text);
}

static void nodes_describe(struct lab *lab, const struct fabric *f) {
    lab->n_nodes = f->n_nodes;
    lab->node = memory_get(f->n_nodes, sizeof *lab->node);
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        char name[FABRIC_NODE_NAME_MAX];
        uint32_t ip = n < f->n_hosts ? fabric_host_ip(f, n) : fabric_switch_ip(f, n);
        lab->node[n] = (struct lab_node){.name = strdup(fabric_node_name(f, n, name, sizeof name)),
                                         .address = address_text(ip),
                                         .tier = f->node[n].tier,
                                         .pod = f->node[n].pod,
                                         .index = f->node[n].index};
    }
}

static void links_describe(struct lab *lab, const struct fabric *f) {
    uint32_t n_ports = f->paths.first_port[f->n_nodes];
    lab->link = memory_get(n_ports / 2 + 1, sizeof *lab->link);
    for (uint32_t i = 0; i < n_ports; i++) {
        const struct place_port *p = &f->paths.port[i];
        char name[FABRIC_LINK_NAME_MAX];
        if (p->node > p->neighbour) continue; /* the link's other port is listed too */
        uint32_t lower = fabric_port_lower(f, p->node, p->port);
        fabric_port_link(f, p->node, p->port, name, sizeof name);
        lab->link[lab->n_links++] = (struct lab_link){strdup(name), {lower, lower == p->node ? p->neighbour : p->node}};
    }
}

void lab_describe(struct lab *lab, const struct lab_setup *setup) {
    const struct fabric *f = setup->fabric;
    lab->n_hosts = f->n_hosts;
    lab->n_switches = f->n_switches;
    lab->has_nics = setup->nic != NULL;
    lab->is_in_time = lab->has_nics && may_be_in_time();
    if (setup->dctcp_g_ppb > 0 && !congestion_is_there("dctcp")) dctcp_name(lab->folder, lab->dctcp);
    lab->file = realpath(setup->file, NULL);
    lab->options = strdup(setup->options ? setup->options : "");
    lab->host = memory_get(f->n_hosts, sizeof *lab->host);
    lab->switches = space_name(lab->name, SPACE_OF_SWITCHES);
    if (setup->id)
        snprintf(lab->id, sizeof lab->id, "%s", setup->id);
    else
        lab_id_draw(lab->id);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        char name[FABRIC_NODE_NAME_MAX];
        fabric_node_name(f, h, name, sizeof name);
        lab->host[h].name = strdup(name);
        lab->host[h].address = address_text(fabric_host_ip(f, h));
        lab->host[h].space = space_name(lab->name, name);
        if (setup->image && setup->image[h]) lab->host[h].image = strdup(setup->image[h]);
    }
    nodes_describe(lab, f);
    links_describe(lab, f);
}

char *lab_description_path(const struct lab *lab) { return text_format("%s/" RECORD, lab->folder); }

json_t *lab_nodes_json(const struct lab *lab) {
    json_t *nodes = json_array();
    for (const struct lab_node *n = lab->node; n < lab->node + lab->n_nodes; n++)
        json_array_append_new(nodes,
                              json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", n->name, "address", n->address, "tier",
                                        (json_int_t)n->tier, "pod", (json_int_t)n->pod, "index", (json_int_t)n->index));
    return nodes;
}

static json_t *links_json(const struct lab *lab) {
    json_t *links = json_array();
    for (const struct lab_link *l = lab->link; l < lab->link + lab->n_links; l++)
        json_array_append_new(
            links, json_pack("{s:s, s:[I, I]}", "name", l->name, "ends", (json_int_t)l->end[0], (json_int_t)l->end[1]));
    return links;
}

/* A text that is no UTF-8 makes no JSON, so its host, node or link is missing from the array. */
bool lab_write(const struct lab *lab, struct diag *d) {
    json_t *o = json_object(), *hosts = json_array(), *nodes = lab_nodes_json(lab), *links = links_json(lab);
    json_object_set_new(o, "name", json_string(lab->name));
    json_object_set_new(o, "id", json_string(lab->id));
    json_object_set_new(o, "file", json_string(lab->file ? lab->file : ""));
    json_object_set_new(o, "options", json_string(lab->options));
    json_object_set_new(o, "switches", json_string(lab->switches));
    json_object_set_new(o, "n_switches", json_integer(lab->n_switches));
    json_object_set_new(o, "nics", json_boolean(lab->has_nics));
    json_object_set_new(o, "dctcp", json_string(lab->dctcp));
    json_object_set_new(o, "tool", json_string(lab->tool));
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        json_array_append_new(hosts, json_pack("{s:s, s:s, s:s, s:s*}", "name", lab->host[h].name, "namespace",
                                               lab->host[h].space, "address", lab->host[h].address, "image",
                                               lab->host[h].image));
    json_object_set_new(o, "hosts", hosts);
    json_object_set_new(o, "nodes", nodes);
    json_object_set_new(o, "links", links);
    bool is_whole = json_array_size(hosts) == lab->n_hosts && json_array_size(nodes) == lab->n_nodes &&
                    json_array_size(links) == lab->n_links;
    char *text = json_dumps(o, JSON_INDENT(1));
    bool good =
        is_whole ? folder_put_record(lab, text, d) : diag_say(d, "a name in the fabric is no UTF-8; rename the node");
    free(text);
    json_decref(o);
    return good;
}

static char *copied(const json_t *o, const char *key) {
    const char *text = json_string_value(json_object_get(o, key));
    return strdup(text ? text : "");
}

static void lab_read_hosts(struct lab *lab, const json_t *hosts) {
    lab->n_hosts = (uint32_t)json_array_size(hosts);
    lab->host = memory_get(lab->n_hosts, sizeof *lab->host);
    for (uint32_t h = 0; h < lab->n_hosts; h++) {
        const json_t *host = json_array_get(hosts, h);
        const char *image = json_string_value(json_object_get(host, "image"));
        lab->host[h] = (struct lab_host){copied(host, "name"), copied(host, "namespace"), copied(host, "address"),
                                         image ? strdup(image) : NULL};
    }
}

static uint32_t number_of(const json_t *o, const char *key) {
    return (uint32_t)json_integer_value(json_object_get(o, key));
}

static void lab_read_nodes(struct lab *lab, const json_t *nodes) {
    lab->n_nodes = (uint32_t)json_array_size(nodes);
    lab->node = memory_get(lab->n_nodes + 1, sizeof *lab->node);
    for (uint32_t i = 0; i < lab->n_nodes; i++) {
        const json_t *n = json_array_get(nodes, i);
        lab->node[i] = (struct lab_node){copied(n, "name"), copied(n, "address"), number_of(n, "tier"),
                                         number_of(n, "pod"), number_of(n, "index")};
    }
}

/* Reads links between existing nodes. */
static void lab_read_links(struct lab *lab, const json_t *links) {
    size_t n = json_array_size(links);
    lab->link = memory_get(n + 1, sizeof *lab->link);
    for (size_t i = 0; i < n; i++) {
        const json_t *l = json_array_get(links, i), *ends = json_object_get(l, "ends");
        struct lab_link *link = &lab->link[lab->n_links];
        for (size_t k = 0; k < 2; k++) link->end[k] = (uint32_t)json_integer_value(json_array_get(ends, k));
        if (link->end[0] >= lab->n_nodes || link->end[1] >= lab->n_nodes) continue;
        link->name = copied(l, "name");
        lab->n_links++;
    }
}

static void text_read(const json_t *o, const char *key, char *text, size_t size) {
    const char *value = json_string_value(json_object_get(o, key));
    snprintf(text, size, "%s", value ? value : "");
}

/* Names of labs, as "a, b and 3 more". */
struct lab_names {
    char text[200];
    size_t n, more;
};

static void names_add(void *to, const char *name) {
    struct lab_names *l = to;
    size_t used = strlen(l->text);
    if (used + strlen(name) + 20 > sizeof l->text)
        l->more++;
    else
        snprintf(l->text + used, sizeof l->text - used, "%s%s", l->n++ ? ", " : "", name);
}

bool lab_fail_missing(const char *state, const char *name, struct diag *d) {
    struct lab_names l = {.n = 0};
    labs_each(state, names_add, &l);
    size_t used = strlen(l.text);
    if (l.more) snprintf(l.text + used, sizeof l.text - used, " and %zu more", l.more);
    if (l.n == 0)
        return diag_say(d, "there is no lab '%s'; make it with heddle lab up FILE.yaml --name %s", name, name);
    return diag_say(d, "there is no lab '%s', but %s; --name chooses one, heddle lab up FILE.yaml --name %s makes one",
                    name, l.text, name);
}

#define RECORD_MOST_BYTES (64 << 20) /* some 300 bytes for each node and link */

/* Returns what the file says; NULL: it is no JSON, no plain file, or longer than a record. */
static json_t *json_of_file(const char *path) {
    size_t n;
    char *text = input_read(path, RECORD_MOST_BYTES, &n, NULL);
    json_t *o = text ? json_loadb(text, n, 0, NULL) : NULL;
    free(text);
    return o;
}

/* Reads the record. Returns NULL after filling *d: there is none, or it is not whole. */
static json_t *record_load(const char *state, const struct lab *lab, struct diag *d) {
    char *path = lab_description_path(lab);
    json_t *o = json_of_file(path);
    bool is_whole = json_array_size(json_object_get(o, "hosts")) > 0 && json_is_string(json_object_get(o, "switches"));
    if (!is_whole && (o || folder_has_record(lab)))
        diag_fail_in(d, path, "no record of a lab; heddle lab down --name %s removes what is left of the lab",
                     lab->name);
    else if (!is_whole)
        lab_fail_missing(state, lab->name, d);
    free(path);
    if (is_whole) return o;
    json_decref(o);
    return NULL;
}

struct lab *lab_find(const char *state, const char *name, struct diag *d) {
    struct lab *lab = memory_one(sizeof *lab);
    if (!lab_place(lab, state, name, d)) {
        free(lab);
        return NULL;
    }
    json_t *o = record_load(state, lab, d);
    if (!o) {
        free(lab);
        return NULL;
    }
    lab->file = copied(o, "file");
    lab->options = copied(o, "options");
    lab->switches = copied(o, "switches");
    text_read(o, "dctcp", lab->dctcp, sizeof lab->dctcp);
    text_read(o, "tool", lab->tool, sizeof lab->tool);
    text_read(o, "id", lab->id, sizeof lab->id);
    lab->is_unmarked = !lab->id[0];
    lab->n_switches = (uint32_t)json_integer_value(json_object_get(o, "n_switches"));
    lab->has_nics = json_is_true(json_object_get(o, "nics"));
    lab_read_hosts(lab, json_object_get(o, "hosts"));
    lab_read_nodes(lab, json_object_get(o, "nodes"));
    lab_read_links(lab, json_object_get(o, "links"));
    json_decref(o);
    return lab;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

void labs_each(const char *state, void (*fn)(void *to, const char *name), void *to) {
    struct dirent **entry = NULL;
    int n = scandir(state, &entry, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        fn(to, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

uint32_t lab_node_find(const struct lab *lab, const char *name) {
    for (uint32_t n = 0; n < lab->n_nodes; n++)
        if (strcmp(lab->node[n].name, name) == 0) return n;
    return LAB_NO_NODE;
}

void lab_free(struct lab *lab) {
    if (!lab) return;
    for (uint32_t h = 0; h < lab->n_hosts; h++) {
        free(lab->host[h].name);
        free(lab->host[h].space);
        free(lab->host[h].address);
        free(lab->host[h].image);
    }
    for (uint32_t n = 0; n < lab->n_nodes; n++) {
        free(lab->node[n].name);
        free(lab->node[n].address);
    }
    for (uint32_t l = 0; l < lab->n_links; l++) free(lab->link[l].name);
    free(lab->node);
    free(lab->link);
    free(lab->host);
    free(lab->file);
    free(lab->options);
    free(lab->switches);
    free(lab);
}
