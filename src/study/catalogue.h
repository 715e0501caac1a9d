/* What there is to choose from: families of mechanisms and names, for `heddle list` and `heddle show` and the guide. */
#ifndef HEDDLE_STUDY_CATALOGUE_H
#define HEDDLE_STUDY_CATALOGUE_H

#include "base/param.h"

struct catalogue_item {
    const char *family, *name, *paper, *doc;
    const struct param *params;
    size_t n_params;
    const struct counter *counters;
    size_t n_counters;
    const char *block; /* where its parameters stand: "switch.expeditus"; NULL: it has none */
};

struct catalogue_family {
    const char *name, *key, *doc; /* key: which key of an experiment names one */
};

const struct catalogue_family *catalogue_families(size_t *n);
/* Everything, family by family. */
const struct catalogue_item *catalogue_items(size_t *n);

#endif
