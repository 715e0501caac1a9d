/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/checksum.h"

#include "wire/bytes.h"

uint32_t checksum_add(uint32_t sum, const uint8_t *bytes, size_t n) {
    size_t i = 0;
    for (; i + 1 < n; i += 2) sum += get_be16(bytes + i);
    if (i < n) sum += (uint32_t)bytes[i] << 8;
    return sum;
}

uint32_t checksum_pseudo(uint32_t src_ip, uint32_t dst_ip, uint8_t proto, uint32_t l4_bytes) {
    return (src_ip >> 16) + (src_ip & 0xffff) + (dst_ip >> 16) + (dst_ip & 0xffff) + proto + l4_bytes;
}

uint16_t checksum_finish(uint32_t sum) {
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
