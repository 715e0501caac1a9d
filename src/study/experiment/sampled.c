/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/sampled.h"

#include <string.h>

static const struct sampled sampled[] = {
    {"goodput.host", "goodput", SAMPLED_EACH, 1e-9, UNIT_GBPS, "goodput of a host"},
    {"goodput.mean", "goodput", SAMPLED_MEAN, 1e-9, UNIT_GBPS, "mean goodput of hosts"},
    {"goodput.jain", "goodput", SAMPLED_JAIN, 1, UNIT_NUMBER, "Jain of host goodput"},
    {"queue.mean", "queue", SAMPLED_MEAN, 1, UNIT_BYTES, "mean queue"},
    {"queue.max", "queue", SAMPLED_MAX, 1, UNIT_BYTES, "largest queue"},
    {"link.mean", "link", SAMPLED_MEAN, 1, UNIT_SHARE, "mean link use"},
    {"link.max", "link", SAMPLED_MAX, 1, UNIT_SHARE, "largest link use"},
};
#define N_SAMPLED (sizeof sampled / sizeof *sampled)

const struct sampled *sampled_find(const char *metric) {
    for (size_t i = 0; i < N_SAMPLED; i++) {
        if (strcmp(sampled[i].metric, metric) == 0) return &sampled[i];
    }
    return NULL;
}

const char *sampled_names(char *buf, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < N_SAMPLED && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", sampled[i].metric);
    return buf;
}
