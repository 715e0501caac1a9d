/* What the generators of flows share. Private to workload.
 *
 * Each kind appends its flows to a list; workload_generate sorts the whole. Every draw comes from a stream keyed by the
 * entry and, where a host draws for itself, by the host, so that an entry or a host added changes nothing of the
 * others.
 */
#ifndef HEDDLE_WORKLOAD_GENERATE_H
#define HEDDLE_WORKLOAD_GENERATE_H

#include "workload/workload.h"

#define FIRST_DST_PORT 5001 /* of entry 0; each entry has its own */
#define FIRST_SRC_PORT 1024
#define N_SRC_PORTS (65536 - FIRST_SRC_PORT)

/* The hosts that take part, and what divides them into groups that exclude themselves as destinations. */
struct members {
    uint32_t *host;  /* sorted by (group, host) */
    uint32_t *group; /* of each: its host, rack or pod number */
    uint32_t *first; /* of each: where its group begins in host[] */
    uint32_t *count; /* of each: members of its group */
    uint32_t n;
};

struct generator {
    const struct workload_spec *spec;
    const struct population *p;
    uint64_t seed;
    struct flow_list *list;
    uint32_t room;
    uint32_t made;       /* by this entry so far */
    uint32_t *next_port; /* per host: flows it has begun; NULL before the first */
    struct diag *d;
};

/* `pairs` as it divides this fabric's hosts. False after filling g->d: fewer than two, unknown pods, one group alone.
 */
bool members_init(struct members *m, const struct workload_spec *spec, const struct population *p, enum pairs pairs,
                  struct diag *d);
void members_fini(struct members *m);
/* The group within which bijection and random stay apart: pods where there are several tiers of switches, else racks.
 */
enum pairs pairs_apart(const struct population *p);
/* Which pods (racks in two tiers) take part, one flag each; the caller frees it. NULL after filling *d. */
bool *among_flags(const struct workload_spec *spec, const struct population *p, uint32_t *n, struct diag *d);
/* A random member outside the group of member i. */
uint32_t member_draw(const struct members *m, uint32_t i, struct random_stream *r);

/* A stream of this entry: of one host, or NODE_NONE for the entry as a whole. */
void generator_stream(const struct generator *g, struct random_stream *r, enum random_purpose purpose, uint32_t host);
/* Appends a flow with the entry's settings and the sender's next source port; false when the list is full. */
bool generator_add(struct generator *g, time_ps start, uint32_t src, uint32_t dst, uint64_t bytes);
bool generator_fail(const struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool poisson_generate(struct generator *g);
bool permutation_generate(struct generator *g);
bool stride_generate(struct generator *g);
bool bijection_generate(struct generator *g);
bool random_generate(struct generator *g);
bool incast_generate(struct generator *g);
bool long_generate(struct generator *g);
bool trace_generate(struct generator *g);
bool shuffle_generate(struct generator *g);
/* The trace's text instead of its file. */
bool trace_parse(struct generator *g, const char *text, size_t length, const char *file);

#endif
