#include <string.h>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/frame.h"

/* Sets the 16-bit word at ip[at] and corrects the header checksum for it. */
static void set_ip_word(uint8_t *ip, size_t at, uint16_t word) {
    uint16_t old = get_be16(ip + at);
    if (word == old) return;
    put_be16(ip + 10, checksum_update(get_be16(ip + 10), old, word));
    put_be16(ip + at, word);
}

/* Bytes of the frame behind its L2 header that are no padding: the packet, and in a frame over the minimum the trailer.
 */
static size_t body_bytes(const struct frame_info *info) {
    return info->original > FRAME_MIN_BYTES ? info->original - info->l2_bytes : info->ip_bytes;
}

size_t frame_rewrite(const uint8_t *frame, const struct frame_info *info, const struct packet *p,
                     const struct packet_ext *ext, const uint8_t src_mac[6], const uint8_t dst_mac[6], uint8_t *out,
                     size_t size, size_t *written) {
    uint8_t head[FRAME_HEADERS_MAX];
    *written = 0;
    size_t l2_bytes = frame_put_l2(head, p, ext, src_mac, dst_mac);
    if (l2_bytes == 0) return 0;
    uint8_t *ip = head + l2_bytes;
    memcpy(ip, frame + info->l2_bytes, IPV4_BYTES);
    set_ip_word(ip, 0, (uint16_t)(ip[0] << 8 | p->tos));
    set_ip_word(ip, 8, (uint16_t)(p->ttl << 8 | ip[9]));

    size_t body = body_bytes(info), known = info->captured - info->l2_bytes;
    if (known > body) known = body;
    size_t length = l2_bytes + body;
    if (length > FRAME_MAX_BYTES) return 0;
    if (length < FRAME_MIN_BYTES) length = FRAME_MIN_BYTES;
    size_t content = l2_bytes + known, captured = known == body ? length : content;
    if (size > captured) size = captured;

    size_t head_bytes = l2_bytes + IPV4_BYTES;
    memcpy(out, head, head_bytes < size ? head_bytes : size);
    if (size > head_bytes) {
        size_t copied = (content < size ? content : size) - head_bytes;
        memcpy(out + head_bytes, frame + info->l2_bytes + IPV4_BYTES, copied);
        memset(out + head_bytes + copied, 0, size - head_bytes - copied);
    }
    *written = size;
    return length;
}
