/* SPDX-License-Identifier: Apache-2.0 */
/* heddle init: writes an experiment to begin with. To add a start, put its files into cmd/starts and cmd/meson.build, and add a
 * row to STARTS. The first file of a row is the experiment; tests/cmd/test_init.c runs it. */
#include "cmd/commands.h"
#include "cmd/start_files.h"

#include "base/output_file.h"

#include <string.h>

/* name, files separated by blanks, what it is */
#define STARTS(ROW)                                                                                                    \
    ROW("leaf-spine", "leaf-spine.yaml", "random flows in two tiers, two balancers, a claim")                          \
    ROW("clos", "clos.yaml", "three tiers, a failed link, two schemes")                                                \
    ROW("file", "file.yaml file-net.yaml", "a network of your own: nodes and links from a file")                       \
    ROW("trace", "trace.yaml trace.csv", "flows of your own: a CSV with a flow a line")                                \
    ROW("lab", "lab.yaml", "an experiment for Linux hosts on real frames, and simulated")                              \
    ROW("incast", "incast.yaml", "many senders, one receiver, shallow buffers, four schemes")                          \
    ROW("training", "training.yaml", "a training step of 32 GPUs, three schemes, two placements")

static const struct start {
    const char *name, *files;
} starts[] = {
#define START_ROW(name, files, doc) {name, files},
    STARTS(START_ROW)
#undef START_ROW
};

/* The words of a list separated by blanks, one after the other: *list moves on. Returns false at its end. */
static bool next_word(const char **list, char *word, size_t size) {
    size_t length = strcspn(*list, " ");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + strspn(*list + length, " ");
    return length > 0;
}

static const struct start *start_find(const char *name) {
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strcmp(starts[i].name, name) == 0) return &starts[i];
    return NULL;
}

static const struct start_file *file_find(const char *name) {
    for (size_t i = 0; i < n_start_files; i++)
        if (strcmp(start_files[i].name, name) == 0) return &start_files[i];
    return NULL;
}

struct init_request {
    const char *start, *folder;
};
#define T struct init_request

static const struct output_rules rules = {.kind = "a file of heddle init",
                                          .remedy = "move it away, or name another folder with -o DIR"};

enum { NAME_MAX_BYTES = 64, PATH_MAX_BYTES = 4096 };

static const char *path_of(const struct init_request *q, const char *name, char path[PATH_MAX_BYTES]) {
    snprintf(path, PATH_MAX_BYTES, "%s%s%s", q->folder ? q->folder : "", q->folder ? "/" : "", name);
    return path;
}

/* Returns whether no file of the start is there yet; false after filling *d. */
static bool nothing_is_there(const struct init_request *q, const struct start *s, struct diag *d) {
    char name[NAME_MAX_BYTES], path[PATH_MAX_BYTES];
    for (const char *list = s->files; next_word(&list, name, sizeof name);)
        if (!output_check(path_of(q, name, path), &rules, d)) return false;
    return true;
}

static bool file_write(const struct init_request *q, const struct start_file *file, struct diag *d) {
    struct output_file out;
    char path[PATH_MAX_BYTES];
    if (!output_begin(&out, path_of(q, file->name, path), &rules, d)) return false;
    fwrite(file->text, 1, file->size, out.out);
    if (!output_end(&out, d)) return false;
    printf("written: %s\n", path);
    return true;
}

static int init_run(void *request) {
    const struct init_request *q = request;
    const struct start *s = start_find(q->start ? q->start : starts[0].name);
    struct diag d = {0};
    char name[NAME_MAX_BYTES], path[PATH_MAX_BYTES];
    if (q->folder && !output_folder(q->folder, &d)) return exit_diag(&d);
    if (!nothing_is_there(q, s, &d)) return exit_diag(&d);
    for (const char *list = s->files; next_word(&list, name, sizeof name);)
        if (!file_write(q, file_find(name), &d)) return exit_diag(&d);
    next_word(&(const char *){s->files}, name, sizeof name);
    printf("next: heddle run %s   (its comments say what to change)\n", path_of(q, name, path));
    return 0;
}

#define START_CHOICE(name, files, doc) "|" name
#define START_LINE(name, files, doc) "\n\n" name ": " doc "."

const struct command command_init = {
    .name = "init",
    .purpose = "write a commented experiment to begin with",
    .about =
        "Writes an experiment that runs as it is, with comments that say what to change, into the current folder. No "
        "file that is there is replaced." STARTS(START_LINE),
    .arguments = (const struct argument[]){{.value = {.name = "START",
                                                      .kind = VALUE_CHOICE,
                                                      .field = FIELD(T, start),
                                                      .choices = STARTS(START_CHOICE) + 1},
                                            .doc = "what to begin with; leaf-spine if left out"},
                                           {0}},
    .options =
        (const struct option_row[]){
            WORD(T, folder, "out", 'o', "DIR", VALUE_FOLDER, "the folder of the files; made if missing"), {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"init", "writes leaf-spine.yaml"},
                                             {"init trace -o mine", "writes mine/trace.yaml and mine/trace.csv"},
                                             {0}},
    .see = "run check fabric list",
    .request_size = sizeof(T),
    .run = init_run,
};
