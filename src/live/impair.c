/* SPDX-License-Identifier: Apache-2.0 */
#include "live/impair.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define MACS_BYTES 12u

/* Parses one word, NAME=VALUE. */
static bool word_parse(const char *word, size_t length, struct impairment *x, struct diag *d) {
    const struct {
        const char *name;
        enum param_type type;
        int64_t *at, max;
    } known[] = {
        {"loss", PARAM_FRACTION, &x->loss_ppb, PPB},           {"corrupt", PARAM_FRACTION, &x->corrupt_ppb, PPB},
        {"duplicate", PARAM_FRACTION, &x->duplicate_ppb, PPB}, {"reorder", PARAM_FRACTION, &x->reorder_ppb, PPB},
        {"delay", PARAM_TIME, &x->delay, 100 * PS_PER_S},
    };
    char text[64], why[200];
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    char *equals = strchr(text, '=');
    for (size_t i = 0; equals && i < sizeof known / sizeof *known; i++) {
        if (strncmp(text, known[i].name, (size_t)(equals - text)) != 0 || known[i].name[equals - text]) continue;
        if (!units_parse(known[i].type, equals + 1, known[i].at, why, sizeof why))
            return diag_say(d, "%s: %s", known[i].name, why);
        if (*known[i].at < 0 || *known[i].at > known[i].max)
            return diag_say(d, "%s: at least 0, at most 100%% or 100s", text);
        return true;
    }
    return diag_say(d, "'%s': write loss=1%%, corrupt=1%%, duplicate=1%%, reorder=1%%, delay=1ms, or none", text);
}

bool impairment_parse(const char *text, struct impairment *x, struct diag *d) {
    *x = (struct impairment){0};
    if (strcmp(text, "none") == 0) return true;
    size_t n = 0;
    for (const char *at = text; *at; at += strspn(at, " "), n++) {
        size_t length = strcspn(at, " ");
        if (!word_parse(at, length, x, d)) return false;
        at += length;
    }
    return n > 0 || diag_say(d, "write loss=1%%, corrupt=1%%, duplicate=1%%, reorder=1%%, delay=1ms, or none");
}

void impairment_corrupt(uint8_t *frame, size_t bytes, struct random_stream *r) {
    if (bytes <= MACS_BYTES) return;
    uint64_t bit = random_below(r, (bytes - MACS_BYTES) * 8);
    frame[MACS_BYTES + bit / 8] ^= (uint8_t)(1u << bit % 8);
}
