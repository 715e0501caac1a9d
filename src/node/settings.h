/* What an experiment says of switches and hosts, in the form node understands. */
#ifndef HEDDLE_NODE_SETTINGS_H
#define HEDDLE_NODE_SETTINGS_H

#include "mech/admit/admit.h"
#include "mech/balance/balance.h"
#include "mech/schedule/schedule.h"
#include "mech/transport/transport.h"

enum nic_kind { NIC_PULL, NIC_FIFO };

struct switch_settings {
    const struct balancer_ops *balance;
    const int64_t *balance_params;
    int64_t buffer_bytes;      /* per egress port, frame bytes */
    int64_t ecn_bytes;         /* admit: ecn; marking threshold, frame bytes; 0 = droptail */
    int64_t ecn_bytes_per_10g; /* the same, scaled by each port's rate; 0 = none */
    enum schedule_kind schedule;
    uint32_t classes; /* 1 .. MAX_CLASSES; class of a frame = min(dscp >> 3, classes - 1) */
    int64_t drr_quantum_bytes[MAX_CLASSES];
};

struct host_settings {
    const struct transport_ops *transport[8];
    const int64_t *transport_params[8];
    uint32_t n_transports;
    enum nic_kind nic;
    int64_t nic_queue_bytes;  /* NIC_FIFO: frame bytes the NIC holds before it stops taking */
    span_ps processing_delay; /* per stack traversal, each way (CLAIMS AM-15) */
};

#endif
