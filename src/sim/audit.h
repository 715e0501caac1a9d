/* Conservation link by link and node by node: what a debug build counts beside the totals of every run.
 *
 *   a link:  frames put on it = frames that finished it + frames on it
 *   a node:  made + arrived = sent + dropped + consumed + waiting in its queues
 *
 * Release builds (NDEBUG) count nothing of it: the hooks are empty.
 */
#ifndef HEDDLE_SIM_AUDIT_H
#define HEDDLE_SIM_AUDIT_H

#include "sim/partition.h"

struct world;

struct audit {
    uint64_t *sent;     /* by global port of the sender */
    uint64_t *arrived;  /* by global port of the receiver */
    uint64_t *consumed; /* by node */
};

#ifdef NDEBUG
#define AUDIT_COUNT(part, list, at) ((void)0)
#else
#define AUDIT_COUNT(part, list, at) ((part)->audit ? (void)(part)->audit->list[at]++ : (void)0)
#endif

void audit_init(struct audit *a, uint32_t n_ports, uint32_t n_nodes);
void audit_fini(struct audit *a);
/* False after writing which link or node does not balance. After the run, before anything is given back. */
bool audit_check(const struct world *w, char *text, size_t size);

#endif
