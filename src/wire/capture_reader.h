/* SPDX-License-Identifier: Apache-2.0 */
/* Private to capture.c: a reader of pcapng from an open FILE, which it does not own. */
#ifndef HEDDLE_WIRE_CAPTURE_READER_H
#define HEDDLE_WIRE_CAPTURE_READER_H

#include "wire/capture.h"

struct pcapng_reader;

struct pcapng_reader *pcapng_reader_create(FILE *file, const char *name); /* copies `name`; NULL = no memory */
void pcapng_reader_destroy(struct pcapng_reader *r);
enum capture_result pcapng_reader_next(struct pcapng_reader *r, struct capture_frame *frame, struct diag *d);

/* Converts `units` of 10^-k or 2^-k seconds (tsresol: k, with the high bit set for 2) plus offset seconds. Returns
 * false if the result does not fit. */
bool pcapng_stamp(uint64_t units, uint8_t tsresol, int64_t offset_second, int64_t *second, int64_t *ps);

#endif
