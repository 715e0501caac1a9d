/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that others wrote, made fit for terminals, pages and JSON. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include "base/types.h"

/* Changes `text` in place, keeping its length: control characters (also those of ISO 6429 above 0x7f) other than line
 * feed and tab become blanks, so that no title steers a terminal; bytes that are no well-formed UTF-8 become '?', so
 * that JSON and SVG can hold the text. Returns text. */
char *text_clean(char *text);

#endif
