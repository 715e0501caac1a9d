/* SPDX-License-Identifier: Apache-2.0 */
/* The load balancers, a row each, in the order in which they are listed. balancers.c makes the table of them.
 *
 * The rows stand apart from the interface (balance.h): another row rebuilds the table and what names single rows.
 */
#ifndef HEDDLE_BALANCE_BALANCERS_H
#define HEDDLE_BALANCE_BALANCERS_H

#include "mech/balance/balance.h"

#define BALANCERS(ROW)                                                                                                 \
    ROW(ecmp)                                                                                                          \
    ROW(expeditus)                                                                                                     \
    ROW(clairvoyant)                                                                                                   \
    ROW(conga_flow)                                                                                                    \
    ROW(spray)                                                                                                         \
    ROW(alb)

#define BALANCER_DECLARE(id) extern const struct balancer_ops balance_##id;
BALANCERS(BALANCER_DECLARE)

#endif
