/* SPDX-License-Identifier: Apache-2.0 */
/* Checks all runs of an experiment before anything is written. */
#include "study/run/run.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/assemble/warnings.h"
#include "study/experiment/effect.h"
#include "study/run/job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What of a configuration decides whether it can be assembled; equal text need not be tried twice. */
static void feasibility_key(const struct config *c, char hex[SHA256_TEXT]) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    bool seed_matters = config_count(c, "fabric.fail_random") || config_count(c, "measure.flow");
    for (size_t i = 0; i < c->n; i++) {
        const struct setting *s = &c->setting[i];
        if (!seed_matters && strcmp(s->path, "run.seed") == 0) continue;
        fprintf(out, s->quoted ? "%s=\"%s\"\n" : "%s=%s\n", s->path, s->text);
    }
    text_stream_end(out, &text);
    sha256_text(text, size, hex);
    free(text);
}

/* Lines about the runs. Runs of one experiment mostly deserve the same, or the same with other figures: of lines that differ in
 * figures alone the first is printed, with the number of the others. Lines of one run are never taken together. */
struct told {
    struct told_line {
        char *text, *kind; /* kind: the text with # for each figure */
        size_t run, n_more;
        bool is_hidden;
    } * line;
    size_t n, run; /* run: of the lines that are added now */
};

/* Returns the text with # for each word that begins with a digit, with its unit; the caller frees it. Places, and digits within
 * names, stay. */
static char *kind_of(const char *text) {
    char *kind = memory_get(strlen(text) + 1, 1), *to = kind;
    for (const char *at = text; *at;) {
        bool begins = at == text || at[-1] == ' ' || at[-1] == '(';
        if (begins && isdigit((unsigned char)*at)) {
            while (isalnum((unsigned char)*at) || *at == '%' || (*at == '.' && isdigit((unsigned char)at[1]))) at++;
            *to++ = '#';
        } else {
            *to++ = *at++;
        }
    }
    return kind;
}

/* Returns the printed line of an earlier run that has this kind; NULL: there is none. */
static struct told_line *told_like(const struct told *t, const char *kind) {
    for (struct told_line *l = t->line; l < t->line + t->n; l++)
        if (!l->is_hidden && l->run != t->run && strcmp(l->kind, kind) == 0) return l;
    return NULL;
}

static void told_add(struct told *t, const char *text) {
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->line[i].text, text) == 0) return;
    struct told_line added = {.text = text_copy(text), .kind = kind_of(text), .run = t->run};
    struct told_line *like = told_like(t, added.kind);
    added.is_hidden = like != NULL;
    if (like) like->n_more++;
    t->line = memory_grow(t->line, t->n + 1, sizeof *t->line);
    t->line[t->n++] = added;
}

/* Prints the lines and frees them. */
static void told_end(struct told *t, FILE *out) {
    for (struct told_line *l = t->line; l < t->line + t->n; l++) {
        if (!l->is_hidden && l->n_more)
            fprintf(out, "%s (and %zu more like it, of other runs)\n", l->text, l->n_more);
        else if (!l->is_hidden)
            fprintf(out, "%s\n", l->text);
        free(l->text);
        free(l->kind);
    }
    free(t->line);
}

static void warnings_tell(const struct assembly *a, const struct config *c, struct told *told) {
    struct diag warning[WARNINGS_MAX];
    if (fabric_roles(a->fabric)) told_add(told, fabric_roles(a->fabric));
    size_t n = assembly_warnings(a, c, warning);
    for (size_t i = 0; i < n; i++) {
        char line[1024];
        told_add(told, diag_warning(&warning[i], line, sizeof line));
    }
}

/* Runs that need not be assembled again, and what each costs. */
struct known_runs {
    char (*key)[SHA256_TEXT];
    struct run_cost *cost;
    size_t n;
    uint64_t program_bytes;
    uint32_t ranks, threads; /* ranks that carry out each run together, and threads of each */
};

static const struct run_cost *known_find(const struct known_runs *k, const char *key) {
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->key[i], key) == 0) return &k->cost[i];
    return NULL;
}

static bool run_foresee(const struct experiment *e, size_t run, uint32_t jobs, struct known_runs *known,
                        struct told *told, struct diag *d) {
    const struct config *c = &e->run[run].config;
    struct assembly *a = assembly_create(c, e->base_dir, d);
    uint64_t bytes = a ? world_memory_foreseen(&a->world, known->ranks) : 0;
    bool ok = a && assembly_memory_check(c, bytes, jobs, known->ranks, d);
    const char *refusal = NULL;
    if (ok && known->ranks > 1)
        refusal = world_refuses_ranks(&a->world, known->ranks, job_threads(a, known->ranks, known->threads));
    if (refusal) ok = diag_fail_in(d, e->file, "--ranks-per-run %u: %s", known->ranks, refusal);
    told->run = run + 1;
    if (ok) warnings_tell(a, c, told);
    if (ok) {
        known->cost[known->n].program_bytes = known->program_bytes;
        run_cost_add(&known->cost[known->n++], a, bytes);
    }
    assembly_free(a);
    return ok;
}

#define CODE_BYTES (33 << 17) /* of the program and its libraries, as far as a run touches them */
#define TEXT_BYTES 64         /* of a setting: its path and its value, as malloc rounds them */

/* What the program has in memory when a run starts as a copy of it. */
static uint64_t program_bytes(const struct experiment *e) {
    uint64_t bytes = CODE_BYTES;
    for (size_t i = 0; i < e->n_runs; i++)
        bytes += e->run[i].config.n * (sizeof(struct setting) + TEXT_BYTES) + strlen(e->run[i].text);
    return bytes;
}

static void effect_say(const struct diag *d, void *context) {
    char line[1024];
    told_add(context, diag_warning(d, line, sizeof line));
}

/* known: of no run yet. Fills cost[n_runs] unless it is NULL. */
static bool runs_try(const struct experiment *e, uint32_t jobs, struct known_runs known, struct run_cost *cost,
                     FILE *warnings, struct run_cost *all, struct diag *d) {
    struct told told = {0};
    known.key = memory_get(e->n_runs, sizeof *known.key);
    known.cost = memory_get(e->n_runs, sizeof *known.cost);
    known.program_bytes = program_bytes(e);
    effect_find(e, effect_say, &told);
    bool ok = true;
    all->program_bytes = known.program_bytes;
    for (size_t i = 0; ok && i < e->n_runs; i++) {
        feasibility_key(&e->run[i].config, known.key[known.n]);
        const struct run_cost *same = known_find(&known, known.key[known.n]);
        if (!same) {
            ok = run_foresee(e, i, jobs, &known, &told, d);
            same = &known.cost[known.n - 1];
        }
        if (ok) run_cost_add_again(all, same);
        if (ok && cost) cost[i] = *same;
    }
    free(known.key);
    free(known.cost);
    told_end(&told, warnings);
    return ok;
}

bool runs_foresee(const struct experiment *e, uint32_t ranks, uint32_t threads, FILE *warnings, struct run_cost *all,
                  struct diag *d) {
    return runs_try(e, 1, (struct known_runs){.ranks = ranks, .threads = threads}, NULL, warnings, all, d);
}

bool runs_check(const struct experiment *e, const struct run_options *o, struct run_cost *cost, FILE *warnings,
                struct diag *d) {
    struct run_cost all = {0};
    struct known_runs known = {.ranks = o->group ? o->group->size : 1, .threads = o->threads};
    return runs_try(e, o->jobs * (o->ranks ? o->ranks->on_machine : 1), known, cost, warnings, &all, d);
}
