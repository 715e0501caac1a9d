/* Declared parameters: what every mechanism tells about its settings.
 *
 * A mechanism ends in a table that names its parameters in order; its code reads them by index from an array of int64
 * in base units. The experiment reader checks type and range from the same rows, `heddle show` prints them, and
 * the guide is generated from them.
 */
#ifndef HEDDLE_BASE_PARAM_H
#define HEDDLE_BASE_PARAM_H

#include "base/types.h"

enum param_type {
    PARAM_COUNT,     /* a plain integer */
    PARAM_TIME,      /* picoseconds; written 20us, 1ms */
    PARAM_BYTES,     /* bytes; written 225KB (1000), 128KiB (1024) */
    PARAM_RATE,      /* bits per second; written 10Gbps */
    PARAM_FRACTION,  /* parts per thousand million; written 0.1 or 10% */
    PARAM_BOOL,      /* 0 or 1; written true, false */
    PARAM_CHOICE,    /* index into `choices` */
    PARAM_FREQUENCY, /* events per 1000 s; written 10000/s */
    PARAM_QUEUE      /* bytes, written 250KB, or frames, written 100 frames; -100 then */
};

struct param {
    const char *name; /* key under the mechanism's block */
    enum param_type type;
    int64_t def;         /* default, in base units */
    int64_t min, max;    /* inclusive range, in base units */
    const char *choices; /* PARAM_CHOICE: "a|b|c"; else NULL */
    const char *doc;     /* one line: what it does */
    const char *paper;   /* where it comes from: "Expeditus 3.1", "RFC 6298", or "" */
};

/* A counter that a mechanism owns: an index into its array of uint64. */
struct counter {
    const char *name; /* key under "counters" of the results, e.g. "pst_hits" */
    const char *doc;
    bool is_most; /* not a sum over nodes but the largest of them */
};

#endif
