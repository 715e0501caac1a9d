/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of Ethernet frames (IEEE 802.3).
 *
 * Frame bytes count from the destination MAC to the FCS; queues and buffers hold them. Wire bytes add the preamble and
 * the inter-packet gap; link time, DRE and credits count them.
 */
#ifndef HEDDLE_BASE_ETHERNET_H
#define HEDDLE_BASE_ETHERNET_H

#define WIRE_OVERHEAD_BYTES 20 /* preamble 8, inter-packet gap 12: wire bytes - frame bytes */
#define WIRE_MIN_BYTES 84      /* wire bytes of the smallest frame, 64 bytes */
#define FULL_FRAME_BYTES 1518  /* a frame with 1500 bytes of IPv4: 1460 of payload with TCP or credits */
#define FULL_WIRE_BYTES (FULL_FRAME_BYTES + WIRE_OVERHEAD_BYTES)

#endif
