/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/run_counters.h"

const struct counter drop_counters[DROP_COUNT] = {
    [DROP_BUFFER] = {"drop_buffer", "frames dropped because the port's queue was full"},
    [DROP_LINK_DOWN] = {"drop_link_down", "frames dropped on a link that died, or in the queue for it"},
    [DROP_LOSS] = {"drop_loss", "frames lost on a gray link (`loss`)"},
    [DROP_NO_ROUTE] = {"drop_no_route", "frames dropped because there was no route to their destination"},
    [DROP_TTL] = {"drop_ttl", "frames dropped because their time to live ran out"},
    [DROP_CREDIT] = {"drop_credit", "always 0: credits that are dropped count in `credits.dropped`"},
    [DROP_NIC] = {"drop_nic",
                  "frames dropped at their own host because its NIC's queue was full (`host.nic_full: drop`)"},
    [DROP_STORM] = {"drop_storm", "frames dropped because their class was stormed (`switch.pfc_watchdog`)"},
    [DROP_UNSCHEDULED] = {"drop_unscheduled", "data frames sent without a credit and dropped because frames were "
                                              "waiting"},
};

const struct counter run_counters[RUN_COUNTERS] = {
    [RUN_TIMEOUTS_SYN] = {"timeouts_syn", "retransmission timeouts of SYNs"},
    [RUN_TIMEOUTS_SYNACK] = {"timeouts_synack", "retransmission timeouts of SYN-ACKs"},
    [RUN_TIMEOUTS_DATA] = {"timeouts_data", "retransmission timeouts of data"},
    [RUN_TIMEOUTS_SPURIOUS] =
        {"timeouts_spurious",
         "timeouts of SYNs, SYN-ACKs and data that had arrived, as far as an end can tell: the "
         "answer came sooner after the retransmission than its least round trip, before the "
         "first measurement that of an idle fabric. A lower bound where queues hold frames longer than the timeout; "
         "`packets.retransmitted` less `packets.dropped` says how many packets were sent again "
         "without need"},
    [RUN_FAST_RECOVERIES] = {"fast_recoveries", "times that a sender entered fast recovery"},
    [RUN_DUPLICATES_RECEIVED] = {"duplicates_received", "data packets that brought their receiver nothing new"},
    [RUN_CE_RECEIVED] = {"ce_received", "data packets that arrived marked CE"},
    [RUN_FRAMES_AFTER_END] = {"frames_after_end",
                              "frames for an end of a flow that was closed already, such as a last ACK"},
    [RUN_TIMELINE_LEFT_OUT] = {"timeline_entries_left_out",
                               "entries of timelines beyond their bound; only in results where there were any"},
};
