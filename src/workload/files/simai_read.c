/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/files/simai.h"

#include "base/memory.h"
#include "base/words.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS 12
#define LAYERS_MAX 1000000
#define HEAD_EXAMPLE "HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1 pp: 1 all_gpus: 64"
#define LINE_EXAMPLE "layer -1 5000 ALLREDUCE 40000 5000 NONE 0 5000 NONE 0 100"

/* ---- the first line ---- */

/* What a word of the first line sets, or must be. */
enum head_use { HEAD_TENSOR, HEAD_EXPERT, HEAD_RANKS, HEAD_MUST_BE_1, HEAD_MUST_BE_0, HEAD_ANY };
static const struct head_word {
    const char *name;
    enum head_use use;
    const char *why;
} head_word[] = {
    {"model_parallel_NPU_group:", HEAD_TENSOR, NULL},
    {"ep:", HEAD_EXPERT, NULL},
    {"all_gpus:", HEAD_RANKS, NULL},
    {"pp:", HEAD_MUST_BE_1, "pipeline stages are not in a file of layers; use kind training with pipeline"},
    {"vpp:", HEAD_ANY, NULL}, /* of a pipeline, which there is not */
    {"ga:", HEAD_ANY, NULL},  /* the lines have each micro-batch already */
    {"pp_comm:", HEAD_MUST_BE_0, "pipeline stages are not in a file of layers; use kind training with pipeline"},
    {"pp_comm", HEAD_MUST_BE_0, "pipeline stages are not in a file of layers; use kind training with pipeline"},
    {"checkpoints:", HEAD_MUST_BE_0, "layers that are computed again cannot be carried out; write 0"},
    {"checkpoint_initiates:", HEAD_MUST_BE_0, "layers that are computed again cannot be carried out; write 0"},
};

static bool head_set(struct simai_model *m, const struct words *w, uint32_t i, const struct head_word *h) {
    uint64_t value;
    uint64_t least = h->use == HEAD_MUST_BE_0 || h->use == HEAD_ANY ? 0 : 1;
    if (!words_number(w, i + 1, least, UINT32_MAX, h->name, &value)) return false;
    switch (h->use) {
    case HEAD_TENSOR: m->tensor = (uint32_t)value; return true;
    case HEAD_EXPERT: m->expert = (uint32_t)value; return true;
    case HEAD_RANKS: m->ranks = (uint32_t)value; return true;
    case HEAD_MUST_BE_1: return value == 1 || words_fail(w, i + 1, "%s", h->why);
    case HEAD_MUST_BE_0: return value == 0 || words_fail(w, i + 1, "%s", h->why);
    default: return true;
    }
}

static bool head_read(struct simai_model *m, struct words *w) {
    char text[WORD_TEXT_MAX];
    if (!words_line(w)) return diag_fail(w->d, w->path, 1, 1, "the file is empty; it begins with " HEAD_EXAMPLE);
    if (!word_is(&w->word[0], "HYBRID_TRANSFORMER") && !word_is(&w->word[0], "HYBRID_TRANSFORMER_FWD_IN_BCKWD"))
        return words_fail(w, 0, "'%s' is no loop that can be carried out; write for example " HEAD_EXAMPLE,
                          word_text(&w->word[0], text));
    if (w->n > WORDS_MAX) return words_fail(w, WORDS_MAX, "too many words; write for example " HEAD_EXAMPLE);
    for (uint32_t i = 1; i < w->n; i += 2) {
        size_t k = 0, n = sizeof head_word / sizeof *head_word;
        while (k < n && !word_is(&w->word[i], head_word[k].name)) k++;
        if (k == n)
            return words_fail(w, i, "'%s' is nothing of a first line; write for example " HEAD_EXAMPLE,
                              word_text(&w->word[i], text));
        if (!head_set(m, w, i, &head_word[k])) return false;
    }
    return true;
}

/* ---- a layer ---- */

static bool time_read(const struct words *w, uint32_t i, span_ps *time) {
    uint64_t ns;
    if (!words_number(w, i, 0, WORKLOAD_TIME_MAX / PS_PER_NS, "a time in ns", &ns)) return false;
    *time = (span_ps)ns * PS_PER_NS;
    return true;
}

/* Reads the name of a collective: of the whole group, _EP or _DP_EP. */
static bool collective_read(const struct words *w, uint32_t i, enum simai_pass pass, struct simai_part *part) {
    static const struct {
        const char *name;
        enum collective_op op;
    } row[] = {{"ALLREDUCE", OP_ALL_REDUCE},
               {"ALLGATHER", OP_ALL_GATHER},
               {"REDUCESCATTER", OP_REDUCE_SCATTER},
               {"ALLTOALL", OP_ALL_TO_ALL}};
    char text[WORD_TEXT_MAX];
    part->op = OP_COUNT;
    if (i < w->n && word_is(&w->word[i], "NONE")) return true;
    for (size_t k = 0; i < w->n && k < sizeof row / sizeof *row; k++) {
        size_t n = strlen(row[k].name);
        const struct word *word = &w->word[i];
        if (word->n < n || memcmp(word->at, row[k].name, n) != 0) continue;
        const struct word rest = {.at = word->at + n, .n = word->n - n};
        part->op = row[k].op;
        part->group = pass == SIMAI_WEIGHTS ? SIMAI_DATA : SIMAI_TENSOR;
        if (rest.n == 0) return true;
        part->group = SIMAI_EXPERT;
        if (word_is(&rest, "_EP")) return true;
        part->group = SIMAI_DATA_OF_EXPERT;
        if (word_is(&rest, "_DP_EP")) return true;
    }
    return words_fail(
        w, i,
        "'%s' is no collective that can be carried out; known are NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL, "
        "each also with _EP and _DP_EP",
        i < w->n ? word_text(&w->word[i], text) : "");
}

static bool part_read(const struct words *w, uint32_t i, enum simai_pass pass, struct simai_part *part) {
    uint32_t bytes = i + 2;
    if (!time_read(w, i, &part->compute) || !collective_read(w, i + 1, pass, part) ||
        !words_number(w, bytes, 0, (uint64_t)1 << 50, "a number of bytes", &part->bytes))
        return false;
    if (part->bytes == 0) part->op = OP_COUNT;
    return part->bytes == 0 || part->op != OP_COUNT || words_fail(w, bytes, "NONE exchanges nothing; write 0 bytes");
}

static bool layer_read(const struct words *w, struct simai_layer *l) {
    if (w->n != COLUMNS)
        return words_fail(w, w->n < COLUMNS ? w->n : COLUMNS, "%u of %d columns; write for example " LINE_EXAMPLE, w->n,
                          COLUMNS);
    for (int pass = 0; pass < SIMAI_PASSES; pass++)
        if (!part_read(w, 2 + 3 * (uint32_t)pass, (enum simai_pass)pass, &l->part[pass])) return false;
    return time_read(w, COLUMNS - 1, &l->update);
}

bool simai_read(struct simai_model *m, const char *path, const char *text, size_t size, struct diag *d) {
    struct words w;
    uint64_t n;
    *m = (struct simai_model){.tensor = 1, .expert = 1};
    words_init(&w, path, text, size, d);
    if (!head_read(m, &w)) return false;
    if (!words_line(&w) || w.n != 1)
        return words_fail(
            &w, 0, "the second line is the number of layers alone; write it between the first line and the layers");
    if (!words_number(&w, 0, 1, LAYERS_MAX, "a number of layers", &n)) return false;
    m->layer = memory_get(n, sizeof *m->layer);
    while (m->n_layers < n) {
        if (!words_line(&w))
            return diag_fail(d, path, w.line, 1, "the file ends after %u layers; its second line says %" PRIu64,
                             m->n_layers, n);
        if (!layer_read(&w, &m->layer[m->n_layers++])) return false;
    }
    return !words_line(&w) || words_fail(&w, 0, "a layer behind the last of %" PRIu64 "; correct the second line", n);
}
