/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/lab_status.h"

#include "live/control.h"
#include "live/lab/description.h"
#include "live/lab/soundness.h"

#include <stdlib.h>
#include <string.h>

/* ---- the lab ---- */

/* Returns {"name", "address", "nic": status of its NIC}, without "nic" if the host has none or it does not answer. */
static json_t *host_json(const struct lab *lab, uint32_t h) {
    char path[LAB_PATH_MAX];
    struct diag none = {0};
    json_t *o = json_pack("{s:s, s:s, s:s*}", "name", lab->host[h].name, "address", lab->host[h].address, "image",
                          lab->host[h].image);
    char *reply = lab->has_nics ? control_ask(lab_nic_socket(lab, h, path), "status", &none) : NULL;
    if (reply) json_object_set_new(o, "nic", json_loads(reply, 0, NULL));
    free(reply);
    return o;
}

static json_t *hosts_json(const struct lab *lab) {
    json_t *hosts = json_array();
    for (uint32_t h = 0; h < lab->n_hosts; h++) json_array_append_new(hosts, host_json(lab, h));
    return hosts;
}

static json_t *links_json(const struct lab *lab) {
    json_t *links = json_array();
    for (const struct lab_link *l = lab->link; l < lab->link + lab->n_links; l++)
        json_array_append_new(links, json_pack("{s:s, s:[s, s]}", "name", l->name, "ends", lab->node[l->end[0]].name,
                                               lab->node[l->end[1]].name));
    return links;
}

static json_t *lab_json(const struct lab *lab, bool answers) {
    return json_pack("{s:s, s:b, s:o, s:o, s:o}", "name", lab->name, "answers", answers, "hosts", hosts_json(lab),
                     "nodes", lab_nodes_json(lab), "links", links_json(lab));
}

json_t *lab_status_silent(const struct lab *lab, const char *why) {
    json_t *o = lab_json(lab, false);
    json_object_set_new(o, "error", json_string(why));
    json_object_set_new(o, "switches", json_array());
    return o;
}

/* ---- status of the switches ---- */

/* Values summed over the ends of a link, with their keys in a port. */
static const struct {
    const char *key, *of_port;
} summed[] = {{"queue_bytes", "queue_bytes"}, {"drops", "drops"}, {"pauses", "pauses_sent"}};
#define N_SUMMED (sizeof summed / sizeof *summed)

static void link_begin(json_t *link) {
    json_t *ends = json_object_get(link, "ends");
    json_object_set_new(link, "up", json_true());
    json_object_set_new(link, "load", json_real(0));
    for (size_t i = 0; i < N_SUMMED; i++) json_object_set_new(link, summed[i].key, json_integer(0));
    json_object_set_new(link, "ways",
                        json_pack("[{s:O}, {s:O}]", "from", json_array_get(ends, 0), "from", json_array_get(ends, 1)));
}

static void set_load(json_t *link, json_t *way, const json_t *load) {
    if (!load) return;
    json_object_set_new(way, "load", json_real(json_number_value(load)));
    if (json_number_value(load) > json_number_value(json_object_get(link, "load")))
        json_object_set_new(link, "load", json_real(json_number_value(load)));
}

/* Adds the status of the port at one end. */
static void link_add(json_t *link, const char *from, const json_t *port) {
    json_t *ways = json_object_get(link, "ways"), *way = json_array_get(ways, 0), *back = json_array_get(ways, 1);
    if (strcmp(json_string_value(json_object_get(way, "from")), from) != 0) {
        json_t *other = way;
        way = back;
        back = other;
    }
    for (size_t i = 0; i < N_SUMMED; i++) {
        json_int_t value = json_integer_value(json_object_get(port, summed[i].of_port));
        json_int_t sum = json_integer_value(json_object_get(link, summed[i].key));
        json_object_set_new(way, summed[i].key, json_integer(value));
        json_object_set_new(link, summed[i].key, json_integer(sum + value));
    }
    set_load(link, way, json_object_get(port, "load"));
    set_load(link, back, json_object_get(port, "rx_load"));
    json_object_set(link, "rate_bps", json_object_get(port, "rate_bps"));
    if (json_is_false(json_object_get(port, "up"))) json_object_set_new(link, "up", json_false());
}

json_t *lab_status_join(const struct lab *lab, const json_t *said) {
    json_t *o = lab_json(lab, true), *by_name = json_object(), *link, *sw, *port;
    json_t *switches = json_object_get(said, "switches");
    size_t i, k;
    json_array_foreach(json_object_get(o, "links"), i, link) {
        link_begin(link);
        json_object_set(by_name, json_string_value(json_object_get(link, "name")), link);
    }
    json_array_foreach(switches, i, sw) {
        const char *name = json_string_value(json_object_get(sw, "name"));
        json_array_foreach(json_object_get(sw, "ports"), k, port) {
            const char *of = json_string_value(json_object_get(port, "link"));
            if (name && of && (link = json_object_get(by_name, of))) link_add(link, name, port);
        }
    }
    json_object_set(o, "switches", switches);
    static const char *const whole[] = {"fabric", "balancer", "uptime_s"};
    for (i = 0; i < sizeof whole / sizeof *whole; i++) json_object_set(o, whole[i], json_object_get(said, whole[i]));
    json_decref(by_name);
    return o;
}

json_t *lab_status_ask(const struct lab *lab, struct diag *d) {
    char *reply = lab_ask(lab, "status", d);
    if (!reply) return NULL;
    json_t *said = json_loads(reply, 0, NULL), *o = said ? lab_status_join(lab, said) : NULL;
    if (!said) diag_fail_in(d, lab->socket, "the process that answers is no switch of heddle");
    free(reply);
    json_decref(said);
    return o;
}
