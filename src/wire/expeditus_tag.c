/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/expeditus_tag.h"

#include "wire/bytes.h"

static bool tag_is_sound(const struct expeditus_tag *tag) {
    if (tag->entries > TAG_MAX_ENTRIES || tag->stage > 1) return false;
    for (uint8_t i = 0; i < tag->entries; i++)
        if (tag->load[i] > EXPEDITUS_LOAD_MAX) return false;
    return true;
}

size_t expeditus_tag_encode(const struct expeditus_tag *tag, uint8_t *buf, size_t size) {
    if (!tag_is_sound(tag)) return 0;
    size_t bytes = expeditus_tag_bytes(tag->entries);
    if (bytes > size) return 0;
    put_be16(buf, EXPEDITUS_TPID);
    buf[2] = (uint8_t)(tag->stage << 7 | tag->entries);
    for (uint8_t i = 0; i < tag->entries; i += 2) {
        uint8_t low = i + 1 < tag->entries ? tag->load[i + 1] : 0;
        buf[3 + i / 2] = (uint8_t)(tag->load[i] << 4 | low);
    }
    return bytes;
}

/* Returns entry i of the packed nibbles, high nibble first. */
static uint8_t tag_nibble(const uint8_t *packed, uint8_t i) {
    return i & 1 ? packed[i / 2] & 15u : (uint8_t)(packed[i / 2] >> 4);
}

enum tag_error expeditus_tag_decode(const uint8_t *buf, size_t size, struct expeditus_tag *tag) {
    if (size < 2) return TAG_SHORT;
    if (get_be16(buf) != EXPEDITUS_TPID) return TAG_ABSENT;
    if (size < 3) return TAG_SHORT;
    tag->stage = buf[2] >> 7;
    tag->entries = buf[2] & 0x7f;
    if (expeditus_tag_bytes(tag->entries) > size) return TAG_NOE;
    for (uint8_t i = 0; i < tag->entries; i++) {
        tag->load[i] = tag_nibble(buf + 3, i);
        if (tag->load[i] > EXPEDITUS_LOAD_MAX) return TAG_RESERVED;
    }
    if ((tag->entries & 1) && tag_nibble(buf + 3, tag->entries) != 0) return TAG_PADDING;
    return TAG_OK;
}

const char *tag_error_name(enum tag_error error) {
    static const char *const names[] = {
        "ok", "no tag", "tag too short", "NoE beyond the frame", "reserved bit set", "padding not zero"};
    return names[error];
}
