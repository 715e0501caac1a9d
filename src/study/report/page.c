/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/page.h"

#include "base/output_file.h"
#include "study/report/page_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

static bool name_ends(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static const struct page_file *file_find(const char *name) {
    for (size_t i = 0; i < n_page_files; i++) {
        if (strcmp(page_files[i].name, name) == 0) return &page_files[i];
    }
    return NULL;
}

static void files_print(const char *end, FILE *out) {
    for (size_t i = 0; i < n_page_files; i++) {
        const struct page_file *f = &page_files[i];
        if (name_ends(f->name, end)) fprintf(out, "/* %s */\n%.*s\n", f->name, (int)f->size, f->text);
    }
}

static void text_print(const char *text, FILE *out) {
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

/* Prints JSON inside a script element, with escapes so that no text can end the element or begin a comment. */
static bool data_print(const json_t *data, FILE *out) {
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (!text) return false;
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "<");
        fwrite(at, 1, plain, out);
        at += plain;
        if (*at == '<') {
            fputs("\\u003c", out);
            at++;
        }
    }
    free(text);
    return true;
}

static const char *title_of(const json_t *data) {
    const json_t *list = json_object_get(data, "experiments"), *first = json_array_get(list, 0);
    const char *title = json_string_value(json_object_get(first, "title"));
    if (json_array_size(list) != 1 || !title || !*title) return "heddle report";
    return title;
}

/* Prints the template with its marks (@STYLE@ and so on) replaced. */
static bool page_print(const json_t *data, FILE *out) {
    const char *at = file_find("page.html")->text, *mark;
    while ((mark = strchr(at, '@'))) {
        fwrite(at, 1, (size_t)(mark - at), out);
        if (strncmp(mark, "@TITLE@", 7) == 0) {
            text_print(title_of(data), out);
        } else if (strncmp(mark, "@STYLE@", 7) == 0) {
            files_print(".css", out);
        } else if (strncmp(mark, "@DATA@", 6) == 0) {
            if (!data_print(data, out)) return false;
        } else if (strncmp(mark, "@SCRIPT@", 8) == 0) {
            files_print(".js", out);
        }
        at = strchr(mark + 1, '@') + 1;
    }
    fputs(at, out);
    return true;
}

/* ---- the file ---- */

#define PAGE_MARK "<meta name=\"generator\" content=\"heddle report\">"

static bool page_is_ours(FILE *in, const void *context) {
    (void)context;
    return output_holds(in, PAGE_MARK, 512);
}

bool report_page(const char *const *stores, size_t n, const char *out, const struct report_page_options *o,
                 struct diag *d) {
    const struct output_rules rules = {.kind = "a page of heddle report",
                                       .is_ours = page_is_ours,
                                       .input = stores,
                                       .n_input = n,
                                       .force = o->force,
                                       .remedy = "name another with -o, or replace it with --force"};
    struct output_file f;
    if (!output_check(out, &rules, d)) return false;
    json_t *data = report_page_data(stores, n, o, d);
    if (!data) return false;
    bool ok = output_begin(&f, out, &rules, d);
    if (ok && !page_print(data, f.out)) {
        output_abandon(&f);
        ok = diag_fail_in(d, out, "cannot write it: a text of the stores is not UTF-8, or memory ran out");
    } else if (ok) {
        ok = output_end(&f, d);
    }
    json_decref(data);
    return ok;
}
