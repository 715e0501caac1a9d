/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/lab_print.h"

#include "base/text.h"
#include "cmd/lab_program.h"
#include "live/lab/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lab_print(const struct lab *lab) {
    const struct lab_host *a = &lab->host[0], *b = &lab->host[lab->n_hosts - 1];
    const char *named = strcmp(lab->name, LAB_DEFAULT) == 0 ? "" : " --name ";
    const char *name = *named ? lab->name : "";
    printf("lab %s: %u switches, %u hosts, %s %s to %s %s\n", lab->name, lab->n_switches, lab->n_hosts, a->name,
           a->address, b->name, b->address);
    char *first = text_shell(a->name);
    printf("  heddle lab exec%s%s %s%s ping -c 3 %s\n", named, name, a->name[0] == '-' ? "-- " : "", first,
           names_reach(lab, 0, lab->n_hosts - 1) ? b->name : b->address);
    free(first);
    printf("  heddle lab status%s%s\n", named, name);
    printf("  heddle lab down%s%s\n", named, name);
}

void lab_print_nodes(const struct lab *lab) {
    printf("%-24s %-16s %s\n", "node", "address", "namespace");
    for (uint32_t n = 0; n < lab->n_nodes; n++) {
        const struct lab_host *h = n < lab->n_hosts ? &lab->host[n] : NULL;
        printf("%-24s %-16s %s", lab->node[n].name, lab->node[n].address, h ? h->space : lab->switches);
        if (h && h->image) printf("  %s, image %s", lab->tool, h->image);
        printf("\n");
    }
}

void lab_print_links(const json_t *links) {
    printf("%-24s %-5s %6s %10s %9s %8s\n", "link", "is", "load %", "queue B", "dropped", "pauses");
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *l = json_array_get(links, i);
        printf("%-24s %-5s %6.1f %10lld %9lld %8lld\n", json_string_value(json_object_get(l, "name")),
               json_is_true(json_object_get(l, "up")) ? "up" : "down",
               100 * json_number_value(json_object_get(l, "load")),
               (long long)json_integer_value(json_object_get(l, "queue_bytes")),
               (long long)json_integer_value(json_object_get(l, "drops")),
               (long long)json_integer_value(json_object_get(l, "pauses")));
    }
}

static json_int_t dropped_for(const json_t *switches, const char *cause) {
    json_int_t n = 0;
    for (size_t i = 0; i < json_array_size(switches); i++) {
        const json_t *frames = json_object_get(json_array_get(switches, i), "frames");
        n += json_integer_value(json_object_get(json_object_get(frames, "dropped"), cause));
    }
    return n;
}

void lab_print_strays(const json_t *switches) {
    json_int_t ttl = dropped_for(switches, "ttl"), no_route = dropped_for(switches, "no_route");
    if (ttl + no_route > 0)
        printf("dropped apart from links: %lld whose TTL had expired, %lld without a route\n", (long long)ttl,
               (long long)no_route);
}
