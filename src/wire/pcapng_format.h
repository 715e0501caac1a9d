/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the pcapng format, for writer and reader. */
#ifndef HEDDLE_WIRE_PCAPNG_FORMAT_H
#define HEDDLE_WIRE_PCAPNG_FORMAT_H

enum {
    PCAPNG_INTERFACE = 1,
    PCAPNG_PACKET = 2, /* obsolete, still in use */
    PCAPNG_SIMPLE_PACKET = 3,
    PCAPNG_ENHANCED_PACKET = 6,
    PCAPNG_SECTION = 0x0a0d0d0a, /* reads the same in either byte order */
    PCAPNG_BYTE_ORDER = 0x1a2b3c4d,

    PCAPNG_OPT_END = 0,
    PCAPNG_SHB_USERAPPL = 4,
    PCAPNG_IF_NAME = 2,
    PCAPNG_IF_SPEED = 8,
    PCAPNG_IF_TSRESOL = 9,
    PCAPNG_IF_TSOFFSET = 14,
    PCAPNG_PACKET_FLAGS = 2, /* epb_flags; pack_flags of the obsolete block has the same number */

    PCAPNG_LINK_ETHERNET = 1,
};

#endif
