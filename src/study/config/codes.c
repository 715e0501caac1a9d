/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/codes.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const choices[] = {"AM", "SC", "CMB", "X"};
static const char *const mechanisms[] = {"EXP", "XP", "SP", "DT"};
enum { KINDS = 4 };

/* Returns the length of the code of one of these kinds that the text begins with; 0: none. */
static size_t code_of(const char *text, const char *const kind[KINDS]) {
    for (size_t i = 0; i < KINDS; i++) {
        size_t length = strlen(kind[i]);
        if (strncmp(text, kind[i], length) != 0 || text[length] != '-') continue;
        size_t digits = strspn(text + length + 1, "0123456789");
        if (digits) return length + 1 + digits;
    }
    return 0;
}

/* Takes the ends of the text that is written so far: what stood before a code that is left out. */
static void ends_trim(char *out, size_t *used) {
    while (*used && strchr(" ,;", out[*used - 1])) out[--*used] = '\0';
}

/* Returns how much of what follows a code goes with it: the comma, if nothing stands before. */
static size_t comma_after(const char *text, const char *out, size_t used) {
    bool is_first = used == 0 || out[used - 1] == '(';
    return is_first && (*text == ',' || *text == ';') ? 1 + strspn(text + 1, " ") : 0;
}

static size_t link_write(char *out, const char *code, size_t length) {
    size_t used = (size_t)sprintf(out, "[%.*s](choices.md#", (int)length, code);
    for (size_t i = 0; i < length; i++) out[used++] = (char)tolower((unsigned char)code[i]);
    out[used++] = ')';
    return used;
}

static char *codes_write(const char *text, bool with_links) {
    char *out =
        memory_get(8 * strlen(text) + 1, 1); /* a link of X-1, the shortest code, takes seven times its length */
    size_t used = 0;
    bool in_word = false;
    while (*text) {
        size_t choice = in_word ? 0 : code_of(text, choices), length = choice    ? choice
                                                                       : in_word ? 0
                                                                                 : code_of(text, mechanisms);
        if (choice && with_links) {
            used += link_write(out + used, text, choice);
            text += choice;
        } else if (length) {
            ends_trim(out, &used);
            text += length;
            text += comma_after(text, out, used);
        } else if (*text == ')' && used && out[used - 1] == '(') {
            out[--used] = '\0';
            ends_trim(out, &used);
            text++;
        } else {
            in_word = isalnum((unsigned char)*text);
            out[used++] = *text++;
            continue;
        }
        in_word = false;
    }
    out[used] = '\0';
    return out;
}

char *codes_left_out(const char *text) { return codes_write(text, false); }
char *codes_linked(const char *text) { return codes_write(text, true); }
