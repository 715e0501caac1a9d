/* SPDX-License-Identifier: Apache-2.0 */
#include "node/host_inside.h"

#include "base/memory.h"
#include "mech/schedule/schedules.h"

#include <stdlib.h>

/* ---- shared by the hosts of a partition ---- */

static size_t hot(size_t bytes, size_t all) { return bytes ? bytes : all; }

/* Returns whether twice the base round trip of some pair may exceed the min_rto of a transport. */
static bool some_pair_is_far(const struct host_shared *shared) {
    const struct host_config *config = shared->config;
    uint32_t full = (uint32_t)config_frame(config->frame_bytes) + WIRE_OVERHEAD_BYTES;
    span_ps most = fabric_round_trip_most(shared->fabric, full, WIRE_MIN_BYTES) + 4 * config->processing_delay;
    for (uint32_t i = 0; i < config->n_transports; i++) {
        uint16_t param = config->transport[i]->base->min_rto_param;
        if (param && 2 * most > config->transport_params[i][param]) return true;
    }
    return false;
}

size_t host_line_memory_bytes(const struct host_config *config) {
    size_t most = 0;
    for (uint32_t i = 0; i < config->n_transports; i++) {
        size_t bytes = config->transport[i]->sender->memory_bytes;
        if (bytes > most) most = bytes;
    }
    return most;
}

void host_shared_init(struct host_shared *shared) {
    const struct host_config *config = shared->config;
    for (uint32_t i = 0; i < config->n_transports; i++) {
        const struct transport_ops *ops = config->transport[i];
        const struct transport_end *sender = ops->sender, *receiver = ops->receiver;
        cell_pool_init(&shared->ends[2 * i + SIDE_SENDER], sizeof(struct connection) + sender->bytes);
        cell_pool_init(&shared->ends[2 * i + SIDE_RECEIVER], sizeof(struct connection) + receiver->bytes);
        cell_pool_init(&shared->cells[i], transport_cell_bytes(ops, config->transport_params[i]));
        shared->counters[i] = memory_get_lines(transport_n_counters(ops), sizeof(uint64_t));
        shared->prefetch_sender = (uint16_t)max_i64(shared->prefetch_sender, (int64_t)hot(sender->hot, sender->bytes));
        shared->sender_tallies |= !sender->settle;
        shared->prefetch_receiver =
            (uint16_t)max_i64(shared->prefetch_receiver, (int64_t)hot(receiver->hot, receiver->bytes));
    }
    shared->far_pairs = some_pair_is_far(shared);
}

void host_shared_fini(struct host_shared *shared) {
    for (uint32_t i = 0; i < shared->config->n_transports; i++) {
        cell_pool_fini(&shared->ends[2 * i + SIDE_SENDER]);
        cell_pool_fini(&shared->ends[2 * i + SIDE_RECEIVER]);
        cell_pool_fini(&shared->cells[i]);
        free(shared->counters[i]);
    }
}

/* ---- a host ---- */

static span_ps nic_full_frame_ps(const struct host *h) {
    return port_serialize(h->port, h->view, (uint32_t)config_frame(h->shared->config->frame_bytes) + 20);
}

/* nic: pull takes a frame when the link is idle; nic: fifo while its queue has room for a full frame, or always if it
 * drops what does not fit. */
void host_rate_is_set(struct host *h) {
    h->nic_ahead = h->shared->config->processing_delay;
    if (h->drops)
        h->nic_ahead = TIME_NONE / 2;
    else if (h->shared->config->nic == NIC_FIFO)
        h->nic_ahead += port_limit_ps(h->view, h->shared->config->nic_queue_bytes) - nic_full_frame_ps(h);
    else
        h->nic_ahead += h->shared->config->jitter; /* so that a frame with the largest delay still comes in time */
}

/* The port drops nothing for want of room: the NIC itself takes no more than nic_queue allows. Without queues it looks
 * at the port's limit. */
void host_nic_setup(const struct host_config *config, struct port_setup *nic) {
    bool pauses = flowctl_is_on(&config->flow), by_class = config->classes > 1 && !config->credit.on;
    nic->queues = config->nic == NIC_FIFO && (pauses || by_class || config->nic_queue_frames);
    bool drops = config->nic == NIC_FIFO && config->nic_full == NIC_FULL_DROP;
    nic->admit.limit_bytes = drops && !nic->queues ? config->nic_queue_bytes : INT64_MAX;
    nic->frame_bytes = config_frame(config->frame_bytes);
    nic->config.classes = nic->queues && config->classes ? config->classes : 1;
    nic->config.schedule.ops = nic->queues ? &schedule_strict : &schedule_fifo;
    nic->pauses = nic->queues && pauses;
}

void host_init(struct host *h, uint32_t node, struct host_shared *shared, const struct port_setup *nic) {
    h->node = node;
    h->shared = shared;
    deadlines_init(&h->deadlines, offsetof(struct connection, heap_place));
    host_foresee_start(h);
    if (h->nics == 0) h->nics = 1;
    uint32_t number = shared->fabric->paths.first_port[node] + h->nic;
    h->ip = fabric_nic_ip(shared->fabric, number);
    h->serial = h->nic;
    h->first_end = FLOW_NONE;
    h->nic_wake = TIME_NONE;
    port_init(h->port, h->view, h->extra, nic);
    h->drops = shared->config->nic == NIC_FIFO && shared->config->nic_full == NIC_FULL_DROP;
    host_rate_is_set(h);
    h->queues = h->port->queued;
    if (flowctl_is_on(&shared->config->flow)) {
        h->pause = h->queues ? h->extra->classes->pause : memory_get(1, sizeof *h->pause);
        h->pause->storm = shared->config->flow.storm;
    }
    h->credits = credit_nic_create(&shared->config->credit, nic->rate_bps, nic->seed, number, nic->global);
    h->void_credits = h->credits && shared->config->void_credits;
    if (shared->config->jitter) {
        h->jitter = memory_get(1, sizeof *h->jitter);
        jitter_init(h->jitter, shared->config->jitter, nic->seed, number);
    }
}

void host_fini(struct host *h) {
    port_fini(h->extra); /* frees h->pause too if the NIC has queues */
    deadlines_fini(&h->deadlines);
    if (!h->queues) free(h->pause);
    heap_fini(&h->gated);
    credit_nic_destroy(h->credits);
    if (h->jitter) free(h->jitter->line);
    free(h->jitter);
}
