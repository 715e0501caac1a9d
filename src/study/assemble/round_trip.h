/* SPDX-License-Identifier: Apache-2.0 */
/* The round trip of an idle fabric between its first and last host, the most distant pair in all generated fabrics. */
#ifndef HEDDLE_STUDY_ASSEMBLE_ROUND_TRIP_H
#define HEDDLE_STUDY_ASSEMBLE_ROUND_TRIP_H

#include "study/assemble/assemble.h"

struct round_trip {
    uint32_t from, to;  /* hosts */
    uint32_t links;     /* each way */
    span_ps bare;       /* propagation delays and four traversals of a stack: the base RTT of the papers (AM-15) */
    span_ps full_frame; /* `bare`, and the serialization of a full frame out and of a minimum frame back */
};

/* Fills *r; false if there is only one host. */
bool round_trip_of(const struct assembly *a, struct round_trip *r);

#endif
