/* SPDX-License-Identifier: Apache-2.0 */
/* Makes texts of unknown origin safe for terminals, pages and JSON; writes sizes of flows. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include "base/types.h"

/* Changes `text` in place, keeping its length; returns text. Control characters (also the C1 set of ISO 6429 above
 * 0x7f) other than line feed and tab become blanks, so that no title controls a terminal. Bytes that are not
 * well-formed UTF-8 become '?', so that JSON and SVG can hold the text. */
char *text_clean(char *text);

#define TEXT_OF_FLOW 32
/* Writes what a part of a flow is part of: "of 10000 B", or "of an endless flow" for UINT64_MAX bytes. Returns buf. */
const char *text_of_flow(uint64_t bytes, char buf[TEXT_OF_FLOW]);

#endif
