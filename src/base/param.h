/* SPDX-License-Identifier: Apache-2.0 */
/* Declared parameters: what every row of a table tells about its settings.
 *
 * A mechanism ends in a table that names its parameters in order; its code reads them by index from an array of int64
 * in base units. The experiment reader checks type and range from the same rows, `heddle show` prints them, and
 * the guide is generated from them.
 *
 * A parameter that several rows share, or that belongs to hosts, ports or links, is a key of its own ("switch.classes",
 * "fabric.hosts") whose value stands in a struct of settings. Its row says which field (PARAM_IN), how a file writes
 * the default, and when the key applies:
 *
 *     {.name = "drr_quantum", .type = PARAM_BYTES, .def = 1518, .min = 64, .max = 1 << 30, .doc = "...",
 *      PARAM_IN(struct schedule_config, quantum_bytes)}
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
    PARAM_QUEUE,     /* bytes, written 250KB, or frames, written 100 frames; -100 then */
    /* Words. Keys only, no parameters of an array. */
    PARAM_TEXT,  /* a name; the field is a const char * */
    PARAM_FILE,  /* a path, relative to the experiment file, whose content is part of a run; const char * */
    PARAM_SIZES, /* flow sizes: a distribution, a size or a CDF file; the field is a struct sizes * */
    PARAM_HOST,  /* a host, by name or number, or one of `choices` (HOST_CHOICE); uint32_t */
    PARAM_GROUP, /* a pod or a rack, by name; uint32_t */
    PARAM_LIST   /* of `items`; the field is a pointer to them, their number a uint32_t at `count_at` */
};

#define PARAM_REQUIRED "" /* `text` of a key that must be given */

struct param {
    const char *name; /* key under the mechanism's block */
    enum param_type type;
    int64_t def;         /* default, in base units */
    int64_t min, max;    /* inclusive range, in base units */
    const char *choices; /* PARAM_CHOICE: "a|b|c"; else NULL */
    const char *doc;     /* one line: what it does */
    const char *paper;   /* where it comes from: "Expeditus 3.1", "RFC 6298", or "" */

    /* Keys whose value stands in a struct of settings. */
    const char *text;  /* the default as a file writes it, where `def` cannot say it: "none" (may be left out), "=rate"
                          (as  the key beside it), PARAM_REQUIRED; NULL: `def` */
    const char *when;  /* "KEY=a|b": applies with these names only; "KEY:FEATURE": with rows that have the feature
                          (study/config/catalogue.c). KEY without a dot stands beside it. NULL: whenever its row is chosen */
    const char *needs; /* has an effect only with these (study/experiment/effect.h); NULL: always */
    const char *lacks; /* why it has none */
    const char *needs_too, *lacks_too; /* a second condition */
    int64_t without;                   /* what the field holds if the key is none or does not apply */
    uint16_t at, bytes;                /* offset and size of the field; 0 bytes: none */
    uint16_t count_at, item_bytes;     /* PARAM_LIST */
    const struct param *items; /* PARAM_LIST: one without a name, whose value is the item; or the keys of an item */
    uint32_t n_items;
};

#define PARAM_IN(type_, field_) .at = offsetof(type_, field_), .bytes = sizeof(((type_ *)0)->field_)
/* The field of a list, its number and its items. */
#define PARAM_LIST_IN(type_, field_, count_, items_)                                                                   \
    .at = offsetof(type_, field_), .bytes = sizeof(((type_ *)0)->field_), .count_at = offsetof(type_, count_),         \
    .item_bytes = sizeof(*((type_ *)0)->field_), .items = (items_), .n_items = sizeof(items_) / sizeof *(items_)

/* Choices and their enum from one list, X(NAME, "text"): enum { LIST(PARAM_ENUM) }, .choices = PARAM_CHOICES(LIST). */
#define PARAM_ENUM(name_, text_) name_,
#define PARAM_CHOICE_TEXT(name_, text_) "|" text_
#define PARAM_CHOICES(list_) (&("" list_(PARAM_CHOICE_TEXT))[1])

/* PARAM_HOST: what the field holds for the n-th of `choices`. */
#define HOST_CHOICE(n) (UINT32_MAX - 1 - (n))

/* Parameters of several rows: those of kin come first, so that their numbers are the same in all. */
struct param_list {
    const struct param_list *before; /* NULL: none */
    const struct param *param;
    size_t n;
};
static inline size_t param_list_n(const struct param_list *l) { return l ? param_list_n(l->before) + l->n : 0; }
static inline const struct param *param_list_at(const struct param_list *l, size_t i) {
    size_t before = param_list_n(l->before);
    return i < before ? param_list_at(l->before, i) : &l->param[i - before];
}

/* A row that begins with another value of a parameter that it shares. */
struct param_default {
    size_t param;
    int64_t def;
};

/* A default that a row brings along for another key, while it is chosen: a marking threshold, an admission. */
struct need {
    const char *key, *value; /* as an experiment file would write them */
};

/* A counter that a mechanism owns: an index into its array of uint64. */
struct counter {
    const char *name; /* key under "counters" of the results, e.g. "pst_hits" */
    const char *doc;
    bool is_most; /* not a sum over nodes but the largest of them */
};

#endif
