/* SPDX-License-Identifier: Apache-2.0 */
/* Compact numbers for the page: six digits as text, or 16 or 8 bits a number in base64. */
#ifndef HEDDLE_STUDY_REPORT_PACK_H
#define HEDDLE_STUDY_REPORT_PACK_H

#include "base/types.h"

#include <jansson.h>

/* Rounds to six significant digits. Returns null for NaN and infinities. */
json_t *pack_number(double value);
json_t *pack_numbers(const double *value, size_t n);

/* Packs {"max": m, "b": base64}: value[i] as round(value / m * 65535), little endian (255 for bits 8). NaN and negative
 * values become 0. Returns null for n = 0. */
json_t *pack_scaled(const double *value, size_t n, unsigned bits);
/* Packs 32-bit little-endian integers as base64. */
json_t *pack_integers(const uint32_t *value, size_t n);

#endif
