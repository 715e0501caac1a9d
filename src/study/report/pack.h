/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in few bytes: six digits as text, or 16 or 8 bits a number in base64. */
#ifndef HEDDLE_STUDY_REPORT_PACK_H
#define HEDDLE_STUDY_REPORT_PACK_H

#include "base/types.h"

#include <jansson.h>

/* null for what is not finite; rounded to six significant digits. */
json_t *pack_number(double value);
json_t *pack_numbers(const double *value, size_t n);

/* {"max": m, "b": base64}: value[i] as round(value / m * 65535), little endian (255 for bits 8); NaN and negative
 * values count as 0. `n` 0 gives null. */
json_t *pack_scaled(const double *value, size_t n, unsigned bits);
/* base64 of 32-bit little-endian integers. */
json_t *pack_integers(const uint32_t *value, size_t n);

#endif
