/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a capture. The reader must end and return only valid frames, which can be written and read
 * again. */
#include <stdlib.h>
#include <string.h>

#include "wire/capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static unsigned touch(const uint8_t *bytes, size_t n) {
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) sum += bytes[i];
    return sum;
}

/* Writes one frame to a capture and reads it back. */
static void check_write(const struct capture_frame *f) {
    struct diag d;
    struct capture_frame back;
    struct pcapng_writer w;
    char *bytes;
    size_t n;
    time_ps at = capture_time(f, capture_base(f->second));
    if (at == TIME_NONE || at < 0) return;
    FILE *file = open_memstream(&bytes, &n);
    require(file && pcapng_begin(&w, file, "again", 0, &d) && pcapng_add_interface(&w, f->if_name, 1, &d));
    require(pcapng_write(&w, 0, at, f->direction, f->bytes, f->captured, f->original, &d) && pcapng_finish(&w, &d));
    fclose(file);
    struct capture *c = capture_open_file(fmemopen(bytes, n, "rb"), "again", &d);
    require(c && capture_next(c, &back, &d) == CAPTURE_FRAME);
    require(capture_time(&back, 0) == at && back.direction == f->direction && back.captured == f->captured);
    require(back.original == f->original && memcmp(back.bytes, f->bytes, f->captured) == 0);
    require(strcmp(back.if_name, f->if_name) == 0);
    require(capture_next(c, &back, &d) == CAPTURE_END);
    capture_close(c);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct diag d = {0};
    struct capture_frame f;
    size_t frames = 0;
    if (size == 0) return 0;
    FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
    require(file != NULL);
    struct capture *c = capture_open_file(file, "input", &d);
    if (!c) {
        require(d.text[0] != '\0');
        return 0;
    }
    enum capture_result result;
    while ((result = capture_next(c, &f, &d)) == CAPTURE_FRAME) {
        require(f.captured <= f.original && f.ps >= 0 && f.ps < PS_PER_S);
        require(strlen(f.if_name) + touch(f.bytes, f.captured) < UINT32_MAX);
        if (frames++ == 0) check_write(&f);
        require(frames <= size); /* a frame takes more than a byte, so the reader advances */
    }
    require(result == CAPTURE_END || d.text[0] != '\0');
    capture_close(c);
    return 0;
}
