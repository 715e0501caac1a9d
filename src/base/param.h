/* SPDX-License-Identifier: Apache-2.0 */
/* Declared parameters: name, type, default, range and meaning of every setting.
 *
 * A mechanism ends in a table that lists its parameters in order; its code reads them by index from an array of int64
 * in base units. The same rows let the experiment reader check type and range, `heddle show` print them, and a script
 * generate the guide.
 *
 * A parameter that several mechanisms share, or that belongs to hosts, ports or links, is a key of its own
 * ("switch.classes", "fabric.hosts") whose value is in a config struct. Its row says in which field (PARAM_IN), how a
 * file writes the default, and when the key applies:
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
    PARAM_QUEUE,     /* bytes, written 250KB; or frames, written 100 frames and held as -100 */
    PARAM_MOMENT,    /* a time; or a share of the open-loop arrivals, written 50% and held as MOMENT_OF_SHARE */
    /* Not numbers: for keys with a field (PARAM_IN), not for parameters in an array of int64. */
    PARAM_TEXT,  /* a name; the field is a const char * */
    PARAM_FILE,  /* a path, relative to the experiment file, whose content is part of a run; const char * */
    PARAM_SIZES, /* flow sizes: a distribution, a size or a CDF file; the field is a struct sizes * */
    PARAM_HOST,  /* a host, by name or number, or one of `choices` (HOST_CHOICE); uint32_t */
    PARAM_GROUP, /* a pod or a rack, by name; uint32_t */
    PARAM_LIST   /* a list of `items`; the field points to them, their number is a uint32_t at `count_at` */
};

/* A share of the arrivals as the value of a moment: below 0, and the larger the later. */
#define MOMENT_OF_SHARE(ppb) ((ppb)-PPB - 1)
static inline bool moment_is_share(int64_t moment) { return moment < 0; }
static inline int64_t moment_share_ppb(int64_t moment) { return moment + PPB + 1; }

#define PARAM_REQUIRED "" /* `text` of a key that must be given */

struct param {
    const char *name; /* key under the mechanism's block */
    enum param_type type;
    int64_t def;         /* default, in base units */
    int64_t min, max;    /* inclusive range, in base units */
    const char *choices; /* PARAM_CHOICE: "a|b|c"; else NULL */
    const char *doc;     /* one line: what it does */
    const char *paper;   /* where it comes from: "Expeditus 3.1", "RFC 6298", or "" */

    const char *word; /* word that a file may write for word_value, a value outside the range; NULL: none */
    int64_t word_value;

    /* For keys whose value is in a config struct. */
    const char *text;  /* default as a file writes it, where `def` cannot hold it: "none" (may be left out), "=rate"
                          (the value of the key beside it), PARAM_REQUIRED; NULL: `def` */
    const char *when;  /* condition under which the key applies. "KEY=a|b": KEY names a or b; "KEY:FEATURE": it names a
                          row with the feature (study/config/catalogue.c). A KEY without a dot stands beside this key.
                          NULL: whenever its row is chosen */
    const char *needs; /* condition under which the key has an effect (study/config/acts.h); NULL: always */
    const char *lacks; /* reason why it has no effect otherwise, for the warning */
    const char *needs_too, *lacks_too; /* a second condition and its reason */
    bool refuse; /* where the second condition does not hold, a value that a file gives is an error */
    const char *
        order; /* relations to keys beside it, in words "<=KEY", ">=KEY", ">KEY", "0|>=KEY", "+KEY" (study/config/relations.h) */
    int64_t without;               /* value of the field if the key is none or does not apply */
    uint16_t at, bytes;            /* offset and size of the field; 0 bytes: no field */
    uint16_t count_at, item_bytes; /* PARAM_LIST: offset of the number of items, size of one item */
    bool
        numbered; /* PARAM_FILE: the files with 1, 2, ... in place of the 0 in its name belong to it (input_numbered) */
    bool own; /* the field is in the own struct of the row that has the key, not in the config struct of its family */
    bool by_name;              /* PARAM_LIST: may be a block too, NAME: [value of each further item key, in order] */
    const struct param *items; /* PARAM_LIST: one param without a name for plain values, or the keys of one item */
    uint32_t n_items;
};

#define PARAM_IN(type_, field_) .at = offsetof(type_, field_), .bytes = sizeof(((type_ *)0)->field_)
#define PARAM_OWN_IN(type_, field_) .own = true, PARAM_IN(type_, field_)
/* For a list: its field, the field that holds the number of items, and the params of an item. */
#define PARAM_LIST_IN(type_, field_, count_, items_)                                                                   \
    .at = offsetof(type_, field_), .bytes = sizeof(((type_ *)0)->field_), .count_at = offsetof(type_, count_),         \
    .item_bytes = sizeof(*((type_ *)0)->field_), .items = (items_), .n_items = sizeof(items_) / sizeof *(items_)

/* Make the choices and their enum from one list of X(NAME, "text"): enum { LIST(PARAM_ENUM) } and
 * .choices = PARAM_CHOICES(LIST). */
#define PARAM_ENUM(name_, text_) name_,
#define PARAM_CHOICE_TEXT(name_, text_) "|" text_
#define PARAM_CHOICES(list_) (&("" list_(PARAM_CHOICE_TEXT))[1])

/* PARAM_HOST: value of the field for the n-th of `choices`. */
#define HOST_CHOICE(n) (UINT32_MAX - 1 - (n))

/* Parameters of a row that extends another one (dctcp extends tcp). The inherited ones come first, so that they have
 * the same index in all related rows. */
struct param_list {
    const struct param_list *before; /* inherited parameters; NULL: none */
    const struct param *param;
    size_t n;
};
static inline size_t param_list_n(const struct param_list *l) { return l ? param_list_n(l->before) + l->n : 0; }
static inline const struct param *param_list_at(const struct param_list *l, size_t i) {
    size_t before = param_list_n(l->before);
    return i < before ? param_list_at(l->before, i) : &l->param[i - before];
}

/* Another default that a row sets for a parameter that it inherits. */
struct param_default {
    size_t param;
    int64_t def;
};

/* A default that a row sets for another key while the row is chosen, such as a marking threshold or an admission. */
struct need {
    const char *key, *value; /* as an experiment file would write them */
};

/* A counter of a mechanism. Its index in the mechanism's table is its index in the mechanism's array of uint64. */
struct counter {
    const char *name; /* key under "counters" of the results, e.g. "pst_hits" */
    const char *doc;
    bool is_most; /* the result is the largest value of any node, not the sum over nodes */
};

#endif
