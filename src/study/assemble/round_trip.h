/* SPDX-License-Identifier: Apache-2.0 */
/* The round trip of an idle fabric, between the first host and the last: the most distant in all that are generated. */
#ifndef HEDDLE_STUDY_ASSEMBLE_ROUND_TRIP_H
#define HEDDLE_STUDY_ASSEMBLE_ROUND_TRIP_H

#include "study/assemble/assemble.h"

struct round_trip {
    uint32_t from, to;  /* hosts */
    uint32_t links;     /* each way */
    span_ps bare;       /* links' delays and four traversals of a stack: what papers call the base RTT (AM-15) */
    span_ps full_frame; /* and the serialization of a full frame out, of a minimum frame back */
};

/* False: there is only one host. */
bool round_trip_of(const struct assembly *a, struct round_trip *r);

#endif
