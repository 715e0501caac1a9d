/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_spray.h"

#define PATHS_OF_BOARD 4 /* number of paths that the paper's N_b is meant for */
#define SHARE_ONE 32768u
#define WEIGHT_LEAST (SHARE_ONE / 16)
#define CHOICES_MAX 255u /* 0xffff is PATH_NONE */

const uint8_t credit_spray_even[SPRAY_BOUNDS] = {0, 0, 10, 25, 50, 75};
const uint8_t credit_spray_apart[SPRAY_BOUNDS] = {0, 1, 5, 10, 20, 40};

static uint16_t spray_choices(uint16_t n) { return (uint16_t)(n < 1 ? 1 : n > CHOICES_MAX ? CHOICES_MAX : n); }

void credit_spray_init(struct credit_spray *s, const struct spray_config *config, const uint16_t paths[2],
                       uint64_t seed, uint32_t flow) {
    random_init(&s->random, seed, RANDOM_SPRAY, flow);
    s->n_leaf = spray_choices(paths[0]);
    s->n_agg = spray_choices(paths[1]);
    uint32_t all = (uint32_t)s->n_leaf * s->n_agg;
    s->n_ids = s->n_valid = (uint16_t)(all < config->paths ? all : config->paths);
    s->kind = (uint8_t)config->kind;
    s->probing = config->probing;
    s->theta_ppb = config->theta_ppb;
    s->board_bits = config->board_bits * (s->n_ids > PATHS_OF_BOARD ? s->n_ids : PATHS_OF_BOARD) / PATHS_OF_BOARD;
    s->readmit = config->readmit;
    s->readmit_at = TIME_NONE;
    s->board_from = TIME_NONE;
}

/* ---- which path ---- */

static uint32_t spray_below(struct credit_spray *s, uint32_t n) {
    return (uint32_t)((uint64_t)random_u32(&s->random) * n >> 32);
}

static void spray_refill(struct credit_spray *s) {
    for (uint16_t id = 0; id < s->n_ids; id++)
        if (!s->path[id].excluded) s->path[s->left++].drawn = (uint8_t)id;
}

/* Draws an id from the table and removes it. Ids that were excluded since the refill are removed unused. */
static uint32_t spray_uniform(struct credit_spray *s) {
    for (;;) {
        if (s->left == 0) spray_refill(s);
        uint32_t place = spray_below(s, s->left);
        uint8_t id = s->path[place].drawn;
        s->path[place].drawn = s->path[--s->left].drawn;
        if (!s->path[id].excluded) return id;
    }
}

static uint32_t spray_random(struct credit_spray *s) {
    uint32_t nth = spray_below(s, s->n_valid), id = 0;
    if (s->n_valid == s->n_ids) return nth;
    while (s->path[id].excluded || nth-- > 0) id++;
    return id;
}

/* Returns a random valid id, accepted with a probability equal to its weight. */
static uint32_t spray_weighted(struct credit_spray *s) {
    for (;;) {
        uint32_t id = spray_random(s), weight = SHARE_ONE - s->path[id].marked_q15;
        if (weight < WEIGHT_LEAST) weight = WEIGHT_LEAST;
        if (spray_below(s, SHARE_ONE) < weight) return id;
    }
}

uint16_t credit_spray_next(struct credit_spray *s) {
    if (s->n_ids == 1) return PATH_NONE;
    switch ((enum spray_kind)s->kind) {
    case SPRAY_UNIFORM: return credit_spray_path(s, spray_uniform(s));
    case SPRAY_WEIGHTED: return credit_spray_path(s, spray_weighted(s));
    case SPRAY_RANDOM: break;
    }
    return credit_spray_path(s, spray_random(s));
}

/* ---- speed board ---- */

static void spray_exclude(struct credit_spray *s, time_ps now) {
    uint32_t fastest = 0;
    for (uint16_t id = 0; id < s->n_ids; id++)
        if (!s->path[id].excluded && s->path[id].bytes > fastest) fastest = s->path[id].bytes;
    /* v_min = theta v_max; all speeds are over the same time, so bytes stand for speeds */
    int64_t least = (int64_t)fastest * s->theta_ppb / PPB;
    for (uint16_t id = 0; id < s->n_ids; id++) {
        if (s->path[id].excluded || s->path[id].bytes >= least) continue;
        s->path[id].excluded = true;
        s->n_valid--;
        s->exclusions++;
        if (s->readmit > 0) s->readmit_at = now + s->readmit;
    }
}

static void spray_readmit(struct credit_spray *s, time_ps now, span_ps rtt) {
    for (uint16_t id = 0; id < s->n_ids; id++) s->path[id].excluded = false;
    s->readmissions += (uint64_t)(s->n_ids - s->n_valid);
    s->n_valid = s->n_ids;
    s->readmit_at = TIME_NONE;
    s->on_trial = true;
    s->trial_until = now + 2 * rtt;
}

static void spray_learn(struct spray_path *p) {
    if (p->data > 0) p->marked_q15 = (uint16_t)((p->marked_q15 + (uint64_t)p->marked * SHARE_ONE / p->data) / 2);
    p->bytes = p->data = p->marked = 0;
}

static uint8_t spray_bound(const uint8_t bound[SPRAY_BOUNDS], int64_t value) {
    uint8_t place = SPRAY_BOUNDS - 1;
    while (place > 0 && value < bound[place]) place--;
    return place;
}

static void spray_compare(struct credit_spray *s, time_ps now) {
    int64_t fastest = 0, slowest = INT64_MAX;
    for (uint16_t id = 0; id < s->n_ids; id++) {
        if (s->path[id].excluded) continue;
        fastest = max_i64(fastest, s->path[id].bytes);
        slowest = min_i64(slowest, s->path[id].bytes);
    }
    span_ps took = max_i64(now - s->board_from, 1);
    s->even = slowest == 0 || fastest == 0 ? 0 : spray_bound(credit_spray_even, slowest * 100 / fastest);
    s->uneven = (uint16_t)(1000 - (fastest ? slowest * 1000 / fastest : 1000));
    s->apart = spray_bound(credit_spray_apart, (fastest - slowest) * 8 * (PS_PER_S / 1000000000) / took);
    s->board_from = now;
}

static void spray_board(struct credit_spray *s, time_ps now, span_ps rtt) {
    s->boards++;
    s->bits -= s->board_bits;
    spray_compare(s, now);
    if (s->on_trial && now >= s->trial_until) {
        s->on_trial = false; /* this board still holds frames from before the readmission; the next one counts */
    } else if (s->probing && !s->on_trial) {
        spray_exclude(s, now);
    }
    if (now >= s->readmit_at) spray_readmit(s, now, rtt);
    for (uint16_t id = 0; id < s->n_ids; id++) spray_learn(&s->path[id]);
}

void credit_spray_data(struct credit_spray *s, time_ps now, span_ps rtt, uint16_t path, uint32_t wire_bytes,
                       bool marked) {
    uint32_t id = (path & 0xffu) + (uint32_t)(path >> 8) * s->n_leaf;
    if (id >= s->n_ids || s->n_ids == 1 || !(s->probing || s->kind == SPRAY_WEIGHTED)) return;
    if (s->board_from == TIME_NONE) s->board_from = now;
    struct spray_path *p = &s->path[id];
    p->bytes += wire_bytes;
    p->data++;
    p->marked += marked;
    s->bits += 8ull * wire_bytes;
    if (s->bits >= s->board_bits) spray_board(s, now, rtt);
}
