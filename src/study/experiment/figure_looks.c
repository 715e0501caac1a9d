/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/figure_looks.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* Returns the text of a key; NULL if it is left out or none. */
static const char *word(const struct tree_node *at, const char *key) {
    const struct tree_node *n = tree_get(at, key);
    return n && n->kind == TREE_SCALAR && !tree_is_null(n) && strcmp(n->text, "none") != 0 ? n->text : NULL;
}

/* Reads a length such as 8.5cm into pixels, of which an inch has 96. */
static bool length_read(const struct tree_node *at, const char *key, double *px, struct diag *d) {
    static const struct {
        const char *unit;
        double px;
    } units[] = {{"cm", 96 / 2.54}, {"mm", 96 / 25.4}, {"in", 96}, {"pt", 96 / 72.0}, {"px", 1}};
    const char *text = word(at, key);
    char *end = NULL;
    if (!text) return true;
    double length = strtod(text, &end), of_unit = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end + strspn(end, " "), units[i].unit) == 0) of_unit = units[i].px;
    *px = length * of_unit;
    return (*px >= 100 && *px <= 10000) ||
           tree_fail(d, tree_get(at, key),
                     "%s: '%s' is no length of 100px to 10000px; write one such as 8.5cm, 85mm, "
                     "3.3in or 320px",
                     key, text);
}

/* The name of a font goes into a gnuplot program, so only plain characters are allowed. */
static bool font_read(const struct tree_node *at, struct figure *f, struct diag *d) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -_.";
    const char *size = word(at, "font_size");
    f->font = word(at, "font");
    f->font_pt = size ? strtod(size, NULL) : 9;
    if (f->font && f->font[strspn(f->font, plain)])
        return tree_fail(d, tree_get(at, "font"),
                         "a font's name is made of letters, digits, blanks, . _ and -; give the size as font_size");
    return (f->font_pt >= 4 && f->font_pt <= 48) ||
           tree_fail(d, tree_get(at, "font_size"), "font_size: '%s' is out of range; write 4 to 48", size);
}

/* A band that is written none is none; one that is left out is chosen by the kind. */
static enum figure_band band_read(const struct tree_node *at) {
    const struct tree_node *n = tree_get(at, "band");
    int64_t i =
        n && n->kind == TREE_SCALAR && !tree_is_null(n) ? choice_index(PARAM_CHOICES(FIGURE_BANDS), n->text) : 0;
    return i < 0 ? BAND_AUTO : (enum figure_band)i;
}

bool figure_looks_read(const struct tree_node *at, struct figure *f, struct diag *d) {
    const char *share = word(at, "share_y");
    f->band = band_read(at);
    bool has_own = f->kind == FIGURE_LINES || f->kind == FIGURE_BARS || f->kind == FIGURE_RANK;
    if (f->band == BAND_AUTO) f->band = has_own ? BAND_INTERVAL : BAND_NONE;
    f->share_y = share && strcmp(share, "true") == 0;
    return length_read(at, "width", &f->width_px, d) && length_read(at, "height", &f->height_px, d) &&
           font_read(at, f, d);
}

bool figure_looks_check(const struct figure *f, struct diag *d) {
    bool over_time = f->kind == FIGURE_TIME && f->band != BAND_NONE;
    if (over_time && !f->every_ps)
        return tree_fail(d, tree_get(f->at, "band"),
                         "a band over time needs periods that all seeds share; give every: TIME");
    for (size_t i = 1; f->share_y && i < f->n_y; i++)
        if (!figure_shows_shares(f) && strcmp(f->y[i].unit, f->y[0].unit) != 0)
            return tree_fail(
                d, tree_get(f->at, "share_y"), "y has numbers in %s and in %s, which share no axis; leave share_y out",
                f->y[0].unit[0] ? f->y[0].unit : "plain numbers", f->y[i].unit[0] ? f->y[i].unit : "plain numbers");
    return true;
}
