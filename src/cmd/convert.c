/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"
#include "cmd/experiment_request.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "fabric/formats.h"
#include "study/assemble/assemble.h"
#include "workload/files/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_CHOICE(id, name) "|" name
#define FORMAT_NAMES (&("" FABRIC_FORMATS(FORMAT_CHOICE))[1])
#define WRITTEN_NAMES (&("" FABRIC_FORMATS(FORMAT_CHOICE) WORKLOAD_FORMATS(FORMAT_CHOICE))[1])
#define LOOKED_AT (1 << 20) /* bytes of a file that decide what it is */

struct convert_request {
    struct experiment_request experiment;
    const char *from, *to, *out;
    uint32_t run;
    bool force;
};
#define T struct convert_request

/* ---- reading ---- */

/* Returns the number of the format of the file; FORMAT_COUNT if the file is an experiment, or cannot be read. */
static uint32_t format_found(const char *path) {
    FILE *in = input_open(path, NULL);
    if (!in) return FORMAT_COUNT;
    char *text = memory_get(LOOKED_AT, 1);
    size_t size = fread(text, 1, LOOKED_AT, in);
    fclose(in);
    uint32_t format = fabric_format_of(text, size);
    free(text);
    return format;
}

/* Reads a file of a fabric as the experiment that names it, so that --set gives what the file leaves open. */
static struct experiment *topology_open(struct convert_request *q, const char *format, struct diag *d) {
    const char *slash = strrchr(q->experiment.file, '/'), *name = slash ? slash + 1 : q->experiment.file;
    char *text = text_format("fabric: {kind: file, format: %s, path: '", format);
    for (const char *c = name; *c; c++) {
        char *longer = text_format("%s%s%c", text, *c == '\'' ? "'" : "", *c);
        free(text);
        text = longer;
    }
    char *whole = text_format("%s'}\n", text);
    q->experiment.options.set = q->experiment.set.item;
    q->experiment.options.n_set = q->experiment.set.n;
    struct experiment *e = experiment_parse(whole, strlen(whole), q->experiment.file, &q->experiment.options, d);
    free(text);
    free(whole);
    return e;
}

static struct experiment *source_open(struct convert_request *q, struct diag *d) {
    const char *name = q->from;
    uint32_t format = name ? FORMAT_COUNT : format_found(q->experiment.file);
    if (!name && format < FORMAT_COUNT) fabric_format(format, &name);
    return name ? topology_open(q, name, d) : experiment_request_read(&q->experiment, d);
}

/* ---- writing ---- */

/* Writes to the file, or without one to standard output. */
static bool fabric_write(const struct convert_request *q, const struct assembly *a, FILE *out, struct diag *d) {
    const char *name;
    return fabric_format(fabric_format_find(q->to), &name)->write(a->fabric, out, d);
}

static bool flows_write(const struct convert_request *q, const struct assembly *a, FILE *out, struct diag *d) {
    return workload_format_find(q->to)->write(&a->flows, &a->fabric->population, out, d);
}

typedef bool (*assembly_writer)(const struct convert_request *q, const struct assembly *a, FILE *out, struct diag *d);

static bool file_write(const struct convert_request *q, const struct assembly *a, assembly_writer write,
                       struct diag *d) {
    const struct output_rules rules = {.kind = write == flows_write ? "flows" : "a topology",
                                       .input = &q->experiment.file,
                                       .n_input = 1,
                                       .force = q->force};
    struct output_file o;
    if (!q->out) return write(q, a, stdout, d);
    if (!output_begin(&o, q->out, &rules, d)) return false;
    if (write(q, a, o.out, d)) return output_end(&o, d);
    output_abandon(&o);
    return false;
}

/* A format that cannot hold the fabric or the flows names no file. */
static int exit_refused(const struct convert_request *q, struct diag *d) {
    if (!d->file[0]) snprintf(d->file, sizeof d->file, "%s", q->experiment.file);
    return exit_diag(d);
}

static int fabric_convert(const struct convert_request *q, const struct assembly *a) {
    const struct fabric *f = a->fabric;
    struct diag d = {0};
    if (!file_write(q, a, fabric_write, &d)) return exit_refused(q, &d);
    if (q->out)
        printf("%s: %u hosts, %u switches, %u links; fabric: {kind: file, format: %s, path: %s}\n", q->out, f->n_hosts,
               f->n_switches, format_links(f), q->to, q->out);
    if (f->n_events)
        fprintf(stderr, "%s: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random\n",
                q->experiment.file);
    return 0;
}

static int flows_convert(const struct convert_request *q, const struct assembly *a) {
    const char *entry = workload_format_find(q->to)->entry;
    struct diag d = {0};
    if (!file_write(q, a, flows_write, &d)) return exit_refused(q, &d);
    if (q->out) printf("%s: %u flows; workload: {%s, path: %s}\n", q->out, a->flows.n, entry, q->out);
    return 0;
}

static int run_convert(const struct convert_request *q, const struct experiment *e) {
    struct diag d = {0};
    if (q->run > e->n_runs) return exit_no_run(q->run, e->n_runs);
    const struct config *c = &e->run[q->run - 1].config;
    bool of_flows = workload_format_find(q->to) != NULL;
    struct assembly *a = of_flows ? assembly_create(c, e->base_dir, &d) : assembly_create_fabric(c, e->base_dir, &d);
    if (!a) return exit_diag(&d);
    int code = of_flows ? flows_convert(q, a) : fabric_convert(q, a);
    assembly_free(a);
    return code;
}

static int convert(void *request) {
    struct convert_request *q = request;
    struct diag d = {0};
    struct experiment *e = source_open(q, &d);
    if (!e) return exit_diag(&d);
    int code = run_convert(q, e);
    experiment_free(e);
    return code;
}

const struct command command_convert = {
    .name = "convert",
    .purpose = "write the fabric or the flows of a file in another format",
    .about =
        "Writes the nodes and links of an experiment's fabric, or of a file in one of these formats, in the other "
        "formats; or the flows of an experiment (hpcc-flows). Reading what was written (fabric: {kind: file, format: "
        "NAME, path: OUT}) gives the same fabric, with "
        "the same results.\n\n"
        "topology is heddle's own: nodes and links in YAML. In graphml, tier is an attribute of nodes, and rate, delay "
        "and loss are attributes of edges. In containerlab, tier is a label of nodes, and rate, delay and loss are "
        "vars of "
        "links. hpcc is the topology file of the HPCC simulator and its kin: numbers of nodes, with our names behind "
        "what "
        "they read. htsim is the .topo of htsim, which holds fat-trees by their sizes. What a file does not give of "
        "rates and delays is that of the experiment: --set fabric.rate=40Gbps.",
    .arguments = (const struct argument[]){ARGUMENT(T, experiment.file, "FILE", VALUE_EXPERIMENT,
                                                    "an experiment, or a file in one of the formats"),
                                           {0}},
    .options =
        (const struct option_row[]){
            {.name = "to",
             .value = {.name = "FORMAT",
                       .kind = VALUE_CHOICE,
                       .field = FIELD(T, to),
                       .choices = WRITTEN_NAMES,
                       .required = true},
             .doc = "the format to write"},
            {.name = "from",
             .value = {.name = FORMAT_NAMES, .kind = VALUE_CHOICE, .field = FIELD(T, from), .choices = FORMAT_NAMES},
             .doc = "the format of FILE, if its text does not tell"},
            WORD(T, out, "out", 'o', "OUT", VALUE_TEXT, "the file to write, in place of standard output"),
            EXPERIMENT_OPTIONS(T),
            NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run whose fabric this is"),
            FLAG(T, force, "force", 0, "replaces a file that is there"),
            {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"convert first.yaml --to graphml -o first.graphml",
                                              "for networkx and other tools for graphs"},
                                             {"convert dc.clab.yml --to topology -o dc.yaml", "from containerlab"},
                                             {0}},
    .see = "show check lab-up",
    .request_size = sizeof(T),
    .run = convert,
};
