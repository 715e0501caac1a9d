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
    PCAPNG_CUSTOM = 2989,    /* opt_custom: octets that may be copied to another file */

    PCAPNG_NO_ENTERPRISE = 32473, /* the example number of RFC 5612 */

    PCAPNG_LINK_ETHERNET = 1,
};

/* First octets behind the enterprise number of our option (pcapng.h). */
#define PCAPNG_PICOSECONDS_NAME "heddle"
enum { PCAPNG_PICOSECONDS_BYTES = 12, PCAPNG_PICOSECONDS_AT = 10 };

#endif
