/* SPDX-License-Identifier: Apache-2.0 */
#include "study/config/relations.h"

#include "base/units.h"
#include "study/config/acts.h"

#include <stdio.h>
#include <string.h>

struct relation {
    const char *sign, *broken, *remedy;
    bool (*holds)(int64_t a, int64_t b);
};

static bool at_most(int64_t a, int64_t b) { return a <= b; }
static bool at_least(int64_t a, int64_t b) { return a >= b; }
static bool above(int64_t a, int64_t b) { return a > b; }
static bool zero_or_at_least(int64_t a, int64_t b) { return a == 0 || a >= b; }
static bool not_both_zero(int64_t a, int64_t b) { return a != 0 || b != 0; }

/* The relations that `order` can name. */
static const struct relation relations[] = {
    {"<=", "above", "at most", at_most},
    {">=", "below", "at least", at_least},
    {">", "not above", "more than", above},
    {"0|>=", "below", "0 or at least", zero_or_at_least},
    {"+", "no more than", "more than", not_both_zero},
};

static const struct relation *relation_of(const char *word) {
    size_t n = sizeof relations / sizeof *relations;
    for (size_t i = 0; i < n; i++)
        if (strncmp(word, relations[i].sign, strlen(relations[i].sign)) == 0) return &relations[i];
    return NULL;
}

static bool acts(const struct config *c, const struct setting *s) {
    char why[LACKS_MAX];
    return !s->none && !setting_lacks(c, s, why, sizeof why);
}

/* Fails at the key with the row, and names the place of the other in the text. A default has no place. */
static bool relation_fail(const struct setting *a, const struct setting *b, const struct relation *r, struct diag *d) {
    const struct setting *at = a->given ? a : b;
    char place[KEY_PATH_MAX + 64] = "";
    if (a->given && b->given) snprintf(place, sizeof place, " at %s:%d:%d", b->file, b->line, b->col);
    return diag_fail(d, at->file, at->line, at->col, "%s: %s%s is %s %s, %s%s%s; write %s %s, or change %s", a->path,
                     a->text, a->given ? "" : " (default)", r->broken, key_name(b->key), b->text,
                     b->given ? "" : " (default)", place, r->remedy, b->text, key_name(b->key));
}

/* Checks one word of a row's `order`, if both keys are given or, unless `given`, if one of them is not. */
static bool word_check(const struct config *c, const struct setting *s, const char *word, bool given, struct diag *d) {
    char path[KEY_PATH_MAX];
    const struct relation *r = relation_of(word);
    const char *dot = strrchr(s->path, '.');
    snprintf(path, sizeof path, "%.*s.%s", (int)(dot - s->path), s->path, word + strlen(r->sign));
    const struct setting *other = config_find(c, "%s", path);
    if (!other || (s->given && other->given) != given || !acts(c, other)) return true;
    bool moments = s->key->param.type == PARAM_MOMENT && other->key->param.type == PARAM_MOMENT;
    /* whether 50% of the arrivals come before 2 ms shows only when they are known (study/assemble/assemble.c) */
    if (moments && moment_is_share(s->value) != moment_is_share(other->value)) return true;
    return r->holds(s->value, other->value) || relation_fail(s, other, r, d);
}

static bool order_check(const struct config *c, const struct setting *s, bool given, struct diag *d) {
    char words[128], *rest = words, *word;
    if (!s->key->param.order || !acts(c, s)) return true;
    snprintf(words, sizeof words, "%s", s->key->param.order);
    while ((word = strtok_r(rest, " ", &rest)))
        if (!word_check(c, s, word, given, d)) return false;
    return true;
}

static bool refused_check(const struct config *c, const struct setting *s, struct diag *d) {
    if (!setting_is_refused(c, s)) return true;
    return config_fail(c, d, s->path, "%s: %s; leave out one of them", s->path, s->key->param.lacks_too);
}

bool relations_check(const struct config *c, struct diag *d) {
    for (size_t i = 0; i < c->n; i++)
        if (!refused_check(c, &c->setting[i], d)) return false;
    /* of several relations that do not hold, one between keys that the file has says most */
    for (int given = 1; given >= 0; given--)
        for (size_t i = 0; i < c->n; i++)
            if (!order_check(c, &c->setting[i], given, d)) return false;
    return true;
}
