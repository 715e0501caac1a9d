/* SPDX-License-Identifier: Apache-2.0 */
/* Names of links: both ends, either first, joined by a dash.
 *
 * Names of nodes may have dashes themselves, so a name is tried at each of its dashes. One that is the name of two links
 * (a-b-c: from a to b-c, and from a-b to c) names none. Such a link is printed with its upper end first where that name
 * is its own.
 */
#include <stdio.h>
#include <string.h>

#include "fabric/fabric_build.h"

/* Writes "LOWER-UPPER", or "UPPER-LOWER" if `turned`, without the number of parallel links. */
static void link_ends(const struct fabric *f, const struct fabric_link *link, bool turned, char *buf, size_t size) {
    fabric_node_name(f, turned ? link->upper : link->lower, buf, size);
    size_t used = strlen(buf);
    if (used + 1 < size) buf[used++] = '-';
    fabric_node_name(f, turned ? link->lower : link->upper, buf + used, size - used);
}

/* ---- from names to links ---- */

/* The links that a name may mean: the first two between different nodes. */
struct readings {
    uint32_t link[2];
    int n;
};

static bool joins_same_nodes(const struct fabric *f, uint32_t a, uint32_t b) {
    const struct fabric_link *all = fabric_store(f)->link;
    return all[a].lower == all[b].lower && all[a].upper == all[b].upper;
}

static void readings_add(struct readings *r, const struct fabric *f, uint32_t node, uint16_t port) {
    uint32_t link = fabric_store(f)->port_link[f->paths.first_port[node] + port];
    if (r->n == 0 || (r->n == 1 && !joins_same_nodes(f, r->link[0], link))) r->link[r->n++] = link;
}

static struct readings link_readings(const struct fabric *f, const char *name) {
    struct readings r = {.n = 0};
    size_t length = strlen(name);
    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-')) {
        uint32_t a, b, none, parallel;
        size_t before = (size_t)(dash - name);
        if (memchr(name, '#', before)) break;
        if (!name_split_parallel(f, name, before, &a, &none)) continue;
        if (!name_split_parallel(f, dash + 1, length - before - 1, &b, &parallel)) continue;
        uint16_t port = port_towards(f, a, b, parallel);
        if (port != PORT_NONE) readings_add(&r, f, a, port);
    }
    return r;
}

/* Writes a name of the link that no other link has. Returns false if it has none. */
static bool link_own_name(const struct fabric *f, uint32_t link, char *buf, size_t size) {
    for (int turned = 0; turned < 2; turned++) {
        link_ends(f, &fabric_store(f)->link[link], turned, buf, size);
        if (link_readings(f, buf).n < 2) return true;
    }
    return false;
}

bool fabric_link_is_clear(const struct fabric *f, const char *name, char *why, size_t size) {
    struct readings r = link_readings(f, name);
    if (r.n < 2) return true;
    const struct fabric_link *a = &fabric_store(f)->link[r.link[0]], *b = &fabric_store(f)->link[r.link[1]];
    char text[4][FABRIC_NODE_NAME_MAX], own[2][FABRIC_LINK_NAME_MAX];
    bool each =
        link_own_name(f, r.link[0], own[0], sizeof own[0]) && link_own_name(f, r.link[1], own[1], sizeof own[1]);
    int n = snprintf(
        why, size, "%.140s is the link of %s and %s and that of %s and %s; ", name,
        fabric_node_name(f, a->lower, text[0], sizeof text[0]), fabric_node_name(f, a->upper, text[1], sizeof text[1]),
        fabric_node_name(f, b->lower, text[2], sizeof text[2]), fabric_node_name(f, b->upper, text[3], sizeof text[3]));
    if (n < 0 || (size_t)n >= size) return false;
    snprintf(why + n, size - (size_t)n, each ? "write %s or %s" : "rename one of these nodes", own[0], own[1]);
    return false;
}

bool fabric_link_find(const struct fabric *f, const char *name, uint32_t *link, char *why, size_t size) {
    struct readings r = link_readings(f, name);
    char hint[400];
    *link = r.link[0];
    if (r.n == 1) return true;
    if (r.n > 1) return fabric_link_is_clear(f, name, why, size);
    snprintf(why, size, "there is no link \"%.80s\"; write NODE-NODE of two neighbours, nodes are %s", name,
             fabric_names_hint(f, "", hint, sizeof hint));
    return false;
}

bool fabric_link_end(const struct fabric *f, const char *name, uint32_t *node, uint16_t *port, char *why, size_t size) {
    uint32_t i;
    if (!fabric_link_find(f, name, &i, why, size)) return false;
    const struct place_port *p = &f->paths.port[fabric_store(f)->link[i].lower_port];
    *node = p->node;
    *port = p->port;
    return true;
}

/* ---- from links to names ---- */

const char *fabric_link_name(const struct fabric *f, uint32_t i, char *buf, size_t size) {
    const struct fabric_link *link = &fabric_store(f)->link[i];
    bool own = f->kind->naming == NAMES_OWN && link_own_name(f, i, buf, size);
    if (!own) link_ends(f, link, false, buf, size);
    size_t used = strlen(buf);
    if (link->parallel > 0) snprintf(buf + used, size - used, "#%u", link->parallel);
    return buf;
}

const char *fabric_port_link(const struct fabric *f, uint32_t node, uint16_t port, char *buf, size_t size) {
    return fabric_link_name(f, fabric_store(f)->port_link[f->paths.first_port[node] + port], buf, size);
}

uint32_t fabric_port_lower(const struct fabric *f, uint32_t node, uint16_t port) {
    return fabric_store(f)->link[fabric_store(f)->port_link[f->paths.first_port[node] + port]].lower;
}

/* ---- patterns ---- */

/* Returns whether the pattern matches the whole text; * is any number of characters, ? is one. */
static bool glob(const char *pattern, const char *text) {
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

bool fabric_link_matches(const struct fabric *f, uint32_t i, const char *pattern) {
    const struct fabric_link *link = &fabric_store(f)->link[i];
    char name[FABRIC_LINK_NAME_MAX + 16];
    for (int turned = 0; turned < 2; turned++) {
        link_ends(f, link, turned, name, FABRIC_LINK_NAME_MAX);
        if (glob(pattern, name)) return true; /* a pattern without # matches all parallel links */
        size_t used = strlen(name);
        snprintf(name + used, sizeof name - used, "#%u", link->parallel);
        if (glob(pattern, name)) return true;
    }
    return false;
}
