/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/pcapng.h"

#include <errno.h>
#include <string.h>

#include "wire/pcapng_format.h"

enum { BLOCK_MAX = 512, OPTION_TEXT_MAX = 255 };

/* A block under construction: its numbers and options. A frame's bytes are written separately. */
struct block {
    uint8_t bytes[BLOCK_MAX];
    size_t n;
};

static const uint8_t zeros[4];

static size_t padded(size_t n) { return (n + 3) & ~(size_t)3; }

static void block_u16(struct block *b, uint16_t v) {
    b->bytes[b->n++] = (uint8_t)v;
    b->bytes[b->n++] = (uint8_t)(v >> 8);
}

static void block_u32(struct block *b, uint32_t v) {
    block_u16(b, (uint16_t)v);
    block_u16(b, (uint16_t)(v >> 16));
}

static void block_option(struct block *b, uint16_t code, const void *value, size_t bytes) {
    if (bytes > OPTION_TEXT_MAX) bytes = OPTION_TEXT_MAX;
    block_u16(b, code);
    block_u16(b, (uint16_t)bytes);
    memcpy(b->bytes + b->n, value, bytes);
    memset(b->bytes + b->n + bytes, 0, padded(bytes) - bytes);
    b->n += padded(bytes);
}

static void block_option_u64(struct block *b, uint16_t code, uint64_t v) {
    block_u16(b, code);
    block_u16(b, 8);
    block_u32(b, (uint32_t)v);
    block_u32(b, (uint32_t)(v >> 32));
}

static void block_end_options(struct block *b) { block_u32(b, PCAPNG_OPT_END); }

/* Begins a block with its type and total length; `inside` is the number of bytes between the two lengths. */
static struct block block_begin(uint32_t type, size_t inside) {
    struct block b = {.n = 0};
    block_u32(&b, type);
    block_u32(&b, (uint32_t)(12 + inside));
    return b;
}

static bool writer_fail(const struct pcapng_writer *w, struct diag *d) {
    return diag_fail_in(d, w->name, "cannot write the capture: %s; free some space or capture fewer nodes",
                        strerror(errno ? errno : EIO));
}

static bool put(struct pcapng_writer *w, const void *bytes, size_t n, struct diag *d) {
    return n == 0 || fwrite(bytes, 1, n, w->file) == n || writer_fail(w, d);
}

/* Adds the total length at both ends of a block and writes it. */
static bool put_block(struct pcapng_writer *w, struct block *b, struct diag *d) {
    size_t total = b->n + 4, end = b->n;
    b->n = 4;
    block_u32(b, (uint32_t)total);
    b->n = end;
    block_u32(b, (uint32_t)total);
    return put(w, b->bytes, b->n, d);
}

/* Makes the Section Header without its last length. */
static struct block section_header(const char *application) {
    struct block b = block_begin(PCAPNG_SECTION, 0);
    block_u32(&b, PCAPNG_BYTE_ORDER);
    block_u16(&b, 1); /* version 1.0 */
    block_u16(&b, 0);
    block_u32(&b, UINT32_MAX); /* section length: unspecified */
    block_u32(&b, UINT32_MAX);
    block_option(&b, PCAPNG_SHB_USERAPPL, application, strlen(application));
    block_end_options(&b);
    return b;
}

bool pcapng_begin_as(struct pcapng_writer *w, FILE *file, const char *name, const struct pcapng_origin *origin,
                     uint32_t snap_bytes, struct diag *d) {
    *w = (struct pcapng_writer){.file = file, .name = name, .snap_bytes = snap_bytes, .unit = origin->unit};
    struct block b = section_header(origin->application);
    return put_block(w, &b, d);
}

bool pcapng_begin(struct pcapng_writer *w, FILE *file, const char *name, uint32_t snap_bytes, struct diag *d) {
    static const struct pcapng_origin simulation = {"heddle", PCAPNG_100_PS};
    return pcapng_begin_as(w, file, name, &simulation, snap_bytes, d);
}

bool pcapng_is_by(FILE *in, const void *application) {
    uint8_t head[BLOCK_MAX];
    struct block b = section_header(application);
    return fread(head, 1, b.n, in) == b.n && memcmp(head, b.bytes, 4) == 0 &&
           memcmp(head + 8, b.bytes + 8, b.n - 8) == 0;
}

bool pcapng_add_interface(struct pcapng_writer *w, const char *if_name, int64_t rate_bps, struct diag *d) {
    const uint8_t unit = (uint8_t)w->unit;
    struct block b = block_begin(PCAPNG_INTERFACE, 0);
    block_u16(&b, PCAPNG_LINK_ETHERNET);
    block_u16(&b, 0);
    block_u32(&b, w->snap_bytes);
    block_option(&b, PCAPNG_IF_NAME, if_name, strlen(if_name));
    if (rate_bps > 0) block_option_u64(&b, PCAPNG_IF_SPEED, (uint64_t)rate_bps);
    block_option(&b, PCAPNG_IF_TSRESOL, &unit, 1);
    block_end_options(&b);
    w->n_interfaces++;
    return put_block(w, &b, d);
}

/* Makes the options of a packet block: its direction, if known, and the picoseconds below the nanosecond. */
static struct block packet_options(time_ps at, enum capture_direction direction) {
    struct block b = {.n = 0};
    if (direction != CAPTURE_UNKNOWN) {
        block_u16(&b, PCAPNG_PACKET_FLAGS);
        block_u16(&b, 4);
        block_u32(&b, direction);
    }
    block_u16(&b, PCAPNG_CUSTOM);
    block_u16(&b, PCAPNG_PICOSECONDS_BYTES);
    block_u32(&b, PCAPNG_NO_ENTERPRISE);
    memcpy(b.bytes + b.n, PCAPNG_PICOSECONDS_NAME, 6);
    b.n += 6;
    block_u16(&b, (uint16_t)((uint64_t)at % PS_PER_NS));
    block_end_options(&b);
    return b;
}

bool pcapng_write(struct pcapng_writer *w, uint32_t interface, time_ps at, enum capture_direction direction,
                  const uint8_t *bytes, size_t captured, size_t original, struct diag *d) {
    if (w->snap_bytes && captured > w->snap_bytes) captured = w->snap_bytes;
    struct block tail = packet_options(at, direction);
    size_t inside = 20 + padded(captured) + tail.n;
    struct block head = block_begin(PCAPNG_ENHANCED_PACKET, inside);
    uint64_t stamp = (uint64_t)at / (w->unit == PCAPNG_100_PS ? 100 : PS_PER_NS);
    block_u32(&head, interface);
    block_u32(&head, (uint32_t)(stamp >> 32));
    block_u32(&head, (uint32_t)stamp);
    block_u32(&head, (uint32_t)captured);
    block_u32(&head, (uint32_t)original);
    block_u32(&tail, (uint32_t)(12 + inside));
    return put(w, head.bytes, head.n, d) && put(w, bytes, captured, d) &&
           put(w, zeros, padded(captured) - captured, d) && put(w, tail.bytes, tail.n, d);
}

bool pcapng_finish(struct pcapng_writer *w, struct diag *d) {
    errno = 0;
    if (fflush(w->file) != 0 || ferror(w->file)) return writer_fail(w, d);
    return true;
}
