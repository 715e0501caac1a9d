#include "study/report/page.h"

#include "study/report/page_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Inside a script element: nothing in it can end the element or begin a comment. */
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

/* The template, with its marks (@STYLE@ and so on) replaced. */
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

/* As any file that a program creates: readable by whom the umask lets. */
static void mode_set(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0) errno = 0;
}

static bool file_write(const json_t *data, const char *temporary, int fd) {
    FILE *f = fdopen(fd, "w");
    if (!f) return false;
    bool ok = page_print(data, f) && fflush(f) == 0 && !ferror(f);
    int failure = errno;
    ok = fclose(f) == 0 && ok;
    if (!ok) unlink(temporary);
    errno = failure;
    return ok;
}

/* A file in the same folder, renamed when it is whole. */
static bool page_write(const json_t *data, const char *out, struct diag *d) {
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", out);
    int fd = mkstemp(temporary);
    if (fd < 0) {
        return diag_fail(d, out, 0, 0,
                         "cannot be written: %s; check the folder and its permissions, or name another with -o",
                         strerror(errno));
    }
    mode_set(fd);
    if (!file_write(data, temporary, fd))
        return diag_fail(d, out, 0, 0, "writing failed: %s; what was there is as it was", strerror(errno));
    if (rename(temporary, out) == 0) return true;
    int failure = errno;
    unlink(temporary);
    return diag_fail(d, out, 0, 0, "cannot be replaced: %s; name another with -o", strerror(failure));
}

bool report_page(const char *const *stores, size_t n, const char *out, const char *version, struct diag *d) {
    json_t *data = report_page_data(stores, n, version, d);
    if (!data) return false;
    bool ok = page_write(data, out, d);
    json_decref(data);
    return ok;
}
