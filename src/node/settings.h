/* What an experiment says of switches and hosts, in the form node understands. */
#ifndef HEDDLE_NODE_SETTINGS_H
#define HEDDLE_NODE_SETTINGS_H

#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"

/* The credit class of every port, NICs included (node/credit_class.h). */
struct credit_settings {
    bool on;
    uint32_t queue;       /* credits that a class of credits holds (XP-7) */
    int64_t share_ppb;    /* of the link's rate, in wire bytes of credits (XP-4) */
    int64_t burst_bytes;  /* depth of the token bucket (AM-9) */
    uint32_t mark_window; /* N_cdt (SP-7); 0: credits are not marked */
    span_ps mark_stale;   /* the estimate is dropped after that long without a credit; 0: never */
};

enum nic_kind { NIC_PULL, NIC_FIFO };

struct switch_settings {
    const struct balancer_ops *balance;
    const int64_t *balance_params;
    int64_t buffer_bytes;                             /* per egress port, frame bytes */
    int64_t ecn_bytes;                                /* admit: ecn; marking threshold, frame bytes; 0 = droptail */
    int64_t phantom_bytes_per_10g, phantom_drain_ppb; /* phantom queues that mark (HULL); 0: none */
    int64_t ecn_bytes_per_10g;                        /* the same, scaled by each port's rate; 0 = none */
    enum schedule_kind schedule;
    uint32_t classes; /* 1 .. MAX_CLASSES; class of a frame = min(dscp >> 3, classes - 1) */
    int64_t drr_quantum_bytes[MAX_CLASSES];
    struct credit_settings credit;
    int64_t unscheduled_bytes; /* data without a credit finds at most so much queued, or is dropped */
    bool record_path;          /* a credit notes the choices that balancers make for it, its data retraces them */
};

struct host_settings {
    const struct transport_ops *transport[8];
    const int64_t *transport_params[8];
    uint32_t n_transports;
    enum nic_kind nic;
    int64_t nic_queue_bytes; /* NIC_FIFO: frame bytes the NIC holds before it stops taking */
    struct credit_settings credit;
    span_ps processing_delay; /* per stack traversal, each way (CLAIMS AM-15) */
};

#endif
