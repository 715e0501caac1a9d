/* SPDX-License-Identifier: Apache-2.0 */
/* Lays any bytes over any others, as an experiment file over its base: the base stands before a line "--- over", and comes out
 * of memory. It opens no file, whatever paths the two name: base_merge takes trees, and experiment_parse refuses a base under
 * no_files. The merged tree must read as an experiment, or be refused with a message. */
#include "study/experiment/base_file.h"
#include "study/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

#define LINE "\n--- over\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

static void merged_read(const struct tree_node *tree) {
    struct experiment_options o = {.no_files = true};
    struct diag d = {0};
    size_t size = tree_print_flow(tree, NULL, 0) + 1;
    char *text = malloc(size);
    require(text != NULL);
    tree_print_flow(tree, text, size);
    struct experiment *e = experiment_parse(text, size - 1, "merged.yaml", &o, &d);
    require(e || d.text[0]);
    experiment_free(e);
    free(text);
}

static void merge(struct tree_node *base, const struct tree_node *over) {
    struct base_wish w;
    struct diag d = {0};
    tree_remove(base, "base");
    if (!base_wish_read(over, &w, &d)) {
        require(d.text[0]);
        return;
    }
    if (!base_merge(base, w.file ? "folder" : "", over, &w, &d)) {
        require(d.text[0] && d.line > 0);
        return;
    }
    require(!tree_get(base, "base"));
    merged_read(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n > 1 << 14) return 0;
    const char *text = (const char *)data, *line = memmem(data, n, LINE, sizeof LINE - 1);
    size_t size = line ? (size_t)(line - text) : n;
    const char *rest = line ? line + sizeof LINE - 1 : text;
    struct diag d = {0};
    struct tree_node *base = tree_parse(text, size, "base.yaml", &d);
    struct tree_node *over = tree_parse(rest, (size_t)(text + n - rest), "over.yaml", &d);
    if (base && over && base->kind == TREE_MAP && over->kind == TREE_MAP) merge(base, over);
    tree_free(base);
    tree_free(over);
    return 0;
}
