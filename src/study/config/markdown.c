/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/markdown.h"

#include "base/text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char more[] = " ...";
enum { LEAST_CUT = 24 }; /* characters; a shorter part says too little */

/* Prints `length` characters of a text. A | would end the cell of a table. */
static void print_escaped(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '|' && (i == 0 || text[i - 1] != '\\')) fputc('\\', out);
        fputc(text[i], out);
    }
}

static size_t escaped_length(const char *text) {
    size_t length = strlen(text);
    for (const char *c = text; *c; c++)
        if (*c == '|' && (c == text || c[-1] != '\\')) length++;
    return length;
}

/* Returns the last place before `most` at which one of `ends` and a blank stand outside of parentheses and backticks;
 * 0: none after LEAST_CUT. With `ends` empty a blank alone will do. */
static size_t last_end(const char *text, const char *ends, size_t most) {
    size_t found = 0;
    int depth = 0;
    bool code = false;
    for (size_t i = 1; i < most && text[i]; i++) {
        if (text[i - 1] == '`') code = !code;
        if (text[i - 1] == '(') depth++;
        if (text[i - 1] == ')') depth--;
        if (code || depth > 0 || i < LEAST_CUT) continue;
        if (*ends ? (strchr(ends, text[i]) && text[i + 1] == ' ') : text[i] == ' ') found = i;
    }
    return found;
}

size_t markdown_cut(const char *text) {
    if (escaped_length(text) <= MARKDOWN_CELL) return strlen(text);
    size_t escapes = escaped_length(text) - strlen(text), room = MARKDOWN_CELL - strlen(more) - 1;
    size_t most = escapes < room ? room - escapes : 0;
    static const char *const ends[] = {".;", ":", ",", ""};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t at = last_end(text, ends[i], most);
        if (at) return at;
    }
    return most;
}

/* Prints a row's line. A cell that is cut leaves its whole text in the list. */
void markdown_row(struct markdown_table *t, const char *const *cell) {
    for (size_t i = 0; i < t->n_columns; i++) {
        size_t length = strlen(cell[i]), shown = markdown_cut(cell[i]);
        fprintf(t->out, "| ");
        print_escaped(t->out, cell[i], shown);
        fprintf(t->out, "%s ", shown < length ? more : "");
        if (shown == length) continue;
        fprintf(t->list, "* %s", cell[0]);
        if (i + 1 < t->n_columns) fprintf(t->list, ", %s", t->head[i]);
        fprintf(t->list, ": %s\n", cell[i]);
    }
    fprintf(t->out, "|\n");
}

void markdown_begin(struct markdown_table *t, FILE *out, const char *const *head, size_t n_columns) {
    assert(n_columns <= MARKDOWN_COLUMNS);
    *t = (struct markdown_table){.out = out, .head = head, .n_columns = n_columns};
    t->list = text_stream(&t->notes, &t->n_notes_bytes);
    for (size_t i = 0; i < n_columns; i++) fprintf(out, "| %s ", head[i]);
    fprintf(out, "|\n|");
    for (size_t i = 0; i < n_columns; i++) fprintf(out, "---|");
    fprintf(out, "\n");
}

void markdown_end(struct markdown_table *t) {
    text_stream_end(t->list, &t->notes);
    if (t->notes[0]) fprintf(t->out, "\nIn full:\n\n%s", t->notes);
    free(t->notes);
}
