/* SPDX-License-Identifier: Apache-2.0 */
/* The live page of a lab: live/lab/web with the parts shared with the report (base/web), joined by scripts/embed. */
#ifndef HEDDLE_LIVE_LAB_LAB_PAGE_H
#define HEDDLE_LIVE_LAB_LAB_PAGE_H

#include <stddef.h>

extern const char lab_page[];
extern const size_t lab_page_bytes;

#endif
