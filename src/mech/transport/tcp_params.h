/* The rows of the parameters that every TCP has, for the tables of those that add their own or have other defaults
 * (dctcp.c, hull.c, dx.c):
 *
 *     static const struct param params[] = {TCP_PARAM_ROWS(TCP_MSS, 1), [MY_PARAM] = {...}};
 */
#ifndef HEDDLE_MECH_TRANSPORT_TCP_PARAMS_H
#define HEDDLE_MECH_TRANSPORT_TCP_PARAMS_H

#include "mech/transport/tcp.h"

#define TCP_PARAM_ROWS(mss_default, ecn_default)                                                                       \
    [TCP_PARAM_MSS] = {.name = "mss",                                                                                  \
                       .type = PARAM_BYTES,                                                                            \
                       .def = (mss_default),                                                                           \
                       .min = 64,                                                                                      \
                       .max = 8960,                                                                                    \
                       .doc = "payload bytes of a full segment",                                                       \
                       .paper = "RFC 9293 3.7.1"},                                                                     \
    [TCP_PARAM_INITIAL_WINDOW] = {.name = "initial_window",                                                            \
                                  .type = PARAM_COUNT,                                                                 \
                                  .def = 10,                                                                           \
                                  .min = 1,                                                                            \
                                  .max = 1000,                                                                         \
                                  .doc = "initial congestion window in segments",                                      \
                                  .paper = "RFC 6928"},                                                                \
    [TCP_PARAM_RECEIVE_WINDOW] = {.name = "receive_window",                                                            \
                                  .type = PARAM_BYTES,                                                                 \
                                  .def = 2000000,                                                                      \
                                  .min = 1024,                                                                         \
                                  .max = 16776960,                                                                     \
                                  .doc = "advertised window, rounded down to 256 B, at least one segment; a SYN "      \
                                         "advertises at most 65535",                                                   \
                                  .paper = "RFC 7323"},                                                                \
    [TCP_PARAM_DELAYED_ACK] = {.name = "delayed_ack",                                                                  \
                               .type = PARAM_COUNT,                                                                    \
                               .def = 1,                                                                               \
                               .min = 1,                                                                               \
                               .max = 64,                                                                              \
                               .doc = "acknowledge every n-th segment in order",                                       \
                               .paper = "RFC 5681 4.2"},                                                               \
    [TCP_PARAM_DELAYED_ACK_TIMEOUT] = {.name = "delayed_ack_timeout",                                                  \
                                       .type = PARAM_TIME,                                                             \
                                       .def = PS_PER_MS,                                                               \
                                       .min = PS_PER_US,                                                               \
                                       .max = 500 * PS_PER_MS,                                                         \
                                       .doc = "a delayed ACK waits no longer; only with delayed_ack above 1",          \
                                       .needs = "delayed_ack>1",                                                       \
                                       .lacks = "no ACK is delayed (delayed_ack)",                                     \
                                       .paper = "RFC 5681 4.2"},                                                       \
    [TCP_PARAM_MIN_RTO] = {.name = "min_rto",                                                                          \
                           .type = PARAM_TIME,                                                                         \
                           .def = 10 * PS_PER_MS,                                                                      \
                           .min = PS_PER_US,                                                                           \
                           .max = 60 * PS_PER_S,                                                                       \
                           .doc = "least retransmission timeout",                                                      \
                           .paper = "RFC 6298 2.4"},                                                                   \
    [TCP_PARAM_INITIAL_RTO] = {.name = "initial_rto",                                                                  \
                               .type = PARAM_TIME,                                                                     \
                               .def = 0,                                                                               \
                               .min = 0,                                                                               \
                               .max = 60 * PS_PER_S,                                                                   \
                               .doc = "timeout of SYN, SYN-ACK and data before the first sample; 0 = min_rto",         \
                               .paper = "RFC 6298 2.1"},                                                               \
    [TCP_PARAM_MAX_RTO] = {.name = "max_rto",                                                                          \
                           .type = PARAM_TIME,                                                                         \
                           .def = 60 * PS_PER_S,                                                                       \
                           .min = PS_PER_US,                                                                           \
                           .max = 1000 * PS_PER_S,                                                                     \
                           .doc = "the backoff goes no higher",                                                        \
                           .paper = "RFC 6298 2.5"},                                                                   \
    [TCP_PARAM_DUPACK_THRESHOLD] = {.name = "dupack_threshold",                                                        \
                                    .type = PARAM_COUNT,                                                               \
                                    .def = 3,                                                                          \
                                    .min = 1,                                                                          \
                                    .max = 1000,                                                                       \
                                    .doc = "duplicate ACKs (SACKed segments above) that mean a loss",                  \
                                    .paper = "RFC 5681 3.2"},                                                          \
    [TCP_PARAM_FAST_RETRANSMIT] = {.name = "fast_retransmit",                                                          \
                                   .type = PARAM_BOOL,                                                                 \
                                   .def = 1,                                                                           \
                                   .max = 1,                                                                           \
                                   .doc = "false: only timeouts retransmit",                                           \
                                   .paper = "DeTail 5.4"},                                                             \
    [TCP_PARAM_LIMITED_TRANSMIT] = {.name = "limited_transmit",                                                        \
                                    .type = PARAM_BOOL,                                                                \
                                    .def = 1,                                                                          \
                                    .max = 1,                                                                          \
                                    .doc = "duplicate ACKs below the threshold let out new data",                      \
                                    .paper = "RFC 3042"},                                                              \
    [TCP_PARAM_SACK] = {.name = "sack",                                                                                \
                        .type = PARAM_BOOL,                                                                            \
                        .def = 1,                                                                                      \
                        .max = 1,                                                                                      \
                        .doc = "selective acknowledgements and recovery by them; false: RFC 6582",                     \
                        .paper = "RFC 2018, RFC 6675"},                                                                \
    [TCP_PARAM_ECN] = {.name = "ecn",                                                                                  \
                       .type = PARAM_BOOL,                                                                             \
                       .def = (ecn_default),                                                                           \
                       .max = 1,                                                                                       \
                       .doc = "ECN-capable: data may be marked instead of dropped",                                    \
                       .paper = "RFC 3168"},                                                                           \
    [TCP_PARAM_FIN] = {.name = "fin",                                                                                  \
                       .type = PARAM_BOOL,                                                                             \
                       .max = 1,                                                                                       \
                       .doc = "a connection is closed: FIN, FIN-ACK and ACK after the last flow on it",                \
                       .paper = "RFC 9293 3.6"}

#endif
