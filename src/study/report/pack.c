/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/pack.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *pack_number(double value) {
    char text[32];
    if (!isfinite(value)) return json_null();
    if (value > -1e6 && value < 1e6 && value == (double)(int64_t)value) return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%.6g", value);
    return json_real(strtod(text, NULL));
}

json_t *pack_numbers(const double *value, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(list, pack_number(value[i]));
    return list;
}

static json_t *base64(const uint8_t *byte, size_t n) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = (n + 2) / 3 * 4;
    char *text = memory_get(length + 1, 1);
    for (size_t i = 0, at = 0; i < n; i += 3, at += 4) {
        uint32_t three = (uint32_t)byte[i] << 16;
        if (i + 1 < n) three |= (uint32_t)byte[i + 1] << 8;
        if (i + 2 < n) three |= byte[i + 2];
        for (int k = 0; k < 4; k++) text[at + (size_t)k] = digit[three >> (18 - 6 * k) & 63];
        if (i + 2 >= n) text[at + 3] = '=';
        if (i + 1 >= n) text[at + 2] = '=';
    }
    json_t *packed = json_stringn(text, length);
    free(text);
    return packed;
}

json_t *pack_scaled(const double *value, size_t n, unsigned bits) {
    if (n == 0) return json_null();
    double most = 0, steps = bits == 8 ? 255 : 65535;
    for (size_t i = 0; i < n; i++) most = value[i] > most ? value[i] : most;
    uint8_t *byte = memory_get(n, bits / 8);
    for (size_t i = 0; i < n; i++) {
        unsigned step = value[i] > 0 && most > 0 ? (unsigned)(value[i] / most * steps + 0.5) : 0;
        byte[i * (bits / 8)] = (uint8_t)step;
        if (bits == 16) byte[2 * i + 1] = (uint8_t)(step >> 8);
    }
    json_t *packed = json_pack("{s:o, s:o}", "max", json_real(most), "b", base64(byte, n * (bits / 8)));
    free(byte);
    return packed;
}

json_t *pack_integers(const uint32_t *value, size_t n) {
    uint8_t *byte = memory_get(n + 1, 4);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) byte[4 * i + (size_t)k] = (uint8_t)(value[i] >> (8 * k));
    }
    json_t *packed = base64(byte, 4 * n);
    free(byte);
    return packed;
}
