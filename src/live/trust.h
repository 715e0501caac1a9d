/* SPDX-License-Identifier: Apache-2.0 */
/* What a switch believes of a frame that it has parsed.
 *
 * The role of a port is known, and hosts are strangers. Only switches send the messages by which switches agree on paths,
 * so such a message from a host's port is forged:
 *
 *  tag            Expeditus (Exp-request or Exp-response), CONGA's overlay, a report of core loads: it is taken off, and the
 *                 frame goes on as the host's own data
 *  CREDIT_ANSWER  the Exp-response for a flow of credits, a frame of its own: refused
 *
 * Hosts send all other kinds of credit frames, which stay. From any port:
 *
 *  pause frame    refused unless ports have flow control of its kind: 802.3x with flowctl pause, 802.1Qbb with pfc
 *  group MAC      IPv4 in a broadcast or multicast frame is refused by a switch that routes for real hosts (RFC 1812,
 *                 5.3.4): it would send each copy on
 *
 * Pure functions; the forwarder counts what they find.
 */
#ifndef HEDDLE_LIVE_TRUST_H
#define HEDDLE_LIVE_TRUST_H

#include "mech/flowctl/flowctl.h"
#include "wire/frame.h"
#include "wire/packet_pool.h"

/* Reasons to refuse a frame, after those of enum frame_error: id, key in results, text in reports. */
#define TRUST_REFUSALS(ROW)                                                                                            \
    ROW(GROUP_MAC, "group_mac", "IPv4 in a broadcast or multicast frame")                                              \
    ROW(SWITCH_ANSWER, "switch_answer", "Exp-response of a switch, from a host")                                       \
    ROW(PAUSE_KIND, "pause_kind", "pause frame without flow control of its kind")

#define TRUST_REFUSAL_ENUM(id, key, text) REFUSED_##id,
enum refusal { REFUSED_BY_PARSER = FRAME_ERROR_COUNT - 1, TRUST_REFUSALS(TRUST_REFUSAL_ENUM) REFUSAL_COUNT };

const char *refusal_name(int reason); /* of a frame_error or a refusal: the reason */
const char *refusal_key(int reason);  /* its key: "group_mac" */

/* Tags that hosts do not send: id, key in results. */
#define TRUST_TAGS(ROW)                                                                                                \
    ROW(EXP_REQUEST, "exp_request")                                                                                    \
    ROW(EXP_RESPONSE, "exp_response")                                                                                  \
    ROW(CONGA, "conga")                                                                                                \
    ROW(CORE_LOADS, "core_loads")

#define SHAPE_TAGS (SHAPE_EXPEDITUS | SHAPE_CONGA | SHAPE_CORE_LOADS)
#define TRUST_TAG_ENUM(id, key) STRIPPED_##id,
enum stripped { TRUST_TAGS(TRUST_TAG_ENUM) STRIPPED_COUNT };

const char *stripped_key(enum stripped tag); /* "exp_request" */

struct trust {
    bool routes;                    /* the switch is a router for real hosts */
    const struct flowctl_ops *flow; /* flow control of all ports; NULL: none */
};

/* Returns FRAME_OK, or the refusal of a frame that was parsed. `ext` is read only if the frame is a pause frame. */
int trust_frame(const struct trust *t, bool from_host, const struct packet *p, const struct packet_ext *ext,
                const struct frame_info *info);

/* Returns bit k for each enum stripped that the frame has. */
uint32_t trust_tags(const struct packet_pool *pool, const struct packet *p);
/* Takes all tags off a frame from a host. */
void trust_strip(struct packet_pool *pool, struct packet *p);

#endif
