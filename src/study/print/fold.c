/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/fold.h"

#include <string.h>

void fold_print(const char *text, int width, int indent, int hanging, FILE *out) {
    int column = indent, start = indent;
    fprintf(out, "%*s", indent, "");
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column > start && column + 1 + n > width) {
            fprintf(out, "\n%*s", indent + hanging, "");
            column = start = indent + hanging;
        } else if (column > start) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", n, text);
        column += n;
        text += n;
        while (*text == ' ') text++;
    }
    fputc('\n', out);
}
