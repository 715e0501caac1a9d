/* SPDX-License-Identifier: Apache-2.0 */
/* Path selection table (PST): which uplink each flow takes, and whether that is settled (Expeditus 3.2,
 * EXP-12..EXP-17).
 *
 * Semantics: 2^16 entries, directly indexed by the low 16 bits of a flow's hash. Flows with the same id share the
 * entry; path_entry_is_shared detects this (the upper 16 bits of the key are kept only for that and decide nothing).
 *
 * Two stores behind the same functions, with equal answers (tests/mech/test_balance_path_table.c):
 *
 *   flat        2^16 slots, slot = id: 1 MiB, for a live switch. A bit for each slot in use, so that a sweep costs what
 *               is in use: a sweep delays the frame that finds it due, and walking the whole table takes 30 us or more
 *   otherwise   open addressing over the ids in use, slot = id modulo a power of two, linear probing; doubles when half
 *               full, and at 2^16 slots it is the flat store. For simulated fabrics of thousands of switches.
 *
 * Lookup states of an entry (EXP-14), and the verdict:
 *
 *   none                      PATH_NEW
 *   valid 1, PSS any          PATH_FORWARD  by entry->port
 *   valid 0, PSS 1            PATH_NEW      (timed out; entry->port is the old choice)
 *   valid 0, PSS 0            PATH_WAIT     (a selection is in progress)
 *
 * Timeout: an entry that was not used for `timeout` loses its valid bit. If its PSS is 0, its selection is given up
 * (EXP-17, X-2): it counts in *lost and the next packet starts a new one. Two ages:
 *
 *   exact       expires timeout after the last use
 *   one-bit     as hardware does it with one bit per entry and one global timer. The timer clears the bit at each
 *               multiple of timeout, and expires entries whose bit is clear already: between one and two timeouts after
 *               the last use
 *
 * An entry expires when it is accessed. A sweep each max(timeout, 10 ms) expires the rest, and deletes expired entries.
 *
 * Cost of a warm hit: one cache line of the table. Inserting may grow the table (simulation only).
 */
#ifndef HEDDLE_MECH_PATH_TABLE_H
#define HEDDLE_MECH_PATH_TABLE_H

#include "base/types.h"
#include "mech/balance/balance.h"

#define PATH_TABLE_IDS 65536u
#define PATH_SWEEP_LEAST (10 * PS_PER_MS)

enum path_flags { PATH_EXISTS = 1, PATH_VALID = 2, PATH_PSS = 4, PATH_SETTLED = 7 };
enum path_age { PATH_AGE_EXACT, PATH_AGE_ONE_BIT };
enum path_verdict { PATH_NEW, PATH_WAIT, PATH_FORWARD };

struct path_entry {
    time_ps last_used;
    uint16_t id, check; /* lower and upper half of the key of the flow that made it */
    uint16_t port;
    uint8_t flags; /* enum path_flags; 0 = empty slot */
    uint8_t unused;
};
_Static_assert(sizeof(struct path_entry) == 16, "four entries a cache line");

struct path_table {
    struct path_entry *entry;
    uint32_t mask; /* slots - 1 */
    uint32_t used; /* slots taken, timed-out entries included */
    enum path_age age;
    uint64_t *taken; /* flat store: [2^16 / 64] a bit for each slot in use; else NULL */
    span_ps timeout;
    time_ps limit;     /* one-bit: entries last used before this have expired */
    time_ps next_turn; /* the next sweep or tick of the one-bit timer */
    time_ps next_sweep;
    uint64_t *lost;
    uint64_t lost_unseen;
};

/* Creates an empty table. `lost` counts selections given up; NULL = not counted. timeout > 0. */
void path_table_init(struct path_table *t, span_ps timeout, enum path_age age, bool flat, uint64_t *lost);
void path_table_fini(struct path_table *t);

/* Returns the entry of this key, created if there is none. Sets its key and last_used; the caller sets port and flags.
 * Pointers from earlier calls become invalid. */
struct path_entry *path_table_put(struct path_table *t, uint32_t key, time_ps now);

/* Returns the number of entries that have not timed out at now. Walks the table. */
uint32_t path_table_live(const struct path_table *t, time_ps now);
uint64_t path_table_bytes(const struct path_table *t);
/* Returns the bytes that a table that is not flat will have. */
uint64_t path_table_foreseen(span_ps timeout, const struct balance_crowd *crowd);
/* Writes them as rows of the table "paths": id, port, valid, settled, idle (us since the last use). */
void path_table_rows(const struct path_table *t, time_ps now, const struct balance_rows *rows);

/* Slow parts of a lookup. */
void path_table_turn(struct path_table *t, time_ps now);
void path_table_expire(struct path_table *t, struct path_entry *e);

static inline bool path_table_expired(const struct path_table *t, const struct path_entry *e, time_ps now) {
    return e->last_used < (t->age == PATH_AGE_EXACT ? now - t->timeout + 1 : t->limit);
}

/* Returns the slot of this key, or the empty one where it would go. */
static inline struct path_entry *path_table_slot(const struct path_table *t, uint32_t key) {
    uint32_t i = key & t->mask;
    while (t->entry[i].flags && t->entry[i].id != (uint16_t)key) i = (i + 1) & t->mask;
    return &t->entry[i];
}

/* Returns the verdict for a packet of this flow, and refreshes its entry. *found: the entry, or NULL if there is none.
 * */
static inline enum path_verdict path_table_lookup(struct path_table *t, uint32_t key, time_ps now,
                                                  struct path_entry **found) {
    if (__builtin_expect(now >= t->next_turn, 0)) path_table_turn(t, now);
    struct path_entry *e = path_table_slot(t, key);
    *found = e->flags ? e : NULL;
    if (!e->flags) return PATH_NEW;
    if (__builtin_expect(path_table_expired(t, e, now), 0)) path_table_expire(t, e);
    if ((e->flags & (PATH_VALID | PATH_PSS)) == PATH_PSS) return PATH_NEW;
    e->last_used = now;
    return e->flags & PATH_VALID ? PATH_FORWARD : PATH_WAIT;
}

/* Returns whether another flow made this entry (up to 1 in 65,536 of them go unnoticed). */
static inline bool path_entry_is_shared(const struct path_entry *e, uint32_t key) { return e->check != key >> 16; }

#endif
