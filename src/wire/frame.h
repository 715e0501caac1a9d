/* SPDX-License-Identifier: Apache-2.0 */
/* Frames as bytes: descriptors built into Ethernet frames, frames parsed into descriptors, and frames changed in
 * passing.
 *
 *     dst MAC 6 | src MAC 6 | Expeditus tag | CONGA or core-load tag | EtherType 0x0800 | IPv4 20 | transport header |
 * payload
 *
 * as a capture holds it: without preamble, FCS and gap, padded with zeros to 60 bytes. wire_bytes is these bytes + 24,
 * but for credits of less than 84 (packet_ethernet_bytes). A tag is there if `shape` says so; the Expeditus tag comes
 * first, and no frame has both of the others.
 *
 *   Ethernet  Ethernet II; 802.1Q and other foreign tags are no IPv4 frames to us.
 *   IPv4      RFC 791, no options, ID 0 with DF set (RFC 6864), TOS and TTL as the descriptor has them.
 *   opaque    IPv4 of another protocol, with options, or a fragment (the first one too, so that all of a datagram go one
 *             way): SHAPE_OPAQUE. Its transport header is not read; it is forwarded by addresses and protocol. Built
 *             from a descriptor, one of TCP, UDP or credits is a first fragment.
 *   TCP       RFC 9293; options as wire/tcp_header.h says; flags are the eight of RFC 3168, urgent pointer 0; the rule
 *             for the window field of a SYN stands there too.
 *   UDP       RFC 768; the payload begins with the datagram number (`seq`, 4 bytes) if it has room for it.
 *   credits   protocol 253, wire/credit_header.h; a CREDIT_GRANT has SHAPE_CREDIT, no other frame has.
 *   payload   zeros otherwise. All checksums are right.
 *   pause     802.3x and 802.1Qbb frames have no IPv4: wire/pause_frame.h; SHAPE_PAUSE.
 *
 * Not on the wire: the sim half and, except in the header of credits, `path` (a choice made for the switches of a
 * simulation).
 *
 * Frames of others may carry what we do not model: payload, TCP options, IP-ID, a trailer. They are parsed as far as a
 * switch reads, and `frame_rewrite` changes only what a switch changes. TCP options that are not exactly ours make
 * `l4_foreign` the header length they give; building such a descriptor (an Exp-response copies one) fills them with
 * NOPs.
 *
 * A capture may cut a frame (snap): `captured` bytes of `original`. That is fine while all headers are there.
 */
#ifndef HEDDLE_WIRE_FRAME_H
#define HEDDLE_WIRE_FRAME_H

#include "wire/conga_overlay.h"
#include "wire/core_loads.h"
#include "wire/expeditus_tag.h"
#include "wire/frame_size.h"
#include "wire/pause_frame.h"

enum {
    ETHERNET_BYTES = 14,
    IPV4_BYTES = 20,
    FRAME_MIN_BYTES = 60,                              /* without FCS */
    FRAME_UNSEEN_BYTES = 24,                           /* preamble 8, FCS 4, gap 12: wire_bytes less the bytes here */
    FRAME_MAX_BYTES = UINT16_MAX - FRAME_UNSEEN_BYTES, /* wire_bytes has 16 bits */
    FRAME_HEADERS_MAX = ETHERNET_BYTES + EXPEDITUS_TAG_MAX_BYTES + 4 + IPV4_BYTES + 60,
    FRAME_HEADROOM = EXPEDITUS_TAG_MAX_BYTES + 4, /* most that a switch adds to a frame: tags */
};

#define ETHERTYPE_IPV4 0x0800u

/* Reasons to refuse a frame: id, key in results, text in reports. */
#define FRAME_ERRORS(ROW)                                                                                              \
    ROW(OK, "ok", "ok")                                                                                                \
    ROW(TRUNCATED, "truncated", "frame too short for its headers")                                                     \
    ROW(SNAPPED, "snapped", "capture cuts the headers")                                                                \
    ROW(TOO_LONG, "too_long", "frame longer than 65511 bytes")                                                         \
    ROW(TAG_NOE, "tag_noe", "Expeditus tag: NoE beyond the frame")                                                     \
    ROW(TAG_RESERVED, "tag_reserved", "Expeditus tag: reserved bit set")                                               \
    ROW(TAG_PADDING, "tag_padding", "Expeditus tag: padding not zero")                                                 \
    ROW(TAG_ORDER, "tag_order", "tag repeated or out of order")                                                        \
    ROW(OVERLAY_RESERVED, "overlay_reserved", "CONGA tag: reserved bit set")                                           \
    ROW(CORE_LOADS_RESERVED, "core_loads_reserved", "core-load tag: reserved bit set")                                 \
    ROW(NOT_IPV4, "not_ipv4", "not IPv4")                                                                              \
    ROW(IP_VERSION, "ip_version", "IPv4 EtherType but another IP version")                                             \
    ROW(IP_HEADER_LENGTH, "ip_header_length", "IPv4 header length under 20 or beyond the packet")                      \
    ROW(IP_CHECKSUM, "ip_checksum", "IPv4 header checksum wrong")                                                      \
    ROW(IP_LENGTH, "ip_length", "IPv4 length under its header or beyond the frame")                                    \
    ROW(L4_LENGTH, "l4_length", "IPv4 length too short for the transport header")                                      \
    ROW(TCP_HEADER_LENGTH, "tcp_header_length", "TCP header length under 20 or beyond the packet")                     \
    ROW(UDP_LENGTH, "udp_length", "UDP length under 8 or beyond the packet")                                           \
    ROW(CREDIT_KIND, "credit_kind", "credit header: unknown kind, wrong flag or stamp")                                \
    ROW(CREDIT_PAYLOAD, "credit_payload", "credit header: payload in a frame that is no data")                         \
    ROW(CREDIT_SIZE, "credit_size", "credit header: size not allowed, or not that of the frame")                       \
    ROW(MAC_CONTROL, "mac_control", "MAC control: neither 802.3x pause nor PFC")                                       \
    ROW(PAUSE_ADDRESS, "pause_address", "pause frame: not sent to 01-80-C2-00-00-01")                                  \
    ROW(PAUSE_TAGGED, "pause_tagged", "pause frame: behind a tag")                                                     \
    ROW(PFC_RESERVED, "pfc_reserved", "PFC: reserved byte of the classes set")

#define FRAME_ERROR_ENUM(id, key, text) FRAME_##id,
enum frame_error { FRAME_ERRORS(FRAME_ERROR_ENUM) FRAME_ERROR_COUNT };

const char *frame_error_name(enum frame_error error); /* the reason */
const char *frame_error_key(enum frame_error error);  /* its key: "ip_length" */

/* State of the transport checksum; a switch forwards all four. */
enum l4_check {
    L4_GOOD,
    L4_BAD,     /* wrong; often a capture on a sender whose NIC fills it in later */
    L4_UNKNOWN, /* the capture truncated the payload, or it was not checked (frame_parse_headers) */
    L4_ABSENT,  /* UDP without checksum; opaque packets; pause frames */
};

/* Result of parsing beside the descriptor. */
struct frame_info {
    uint8_t dst_mac[6], src_mac[6];
    uint32_t captured, original;
    uint16_t ether_type; /* behind the tags; set as soon as it is read, also if the frame is refused */
    uint16_t l2_bytes;   /* MACs, tags and EtherType */
    uint16_t ip_bytes;   /* IPv4 total length */
    uint16_t l4_bytes;   /* transport header; 0: opaque */
    enum l4_check check;
};

/* Builds the frame of *p. Returns its length, and writes at most `size` bytes of it: a smaller size truncates the
 * frame. ext may be NULL if p->shape has none of EXPEDITUS, SACK, STAMP and PAUSE. Returns 0 if no frame can carry the
 * descriptor:
 * a bad tag; both a CONGA and a core-load tag; a frame that is too long
 * over four SACK blocks, or three with a stamp; a stamp on a SYN or on a frame that is not TCP
 * an unknown proto, unless opaque; an opaque packet with a bit other than tags
 * a malformed credit header; SHAPE_CREDIT on any other kind than CREDIT_GRANT, or a grant without it; an impossible
 *   wire_bytes of a credit
 * SHAPE_PAUSE beside another bit, a proto or payload, or with invalid contents
 * Cost: the header, and zeros for the payload written. */
size_t frame_build(const struct packet *p, const struct packet_ext *ext, const uint8_t src_mac[6],
                   const uint8_t dst_mac[6], uint8_t *buf, size_t size);

/* Parses `captured` bytes of a frame of `original` bytes. FRAME_OK: fills *info, the hdr half of *p, and the parts of
 * *ext that p->shape names: tag, SACK blocks, stamp or pause. p->ext is EXT_NONE; the caller copies *ext to a cell of
 * its own. p->path is PATH_NONE except for credits, the sim half is empty. The datagram number of UDP is 0 if it was
 * truncated. */
enum frame_error frame_parse(const uint8_t *buf, size_t captured, size_t original, struct packet *p,
                             struct packet_ext *ext, struct frame_info *info);

/* Parses without checking the transport checksum, since a switch forwards frames with any checksum. The payload is not
 * touched, and info->check is L4_UNKNOWN (L4_ABSENT for a pause frame). */
enum frame_error frame_parse_headers(const uint8_t *buf, size_t captured, size_t original, struct packet *p,
                                     struct packet_ext *ext, struct frame_info *info);

/* Writes the frame as it leaves a switch: `frame`, which was parsed with *info, with MACs, tags, TOS, TTL and
 * (credits) path of *p. Other bytes stay. Checksums over changed fields are updated (RFC 1624), so a wrong checksum
 * stays wrong. In a frame over 60 bytes, bytes after the packet are a trailer and stay; in a shorter frame they are
 * padding, made anew. A frame that is not IPv4 keeps its EtherType and all bytes after it; the caller made its
 * descriptor, of which only tags are read. Returns the new frame's original length (packet_ethernet_bytes - 24 if
 * changes of tags went through packet_retag). *written is the number of bytes at `out`: all captured ones, `size` at
 * most. Returns 0 for a tag that cannot be encoded, a frame longer than FRAME_MAX_BYTES, and a pause frame, which is
 * never forwarded. `out` must not overlap `frame`. */
size_t frame_rewrite(const uint8_t *frame, const struct frame_info *info, const struct packet *p,
                     const struct packet_ext *ext, const uint8_t src_mac[6], const uint8_t dst_mac[6], uint8_t *out,
                     size_t size, size_t *written);

/* Rewrites in place. The caller keeps FRAME_HEADROOM bytes free before `frame`, and at least FRAME_MIN_BYTES +
 * FRAME_HEADROOM from there on, however few were captured. The frame then begins at *begin, before or after `frame`,
 * and *info is invalid. */
size_t frame_rewrite_in_place(uint8_t *frame, const struct frame_info *info, const struct packet *p,
                              const struct packet_ext *ext, const uint8_t src_mac[6], const uint8_t dst_mac[6],
                              uint8_t **begin, size_t *written);

/* Writes MACs, tags and EtherType into buf (FRAME_HEADERS_MAX bytes). Returns the bytes written; 0 if the tag cannot be
 * encoded. Used by frame_build and frame_rewrite. */
size_t frame_put_l2(uint8_t *buf, const struct packet *p, const struct packet_ext *ext, const uint8_t src_mac[6],
                    const uint8_t dst_mac[6]);

#endif
