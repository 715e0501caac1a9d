/* SPDX-License-Identifier: Apache-2.0 */
/* Names and tiers of nodes in formats that know numbers alone: comment lines, which other programs skip.
 *
 *   # heddle: node 0 host0.0 host
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "fabric/fabric_build.h"
#include "fabric/formats.h"

#define NOTE "# heddle: node "

void format_names_write(const struct fabric *f, FILE *out) {
    char name[FABRIC_NODE_NAME_MAX];
    for (uint32_t i = 0; i < f->n_nodes; i++)
        fprintf(out, NOTE "%u %s %s\n", i, fabric_node_name(f, i, name, sizeof name), format_tier(f->node[i].tier));
}

/* Adds the node of a note, whose words follow in the text. */
static bool note_read(struct words *w, uint32_t number, struct file_lists *lists) {
    struct word word[3];
    char tier[WORD_TEXT_MAX];
    uint64_t given;
    int line = w->line;
    for (int i = 0; i < 3; i++)
        if (!words_next(w, &word[i]) || word[i].line != line)
            return word_fail(w, &word[i], "this line names a node; write " NOTE "%u NAME TIER", number);
    if (!word_number(&word[0], number, &given) || given != number)
        return word_fail(w, &word[0], "the next node of these lines is %u; name all nodes, in their order", number);
    struct file_place at = {w->path, word[1].line, word[1].col, w->d};
    char *name = memory_get(word[1].n + 1, 1);
    memcpy(name, word[1].at, word[1].n); /* the text has no end of its own, as strndup may expect */
    bool fine = lists_add_node(lists, &at, name, word[1].n);
    free(name);
    at.col = word[2].col;
    return fine && lists_set_tier(lists, &at, word_text(&word[2], tier));
}

bool format_names_read(const char *path, const char *text, size_t size, uint32_t n, struct file_lists *lists, bool *any,
                       struct diag *d) {
    struct words w;
    uint32_t number = 0;
    size_t length = strlen(NOTE);
    words_init(&w, path, text, size, d);
    while (w.next < w.end) {
        if ((size_t)(w.end - w.next) > length && memcmp(w.next, NOTE, length) == 0) {
            w.next += length;
            if (number == n)
                return diag_fail(d, path, w.line, 1, "this line names another node, but there are %u; remove it", n);
            if (!note_read(&w, number++, lists)) return false;
        }
        words_skip_line(&w);
        if (w.next == w.end) break;
        w.line_at = ++w.next;
        w.line++;
    }
    *any = number > 0;
    if (number == 0 || number == n) return true;
    return diag_fail(d, path, w.line, 1, "the lines of names end before node %u; name all %u nodes, or none", number,
                     n);
}
