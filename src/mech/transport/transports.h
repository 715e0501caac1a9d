/* SPDX-License-Identifier: Apache-2.0 */
/* The transports, a row each, in the order in which they are listed. transports.c makes the table of them.
 *
 * The rows stand apart from the interface (transport.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_TRANSPORT_TRANSPORTS_H
#define HEDDLE_TRANSPORT_TRANSPORTS_H

#include "mech/transport/transport.h"

#define TRANSPORTS(ROW)                                                                                                \
    ROW(newreno)                                                                                                       \
    ROW(cubic)                                                                                                         \
    ROW(dctcp)                                                                                                         \
    ROW(dx)                                                                                                            \
    ROW(hull)                                                                                                          \
    ROW(expresspass)                                                                                                   \
    ROW(spraypass)                                                                                                     \
    ROW(udp)

#define TRANSPORT_DECLARE(id) extern const struct transport_ops transport_##id;
TRANSPORTS(TRANSPORT_DECLARE)

#endif
