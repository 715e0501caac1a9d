/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target in a build without libFuzzer: its seeds, then mutations of them.
 *
 *     fuzz_NAME SECONDS [FOLDER]     the files of FOLDER are the seeds
 *
 * The mutations are drawn from one fixed random stream, so two runs differ only in how far they come. libFuzzer finds more,
 * because it looks at what an input covers (scripts/build fuzz). An input that fails is left in fuzz_NAME.input.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

#include <dirent.h>
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES 4096
#define PATIENCE_S 30 /* for one input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv); /* few targets have one */

struct input {
    uint8_t *data;
    size_t n;
};

static struct input *seeds;
static size_t n_seeds;
static struct input present; /* being run */
static const char *program;

/* ---- an input that fails ---- */

static void input_keep(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s.input", program);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    if (to < 0 || write(to, present.data, present.n) != (ssize_t)present.n) return;
    fprintf(stderr, "the input of %zu bytes that fails: %s\n", present.n, path);
}

static void failed(int signal_number) {
    if (signal_number == SIGALRM) fprintf(stderr, "an input takes more than %d s\n", PATIENCE_S);
    input_keep();
    _exit(1);
}

/* Runs a copy of exactly that size, so that a read beyond its end is seen. */
static void input_run(const uint8_t *data, size_t n) {
    uint8_t *copy = memory_get(n ? n : 1, 1);
    memcpy(copy, data, n);
    present = (struct input){copy, n};
    alarm(PATIENCE_S);
    LLVMFuzzerTestOneInput(copy, n);
    alarm(0);
    present.n = 0;
    free(copy);
}

/* ---- seeds ---- */

static void seed_add(uint8_t *data, size_t n) {
    seeds = memory_grow(seeds, n_seeds + 1, sizeof *seeds);
    seeds[n_seeds++] = (struct input){data, n};
}

static int by_content(const void *a, const void *b) {
    const struct input *x = a, *y = b;
    if (x->n != y->n) return x->n < y->n ? -1 : 1;
    return memcmp(x->data, y->data, x->n);
}

/* Reads the seeds, in an order that no file system decides. */
static void seeds_read(const char *folder) {
    DIR *d = opendir(folder);
    if (!d) {
        fprintf(stderr, "no folder %s\n", folder);
        exit(2);
    }
    for (const struct dirent *e; (e = readdir(d));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!f) continue;
        uint8_t *data = memory_get(1 << 20, 1);
        seed_add(data, fread(data, 1, 1 << 20, f));
        fclose(f);
    }
    closedir(d);
    qsort(seeds, n_seeds, sizeof *seeds, by_content);
}

/* ---- mutations ---- */

static uint8_t byte_draw(struct random_stream *r) {
    static const char telling[] = "\0\xff\x7f\x80 \n\t:,-.0129{}[]\"'#%eE*/&";
    return (uint8_t)(random_below(r, 2) ? random_below(r, 256) : (uint8_t)telling[random_below(r, sizeof telling)]);
}

/* Copies up to 64 bytes of `from` to a random place of the input, over what is there or before it. */
static void bytes_copy(struct random_stream *r, struct input *to, const struct input *from) {
    if (from->n == 0) return;
    size_t at = random_below(r, from->n), n = 1 + random_below(r, 64), into = random_below(r, to->n + 1);
    bool over = random_below(r, 2);
    uint8_t piece[64];
    if (n > from->n - at) n = from->n - at;
    memcpy(piece, from->data + at, n);
    if (over && n > to->n - into) n = to->n - into;
    if (!over && n > MOST_BYTES - to->n) n = MOST_BYTES - to->n;
    if (!over) {
        memmove(to->data + into + n, to->data + into, to->n - into);
        to->n += n;
    }
    memcpy(to->data + into, piece, n);
}

static void bytes_erase(struct random_stream *r, struct input *in) {
    size_t at = random_below(r, in->n), n = 1 + random_below(r, random_below(r, 8) ? 8 : in->n);
    if (n > in->n - at) n = in->n - at;
    memmove(in->data + at, in->data + at + n, in->n - at - n);
    in->n -= n;
}

static void input_mutate(struct random_stream *r, struct input *in) {
    uint8_t one = byte_draw(r);
    struct input drawn = {&one, 1};
    uint64_t how = in->n == 0 ? 2 : random_below(r, 6);
    size_t at = in->n ? random_below(r, in->n) : 0;
    if (how == 0) in->data[at] ^= (uint8_t)(1u << random_below(r, 8));
    if (how == 1) in->data[at] = one;
    if (how == 2) bytes_copy(r, in, &drawn);
    if (how == 3) bytes_copy(r, in, in);
    if (how == 4) bytes_copy(r, in, &seeds[random_below(r, n_seeds)]);
    if (how == 5) bytes_erase(r, in);
}

/* Returns how many mutations were run. */
static uint64_t mutations_run(int64_t until_ns) {
    static uint8_t bytes[MOST_BYTES];
    struct random_stream r;
    random_init(&r, 1, RANDOM_ARRIVALS, 0);
    uint64_t n = 0;
    for (; clock_ns() < until_ns; n++) {
        const struct input *seed = &seeds[random_below(&r, n_seeds)];
        struct input in = {bytes, seed->n < MOST_BYTES ? seed->n : MOST_BYTES};
        memcpy(bytes, seed->data, in.n);
        for (uint64_t k = random_below(&r, 8) + 1; k > 0; k--) input_mutate(&r, &in);
        input_run(bytes, in.n);
    }
    return n;
}

int main(int argc, char **argv) {
    program = argv[0];
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s SECONDS [FOLDER]\n", program);
        return 2;
    }
    signal(SIGALRM, failed);
    signal(SIGABRT, failed);
    __sanitizer_set_death_callback(input_keep);
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    if (argc == 3) seeds_read(argv[2]);
    seed_add(memory_get(1, 1), 0); /* nothing is an input too */
    for (size_t i = 0; i < n_seeds; i++) input_run(seeds[i].data, seeds[i].n);
    uint64_t n = mutations_run(clock_ns() + strtol(argv[1], NULL, 10) * 1000000000);
    printf("%zu seeds and %llu mutations: all fine\n", n_seeds, (unsigned long long)n);
    for (size_t i = 0; i < n_seeds; i++) free(seeds[i].data);
    free(seeds);
    return 0;
}
