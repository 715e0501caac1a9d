/* SPDX-License-Identifier: Apache-2.0 */
/* Marks that come too late. Senders react a round trip after a mark, and the frames that they send until then need room above
 * the threshold: without it, frames are lost before anybody has reacted. A threshold that a port cannot reach is an error, one
 * close to the limit a warning. */
#include "study/assemble/parts.h"
#include "study/assemble/warner.h"

#include "base/units.h"

#include <string.h>

#define MARK_SHARE 3       /* the remedy: a threshold of this part of the buffer, at every rate */
#define MARK_ROOM_FRAMES 8 /* full frames above the threshold below which nobody can have reacted */

/* A switch port's limits at its rate. */
struct marking {
    int64_t rate_bps;
    struct admit_limits limits;
};

static uint32_t first_of(const struct assembly *a) { return a->fabric->paths.first_port[a->fabric->n_hosts]; }
static uint32_t end_of(const struct assembly *a) { return a->fabric->paths.first_port[a->fabric->n_nodes]; }

static struct marking marking_of(const struct assembly *a, uint32_t port) {
    const struct switch_config *s = &a->world.switches;
    int64_t rate = a->fabric->paths.port[port].rate_bps;
    return (struct marking){rate, admit_limits_of(&s->admit, switch_buffer_at(s, rate), rate)};
}

static bool has_one_threshold(const struct assembly *a) { return a->world.switches.admit.ecn_bytes > 0; }

/* Returns a value of at least 0 rounded down to two digits, for a remedy that a user writes. */
static int64_t two_digits(int64_t value) {
    int64_t unit = 1;
    while (value / unit >= 100) unit *= 10;
    return value / unit * unit;
}

/* Writes the remedies that hold at every rate: the threshold as a part of the buffer, or the buffer for the threshold. */
static void marking_remedy(const struct assembly *a, char *text, size_t size) {
    int64_t buffer = 0, threshold = INT64_MAX;
    for (uint32_t g = first_of(a); g < end_of(a); g++) {
        struct marking m = marking_of(a, g);
        int64_t part = m.limits.limit_bytes / MARK_SHARE;
        if (!has_one_threshold(a)) part = (int64_t)((int128)part * 10000000000LL / m.rate_bps);
        buffer = max_i64(buffer, MARK_SHARE * m.limits.mark_bytes);
        threshold = min_i64(threshold, part);
    }
    char enough[UNITS_TEXT_MAX], low[UNITS_TEXT_MAX];
    snprintf(text, size,
             "senders need room above the threshold until they react; write switch.%s: %s, a third of the buffer, or "
             "switch.buffer: %s",
             has_one_threshold(a) ? "ecn_threshold" : "ecn_threshold_per_10g",
             units_print(PARAM_BYTES, two_digits(max_i64(threshold, 1)), low, sizeof low),
             units_print(PARAM_BYTES, units_rounded_up(buffer), enough, sizeof enough));
}

bool assemble_marking_check(const struct assembly *a, const struct config *c, struct diag *d) {
    for (uint32_t g = first_of(a); g < end_of(a); g++) {
        struct marking m = marking_of(a, g);
        if (m.limits.mark_bytes < m.limits.limit_bytes) continue;
        char buffer[UNITS_TEXT_MAX], mark[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX], remedy[256];
        marking_remedy(a, remedy, sizeof remedy);
        return config_fail(c, d, "switch.buffer", "switch.buffer: %s fill before ports of %s mark, above %s; %s",
                           units_print(PARAM_BYTES, m.limits.limit_bytes, buffer, sizeof buffer),
                           units_print(PARAM_RATE, m.rate_bps, at, sizeof at),
                           units_print(PARAM_BYTES, m.limits.mark_bytes, mark, sizeof mark), remedy);
    }
    return true;
}

/* True if some transport of the run reacts to marks. */
static bool heeds_marks(const struct host_config *h) {
    for (uint32_t i = 0; i < h->n_transports; i++)
        for (size_t p = 0; p < transport_n_params(h->transport[i]); p++)
            if (strcmp(transport_param(h->transport[i], p).name, "ecn") == 0 && h->transport_params[i][p]) return true;
    return false;
}

int64_t marking_room(const struct assembly *a) { return MARK_ROOM_FRAMES * (int64_t)a->world.switches.frame_bytes; }

static const char *frames_text(int64_t n, char *buf, size_t size) {
    if (n == 0)
        snprintf(buf, size, "less than a frame");
    else
        snprintf(buf, size, "%lld frame%s", (long long)n, n == 1 ? "" : "s");
    return buf;
}

void warn_of_marking(struct warner *v) {
    const struct assembly *a = v->a;
    if (!heeds_marks(&a->world.hosts)) return;
    for (uint32_t g = first_of(a); g < end_of(a); g++) {
        struct marking m = marking_of(a, g);
        int64_t room = m.limits.limit_bytes - m.limits.mark_bytes;
        if (m.limits.mark_bytes == 0 || room > marking_room(a)) continue;
        char buffer[UNITS_TEXT_MAX], mark[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX], remedy[256], later[32];
        marking_remedy(a, remedy, sizeof remedy);
        config_fail(v->c, next_warning(v), "switch.buffer",
                    "switch.buffer: ports of %s mark above %s and are full at %s, %s later: frames are lost before "
                    "marks can have an effect; %s",
                    units_print(PARAM_RATE, m.rate_bps, at, sizeof at),
                    units_print(PARAM_BYTES, m.limits.mark_bytes, mark, sizeof mark),
                    units_print(PARAM_BYTES, m.limits.limit_bytes, buffer, sizeof buffer),
                    frames_text(room / a->world.switches.frame_bytes, later, sizeof later), remedy);
        return;
    }
}
