/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that their caller frees, and texts of unknown origin made safe for terminals, pages and JSON; sizes
 * of flows.
 *
 * Functions that allocate end the program through memory_out (base/memory.h) when memory runs out, as memory_get does. So
 * no text is ever missing or cut for want of memory.
 */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include "base/types.h"

#include <stdio.h>

char *text_copy(const char *text);
char *text_copy_part(const char *text, size_t n); /* at most n bytes, as strndup */
char *text_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Opens a stream that writes to *text and *size, as open_memstream. text_stream_end closes it, with the same `text`; only then
 * are both valid. */
FILE *text_stream(char **text, size_t *size);
void text_stream_end(FILE *stream, char **text);
/* Opens a stream that writes into `buf`, as fmemopen; fclose closes it. */
FILE *text_stream_into(char *buf, size_t size);

/* Changes `text` in place, keeping its length; returns text. Control characters (also the C1 set of ISO 6429 above
 * 0x7f) other than line feed and tab become blanks, so that no title controls a terminal. Bytes that are not
 * well-formed UTF-8 become '?', so that JSON and SVG can hold the text. */
char *text_clean(char *text);

/* Returns a text as one word of a command line for a shell, which the caller frees: in quotes where it needs them. */
char *text_shell(const char *text);

/* Returns whether there is a tab at this line and character of the line, both from 0, as a YAML parser counts them. YAML
 * refuses tabs in indentation; its parser says only that a character cannot stand there. */
bool text_tab_at(const char *text, size_t size, size_t line, size_t character);

#define TEXT_OF_FLOW 32
/* Writes what a part of a flow is part of: "of 10000 B", or "of an endless flow" for UINT64_MAX bytes. Returns buf. */
const char *text_of_flow(uint64_t bytes, char buf[TEXT_OF_FLOW]);

#endif
