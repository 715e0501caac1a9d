/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire/capture_reader.h"
#include "wire/pcapng_format.h"

enum { BLOCK_BYTES_MAX = 16 << 20, INTERFACES_MAX = UINT16_MAX, NAME_MAX_BYTES = 127, MICROSECONDS = 6 };

struct interface {
    char name[NAME_MAX_BYTES + 1];
    uint16_t link_type;
    uint8_t tsresol;
    int64_t tsoffset_s;
};

struct pcapng_reader {
    FILE *file;
    char name[256];
    bool swap; /* the section's byte order is not little-endian */
    bool in_section;
    uint64_t at;   /* offset of the current block */
    uint64_t next; /* offset of the next block */
    uint8_t *body; /* contents of the block between its two lengths; grows as needed */
    size_t body_bytes, body_room;
    struct interface **interface; /* allocated one by one, so that names stay in place */
    size_t n_interfaces, room;
    size_t first;              /* first interface of the section */
    enum capture_result state; /* CAPTURE_FRAME while there is more */
};

/* Options, in a sequence. */
struct option {
    uint16_t code, bytes;
    const uint8_t *value;
};

static bool reader_fail(const struct pcapng_reader *r, struct diag *d, const char *what) {
    return diag_fail_in(d, r->name, "malformed pcapng, block at byte %llu: %s; capture or convert it again",
                        (unsigned long long)r->at, what);
}

static uint16_t get_u16(const struct pcapng_reader *r, const uint8_t *b) {
    return r->swap ? (uint16_t)(b[0] << 8 | b[1]) : (uint16_t)(b[1] << 8 | b[0]);
}

static uint32_t get_u32(const struct pcapng_reader *r, const uint8_t *b) {
    uint32_t first = get_u16(r, b), second = get_u16(r, b + 2);
    return r->swap ? first << 16 | second : second << 16 | first;
}

static uint64_t get_u64(const struct pcapng_reader *r, const uint8_t *b) {
    uint64_t first = get_u32(r, b), second = get_u32(r, b + 4);
    return r->swap ? first << 32 | second : second << 32 | first;
}

/* ---- blocks ---- */

static bool read_bytes(struct pcapng_reader *r, void *to, size_t n, struct diag *d) {
    if (fread(to, 1, n, r->file) == n) return true;
    if (ferror(r->file)) return diag_fail_in(d, r->name, "cannot read the capture: %s", strerror(errno));
    return reader_fail(r, d, "the file ends inside it");
}

static bool body_reserve(struct pcapng_reader *r, size_t n, struct diag *d) {
    if (n <= r->body_room) return true;
    uint8_t *body = realloc(r->body, n);
    if (!body) return diag_fail_in(d, r->name, "no memory for a block of %zu bytes", n);
    r->body = body;
    r->body_room = n;
    return true;
}

/* Reads the byte order of a section first: it stands behind the section's length, which depends on it. */
static bool read_byte_order(struct pcapng_reader *r, uint8_t order[4], struct diag *d) {
    if (!read_bytes(r, order, 4, d)) return false;
    r->swap = false;
    if (get_u32(r, order) == PCAPNG_BYTE_ORDER) return true;
    r->swap = true;
    return get_u32(r, order) == PCAPNG_BYTE_ORDER || reader_fail(r, d, "byte-order magic wrong");
}

static bool length_is_sound(uint32_t total, uint32_t least) {
    return total >= least && total % 4 == 0 && total <= BLOCK_BYTES_MAX;
}

/* Reads the block at r->next into r->body. Returns false with *end set at the clean end of the file. */
static bool read_block(struct pcapng_reader *r, uint32_t *type, bool *end, struct diag *d) {
    uint8_t head[8], tail[4], order[4] = {0};
    r->at = r->next;
    size_t got = fread(head, 1, sizeof head, r->file);
    if ((*end = got == 0 && !ferror(r->file))) return false;
    if (got < sizeof head) return reader_fail(r, d, "the file ends inside it");
    *type = get_u32(r, head);
    bool section = *type == PCAPNG_SECTION;
    if (!section && !r->in_section) return reader_fail(r, d, "no section header before it");
    if (section && !read_byte_order(r, order, d)) return false;
    uint32_t total = get_u32(r, head + 4);
    if (!length_is_sound(total, section ? 28 : 12))
        return reader_fail(r, d, "its length is no multiple of 4, too small, or over 16 MiB");
    size_t done = section ? 4 : 0;
    r->body_bytes = total - 12;
    if (!body_reserve(r, r->body_bytes + 1, d)) return false;
    memcpy(r->body, order, done);
    if (!read_bytes(r, r->body + done, r->body_bytes - done, d) || !read_bytes(r, tail, 4, d)) return false;
    if (get_u32(r, tail) != total) return reader_fail(r, d, "its two lengths differ");
    r->next = r->at + total;
    return true;
}

/* Reads the option at *at. Returns false at the end of the options, or after setting *bad. */
static bool next_option(const struct pcapng_reader *r, size_t *at, struct option *o, bool *bad) {
    size_t left = r->body_bytes - *at;
    if (left == 0) return false;
    if ((*bad = left < 4)) return false;
    o->code = get_u16(r, r->body + *at);
    o->bytes = get_u16(r, r->body + *at + 2);
    o->value = r->body + *at + 4;
    if (o->code == PCAPNG_OPT_END) return false;
    size_t whole = 4 + ((o->bytes + 3u) & ~3u);
    if ((*bad = whole > left)) return false;
    *at += whole;
    return true;
}

static bool on_section(struct pcapng_reader *r, struct diag *d) {
    if (get_u16(r, r->body + 4) != 1) return reader_fail(r, d, "version other than 1");
    r->in_section = true;
    r->first = r->n_interfaces;
    return true;
}

/* ---- interfaces ---- */

static struct interface *interface_add(struct pcapng_reader *r) {
    if (r->n_interfaces == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        struct interface **all = realloc(r->interface, room * sizeof *all);
        if (!all) return NULL;
        r->interface = all;
        r->room = room;
    }
    struct interface *i = calloc(1, sizeof *i);
    if (i) r->interface[r->n_interfaces++] = i;
    return i;
}

static void interface_option(const struct pcapng_reader *r, struct interface *i, const struct option *o) {
    if (o->code == PCAPNG_IF_NAME) {
        size_t n = o->bytes < NAME_MAX_BYTES ? o->bytes : NAME_MAX_BYTES;
        memcpy(i->name, o->value, n);
        i->name[n] = '\0';
    }
    if (o->code == PCAPNG_IF_TSRESOL && o->bytes == 1) i->tsresol = o->value[0];
    if (o->code == PCAPNG_IF_TSOFFSET && o->bytes == 8) i->tsoffset_s = (int64_t)get_u64(r, o->value);
}

static bool on_interface(struct pcapng_reader *r, struct diag *d) {
    if (r->body_bytes < 8) return reader_fail(r, d, "interface description too short");
    if (r->n_interfaces == INTERFACES_MAX) return reader_fail(r, d, "more than 65,535 interfaces");
    struct interface *i = interface_add(r);
    if (!i) return diag_fail_in(d, r->name, "no memory for %zu interfaces", r->n_interfaces + 1);
    i->link_type = get_u16(r, r->body);
    i->tsresol = MICROSECONDS;
    struct option o;
    bool bad = false;
    size_t at = 8;
    while (next_option(r, &at, &o, &bad)) interface_option(r, i, &o);
    return !bad || reader_fail(r, d, "an option reaches beyond it");
}

/* ---- frames ---- */

bool pcapng_stamp(uint64_t units, uint8_t tsresol, int64_t offset_second, int64_t *second, int64_t *ps) {
    uint64_t whole = 0, power = 1;
    uint8_t k = tsresol & 0x7f;
    if (tsresol & 0x80) {
        if (k < 64) whole = units >> k;
        if (k < 64) units -= whole << k;
        *ps = (int64_t)((uint128)units * PS_PER_S >> k);
    } else if (k <= 12) {
        for (uint8_t i = 0; i < k; i++) power *= 10;
        whole = units / power;
        *ps = (int64_t)(units % power * (PS_PER_S / power));
    } else {
        for (uint8_t i = 12; i < k && power; i++) power = power > UINT64_MAX / 10 ? 0 : power * 10;
        uint64_t all_ps = power ? units / power : 0;
        whole = all_ps / PS_PER_S;
        *ps = (int64_t)(all_ps % PS_PER_S);
    }
    if (whole > INT64_MAX) return false;
    return !__builtin_add_overflow((int64_t)whole, offset_second, second);
}

static bool frame_stamp(const struct pcapng_reader *r, const struct interface *i, struct capture_frame *f,
                        struct diag *d) {
    uint64_t units = (uint64_t)get_u32(r, r->body + 4) << 32 | get_u32(r, r->body + 8);
    return pcapng_stamp(units, i->tsresol, i->tsoffset_s, &f->second, &f->ps) ||
           reader_fail(r, d, "its time does not fit");
}

/* Returns true if the option has the picoseconds that our stamps leave out (pcapng.h). */
static bool is_picoseconds(const struct pcapng_reader *r, const struct option *o) {
    return o->code == PCAPNG_CUSTOM && o->bytes == PCAPNG_PICOSECONDS_BYTES &&
           get_u32(r, o->value) == PCAPNG_NO_ENTERPRISE &&
           memcmp(o->value + 4, PCAPNG_PICOSECONDS_NAME, PCAPNG_PICOSECONDS_AT - 4) == 0;
}

/* Sets what a stamp of nanoseconds leaves out. A value of a nanosecond or more is none of ours and stays unread. */
static void frame_picoseconds(struct capture_frame *f, const uint8_t *value) {
    int64_t ps = value[PCAPNG_PICOSECONDS_AT] | value[PCAPNG_PICOSECONDS_AT + 1] << 8;
    if (ps < PS_PER_NS) f->ps = f->ps - f->ps % PS_PER_NS + ps;
}

static bool frame_options(const struct pcapng_reader *r, size_t at, struct capture_frame *f, struct diag *d) {
    struct option o;
    bool bad = false;
    f->direction = CAPTURE_UNKNOWN;
    while (next_option(r, &at, &o, &bad)) {
        if (is_picoseconds(r, &o)) frame_picoseconds(f, o.value);
        if (o.code != PCAPNG_PACKET_FLAGS || o.bytes != 4) continue;
        uint32_t direction = get_u32(r, o.value) & 3;
        f->direction = direction == 3 ? CAPTURE_UNKNOWN : (enum capture_direction)direction;
    }
    return !bad || reader_fail(r, d, "an option reaches beyond it");
}

/* Reads an Enhanced Packet Block, or the obsolete block, whose interface number has 16 bits, followed by a drop
 * count. */
static bool on_frame(struct pcapng_reader *r, bool obsolete, struct capture_frame *f, struct diag *d) {
    if (r->body_bytes < 20) return reader_fail(r, d, "packet block too short");
    uint32_t id = obsolete ? get_u16(r, r->body) : get_u32(r, r->body);
    if (id >= r->n_interfaces - r->first) return reader_fail(r, d, "it names an interface that was not described");
    f->interface = (uint32_t)r->first + id;
    const struct interface *i = r->interface[f->interface];
    if (i->link_type != PCAPNG_LINK_ETHERNET)
        return diag_fail_in(d, r->name, "interface %u (%s) has link type %u; only Ethernet (1) is read", f->interface,
                            i->name, i->link_type);
    f->if_name = i->name;
    f->captured = get_u32(r, r->body + 12);
    f->original = get_u32(r, r->body + 16);
    f->bytes = r->body + 20;
    if (f->captured > f->original) return reader_fail(r, d, "captured length above original length");
    size_t room = r->body_bytes - 20;
    if (f->captured > room) return reader_fail(r, d, "captured length beyond it");
    return frame_stamp(r, i, f, d) && frame_options(r, 20 + ((f->captured + 3u) & ~3u), f, d);
}

/* Reads one block. Sets *got if it was a frame. Returns false at the end or after an error. */
static bool reader_step(struct pcapng_reader *r, struct capture_frame *f, bool *got, bool *end, struct diag *d) {
    uint32_t type = 0;
    if (!read_block(r, &type, end, d)) return false;
    switch (type) {
    case PCAPNG_SECTION: return on_section(r, d);
    case PCAPNG_INTERFACE: return on_interface(r, d);
    case PCAPNG_SIMPLE_PACKET:
        return reader_fail(r, d, "Simple Packet Blocks carry no time; capture with Enhanced Packet Blocks");
    case PCAPNG_PACKET:
    case PCAPNG_ENHANCED_PACKET: return *got = on_frame(r, type == PCAPNG_PACKET, f, d);
    default: return true;
    }
}

enum capture_result pcapng_reader_next(struct pcapng_reader *r, struct capture_frame *frame, struct diag *d) {
    bool got = false, end = false;
    while (r->state == CAPTURE_FRAME && !got)
        if (!reader_step(r, frame, &got, &end, d)) r->state = end ? CAPTURE_END : CAPTURE_FAILED;
    return r->state;
}

struct pcapng_reader *pcapng_reader_create(FILE *file, const char *name) {
    struct pcapng_reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->file = file;
    r->state = CAPTURE_FRAME;
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

void pcapng_reader_destroy(struct pcapng_reader *r) {
    if (!r) return;
    for (size_t i = 0; i < r->n_interfaces; i++) free(r->interface[i]);
    free(r->interface);
    free(r->body);
    free(r);
}
