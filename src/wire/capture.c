/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "base/input_file.h"
#include "wire/capture_reader.h"

/* A capture clock that starts below this many seconds began with the run; time_ps holds 106 days. */
enum { OWN_CLOCK_SECONDS = 100 * 86400 };

struct capture {
    char name[256];
    FILE *file;                   /* file of pcapng; libpcap owns its own */
    struct pcapng_reader *pcapng; /* one of these two is set */
    pcap_t *pcap;
    enum capture_result state;
};

static bool open_pcap(struct capture *c, struct diag *d) {
    char why[PCAP_ERRBUF_SIZE];
    c->pcap = pcap_fopen_offline_with_tstamp_precision(c->file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (!c->pcap) return diag_fail_in(d, c->name, "neither pcapng nor pcap: %s", why);
    c->file = NULL;
    int type = pcap_datalink(c->pcap);
    if (type == DLT_EN10MB) return true;
    return diag_fail_in(d, c->name, "link type %d; only Ethernet (1) is read", type);
}

static bool open_any(struct capture *c, struct diag *d) {
    uint8_t magic[4];
    size_t n = fread(magic, 1, sizeof magic, c->file);
    if (ferror(c->file)) return diag_fail_in(d, c->name, "cannot read the capture: %s", strerror(errno));
    if (n < sizeof magic) return diag_fail_in(d, c->name, "neither pcapng nor pcap: it has %zu bytes", n);
    if (fseek(c->file, 0, SEEK_SET) != 0)
        return diag_fail_in(d, c->name, "cannot read a capture from a pipe; save it to a file first");
    if (memcmp(magic, "\x0a\x0d\x0d\x0a", 4) != 0) return open_pcap(c, d);
    c->pcapng = pcapng_reader_create(c->file, c->name);
    return c->pcapng || diag_fail_in(d, c->name, "no memory to read it");
}

struct capture *capture_open_file(FILE *file, const char *name, struct diag *d) {
    struct capture *c = calloc(1, sizeof *c);
    if (!c) {
        fclose(file);
        diag_fail_in(d, name, "no memory to read it");
        return NULL;
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    c->file = file;
    c->state = CAPTURE_FRAME;
    if (open_any(c, d)) return c;
    capture_close(c);
    return NULL;
}

struct capture *capture_open(const char *path, struct diag *d) {
    const char *why;
    FILE *file = input_open(path, &why);
    if (file) return capture_open_file(file, path, d);
    diag_fail_in(d, path, "cannot open the capture: %s", why);
    return NULL;
}

static enum capture_result next_pcap(struct capture *c, struct capture_frame *f, struct diag *d) {
    struct pcap_pkthdr *head;
    const u_char *bytes;
    int got = pcap_next_ex(c->pcap, &head, &bytes);
    if (got == PCAP_ERROR_BREAK) return CAPTURE_END;
    if (got != 1) {
        diag_fail_in(d, c->name, "malformed pcap: %s; capture or convert it again", pcap_geterr(c->pcap));
        return CAPTURE_FAILED;
    }
    if (head->caplen > head->len) {
        diag_fail_in(d, c->name, "malformed pcap: captured length above original length; capture it again");
        return CAPTURE_FAILED;
    }
    *f = (struct capture_frame){.second = head->ts.tv_sec,
                                .ps = head->ts.tv_usec * PS_PER_NS, /* the field holds nanoseconds */
                                .if_name = "",
                                .captured = head->caplen,
                                .original = head->len,
                                .bytes = bytes};
    if (f->ps >= 0 && f->ps < PS_PER_S) return CAPTURE_FRAME;
    diag_fail_in(d, c->name, "malformed pcap: a stamp with more than a second of nanoseconds; capture it again");
    return CAPTURE_FAILED;
}

enum capture_result capture_next(struct capture *c, struct capture_frame *frame, struct diag *d) {
    if (c->state != CAPTURE_FRAME) return c->state;
    c->state = c->pcapng ? pcapng_reader_next(c->pcapng, frame, d) : next_pcap(c, frame, d);
    return c->state;
}

void capture_close(struct capture *c) {
    if (!c) return;
    pcapng_reader_destroy(c->pcapng);
    if (c->pcap) pcap_close(c->pcap);
    if (c->file) fclose(c->file);
    free(c);
}

time_ps capture_time(const struct capture_frame *frame, int64_t base_second) {
    int64_t second, at;
    if (__builtin_sub_overflow(frame->second, base_second, &second) ||
        __builtin_mul_overflow(second, (int64_t)PS_PER_S, &at) || __builtin_add_overflow(at, frame->ps, &at))
        return TIME_NONE;
    return at;
}

int64_t capture_base(int64_t first_second) {
    return first_second >= 0 && first_second < OWN_CLOCK_SECONDS ? 0 : first_second;
}
