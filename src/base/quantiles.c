#include "base/quantiles.h"

#include <stdlib.h>

static int value_compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct quantiles quantiles_of(int64_t *values, size_t n) {
    if (n > 1) qsort(values, n, sizeof *values, value_compare);
    return (struct quantiles){.sorted = values, .n = n};
}

bool quantiles_at(const struct quantiles *q, int64_t p_ppb, int64_t *value) {
    if (q->n == 0) return false;
    __extension__ unsigned __int128 share = (unsigned __int128)q->n * (uint64_t)p_ppb;
    size_t rank = (size_t)((share + PPB - 1) / PPB);
    *value = q->sorted[rank > 0 ? rank - 1 : 0];
    return true;
}
