/* SPDX-License-Identifier: Apache-2.0 */
/* GraphML, as networkx, igraph, yEd and others write it.
 *
 *   <key id="d0" for="node" attr.name="tier" attr.type="string"/>
 *   <key id="d1" for="edge" attr.name="rate" attr.type="string"/>
 *   <graph edgedefault="undirected">
 *     <node id="s1"><data key="d0">leaf</data></node>
 *     <edge source="s1" target="h1"><data key="d1">10Gbps</data></edge>
 *
 * The id of a node is its name. Attributes count by their attr.name: tier of nodes; rate, delay and loss of edges, as
 * text with a unit. A <default> of a key holds where an element gives no value. Other attributes, ports and elements of
 * other namespaces (drawings of yEd) are not read. An attribute that looks like a rate or a delay under another name is
 * refused: without it the links would silently have the experiment's. Refused too are directed graphs, whose edges are
 * half a link each, graphs in nodes, hyperedges, a second graph, and declarations of entities.
 *
 * Nodes and edges may come in any order, so the ends of edges are looked up at the end.
 */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fabric/fabric_build.h"
#include "fabric/formats.h"

#define VALUE_MAX 256  /* buffer size for the text of a <data>; longer texts are cut, and no value is so long */
#define SEPARATOR '\n' /* between the namespace and the name of an element; no namespace has it */
#define GRAPHML_SPACE "http://graphml.graphdrawing.org/"

/* Attributes that count. */
enum attribute { TIER, RATE, DELAY, LOSS, ATTRIBUTES };
static const struct {
    const char *name;
    bool of_edges;
    bool (*set)(struct file_link *link, const struct file_place *at, const char *text); /* of edges */
} attribute[ATTRIBUTES] = {
    {"tier", false, NULL},
    {"rate", true, link_set_rate},
    {"delay", true, link_set_delay},
    {"loss", true, link_set_loss},
};

/* Names under which other programs keep what belongs into rate and delay. */
static const struct {
    const char *name;
    enum attribute is;
} foreign[] = {{"bandwidth", RATE},    {"capacity", RATE}, {"speed", RATE},        {"bw", RATE},  {"LinkSpeed", RATE},
               {"LinkSpeedRaw", RATE}, {"latency", DELAY}, {"propagation", DELAY}, {"lat", DELAY}};

struct key {
    char *id;
    char *fallback; /* its <default>; NULL: none */
    enum attribute is;
};

/* An edge whose ends are still names. */
struct edge {
    struct file_link link;
    char *end[2];
};

enum element { DOCUMENT, GRAPHML, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA };
#define KEYS_MAX 1000 /* each node and edge is compared with all of them */
#define DEPTH_MAX 5   /* DOCUMENT, GRAPHML, GRAPH, NODE, DATA: other elements are skipped */

struct reader {
    XML_Parser parser;
    const char *path;
    struct diag *d;
    struct file_lists *lists;
    enum element stack[DEPTH_MAX];
    size_t depth; /* elements on the stack */
    size_t skip;  /* depth within an element that is not read */
    bool failed, seen_graph;
    struct key *key;
    size_t n_keys;
    struct edge *edge;
    size_t n_edges;
    bool given[ATTRIBUTES]; /* the current node or edge has a value of its own */
    enum attribute is;      /* of the current <data>, or ATTRIBUTES */
    char text[VALUE_MAX];   /* of the current <data> or <default> */
    size_t n_text;
};

/* ---- errors ---- */

static struct file_place place_of(const struct reader *r) {
    return (struct file_place){r->path, (int)XML_GetCurrentLineNumber(r->parser),
                               (int)XML_GetCurrentColumnNumber(r->parser) + 1, r->d};
}

/* Ends the parse after the diag was filled. */
static void stop(struct reader *r) {
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

#define FAIL(r, ...)                                                                                                   \
    do {                                                                                                               \
        const struct file_place at_ = place_of(r);                                                                     \
        place_fail(&at_, __VA_ARGS__);                                                                                 \
        stop(r);                                                                                                       \
    } while (0)

/* ---- elements ---- */

static const char *xml_attribute(const char **list, const char *name) {
    for (; list[0]; list += 2)
        if (strcmp(list[0], name) == 0) return list[1];
    return NULL;
}

static struct key *key_find(const struct reader *r, const char *id) {
    for (size_t i = 0; id && i < r->n_keys; i++)
        if (strcmp(r->key[i].id, id) == 0) return &r->key[i];
    return NULL;
}

static enum attribute attribute_named(const char *name, bool of_edges) {
    int i = 0;
    while (i < ATTRIBUTES && (strcmp(attribute[i].name, name) != 0 || attribute[i].of_edges != of_edges)) i++;
    return (enum attribute)i;
}

static bool key_is_foreign(struct reader *r, const char *name) {
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (strcasecmp(foreign[i].name, name) != 0) continue;
        FAIL(r, "edges have the attribute '%s', which is not read; name it %s and give it a unit, or remove it", name,
             attribute[foreign[i].is].name);
        return true;
    }
    return false;
}

static void key_begin(struct reader *r, const char **list) {
    const char *id = xml_attribute(list, "id"), *name = xml_attribute(list, "attr.name");
    const char *of = xml_attribute(list, "for");
    bool any = !of || strcmp(of, "all") == 0, edges = any || strcmp(of, "edge") == 0;
    struct key k = {.is = ATTRIBUTES};
    if (!id) FAIL(r, "a key without id; write <key id=\"d0\" for=\"edge\" attr.name=\"rate\"/>");
    if (!id || (name && edges && key_is_foreign(r, name))) return;
    if (r->n_keys == KEYS_MAX) {
        FAIL(r, "more than %d keys; remove the ones without use", KEYS_MAX);
        return;
    }
    if (name && edges) k.is = attribute_named(name, true);
    if (name && k.is == ATTRIBUTES && (any || strcmp(of, "node") == 0)) k.is = attribute_named(name, false);
    k.id = text_copy(id);
    r->key = memory_grow(r->key, r->n_keys + 1, sizeof *r->key);
    r->key[r->n_keys++] = k;
}

static void graph_begin(struct reader *r, const char **list) {
    const char *direction = xml_attribute(list, "edgedefault");
    if (r->seen_graph)
        FAIL(r, "a second graph; one graph a file");
    else if (direction && strcmp(direction, "directed") == 0)
        FAIL(r, "the edges of this graph are directed, half a link each; write an undirected graph (networkx: "
                "G.to_undirected())");
    r->seen_graph = true;
}

static void node_begin(struct reader *r, const char **list) {
    const char *id = xml_attribute(list, "id");
    const struct file_place at = place_of(r);
    memset(r->given, 0, sizeof r->given);
    if (!id || !id[0])
        FAIL(r, "a node without id; write <node id=\"s1\"/>");
    else if (!lists_add_node(r->lists, &at, id, strlen(id)))
        stop(r);
}

static void edge_begin(struct reader *r, const char **list) {
    const char *end[] = {xml_attribute(list, "source"), xml_attribute(list, "target")};
    const char *directed = xml_attribute(list, "directed");
    const struct file_place at = place_of(r);
    memset(r->given, 0, sizeof r->given);
    if (!end[0] || !end[1]) {
        FAIL(r, "an edge without source or target; write <edge source=\"s1\" target=\"h1\"/>");
        return;
    }
    if (directed && strcmp(directed, "true") == 0) {
        FAIL(r, "this edge is directed, half a link; write undirected edges");
        return;
    }
    if ((r->n_edges & (r->n_edges - 1)) == 0)
        r->edge = memory_grow(r->edge, r->n_edges ? 2 * r->n_edges : 1, sizeof *r->edge);
    r->edge[r->n_edges++] = (struct edge){link_at(&at), {text_copy(end[0]), text_copy(end[1])}};
}

/* Sets the property of the current node or edge. */
static void value_set(struct reader *r, enum attribute is, const char *text) {
    const struct file_place at = place_of(r);
    bool fine =
        is == TIER ? lists_set_tier(r->lists, &at, text) : attribute[is].set(&r->edge[r->n_edges - 1].link, &at, text);
    r->given[is] = true;
    if (!fine) stop(r);
}

static void text_begin(struct reader *r) { r->n_text = 0; }

static void data_begin(struct reader *r, const char **list, bool of_edge) {
    const struct key *k = key_find(r, xml_attribute(list, "key"));
    text_begin(r);
    r->is = k && k->is != ATTRIBUTES && attribute[k->is].of_edges == of_edge ? k->is : ATTRIBUTES;
    if (!k)
        FAIL(r, "this data has no key that was declared above; add <key id=\"..\" attr.name=\"..\"/> before the graph");
}

/* Returns the text that was collected, without blanks at its ends. */
static const char *text_taken(struct reader *r) {
    while (r->n_text > 0 && strchr(" \t\r\n", r->text[r->n_text - 1])) r->n_text--;
    r->text[r->n_text] = '\0';
    return r->text + strspn(r->text, " \t\r\n");
}

static void defaults_apply(struct reader *r, bool of_edge) {
    for (size_t i = 0; i < r->n_keys && !r->failed; i++) {
        const struct key *k = &r->key[i];
        if (k->fallback && k->is != ATTRIBUTES && attribute[k->is].of_edges == of_edge && !r->given[k->is])
            value_set(r, k->is, k->fallback);
    }
}

/* ---- the parser's calls ---- */

/* Returns the name of an element of GraphML without its namespace; NULL for one of another namespace. */
static const char *local_name(const char *name) {
    const char *local = strrchr(name, SEPARATOR);
    if (!local) return name;
    return strncmp(name, GRAPHML_SPACE, strlen(GRAPHML_SPACE)) == 0 ? local + 1 : NULL;
}

/* Begins an element within `parent`. Returns what it is, or DOCUMENT if it is to be skipped. */
static enum element element_begin(struct reader *r, enum element parent, const char *name, const char **list) {
#define IS(parent_, name_) (parent == (parent_) && strcmp(name, name_) == 0)
    if (IS(DOCUMENT, "graphml")) return GRAPHML;
    if (parent == DOCUMENT) FAIL(r, "this is no GraphML: it begins with <%.16s>, not with <graphml>", name);
    if (IS(GRAPHML, "key")) return key_begin(r, list), KEY;
    if (IS(KEY, "default")) return text_begin(r), DEFAULT;
    if (IS(GRAPHML, "graph")) return graph_begin(r, list), GRAPH;
    if (IS(GRAPH, "node")) return node_begin(r, list), NODE;
    if (IS(GRAPH, "edge")) return edge_begin(r, list), EDGE;
    if (IS(NODE, "data") || IS(EDGE, "data")) return data_begin(r, list, parent == EDGE), DATA;
    if (IS(GRAPH, "hyperedge")) FAIL(r, "a hyperedge joins more than two nodes; write an edge for each pair");
    if (IS(NODE, "graph")) FAIL(r, "a graph within a node; write its nodes into the graph itself");
#undef IS
    return DOCUMENT;
}

static void on_start(void *to, const char *name, const char **list) {
    struct reader *r = to;
    if (r->failed) return;
    const char *local = r->skip ? NULL : local_name(name);
    if (!local && r->depth == 1) FAIL(r, "this is no GraphML: it begins with an element of another namespace");
    enum element e = local ? element_begin(r, r->stack[r->depth - 1], local, list) : DOCUMENT;
    if (e == DOCUMENT)
        r->skip++;
    else
        r->stack[r->depth++] = e;
}

static void on_end(void *to, const char *name) {
    struct reader *r = to;
    (void)name;
    if (r->failed) return;
    if (r->skip) {
        r->skip--;
        return;
    }
    enum element e = r->stack[--r->depth];
    if (e == DEFAULT && r->n_keys > 0) {
        free(r->key[r->n_keys - 1].fallback);
        r->key[r->n_keys - 1].fallback = text_copy(text_taken(r));
    }
    if (e == DATA && r->is != ATTRIBUTES) value_set(r, r->is, text_taken(r));
    if ((e == NODE || e == EDGE) && !r->failed) defaults_apply(r, e == EDGE);
}

static void on_text(void *to, const char *text, int n) {
    struct reader *r = to;
    size_t room = VALUE_MAX - 1 - r->n_text, used = (size_t)n < room ? (size_t)n : room;
    if (r->skip) return;
    memcpy(r->text + r->n_text, text, used);
    r->n_text += used;
}

static void on_entity(void *to, const char *name, int is_parameter, const char *value, int n, const char *base,
                      const char *system, const char *public, const char *notation) {
    struct reader *r = to;
    (void)is_parameter, (void)value, (void)n, (void)base, (void)system, (void)public, (void)notation;
    if (!r->failed) FAIL(r, "the file declares the entity '%.16s'; write its text where it is used", name);
}

/* ---- the file ---- */

static bool edges_resolve(struct reader *r) {
    struct file_place at = {.path = r->path, .line = 1, .col = 1, .d = r->d};
    if (!r->seen_graph) return place_fail(&at, "there is no <graph> in this file; it needs one with nodes and edges");
    if (r->lists->n_nodes == 0) return place_fail(&at, "the graph has no node; add <node id=\"s1\"/>");
    if (r->n_edges == 0) return place_fail(&at, "the graph has no edge; add <edge source=\"s1\" target=\"h1\"/>");
    if (!lists_name_nodes(r->lists, &at)) return false;
    for (size_t i = 0; i < r->n_edges; i++) {
        struct edge *e = &r->edge[i];
        at.line = e->link.line, at.col = e->link.col;
        if (!lists_find_node(r->lists, &at, e->end[0], &e->link.a) ||
            !lists_find_node(r->lists, &at, e->end[1], &e->link.b) || !lists_add_link(r->lists, &e->link, &at))
            return false;
    }
    return true;
}

static bool document_parse(struct reader *r, const char *text, size_t size) {
    const struct file_place top = {r->path, 1, 1, r->d};
    if (size > INT32_MAX) return place_fail(&top, "the file is larger than 2 GiB; make it smaller");
    if (XML_Parse(r->parser, text, (int)size, XML_TRUE) == XML_STATUS_OK) return !r->failed;
    if (r->failed) return false;
    const struct file_place at = place_of(r);
    return place_fail(&at, "this is not XML: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
}

static void reader_free(struct reader *r) {
    for (size_t i = 0; i < r->n_keys; i++) {
        free(r->key[i].id);
        free(r->key[i].fallback);
    }
    for (size_t i = 0; i < r->n_edges; i++) {
        free(r->edge[i].end[0]);
        free(r->edge[i].end[1]);
    }
    free(r->key);
    free(r->edge);
}

static bool graphml_read(const char *path, const char *text, size_t size, struct file_lists *lists, struct diag *d) {
    struct reader r = {.path = path, .d = d, .lists = lists, .stack = {DOCUMENT}, .depth = 1};
    r.parser = XML_ParserCreateNS(NULL, SEPARATOR);
    if (!r.parser) memory_out("memory ran out: none to read %s; raise the limit (ulimit -v)", path);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetEntityDeclHandler(r.parser, on_entity);
    bool fine = document_parse(&r, text, size) && edges_resolve(&r);
    XML_ParserFree(r.parser);
    reader_free(&r);
    return fine;
}

/* ---- writing ---- */

static void xml_write(FILE *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

static void data_write(FILE *out, enum attribute is, const char *value) {
    if (value[0]) fprintf(out, "<data key=\"%s\">%s</data>", attribute[is].name, value);
}

/* XML holds every name, since none has control characters (fabric/file_lists.c). */
static bool graphml_write(const struct fabric *f, FILE *out, struct diag *d) {
    (void)d;
    char name[FABRIC_NODE_NAME_MAX];
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"" GRAPHML_SPACE "xmlns\">\n");
    for (int i = 0; i < ATTRIBUTES; i++)
        fprintf(out, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"string\"/>\n", attribute[i].name,
                attribute[i].of_edges ? "edge" : "node", attribute[i].name);
    fprintf(out, "  <graph edgedefault=\"undirected\">\n");
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        fprintf(out, "    <node id=\"");
        xml_write(out, fabric_node_name(f, i, name, sizeof name));
        fprintf(out, "\">");
        data_write(out, TIER, format_tier(f->node[i].tier));
        fprintf(out, "</node>\n");
    }
    for (uint32_t i = 0; i < format_links(f); i++) {
        struct format_link l;
        format_link(f, i, &l);
        fprintf(out, "    <edge source=\"");
        xml_write(out, l.a);
        fprintf(out, "\" target=\"");
        xml_write(out, l.b);
        fprintf(out, "\">");
        data_write(out, RATE, l.rate);
        data_write(out, DELAY, l.delay);
        data_write(out, LOSS, l.loss);
        fprintf(out, "</edge>\n");
    }
    fprintf(out, "  </graph>\n</graphml>\n");
    return true;
}

static bool graphml_looks(const char *text, size_t size) {
    size_t mark = size > 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (mark < size && strchr(" \t\r\n", text[mark]) && text[mark]) mark++;
    return mark < size && text[mark] == '<';
}

const struct fabric_format format_graphml = {
    .doc = "GraphML; rate, delay and loss are attributes of its edges",
    .read = graphml_read,
    .write = graphml_write,
    .looks = graphml_looks,
};
