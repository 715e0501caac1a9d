/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/place.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "study/figures/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- names ---- */

/* Returns DIR/NAME.KIND. The caller frees it. */
static char *path_of(const char *dir, const char *name, const char *kind) {
    char *path;
    path = text_format("%s/%s.%s", dir, name, kind);
    return path;
}

/* ---- ownership of files ---- */

/* Returns true if the file has the header row in `context`. */
static bool data_is_ours(FILE *in, const void *context) {
    const char *head = context;
    size_t n = strlen(head);
    char *line = memory_get(n + 1, 1);
    bool ours = fread(line, 1, n, in) == n && memcmp(line, head, n) == 0;
    free(line);
    return ours;
}

static bool script_is_ours(FILE *in, const void *context) {
    (void)context;
    return draw_script_state(in) == SCRIPT_OURS;
}

static enum draw_script_state state_of(const char *script) {
    FILE *in = input_open(script, NULL);
    enum draw_script_state state = in ? draw_script_state(in) : SCRIPT_FOREIGN;
    if (in) fclose(in);
    return state;
}

/* Returns true if the file contains the text. Chunks overlap, so that a match across two chunks is found. */
static bool file_says(FILE *in, const char *text) {
    char piece[1 << 13];
    size_t kept = 0, n, size = strlen(text);
    while ((n = fread(piece + kept, 1, sizeof piece - kept, in)) > 0) {
        n += kept;
        if (memmem(piece, n, text, size)) return true;
        kept = n < size ? n : size;
        memmove(piece, piece + n - kept, kept);
    }
    return false;
}

/* Returns true for a picture by gnuplot whose script, `context`, is by heddle. */
static bool picture_is_ours(FILE *in, const void *context) {
    if (state_of(context) == SCRIPT_FOREIGN) return false;
    if (output_holds(in, "Produced by GNUPLOT", 4096)) return true;
    rewind(in);
    if (!output_holds(in, "%PDF-", 5)) return false;
    rewind(in);
    return file_says(in, "/Producer (cairo");
}

/* Returns true if the script draws a PNG, which scripts of earlier versions do not. */
static bool draws_image(const char *script) {
    FILE *in = input_open(script, NULL);
    bool draws = in && file_says(in, " png'");
    if (in) fclose(in);
    return draws;
}

/* Returns true for a PNG whose script, `context`, is by heddle and draws one. A PNG does not say what made it. */
static bool image_is_ours(FILE *in, const void *context) {
    return draws_image(context) && state_of(context) != SCRIPT_FOREIGN && output_holds(in, "\x89PNG", 4);
}

/* ---- one figure ---- */

enum { DATA, SCRIPT, SVG, PDF, PNG, FILES };
static const char *const kinds[FILES] = {"csv", "gp", "svg", "pdf", "png"};

struct making {
    struct figure_place *f;
    char *beside;    /* temporary folder in which the files are made */
    char *at[FILES]; /* final paths */
    char *header;    /* header row of the data */
    int n_files;     /* 1 for a table, which has data alone */
    struct diag *d;
};

static struct output_rules rules_of(const struct making *m, int file) {
    static const char *const what[FILES] = {"data of this figure", "a script of heddle report --figures",
                                            "a picture of such a script", "a picture of such a script",
                                            "a picture of such a script"};
    static const output_test test[FILES] = {data_is_ours, script_is_ours, picture_is_ours, picture_is_ours,
                                            image_is_ours};
    return (struct output_rules){.kind = what[file],
                                 .is_ours = test[file],
                                 .context = file == DATA ? m->header : m->at[SCRIPT],
                                 .input = m->f->input,
                                 .n_input = m->f->n_input,
                                 .force = m->f->force,
                                 .remedy = "name another folder, or replace it with --force"};
}

static bool cannot(const struct making *m, const char *path) {
    return diag_fail_in(m->d, path, "cannot write it: %s; check the folder, its permissions and the space left",
                        strerror(errno ? errno : EIO));
}

/* Returns the first line of a file with its line end. */
static char *first_line(const char *path) {
    char *line = NULL;
    size_t room = 0;
    FILE *in = input_open(path, NULL);
    if (!in || getline(&line, &room, in) < 0) {
        free(line);
        line = text_copy("");
    }
    if (in) fclose(in);
    return line;
}

static bool files_write(struct making *m, const struct plot *p, const char *title) {
    bool ok = true;
    for (int i = DATA; ok && i < (m->n_files == 1 ? 1 : 2); i++) {
        char *path = path_of(m->beside, m->f->name, kinds[i]);
        FILE *out = fopen(path, "wxb");
        if (out && i == DATA) draw_data(out, p);
        ok = out && (i == DATA || draw_script(out, p, title, m->f->name));
        ok = out && fflush(out) == 0 && !ferror(out) && ok;
        if (!ok) cannot(m, m->at[i]);
        if (out) fclose(out);
        if (ok && i == DATA) m->header = first_line(path);
        free(path);
    }
    return ok;
}

/* Checks that all paths may be written. A script that its user changed stays in place. */
static bool places_check(struct making *m) {
    m->f->kept = m->n_files > 1 && !m->f->force && state_of(m->at[SCRIPT]) == SCRIPT_RESTYLED;
    for (int i = DATA; i < m->n_files; i++) {
        const struct output_rules rules = rules_of(m, i);
        if (m->f->kept && (i == SCRIPT || (i == PNG && !draws_image(m->at[SCRIPT])))) continue;
        if (!output_check(m->at[i], &rules, m->d)) return false;
    }
    return true;
}

/* A gnuplot without its pngcairo terminal leaves no PNG. */
static bool file_move(const struct making *m, int i) {
    const struct output_rules rules = rules_of(m, i);
    char *path = path_of(m->beside, m->f->name, kinds[i]);
    bool is_left_out = i == PNG && access(path, F_OK) != 0;
    bool ok = is_left_out || output_move(path, m->at[i], &rules, m->d);
    free(path);
    return ok;
}

/* Moves the files into place, the script last: a picture is recognised by the script beside it. */
static bool figure_make(struct making *m, const struct plot *p, const char *title) {
    static const int order[] = {DATA, SVG, PDF, PNG, SCRIPT};
    if (!files_write(m, p, title) || !places_check(m)) return false;
    if (m->f->kept) return file_move(m, DATA) && draw_pictures(m->f->dir, m->f->name, m->f->dir, m->d);
    if (m->n_files > 1 && !draw_pictures(m->beside, m->f->name, m->f->dir, m->d)) return false;
    bool ok = true;
    for (int i = 0; ok && i < m->n_files; i++) ok = file_move(m, order[i]);
    return ok;
}

static void making_end(struct making *m) {
    for (int i = 0; i < FILES; i++) {
        char *path = path_of(m->beside, m->f->name, kinds[i]);
        unlink(path);
        free(path);
        free(m->at[i]);
    }
    rmdir(m->beside);
    free(m->beside);
    free(m->header);
}

bool figure_place_draw(struct figure_place *f, const struct plot *p, const char *title, struct diag *d) {
    struct making m = {.f = f, .n_files = p->figure->kind == FIGURE_TABLE ? 1 : FILES, .d = d};
    if (!output_folder(f->dir, d)) return false;
    m.beside = text_format("%s/.heddle-XXXXXX", f->dir);
    if (!mkdtemp(m.beside)) {
        diag_fail_in(d, f->dir, "cannot write into it: %s; check its permissions and the space left", strerror(errno));
        free(m.beside);
        return false;
    }
    for (int i = 0; i < FILES; i++) m.at[i] = path_of(f->dir, f->name, kinds[i]);
    bool ok = figure_make(&m, p, title);
    making_end(&m);
    return ok;
}
